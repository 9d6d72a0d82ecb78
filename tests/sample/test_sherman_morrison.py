"""Models without each observation, from the model of all of them."""

from fractions import Fraction as Q

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.discriminants.gaussian import lda, lda_deletion, qda
from refclass.discriminants.gaussian import least_squares as rule
from refclass.errors import NoAnswer, Refusal
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.kernel.ridge import kernel_ridge, ridge_deletion
from refclass.regress.linear import least_squares, ridge, row_deletion
from refclass.sample import metric, sherman_morrison
from refclass.sample.mean import shares
from tests.discriminants.samples import PLANE, exact, over, regular
from tests.numbers import STRICT
from tests.profiles import examples
from tests.strategies import SIZES, matrices, positive, vectors

some = settings(max_examples=examples(12))
WEIGHTS = st.sampled_from([None, (1, 2, 1, 3, 1, 1, 2)])


def fitted(fit, sample):
    """Return the model, None where it is refused."""
    try:
        return fit(sample)
    except Refusal:
        return None


def without(fit, sample):
    """Return the model of a fit without each observation, None where that is refused."""
    return [fitted(fit, sample.without(i)) for i in range(sample.n)]


def weighted(sample, weights):
    """Return the sample with weights in turn."""
    return sample if weights is None else exact(sample.X, sample.labels, [weights[i % 7] for i in range(sample.n)])


@some
@given(regular(classes=3, per_class=(1, 4)), WEIGHTS, st.sampled_from(["n-k", "n"]), st.booleans())
def test_linear_rules_without_an_observation_are_those_of_a_fit(drawn, weights, divisor, kept):
    """Priors, means, covariance, directions and constants are equal, with ==, for either divisor, priors kept or
    estimated anew, copies or not  [CV-LOO.P1] [RC-22]."""
    sample = weighted(drawn, weights)
    priors = shares(sample) if kept else None
    fit = lambda s: lda.fit(RATIONAL, s, divisor=divisor, priors=priors)  # noqa: E731
    model = fitted(fit, sample)
    assume(model is not None)
    found = list(lda_deletion.without_each(RATIONAL, sample, model, divisor=divisor, given=kept))
    for one, other in zip(found, without(fit, sample)):
        if one is not None:
            assert one.metric.matrix == other.metric.matrix and one.metric.determinant == other.metric.determinant
            assert (one.priors, one.means, one.directions, one.constants, one.weighing) == (
                other.priors, other.means, other.directions, other.constants, other.weighing
            )  # fmt: skip


@some
@given(regular(per_class=(2, 6), own=True), WEIGHTS, st.sampled_from(["n-1", "n"]), st.booleans())
def test_quadratic_rules_without_an_observation_are_those_of_a_fit(drawn, weights, divisor, kept):
    """The class loses a row and a degree of freedom, the others stay: exponents at any point and the constants πₖ²/|Σₖ|
    are equal, with ==  [CV-LOO.P1] [RC-22]."""
    sample = weighted(drawn, weights)
    priors = shares(sample) if kept else None
    fit = lambda s: qda.fit(RATIONAL, s, divisor=divisor, priors=priors)  # noqa: E731
    model = fit(sample)
    found = list(qda.without_each(RATIONAL, sample, model, divisor=divisor, given=kept))
    for one, other in zip(found, without(fit, sample)):
        if one is not None:
            assert [m.matrix for m in one.metrics] == [m.matrix for m in other.metrics]
            assert all(one.exponents(x) == other.exponents(x) for x in sample.X)
            assert one.means == other.means and one.weighing == other.weighing


def few_rows(per_class):
    """Return samples in the plane with so many rows in each of two classes, which span it."""
    rows = [[0, 0], [1, 0], [0, 1], [1, 3], [2, 1], [5, 5], [4, 6], [6, 5], [7, 7], [5, 8]]
    return exact(rows[:per_class] + rows[5 : 5 + per_class], [0] * per_class + [1] * per_class)


