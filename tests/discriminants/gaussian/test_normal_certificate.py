"""Proofs of the rules of normal classes, exact, from the data and the attributes as delivered."""

from fractions import Fraction
from random import Random

import pytest

import refclass
from refclass import FisherDiscriminant as Fisher
from refclass import LinearDiscriminantAnalysis as LDA
from refclass import OptimalScoring
from refclass import QuadraticDiscriminantAnalysis as QDA
from refclass import RegularizedDiscriminantAnalysis as RDA
from refclass.discriminants.gaussian import normal_certificate
from refclass.estimators.protocol.estimator import clone
from refclass.sample.moments import moments
from tests.discriminants.samples import PLANE, exact

rng = Random(7)
LABELS = ["abc"[i % 3] for i in range(30)]
ROWS = [[rng.gauss(1.5 * (i % 3 == j), 1) for j in range(3)] for i in range(30)]
MODELS = [
    LDA(),
    LDA(n_components=1),
    LDA(priors=[0.2, 0.3, 0.5], divisor="n"),
    Fisher(),
    Fisher(between="centroids", n_components=1),
    QDA(),
    RDA(alpha=0.3, gamma=0.5),
    OptimalScoring(),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("offset", [0, 10**6, 10**9])
def test_rounded_answers_hold_within_roundoff_far_from_zero(model, offset):
    """Every equation holds up to roundoff, wherever the data lie and whatever the units."""
    rows = [[offset + x, 1e6 * (offset + z), 1e-6 * (offset + v)] for x, z, v in ROWS]
    found = clone(model).fit(rows, LABELS).certificate_
    assert found.status == "within roundoff" or found.digits > 13, found


@pytest.mark.parametrize("model", [LDA(), Fisher(), QDA(), RDA(alpha=Fraction(1, 3), gamma=Fraction(1, 2))], ids=str)
def test_exact_answers_hold_exactly(model):
    """In exact arithmetic every equation holds with ==."""
    found = clone(model).set_params(arithmetic="exact").fit(*PLANE).certificate_
    assert (found.status, found.worst_violation, found.where) == ("optimal", 0, "")


@pytest.mark.parametrize("kind", [LDA, Fisher, OptimalScoring])
@pytest.mark.parametrize("column", [7.0, 0.1, "copy", "triple", "zero"])
@pytest.mark.parametrize("seed", range(3))
def test_a_pseudo_inverse_raises_no_false_alarm(kind, column, seed):
    """With a constant or dependent column the right answer of a pseudo-inverse holds within roundoff."""
    chance = Random(seed)
    rows = [[chance.gauss(i % 3, 1) / 3, chance.gauss(0, 1)] for i in range(24)]
    more = {"copy": lambda x: x, "triple": lambda x: 3 * x, "zero": lambda x: 0.0}.get(column, lambda x: column)
    found = kind(pseudo_inverse=True).fit([[*x, more(x[0])] for x in rows], LABELS[:24]).certificate_
    assert found.digits > 12 and found.premise.count("pseudo-inverse") == (
        column != "triple" or "left out" in found.premise
    )


def test_the_eigenvalues_that_are_used_are_judged():
    """Variates multiplied by seven are found out, before the attributes are read and after."""
    for read in (False, True):
        model = Fisher().fit(ROWS, LABELS)
        variates = model._variates
        if read:
            assert model.eigenvalues_ and model.scalings_
        vars(model)["_variates"] = type(variates)(7 * variates.eigenvalues, variates.vectors, variates.centre)
        assert model.certificate_.status == "not converged" and "eigenvalues" in model.certificate_.where


def test_every_arithmetic_has_the_same_coefficients_and_constants():
    """With equal priors exact, rounded and decimal answers differ by roundoff only, in LDA, FDA and PDA  [ESL-4.10]."""
    rows, labels = [[i * i % 7, i % 5 + i % 3] for i in range(15)], [i % 3 for i in range(15)]
    for kind in (LDA, refclass.PenalizedDiscriminantAnalysis, refclass.FlexibleDiscriminantAnalysis):
        models = [kind(arithmetic=name).fit(rows, labels) for name in ("exact", "float", "decimal:30")]
        right = [float(v) for row in models[0].decision_function(rows) for v in row]
        for model in models[1:]:
            got = [float(v) for row in model.decision_function(rows) for v in row]
            assert all(abs(a - b) < 1e-12 for a, b in zip(got, right))
            for name in ("coef_", "intercept_"):
                if name in kind.fitted:
                    reported = [getattr(m, name) for m in (model, models[0])]
                    flat = [
                        [float(v) for row in t for v in (row if isinstance(row, list) else [row])] for t in reported
                    ]
                    assert all(abs(a - b) < 1e-12 for a, b in zip(*flat))


def test_a_wrong_covariance_is_measured_by_its_standard_deviations():
    """An entry off by a share of σᵢσⱼ fails by that share, however small it is itself."""
    known = moments(exact(*PLANE))
    sigma = known.pooled("n-k")
    wrong = [list(row) for row in sigma]
    wrong[0][0] = wrong[0][0] * Fraction(1001, 1000)
    failed, where = normal_certificate.covariance("Σ̂", sigma, wrong)
    assert abs(failed - Fraction(1, 1000)) < Fraction(1, 10**15) and where == "Σ̂"
    assert normal_certificate.covariance("Σ̂", sigma, sigma)[0] == 0
