"""Exact solutions of linear systems, in integers.

Reading order:
    dixon | division
    fraction_free | lattice | sparse_dixon
"""
