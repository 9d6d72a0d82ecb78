"""Mercer's condition, decided exactly."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.mercer import judge, judge_on_contrasts, rational
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from tests.strategies import SIZES, fractions, semidefinite, symmetric, vectors


@given(st.data(), st.sampled_from([1, 2, 3, 5]))
def test_a_negative_verdict_comes_with_its_proof(data, n):
    """If an eigenvalue is negative, u has uᵀKu < 0; were K a Gram matrix, that would be the square of a length
    [K-GRAM-PSD.P2] [MMST-Ex11.10] [MMST-11.3.3-gram] [EX-MMST-11.10]."""
    K = data.draw(symmetric(n))
    verdict = judge(K)
    if verdict.semidefinite:
        assert verdict.witness is None
    else:
        assert verdict.witness @ (K @ verdict.witness) == verdict.value < 0


@given(st.data(), st.sampled_from([1, 2, 3, 5]))
def test_a_positive_verdict_bounds_every_quadratic_form(data, n):
    """If no eigenvalue is negative, uᵀKu ≥ 0 for every u; if some is, the verdict says so  [K-GRAM-PSD.P1]
    [KIM-Def3.4.2] [KIM-3.61]."""
    K, u = data.draw(symmetric(n)), data.draw(vectors(n))
    value = u @ (K @ u)
    assert value >= 0 or not judge(K).semidefinite


@given(st.data(), st.sampled_from([1, 2, 3, 5]))
def test_squares_are_semidefinite_with_the_rank_of_the_root(data, n):
    """AAᵀ is positive semidefinite for every A, definite only with full rank  [K-GRAM-PSD.P1]."""
    rank = data.draw(st.integers(1, n))
    verdict = judge(data.draw(semidefinite(n, rank)))
    assert verdict.semidefinite and verdict.inertia[0] <= rank and (rank == n or not verdict.definite)


def test_symmetry_and_cauchy_schwarz_are_not_enough():
    """Unit diagonal, off it .9, .9, −.9: symmetric, within the inequality, and with the eigenvalue −0.8
    [K-SYM-CS.P2] [ERR-MMST-31] [MMST-11.3.3-symmetric]."""
    a = Fraction(9, 10)
    K = Matrix([[Fraction(1), a, a], [a, Fraction(1), -a], [a, -a, Fraction(1)]])
    assert all(K[i][j] ** 2 <= K[i][i] * K[j][j] for i in range(3) for j in range(3))
    verdict = judge(K)
    assert verdict.inertia == (2, 1, 0) and verdict.value < 0
    assert K @ Vector(map(Fraction, (1, -1, -1))) == Fraction(-4, 5) * Vector(map(Fraction, (1, -1, -1)))


@given(st.lists(st.integers(-40, 40), min_size=2, max_size=5, unique=True))
def test_doubles_are_judged_as_the_rationals_they_are(places):
    """A Gram matrix in doubles is a matrix of fractions, and the verdict is on that matrix, not on one near it."""
    K = gram(BINARY64, Gaussian(0.125), Matrix([[float(i)] for i in places]))
    exact = rational(K)
    assert judge(K) == judge(exact) and all(
        Fraction(v) == w for row, other in zip(K, exact) for v, w in zip(row, other)
    )


def test_rounding_can_take_a_gram_matrix_over_the_edge():
    """Three equal points in doubles, one entry the next double up: the exact verdict is indefinite."""
    up = 1.0 + BINARY64.eps
    assert judge(Matrix([[1.0, 1.0], [1.0, 1.0]])).semidefinite
    assert not judge(Matrix([[1.0, up], [up, 1.0]])).semidefinite


@given(st.data(), st.sampled_from([2, 3, 5]))
def test_contrasts_are_blind_to_constants(data, n):
    """Adding b1ᵀ + 1bᵀ to K changes nothing for the u with Σuᵢ = 0  [K-TPS.P2]."""
    K, b = data.draw(symmetric(n)), data.draw(vectors(n))
    one = Vector([Fraction(1)] * n)
    T = Matrix([[v] for v in one])
    shifted = K + Matrix.outer(b, one) + Matrix.outer(one, b)
    assert judge_on_contrasts(K, T).inertia == judge_on_contrasts(shifted, T).inertia


@given(vectors(5, fractions))
def test_minus_the_squared_distance_is_positive_on_contrasts(x):
    """−‖xᵢ − xⱼ‖² is no kernel, but uᵀKu = 2(Σuᵢxᵢ)² ≥ 0 when Σuᵢ = 0  [K-TPS.P2]."""
    K = Matrix([[-((a - b) ** 2) for b in x] for a in x])
    assert judge_on_contrasts(K, Matrix([[Fraction(1)]] * 5)).semidefinite
    assert judge(K).semidefinite == (len(set(x)) == 1)


def test_a_witness_among_contrasts_is_a_contrast():
    """The witness of a conditional "no" satisfies the conditions, and its form is the value reported."""
    K = Matrix([[Fraction((i - j) ** 2) for j in range(4)] for i in range(4)])
    T = Matrix([[Fraction(1)]] * 4)
    verdict = judge_on_contrasts(K, T)
    u = verdict.witness
    assert u.sum() == 0 and u @ (K @ u) == verdict.value < 0


@pytest.mark.parametrize("n", SIZES)
def test_verdicts_hold_in_every_size(n):
    """The identity is definite, its negative has n negative eigenvalues, zero is semidefinite."""
    identity = Matrix.identity(n, Fraction)
    assert judge(identity).definite and judge(-identity).inertia == (0, n, 0)
    zero = judge(identity - identity)
    assert zero.semidefinite and not zero.definite and zero.inertia == (0, 0, n)


def test_an_asymmetric_table_is_refused():
    """Only a symmetric table can be one of inner products."""
    with pytest.raises(InvalidInput, match="symmetric"):
        judge(Matrix([[1.0, 2.0], [3.0, 1.0]]))


def test_decimals_are_judged_exactly_too():
    """The Gram matrix of two points in 30 digits: the same verdict as in fractions."""
    D = decimal(30)
    X = Matrix([[D.lift(1), D.lift(2)], [D.lift("0.5"), D.lift(1)]])
    assert judge(gram(D, Linear(), X)).inertia == judge(gram(RATIONAL, Linear(), rational(X))).inertia == (1, 0, 1)
