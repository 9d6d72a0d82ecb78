"""Floor 2: vectors, matrices, and the factors of matrices.

A factor room offers `factor(A) -> Factor`, `Factor.solve(b)`, and `certify(A, factor)`, the residual of the claim
"the factors multiply back". Rooms that need a root or a tolerance take the field F first; the others are exact on
fractions.

Reading order:
    vector
    matrix
    residual
    triangular | lifting | pentadiagonal | rotation
    elimination | fraction_free | ldl | cholesky | updates | gram_schmidt | householder
    canon
    jacobi | svd
    pencil
"""
