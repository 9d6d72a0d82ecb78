"""Answers laid out for people.

Reading order:
    asking | axis | conformance | contours | spelling | words
    describing | svg
    drawing | fitting | plane
    saving | tour | trials
    curves | gallery | geometry | mixture | robustness | spirals | validating
    costs | discriminants | machines
    figures | learning
"""
