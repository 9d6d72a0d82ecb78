"""Discriminants against other programs' numbers: R's MASS, nnet and glm, mpmath, NumPy; each case says which, and
how near.
"""

import math

import pytest

import refclass
from tests.golden.cases import cases, close, load

MAKERS = {
    "lda": refclass.LinearDiscriminantAnalysis,
    "qda": refclass.QuadraticDiscriminantAnalysis,
    "rda": refclass.RegularizedDiscriminantAnalysis,
}


def sets(case):
    """Return the training data and the test data of a case, None if there are none."""
    return load(case["data"]), load(case["test_data"]) if case.get("test_data") else None


def options(case):
    """Return the priors of a case as an estimator takes them."""
    prior = (case.get("parameters") or {}).get("prior")
    return {"priors": prior} if prior else {}


def errors(model, X, y):
    """Return how many rows are put into a wrong class."""
    return sum(a != b for a, b in zip(model.predict(X), y))


def picked(case, model, rows):
    """Return rows of K numbers in the case's class order."""
    order = [model.classes_.index(c) for c in case["expected"]["class_order"]]
    return [[row[k] for k in order] for row in rows]


def same_axes(got, want, allowed):
    """Return whether axes, a column each, agree up to their signs."""
    for g, w in zip(zip(*got), zip(*want)):
        size = max(map(abs, w))
        side = 1 if sum(a * b for a, b in zip(g, w)) > 0 else -1
        if not close([side * v for v in g], list(w), allowed * size):
            return False
    return len(got) == len(want) and len(got[0]) >= len(want[0])


def largest(table):
    """Return the largest absolute value of a table."""
    return max(abs(v) for row in table for v in row)


@pytest.mark.parametrize("case", cases("lda", "qda"))
def test_gaussian_rules_agree(case):
    """Priors, means, posteriors and errors of LDA and QDA, on training and test rows, are those of another program
    [LDA-K.P1] [QDA.P1] [LDA-POST.P1] [RATE-TEST].
    """
    (X, y), test = sets(case)
    e, tol = case["expected"], case["check_tolerance"]
    model = MAKERS[case["method"]](**options(case)).fit(X, y)
    assert close(picked(case, model, [model.priors_])[0], e["prior"], 1e-12)
    assert errors(model, X, y) == e["train_errors"]
    P = picked(case, model, model.predict_proba([X[i] for i in e["rows"]]))
    assert close(P, e["posterior"], tol["posterior"])
    if test:
        assert errors(model, *test) == e["test_errors"]
        Q = picked(case, model, model.predict_proba([test[0][i] for i in e["test_rows"]]))
        assert close(Q, e["test_posterior"], tol["posterior"])
    if case["method"] == "qda":
        assert close(picked(case, model, [model.log_determinants_])[0], e["log_determinants"], tol["log_determinants"])


@pytest.mark.parametrize("case", cases("lda"))
def test_pooled_covariances_and_axes_agree(case):
    """Σ̂, the canonical variates and the errors in every number of them are those of another program
    [CANON-VAR.P2] [RR-LDA.P1] [MOMENTS.P1].
    """
    (X, y), test = sets(case)
    e, tol = case["expected"], case["check_tolerance"]
    model = MAKERS["lda"](**options(case)).fit(X, y)
    assert close(
        model.covariance_, e["pooled_covariance"], tol["covariance_relative"] * largest(e["pooled_covariance"])
    )
    ratio = len(y) / (len(model.classes_) - 1)
    assert close([math.sqrt(v * ratio) for v in model.eigenvalues_], e["svd"], tol["svd_relative"] * e["svd"][0])
    assert same_axes(model.scalings_, e["scaling"], tol["scaling"])
    for d in range(1, len(e["svd"]) + 1):
        reduced = MAKERS["lda"](n_components=d, **options(case)).fit(X, y)
        assert errors(reduced, X, y) == e["train_errors_by_dimension"][d - 1]
        if test:
            assert errors(reduced, *test) == e["test_errors_by_dimension"][d - 1]


@pytest.mark.parametrize("case", cases("lda", "qda"))
def test_leave_one_out_agrees(case):
    """Posteriors and errors of refits without each row, the priors kept, are those of another program  [CV-LOO]."""
    (X, y), _ = sets(case)
    e = case["expected"]
    full = MAKERS[case["method"]](**options(case)).fit(X, y)
    maker = MAKERS[case["method"]](priors=full.priors_)
    P = picked(case, full, refclass.leave_one_out(maker, X, y))
    assert close([P[i] for i in e["rows"]], e["loo_posterior"], case["check_tolerance"]["posterior"])
    said = [p.index(max(p)) for p in P]
    assert said == e["loo_class"]
    assert sum(e["class_order"][k] != label for k, label in zip(said, y)) == e["loo_errors"]


