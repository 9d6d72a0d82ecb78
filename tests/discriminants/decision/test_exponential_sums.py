"""The sign of Σ a √s exp(r), decided exactly."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.decision.exponential_sums import sign
from refclass.number.decimals import decimal
from refclass.number.text import parse
from tests.discriminants.samples import few
from tests.strategies import fractions, positive

terms = st.lists(st.tuples(fractions, fractions, positive), min_size=1, max_size=4)


def test_one_term_has_its_own_sign():
    """√s exp(r) is positive, a decides; zero is zero."""
    assert [sign([(a, 5, 2)]) for a in (-3, 0, Fraction(1, 7))] == [-1, 0, 1]
    assert sign([(1, 3, 0)]) == 0 and sign([]) == 0


@few
@given(terms)
def test_the_negative_has_the_other_sign(given_terms):
    """sign(−S) = −sign(S), and a sum minus itself, its terms in another order, is zero."""
    negative = [(-a, r, s) for a, r, s in given_terms]
    assert sign(negative) == -sign(given_terms)
    assert sign(given_terms + negative[::-1]) == 0


@few
@given(terms)
def test_the_sign_is_that_of_many_digits(given_terms):
    """Where 60 digits tell the sum from zero, they tell the same sign."""
    F = decimal(60)
    total = sum((F.lift(a) * F.sqrt(F.lift(s)) * F.exp(F.lift(r)) for a, r, s in given_terms), F.kind(0))
    if abs(total) > F.lift("1e-40"):
        assert sign(given_terms) == (1 if total > 0 else -1)


@few
@given(fractions, positive, positive, fractions)
def test_roots_in_the_same_square_class_cancel(r, s, c, a):
    """√(c²s) = c√s: like terms are found under their roots."""
    assert sign([(a, r, c * c * s), (-a * c, r, s)]) == 0


def test_more_digits_are_taken_where_few_do_not_do():
    """A rational that agrees with e in 60 digits is distinguished from it, on both sides  [RC-10]."""
    F = decimal(60)
    near = parse(str(F.exp(F.kind(1))))
    unit = Fraction(1, 10**59)
    assert sign([(1, 1, 1), (-(near + unit), 0, 1)]) == -1
    assert sign([(1, 1, 1), (-(near - unit), 0, 1)]) == 1


def test_a_logarithm_is_never_a_rational():
    """log q = r only for q = 1, r = 0  [RC-10]."""
    assert sign([(1, 0, 1), (-1, 0, 1)]) == 0
    assert sign([(Fraction(3), 0, 1), (-1, Fraction(10986123, 10**7), 1)]) != 0


def test_large_exponents_do_not_overflow():
    """Only differences of exponents count."""
    assert sign([(1, 10**9, 1), (-2, 10**9, 1)]) == -1
    assert sign([(1, 10**9, 1), (-(10**6), 10**9 - 10, 1)]) == -1
    assert sign([(1, 10**9, 1), (-(10**4), 10**9 - 10, 1)]) == 1


def test_roots_of_different_square_classes_are_distinguished():
    """√2 + √3 − √10 is negative, and no multiple of it is zero."""
    assert sign([(1, 0, 2), (1, 0, 3), (-1, 0, 10)]) == -1
    assert sign([(1, 0, 2), (1, 0, 3), (-1, 0, Fraction(989, 100))]) == 1
