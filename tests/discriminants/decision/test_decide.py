"""Decisions from densities, priors and costs, exact on finite supports."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.discriminants.decision import decide, risk
from refclass.discriminants.decision.decide import Decision
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.discriminants.samples import few, matrix, vector
from tests.numbers import STRICT
from tests.strategies import positive

masses = st.integers(0, 4).map(Fraction)


def normalised(values):
    """Return the numbers divided by their sum, as a vector."""
    total = sum(values)
    return Vector([Fraction(v) / total for v in values])


@st.composite
def worlds(draw, K=2, m=3):
    """Priors, K rows of probabilities on m points, and costs."""
    priors = normalised([draw(positive) for _ in range(K)])
    rows = []
    for _ in range(K):
        row = [draw(masses) for _ in range(m)]
        assume(sum(row))
        rows.append(normalised(row))
    costs = Matrix([[draw(positive) if i != j else Fraction(0) for j in range(K)] for i in range(K)])
    return priors, Matrix(rows), costs


def at(densities, i):
    """Return the densities of all classes at point i."""
    return densities.column(i)


@few
@given(worlds(K=3))
def test_posteriors_are_probabilities(world):
    """They lie in [0, 1] and sum to one  [BAYES-POST.P1] [YANG-estimation-lda]."""
    priors, densities, _ = world
    for i in range(3):
        assume(any(at(densities, i)))
        post = decide.posterior(priors, at(densities, i))
        assert post.sum() == 1 and min(post) >= 0


@few
@given(worlds(K=3), positive)
def test_a_common_factor_of_the_densities_cancels(world, g):
    """Multiplying every density at x by g(x) > 0 changes no posterior and no decision  [BAYES-POST.P2]."""
    priors, densities, costs = world
    f = at(densities, 0)
    assume(any(f))
    assert decide.posterior(priors, g * f) == decide.posterior(priors, f)
    assert decide.bayes(priors, g * f) == decide.bayes(priors, f)
    assert decide.cheapest(costs, g * priors.times(f)) == decide.cheapest(costs, priors.times(f))


def test_a_point_that_no_class_has_has_no_posterior():
    """Where all densities vanish, posteriors are refused and the decision is a tie of all."""
    zero = vector(0, 0)
    with pytest.raises(NoAnswer):
        decide.posterior(vector("1/2", "1/2"), zero)
    assert decide.bayes(vector("1/2", "1/2"), zero).classes == (0, 1)


@few
@given(worlds(K=3, m=2))
def test_no_rule_errs_less_than_bayes(world):
    """Among all Kᵐ rules none has a smaller risk, and the Bayes risk is Σ (1 − max posterior) p(x)
    [BAYES-RULE.P1] [BAYES-RULE.P2] [YANG-bayes-classifier].
    """
    priors, densities, _ = world
    said = [decide.bayes(priors, at(densities, i)).classes[0] for i in range(2)]
    least = risk.error_rate(risk.misclassification(densities, said), priors)
    rates = [risk.error_rate(risk.misclassification(densities, rule), priors) for rule in risk.rules(3, 2)]
    assert least == min(rates)
    assert least == 1 - sum(max(priors.times(at(densities, i))) for i in range(2))


@few
@given(worlds())
def test_above_one_half_is_the_bayes_rule_off_ties(world):
    """Two classes: "1 iff Pr(1|x) > ½" is the Bayes rule where nothing ties, and the sign of 2p − 1
    [BAYES-2.P1] [BAYES-2.P2] [YANG-bayes-classifier].
    """
    priors, densities, _ = world
    for i in range(3):
        f = at(densities, i)
        assume(any(f))
        p = decide.posterior(priors, f)[1]
        said = decide.bayes(priors, f)
        assert said.tie == (p == Fraction(1, 2))
        if not said.tie:
            assert decide.above_half(p) == said.classes[0] == int(2 * p - 1 > 0)
    assert decide.above_half(Fraction(1, 2)) == 0


@few
@given(worlds(), positive)
def test_the_ratio_rule_is_bayes_with_equal_priors(world, g):
    """f₁/f₂ against 1 is the Bayes rule for equal priors, and a common factor cancels
    [LR-RULE.P1] [LR-RULE.P2] [KIM-2.1-ratio].
    """
    _, densities, _ = world
    half = vector("1/2", "1/2")
    for i in range(3):
        f = at(densities, i)
        assert decide.likelihood_ratio(*f, Fraction(1)) == decide.bayes(half, f)
        assert decide.likelihood_ratio(*(g * f), Fraction(1)) == decide.likelihood_ratio(*f, Fraction(1))


def test_a_ratio_over_zero_is_infinite():
    """f₂ = 0 < f₁ gives class 1, f₁ = 0 < f₂ class 2, 0/0 is a tie  [LR-RULE.P3]."""
    one, zero = Fraction(1), Fraction(0)
    assert decide.likelihood_ratio(one, zero, Fraction(10**9)).classes == (0,)
    assert decide.likelihood_ratio(zero, one, Fraction(1, 10**9)).classes == (1,)
    assert decide.likelihood_ratio(zero, zero, one).tie


@few
@given(worlds(m=3))
def test_no_rule_is_cheaper_than_the_threshold_rule(world):
    """Among all 2ᵐ rules none has a smaller expected cost than f₁/f₂ against (c(1|2)/c(2|1))(p₂/p₁), ties either way
    [ECM-RULE.P1] [TH-KIM-2.1.1] [KIM-Thm2.1.1] [KIM-2.10] [KIM-2.11].
    """
    priors, densities, costs = world
    t = decide.ratio_threshold(costs, priors)
    decisions = [decide.likelihood_ratio(*at(densities, i), t) for i in range(3)]
    least = min(risk.expected_cost(costs, risk.misclassification(densities, rule), priors) for rule in risk.rules(2, 3))
    for tie in (decide.first, decide.last):
        said = [d.settle(tie) for d in decisions]
        assert risk.expected_cost(costs, risk.misclassification(densities, said), priors) == least


@few
@given(worlds())
def test_the_threshold_rule_weighs_costs_with_posteriors(world):
    """Class 1 iff c(2|1) Pr(1|x) > c(1|2) Pr(2|x)  [ECM-RULE.P2]."""
    priors, densities, costs = world
    for i in range(3):
        f = at(densities, i)
        assume(any(f))
        post = decide.posterior(priors, f)
        said = decide.likelihood_ratio(*f, decide.ratio_threshold(costs, priors))
        assert said == decide.smallest([costs[0][1] * post[1], costs[1][0] * post[0]])


@few
@given(worlds(m=4), positive)
def test_the_first_region_shrinks_as_its_errors_cost_more(world, more):
    """R₁ loses points, and gains none, as c(1|2)/c(2|1) or p₂/p₁ grows  [ECM-RULE.P3]."""
    priors, densities, costs = world
    t = decide.ratio_threshold(costs, priors)
    for i in range(4):
        f = at(densities, i)
        dearer = decide.likelihood_ratio(*f, t * (1 + more))
        assert dearer.classes != (0,) or decide.likelihood_ratio(*f, t).classes == (0,)


@few
@given(worlds())
def test_a_product_of_ratios_of_one_is_the_plain_ratio_rule(world):
    """Where (c(1|2)/c(2|1))(p₂/p₁) = 1 the rule is f₁/f₂ against 1  [ECM-RULE.P4]."""
    priors, densities, _ = world
    costs = Matrix([[Fraction(0), priors[0]], [priors[1], Fraction(0)]])
    assert decide.ratio_threshold(costs, priors) == 1
    for i in range(3):
        f = at(densities, i)
        assert decide.cheapest(costs, priors.times(f)) == decide.likelihood_ratio(*f, Fraction(1))


@few
@given(worlds(), positive, positive)
def test_only_the_product_of_ratios_matters(world, t, q):
    """Costs multiplied by t, or priors changed and costs changed back, give the same decisions  [COST-RATIO.P1]."""
    priors, densities, costs = world
    other = normalised([priors[0], q * priors[1]])
    changed = Matrix([[Fraction(0), t * costs[0][1] / q], [t * costs[1][0], Fraction(0)]])
    assert decide.ratio_threshold(changed, other) == decide.ratio_threshold(costs, priors)
    for i in range(3):
        f = at(densities, i)
        assert decide.cheapest(changed, other.times(f)) == decide.cheapest(costs, priors.times(f))


@few
@given(worlds())
def test_many_classes_and_two_classes_decide_alike(world):
    """At K = 2 the cheapest decision is the threshold rule's  [COST-K.P1]."""
    priors, densities, costs = world
    t = decide.ratio_threshold(costs, priors)
    for i in range(3):
        f = at(densities, i)
        assert decide.cheapest(costs, priors.times(f)) == decide.likelihood_ratio(*f, t)


