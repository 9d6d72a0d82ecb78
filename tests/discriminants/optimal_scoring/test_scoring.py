"""Optimal scoring: scores, their eigenproblem, distances."""

from random import Random

import pytest

import refclass
from refclass.discriminants.gaussian import lda
from refclass.discriminants.optimal_scoring import scoring
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.tolerance import THRESHOLD, near
from refclass.regress.linear import least_squares
from refclass.sample import covariance, data, metric
from refclass.sample.indicator import indicator
from refclass.sample.mean import class_means, shares, sizes
from tests.discriminants.gaussian.test_fisher import many

F = decimal(40)
SAMPLE = data.read(F, *many())
UNIT = F.kind(1)


def fitted(**options):
    """Return the scoring of the five classes of different sizes."""
    return scoring.fit(F, SAMPLE, **options)


def variance_of_scores(model):
    """Return ΘᵀDΘ."""
    theta = model.optimal.theta
    return theta.T @ (Matrix.diagonal_of(shares(SAMPLE)) @ theta)


def test_the_residual_is_what_the_eigenvalues_leave():
    """The minimum over one score is n(1 − μ₁), over several n Σ(1 − μₗ)
    [OS-1.P1] [OS-L.P1] [YANG-optimal-scoring] [YANG-more-general-optimal-scoring].
    """
    for L in (1, 2, 3):
        model = fitted(count=L)
        want = SAMPLE.n * sum(1 - mu for mu in model.optimal.values)
        assert near(F, scoring.residual_sum(SAMPLE, model), want, F.kind(SAMPLE.n), 100)


def test_no_other_scores_leave_less():
    """Scores turned a little, still centred and of variance one, leave a larger residual
    [OS-1.P1] [YANG-optimal-scoring].
    """
    model = fitted()
    theta = model.optimal.theta.T
    for step in ("0.01", "-0.2"):
        t = F.lift(step)
        root = F.sqrt(1 - t * t)
        turned = root * theta[0] + t * theta[1]
        target = Matrix([[turned[g]] for g in SAMPLE.labels])
        missed = target - least_squares.fit(F, SAMPLE.X, target).fitted
        assert sum(r @ r for r in missed) > SAMPLE.n * (1 - model.optimal.values[0])


def test_the_sign_of_a_score_is_free():
    """−θ with −β leaves the same residual, fits and distances  [OS-1.P2]."""
    model = fitted()
    regression = least_squares.Linear(-model.regression.intercepts, -model.regression.coefficients)
    optimal = scoring.Scores(model.optimal.values, -model.optimal.theta)
    turned = scoring.Model(
        model.priors, optimal, regression, model.centre, model.rest, model.weights, -model.centroids, model.weighing
    )
    assert scoring.residual_sum(SAMPLE, turned) == scoring.residual_sum(SAMPLE, model)
    assert turned.distances(SAMPLE.X[0]) == model.distances(SAMPLE.X[0])


def test_two_classes_have_known_scores():
    """θ = ±√(n₂/n₁), ∓√(n₁/n₂), whatever the data  [OS-1.P3]."""
    sample = data.read(F, [[0, 1], [2, 0], [1, 3], [4, 4], [6, 2]], [0, 0, 0, 1, 1])
    theta = scoring.fit(F, sample).optimal.theta.column(0)
    ratio = F.sqrt(F.lift("3/2"))
    assert near(F, theta[1], ratio, steps=50) and near(F, theta[0], -1 / ratio, steps=50)


def test_without_the_zero_sum_the_constant_score_is_explained_wholly():
    """With an intercept and no Σθ = 0 the optimum is Θ = 1 with residual zero: μ = 1 for the constant score, which
    must be
    discarded; with it the optimum is that of one score
    [OS-MAT.P1] [OS-MAT.P2] [ERR-YANG-09] [YANG-optimal-scoring-matrix].
    """
    Y = indicator(SAMPLE)
    fit = least_squares.fit(F, SAMPLE.X, Y)
    ones = Vector([UNIT] * SAMPLE.K)
    missed = Y @ ones - fit.fitted @ ones
    assert missed.largest() <= 1000 * F.eps
    model = fitted(count=1)
    assert abs(model.optimal.theta.column(0) @ shares(SAMPLE)) <= 100 * F.eps
    assert model.optimal.values[0] < UNIT


