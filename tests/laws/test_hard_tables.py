"""Tables that had been answered wrongly: far means of mixtures, lost scores, numbers at the ends of the doubles."""

from __future__ import annotations

import json
from random import Random

import pytest

import refclass
from refclass.certificate import ASKED
from refclass.errors import InvalidInput, NoAnswer, NotExact, Refusal
from refclass.oracle import answer, judge, problem


def drawn(sizes, p, seed):
    """Return points of classes of such sizes, and their labels."""
    r, y = Random(seed), [g for g, count in enumerate(sizes) for _ in range(count)]
    return [[r.gauss((g * (j + 2)) % 3, 1) for j in range(p)] for g in y], y


def agreed(method, X, y, **parameters):
    """Return whether `verify` accepts what `solve` says of a table."""
    given = {"method": method, "parameters": parameters, "x": X, "y": list(map(str, y)), "query": X[:4]}
    asked = problem.read(json.dumps(given), "P.json")
    return judge.verify(asked, judge.read(json.dumps(answer.answer(asked)), "A.json"))["accepted"]


@pytest.mark.parametrize("offset", [10**8, 10**10, 10**12])
@pytest.mark.parametrize("subclasses", [1, 2])
def test_a_mixture_far_from_zero_names_its_ceiling(offset, subclasses):
    """Means that are rounded to the doubles at 10¹² are as good as doubles hold: so many digits, and the ceiling."""
    X, y = drawn([8, 9], 2, 4)
    model = refclass.MixtureDiscriminantAnalysis(subclasses=subclasses)
    found = model.fit([[a + offset, b] for a, b in X], y).certificate_
    assert found.digits >= ASKED or found.ceiling == found.digits > 0, found
    model.means_ = [[[v * (1 + 2**-20) for v in mu] for mu in A] for A in model.means_]
    del model.certificate_
    assert model.certificate_.ceiling is None and model.certificate_.status == "not converged"


@pytest.mark.parametrize("subclasses", [1, 2])
def test_a_covariance_is_called_singular_where_it_is(subclasses):
    """A column that is another times 1 + 10⁻⁹: the covariance is not singular, but doubles cannot hold it."""
    X, y = drawn([4] * 6, 2, 0)
    r = Random(0)
    nearly, wholly = [[a, b, a * (1 + 1e-9 * r.random())] for a, b in X], [[a, b, 2 * a] for a, b in X]
    with pytest.raises(NotExact):
        refclass.MixtureDiscriminantAnalysis(subclasses=subclasses).fit(nearly, y)
    with pytest.raises(NoAnswer) as refusal:
        refclass.MixtureDiscriminantAnalysis(subclasses=subclasses).fit(wholly, y)
    (v,) = refusal.value.witness.values()
    assert abs(v[1]) < 1e-50 and v[0] == -2 * v[2]


def test_class_means_that_differ_by_roundoff_have_no_variates_to_judge():
    """Means that doubles cannot tell apart: there are no variates, and the certificate of the rest stands."""
    X = [[0.1, 0.2], [0.7, 0.3], [0.4, 1.1]]
    mirrored = [[2 * (0.1 + 0.7 + 0.4) / 3 - a, 2 * (0.2 + 0.3 + 1.1) / 3 - b] for a, b in X]
    model = refclass.MixtureDiscriminantAnalysis(subclasses=1).fit(X + mirrored, [0] * 3 + [1] * 3)
    assert model.certificate_.status == "stationary"


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
def test_equal_class_means_are_proven_whichever_variates_are_asked_for(arithmetic):
    """There are no variates, of the first as of all: the certificate had refused what the rule without them proves."""
    for count in (None, 1):
        model = refclass.FisherDiscriminant(n_components=count, arithmetic=arithmetic).fit(
            [[0], [0], [1], [1]], [0, 1] * 2
        )
        assert model.certificate_.digits >= ASKED


@pytest.mark.parametrize("method, parameters", [("pda", {"penalty": 1}), ("fda", {})])
def test_scores_that_doubles_lose_are_found_in_decimals(method, parameters):
    """A column that is nearly another: `verify` counts as many scores as `solve`, and constants are kept."""
    X, y = drawn([5, 4, 6, 3], 2, 2)
    r = Random(1)
    assert agreed(method, [[a, b, a * (1 + 1e-9 * r.random())] for a, b in X], y, **parameters)


