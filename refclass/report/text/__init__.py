"""Numbers, tables, models and progress in words.

Reading order:
    progress | spelling | words
    describing
"""
