"""The figures of the documents, computed and drawn.

Reading order:
    curves | geometry | mixture | robustness | spirals | theory | vowels
    costs | discriminants | support_vector_machines
    by_name
"""
