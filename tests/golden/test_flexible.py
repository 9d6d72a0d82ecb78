"""Flexible, penalised and mixture discriminants against R's mda; each case says which call, and how near."""

import math

import pytest

import refclass
from tests.golden.cases import cases, close, load
from tests.golden.test_discriminants import errors, picked, same_axes, sets


def flexible(case):
    """Return the estimator that a case's call of mda::fda stands for."""
    fit, args = case["parameters"]["fit"], case["parameters"]["args"]
    if fit == "polyreg":
        regression = refclass.PolynomialRegression(degree=args["degree"])
    elif fit == "gen.ridge":
        return refclass.PenalizedDiscriminantAnalysis(penalty=args["lambda"])
    elif fit == "bruto":
        regression = "bruto"
    else:
        p = len(case["data"]["x"])
        regression = {"name": "mars", "degree": args["degree"], "max_terms": max(21, 2 * p + 1), "penalty": 2}
    return refclass.FlexibleDiscriminantAnalysis(regression=regression)


def shares_of(values):
    """Return the cumulative percentages of between-group variance, v/(1 − v)."""
    ratios = [v / (1 - v) for v in values]
    return [100 * sum(ratios[: i + 1]) / sum(ratios) for i in range(len(ratios))]


@pytest.mark.parametrize("case", [c for c in cases("fda") if "values" in c.values[0]["check_tolerance"]])
def test_scores_posteriors_and_coordinates_agree(case):
    """Polynomial and ridge regression: eigenvalues, percentages, posteriors, coordinates, centroids, errors in every
    number of coordinates  [FDA-ALG.P1] [FDA-REDDIM.P1] [PDA-CRIT.P2] [YANG-computation-of-fda] [YANG-pda].
    """
    (X, y), _ = sets(case)
    model, want, allowed = flexible(case).fit(X, y), case["expected"], case["check_tolerance"]
    assert close(model.eigenvalues_, want["values"], allowed["values"])
    assert close(shares_of(model.eigenvalues_), want["percent_between_group_variance"], allowed["percent"])
    rows = [X[i] for i in want["rows"]]
    assert close(picked(case, model, model.predict_proba(rows)), want["posterior"], allowed["posterior"])
    assert same_axes(model.transform(rows), want["variates_up_to_sign"], 1e-7)
    for d in range(1, want["dimension"] + 1):
        assert errors(model.reduced(d), X, y) == want["train_errors_by_dimension"][d - 1]
    Z = model.transform(X)
    for label, centroid in zip(model.classes_, model.centroids_):
        inside = [z for z, g in zip(Z, y) if g == label]
        mean = [math.fsum(column) / len(inside) for column in zip(*inside)]
        assert close(centroid, mean, 1e-9 * max(map(abs, centroid)))
    if "df" in want:
        assert close(model.degrees_of_freedom_ - 1, want["df"], 1e-9)


@pytest.mark.parametrize("case", [c for c in cases("fda") if "values" not in c.values[0]["check_tolerance"]])
def test_adaptive_regressions_come_near(case):
    """BRUTO and MARS, each from one program whose own settings decide: errors within a few, percentages within points
    [FDA-BRUTO.P2] [FDA-MARS.P1].
    """
    (X, y), _ = sets(case)
    model, want = flexible(case).fit(X, y), case["expected"]
    assert abs(errors(model, X, y) - want["train_errors"]) <= 2
    points = 3 if case["parameters"]["fit"] == "bruto" else 6
    assert close(shares_of(model.eigenvalues_), want["percent_between_group_variance"], points)


@pytest.mark.slow
@pytest.mark.parametrize("case", cases("mda"))
def test_mixtures_from_a_given_start_agree(case):
    """ℓ, weights, means, Σ, posteriors and errors at the end of the iteration from the same start; ℓ never falls on the
    way [MDA-LL.P1] [MDA-M.P2] [MDA-POST.P1] [MDA-INIT] [YANG-mda-likelihood] [YANG-mda-posterior].
    """
    (X, y), test = sets(case)
    given, want, allowed = case["parameters"], case["expected"], case["check_tolerance"]
    model = refclass.MixtureDiscriminantAnalysis(subclasses=given["subclasses"], start=given["start"]).fit(X, y)
    assert math.isclose(model.log_likelihood_, want["log_likelihood_joint"], rel_tol=allowed["log_likelihood_joint"])
    trace = model.log_likelihoods_
    assert all(b >= a - 1e-12 * abs(a) for a, b in zip(trace, trace[1:]))
    order = [model.classes_.index(c) for c in want["class_order"]]
    assert close([model.weights_[k] for k in order], want["subclass_prior"], 1e-9)
    assert close([model.means_[k] for k in order], want["subclass_means"], 1e-8)
    assert close(model.covariance_, want["covariance"], 1e-9)
    P = picked(case, model, model.predict_proba([X[i] for i in want["rows"]]))
    assert close(P, want["posterior"], allowed["posterior"])
    assert errors(model, X, y) == want["train_errors"]
    if test:
        assert errors(model, *test) == want["test_errors"]
    assert model.certificate_.status == "stationary"


def test_loading_knows_every_case():
    """Each case of both files is used by one of the tests above."""
    assert len(cases("fda")) == 5 and len(cases("mda")) == 2
    assert all(load(c.values[0]["data"])[0] for c in cases("mda"))
