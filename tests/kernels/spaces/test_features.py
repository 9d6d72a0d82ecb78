"""Feature maps written out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import NotExact
from refclass.kernels.dirichlet import Dirichlet
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.spaces import features
from refclass.kernels.string import String
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.strategies import positive, vectors

D = decimal(40)
HALF = Fraction(1, 2)


def in_decimals(x):
    return Vector(map(D.lift, x))


@pytest.mark.parametrize("p", [1, 2, 3])
@given(st.data(), st.integers(1, 4), st.sampled_from([0, 1, Fraction(2, 3)]), positive)
def test_weighted_monomials_give_the_polynomial_kernel(p, data, d, c, s):
    """(s⟨x, z⟩ + c)^d = Σ wₑ xᵉzᵉ exactly, for any p and d: the multinomial theorem  [K-POLY.P2] [K-TRICK.P1]
    [MMST-11.3.4-map]."""
    k = Polynomial(d, c, s)
    x, z = data.draw(vectors(p)), data.draw(vectors(p))
    powers = features.terms(k, p)
    terms = features.monomials(x, powers).times(features.monomials(z, powers))
    assert features.weights(RATIONAL, k, p) @ terms == k(RATIONAL, x, z)


@given(vectors(2), vectors(2), st.integers(1, 3), st.sampled_from([0, 1, 2]))
def test_the_roots_of_the_weights_make_a_feature_map(x, z, d, c):
    """⟨Φ(x), Φ(z)⟩ = (⟨x, z⟩ + c)^d  [K-POLY.P2] [MMST-11.51] [MMST-11.52] [ESL-12.21]."""
    k, x, z = Polynomial(d, D.lift(c)), in_decimals(x), in_decimals(z)
    value = features.polynomial(D, k, x) @ features.polynomial(D, k, z)
    scale = (sum(map(abs, x)) * sum(map(abs, z)) + c) ** d + 1
    assert near(D, value, k(D, x, z), scale=scale, steps=10 * d)


@pytest.mark.parametrize("p, d", [(1, 3), (2, 2), (3, 4), (5, 2), (10, 1)])
def test_there_are_as_many_monomials_as_the_binomial_says(p, d):
    """binomial(p + d, d) of degree at most d, binomial(p + d − 1, d) of degree d exactly  [MAP-DIM] [K-POLYH.P2]
    [MMST-11.3.4-dimension]."""
    assert len(features.terms(Polynomial(d, 1), p)) == features.dimension(p, d)
    assert len(features.terms(Polynomial(d, 0), p)) == features.dimension(p, d, homogeneous=True)
    assert len(set(features.terms(Polynomial(d, 1), p))) == features.dimension(p, d)


def test_images_of_256_pixels_have_as_many_features_as_printed():
    """p = 256: 33 153 for d = 2 and 186 043 585 for d = 4; p = d = 2: six  [MAP-DIM.P1] [MAP-DIM.P2]
    [MMST-11.3.4-dimension] [ESL-12.23] [M-DIM]."""
    assert [features.dimension(p, d) for p, d in ((256, 2), (256, 4), (2, 2))] == [33153, 186043585, 6]


@given(vectors(2), vectors(2))
def test_the_six_features_of_degree_two(x, z):
    """(1, √2x₁, √2x₂, x₁², x₂², √2x₁x₂) has the inner product (1 + ⟨x, z⟩)²  [MAP-POLY2.P1] [ESL-12.23]
    [ESL-12.3-basis] [YANG-example-of-kernel-functions] [M-POLY6]."""
    a, b = in_decimals(x), in_decimals(z)
    value = features.quadratic(D, a) @ features.quadratic(D, b)
    assert near(D, value, Polynomial(2)(D, a, b), scale=1 + (1 + sum(map(abs, a)) * sum(map(abs, b))) ** 2, steps=10)


@given(vectors(2))
def test_the_six_features_in_another_order(x):
    """ESL's six features and MMST's, at c = 1, are permutations of each other  [MAP-POLY2.P2] [MMST-11.3.4-map]."""
    x = in_decimals(x)
    one, other = features.quadratic(D, x), features.polynomial(D, Polynomial(2, D.lift(1)), x)
    pairs = zip(one, (other[5], other[3], other[4], other[0], other[2], other[1]))
    assert all(near(D, a, b, scale=1 + abs(b), steps=4) for a, b in pairs)


@given(vectors(2), vectors(2))
def test_two_maps_to_space_for_the_square_of_the_inner_product(x, z):
    """(x₁², √2x₁x₂, x₂²) and (x₁² − x₂², 2x₁x₂, x₁² + x₂²)/√2 both give ⟨x, z⟩²  [MAP-HOM2.P1] [MMST-Ex11.6]
    [EX-MMST-11.6]."""
    a, b = in_decimals(x), in_decimals(z)
    scale = 1 + (sum(map(abs, a)) * sum(map(abs, b))) ** 2
    for one, other in zip(features.homogeneous_quadratic(D, a), features.homogeneous_quadratic(D, b)):
        assert near(D, one @ other, Polynomial(2, 0)(D, a, b), scale=scale, steps=10)


@given(vectors(2))
def test_an_orthogonal_matrix_joins_the_two_maps(x):
    """The second map is Q times the first, QᵀQ = I  [MAP-HOM2.P2] [MMST-Ex11.6]."""
    zero, one = D.lift(0), D.lift(1)
    h = one / D.sqrt(D.lift(2))
    Q = Matrix([[h, zero, -h], [zero, one, zero], [h, zero, h]])
    first, second = features.homogeneous_quadratic(D, in_decimals(x))
    assert all(near(D, a, b, scale=1 + first.largest(), steps=6) for a, b in zip(Q @ first, second))
    assert all(near(D, v, D.lift(int(i == j)), scale=one) for i, row in enumerate(Q.T @ Q) for j, v in enumerate(row))


@given(st.integers(0, 20), st.integers(1, 10), st.integers(-20, 20), st.booleans())
def test_the_lift_separates_circles_by_a_plane_off_the_origin(a, more, t, inner):
    """Circles of radii a < b lie on either side of z = (a² + b²)/2 > 0; the plane through the origin that Kim names
    does not separate: the inner class's centre lies on it  [MAP-RADIAL.P1] [ERR-KIM-25] [KIM-3.4-lift]."""
    b = a + more
    r = Fraction(a if inner else b)
    u = Fraction(t, 7)
    x = Vector([r * (1 - u * u) / (1 + u * u), r * 2 * u / (1 + u * u)])
    height, cut = features.lifted(x)[2], Fraction(a * a + b * b, 2)
    assert (height < cut) == inner and cut > 0
    assert features.lifted(Vector([Fraction(0), Fraction(0)])) == Vector([Fraction(0)] * 3)


