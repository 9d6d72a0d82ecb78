"""Floor 9: answers laid out for people.

Reading order:
    words | axis | spelling
    svg | fitting
    drawing | plane | tour | trials
    validating
    mixture
    curves | geometry | robustness | machines | costs | spirals | discriminants
    figures | gallery
"""
