"""Linear regression as its users meet it."""

from fractions import Fraction as Q
from random import Random

import pytest

from refclass import LinearRegression, Ridge
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.tolerance import near
from refclass.regress.linear import ridge_certificate

X = [[0, 1], [1, 0], [2, 2], [3, 1], [1, 4]]
Y = [1, 0, 3, 2, 7]


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_fit_is_proven_and_exact_where_the_arithmetic_is(arithmetic, intercept):
    """Residuals orthogonal to every column; the least sum of squares, exactly in fractions
    [KRR.P1] [ESL-12.35] [YANG-linear-regression] [RC-21]."""
    m = LinearRegression(intercept=intercept, arithmetic=arithmetic).fit(X, Y)
    F, c = m.field(), m.certificate_
    assert c.status == "optimal" and (c.gap == 0 or arithmetic != "exact") and c.unique == {"coefficients": True}
    r = [y - f for y, f in zip(Y, m.predict(X))]
    assert near(F, m.objective_, sum(v * v for v in r), steps=25) and near(F, m.objective_, F.lift(c.primal), steps=25)
    assert m.degrees_of_freedom_ == 2 + intercept


def test_several_responses_are_fitted_at_once():
    """Rows of responses give a row of coefficients for each response  [YANG-linear-regression]."""
    both = LinearRegression(arithmetic="exact").fit(X, [[y, 2 * y + 1] for y in Y])
    one = LinearRegression(arithmetic="exact").fit(X, Y)
    assert both.coef_ == [one.coef_, [2 * b for b in one.coef_]]
    assert both.intercept_ == [one.intercept_[0], 2 * one.intercept_[0] + 1]
    assert both.predict([[1, 1]]) == [[one.predict([[1, 1]])[0], 2 * one.predict([[1, 1]])[0] + 1]]
    assert both.certificate_.gap == 0 and both.objective_ == 5 * one.objective_


def test_an_integer_weight_stands_for_copies_of_a_row():
    """Weight three is the row three times  [ESL-12.35]."""
    one = LinearRegression(arithmetic="exact").fit(X, Y, sample_weight=[1, 3, 1, 1, 1])
    two = LinearRegression(arithmetic="exact").fit([*X, X[1], X[1]], [*Y, Y[1], Y[1]])
    assert (one.coef_, one.intercept_, one.objective_) == (two.coef_, two.intercept_, two.objective_)
    assert one.certificate_.gap == 0


def test_dependent_columns_are_refused_with_a_null_vector():
    """Twice the same variable leaves the coefficients open  [ESL-12.35]."""
    with pytest.raises(NoAnswer):
        LinearRegression(arithmetic="exact").fit([[v, v] for v in range(4)], Y[:4])


def test_the_score_is_the_share_of_variance_explained():
    """R² on the training rows is 1 − RSS/TSS  [ESL-12.35]."""
    m = LinearRegression(arithmetic="exact").fit(X, Y)
    mean = Q(sum(Y), 5)
    assert m.score(X, Y) == 1 - m.objective_ / sum((y - mean) ** 2 for y in Y)


def test_bad_parameters_are_refused():
    """The intercept is there or not  [ESL-12.35]."""
    with pytest.raises(InvalidInput, match="intercept among"):
        LinearRegression(intercept="free").fit(X, Y)


HARD = {
    "plain": lambda x: x,
    "far": lambda x: [v + 1e9 for v in x],
    "nearly collinear": lambda x: [x[0], x[0] + 1e-9 * x[1]],
    "far and nearly collinear": lambda x: [1e3 + x[0], 1e3 + x[0] + 1e-7 * x[1]],
    "mixed": lambda x: [x[0] * 1e6, x[1] * 1e-6],
    "tails": lambda x: [v**9 for v in x],
}


@pytest.mark.parametrize("kind", HARD)
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(penalty="1/1000000000000"), Ridge()])
def test_hard_data_are_fitted_to_nine_digits(kind, model):
    """Where the normal equations in doubles lose them, the exact solution is rounded  [RC-20]."""
    rng = Random(1)
    X = [[rng.gauss(0, 1) for _ in range(2)] for _ in range(20)]
    y = [x[0] + rng.gauss(0, 0.5) for x in X]
    proof = model.fit(list(map(HARD[kind], X)), y).certificate_
    assert proof.status == "optimal" and proof.digits >= 9


def test_where_doubles_cannot_hold_nine_digits_the_answer_is_the_rounded_optimum():
    """Far from the origin the constant alone moves every value by more: no other answer in doubles is called good."""
    rng = Random(1)
    X = [[1e12 + rng.gauss(0, 0.01)] for _ in range(20)]
    y = [x[0] - 1e12 + rng.gauss(0, 0.5) for x in X]
    exact = LinearRegression(arithmetic="exact").fit(X, y)
    model = LinearRegression().fit(X, y)
    near_by = ridge_certificate.certify(
        Matrix([[Q(1), Q(x)] for (x,) in X]),
        Matrix([[Q(v)] for v in y]),
        Matrix([[Q(float(exact.intercept_[0]))], [Q(float(exact.coef_[0]))]]),
        Vector([Q(1)] * 20),
    )
    assert model.certificate_.digits >= near_by.digits - 1


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
@pytest.mark.parametrize("intercept", [True, False])
def test_predictions_of_nearly_dependent_columns_are_those_of_fractions(arithmetic, intercept):
    """Coefficients of 10¹⁶ cancel: rounded ones gave 0 for −0.29."""
    column = [0.7, 0.3, 1.9, 2.3, 1.1, 0.4]
    X, y = [[v, 2 * v + 1, v * v] for v in column], [1.0, 2.5, 0.5, 3.0, 2.0, 1.5]
    exact = LinearRegression(intercept=intercept, arithmetic="exact").fit(X, y)
    found = LinearRegression(intercept=intercept, arithmetic=arithmetic).fit(X, y)
    points = [*X, [0.75, 2.5, 0.5], [1e5, 2e5, 1]]
    for got, want in zip(found.predict(points), exact.predict(points)):
        assert abs(Q(str(got)) - want) <= Q(1, 10**12) * max(1, abs(want))


def test_texts_of_doubles_are_refused_as_the_doubles_are():
    """Shortest texts of denormal numbers stand for these: reading them rounds nothing that a regression had lost."""
    X = [3e-319, 5e-320, -6.5e-319, 6e-319, -6e-319, 7.5e-319, 1.5e-319, -1.5e-319, -6e-319, 4.5e-319, 8.5e-319]
    y = [9.6e-320, -3.3e-320, 1.2e-319, 5e-321, -1.6e-319, -7.5e-320, -1.3e-319, 3.7e-320, -1.5e-320, -1.5e-319]
    y.append(-6.5e-321)
    for read in (float, lambda v: Q(repr(v))):
        with pytest.raises(NotExact, match="need a fit within the range of doubles"):
            LinearRegression().fit([[read(v)] for v in X], list(map(read, y)))
