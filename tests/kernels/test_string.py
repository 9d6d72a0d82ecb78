"""The string kernel."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.kernels.matrices.gram import gram
from refclass.kernels.spaces.features import subsequences
from refclass.kernels.string import String
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.numbers import COUNTED, STRICT, Counted, Strict, counting

words = st.text("abc", min_size=1, max_size=7)
decays = st.sampled_from([Fraction(1, 2), Fraction(3, 7), Fraction(1)])
lengths = st.integers(1, 4)
HALF = Fraction(1, 2)


def by_enumeration(m, decay, s, t):
    """The definition, word for word: all pairs of index tuples that spell the same word."""
    total = Fraction(0)
    for i in combinations(range(len(s)), m):
        for j in combinations(range(len(t)), m):
            if all(s[a] == t[b] for a, b in zip(i, j)):
                total += decay ** (i[-1] - i[0] + 1 + j[-1] - j[0] + 1)
    return total


@given(words, words, lengths, decays)
def test_the_dynamic_programme_is_the_enumeration(s, t, m, decay):
    """K(s, t) is the sum over all pairs of equal subsequences of m letters exactly, as fractions  [STR-KERNEL]
    [MMST-11.59] [ERR-MMST-05]."""
    assert String(m, decay)(RATIONAL, s, t) == by_enumeration(m, decay, s, t)


@given(words, words, lengths, decays)
def test_it_is_the_inner_product_of_the_features(s, t, m, decay):
    """K(s, t) = Σ_u Φ_u(s)Φ_u(t)  [STR-MAP] [K-TRICK.P1] [MMST-11.58]."""
    k = String(m, decay)
    one, other = subsequences(k, s), subsequences(k, t)
    assert k(RATIONAL, s, t) == sum(v * other.get(u, 0) for u, v in one.items())


@pytest.mark.parametrize("decay", [HALF, Fraction(1, 3), Fraction(9, 10)])
def test_cat_and_car_share_one_word(decay):
    """K₂(cat, car) = λ⁴ and K₂(cat, cat) = K₂(car, car) = 2λ⁴ + λ⁶  [STR-KERNEL.P1] [MMST-11.3.4-cat] [M-CAT]."""
    k = String(2, decay)
    assert k(RATIONAL, "cat", "car") == decay**4
    assert k(RATIONAL, "cat", "cat") == k(RATIONAL, "car", "car") == 2 * decay**4 + decay**6


@given(words, lengths, decays)
def test_strings_that_are_too_short_share_nothing(s, m, decay):
    """K(s, t) = 0 when one of them has fewer than m letters  [STR-KERNEL.P3]."""
    short = "abc"[: m - 1] or "z"
    assert String(max(m, 2), decay)(RATIONAL, s, short[: max(m, 2) - 1]) == 0


@pytest.mark.parametrize("decay", [HALF, Fraction(1, 3)])
def test_cat_and_car_normalised(decay):
    """K*₂(cat, car) = 1/(2 + λ²), 4/9 at λ = ½: rational, because the two norms agree  [STR-NORM.P1] [MMST-11.60]
    [M-CAT] [MMST-11.3.4-cat]."""
    assert String(2, decay, True)(RATIONAL, "cat", "car") == 1 / (2 + decay**2)


@given(words, lengths, decays)
def test_a_normalised_string_is_one_with_itself(s, m, decay):
    """K*(s, s) = 1  [STR-NORM.P2]."""
    if len(s) >= m:
        assert String(m, decay, True)(RATIONAL, s, s) == 1


def test_a_string_without_subsequences_has_no_direction():
    """K(s, s) = 0 cannot be normalised, and is refused with the string  [STR-NORM.P3]."""
    with pytest.raises(NoAnswer, match="at least 3 letters to normalise; got 'ab'"):
        String(3, HALF, True)(RATIONAL, "abcd", "ab")


def test_an_irrational_norm_is_refused_on_fractions():
    """√(K(ab, ab) K(abc, abc)) is irrational: NotExact, not a rounded number."""
    with pytest.raises(NotExact):
        String(2, Fraction(1, 3), True)(RATIONAL, "ab", "abc")


def test_letters_are_compared_as_they_are():
    """Case and spaces count: nothing is folded or stripped."""
    k = String(1, HALF)
    assert k(RATIONAL, "a b", "A") == 0 and k(RATIONAL, "a b", " ") == HALF**2


def test_the_same_string_in_another_arithmetic_is_another_number():
    """½ in doubles and ½ in fractions are equal keys; what is remembered for one is not given to the other."""
    s = "remembered"
    for F in (RATIONAL, BINARY64, STRICT):
        assert type(String(2, F.lift(HALF), True)(F, s, s)) is F.kind


def test_cost_is_as_stated():
    """At most 3m|s||t| multiplications."""
    s, t, m = "abcabca", "bbacab", 3
    with counting() as c:
        String(m, Counted(1))(COUNTED, s, t)
    assert 2 * (m - 1) * len(s) * len(t) <= c.multiply <= 3 * m * len(s) * len(t)


def test_no_float_slips_into_a_string():
    """On numbers that raise on contact with a float the kernel runs through."""
    value = String(2, Strict(Fraction(1, 3)))(STRICT, "gatta", "cata")
    assert value.value == by_enumeration(2, Fraction(1, 3), "gatta", "cata")


@pytest.mark.parametrize("wrong", [(0, HALF), (1.0, HALF), (True, HALF), (2, 0), (2, 2), (2, HALF, 1)])
def test_parameters_out_of_range_are_refused(wrong):
    """m must be an integer ≥ 1, 0 < λ ≤ 1, and normalised True or False."""
    with pytest.raises(InvalidInput, match="string: need"):
        String(*wrong)


@pytest.mark.parametrize("wrong", ["cat", ["cat", ""], ["cat", 3], [], 5, [[1.0, 2.0]]])
def test_what_is_no_sequence_of_strings_is_refused(wrong):
    """X must be a sequence of strings, none of them empty."""
    with pytest.raises(InvalidInput, match="string: need"):
        String(2, HALF).points(RATIONAL, wrong, None)


@given(st.lists(words, min_size=1, max_size=4))
def test_gram_matrices_of_strings_are_symmetric(X):
    """A Gram matrix of strings is that of the pairs  [STR-KERNEL.P2] [MMST-11.56]."""
    K = gram(RATIONAL, String(2, HALF), String(2, HALF).points(RATIONAL, X, None))
    assert all(K[i][j] == by_enumeration(2, HALF, s, t) for i, s in enumerate(X) for j, t in enumerate(X))
