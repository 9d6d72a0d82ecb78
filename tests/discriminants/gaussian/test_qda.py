"""Quadratic discriminants."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.discriminants.gaussian import lda, qda
from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD, near
from refclass.sample import data, gaussian, metric
from tests.discriminants.samples import PLANE, exact, few, matrix, over, regular, vector
from tests.strategies import fractions, vectors

own = regular(classes=2, p=2, per_class=(4, 6), own=True)


def test_the_rule_agrees_with_paper():
    """Variances 2 and 32 about 1 and 8: equal scores where (x − 1)²/2 − (x − 8)²/32 = 2 log 4, a quadratic
    [ESL-4.12] [ESL-4.3-boundary] [KIM-2.3-plugin] [ERR-KIM-24].
    """
    model = qda.fit(RATIONAL, exact([[0], [2], [4], [12]], list("aabb")))
    assert [known.matrix for known in model.metrics] == [matrix([2]), matrix([32])]
    assert model.exponents(vector(1)) == vector(0, Fraction(-49, 64))
    assert [model.predict(vector(x)) for x in (-4, -1, 3, 4)] == [1, 0, 0, 1]
    plain = lda.fit(RATIONAL, exact([[0], [2], [4], [12]], list("aabb")))
    assert [plain.predict(vector(x)) for x in (-4, -1, 3, 4)] == [0, 0, 0, 0]


@few
@given(own, vectors(2), vectors(2))
def test_the_boundary_has_the_hessian_of_the_two_metrics(sample, x, d):
    """δₖ − δₗ is quadratic with Hessian Σₗ⁻¹ − Σₖ⁻¹: its second difference along d is dᵀHd
    [QDA.P2] [ESL-4.3-boundary].
    """
    model = qda.fit(RATIONAL, sample)
    f = [v[0] - v[1] for v in map(model.exponents, (x - d, x, x + d))]
    assert f[0] - 2 * f[1] + f[2] == d @ (qda.hessian(model, 0, 1) @ d)


@few
@given(own, st.lists(fractions, min_size=4, max_size=4), vectors(2))
def test_affine_maps_move_the_quadratic_rule(sample, entries, shift):
    """x → A x + b: exponents at mapped points are those at the points, determinants gain |A|² alike  [QDA.P3]."""
    A = Matrix([entries[:2], entries[2:]])
    determinant = fraction_free.determinant(A)
    assume(determinant != 0)
    moved = exact([A @ x + shift for x in sample.X], sample.labels)
    here, there = qda.fit(RATIONAL, sample), qda.fit(RATIONAL, moved)
    for x in sample.X:
        assert here.exponents(x) == there.exponents(A @ x + shift)
        assert here.decide(x) == there.decide(A @ x + shift)
    for a, b in zip(here.metrics, there.metrics):
        assert b.determinant == a.determinant * determinant**2


@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
def test_eigenvalues_give_the_same_rule(F):
    """Distances and log-determinants through U D Uᵀ are those through L D Lᵀ  [QDA-EIG.P1] [ESL-4.3.2-eigen]."""
    model = qda.fit(F, data.read(F, *PLANE))
    other = qda.by_eigenvalues(F, model)
    for x in model.means:
        a, b = model.scores(x + x), other.scores(x + x)
        assert all(near(F, u, v, 1 + abs(u), 50) for u, v in zip(a, b))


@few
@given(st.permutations([0, 1]), st.lists(st.sampled_from([-1, 1]), min_size=2, max_size=2), vectors(2))
def test_signs_and_order_of_eigenvectors_do_not_matter(order, signs, v):
    """The quadratic form and the determinant are the same for any signs and order of the eigenvectors  [QDA-EIG.P2]."""
    rows, values = [vector("3/5", "4/5"), vector("-4/5", "3/5")], vector(2, 5)
    A = sum((d * Matrix.outer(u, u) for d, u in zip(values, rows)), Matrix.zeros(2, 2, Fraction))
    turned = Matrix([s * rows[i] for s, i in zip(signs, order)])
    shuffled = Vector([values[i] for i in order])
    known = metric.Metric(A, turned, Vector([1 / d for d in shuffled]), shuffled)
    assert known.squared(v) == metric.factor(RATIONAL, A).squared(v) and known.determinant == 10


def test_posteriors_are_those_of_densities():
    """exp δₖ/Σ exp δₗ is πₖfₖ/Σ πₗfₗ with a density for each class  [ESL-4.12] [YANG-estimation-lda]."""
    F = decimal(40)
    model = qda.fit(F, data.read(F, *PLANE))
    for x in model.means:
        parts = zip(model.priors, model.means, model.metrics)
        joint = [pi * gaussian.density(F, x, mu, known) for pi, mu, known in parts]
        assert all(near(F, p, j / sum(joint), F.kind(1), 60) for p, j in zip(model.posterior(x), joint))


@few
@given(own)
def test_quadratic_decisions_by_rows_are_decisions_one_by_one(sample):
    """`classify` says of many rows what `decide` says of each, in floats and decimals, too."""
    for F in (RATIONAL, BINARY64, decimal(20)):
        s = over(F, sample)
        model = qda.fit(F, s)
        assert model.classify(s.X) == [model.decide(x).classes[0] for x in s.X]


@few
@given(own, st.data())
def test_integer_weights_are_repeated_rows_to_the_quadratic_rule(sample, more):
    """A fit with integer weights is the fit of the repeated rows, for both divisors."""
    w = [more.draw(st.integers(1, 2)) for _ in sample.labels]
    rows = [i for i, c in enumerate(w) for _ in range(c)]
    repeated = exact([sample.X[i] for i in rows], [sample.labels[i] for i in rows])
    for divisor in ("n-1", "n"):
        a, b = (qda.fit(RATIONAL, s, divisor=divisor) for s in (exact(sample.X, sample.labels, w), repeated))
        assert (a.means, a.metrics) == (b.means, b.metrics)


@pytest.mark.parametrize("F", [BINARY64, RATIONAL], ids=lambda F: F.name)
def test_a_class_without_its_own_covariance_is_refused_by_name(F):
    """A class on a line is refused with its label and a null vector; the pseudo-inverse takes the line it varies in."""
    sample = data.read(F, [[0, 0], [1, 1], [2, 2], [5, 1], [6, 3], [7, 0]], list("aaabbb"))
    with pytest.raises(NoAnswer, match="label=a") as refusal:
        qda.fit(F, sample)
    v = refusal.value.witness["null_vector"]
    assert v[0] == -v[1] != 0
    model = qda.fit(F, sample, pseudo_inverse=True)
    assert [known.rank for known in model.metrics] == [1, 2]
    assert near(F, model.metrics[0].determinant, F.kind(2), steps=10)


def test_costs_turn_the_rule():
    """A class that is costly to miss is given more points, and the label is the cheapest in expectation."""
    sample = exact([[0], [2], [4], [12]], list("aabb"))
    x = vector("5/2")
    assert qda.fit(RATIONAL, sample).predict(x) == 0
    assert qda.fit(RATIONAL, sample, costs=matrix([0, 100], [1, 0])).predict(x) == 1


def test_quadratic_parameters_are_counted():
    """(K − 1){p(p + 3)/2 + 1}: 12 for K = 3, p = 2, 660 for K = 11, p = 10; (K − 1) times the dimension of
    polynomials of
    degree 2  [PARAM-COUNT.P1] [PARAM-COUNT.P2] [M-PARAM] [ESL-4.3-parameters].
    """
    assert qda.parameters(3, 2) == 12 and qda.parameters(11, 10) == 660
    for p in range(1, 6):
        monomials = 1 + len(lda.expansion(Vector([Fraction(1)] * p)))
        assert qda.parameters(4, p) == 3 * monomials


EVEN, STEEP = matrix([1, 0], [0, 1]), matrix([1, -64], [-64, 4097])  # of condition 1 and 4097
EDGE = 5**11  # of 23 digits, with condition 1: an exponent of 5²² is known to 1/4, less than six digits of a unit
ROUNDED = {  # digits, covariances, means, row, and whether roundoff hides the difference of the largest two exponents
    "one at the limit": (23, [EVEN] * 2, [(0, 0)] * 2, (EDGE, EDGE), False),
    "one beyond it": (23, [EVEN] * 2, [(0, 0)] * 2, (EDGE + 1, EDGE + 1), True),
    "a large difference": (23, [EVEN] * 2, [(0, 0), (1, 0)], (2 * EDGE, 2 * EDGE), False),
    "the worst condition": (23, [EVEN, STEEP], [(0, 0)] * 2, (0, EDGE), True),
    "the largest exponent": (23, [EVEN] * 3, [(EDGE, 0), (EDGE, 0), (-EDGE, EDGE)], (EDGE, 0), True),
    "the least size": (10, [EVEN] * 2, [(0, 0)] * 2, (1024, 1024), True),
    "as far as the bound": (10, [matrix([2])] * 2, [(-1024,)] * 2, (1024,), True),
    "a narrow covariance": (10, [STEEP, EVEN], [(0, 0)] * 2, (100, 0), True),
}


@pytest.mark.parametrize("digits, sigmas, means, row, hidden", ROUNDED.values(), ids=ROUNDED)
def test_rows_are_far_where_roundoff_leaves_less_than_six_digits_of_a_difference(digits, sigmas, means, row, hidden):
    """Exponents r, the largest two d apart: far if |r| ≥ 2²⁰ and 4κ eps |r| > 2⁻²⁰ max(1, d), beside near rows, too."""
    F = decimal(digits)
    model = qda.rule(
        F, lifted(F, [[1] * len(means)])[0], lifted(F, means), [metric.factor(F, lifted(F, A)) for A in sigmas]
    )
    assert model.far(lifted(F, [[0] * len(row), row])) == [1] * hidden


def lifted(F, rows):
    """Return a matrix over a field."""
    return Matrix([[F.lift(v) for v in row] for row in rows])


def test_a_difference_of_exponents_is_cut_beyond_the_range_of_doubles():
    """Squares that differ by s give exponents s/2 apart, up to 10³⁰⁰."""
    metrics = [metric.factor(BINARY64, Matrix([[v]])) for v in (1.0, 2.0**-20)]
    wide = qda.rule(BINARY64, Vector([0.5, 0.5]), Matrix([[0.0], [1.0]]), metrics)
    for x in (1e147, 1.1e147, 1.3e147, 1.6e147, 2e147):
        apart = ((Fraction(x) - 1) ** 2 * 2**20 - Fraction(x) ** 2) / 2
        assert wide.contrasts(Vector([x])) == Vector([0.0, -float(min(apart, 10**300))])


def test_the_metrics_are_certified():
    """Σₖ is what its metric undoes: exactly on fractions, up to roundoff in floats."""
    assert set(qda.certify(qda.fit(RATIONAL, exact(*PLANE))).values()) == {0}
    assert max(qda.certify(qda.fit(BINARY64, data.read(BINARY64, *PLANE))).values()) <= THRESHOLD
