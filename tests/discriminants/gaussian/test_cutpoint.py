"""Cuts on a direction."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.gaussian.cutpoint import Empirical, Rule, empirical, midpoint
from refclass.linear.vector import Vector
from tests.discriminants.samples import few, vector
from tests.strategies import fractions

labelled = st.lists(st.tuples(fractions, st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=8)


def errors(points, cut):
    """Return the weight of the points on the wrong side of a cut, class 1 above it."""
    return sum(w for v, g, w in points if (v > cut) != (g == 1))


@few
@given(labelled)
def test_no_cut_errs_less(points):
    """An exhaustive search over all gaps and both ends finds no better cut, and the count is right  [LDA-CUT.P2]."""
    values = sorted({v for v, _, _ in points})
    tried = [values[0] - 1, values[-1] + 1, *[(a + b) / 2 for a, b in zip(values, values[1:])]]
    found = empirical([p[0] for p in points], [p[1] for p in points], vector(*[p[2] for p in points]))
    assert found.errors == min(errors(points, cut) for cut in tried)
    assert found.errors == errors(points, found.cut)


@few
@given(labelled)
def test_the_cut_is_the_middle_of_the_widest_best_gap(points):
    """Among the gaps that err least the widest is taken, the lowest of equal ones; an end only if no gap is as good
    [ESL-4.3-cutpoint].
    """
    values = sorted({v for v, _, _ in points})
    found = empirical([p[0] for p in points], [p[1] for p in points], vector(*[p[2] for p in points]))
    best = [(a, b) for a, b in zip(values, values[1:]) if errors(points, (a + b) / 2) == found.errors]
    if best:
        widest = max(b - a for a, b in best)
        a, b = next(gap for gap in best if gap[1] - gap[0] == widest)
        assert found.cut == (a + b) / 2
    else:
        assert found.cut < values[0] or found.cut > values[-1]


def test_integer_weights_of_a_cut_are_repeated_points():
    """A weight of 2 counts as two points."""
    a = empirical(vector(0, 1, 2), [1, 0, 1], vector(2, 1, 1))
    b = empirical(vector(0, 0, 1, 2), [1, 1, 0, 1], vector(1, 1, 1, 1))
    assert a == b


def test_points_that_coincide_are_cut_beside():
    """Where all projections are equal the cut lies one unit away, on the side of fewer errors."""
    assert empirical(vector(5, 5), [1, 1], vector(1, 1)).cut == 4
    assert empirical(vector(5, 5), [0, 0], vector(1, 1)).cut == 6


def test_the_midpoint_cuts_between_the_projected_means():
    """c = ½ d·(x̄₁ + x̄₂); on the cut both classes tie  [LDA-2MID.P2] [KIM-2.30] [KIM-2.31] [KIM-2.34] [KIM-2.35]."""
    rule = midpoint(vector(2, 1), vector(0, 0), vector(3, 4))
    assert rule.cut == 5 == (rule.direction @ vector(0, 0) + rule.direction @ vector(3, 4)) / 2
    assert [rule.decide(x).classes for x in (vector(3, 0), vector(2, 0), vector(1, 3))] == [(1,), (0,), (0, 1)]
    assert rule.score(vector(3, 0)) == 1


@few
@given(st.lists(fractions, min_size=2, max_size=2), st.lists(fractions, min_size=2, max_size=2), st.integers(1, 5))
def test_a_positive_multiple_of_the_direction_decides_alike(d, x, t):
    """Positive rescaling changes no decision, a negative one swaps the classes  [LDA-2MID.P3] [ERR-KIM-29]."""
    x, d = Vector(x), Vector(d)
    means = vector(1, 0), vector(2, 5)
    said = midpoint(d, *means).decide(x)
    assert midpoint(t * d, *means).decide(x) == said
    swapped = midpoint(-t * d, *means).decide(x)
    assert swapped.classes == tuple(sorted(1 - k for k in said.classes))


def test_a_rule_is_its_direction_and_its_cut():
    """score = d·x − c."""
    assert Rule(vector(1, 2), Fraction(3)).score(vector(4, 5)) == 11


def test_points_that_coincide_are_not_cut_apart():
    """Both classes at 5: wherever the cut is, one errs; the lower end comes first  [ESL-4.3-cutpoint]."""
    assert empirical(vector(5, 5), [0, 1], vector(1, 1)) == Empirical(Fraction(4), Fraction(1))


def test_an_end_lies_half_the_spread_beyond_the_points():
    """0 and ½, the classes the wrong way round: −¼, not −1  [ESL-4.3-cutpoint]."""
    assert empirical(vector(0, "1/2"), [1, 0], vector(1, 1)).cut == Fraction(-1, 4)