def test_scores_of_small_columns_are_not_lost():
    """A column of 10⁻⁹ beside one of 10⁶ under a penalty explains 10⁻¹⁶: that is a score."""
    X, y = drawn([5, 4, 6], 2, 0)
    model = refclass.PenalizedDiscriminantAnalysis(penalty=0.01).fit([[1e-9 * a, 1e6 * b] for a, b in X], y)
    assert len(model.weights_) == 2 and model.certificate_.digits >= ASKED


def test_a_class_that_a_score_leaves_at_zero_is_no_failure():
    """As many points as a linear regression has coefficients: centroids that are zero but for roundoff are right."""
    X, y = [[-1.09, -0.6, -0.24], [-0.63, -0.8, 0.27], [4.07, -0.46, 0.99], [-1.31, -0.43, 2.68]], [0, 0, 1, 2]
    assert refclass.FlexibleDiscriminantAnalysis().fit(X, y).certificate_.digits >= ASKED


KINDS = {kind.__name__: kind for kind in refclass.estimator_classes()}
REGRESSORS = sorted(name for name, kind in KINDS.items() if kind._estimator_type == "regressor")


@pytest.mark.parametrize("name", REGRESSORS)
def test_values_beyond_the_doubles_are_refused(name):
    """A value is a number, or the row is refused: never infinity or NaN."""
    r = Random(3)
    X = [[r.gauss(0, 1)] for _ in range(9)]
    try:
        model = KINDS[name]().fit(X, [1e150 * (3 * x + r.gauss(0, 1)) for (x,) in X])
    except Refusal:
        return
    for x in (1e160, -1.7e308):
        try:
            (value,) = model.predict([[x]])
        except Refusal:
            continue
        assert abs(value) < float("inf")


def denormal():
    """Return points and denormal responses."""
    X, _ = drawn([9], 1, 1)
    return [[1e150 * a] for (a,) in X], [5e-320 * (a + i % 3) for i, (a,) in enumerate(X)]


@pytest.mark.parametrize("name", ["Ridge", "LinearRegression", "PolynomialRegression"])
def test_responses_that_are_denormal_leave_no_fit(name):
    """Coefficients below the doubles: NotExact says how many digits are left, where a fit was "not converged"."""
    with pytest.raises(NotExact):
        KINDS[name]().fit(*denormal())


def test_no_coefficient_of_the_lasso_is_nonzero_for_denormal_responses():
    """Zero is the optimum, as λ is above all |Xᵀy|; its objective, some 10⁻⁶³⁹, is zero in doubles."""
    model = KINDS["Lasso"]().fit(*denormal())
    assert model.coef_ == [0] and model.objective_ == 0 and model.certificate_.status == "optimal"


def test_a_perceptron_of_denormal_columns_is_refused():
    """Its coefficients are beyond the doubles: it had answered with infinite ones."""
    X, y = drawn([6, 6, 6], 1, 2)
    with pytest.raises(NotExact):
        refclass.Perceptron().fit([[5e-320 * a] for (a,) in X], y)


def test_small_posteriors_under_a_penalty_are_held():
    """Columns of 10¹²⁰ whose classes are apart: posteriors of 10⁻²⁴⁰ are the information that errors follow from."""
    X, y = drawn([8, 8, 8], 2, 6)
    X = [[1e120 * (a + 9 * g), 1e120 * b] for (a, b), g in zip(X, y)]
    assert refclass.LogisticRegression(penalty=1).fit(X, y).certificate_.digits >= ASKED


def test_a_sign_that_is_beyond_the_doubles_is_refused():
    """Terms of 10⁶⁰⁰ of both signs: the row is named, where the first class was said."""
    X, y = drawn([9, 9], 2, 5)
    rule = {"name": "polynomial", "degree": 2}
    model = refclass.RegressionClassifier(regression=rule).fit(X, y)
    with pytest.raises(InvalidInput) as refusal:
        model.predict([X[0], [1e300, -1e300]])
    assert refusal.value.witness["row"] == 1
