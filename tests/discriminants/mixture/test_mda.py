"""Mixture discriminants: densities, posteriors, decisions, starts."""

import random
from fractions import Fraction

import pytest
from hypothesis import given

from refclass.discriminants.gaussian import lda
from refclass.discriminants.mixture import mda
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.optimise.mixture.likelihood import Mixture, hard
from refclass.sample import covariance, data, gaussian
from tests.discriminants.samples import PLANE, apart, exact, few, over, regular, vector

D = decimal(40)
FLAT = exact(*PLANE)
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def known(F, **changes):
    """Return the rule of two known mixtures in the plane, two subclasses and one."""
    given = {
        "weights": ([THIRD, 1 - THIRD], [1]),
        "means": ([[0, 0], [4, 1]], [[2, 3]]),
        "covariance": [[2, 1], [1, 3]],
        "priors": [Fraction(2, 5), Fraction(3, 5)],
        **changes,
    }
    mixture = Mixture(
        tuple(Vector([F.lift(v) for v in w]) for w in given["weights"]),
        tuple(Matrix([[F.lift(v) for v in mu] for mu in A]) for A in given["means"]),
        Matrix([[F.lift(v) for v in row] for row in given["covariance"]]),
    )
    return mda.rule(F, Vector([F.lift(v) for v in given["priors"]]), mixture)


POINTS = [(0, 0), (2, 1), (3, 2), (-5, 9), (Fraction(7, 2), 1), (2, 3)]


def at(F, point):
    """Return a point over a field."""
    return Vector([F.lift(v) for v in point])


def test_densities_integrate_to_one():
    """Σ f(x | k) over a fine lattice of the line is one  [MDA-DENS.P1] [YANG-mda-density]."""
    rule = known(BINARY64, means=([[0], [4]], [[2]]), covariance=[[1]])
    for k in range(2):
        total = sum(rule.density(BINARY64, Vector([i / 8]), k) for i in range(-80, 120)) / 8
        assert abs(total - 1) < 1e-12


def test_one_subclass_is_a_normal_density():
    """R = 1: f(x | k) is the normal density of the common covariance  [MDA-DENS.P2]."""
    rule = known(D)
    x = at(D, (1, 5))
    want = gaussian.density(D, x, rule.mixture.means[1][0], rule.components.metric)
    assert rule.density(D, x, 1) == want


@pytest.mark.parametrize("point", POINTS)
def test_posteriors_are_ratios_of_densities(point):
    """Pr(k | x) = Πₖf(x | k)/Σ Πₗf(x | l), rows sum to one, and |Σ| cancels: densities without it give the same
    [MDA-POST.P1] [MDA-POST.P3] [YANG-mda-posterior].
    """
    rule, x = known(D), at(D, point)
    got = rule.posterior(x)
    joint = Vector([pi * rule.density(D, x, k) for k, pi in enumerate(rule.priors)])
    assert near(D, got.sum(), D.kind(1), steps=10)
    assert all(near(D, a, b / joint.sum(), D.kind(1), 100) for a, b in zip(got, joint))
    bare = [
        pi * sum(w * D.exp(-rule.components.metric.squared(x - mu) / 2) for w, mu in zip(weights, means))
        for pi, weights, means in zip(rule.priors, rule.mixture.weights, rule.mixture.means)
    ]
    assert all(near(D, a, b / sum(bare), D.kind(1), 100) for a, b in zip(got, bare))
    difference = D.log(got[0] / got[1])
    assert near(D, rule.scores(x)[0] - rule.scores(x)[1], difference, D.kind(30), 100)


@pytest.mark.parametrize("point", POINTS)
def test_a_subclass_in_two_halves_changes_nothing(point):
    """A component twice, its weight split: the same posteriors, and exactly the same decisions  [MDA-POST.P2]."""
    split = {"weights": ([THIRD, THIRD, THIRD], [1]), "means": ([[0, 0], [4, 1], [4, 1]], [[2, 3]])}
    a, b = known(D), known(D, **split)
    x = at(D, point)
    assert all(near(D, v, w, D.kind(1), 100) for v, w in zip(a.posterior(x), b.posterior(x)))
    one, two = known(RATIONAL), known(RATIONAL, **split)
    assert one.decide(at(RATIONAL, point)) == two.decide(at(RATIONAL, point))


def test_exact_decisions_are_those_of_many_digits():
    """Sums of exponentials of rational numbers are compared without rounding: the decisions of 40 digits, and a tie
    where there is one.
    """
    plain, rounded = known(RATIONAL), known(D)
    points = [(Fraction(a, 3), Fraction(b, 2)) for a in range(-6, 18, 2) for b in range(-4, 12, 3)]
    for point in points:
        assert plain.decide(at(RATIONAL, point)) == rounded.decide(at(D, point))
    assert plain.classify([at(RATIONAL, p) for p in points]) == rounded.classify([at(D, p) for p in points])
    even = known(RATIONAL, weights=([HALF, HALF], [HALF, HALF]), means=([[0, 0], [2, 2]], [[2, 0], [0, 2]]),
                 covariance=[[1, 0], [0, 1]], priors=[HALF, HALF])  # fmt: skip
    middle = vector(1, 1)
    assert even.decide(middle).classes == (0, 1) and even.predict(middle) == 0
    assert even.predict(vector(Fraction(11, 10), 1)) is not None
    with pytest.raises(NotExact):
        plain.posterior(vector(1, 0))


def test_a_posterior_of_a_class_is_that_of_its_subclasses():
    """Subclass posteriors sum to the class's, class after class."""
    rule, x = known(D), at(D, (2, 2))
    parts, whole = rule.subclass_posterior(x), rule.posterior(x)
    assert len(parts) == 3 and near(D, parts[0] + parts[1], whole[0], D.kind(1)) and parts[2] == whole[1]