def test_the_scores_solve_the_eigenproblem():
    """YᵀX(XᵀX)⁻¹XᵀYΘ = μ YᵀYΘ with 0 ≤ μ ≤ 1, β̂ = (XᵀX)⁻¹XᵀYΘ  [OS-EIG.P1] [YANG-solution-to-optimal-scoring]."""
    model = fitted()
    Y = indicator(SAMPLE)
    crossed = Y.T @ least_squares.fit(F, SAMPLE.X, Y).fitted
    for mu, theta in zip(model.optimal.values, model.optimal.theta.T):
        assert 0 <= mu <= 1
        left, right = crossed @ theta, mu * Vector([n * t for n, t in zip(sizes(SAMPLE), theta)])
        assert all(near(F, a, b, F.kind(SAMPLE.n), 100) for a, b in zip(left, right))
    target = Matrix([[model.optimal.theta[g][0]] for g in SAMPLE.labels])
    beta = least_squares.fit(F, SAMPLE.X, target).coefficients.column(0)
    assert all(near(F, a, b, UNIT, 1000) for a, b in zip(beta, model.regression.coefficients.column(0)))


def test_an_eigenvalue_is_the_share_explained():
    """μₗ = R² of regressing YΘₗ on X  [OS-EIG.P2]."""
    model = fitted()
    for k, mu in enumerate(model.optimal.values):
        target = Matrix([[model.optimal.theta[g][k]] for g in SAMPLE.labels])
        missed = target - least_squares.fit(F, SAMPLE.X, target).fitted
        assert near(F, 1 - sum(r @ r for r in missed) / SAMPLE.n, mu, UNIT, 200)


def test_both_ways_to_drop_the_trivial_score_agree():
    """With an intercept the pair (1, 1) is discarded, with centred X and none it has μ = 0: the same other pairs, fits
    and distances  [OS-EIG.P3].
    """
    a, b = fitted(intercept=True), fitted(intercept=False)
    assert all(near(F, u, v, UNIT, 200) for u, v in zip(a.optimal.values, b.optimal.values))
    assert all(near(F, u, v, F.kind(5), 10**4) for s, t in zip(a.optimal.theta, b.optimal.theta) for u, v in zip(s, t))
    for x in SAMPLE.X[:4]:
        assert all(near(F, u, v, F.kind(100), 10**5) for u, v in zip(a.distances(x), b.distances(x)))


def test_scores_are_orthonormal_in_the_metric_of_the_classes():
    """Θₗᵀ(YᵀY/n)Θₘ = δₗₘ and Σ πₖθₖ = 0; as bare vectors they are not orthogonal when sizes differ, and a vector
    less a number,
    as printed, is no residual  [OS-L.P2] [ERR-YANG-07] [ERR-YANG-08] [YANG-more-general-optimal-scoring].
    """
    model = fitted()
    product = variance_of_scores(model)
    n = len(product)
    assert all(near(F, product[i][j], F.kind(int(i == j)), UNIT, 100) for i in range(n) for j in range(n))
    assert all(abs(theta @ shares(SAMPLE)) <= 100 * F.eps for theta in model.optimal.theta.T)
    assert scoring.certify(SAMPLE, model)["ΘᵀDΘ = I"] <= THRESHOLD
    plain = model.optimal.theta.T @ model.optimal.theta
    assert abs(plain[0][1]) > F.lift("0.01")


def test_the_distance_is_mahalanobis_up_to_a_constant():
    """Σ wₗ(ηₗ(x) − ηₗ(μₖ))² less the Mahalanobis distance for W/n is the same for all k; for W/(n − K) after
    multiplying that
    by n/(n − K)  [OS-DIST.P1] [OS-DIST.P2] [ID-YANG-MAHAL] [YANG-connection-with-lda] [RC-9].
    """
    model, means, n = fitted(), class_means(SAMPLE), SAMPLE.n
    likely = metric.factor(F, covariance.pooled(SAMPLE, "n"))
    unbiased = metric.factor(F, covariance.pooled(SAMPLE))
    for x in (SAMPLE.X[0], SAMPLE.X[9], Vector([F.kind(v) for v in (30, -8, 5)])):
        d = model.distances(x)
        for known, factor in ((likely, UNIT), (unbiased, F.kind(n) / (n - SAMPLE.K))):
            gaps = [v - factor * known.squared(x - mu) for v, mu in zip(d, means)]
            assert all(near(F, g, gaps[0], F.kind(2000), 10**4) for g in gaps)


def test_where_the_means_span_the_space_the_constant_is_zero():
    """With p ≤ K − 1 and B of full rank there is nothing besides the scores: D(x) = 0  [OS-DIST.P3]."""
    rows, labels = many()
    sample = data.read(F, [x[:2] for x in rows], labels)
    model, likely = scoring.fit(F, sample), metric.factor(F, covariance.pooled(sample, "n"))
    for x in sample.X[:5]:
        got = model.distances(x)
        want = [likely.squared(x - mu) for mu in class_means(sample)]
        assert all(near(F, a, b, F.kind(100), 10**4) for a, b in zip(got, want))


