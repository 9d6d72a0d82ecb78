"""Working sets in doubles with residuals in fractions, and the gap after rounding."""

from __future__ import annotations

from fractions import Fraction

from refclass.estimators.solve_qp import programme
from refclass.optimise.programme.certificate import certify
from refclass.optimise.programme.crossover import Guess
from refclass.optimise.programme.refinement import refined
from refclass.optimise.programme.rounding import balanced, doubles, multipliers
from refclass.optimise.programme.scaling import equilibrated, scaled

TINY = Fraction(1, 10**24)


def solved(p, start):
    """Return the solution of the working set of a start."""
    return refined(p, start, scaled(p, *equilibrated(p))[1])


def test_the_equations_are_solved_far_beyond_doubles():
    """One equality of a third and a seventh: the solution on paper, to 24 decimals."""
    p = programme([[1, 0], [0, 1]], [0, 0], [["1/3", "1/7"]], [1], [1])
    found = solved(p, Guess([Fraction(0)] * 2, [Fraction(0)], [0, 0], [2]))
    scale = Fraction(1, 9) + Fraction(1, 49)
    wanted = [Fraction(1, 3) / scale, Fraction(1, 7) / scale]
    assert all(abs(a - b) < TINY for a, b in zip(found.x, wanted))
    assert abs(found.y[0] + 1 / scale) < TINY


def test_dependent_rows_keep_small_multipliers():
    """An equality and its copy share the multiplier, from a start of zeros equally."""
    p = programme([[1, 0], [0, 1]], [0, 0], [[1, 1], [1, 1]], [2, 2], [2, 2])
    found = solved(p, Guess([Fraction(0)] * 2, [Fraction(0)] * 2, [0, 0], [2, 2]))
    assert all(abs(a - 1) < TINY for a in found.x)
    assert abs(sum(found.y) + 1) < TINY
    assert all(abs(y + Fraction(1, 2)) < Fraction(1, 10**6) for y in found.y)


def test_rows_that_contradict_by_roundoff_are_left_by_no_more():
    """x₀ + x₁ = 2 and = 2 + 2⁻⁵⁰: the point leaves each by about half of that, and y stays of size one."""
    p = programme([[1, 0], [0, 1]], [0, 0], [[1, 1], [1, 1]], [2, 2 + 2**-50], [2, 2 + 2**-50])
    found = solved(p, Guess([Fraction(0)] * 2, [Fraction(0)] * 2, [0, 0], [2, 2]))
    assert abs(sum(found.x) - 2) < Fraction(1, 2**49)
    assert max(map(abs, found.y)) < 2


def test_the_gap_of_rounded_numbers_is_taken_away_by_a_multiplier():
    """With a side of 10⁶ and a multiplier of a third, rounding leaves a gap; moving one multiplier makes it smaller."""
    p = programme(None, ["1/3", "1/7"], [[1, 0], [0, 1]], ["1000000/7", 3], None)
    x, y = doubles([Fraction(1000000, 7), Fraction(3)]), doubles([Fraction(-1, 3), Fraction(-1, 7)])
    gap = certify(p, x, y).gap
    moved = balanced(p, y, gap)
    assert gap != 0
    assert abs(certify(p, x, moved).gap) < abs(gap) / 2
    assert max(abs(a - b) for a, b in zip(moved, y)) <= abs(gap)
    assert moved == doubles(moved)


def test_no_double_presses_against_a_side_that_is_not_there():
    """Roundoff of an iterate leaves small multipliers of the wrong sign; the dual value of the answer stays finite."""
    p = programme([[2]], [-2], [[1], [1]], [None, 0], [3, None])
    tiny = Fraction(1, 10**17)
    assert multipliers(p, [-tiny, tiny]) == [0, 0]
    assert multipliers(p, [Fraction(1, 4), Fraction(-1, 4)]) == [Fraction(1, 4), Fraction(-1, 4)]
