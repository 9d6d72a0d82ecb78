"""Logistic regression: score equations, symmetry, separation, penalties, standard errors."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refclass.discriminants.logistic import ascent, logistic
from refclass.errors import NoAnswer, NotConverged, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.sample import data
from tests.discriminants.samples import PLANE, few
from tests.strategies import samples

ROWS = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 4], [1, 3], [2, 0], [5, 2], [3, 3], [2, 1]]
TWO = [0, 0, 1, 0, 1, 0, 1, 1, 0, 1]
FIELDS = pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
overlapping = st.integers(2, 3).flatmap(lambda K: samples(classes=K, p=1, per_class=(3, 5)))


def fitted(F, rows=ROWS, labels=TWO, weights=None, penalty=0, **options):
    """Return the sample and the fit."""
    sample = data.read(F, rows, labels, weights)
    return sample, logistic.fit(F, sample, penalty=F.lift(penalty), **options)


def scores_missed(F, sample, model, lam=0):
    """Return the largest entry of the score equations Σ wᵢ(I(gᵢ = k) − pᵢₖ)(1, xᵢ) − λ(0, βₖ)."""
    worst = F.kind(0)
    P = [model.posterior(x) for x in sample.X]
    for k in range(sample.K):
        missed = [w * (int(g == k) - p[k]) for w, g, p in zip(sample.weights, sample.labels, P)]
        worst = max(worst, abs(sum(missed)))
        for j in range(sample.p):
            total = sum(m * x[j] for m, x in zip(missed, sample.X)) - F.lift(lam) * model.coefficients[k][j]
            worst = max(worst, abs(total))
    return worst


@FIELDS
def test_posteriors_are_probabilities_with_linear_log_odds(F):
    """p lies in (0, 1), and log(p/(1 − p)) = β₀ + βᵀx  [LOGIT-2.P1] [YANG-logistic-regression]."""
    sample, model = fitted(F)
    beta, beta0 = model.log_odds()
    for x in sample.X:
        p = model.posterior(x)[1]
        assert 0 < p < 1
        assert near(F, F.log(p / (1 - p)), beta @ x + beta0, F.kind(10), 10)


@FIELDS
def test_the_score_equations_hold(F):
    """Σ(y − p̂) = 0 and Σ(y − p̂)x = 0 at the maximum  [LOGIT-2.P2] [YANG-logistic-regression]."""
    sample, model = fitted(F)
    assert scores_missed(F, sample, model) <= 200 * F.eps


@FIELDS
@pytest.mark.parametrize("lam", ["0.1", 3])
def test_the_penalised_score_equations_hold(F, lam):
    """Σ(I(g = k) − pₖ)x = λβₖ for three classes, the intercepts free, Σβₖ = 0  [MULTINOM.P3]."""
    sample, model = fitted(F, *PLANE, penalty=lam if F is not BINARY64 else float(lam))
    assert scores_missed(F, sample, model, lam if F is not BINARY64 else float(lam)) <= 500 * F.eps
    assert sum(model.coefficients.column(0)) <= 20 * F.eps and abs(model.constants.sum()) <= 50 * F.eps


@FIELDS
def test_swapping_labels_negates_the_coefficients(F):
    """The log-odds of the other class are minus these  [LOGIT-2.P3]."""
    _, model = fitted(F)
    _, other = fitted(F, labels=[1 - g for g in TWO])
    (beta, beta0), (gamma, gamma0) = model.log_odds(), other.log_odds()
    assert all(near(F, a, -b, F.kind(5), 100) for a, b in zip([*beta, beta0], [*gamma, gamma0]))


@FIELDS
def test_two_classes_of_the_multinomial_model_are_the_binary_one(F):
    """With f₁ = −f₂ = f/2 the softmax of two scores is the logistic function of f  [MULTINOM.P1]."""
    sample, model = fitted(F)
    beta, beta0 = model.log_odds()
    for x in sample.X:
        f = beta @ x + beta0
        s = model.scores(x)
        assert near(F, s[1], f / 2, F.kind(5), 10) and near(F, s[0], -f / 2, F.kind(5), 10)
        assert near(F, model.posterior(x)[1], 1 / (1 + F.exp(-f)), F.kind(1), 20)


@FIELDS
def test_a_common_function_added_to_all_scores_changes_nothing(F):
    """Posteriors and decisions depend on differences of the fₖ only  [MULTINOM.P2]."""
    _, model = fitted(F, *PLANE)
    shift = Vector([F.kind(3), F.kind(-2)])
    moved = logistic.Model(
        F,
        Vector([c + 5 for c in model.constants]),
        Matrix([row + shift for row in model.coefficients]),
        model.log_likelihood,
        model.penalty,
        model.steps,
    )
    x = Vector([F.kind(2), F.kind(1)])
    assert all(near(F, a, b, F.kind(1), 200) for a, b in zip(model.posterior(x), moved.posterior(x)))


@FIELDS
def test_every_step_of_the_iteration_rises(F):
    """The penalised log-likelihood never falls but by roundoff, and its last value is the model's."""
    sample = data.read(F, *PLANE)
    run = list(logistic.steps(ascent.problem(F, sample, F.kind(0))))
    for before, after in zip(run, run[1:]):
        assert after.value >= before.value * (1 + 100 * F.eps)
    model = logistic.fit(F, sample, penalty=F.kind(0))
    assert model.log_likelihood == run[-1].likelihood and model.steps == len(run) - 1


