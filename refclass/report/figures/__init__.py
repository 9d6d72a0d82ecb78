"""The figures of the documents, computed and drawn.

Reading order:
    curves | geometry | mixture | robustness | spirals | theory | vowels
    costs | discriminants | machines
    by_name
"""
