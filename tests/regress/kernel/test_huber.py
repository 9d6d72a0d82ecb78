"""Huber's regression: exact through its quadratic problem, ridge regression where no residual is large."""

from fractions import Fraction as Q

from hypothesis import given, settings

from refclass.kernels.matrices.gram import gram
from refclass.kernels.spaces import features
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import certificate, huber
from refclass.regress.kernel import fit as training
from refclass.regress.kernel.ridge import kernel_ridge
from tests.profiles import examples
from tests.regress.tables import LINEAR, QUADRATIC, decision, ones, problems, value
from tests.strategies import fractions, positive, vectors

few = settings(max_examples=examples(15))


def fitted(X, y, c, lam, kernel=LINEAR):
    """The machine ½‖f‖² + (1/λ) Σ V and its fit."""
    m = huber.machine(RATIONAL, gram(RATIONAL, kernel, X), y, ones(len(y)) / lam, c)
    return m, training.fit(RATIONAL, m)


@few
@given(problems(), positive, positive)
def test_the_gradient_is_zero_at_the_optimum(problem, c, lam):
    """λβ = Σ V′(rᵢ)xᵢ and Σ V′(rᵢ) = 0, V′ the residual cut off at ±c  [HUBER-FIT.P1] [ESL-12.36] [ESL-12.38]."""
    X, y = problem
    _, fit = fitted(X, y, c, lam)
    r = y - decision(fit)
    beta = X.T @ fit.a
    in_beta, in_beta0 = huber.gradient(r, beta, X, c, lam)
    assert set(in_beta) == {0} and in_beta0 == 0
    assert lam * fit.a == huber.clipped(r, c)


@few
@given(problems(), positive, positive)
def test_the_gap_of_the_quadratic_problem_is_zero(problem, c, lam):
    """Primal and dual value over λ are equal, as fractions, and λ times them is the objective
    [HUBER-FIT.P1] [ESL-12.36]."""
    X, y = problem
    m, fit = fitted(X, y, c, lam)
    c1 = certificate.certify(m, fit.a, fit.beta0).times(lam)
    assert c1.status == "optimal" and c1.gap == 0
    assert c1.primal == huber.objective(RATIONAL, fit.square, y - decision(fit), c, lam) == lam * value(m, fit)


@few
@given(problems(), positive, positive)
def test_a_large_c_gives_ridge_regression(problem, more, lam):
    """c ≥ max|r|: half the squared residuals with ½λ‖f‖² is kernel ridge with the same λ  [HUBER-FIT.P2]
    [ESL-Ex12.3]."""
    X, y = problem
    ridge = kernel_ridge.fit(RATIONAL, gram(RATIONAL, LINEAR, X), y, ones(len(y)), penalty=lam, intercept=True)
    r = lam * ridge.alpha
    _, fit = fitted(X, y, r.largest() + more, lam)
    assert fit.a == ridge.alpha and fit.beta0 == ridge.beta0


@few
@given(problems(n=(2, 6)), positive, positive, fractions)
def test_moving_a_far_point_further_changes_nothing(problem, c, lam, further):
    """The pull of a residual beyond c is c, however far it is  [HUBER-FIT.P1] [ESL-12.38]."""
    X, y = problem
    _, fit = fitted(X, y, c, lam)
    r = y - decision(fit)
    moved = Vector([t + (abs(further) if v > c else -abs(further) if v < -c else 0) for t, v in zip(y, r)])
    _, again = fitted(X, moved, c, lam)
    assert again.values == fit.values


@few
@given(problems(p=(2, 2)), positive, positive)
def test_huber_with_a_kernel_is_huber_on_its_features(problem, c, lam):
    """K = (1 + ⟨x, z⟩)² and its six features give the same fit  [HUBER-FIT.P1] [ESL-12.44]."""
    X, y = problem
    _, kernel = fitted(X, y, c, lam, QUADRATIC)
    weights = features.weights(RATIONAL, QUADRATIC, 2)
    H = Matrix([[x[0] ** e[0] * x[1] ** e[1] for e in features.terms(QUADRATIC, 2)] for x in X])
    K = H @ Matrix([[w * v for w, v in zip(weights, h)] for h in H]).T
    explicit = training.fit(RATIONAL, huber.machine(RATIONAL, K, y, ones(len(y)) / lam, c))
    assert explicit.values == kernel.values and explicit.interval == kernel.interval


@few
@given(vectors(4), vectors(2), positive, positive)
def test_the_gradient_is_that_of_the_objective(y, beta, c, lam):
    """Differences of the objective lie between the slopes at both ends: it is convex  [ESL-12.36]."""
    X = Matrix([[Q(1), Q(0)], [Q(2), Q(1)], [Q(-1), Q(3)], [Q(0), Q(1)]])
    step = Vector([Q(1, 7), Q(-1, 5)])

    def at(b):
        r = y - X @ b
        return huber.objective(RATIONAL, b @ b, r, c, lam), huber.gradient(r, b, X, c, lam)[0]

    (low, first), (high, last) = at(beta), at(beta + step)
    assert first @ step <= high - low <= last @ step


def test_away_from_the_optimum_the_gradient_is_the_slope():
    """Residuals −3, 1, 4 and c = 2: V′ = −2, 1, 2, so that λβ − Σ V′x = 3·5 − 11 and −Σ V′ = −1  [ESL-12.36]."""
    X, r = Matrix([[Q(1)], [Q(1)], [Q(6)]]), Vector([Q(-3), Q(1), Q(4)])
    assert huber.clipped(r, Q(2)) == Vector([Q(-2), Q(1), Q(2)])
    assert huber.gradient(r, Vector([Q(5)]), X, Q(2), Q(3)) == (Vector([Q(4)]), Q(-1))
