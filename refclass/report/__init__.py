"""Answers laid out for people.

Reading order:
    axis | conformance | contours | spelling | words
    fitting | svg
    drawing | markdown | network | plane | style | tour | trials
    book | curves | geometry | mixture | robustness | spirals | validating
    costs | discriminants | machines | tables
    figures | gallery
    reproduction
"""
