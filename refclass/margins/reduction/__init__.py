"""Several classes by machines for two.

Reading order:
    certificate | coupling | hidden_labels | one_vs_rest
    one_vs_one
"""
