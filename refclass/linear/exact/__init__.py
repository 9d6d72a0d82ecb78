"""Exact solutions of linear systems, in integers.

Reading order:
    dixon
    fraction_free | lattice | sparse_dixon
"""
