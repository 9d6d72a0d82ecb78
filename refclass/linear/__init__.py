"""Linear algebra over any field: vectors, matrices, and the factors of matrices.

A factor module offers `factor(A) -> Factor`, `Factor.solve(b)`, and `certify(A, factor)`: the claims of the factor,
such as "A = L Lᵀ", each with its residual in units of roundoff, which is 0 on fractions and at most 30 elsewhere.
Modules that need a root or a tolerance take the field F first; the others are exact on fractions.

Degenerate cases: an asymmetric matrix is refused with its place, and there is no empty matrix. A singular matrix has a
factor where that exists (elimination, LDL, Gram–Schmidt, Householder, Jacobi, singular values); a unique solution is
refused with a null vector. Whether a rounded matrix is singular is decided relative to the size of its entries
(`elimination.rank` has the proof), in Cholesky's factor relative to each diagonal entry.

Reading order:
    common_denominator | vector
    combination | matrix | polar
    clearing | conjugate_gradients | geometry | residual
    exact | factorisations
    bordered | canon
    spectrum
    jacobi
    eigen
"""
