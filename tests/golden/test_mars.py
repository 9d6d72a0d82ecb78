"""MARS against R's earth and a brute-force search, through the public face."""

import pytest

from refclass import MARS
from tests.golden.cases import cases, close, load

CASES = cases("mars")


def fitted(case):
    """Return the estimator of a case, fitted, with its data."""
    X, y = load(case["data"])
    p = case["parameters"]
    spans = {"min_span": p["minspan"], "end_span": p["endspan"]}
    model = MARS(degree=p["degree"], max_terms=p["nk"], penalty=p["penalty"], threshold=p["thresh"], **spans)
    return model.fit(X, y), X, y


def key(term):
    """Return a term in a form that does not depend on the order of its factors."""
    return tuple(sorted((v, s, round(float(t), 9)) for v, s, t in term))


@pytest.mark.parametrize("case", CASES)
def test_the_forward_pass_enters_the_terms_of_the_exact_search(case):
    """The terms at the end of the forward pass are earth's where its search is exact  [GAP-9]."""
    model, _, _ = fitted(case)
    want = case["expected"]["forward_terms"]
    assert len(model.forward_terms_) == case["expected"]["brute_force_terms_forward"]
    if case["largest_differences"]["brute-force forward terms equal"]:
        assert [key(t) for t in model.forward_terms_] == [key(t) for t in want]


@pytest.mark.parametrize("case", CASES)
def test_the_selected_terms_are_those_of_the_brute_force_search(case):
    """After deletion the terms and the score are those of brute force  [GAP-9]."""
    model, _, _ = fitted(case)
    e = case["expected"]
    assert sorted(map(key, model.terms_)) == sorted(map(key, e["brute_force_selected_terms"]))
    assert close(model.gcv_, e["brute_force_gcv"], case["check_tolerance"]["gcv_relative"] * e["brute_force_gcv"])


@pytest.mark.parametrize("case", CASES)
def test_the_sizes_on_the_way_down_have_the_recorded_residuals(case):
    """Backward, RSS and score are earth's at the selected size; at other sizes it never has more  [GAP-9].

    Earth reports the best subset of each size that it has met, which deletion one by one need not pass.
    """
    if not case["largest_differences"]["brute-force forward terms equal"]:
        pytest.skip("earth's forward terms are not those of the exact search")
    model, X, y = fitted(case)
    e, states = case["expected"], list(model.steps(X, y))
    last = [s for s in states if s.phase == "forward"][-1]
    by_size = {len(s.terms): s for s in [last, *(s for s in states if s.phase == "backward")]}
    for size, (rss, gcv) in enumerate(zip(e["rss_per_subset_size"], e["gcv_per_subset_size"]), 1):
        state = by_size[size]
        assert state.rss > rss * (1 - 1e-10)
        if size in (1, len(e["selected"]), len(last.terms)):
            assert close(state.rss, rss, 1e-10 * rss) and close(state.gcv, gcv, 1e-10 * gcv)


@pytest.mark.parametrize("case", CASES)
def test_coefficients_and_predictions_are_the_recorded_ones(case):
    """Coefficients, residuals, fitted values and predictions at new points  [CMP-MARS]."""
    model, X, y = fitted(case)
    e = case["expected"]
    if not case["largest_differences"]["brute-force selected terms equal"]:
        pytest.skip("the case does not decide the terms")
    want = {key(e["forward_terms"][i]): c for i, c in zip(e["selected"], e["coefficients"])}
    size = max(map(abs, e["coefficients"]))
    assert all(close(c, want[key(t)], 1e-9 * size) for t, c in zip(model.terms_, model.coefficients_))
    assert close(model.rss_, e["rss"], case["check_tolerance"]["rss_relative"] * e["rss"])
    spread = max(y) - min(y)
    assert close(model.predict([X[i] for i in e["rows"]]), e["fitted_at_rows"], 1e-9 * spread)
    allowed = 1e-9 * max(spread, *map(abs, e["prediction_at_new_points"]))
    assert close(model.predict(e["new_points"]), e["prediction_at_new_points"], allowed)