@given(vectors(2), vectors(2))
def test_the_kernel_of_the_lift(x, z):
    """⟨Φ(x), Φ(z)⟩ = ⟨x, z⟩ + ‖x‖²‖z‖²  [MAP-RADIAL.P2] [KIM-3.4-lift]."""
    assert features.lifted(x) @ features.lifted(z) == x @ z + (x @ x) * (z @ z)


@given(st.integers(-300, 300), st.integers(-300, 300), st.integers(0, 5))
def test_the_dirichlet_kernel_is_that_of_truncated_fourier_series(i, j, m):
    """(2^(−1/2), cos z, …, cos mz, sin z, …, sin mz) has the inner product ½ + Σ cos jδ  [K-DIRICHLET.P1]
    [MMST-Ex11.7] [EX-MMST-11.7]."""
    k, x, z = Dirichlet(m), D.lift(i) / 100, D.lift(j) / 100
    value = features.fourier(D, k, x) @ features.fourier(D, k, z)
    assert near(D, value, k(D, Vector([x]), Vector([z])), scale=D.lift(m + 1), steps=10 * (m + 1))


@pytest.mark.parametrize("decay", [HALF, Fraction(1, 5)])
def test_cat_has_three_words_of_two_letters(decay):
    """In cat, ca covers 2 letters, ct 3, at 2, so that Φ is λ², λ³, λ²  [STR-SUBSEQ.P1] [STR-MAP.P1] [MMST-11.56]
    [MMST-11.57] [MMST-11.58] [M-CAT]."""
    assert features.subsequences(String(2, decay), "cat") == {"ca": decay**2, "ct": decay**3, "at": decay**2}


def test_cat_is_a_subsequence_of_cart_and_no_substring():
    """c-a-t is in cart, over all four letters, with a gap; as a substring it would cover three  [STR-SUBSEQ.P2]
    [ERR-MMST-15]."""
    assert features.subsequences(String(3, HALF), "cart")["cat"] == HALF**4 and "cat" not in "cart"


@given(st.text("ab", min_size=1, max_size=8))
def test_without_decay_the_features_count(s):
    """λ = 1: Φ_ab(s) is the number of pairs of an a with a b after it  [STR-MAP.P2]."""
    count = sum(s[i] == "a" and s[j] == "b" for j in range(len(s)) for i in range(j))
    assert features.subsequences(String(2, Fraction(1)), s).get("ab", 0) == count


def test_irrational_roots_are_refused_on_fractions():
    """√2 is no fraction: the map with roots is refused, its weights and monomials are not."""
    x = Vector([Fraction(1), Fraction(2)])
    with pytest.raises(NotExact):
        features.polynomial(RATIONAL, Polynomial(2), x)
    assert features.weights(RATIONAL, Polynomial(2), 2) == Vector(map(Fraction, (1, 2, 1, 2, 2, 1)))
