"""Fisher's directions, the maximisation lemma, canonical variates, reduced rank."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.discriminants.gaussian import fisher, lda, variates
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.eigen import pencil
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD, near
from refclass.sample import covariance, data, metric
from refclass.sample.mean import class_means, shares
from tests.discriminants.samples import PLANE, apart, exact, few, matrix, multiple, regular, vector
from tests.strategies import fractions, semidefinite, vectors

D = decimal(40)
ROUNDED = pytest.mark.parametrize("F", [BINARY64, D], ids=lambda F: F.name)

# Five classes in three variables, of different sizes; the means span a plane.
CLASSES = [(0, 0, 0), (4, 1, 2), (1, 5, 3), (5, 6, 5), (8, 2, 4)]
SPREAD = [(0, 0, 1), (1, 0, -1), (0, 1, 0), (-1, 1, 1), (2, -1, 0), (-1, -2, 1), (1, 1, -2)]


def many(sizes=(4, 5, 6, 7, 4)):
    """Return rows and labels of the five classes."""
    rows, labels = [], []
    for k, (centre, n) in enumerate(zip(CLASSES, sizes)):
        for d in SPREAD[:n]:
            rows.append([a + b for a, b in zip(centre, d)])
            labels.append(k)
    return rows, labels


def parts(F, sizes=(4, 5, 6, 7, 4)):
    """Return the sample, the class means, the within metric and the weighted variates."""
    sample = data.read(F, *many(sizes))
    means, within = class_means(sample), metric.factor(F, covariance.pooled(sample))
    return sample, means, within, variates.weighted(F, means, within, shares(sample))


@given(semidefinite(3, 3), vectors(3), vectors(3))
def test_the_criterion_never_exceeds_the_lemma(A, d, x):
    """(xᵀd)² ≤ (xᵀBx)(dᵀB⁻¹d), with equality iff x is a multiple of B⁻¹d  [MAX-LEMMA.P1] [MAX-LEMMA.P2]
    [TH-KIM-2.2.1] [KIM-Thm2.2.1] [KIM-2.33].
    """
    B = A + Matrix.identity(3, Fraction)
    assume(any(d) and any(x))
    best = fraction_free.solve(B, d)
    assert (x @ d) ** 2 <= (x @ (B @ x)) * (d @ best)
    assert ((x @ d) ** 2 == (x @ (B @ x)) * (d @ best)) == multiple(x, best)
    assert fisher.criterion(best, d, B) == d @ best


@given(semidefinite(2, 2), vectors(2), vectors(2), st.integers(-4, 4))
def test_the_length_of_a_direction_does_not_matter(A, d, w, c):
    """J(cw) = J(w), so that ‖w‖ = 1 restricts nothing; and J(w) for x̄₂ − x̄₁ is that for x̄₁ − x̄₂, though the rule's
    direction is not  [FISHER-RQ.P3] [ERR-KIM-05] [ERR-KIM-06] [KIM-2.32].
    """
    S = A + Matrix.identity(2, Fraction)
    assume(any(w) and c)
    assert fisher.criterion(c * w, d, S) == fisher.criterion(w, d, S) == fisher.criterion(w, -d, S)
    assert fraction_free.solve(S, -d) == -fraction_free.solve(S, d)


@few
@given(regular(), st.data())
def test_the_two_class_maximum_is_the_squared_distance(sample, more):
    """J(w) ≤ D² = dᵀS⁻¹d, reached at S⁻¹d; it is Rayleigh's quotient for B = ddᵀ
    [FISHER-2.P1] [FISHER-2.P2] [FISHER-2.P3] [KIM-2.32] [ESL-4.15].
    """
    means = apart(sample)
    S = covariance.pooled(sample)
    within, d = metric.factor(RATIONAL, S), means[1] - means[0]
    w = fisher.direction(means, within)
    assert fisher.criterion(w, d, S) == within.squared(d)
    x = more.draw(vectors(sample.p))
    assume(any(x))
    assert fisher.criterion(x, d, S) <= within.squared(d)
    assert fisher.criterion(x, d, S) == fisher.quotient(x, Matrix.outer(d, d), S)


@few
@given(regular(), st.data())
def test_the_variance_along_a_direction_is_the_pooled_one(sample, more):
    """wᵀSw is the pooled variance of the projected points  [KIM-2.2-within]."""
    w = more.draw(vectors(sample.p))
    projected = exact([[w @ x] for x in sample.X], sample.labels)
    assert covariance.pooled(projected)[0][0] == w @ (covariance.pooled(sample) @ w)


@few
@given(regular())
def test_class_means_are_allocated_to_their_class(sample):
    """With D² > 0 both means lie on their own side of the midpoint  [FISHER-ALLOC.P2] [TH-KIM-2.2.2]."""
    means = apart(sample)
    rule = fisher.allocation(means, metric.factor(RATIONAL, covariance.pooled(sample)))
    assert [rule.decide(mu).classes for mu in means] == [(0,), (1,)]
    assert rule.decide((means[0] + means[1]) / 2).classes == (0, 1)


def test_the_midpoint_needs_symmetry_as_well():
    """Two skewed classes of one shape, of equal covariance and size: the midpoint errs on seven points, another cut
    on one
    [ERR-KIM-36].
    """
    first = [0, 0, 0, 0, 0, 0, 30]
    sample = exact([[v] for v in first] + [[v + 4] for v in first], [0] * 7 + [1] * 7)
    assert covariance.of_class(sample, 0) == covariance.of_class(sample, 1)
    rule = fisher.allocation(class_means(sample), metric.factor(RATIONAL, covariance.pooled(sample)))
    errors = [
        sum((x[0] > cut) != (g == 1) for x, g in zip(sample.X, sample.labels))
        for cut in (rule.cut / rule.direction[0], 2)
    ]
    assert errors == [7, 1]


@ROUNDED
def test_no_direction_has_a_larger_quotient(F):
    """aᵀBa/aᵀWa at any a never exceeds the first eigenvalue, which belongs to the first eigenvector: that is the
    solution,
    not the eigenvalue  [FISHER-RQ.P1] [FISHER-RQ.P2] [ERR-ESL-03] [ESL-4.15] [ESL-4.16] [EX-ESL-4.1] [ESL-Ex4.1].
    """
    sample, _, within, axes = parts(F)
    B, W = covariance.between(sample), within.matrix
    for i in range(-2, 3):
        for j in range(-2, 3):
            a = Vector([F.kind(i), F.kind(j), F.kind(1)])
            assert fisher.quotient(a, B, W) <= axes.eigenvalues[0] * (1 + 50 * F.eps)
    v = axes.vectors.column(0)
    assert near(F, fisher.quotient(v, B, W), axes.eigenvalues[0], steps=30)
    ((value, a1),) = fisher.sequence(F, B, W, 1)
    assert near(F, value, axes.eigenvalues[0], steps=50)
    assert all(near(F, x, y, v.largest(), 200) for x, y in zip(a1, v))


@ROUNDED
def test_the_variates_solve_the_eigenproblem(F):
    """vₗᵀWvₘ = δₗₘ, vₗᵀBvₘ = dₗδₗₘ, d descending; no more than min(p, K − 1) of them, and here the means span a plane
    [CANON-VAR.P1] [CENTROID-SUBSPACE.P2] [ESL-4.3.3-variates] [ESL-4.3.3-subspace] [ESL-4.3.3-rayleigh].
    """
    sample, _, within, axes = parts(F)
    B, W, V = covariance.between(sample), within.matrix, axes.vectors
    d = axes.eigenvalues
    assert max(variates.certify(B, W, axes).values()) <= THRESHOLD
    assert list(d) == sorted(d, reverse=True) and len(d) <= 3
    inner = V.T @ (B @ V)
    for i in range(len(d)):
        for j in range(len(d)):
            assert near(F, inner[i][j], d[i] if i == j else F.kind(0), d[0], 100)


@ROUNDED
def test_sphering_and_the_pencil_give_the_same_variates(F):
    """The variates through the sphered means are the eigenvectors of B v = d W v, up to sign
    [CANON-VAR.P2] [ESL-4.3.3-variates].
    """
    sample, _, within, axes = parts(F)
    other = pencil.factor(F, covariance.between(sample), within.matrix)
    for k, d in enumerate(axes.eigenvalues):
        assert near(F, d, other.eigenvalues[k], axes.eigenvalues[0], 60)
        v, u = axes.vectors.column(k), other.vectors.column(k)
        assert all(near(F, a, b, v.largest(), 2000) for a, b in zip(v, u))


@ROUNDED
def test_each_direction_is_the_best_that_the_ones_before_leave(F):
    """aₗ maximises the quotient subject to aₗᵀWaₘ = 0, m < l, and equals vₗ; the quotients fall, and beyond the rank
    of B
    they are zero  [FISHER-SEQ.P1] [FISHER-SEQ.P2] [EX-ESL-4.1] [ESL-4.3.3-rayleigh] [ESL-Ex4.1].
    """
    sample, _, within, axes = parts(F)
    W = within.matrix
    found = fisher.sequence(F, covariance.between(sample), W, 3)
    values = [value for value, _ in found]
    assert values == sorted(values, reverse=True)
    for k, (value, a) in enumerate(found):
        for _, b in found[:k]:
            assert near(F, a @ (W @ b), F.kind(0), F.kind(1), 300)
        want = axes.eigenvalues[k] if k < len(axes.eigenvalues) else F.kind(0)
        assert near(F, value, want, axes.eigenvalues[0], 300)
        if k < len(axes.eigenvalues):
            assert all(near(F, x, y, a.largest(), 10**4) for x, y in zip(a, axes.vectors.column(k)))


def test_means_on_a_line_have_one_direction():
    """Three classes with means on a line have B of rank one: every further quotient is zero  [FISHER-SEQ.P2]."""
    rows = [[a + c, b + 2 * c] for c in (0, 3, 9) for a, b in ((0, 0), (1, 0), (0, 1), (-1, 1))]
    sample = data.read(BINARY64, rows, [k for k in range(3) for _ in range(4)])
    within = metric.factor(BINARY64, covariance.pooled(sample))
    axes = variates.weighted(BINARY64, class_means(sample), within, shares(sample))
    assert len(axes.eigenvalues) == 1
    values = [v for v, _ in fisher.sequence(BINARY64, covariance.between(sample), within.matrix, 2)]
    assert near(BINARY64, values[1], 0.0, values[0], 10)


def test_balanced_classes_need_no_weights():
    """With classes of one size both between matrices give the same directions; with others the spans agree and the
    first
    directions differ  [CANON-VAR.P3] [CLASH-5].
    """
    _, means, within, even = parts(D, (4, 4, 4, 4, 4))
    other = variates.unweighted(D, means, within)
    assert all(near(D, a, b, D.kind(1), 10**4) for u, v in zip(even.vectors, other.vectors) for a, b in zip(u, v))
    _, means, within, axes = parts(D)
    other = variates.unweighted(D, means, within)
    first = [axes.vectors.column(0), other.vectors.column(0)]
    assert (first[0] - first[1]).largest() > D.lift("0.001")
    assert len(axes.eigenvalues) == len(other.eigenvalues)
    # Proof: both sets span the W-orthogonal complement of what no mean reaches, so that a W-orthonormal set of one is
    # carried to one of the other by an orthogonal matrix.
    turn = axes.vectors.T @ (within.matrix @ other.vectors)
    product = turn @ turn.T
    n = len(product)
    assert all(near(D, product[i][j], D.kind(int(i == j)), D.kind(1), 10**3) for i in range(n) for j in range(n))


@ROUNDED
def test_all_variates_together_are_the_linear_rule(F):
    """In all K − 1 (or p) coordinates the nearest mean, minus 2 log π, is the linear rule's decision
    [RR-LDA.P1] [CENTROID-SUBSPACE.P1] [ESL-4.3.3-reduced].
    """
    sample, means, _, axes = parts(F)
    model = variates.model(F, axes, means, shares(sample))
    assert model.classify(sample.X) == lda.fit(F, sample).classify(sample.X)


@ROUNDED
def test_the_means_spread_less_with_every_variate(F):
    """The variance of the means falls from coordinate to coordinate, and the reduced rule looks at the leading ones
    only
    [RR-LDA.P2] [M-ESL-F4.8] [ESL-4.3.3-reduced].
    """
    sample, means, _, axes = parts(F)
    pi = shares(sample)
    for coordinate, d in zip(Matrix([axes.transform(mu) for mu in means]).T, axes.eigenvalues):
        assert near(F, coordinate.times(coordinate) @ pi, d, axes.eigenvalues[0], 50)
    one = variates.model(F, axes.leading(1), means, pi)
    v = axes.vectors.column(0)
    u = Vector([v[1], -v[0], v[0] - v[0]])
    for x in sample.X:
        assert one.decide(x) == one.decide(x + u)


@ROUNDED
def test_the_scores_of_the_reduced_rule_are_linear(F):
    """V zₖ and −½‖zₖ‖² − cᵀV zₖ are the coefficients of the scores, up to what is the same for all classes."""
    sample, means, _, axes = parts(F)
    model = variates.model(F, axes.leading(2), means, shares(sample))
    x = Vector([F.kind(v) for v in (3, -1, 2)])
    shift = model.exponents(x) - (model.directions @ x + model.constants)
    assert all(near(F, s, shift[0], model.exponents(x).largest(), 50) for s in shift)


def test_a_number_of_variates_out_of_reach_is_refused():
    """There are as many variates as there are."""
    *_, axes = parts(BINARY64)
    for L in (0, 4):
        with pytest.raises(InvalidInput):
            axes.leading(L)


@pytest.mark.parametrize("F", [BINARY64, RATIONAL], ids=lambda F: F.name)
def test_equal_means_have_no_variates(F):
    """Where all class means agree nothing spreads them."""
    for labels in ([0, 1, 0, 1], [0, 1, 2, 0, 1, 2]):
        rows = [[-1, 0], [-1, 0], [1, 0], [1, 0]] if max(labels) == 1 else [[-1, 1]] * 3 + [[1, -1]] * 3
        sample = data.read(F, rows, labels)
        W = metric.factor(F, Matrix.identity(2, F.kind))
        with pytest.raises(NoAnswer, match="class means that differ"):
            variates.weighted(F, class_means(sample), W, shares(sample))


def test_two_classes_have_an_exact_eigenvalue():
    """For two classes the eigenvalue is π₁π₂D², rational; the variate has a root  [RC-21]."""
    sample = exact(*PLANE)
    two = exact([x for x, g in zip(sample.X, sample.labels) if g < 2], [g for g in sample.labels if g < 2])
    means, within, pi = class_means(two), metric.factor(RATIONAL, covariance.pooled(two)), shares(two)
    value = variates.two_class_value(means, within, pi)
    assert value == pi[0] * pi[1] * within.squared(means[1] - means[0])
    nine = metric.factor(RATIONAL, matrix([4]))
    axes = variates.weighted(RATIONAL, matrix([0], [6]), nine, vector("1/2", "1/2"))
    assert axes.eigenvalues == vector("9/4") and axes.vectors == matrix(["1/2"])


def test_the_centroid_line_is_not_the_best_direction():
    """Along Fisher's direction the quotient is larger than along the line that joins the means
    [M-ESL-F4.9] [M-KIM-F2.1/2.2].
    """
    sample = exact([[0, 0], [1, 2], [2, 3], [3, 6], [2, 0], [3, 2], [4, 3], [5, 6]], [0] * 4 + [1] * 4)
    S, means = covariance.pooled(sample), class_means(sample)
    d = means[1] - means[0]
    w = fisher.direction(means, metric.factor(RATIONAL, S))
    assert fisher.criterion(w, d, S) > 2 * fisher.criterion(d, d, S)


def test_a_direction_without_variance_is_refused():
    """Rayleigh's quotient needs some variance within the classes."""
    with pytest.raises(InvalidInput):
        fisher.quotient(vector(0, 0), matrix([1, 0], [0, 1]), matrix([1, 0], [0, 1]))


@few
@given(regular(classes=3), st.data())
def test_fishers_rule_is_the_nearest_mean(sample, more):
    """No priors enter: the nearest class mean in the metric of W, ties included."""
    x = more.draw(vectors(sample.p, fractions))
    model = fisher.fit(RATIONAL, sample)
    d = [model.metric.squared(x - mu) for mu in model.means]
    assert model.decide(x).classes == tuple(k for k, v in enumerate(d) if v == min(d))
