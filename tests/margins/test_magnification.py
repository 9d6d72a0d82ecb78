"""Gram matrices made larger until functions that vanish are seen: by how much, how often, and when that is refused."""

from fractions import Fraction

import pytest

from refclass.errors import NotConverged, NotExact
from refclass.margins.magnification import HELD, LEAST, ROUNDS, magnified, power
from refclass.number.field import rational
from refclass.number.tolerance import roundoff

SIZES = [Fraction(n, 2**k) for n in range(1, 34) for k in (0, 7, 40)] + [Fraction(1, n) for n in range(3, 40)]
SEEN = 10**6 * rational(roundoff(float))  # what is more does not vanish beside one


def test_a_power_of_four_brings_a_size_below_one():
    """Between 1/32 and 1/4, whatever it was."""
    assert all(Fraction(1, 32) < Fraction(4) ** power(size) * size < Fraction(1, 4) for size in SIZES)


def tried(found, answers, reach=Fraction(1), most=Fraction(1, 2)):
    """Return what is found where an answer is its size, and the powers that are tried.

    answers    returns the size that is found in 4ᵏK, of the function that K gives, by k; None: it is not found
    """
    powers = []

    def solve(k):
        powers.append(k)
        own = answers(k)
        if own is None:
            raise NotConverged("machine", need="an answer", got="none")
        return own

    return magnified(lambda k: k, found, solve, lambda own: own, reach, most), powers


@pytest.mark.parametrize("most", [Fraction(1, 2), Fraction(1, 6)])
def test_the_first_power_makes_what_was_found_a_little_smaller_than_the_most(most):
    """Between 1/16 and 1/2 of it, of what K resolves: no less than the reach over 2⁶⁰."""
    for found in SIZES:
        for size, seen in ((found, found), (found / HELD**2, found / HELD)):
            own, [k] = tried(size, lambda k, seen=seen: seen, reach=found, most=most)
            assert own == seen and most / 16 < Fraction(4) ** k * seen < most / 2


@pytest.mark.parametrize(
    "share, rounds", [(SEEN, ROUNDS), (SEEN * Fraction(101, 100), 1), (Fraction(1, 2), 1), (Fraction(51, 100), ROUNDS)]
)
def test_what_is_seen_is_neither_vanishing_nor_above_the_most(share, rounds):
    """Functions of 4ᵏK of 10⁶ eps and less vanish, those above 1/2 have other losses: both are tried anew."""
    own, powers = tried(Fraction(1, 2**40), lambda k: share / Fraction(4) ** k)
    assert len(powers) == rounds and (own is None) == (rounds == ROUNDS)


def test_machines_that_are_not_solved_are_tried_four_times():
    """And then nothing is found."""
    assert tried(Fraction(1, 2**40), lambda k: None) == (None, [18] * 4)


@pytest.mark.parametrize("size, normal", [(LEAST, True), (LEAST * Fraction(3, 4), False)])
def test_functions_that_are_denormal_are_refused(size, normal):
    """They have fewer digits in doubles, however large they are made."""
    if normal:
        assert tried(size, lambda k: size, reach=size)[0] == size == Fraction(1, 2**1022)
    else:
        with pytest.raises(NotExact, match="normal doubles"):
            tried(size, lambda k: size, reach=size)
