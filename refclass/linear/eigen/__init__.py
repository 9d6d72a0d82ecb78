"""Eigenvalues and singular values.

Reading order:
    hestenes | tridiagonal_qr
    one_sided_jacobi | svd
    pencil
"""