@pytest.mark.parametrize("size", SIZES[:-1])
def test_where_a_fit_would_be_refused_nothing_is_claimed(size):
    """With too few rows in a class, or a leverage of one, the answer is None, for the fit to refuse."""
    sample = few_rows(size)
    for fit, left_out in ((lda.fit, lda_deletion.without_each), (qda.fit, qda.without_each)):
        model = fitted(lambda s, f=fit: f(RATIONAL, s), sample)
        if model is None:
            continue
        found, plain = list(left_out(RATIONAL, sample, model)), without(lambda s, f=fit: f(RATIONAL, s), sample)
        assert all(one is None for one, other in zip(found, plain) if other is None)
        assert size < 5 or all(one is not None for one in found)


@some
@given(st.data())
def test_linear_functions_without_an_observation_are_those_of_a_fit(draw):
    """Coefficients and constants are equal, with ==, with a penalty or without, a constant or without, weights or
    without; and the residual without an observation is e/(1 − h)  [CV-LOO.P1] [RC-22]."""
    n, p, q = draw.draw(st.integers(2, 6)), draw.draw(st.integers(1, 2)), draw.draw(st.integers(1, 2))
    X, Y = draw.draw(matrices(n, p)), draw.draw(matrices(n, q))
    w = draw.draw(st.one_of(st.just(Vector([Q(1)] * n)), vectors(n, positive)))
    penalty, constant = draw.draw(st.sampled_from([Q(0), Q(1, 3), Q(5)])), draw.draw(st.booleans())
    fit = lambda X, Y, w: ridge.fit(RATIONAL, X, Y, w, penalty=penalty, intercept=constant)  # noqa: E731
    try:
        model = fit(X, Y, w)
    except NoAnswer:
        return
    for i, one in enumerate(row_deletion.without_each(RATIONAL, X, Y, w, model)):
        keep = [j for j in range(n) if j != i]
        part = [Matrix([X[j] for j in keep]), Matrix([Y[j] for j in keep]), w.pick(keep)]
        if one is None:
            pulled = fit(X, Matrix([[Q(j == i)] for j in range(n)]), w)
            assert 64 * (1 - pulled.fitted[i][0]) <= 1  # the leverage
            continue
        other = fit(*part)
        assert one.coefficients == other.coefficients and one.intercepts == other.intercepts


def test_a_leverage_of_one_is_left_to_the_fit():
    """The only point off the others' line decides about its direction: without it there is no plane; the others have
    their plane without them, or not  [RC-22]."""
    X = Matrix([[Q(0), Q(0)], [Q(1), Q(0)], [Q(2), Q(0)], [Q(0), Q(1)]])
    Y = Matrix([[Q(0)], [Q(1)], [Q(3)], [Q(7)]])
    ones = Vector([Q(1)] * 4)
    model = least_squares.fit(RATIONAL, X, Y)
    found = list(row_deletion.without_each(RATIONAL, X, Y, ones, model))
    assert [one is None for one in found] == [False, False, False, True]
    with pytest.raises(NoAnswer):
        least_squares.fit(RATIONAL, Matrix(X[:3]), Matrix(Y[:3]))


@some
@given(st.integers(2, 6).flatmap(lambda n: st.tuples(matrices(n, 2), vectors(n), vectors(n, positive))), positive)
def test_functions_of_a_kernel_without_an_observation_are_those_of_a_fit(case, penalty):
    """The coefficients of the others and the constant are equal, with ==, and the observation's is zero  [CV-LOO.P1]
    [RC-22]."""
    X, y, w = case
    n, K = len(y), X @ X.T
    for constant in (False, True):
        model = kernel_ridge.fit(RATIONAL, K, y, w, penalty=penalty, intercept=constant)
        for i, one in enumerate(ridge_deletion.without_each(RATIONAL, model)):
            keep = [j for j in range(n) if j != i]
            block = K.block(keep, keep)
            other = kernel_ridge.fit(RATIONAL, block, y.pick(keep), w.pick(keep), penalty=penalty, intercept=constant)
            alpha, beta0 = one
            assert alpha[i] == 0 and alpha.pick(keep) == other.alpha and beta0 == other.beta0


