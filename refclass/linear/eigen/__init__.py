"""Eigenvalues and singular values.

Reading order:
    hestenes
    one_sided_jacobi | svd
    pencil
"""
