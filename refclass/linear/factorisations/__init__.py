"""Factors of matrices, and the systems that they solve.

Reading order:
    fixed_point | ldl_pivots | pentadiagonal | sparse_ldl | triangular
    cholesky | elimination | gram_schmidt | householder | ldl
"""