@some
@given(st.integers(2, 3).flatmap(lambda K: regular(classes=K, per_class=(1, 4))), st.sampled_from([None, Q(2, 3)]))
def test_least_squares_rules_without_an_observation_are_those_of_a_fit(sample, penalty):
    """The indicators' regression, and that of two codes cut at their midpoint; a class of one row is left to the fit
    [CV-LOO.P1]."""
    fits = [lambda s: rule.indicated(RATIONAL, s, penalty=penalty)]
    if sample.K == 2:
        fits.append(lambda s: rule.coded(RATIONAL, s, Vector([Q(-1), Q(2)]), penalty=penalty))
    for fit in fits:
        model = fitted(fit, sample)
        if model is None:
            continue
        found = list(rule.without_each(RATIONAL, sample, model))
        for i, one in enumerate(found):
            alone = sample.labels.count(sample.labels[i]) == 1
            assert one is None or (not alone and one.scores(sample.X[i]) == fit(sample.without(i)).scores(sample.X[i]))


@some
@given(matrices(3, 3), vectors(3), positive)
def test_a_term_less_in_a_covariance_is_a_term_more_in_its_inverse(A, v, scale):
    """The metric of scale·(A − loss·vvᵀ) solves, measures and has the determinant that a factor of it gives."""
    definite = A @ A.T + Matrix.identity(3, Q)
    known = metric.factor(RATIONAL, definite)
    loss = 1 / (2 * (1 + v @ known.solve(v)))
    less = Matrix([[scale * (definite[i][j] - loss * v[i] * v[j]) for j in range(3)] for i in range(3)])
    one, other = sherman_morrison.downdated(known, v, loss, scale), metric.factor(RATIONAL, less)
    assert one.matrix == less and one.determinant == other.determinant and one.rank == 3
    assert one.solve(v) == other.solve(v) and one.squared(v) == other.squared(v)


@pytest.mark.parametrize("F", [BINARY64, decimal(40)], ids=lambda F: F.name)
def test_in_rounded_numbers_they_differ_by_roundoff(F):
    """Scores of linear and quadratic rules are those of a fit, up to a few units  [CV-LOO.P1]."""
    sample = over(F, exact(*PLANE))
    for fit, left_out in ((lda.fit, lda_deletion.without_each), (qda.fit, qda.without_each)):
        model = fit(F, sample)
        for x, one, other in zip(sample.X, left_out(F, sample, model), without(lambda s, f=fit: f(F, s), sample)):
            scores = other.scores(x)
            assert all(near(F, a, b, scale=1 + scores.largest(), steps=8) for a, b in zip(one.scores(x), scores))


def test_exact_numbers_never_meet_a_float():
    """Numbers that raise on contact with a float go through."""
    sample = over(STRICT, exact(*PLANE))
    rules = lda_deletion.without_each(STRICT, sample, lda.fit(STRICT, sample))
    assert [one.predict(x) for one, x in zip(rules, sample.X)][:3] == [0, 0, 0]
    Y = Matrix([[x[0] * x[1]] for x in sample.X])
    functions = row_deletion.without_each(STRICT, sample.X, Y, sample.weights, least_squares.fit(STRICT, sample.X, Y))
    assert all(f is not None for f in functions)


def test_nearly_singular_data_are_left_to_the_fit():
    """Where the inverse multiplies roundoff beyond what can be forgiven, nothing is updated."""
    rows = [[float(x), x + 1e-6 * y] for x, y in PLANE[0]]
    sample = exact(rows, PLANE[1])
    rounded = over(BINARY64, sample)
    model = lda.fit(BINARY64, rounded)
    assert model.metric.condition > 1e9
    assert not any(lda_deletion.without_each(BINARY64, rounded, model))
