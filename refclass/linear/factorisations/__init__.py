"""Factors of matrices, and the systems that they solve.

Reading order:
    fixed_point | lower_triangle | orthogonal_columns | pentadiagonal | sparse_ldl | triangular
    cholesky | elimination | gram_schmidt | householder | ldl
    low_rank
"""