@pytest.mark.slow
@pytest.mark.parametrize("case", cases("rda"))
def test_regularised_errors_agree(case):
    """Training and test errors over a grid of (α, γ) are those of another program  [RDA-AG.P1] [ESL-4.3.1-family]."""
    (X, y), test = sets(case)
    e = case["expected"]
    for i, gamma in enumerate(e["gamma"]):
        for j, alpha in enumerate(e["alpha"]):
            model = MAKERS["rda"](alpha=alpha, gamma=gamma, **options(case)).fit(X, y)
            assert errors(model, X, y) == e["train_errors"][i][j]
            if test:
                assert errors(model, *test) == e["test_errors"][i][j]


@pytest.mark.parametrize("case", [c for c in cases("fisher") if c.values[0]["method"] == "fisher2"])
def test_two_class_directions_agree(case):
    """Fisher's direction, the midpoint, D², the best cut and the least-squares line are those of 40-digit arithmetic
    [FISHER-2.P1] [FISHER-2.P2] [LS-LDA.P1] [LDA-CUT.P2] [LDA-2MID.P2].
    """
    X, y = load(case["data"])
    e, tol = case["expected"], case["check_tolerance"]["relative"]
    model = MAKERS["lda"](priors=[0.5, 0.5]).fit(X, y)
    w = model.coef_[0]
    want = e["direction_W_inverse_mean1_minus_mean0"]
    assert model.classes_ == e["class_order"] and close(w, want, tol * max(map(abs, want)))
    assert close(-model.intercept_[0], e["midpoint_cut"], tol * sum(abs(a * b) for a, b in zip(w, e["means"][0])))
    assert errors(model, X, y) == e["errors_at_midpoint_cut"]
    best = MAKERS["lda"](cutpoint="empirical").fit(X, y)
    assert errors(best, X, y) == e["fewest_training_errors_over_all_cuts"]
    f = refclass.FisherDiscriminant().fit(X, y)
    p = y.count(e["class_order"][0]) / len(y)
    assert close(f.eigenvalues_[0] / (p * (1 - p)), e["mahalanobis_squared"], tol * e["mahalanobis_squared"])
    line = refclass.LeastSquaresClassifier(coding=(-1, 1)).fit(X, y)
    assert close(line.coef_[0], e["least_squares_slopes"], tol * max(map(abs, e["least_squares_slopes"])))
    assert close(line.intercept_[0], e["least_squares_intercept"], 10 * tol * abs(e["least_squares_intercept"]))


@pytest.mark.parametrize("case", [c for c in cases("fisher") if c.values[0]["method"] == "canonical"])
def test_canonical_variates_agree(case):
    """Values and vectors for both between matrices are those of another program
    [CANON-VAR.P1] [CANON-VAR.P2] [FISHER-RQ.P2] [CLASH-5].
    """
    X, y = load(case["data"])
    e, tol = case["expected"], case["check_tolerance"]
    between = "weighted" if case["convention"].startswith("B = sum_k") else "centroids"
    model = refclass.FisherDiscriminant(between=between).fit(X, y)
    for got, want in zip(model.eigenvalues_, e["values"]):
        assert close(got, want, tol["values_relative"] * want)
    assert same_axes(model.scalings_, list(zip(*e["vectors"])), tol["vectors"])


@pytest.mark.parametrize("case", cases("logistic"))
def test_largest_likelihoods_agree(case):
    """Deviance, coefficients, probabilities, standard errors and training errors are those of R
    [LOGIT-2.P2] [MULTINOM.P3].
    """
    X, y = load(case["data"])
    e, tol = case["expected"], case["check_tolerance"]
    model = refclass.LogisticRegression().fit(X, y)
    assert close(-2 * model.log_likelihood_, e["deviance"], tol["deviance_relative"] * e["deviance"])
    rows = [[b, *w] for b, w in zip(model.intercept_, model.coef_)]
    if len(rows) == 1:
        rows = [[0.0] * len(rows[0]), *rows]
    order = [model.classes_.index(c) for c in e["class_order"]]
    base = rows[model.classes_.index(e["baseline_class"])]
    others = [rows[k] for k in order if model.classes_[k] != e["baseline_class"]]
    for row, want in zip(others, e["coefficients_intercept_first"]):
        got = [a - b for a, b in zip(row, base)]
        assert close(got, want, tol["coefficients_relative"] * max(map(abs, want)))
    P = picked(case, model, model.predict_proba([X[i] for i in e["rows"]]))
    assert close(P, e["probabilities"], tol["probabilities"])
    assert errors(model, X, y) == e["train_errors"]
    if "standard_errors" in e:
        for got, want in zip(model.standard_errors_, e["standard_errors"]):
            assert close(got, want, 1e-6 * want)
