"""Roughness: the exact integral, its null space, and the banded form of the same number."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.bases import penalty
from refclass.bases.bspline import clamped
from refclass.bases.natural import NaturalSplines
from refclass.bases.truncated import TruncatedPowers
from refclass.errors import InvalidInput
from refclass.linear.factorisations import elimination, ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL as F
from tests.numbers import Strict
from tests.strategies import fractions

KNOTS = Vector(map(Fraction, (0, 1, 3, 4)))
LOW, HIGH = KNOTS[0], KNOTS[-1]
BASES = [
    NaturalSplines(KNOTS),
    clamped(3, KNOTS),
    clamped(2, KNOTS),
    clamped(5, KNOTS),
    TruncatedPowers(3, Vector(KNOTS[1:-1])),
]
abscissae = st.lists(fractions, min_size=3, max_size=8, unique=True).map(lambda x: Vector(sorted(x)))


@pytest.mark.parametrize("basis", BASES, ids=lambda b: type(b).__name__ + str(b.power))
def test_roughness_is_symmetric_and_positive_semidefinite(basis):
    """βᵀΩβ = ∫ f″² ≥ 0  [ESL-12.3.3-additive]."""
    omega = penalty.roughness(F, basis, LOW, HIGH)
    omega.symmetric()
    assert ldl.factor(omega).inertia[1] == 0


@pytest.mark.parametrize("basis", BASES, ids=lambda b: type(b).__name__ + str(b.power))
def test_straight_lines_and_nothing_else_have_no_roughness(basis):
    """The null space of Ω has dimension two, and every function in it is a straight line  [ESL-12.3.3-additive]."""
    omega = penalty.roughness(F, basis, LOW, HIGH)
    null = elimination.null_space(F, omega)
    assert len(null) == 2
    x = [Fraction(k, 2) for k in range(1, 8)]
    for beta in null:
        values = basis.matrix(F, x) @ beta
        assert all(a - 2 * b + c == 0 for a, b, c in zip(values, values[1:], values[2:]))


def test_the_integral_of_a_known_power_is_its_integral():
    """On [0, 4] ∫ (6x)² = 12 · 64 for f = x³, and ∫ (20x³)² = 400 · 4⁷/7 for f = x⁵  [ESL-12.3.3-additive]."""
    for power, value in ((3, Fraction(12 * 64)), (5, Fraction(400 * 4**7, 7))):
        basis = TruncatedPowers(power, Vector([Fraction(9)]))
        assert penalty.roughness(F, basis, Fraction(0), Fraction(4))[power][power] == value


@pytest.mark.parametrize("power", [1, 2, 3])
def test_a_piece_costs_as_many_derivatives_as_its_second_one_has_terms(power):
    """h″ is a polynomial of degree d − 2 on each of the three pieces, d − 1 terms; one, which is zero, for d = 1."""

    asked = []

    class Watched(type(clamped(power, KNOTS))):
        def derivative(self, F, x, order):
            asked.append((x, order))
            return super().derivative(F, x, order)

    basis = clamped(power, KNOTS)
    omega = penalty.roughness(F, Watched(**vars(basis)), LOW, HIGH)
    assert omega == penalty.roughness(F, basis, LOW, HIGH)
    middles = [(a + b) / 2 for a, b in zip(KNOTS, KNOTS[1:])]
    assert asked == [(x, order) for x in middles for order in range(2, max(power, 2) + 1)]


def test_roughness_beyond_the_support_adds_nothing():
    """Natural splines are straight beyond their knots, B-splines zero: a wider interval changes no entry."""
    for basis in BASES[:2]:
        wide = penalty.roughness(F, basis, LOW - 2, HIGH + 3)
        assert wide == penalty.roughness(F, basis, LOW, HIGH)


@given(abscissae)
def test_the_banded_form_is_the_integral(x):
    """gᵀKg with K = QR⁻¹Qᵀ is ∫ f″² of the natural spline through g: NᵀKN = Ω."""
    basis = NaturalSplines(x)
    N = basis.matrix(F, x)
    assert N.T @ penalty.of_values(x) @ N == penalty.roughness(F, basis, x[0], x[-1])


@given(abscissae, st.data())
def test_bands_multiply_as_the_matrices_they_stand_for(x, data):
    """Qᵀg and Qγ through the bands are those of the full Q, whose columns sum to zero."""
    m = len(x)
    made = penalty.bands(x)
    Q = Matrix([made.spread(Vector.unit(m - 2, i, Fraction)) for i in range(m - 2)]).T
    g = Vector(data.draw(st.lists(fractions, min_size=m, max_size=m)))
    assert made.differences(g) == Q.T @ g
    assert all(column.sum() == 0 for column in Q.T)


@given(abscissae)
def test_second_derivatives_follow_from_changes_of_slope(x):
    """Rγ = Qᵀg for every natural spline: g its values, γ its second derivatives at the inner knots."""
    basis, made = NaturalSplines(x), penalty.bands(x)
    for k in range(len(basis)):
        g = Vector([basis(F, t)[k] for t in x])
        gamma = [basis.derivative(F, t, 2)[k] for t in x[1:-1]]
        R = [d * v for d, v in zip(made.diagonal, gamma)]
        for i, e in enumerate(made.beside):
            R[i], R[i + 1] = R[i] + e * gamma[i + 1], R[i + 1] + e * gamma[i]
        assert made.differences(g) == Vector(R)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_differences_are_blind_to_polynomials_below_their_order(n, order):
    """DᵀD has rank n − order, and maps the powers below the order to zero  [PDA-SMOOTH]."""
    if order >= n:
        with pytest.raises(InvalidInput):
            penalty.differences(n, order, Fraction)
        return
    omega = penalty.differences(n, order, Fraction)
    omega.symmetric()
    assert elimination.rank(F, omega) == n - order and ldl.factor(omega).inertia[1] == 0
    for k in range(order):
        assert not any(omega @ Vector([Fraction(i) ** k for i in range(n)]))


def test_no_float_slips_in():
    """Penalties of strict knots are strict."""
    knots = Vector(map(Strict, (0, 1, 3)))
    penalty.of_values(knots)
    penalty.roughness(F, NaturalSplines(knots), Strict(0), Strict(3))
    penalty.differences(4, 2, Strict)


def test_what_bounds_no_roughness_is_refused():
    """Two knots have no bend; an interval needs low < high; knots ascend."""
    for knots in ((0, 1), (0, 1, 1), (2, 1, 0)):
        with pytest.raises(InvalidInput):
            penalty.bands(Vector(map(Fraction, knots)))
    for low in (LOW, HIGH):
        with pytest.raises(InvalidInput, match="low < high"):
            penalty.roughness(F, NaturalSplines(KNOTS), low, LOW)
