"""B-splines: a positive partition of unity of small support that reproduces polynomials."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.bases.bspline import BSplines, clamped
from refclass.errors import InvalidInput
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL as F
from refclass.number.tolerance import near
from tests.strategies import fractions

PLACES = Vector(map(Fraction, (0, 1, 3, 4)))
inside = st.builds(Fraction, st.integers(0, 48), st.just(12))


@pytest.mark.long
@pytest.mark.parametrize("degree", [0, 1, 2, 3, 4])
@given(x=inside)
def test_they_sum_to_one_and_are_never_negative(degree, x):
    """Σ Bᵢ(x) = 1 between the outermost knots, both ends included; every value is ≥ 0."""
    values = clamped(degree, PLACES)(F, x)
    assert values.sum() == 1 and min(values) >= 0


@pytest.mark.parametrize("degree", [1, 2, 3])
@given(x=inside, repeated=st.integers(1, 3))
def test_knots_may_be_repeated(degree, x, repeated):
    """With an inner knot of any multiplicity up to d + 1 they still sum to one."""
    t = [0] * (degree + 1) + [2] * min(repeated, degree + 1) + [4] * (degree + 1)
    assert BSplines(degree, Vector(map(Fraction, t)))(F, x).sum() == 1


@given(x=fractions)
def test_support_is_d_plus_one_intervals(x):
    """Bᵢ is zero outside [tᵢ, tᵢ₊d₊₁]."""
    basis = clamped(2, PLACES)
    for i, v in enumerate(basis(F, x)):
        assert v == 0 or basis.knots[i] <= x <= basis.knots[i + 3]


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_polynomials_of_the_degree_are_reproduced(degree):
    """Every power up to d is a combination of the B-splines of degree d; the power d + 1 is not."""
    points = [Fraction(k, 6) for k in range(25)]
    H = clamped(degree, PLACES).matrix(F, points)
    rank = elimination.rank(F, H)
    assert rank == len(H[0])
    for k in range(degree + 2):
        wider = Matrix([[*row, x**k] for row, x in zip(H, points)])
        assert elimination.rank(F, wider) == rank + int(k == degree + 1)


def test_degree_one_is_the_hat_functions():
    """Linear B-splines are one at their own place, zero at all others."""
    assert clamped(1, PLACES).matrix(F, PLACES) == Matrix.identity(4, Fraction)


def test_the_middle_of_the_cardinal_cubic_is_two_thirds():
    """On the integers the cubic B-spline has values 1/6, 2/3, 1/6 at its inner knots."""
    basis = BSplines(3, Vector(map(Fraction, range(5))))
    assert [basis(F, Fraction(x))[0] for x in (1, 2, 3)] == [Fraction(1, 6), Fraction(2, 3), Fraction(1, 6)]


@given(x=inside)
def test_derivatives_are_those_of_the_same_polynomial_piece(x):
    """A difference quotient of second derivatives of cubics is exact: they are linear between knots."""
    basis, h = clamped(3, PLACES), Fraction(1, 1000)
    if all(not x < t <= x + h for t in PLACES) and x < 4:
        quotient = (basis.derivative(F, x + h, 2) - basis.derivative(F, x, 2)) / h
        assert quotient == basis.derivative(F, x, 3)
    assert basis.derivative(F, x, 4) == Vector([Fraction(0)] * 6)


@given(x=inside)
def test_derivatives_of_a_partition_of_unity_sum_to_zero(x):
    """Σ Bᵢ′ = 0 and Σ Bᵢ″ = 0."""
    basis = clamped(3, PLACES)
    assert basis.derivative(F, x, 1).sum() == 0 and basis.derivative(F, x, 2).sum() == 0


@given(x=inside)
def test_doubles_follow_fractions(x):
    """In doubles the values are those of the exact recursion up to roundoff."""
    exact = clamped(3, PLACES)(F, x)
    rounded = clamped(3, Vector(map(float, PLACES)))(BINARY64, float(x))
    assert all(near(BINARY64, a, float(b), scale=1, steps=20) for a, b in zip(rounded, exact))


def test_knots_that_make_no_bsplines_are_refused():
    """Too few knots, the last or any two descending, a knot d + 2 times, a degree that is none: each by its reason."""
    many = ((-1, (0, 1, 2), "degree"), (1.0, (0, 1, 2), "degree"), (1, (0, 1), "at least 3"), (0, (1, 0), "never"))
    for degree, knots, reason in (*many, (1, (0, 1, 2, 1), "never descend"), (1, (0, 0, 0, 1), "more than 2 times")):
        with pytest.raises(InvalidInput, match=reason):
            BSplines(degree, Vector(map(Fraction, knots)))
    with pytest.raises(InvalidInput):
        BSplines(1, [0, 1, 2])


def test_steps_are_one_on_their_interval_and_the_last_one_at_its_end():
    """Degree 0: the indicators of [0, 1), [1, 3) and [3, 4]; a last knot that stands twice ends the interval before."""
    assert [list(clamped(0, PLACES)(F, Fraction(x))) for x in (0, 1, 4)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert list(BSplines(1, Vector(map(Fraction, (0, 1, 2, 2))))(F, Fraction(2))) == [0, 1]
