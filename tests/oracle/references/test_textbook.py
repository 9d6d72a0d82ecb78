"""The judge's own normal rules and least squares: the same answers as the package's exact fits, by other code."""

import json
import math
from fractions import Fraction

import pytest

from refclass.errors import NoAnswer
from refclass.number.field import rational
from refclass.oracle import problem
from refclass.oracle.leaves import leaves
from refclass.oracle.references import textbook

X = [[0, 1], [2, 0], [1, 3], [4, 4], [6, 3], [5, 7], [1, 9], [0, 6], [3, 8], [2, 7]]
THREE = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
TWO = [int(g > 0) for g in THREE]
QUERY = [[1, 2], [5, 5], [1, 7]]
COSTS = [[0, 5, 1], [2, 0, 3], [1, 4, 0]]
CASES = [
    ("lda", {}, TWO),
    ("lda", {"priors": ["1/4", "3/4"], "divisor": "n"}, TWO),
    ("lda", {"costs": [[0, 5], [1, 0]]}, TWO),
    ("lda", {"priors": ["1/2", "1/4", "1/4"]}, THREE),
    ("lda", {"costs": COSTS}, THREE),
    ("qda", {}, THREE),
    ("qda", {"divisor": "n", "costs": COSTS}, THREE),
    ("rda", {"alpha": "1/3", "gamma": "1/2"}, THREE),
    ("rda", {"alpha": 0, "gamma": "1/3"}, THREE),
    ("rda", {"alpha": 1, "gamma": 1}, THREE),
    ("fisher", {}, TWO),
    ("fisher", {}, THREE),
    ("fisher", {"between": "centroids"}, THREE),
    ("least_squares", {}, TWO),
    ("least_squares", {}, THREE),
    ("ridge", {"penalty": "1/2"}, None),
    ("ridge", {"penalty": "1/2", "intercept": False}, None),
    ("linear_regression", {}, None),
]
EXACT = ("means_", "priors_", "covariance_", "covariances_", "coefficients_", "fitted_values_", "degrees_of_freedom_")
CLOSE = ("coef_", "intercept_", "eigenvalues_", "scalings_", "log_determinants_")


def exactly(value):
    """Return a nested value with its numbers as fractions."""
    return [exactly(v) for v in value] if hasattr(value, "__iter__") else rational(value)


def unique(name, value, classes):
    """Return the numbers of what a value has unique: scores of several classes up to a shift, axes up to a sign."""
    value = exactly(value)
    if name == "scalings_":
        return [abs(v) for v in leaves(value)]
    if classes > 2 and name in ("coef_", "intercept_"):
        rows = [row if isinstance(row, list) else [row] for row in value]
        return [v - w for row in rows for v, w in zip(row, rows[0])]
    if classes > 2 and name == "decision_function":
        return [v - row[0] for row in value for v in row]
    return list(leaves(value))


@pytest.mark.parametrize(("method", "parameters", "y"), CASES)
def test_the_textbook_says_what_the_package_says(method, parameters, y):
    """Attributes, decision values, labels, posteriors and ties: rationals are equal, roots and logarithms to 25 digits
    [ESL-4.10] [ESL-4.12] [ESL-4.13] [ESL-4.14] [ESL-12.35]."""
    given = {"method": method, "parameters": parameters, "arithmetic": "decimal:40", "x": X, "query": QUERY}
    given["y"] = y if y is not None else [row[0] ** 2 - row[1] for row in X]
    asked = problem.read(json.dumps(given), "P.json")
    own, model = textbook.reference(asked), asked.fitted()
    K, names = len(set(y or [])), [n for n in (*EXACT, *CLOSE) if hasattr(own, n) and hasattr(model, n)]
    assert len(names) >= 2
    for name in names:
        same(name, getattr(own, name), getattr(model, name), K)
    if not parameters.get("costs") or K == 2:
        for name in [n for n in ("decision_function", "predict_proba") if hasattr(own, n) and hasattr(model, n)]:
            same(name, getattr(own, name)(QUERY), getattr(model, name)(QUERY), K)
    if y is None:
        same("predict", own.predict(QUERY), model.predict(QUERY), 0)
    else:
        assert list(own.predict(QUERY)) == list(model.predict(QUERY))
        assert list(map(list, own.ties(QUERY))) == list(map(list, model.ties(QUERY)))


def same(name, got, want, classes):
    """Assert that two nested values are one, to 25 digits of the largest."""
    a, b = unique(name, got, classes), unique(name, want, classes)
    size = max([Fraction(1), *map(abs, b)])
    assert len(a) == len(b), name
    assert max([abs(v - w) for v, w in zip(a, b)]) <= size / 10**25, name


@pytest.mark.parametrize(("costs", "middle"), [(None, 0), ([[0, 2], [2, 0]], 0)])
def test_ties_are_told_by_fifty_digits(costs, middle):
    """Halfway between the means both classes tie; 10⁻⁴⁰ beside it they do not, 10⁻⁶⁰ they cannot be told apart."""
    places = [f"{middle}", "1e-40", "-1e-40", "1e-60", "1000000"]
    given = {"method": "lda", "x": [[-3], [-1], [1], [3]], "y": [0, 0, 1, 1], "query": [[v] for v in places]}
    given["parameters"] = {} if costs is None else {"costs": costs}
    own = textbook.reference(problem.read(json.dumps(given), "P.json"))
    assert own.ties([[Fraction(v)] for v in places]) == [[0, 1], [1], [0], [0, 1], [1]]


def test_rules_of_equal_means_have_no_axes():
    """Fisher's quotient is zero in every direction."""
    given = {"method": "fisher", "x": [[-1], [1], [-2], [2]], "y": [0, 0, 1, 1]}
    own = textbook.reference(problem.read(json.dumps(given), "P.json"))
    with pytest.raises(NoAnswer, match="means that differ"):
        assert own.eigenvalues_


def test_without_an_intercept_the_constant_is_zero():
    """y = x through the origin; of the textbook's own attributes the constant is 0  [ESL-12.35]."""
    given = {"method": "linear_regression", "parameters": {"intercept": False}, "x": [[1], [2]], "y": [1, 2]}
    own = textbook.reference(problem.read(json.dumps(given), "P.json"))
    assert (own.coef_, own.intercept_, own.predict([[3]])) == ([1], [0], [3])


def test_a_function_with_a_number_that_is_not_finite_has_no_sum_of_squares():
    """An intercept is finite where a coefficient is not: neither y = x is kept, nor anything raised  [ESL-12.35]."""
    given = {"method": "linear_regression", "x": [[0], [1], [2]], "y": [0, 1, 3]}
    own = textbook.reference(problem.read(json.dumps(given), "P.json"))
    assert own.taken({"intercept": [0], "coef": [math.inf]}).kept_ is None
    assert own.taken({"intercept": [0], "coef": [1]}).kept_ == 1
