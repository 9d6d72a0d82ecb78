"""The figures of the documents, computed and drawn.

Reading order:
    curves | discriminant_directions | geometry | mixture | robustness | spirals | unequal_variances | vowels
    costs | discriminants | support_vector_machines | theory
    by_name
"""