def test_a_far_start_is_brought_back_by_halving():
    """From a start where Newton's step overshoots, halved steps still rise to the same maximum."""
    sample = data.read(BINARY64, ROWS, TWO)
    asked = ascent.problem(BINARY64, sample, 0.0)
    far = [Vector([3.0, 2.5, -2.0])]
    run = list(logistic.steps(asked, far))
    assert all(b.value >= a.value - 1e-9 for a, b in zip(run, run[1:]))
    plain = list(logistic.steps(asked))[-1]
    assert near(BINARY64, run[-1].value, plain.value, steps=10)


def test_no_nearby_parameters_are_likelier():
    """The log-likelihood at shifted parameters is smaller."""
    F = decimal(30)
    sample = data.read(F, *PLANE)
    asked = ascent.problem(F, sample, F.kind(0))
    best = list(logistic.steps(asked))[-1]
    for k in range(2):
        for j in range(3):
            for step in (F.lift("0.001"), F.lift("-0.001")):
                thetas = [list(t) for t in best.thetas]
                thetas[k][j] = thetas[k][j] + step
                assert ascent.state(asked, list(map(Vector, thetas))).value < best.value


@few
@given(overlapping)
@example(([[0], [1], [3], [4]], [0, 0, 1, 1]))  # separated
@example(([[0], [1], [3], [4], [7], [8]], [0, 0, 1, 1, 2, 2]))
def test_a_maximum_exists_exactly_where_nothing_separates(drawn):
    """The fit converges where the classes overlap, and is refused with separating directions where they do not
    [LOGIT-SEP.P1] [ESL-12.3.2-separation].
    """
    F = BINARY64
    sample = data.read(F, *drawn)
    try:
        model = logistic.fit(F, sample, penalty=0.0)
    except NoAnswer as refusal:
        if "direction" in refusal.witness:
            given = refusal.witness["direction"]
            thetas = list(given) if isinstance(given, Matrix) else [given * 0, given]
            value = [[t[0] + sum(a * int(v) for a, v in zip(t[1:], x)) for t in thetas] for x in sample.X]
            margins = [f[g] - f[k] for f, g in zip(value, sample.labels) for k in range(sample.K) if k != g]
            assert min(margins) >= 0 and max(margins) > 0
        else:
            assert "null_vector" in refusal.witness
        return
    assert scores_missed(F, sample, model) < 1e-9