@few
@given(worlds(K=4, m=2), positive)
def test_equal_costs_give_the_bayes_rule(world, c):
    """With equal costs off the diagonal the cheapest decision is the most probable class  [COST-K.P2]."""
    priors, densities, _ = world
    for i in range(2):
        joint = priors.times(at(densities, i))
        assert decide.cheapest(c * decide.unit_costs(4, Fraction), joint) == decide.largest(joint)


@few
@given(worlds(K=3, m=2))
def test_no_rule_for_many_classes_is_cheaper(world):
    """Among all Kᵐ rules none has a smaller expected cost than the cheapest decision at each point."""
    priors, densities, costs = world
    said = [decide.cheapest(costs, priors.times(at(densities, i))).classes[-1] for i in range(2)]
    rates = [risk.expected_cost(costs, risk.misclassification(densities, r), priors) for r in risk.rules(3, 2)]
    assert risk.expected_cost(costs, risk.misclassification(densities, said), priors) == min(rates)


@few
@given(worlds(m=4))
def test_the_three_regions_partition_the_space(world):
    """Every point is in R₁, in R₂ or undecided, and in one of them only  [UNCLASS.P1] [KIM-2.1-unclassifiable]."""
    priors, densities, costs = world
    t = decide.ratio_threshold(costs, priors)
    decisions = [decide.likelihood_ratio(*at(densities, i), t) for i in range(4)]
    assert all(d.classes in ((0,), (1,), (0, 1)) for d in decisions)
    assert [d.settle(decide.unclassifiable) is None for d in decisions] == [d.tie for d in decisions]


