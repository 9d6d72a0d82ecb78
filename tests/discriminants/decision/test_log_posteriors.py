"""Scores, posteriors and decisions of classes that weigh √s·exp(r)."""

from fractions import Fraction
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.decision import decide, log_posteriors
from refclass.errors import NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.discriminants.samples import few, vector
from tests.strategies import fractions, positive, vectors


def priors_of(weights):
    """Return positive weights divided by their sum."""
    return Vector(weights) / sum(weights)


three = st.tuples(st.lists(positive, min_size=3, max_size=3).map(priors_of), vectors(3))


@few
@given(three)
def test_posteriors_by_scores_are_those_by_densities(drawn):
    """The softmax of r + log π, the largest taken out, is Σ-normalised π exp(r) where nothing overflows
    [BAYES-POST.P3] [LDA-POST.P1] [YANG-estimation-lda].
    """
    F = BINARY64
    priors, r = (Vector([F.lift(v) for v in x]) for x in drawn)
    got = log_posteriors.of_priors(F, priors).posterior(r)
    want = decide.posterior(priors, Vector([F.exp(v) for v in r]))
    assert all(near(F, a, b, 1.0, 40) for a, b in zip(got, want))


def test_posteriors_survive_where_densities_do_not():
    """Exponents of −10⁴ underflow as densities; their posteriors do not."""
    known = log_posteriors.of_priors(BINARY64, Vector([0.5, 0.5]))
    assert known.posterior(Vector([-10000.0, -10000.0])) == (0.5, 0.5)
    assert known.posterior(Vector([1e4, 0.0])) == (1.0, 0.0)


@few
@given(three)
def test_exact_decisions_are_those_of_many_digits(drawn):
    """Comparing rationals with logarithms decides as 60 digits do, where those tell the scores apart
    [RC-10] [RC-21].
    """
    priors, r = drawn
    F = decimal(60)
    scores = [F.lift(v) + F.log(F.lift(pi)) for pi, v in zip(priors, r)]
    ranked = sorted(scores, reverse=True)
    said = log_posteriors.of_priors(RATIONAL, priors).decide(r)
    if ranked[0] - ranked[1] > F.lift("1e-30"):
        assert said.classes == (scores.index(ranked[0]),)
    else:
        assert said.tie


@few
@given(three, st.lists(positive, min_size=6, max_size=6))
def test_exact_decisions_with_costs_are_those_of_many_digits(drawn, entries):
    """Sums of costs times exponentials are compared exactly, too."""
    priors, r = drawn
    c = iter(entries)
    costs = Matrix([[Fraction(0) if i == j else next(c) for j in range(3)] for i in range(3)])
    F = decimal(60)
    joint = [F.lift(pi) * F.exp(F.lift(v)) for pi, v in zip(priors, r)]
    risks = [sum(F.lift(a) * b for a, b in zip(row, joint)) for row in costs]
    ranked = sorted(risks)
    said = log_posteriors.of_priors(RATIONAL, priors, costs).decide(r)
    if ranked[1] - ranked[0] > F.lift("1e-30"):
        assert said.classes == (risks.index(ranked[0]),)
    else:
        assert said.tie


def test_ties_between_logarithms_are_found():
    """Equal priors and exponents tie exactly; 3·exp(0) against 1·exp(log 3) never does, log 3 being irrational
    [RC-10].
    """
    known = log_posteriors.of_priors(RATIONAL, vector("1/4", "3/4"))
    assert log_posteriors.of_priors(RATIONAL, vector("1/2", "1/2")).decide(vector(2, 2)).tie
    assert known.decide(vector("1.0986122886681096", 0)).classes == (1,)
    assert known.decide(vector("1.0986122886681097", 0)).classes == (0,)


def test_scores_are_refused_only_where_they_are_irrational():
    """With equal priors exact scores are rational (their common logarithm left out); else NotExact."""
    assert log_posteriors.of_priors(RATIONAL, vector("1/2", "1/2")).scores(vector(1, 2)) == vector(1, 2)
    with pytest.raises(NotExact):
        log_posteriors.of_priors(RATIONAL, vector("1/4", "3/4")).scores(vector(1, 2))


def test_posteriors_are_refused_only_where_they_are_irrational():
    """Equal exponents make exact posteriors rational: the priors; else NotExact."""
    known = log_posteriors.of_priors(RATIONAL, vector("1/4", "3/4"))
    assert known.posterior(vector(5, 5)) == vector("1/4", "3/4")
    with pytest.raises(NotExact):
        known.posterior(vector(5, 6))


@few
@given(vectors(3), fractions)
def test_the_softmax_has_the_largest_where_the_scores_have(scores, shift):
    """argmax softmax(η) = argmax η, and a common shift changes nothing  [SOFTMAX-FIT.P1] [MULTINOM.P2]."""
    F = decimal(30)
    x = Vector([F.lift(v) for v in scores])
    p = log_posteriors.softmax(F, x)
    assert decide.largest(p) == decide.largest(x)
    moved = log_posteriors.softmax(F, Vector([v + F.lift(shift) for v in x]))
    assert all(near(F, a, b, F.kind(1), 200) for a, b in zip(p, moved))


@pytest.mark.parametrize(
    "a, b, expected",
    [
        (2.0**400 * (1 + 2.0**-52), 2.0**400, 2.0**-52),
        (2.0**1000, 2.0**-400, 1400 * log(2)),
        (2.0**-400, 2.0**1000, -1400 * log(2)),
        (2.0**400, 2.0**-1000, 1400 * log(2)),
    ],
)
def test_the_preference_is_the_logarithm_of_the_ratio_of_costs_whatever_their_size(a, b, expected):
    """log(a/b) to all digits, and where the ratio leaves the doubles the difference of the logarithms."""
    costs = Matrix([Vector([0.0, a]), Vector([b, 0.0])])
    found = log_posteriors.Weighing(BINARY64, None, Vector([0.0, 0.0]), costs).preference()
    assert abs(found - expected) <= 2 * BINARY64.eps * abs(expected)


@pytest.mark.parametrize("far, log_share, decided", [(0.0, 0.0, 1), (0.0, -40.0, 0), (-(2.0**60), 0.0, 1)])
def test_a_share_below_the_doubles_may_cost_more_than_the_other(far, log_share, decided):
    """10³⁰⁰ e⁻⁷⁶⁸ = e⁻⁷⁷ is more than 10⁻⁵⁰ = e⁻¹¹⁵, and e⁻¹¹⁷ is less, however unlikely the point is."""
    costs = Matrix([Vector([0.0, 1e300]), Vector([1e-50, 0.0])])
    weighing = log_posteriors.Weighing(BINARY64, None, Vector([0.0, log_share]), costs)
    assert weighing.decide(Vector([far, far - 768.0])).classes[0] == decided
