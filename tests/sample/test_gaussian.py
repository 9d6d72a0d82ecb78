"""The normal density and distribution function."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.sample import gaussian, metric, spectral
from tests.profiles import examples

few = settings(max_examples=examples(20))

SIGMA = [[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 1.0]]
points = st.lists(st.integers(-20, 20).map(lambda v: v / 8), min_size=3, max_size=3).map(Vector)
MEAN = Vector([0.5, -1.0, 2.0])


@few
@given(points)
def test_the_density_by_eigenvalues_is_the_same(x):
    """The log-density by L D Lᵀ is that by U D Uᵀ  [GAUSS-DENS.P1] [ESL-4.8] [KIM-2.17]."""
    A = Matrix(map(Vector, SIGMA))
    a = gaussian.log_density(BINARY64, x, MEAN, metric.factor(BINARY64, A))
    b = gaussian.log_density(BINARY64, x, MEAN, spectral.factor(BINARY64, A))
    assert near(BINARY64, a, b, 1 + abs(a), 9)


@few
@given(points)
def test_the_density_is_even_about_its_mean(d):
    """f(μ + d) = f(μ − d)  [GAUSS-DENS.P2]."""
    known = metric.factor(BINARY64, Matrix(map(Vector, SIGMA)))
    assert gaussian.density(BINARY64, MEAN + d, MEAN, known) == gaussian.density(BINARY64, MEAN - d, MEAN, known)


def test_the_standard_density_agrees_with_paper():
    """At zero the density of one standard normal variable is 1/√(2π), of two 1/(2π)  [ESL-4.8]."""
    F = decimal(40)
    for p in (1, 2):
        known = metric.factor(F, Matrix.identity(p, F.kind))
        zero = Vector([F.kind(0)] * p)
        want = 1 / (2 * F.pi()) if p == 2 else 1 / F.sqrt(2 * F.pi())
        assert near(F, gaussian.density(F, zero, zero, known), want, steps=4)


@few
@given(st.integers(-80, 80))
def test_the_distribution_is_that_of_many_digits(k):
    """Φ in doubles agrees with Φ in 40 digits to the last digits, in the lower tail, too."""
    D, x = decimal(40), k / 8
    got, want = gaussian.distribution(BINARY64, x), gaussian.distribution(D, D.lift(x))
    assert abs(Fraction(got) - Fraction(want)) <= Fraction(want) * Fraction(1, 10**14)


@few
@given(st.integers(0, 60).map(lambda k: Fraction(k, 10)))
def test_both_tails_are_alike(x):
    """Φ(−x) + Φ(x) = 1, and beyond 2, where the tail is a continued fraction, Φ(−x) = (1 − erf(x/√2))/2."""
    F = decimal(50)
    x = F.lift(x)
    low, high = gaussian.distribution(F, -x), gaussian.distribution(F, x)
    assert near(F, low + high, F.kind(1), steps=4)
    assert near(F, low, (1 - F.erf(x / F.sqrt(F.kind(2)))) / 2, F.kind(1), 8)


def test_a_known_quantile_is_met():
    """Φ(1.959963984540054…) = 0.975."""
    assert near(BINARY64, gaussian.distribution(BINARY64, 1.959963984540054), 0.975)


def test_exact_arithmetic_refuses_what_is_irrational():
    """Φ(0) = ½ is rational, Φ(1) is not; a density holds π."""
    assert gaussian.distribution(RATIONAL, Fraction(0)) == Fraction(1, 2)
    with pytest.raises(NotExact):
        gaussian.distribution(RATIONAL, Fraction(1))
    one = metric.factor(RATIONAL, Matrix([[Fraction(1)]]))
    with pytest.raises(NotExact):
        gaussian.density(RATIONAL, Vector([Fraction(0)]), Vector([Fraction(0)]), one)


def test_a_singular_normal_has_a_density_where_it_varies():
    """On the line in which it varies, the density of a singular normal is that of one variable."""
    F = decimal(30)
    A = Matrix([[F.kind(1), F.kind(1)], [F.kind(1), F.kind(1)]])
    x = Vector([F.kind(1), F.kind(1)])
    got = gaussian.log_density(F, x, x - x, spectral.factor(F, A, singular=True))
    line = metric.factor(F, Matrix([[F.kind(2)]]))
    one = gaussian.log_density(F, Vector([F.sqrt(F.kind(2))]), Vector([F.kind(0)]), line)
    assert near(F, got, one, steps=10)
