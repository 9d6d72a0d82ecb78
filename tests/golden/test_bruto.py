"""BRUTO against R's mda, and against a version with a knot at every value, through the public face."""

import math

import pytest

from refclass import BRUTO
from tests.golden.cases import cases, close, load

CASES = cases("bruto")


KNOWN = {}


def fitted(case):
    """Return the estimator of a case, fitted once, with its rows."""
    if case["id"] not in KNOWN:
        X, y = load(case["data"])
        KNOWN[case["id"]] = BRUTO(cost=case["parameters"]["cost"]).fit(X, y), X
    return KNOWN[case["id"]]


def lower(model, expected):
    """Return whether the score is below that of full knots by more than a part in ten thousand."""
    return model.gcv_ < expected["exact_spline_gcv"] * (1 - 1e-4)


@pytest.mark.parametrize("case", CASES)
def test_types_and_degrees_of_freedom_are_the_recorded_ones(case):
    """Out, line and smooth as in mda, and as many degrees of freedom within the case's tolerance  [GAP-9].

    They are those of full knots where these, found one variable at a time, score as low.
    """
    model, _ = fitted(case)
    e = case["expected"]
    assert model.types_ == e["type"]
    assert close(model.degrees_of_freedom_, e["df"], case["check_tolerance"]["df"])
    assert lower(model, e) or close(model.degrees_of_freedom_, e["exact_spline_df"], 0.05)


@pytest.mark.parametrize("case", CASES)
def test_the_score_is_that_of_full_knots(case):
    """The score is that of full knots to a part in a thousand, that of mda's reduced knots to one in a hundred."""
    model, _ = fitted(case)
    e = case["expected"]
    assert close(model.gcv_, e["exact_spline_gcv"], 1e-3 * e["exact_spline_gcv"])
    assert close(model.gcv_, e["gcv"], case["check_tolerance"]["gcv_relative"] * e["gcv"])


@pytest.mark.parametrize("case", CASES)
def test_fitted_values_are_those_of_full_knots(case):
    """The fit differs from the recorded one by a small share of its own size, a larger one where it scores lower
    [CMP-BRUTO]."""
    model, X = fitted(case)
    e = case["expected"]
    got = model.predict([X[i] for i in e["rows"]])
    near = 5e-3 if lower(model, e) else 2e-3
    for name, share in (("exact_spline_fitted_at_rows", near), ("fitted_at_rows", 3e-2)):
        rms = math.sqrt(sum((a - b) ** 2 for a, b in zip(got, e[name])) / len(got))
        assert rms <= share * e["rms_of_fit"]
