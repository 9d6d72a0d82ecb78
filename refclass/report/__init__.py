"""Answers laid out for people.

Reading order:
    axis | conformance | contours | spelling | words
    fitting | svg
    drawing | plane | tour | trials
    curves | gallery | geometry | mixture | robustness | spirals | validating
    costs | discriminants | machines
    figures
"""
