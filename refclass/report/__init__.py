"""Floor 9: answers laid out for people.

Reading order:
    words | axis
    svg | fitting
    drawing | plane | tour
    curves | machines | robustness
    figures | gallery
"""
