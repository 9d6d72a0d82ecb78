"""BRUTO against R's mda, and against a version with a knot at every value.

Both choose one variable's smoothing at a time. That is compared where the sweeps stand, before the joint search that
follows here; the model that is returned scores no higher.
"""

import functools
import json
import math

import pytest

from refclass import BRUTO
from refclass.iteration import ending
from refclass.linear.matrix import Matrix
from refclass.regress.bruto import bruto
from refclass.regress.bruto.bruto_steps import Iteration, start, state_of
from tests.golden.cases import cases, close, load

CASES = cases("bruto")


@functools.cache
def fitted(told):
    """Return the estimator of a case, fitted, with its rows and responses."""
    case = json.loads(told)
    X, y = load(case["data"])
    return BRUTO(cost=case["parameters"]["cost"]).fit(X, y), X, y


@functools.cache
def settled(told):
    """Return the state of a case at which the sweeps stand, and its fitted values."""
    model, X, y = fitted(told)
    F = model.field()
    rows, responses = (Matrix.of([[F.lift(v) for v in row] for row in given]) for given in (X, [[v] for v in y]))
    problem = bruto.asked(F, rows, responses, cost=model.cost)
    state = ending(Iteration(F, problem).settle(state_of(problem, "selection", 0, start(F, problem), None)))
    return state, [v - r for v, r in zip(problem.sample.responses[0], state.fit.residual[0])]


def root_mean_square(got, want):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(got, want)) / len(want))


@pytest.mark.parametrize("case", CASES)
def test_types_and_degrees_of_freedom_are_the_recorded_ones(case):
    """Out, line and smooth as in mda, and as many degrees of freedom within the case's tolerance  [GAP-9]."""
    model, _, _ = fitted(json.dumps(case))
    state, _ = settled(json.dumps(case))
    e = case["expected"]
    assert model.types_ == list(state.types) == e["type"]
    for degrees in (model.degrees_of_freedom_, state.degrees):
        assert close(degrees, e["df"], case["check_tolerance"]["df"])
    assert close(state.degrees, e["exact_spline_df"], 0.05)


@pytest.mark.parametrize("case", CASES)
def test_the_score_is_that_of_full_knots(case):
    """The score is that of full knots to a part in a thousand, that of mda's reduced knots to one in a hundred."""
    model, _, _ = fitted(json.dumps(case))
    state, _ = settled(json.dumps(case))
    e = case["expected"]
    assert model.gcv_ <= state.gcv * (1 + 1e-9)
    for score in (model.gcv_, state.gcv):
        assert close(score, e["exact_spline_gcv"], 1e-3 * e["exact_spline_gcv"])
        assert close(score, e["gcv"], case["check_tolerance"]["gcv_relative"] * e["gcv"])


@pytest.mark.parametrize("case", CASES)
def test_fitted_values_are_those_of_full_knots(case):
    """The fit differs from the recorded one by a small share of its own size  [CMP-BRUTO]; that of the model returned,
    too, unless the joint search found a clearly lower score: then it is that of no recorded fit.
    """
    model, X, _ = fitted(json.dumps(case))
    state, values = settled(json.dumps(case))
    e, at = case["expected"], case["expected"]["rows"]
    said, size = model.predict([X[i] for i in at]), e["rms_of_fit"]
    for name, share in (("exact_spline_fitted_at_rows", 2e-3), ("fitted_at_rows", 3e-2)):
        assert root_mean_square([values[i] for i in at], e[name]) <= share * size
    assert root_mean_square(said, e["fitted_at_rows"]) <= 3e-2 * size
    lower = model.gcv_ < state.gcv * (1 - 1e-4)
    assert lower or root_mean_square(said, e["exact_spline_fitted_at_rows"]) <= 2e-3 * size
