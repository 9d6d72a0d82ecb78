"""The space that a kernel reproduces, as far as it is finite."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.mercer import judge
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.spaces.features import monomials, terms, weights
from refclass.kernels.spaces.rkhs import Element, Expansion, inner, projected, section, squared_norm
from refclass.kernels.string import String
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from tests.profiles import examples
from tests.strategies import fractions, integers, vectors

CUBIC = Polynomial(3, Fraction(1, 2))
points = vectors(2, integers.map(Fraction))
few = settings(max_examples=examples(25))


@st.composite
def functions(draw, kernel=CUBIC):
    """A function Σ cᵢ K(xᵢ, ·) of the space."""
    n = draw(st.integers(1, 3))
    return Expansion(kernel, tuple(draw(points) for _ in range(n)), draw(vectors(n)))


@few
@given(functions(), points)
def test_evaluation_is_an_inner_product(f, x):
    """⟨f, K(x, ·)⟩ = f(x)  [RKHS-REPRO] [MMST-11.53] [KIM-3.4-reproducing]."""
    assert inner(RATIONAL, f, section(RATIONAL, CUBIC, x)) == f(RATIONAL, x)


@few
@given(points, points)
def test_the_kernel_reproduces_itself(x, z):
    """⟨K(x, ·), K(z, ·)⟩ = K(x, z)  [RKHS-REPRO] [MMST-11.54] [KIM-Thm3.4.3] [KIM-3.51] [KIM-3.52] [KIM-3.53]
    [KIM-3.54]."""
    one, other = section(RATIONAL, CUBIC, x), section(RATIONAL, CUBIC, z)
    assert inner(RATIONAL, one, other) == CUBIC(RATIONAL, x, z)


@few
@given(st.text("abc", min_size=2, max_size=5))
def test_with_a_unit_diagonal_sections_lie_on_a_sphere(s):
    """K(x, x) = 1 makes ‖K(x, ·)‖ = 1 and ‖K(x, ·) − K(z, ·)‖² = 2 − 2K(x, z), here for strings and their reversals
    [K-NORM1.P1] [MMST-11.3.3-unit]."""
    k, t = String(2, Fraction(1, 2), normalised=True), s[::-1]
    one, other = section(RATIONAL, k, s), section(RATIONAL, k, t)
    assert squared_norm(RATIONAL, one) == squared_norm(RATIONAL, other) == 1
    assert squared_norm(RATIONAL, one + -other) == 2 - 2 * k(RATIONAL, s, t)


@few
@given(functions(), functions(), functions(), fractions)
def test_the_inner_product_is_symmetric_and_bilinear(f, g, h, c):
    """⟨f, g⟩ = ⟨g, f⟩ and ⟨f, cg + h⟩ = c⟨f, g⟩ + ⟨f, h⟩  [RKHS-REPRO.P1] [KIM-3.55] [KIM-3.56] [KIM-3.57]."""
    assert inner(RATIONAL, f, g) == inner(RATIONAL, g, f)
    assert inner(RATIONAL, f, c * g + h) == c * inner(RATIONAL, f, g) + inner(RATIONAL, f, h)


@few
@given(functions(), functions())
def test_three_sums_for_the_inner_product_agree(f, g):
    """Σⱼ dⱼ f(zⱼ) = ΣΣ cᵢdⱼ K(xᵢ, zⱼ) = Σᵢ cᵢ g(xᵢ)  [RKHS-REPRO.P1] [KIM-3.58] [KIM-3.59] [KIM-3.60] [ERR-KIM-20]
    [TH-KIM-3.4.3]."""
    K = gram(RATIONAL, CUBIC, f.centres, g.centres)
    by_g = f.coefficients @ Vector([g(RATIONAL, x) for x in f.centres])
    assert inner(RATIONAL, f, g) == f.coefficients @ (K @ g.coefficients) == by_g


@few
@given(points, points, functions())
def test_the_inner_product_does_not_depend_on_how_a_function_is_written(x, z, g):
    """K(x, ·) with the linear kernel is also 2K(x/2 + z, ·) − 2K(z, ·): the same inner products  [RKHS-REPRO.P1]
    [RKHS-UNIQUE] [MMST-11.3.3-rkhs]."""
    k = Linear()
    g = Expansion(k, g.centres, g.coefficients)
    one = section(RATIONAL, k, x)
    other = Expansion(k, (x / 2 + z, z), Vector([Fraction(2), Fraction(-2)]))
    assert inner(RATIONAL, one, g) == inner(RATIONAL, other, g) and squared_norm(RATIONAL, one + -other) == 0


@few
@given(functions())
def test_the_squared_norm_is_the_form_of_the_gram_matrix(f):
    """‖f‖² = cᵀKc ≥ 0  [RKHS-REPRO.P2] [REPRESENTER.P3] [KIM-3.61]."""
    K = gram(RATIONAL, CUBIC, f.centres)
    assert squared_norm(RATIONAL, f) == f.coefficients @ (K @ f.coefficients) >= 0


@few
@given(functions(), points)
def test_values_are_bounded_by_the_norm(f, x):
    """|f(x)|² ≤ K(x, x)‖f‖², so that only f = 0 has norm 0: the step missing in Kim's proof  [RKHS-REPRO.P3]
    [ERR-KIM-20]."""
    assert f(RATIONAL, x) ** 2 <= CUBIC(RATIONAL, x, x) * squared_norm(RATIONAL, f)


@few
@given(functions(), points)
def test_a_function_is_its_weights_on_the_features(f, x):
    """f(x) = Σₑ βₑ xᵉ with βₑ = wₑ Σcᵢxᵢᵉ, and ‖f‖² = Σβₑ²/wₑ: the norm of the weights  [K-EIGEN] [MMST-11.52]
    [ESL-12.26]."""
    powers, w = terms(CUBIC, 2), weights(RATIONAL, CUBIC, 2)
    beta = [a * sum(c * monomials(z, [e])[0] for c, z in zip(f.coefficients, f.centres)) for a, e in zip(w, powers)]
    assert f(RATIONAL, x) == sum(b * v for b, v in zip(beta, monomials(x, powers)))
    assert squared_norm(RATIONAL, f) == sum(b * b / a for a, b in zip(w, beta))


@few
@given(functions(), st.lists(points, min_size=1, max_size=3, unique=True))
def test_what_vanishes_at_the_points_only_adds_norm(f, X):
    """f = f∥ + f⊥ with f⊥(xᵢ) = 0: every loss of the values is that of f∥, and ‖f‖² = ‖f∥‖² + ‖f⊥‖²
    [REPRESENTER.P1] [MMST-11.69] [MMST-11.70] [MMST-11.71] [MMST-11.72] [ESL-12.28]."""
    if not judge(gram(RATIONAL, CUBIC, X)).definite:
        return
    part = projected(RATIONAL, f, X)
    rest = f + -part
    assert all(rest(RATIONAL, x) == 0 for x in X) and inner(RATIONAL, part, rest) == 0
    assert squared_norm(RATIONAL, f) == squared_norm(RATIONAL, part) + squared_norm(RATIONAL, rest)


def test_dependent_sections_have_no_unique_projection():
    """Three points on a line through 0 with the linear kernel: refused, with a null vector."""
    X = [Vector([Fraction(i), Fraction(2 * i)]) for i in (1, 2)]
    with pytest.raises(NoAnswer, match="null_vector"):
        projected(RATIONAL, section(RATIONAL, Linear(), X[0]), X)


def test_coefficients_and_centres_must_match():
    """One coefficient for each centre."""
    with pytest.raises(InvalidInput, match="rkhs: need as many coefficients as centres; got 1 and 2"):
        Expansion(CUBIC, (Vector([Fraction(1)]),), Vector([Fraction(1), Fraction(2)]))


def test_functions_of_one_kernel_are_subtracted_and_those_of_two_are_not():
    """(f − g)(x) = f(x) − g(x), and ‖f − f‖ = 0  [KIM-3.56]."""
    ones = [Vector([Fraction(k)] * 2) for k in (1, 2)]
    one, two = (Element(RATIONAL, Expansion(CUBIC, (v,), Vector([v[0]]))) for v in ones)
    x = Vector([Fraction(1), Fraction(3)])
    assert (two - one)(x) == two(x) - one(x) != one(x) and (one - one).squared_norm == 0
    assert one.inner(two) == two(Vector([Fraction(1), Fraction(1)]))
    with pytest.raises(InvalidInput, match="one kernel"):
        one - Element(RATIONAL, Expansion(Linear(), two.expansion.centres, two.expansion.coefficients))