@few
@given(regular(classes=3, p=2))
def test_one_subclass_each_is_linear_discriminants(sample):
    """R = 1: means, W/n and scores of LDA with divisor n, exactly; with equal priors the labels of any divisor
    [MDA-LDA.P1] [RC-8].
    """
    apart(sample)
    asked = mda.problem(sample)
    model = mda.fit(RATIONAL, asked, [hard(asked, [0] * sample.n, [1] * 3)]).model
    want = lda.fit(RATIONAL, sample, divisor="n")
    assert model.components == want and model.mixture.covariance == covariance.pooled(sample, "n")
    assert model.classify(sample.X) == want.classify(sample.X)
    even = Vector([THIRD] * 3)
    asked = mda.problem(sample, priors=even)
    model = mda.fit(RATIONAL, asked, [hard(asked, [0] * sample.n, [1] * 3)]).model
    other = lda.fit(RATIONAL, sample, priors=even)
    for x in sample.X:
        assert model.decide(x) == other.decide(x)


def test_starts_are_the_same_for_the_same_seed_and_any_units():
    """Prototypes are found in the metric of the covariance within the classes: scaling a variable changes nothing
    [MDA-INIT.P1] [GAP-8].
    """
    sample = over(BINARY64, FLAT)
    stretched = data.read(BINARY64, [[1024 * a, b] for a, b in sample.X], sample.labels)
    a, b, c = (mda.clustered(BINARY64, s, [2, 2, 1], random.Random(3)) for s in (sample, sample, stretched))
    assert a == b == c
    assert [len(columns) for columns in a] == [2, 2, 1]


def test_more_subclasses_than_points_are_refused_by_label():
    """A class of two distinct points has no three prototypes."""
    sample = data.read(BINARY64, [[0.0], [1.0], [0.0], [4.0], [7.0], [5.0]], list("aaabbb"))
    with pytest.raises(InvalidInput) as refusal:
        mda.clustered(BINARY64, sample, [3, 1], random.Random(0))
    assert refusal.value.witness["label"] == "a"


@pytest.mark.slow
def test_the_best_of_several_starts_counts():
    """ℓ at the end of each iteration is reported, the largest is kept, the first among equals; refused ones are passed
    over unless all are.
    """
    sample = over(BINARY64, FLAT)
    asked = mda.problem(sample)
    rng = random.Random(1)
    starts = [mda.clustered(BINARY64, sample, [3, 3, 3], rng) for _ in range(4)]
    fit = mda.fit(BINARY64, asked, starts)
    assert fit.answer.value == max(fit.values) and len(fit.values) == 4
    ends = [mda.fit(BINARY64, asked, [start]).answer.value for start in starts]
    assert list(fit.values) == ends
    twice = mda.fit(BINARY64, asked, [starts[0], starts[0]])
    assert twice.answer.x == mda.fit(BINARY64, asked, starts[:1]).answer.x
    empty = (tuple((0.0,) * len(c) for c in starts[0][0]), *starts[0][1:])
    passed = mda.fit(BINARY64, asked, [empty, starts[0]])
    assert passed.values == (None, ends[0])
    with pytest.raises(NoAnswer):
        mda.fit(BINARY64, asked, [empty, empty])


def test_coordinates_are_the_variates_of_the_subclass_means():
    """They have variance one in Σ, their values are the spread of the weighted subclass means, and a fit of rank one
    has one  [M-YANG-MDA] [YANG-mda-density].
    """
    sample = over(BINARY64, FLAT)
    asked = mda.problem(sample)
    start = hard(asked, [i % 2 for i in range(19)], [2, 2, 2])
    fit = mda.fit(BINARY64, asked, [start])
    axes = mda.coordinates(BINARY64, fit.model)
    rule = fit.model.components
    for v, value in zip(axes.vectors.T, axes.eigenvalues):
        assert near(BINARY64, v @ (rule.metric.matrix @ v), 1.0, steps=100)
        places = [v @ (mu - axes.centre) for mu in rule.means]
        assert near(BINARY64, sum(pi * z * z for pi, z in zip(rule.priors, places)), value, steps=1000)
    flat = mda.fit(BINARY64, mda.problem(sample, rank=1), [start])
    found = mda.coordinates(BINARY64, flat.model, 1)
    assert len(found.eigenvalues) == 1
    assert mda.coordinates(BINARY64, flat.model).eigenvalues == found.eigenvalues  # the means have no other direction


def test_class_scores_do_not_overflow():
    """Points very far away have scores and posteriors, too."""
    rule = known(BINARY64)
    far = Vector([1e8, -1e8])
    assert sum(rule.posterior(far)) == 1.0 and rule.classify([far]) == [rule.posterior(far).index(1.0)]


@pytest.mark.parametrize(
    ("third", "words"),
    [
        (lambda a, b: 7, "column 2, which is constant there"),
        (lambda a, b: a, "columns 0, 2, which depend on each other there"),
        (lambda a, b: a + 2 * b, "columns 0, 1, 2, which depend on each other there"),
    ],
)
def test_columns_that_leave_no_covariance_are_named(third, words):
    """Of a common covariance that is singular the refusal says which columns are constant, or depend on each other."""
    rows = [[1, 0], [0, 1], [2, 2], [4, 1], [5, 5], [6, 3], [4, 4], [7, 5]]
    sample = data.read(RATIONAL, [[a, b, third(a, b)] for a, b in rows], [0, 0, 0, 0, 1, 1, 1, 1])
    with pytest.raises(NoAnswer, match=words) as refused:
        mda.clustered(RATIONAL, sample, [2, 2], random.Random(0))
    v = refused.value.witness["null_vector"]
    assert any(v) and not any(covariance.pooled(sample) @ v)