SEPARABLE = [[0, 0], [1, 1], [0, 2], [4, 1], [5, 3], [6, 0]], [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("F", [BINARY64, decimal(20), RATIONAL], ids=lambda F: F.name)
def test_separable_classes_are_refused_in_every_arithmetic(F):
    """Complete and quasi-complete separation are named as such; a penalty has an answer all the same."""
    with pytest.raises(NoAnswer, match="got completely separated ones"):
        fitted(F, *SEPARABLE)
    with pytest.raises(NoAnswer, match="quasi-completely"):
        fitted(F, [[0], [1], [1], [3]], [0, 0, 1, 1])
    if not F.exact:
        assert fitted(F, *SEPARABLE, penalty=1)[1].steps > 0


def test_exact_arithmetic_has_no_likelihoods():
    """Where the classes overlap exact arithmetic refuses what it does not have."""
    with pytest.raises(NotExact):
        fitted(RATIONAL)


def test_dependent_columns_have_no_single_maximum():
    """A column that is twice another has a null vector as witness; with a penalty the fit is unique."""
    rows = [[v, 2 * v] for v in (0, 2, 1, 3, 2, 4)]
    with pytest.raises(NoAnswer) as refusal:
        fitted(BINARY64, rows, [0, 0, 0, 1, 1, 1])
    assert "null_vector" in refusal.value.witness
    model = fitted(BINARY64, rows, [0, 0, 0, 1, 1, 1], penalty=1)[1]
    beta, _ = model.log_odds()
    assert near(BINARY64, beta[1], 2 * beta[0], steps=100)


def test_too_few_steps_are_reported():
    """Where the budget runs out the refusal holds the gradient that is left."""
    with pytest.raises(NotConverged) as refusal:
        fitted(BINARY64, max_iter=2)
    assert refusal.value.witness["gradient"] > 0


@FIELDS
def test_integer_weights_are_repeated_rows_to_the_likelihood(F):
    """Weights 2 and 3 count rows twice and three times; weight zero leaves a row out."""
    w = [1, 2, 3, 1, 1, 2, 1, 1, 1, 0]
    _, a = fitted(F, weights=w)
    rows = [i for i, c in enumerate(w) for _ in range(c)]
    _, b = fitted(F, [ROWS[i] for i in rows], [TWO[i] for i in rows])
    (beta, beta0), (gamma, gamma0) = a.log_odds(), b.log_odds()
    assert all(near(F, u, v, F.kind(5), 200) for u, v in zip([*beta, beta0], [*gamma, gamma0]))
    assert near(F, a.log_likelihood, b.log_likelihood, steps=20)


def test_the_intercept_alone_agrees_with_paper():
    """A variable that says nothing: p = 3/4 in both of its values, β₀ = log 3, log-likelihood 6 log ¾ + 2 log ¼, and
    the
    standard error of β₀ at x = 0 is √(1/3 + 1).
    """
    F = decimal(30)
    rows, labels = [[0]] * 4 + [[1]] * 4, [1, 1, 1, 0] * 2
    sample, model = fitted(F, rows, labels)
    beta, beta0 = model.log_odds()
    assert near(F, beta0, F.log(F.kind(3)), steps=20) and near(F, beta[0], F.kind(0), F.kind(1), 20)
    want = 6 * F.log(F.lift("3/4")) + 2 * F.log(F.lift("1/4"))
    assert near(F, model.log_likelihood, want, steps=10)
    ((error, _),) = logistic.standard_errors(F, sample, model)
    assert near(F, error, F.sqrt(F.lift("4/3")), steps=50)


def test_standard_errors_are_those_of_the_inverse_information():
    """Two classes: √ of the diagonal of (Σ p(1 − p)(1, x)(1, x)ᵀ)⁻¹; for K classes one row each, for the centred
    scores.
    """
    from refclass.linear.factorisations import elimination

    F = BINARY64
    sample, model = fitted(F)
    q = [model.posterior(x)[1] for x in sample.X]
    full = [Vector([1.0, *x]) for x in sample.X]
    H = Matrix([[sum(p * (1 - p) * x[i] * x[j] for p, x in zip(q, full)) for j in range(3)] for i in range(3)])
    inverse = elimination.solve(H, Matrix.identity(3, float))
    (got,) = logistic.standard_errors(F, sample, model)
    assert all(near(F, a, math.sqrt(inverse[i][i]), steps=200) for i, a in enumerate(got))
    three = logistic.standard_errors(F, *fitted(F, *PLANE))
    assert [len(row) for row in three] == [3, 3, 3] and min(map(min, three)) > 0


def test_decisions_are_the_likeliest_class():
    """`classify` says of each row what `decide` says; a tie is a tie."""
    sample, model = fitted(BINARY64, *PLANE)
    assert model.classify(sample.X) == [model.predict(x) for x in sample.X]
    even = logistic.Model(BINARY64, Vector([0.0, 0.0]), Matrix([[-1.0], [1.0]]), 0.0, 0.0, 0)
    assert even.decide(Vector([0.0])).tie and even.predict(Vector([0.0])) == 0