def test_undecided_points_may_have_a_positive_probability():
    """Uniform on [0, 2] against uniform on [1, 3], equal priors: all of [1, 2] is undecided, probability ½, not zero as
    the proof claims; there the leftover set is where the ratio is the threshold  [UNCLASS.P2] [ERR-KIM-02].
    """
    thirds = matrix(["1/2", "1/2", 0], ["0", "1/2", "1/2"])  # probabilities of [0, 1], [1, 2], [2, 3]
    decisions = [decide.likelihood_ratio(*thirds.column(i), Fraction(1)) for i in range(3)]
    assert [d.classes for d in decisions] == [(0,), (0, 1), (1,)]
    undecided = [i for i, d in enumerate(decisions) if d.tie]
    half = Fraction(1, 2)
    assert sum(half * thirds[0][i] + half * thirds[1][i] for i in undecided) == half


def test_costs_are_positive_by_assumption():
    """Costs are no probabilities: they must be given positive, and any size will do  [ERR-KIM-03]."""
    assert decide.cost_matrix(RATIONAL, [[0, 7], [300, 0]], 2) == matrix([0, 7], [300, 0])
    for bad in (
        [[0, 0], [1, 0]],
        [[0, -1], [1, 0]],
        [[1, 1], [1, 0]],
        [[0, 1]],
        [[0, 1], [1]],
        [[0, "x"], [1, 0]],
        [1, 2],
    ):
        with pytest.raises(InvalidInput):
            decide.cost_matrix(RATIONAL, bad, 2)


@pytest.mark.parametrize("bad", [[1, 0], [0.5, 0.6], [0.5], [-1, 2], 3, ["x", "y"]])
def test_priors_that_are_no_priors_are_refused(bad):
    """Priors are positive, as many as classes, and sum to one."""
    for F in (BINARY64, RATIONAL):
        with pytest.raises(InvalidInput):
            decide.prior_vector(F, bad, 2)


def test_priors_of_rounded_sum_are_divided_by_it():
    """0.3 and 0.7, taken at their exact values, do not sum to one; divided by their sum they do."""
    given_priors = decide.prior_vector(RATIONAL, [0.3, 0.7], 2)
    assert given_priors.sum() == 1 and abs(given_priors[0] - Fraction(3, 10)) < Fraction(1, 10**15)


def test_the_caller_settles_ties():
    """A tie is given to the first class, to the last, to none, or as the caller's own rule says."""
    tied, clear = Decision((1, 2)), Decision((1,))
    assert tied.tie and not clear.tie
    assert [tied.settle(rule) for rule in (decide.first, decide.last, decide.unclassifiable)] == [1, 2, None]
    assert tied.settle(lambda classes: classes[len(classes) // 2]) == 2
    assert {clear.settle(rule) for rule in (decide.first, decide.last, decide.unclassifiable)} == {1}


def test_decisions_stay_exact():
    """Strict numbers meet no float on the way to a decision."""
    priors = Vector([STRICT.lift("1/3"), STRICT.lift("2/3")])
    for f in itertools.product([0, 1, 2], repeat=2):
        joint = priors.times(Vector([STRICT.lift(v) for v in f]))
        assert decide.largest(joint).classes == decide.largest([v.value for v in joint]).classes