def test_scores_that_explain_nothing_are_left_out():
    """Means on a line leave one score with μ > 0; the others, of infinite weight, do not enter  [OS-DIST.P4]."""
    rows = [[a + c, b + 2 * c] for c in (0, 3, 9, 10) for a, b in ((0, 0), (1, 0), (0, 1), (-1, 1))]
    sample = data.read(F, rows, [k for k in range(4) for _ in range(4)])
    model = scoring.fit(F, sample)
    assert len(model.optimal.values) == 1 and len(model.weights) == 1
    assert model.classify(sample.X) == lda.fit(F, sample, divisor="n").classify(sample.X)


def test_labels_are_those_of_linear_discriminants_with_the_likely_divisor():
    """The nearest mean in the space of fits, adjusted by priors, is the linear rule with W/n: equal and unequal priors
    [OS-LDA.P1] [OS-DIST.P1].
    """
    tilted = Vector([F.lift(v) for v in ("0.5", "0.2", "0.1", "0.1", "0.1")])
    for priors in (None, tilted):
        model = scoring.fit(F, SAMPLE, priors=priors)
        assert model.classify(SAMPLE.X) == lda.fit(F, SAMPLE, priors=priors, divisor="n").classify(SAMPLE.X)


def test_posteriors_sum_to_one():
    """Posteriors are those of the linear rule with W/n."""
    model, linear = fitted(), lda.fit(F, SAMPLE, divisor="n")
    for x in SAMPLE.X[:6]:
        p, q = model.posterior(x), linear.posterior(x)
        assert all(near(F, a, b, UNIT, 10**5) for a, b in zip(p, q)) and near(F, p.sum(), UNIT, steps=10)


def test_integer_weights_are_repeated_rows_to_the_scores():
    """A weight of 2 is a row given twice."""
    w = [1 + (i % 2) for i in range(SAMPLE.n)]
    rows = [i for i, c in enumerate(w) for _ in range(c)]
    X, y = many()
    a = scoring.fit(F, data.read(F, X, y, w))
    b = scoring.fit(F, data.read(F, [X[i] for i in rows], [y[i] for i in rows]))
    assert all(near(F, u, v, UNIT, 100) for u, v in zip(a.optimal.values, b.optimal.values))
    assert all(near(F, u, v, F.kind(100), 10**4) for u, v in zip(a.distances(SAMPLE.X[0]), b.distances(SAMPLE.X[0])))


def test_what_cannot_be_scored_is_refused():
    """Equal class means, no variance within the classes, and more scores than classes allow."""
    with pytest.raises(NoAnswer, match="class means that differ"):
        scoring.fit(BINARY64, data.read(BINARY64, [[-1.0], [1.0], [-1.0], [1.0]], [0, 0, 1, 1]))
    with pytest.raises(NoAnswer, match="variance within the classes"):
        scoring.fit(BINARY64, data.read(BINARY64, [[-1.0], [-1.0], [1.0], [1.0]], [0, 0, 1, 1]))
    with pytest.raises(InvalidInput, match="1 to 4 scores"):
        fitted(count=5)


@pytest.mark.parametrize("small", [1e-8, 1e-11])
def test_small_scores_have_no_part_of_the_trivial_one(small):
    """μ₂ of 10⁻⁸ beside μ₁ of ½: πᵀΘ is zero up to roundoff, not up to roundoff over μ₂."""
    pi = Vector([0.5, 0.3, 0.2])
    first = Vector([3.0, -5.0, 0.0])
    second = Vector([1.0, 1.0, -4.0])
    columns = [v / (pi @ v.times(v)) ** 0.5 for v in (first, second)]
    moved = [pi.times(v) for v in columns]
    M = (Matrix.outer(pi, pi) + 0.5 * Matrix.outer(moved[0], moved[0])) + small * Matrix.outer(moved[1], moved[1])
    found = scoring.scores(BINARY64, M, pi)
    assert len(found.values) == 2
    assert all(abs(pi @ column) < 1e-15 for column in found.theta.T)


@pytest.mark.parametrize("step", [2.0**-28, 2.0**-26, 2.0**-24, 2.0**-20])
@pytest.mark.parametrize("arithmetic", ["float", "decimal:60"])
def test_a_score_of_nearly_dependent_columns_is_not_roundoff(arithmetic, step):
    """Columns x and 2x ± ε far from the origin, class means in a line: one score, μ that of the columns x and ±1."""
    random = Random(3)
    signed = [(random.randint(0, 9), sign) for _ in range(3) for sign in (1, -1, -1, 1, 1, -1)]
    rows, labels = [[1e7 + v, 1e7 + 2 * v + sign * step] for v, sign in signed], [i // 6 for i in range(18)]
    apart = refclass.OptimalScoring().fit(signed, labels).eigenvalues_
    found = refclass.OptimalScoring(arithmetic=arithmetic).fit(rows, labels).eigenvalues_
    assert list(map(float, found)) == pytest.approx(apart, rel=1e-9)
