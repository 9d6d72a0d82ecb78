"""Floor 9: answers laid out for people.

Reading order:
    words
    fitting
    tour
"""
