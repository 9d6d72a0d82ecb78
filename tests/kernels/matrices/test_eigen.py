"""The eigen-expansion of a kernel on finitely many points."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.eigen import expand
from refclass.kernels.matrices.gram import gram
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.profiles import examples

D = decimal(40)
places = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=5, unique=True)
few = settings(max_examples=examples(15))


def table(points, kernel=None):
    return gram(D, kernel or Gaussian(D.lift("0.3")), Matrix([[D.lift(i), D.lift(j)] for i, j in points]))


def close(A, B):
    scale = A.largest()
    return all(near(D, a, b, scale=scale, steps=20 * len(A)) for r, s in zip(A, B) for a, b in zip(r, s))


@few
@given(places)
def test_the_expansion_adds_up_to_the_gram_matrix(points):
    """K = Σ δ_m φ_m φ_mᵀ  [MERCER.P1] [ESL-12.26] [KIM-Thm3.4.3]."""
    K = table(points)
    E = expand(D, K)
    total = Matrix.zeros(len(K), len(K), D.kind)
    for d, column in zip(E.values, E.functions.T):
        total = total + d * Matrix.outer(column, column)
    assert close(K, total)


@few
@given(places)
def test_its_features_reproduce_the_gram_matrix(points):
    """h_i = Δ^(1/2) Uᵀe_i have the inner products Kᵢⱼ  [MERCER.P1] [ESL-12.26] [ESL-12.21]."""
    K = table(points)
    H = expand(D, K).features(D)
    assert close(K, H @ H.T)


@few
@given(places, st.data())
def test_the_norm_is_the_sum_of_squares_over_eigenvalues(points, data):
    """αᵀKα = Σ θ_m²/δ_m with θ = ΔUᵀα, which are the weights of Kα on the φ_m  [K-EIGEN.P1] [PEN-EIG] [ESL-12.27]."""
    K = table(points)
    E = expand(D, K)
    alpha = Vector([D.lift(data.draw(st.integers(-9, 9))) for _ in points])
    theta = E.weights(alpha)
    scale = alpha @ alpha * K.largest() + 1
    assert near(D, E.penalty(theta), alpha @ (K @ alpha), scale=scale, steps=40 * len(K))
    assert all(near(D, a, b, scale=scale, steps=40 * len(K)) for a, b in zip(E.functions @ theta, K @ alpha))


def test_rough_directions_are_shrunk_more():
    """Ridge regression on K keeps δ/(δ + λ) of each eigendirection: the smaller δ, the less  [K-EIGEN.P2]
    [ESL-12.27]."""
    K, lam = table([(0, 0), (1, 0), (0, 2), (3, 1)]), D.lift("0.5")
    E = expand(D, K)
    solve = ldl.factor(K + lam * Matrix.identity(4, D.kind)).solve
    kept = [column @ (K @ solve(column)) for column in E.functions.T]
    assert all(near(D, k, d / (d + lam), scale=D.lift(1), steps=50) for k, d in zip(kept, E.values))
    assert all(a > b for a, b in zip(kept, kept[1:]))


def test_zero_eigenvalues_are_left_out():
    """Five points in the plane with the linear kernel have two features  [K-LIN.P1]."""
    assert len(expand(D, table([(0, 1), (1, 0), (2, 3), (-1, 1), (3, -2)], Linear())).values) == 2


def test_a_table_with_a_negative_eigenvalue_is_refused():
    """K = (1 2 / 2 1) has the eigenvalue −1, along (1, −1): no features can have it  [K-GRAM-PSD.P2]
    [MMST-Ex11.10] [EX-MMST-11.10]."""
    K = Matrix([[D.lift(1), D.lift(2)], [D.lift(2), D.lift(1)]])
    with pytest.raises(NoAnswer, match="positive semidefinite") as refusal:
        expand(D, K)
    v = refusal.value.witness["direction"]
    assert v @ (K @ v) < 0


def test_a_table_of_zeros_has_no_features():
    """The zero kernel has no positive eigenvalue."""
    with pytest.raises(NoAnswer, match="a positive eigenvalue; got none"):
        expand(D, Matrix.zeros(2, 2, D.kind))


def test_rational_roots_keep_it_exact():
    """diag(4, 1) expands on fractions: no root is irrational."""
    E = expand(RATIONAL, Matrix.diagonal_of([Fraction(4), Fraction(1)]))
    assert E.values == (4, 1) and E.features(RATIONAL) == Matrix.diagonal_of([Fraction(2), Fraction(1)])
