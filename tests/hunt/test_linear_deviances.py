"""Deviances of linear functions on columns of very different sizes: the proof covers the coefficients delivered."""

from fractions import Fraction
from random import Random

import pytest

from refclass import KernelClassifier
from refclass.errors import NotConverged
from refclass.number.field import rational
from tests.hunt import deviance
from tests.profiles import thorough

SEEDS = range(200) if thorough() else (8, 21, 28, 34)


def drawn(seed):
    """Return rows, labels and parameters of a deviance on a few columns of size 10^±6, most far from zero."""
    r = Random(seed)
    n, K = r.randint(6, 16), r.choice([2, 2, 3, 4])
    off, sizes = r.choice([0, 1, 1e3, 1e6, 1e9]), [10.0 ** r.randint(-6, 6) for _ in range(r.randint(1, 3))]
    X = [[off + s * r.gauss(0, 1) for s in sizes] for _ in range(n)]
    how = {"penalty": Fraction(10) ** r.randint(-8, 4), "arithmetic": r.choice(["float", "decimal:20", "decimal:30"])}
    return X, [i % K for i in range(n)], how


def objective(X, y, beta, beta0, lam):
    """Return the objective of linear functions, in fractions, with logarithms of 80 digits."""
    values = [[sum(c * Fraction(v) for c, v in zip(row, x)) + b for row, b in zip(beta, beta0)] for x in X]
    rows = [[Fraction(0), *row] if len(row) == 1 else row for row in values]
    lost = sum((deviance.losses(row, g) for row, g in zip(rows, y)), Fraction(0))
    return lost + lam * sum(c * c for row in beta for c in row) / 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_coefficients_delivered_are_covered_by_the_proof(seed):
    """The primal is no less than what they cost, the objective is the primal; few digits have their ceiling."""
    X, y, how = drawn(seed)
    try:
        model = KernelClassifier(loss="deviance", **how).fit(X, y)
    except NotConverged as refusal:
        assert refusal.witness["primal"] >= refusal.witness["dual"] >= 0
        return
    proof, beta = model.certificate_, [list(map(rational, row)) for row in model.coef_]
    with deviance.localcontext() as context:
        context.prec = deviance.PLACES
        cost = objective(X, y, beta, list(map(rational, model.intercept_)), how["penalty"])
    assert cost <= proof.primal * (1 + Fraction(1, 10**50))
    assert proof.digits >= 9 or proof.ceiling - proof.digits < 1
    assert abs(rational(model.objective_) / proof.primal - 1) < Fraction(1, 10**14)


def large(seed):
    """Return rows of ten points or more on columns of 10⁴ to 10⁶, with small penalties, and parameters."""
    r = Random(seed)
    n, K, sizes = r.randint(12, 18), r.choice([2, 2, 3]), [10.0 ** r.randint(4, 6) for _ in range(r.randint(1, 2))]
    off = r.choice([0, 1e3, 1e6])
    X = [[off + s * r.gauss(0, 1) for s in sizes] for _ in range(n)]
    how = {"penalty": Fraction(10) ** r.randint(-8, -4), "arithmetic": r.choice(["float", "float", "decimal:20"])}
    return X, [i % K for i in range(n)], how


@pytest.mark.parametrize("seed", range(100) if thorough() else (3, 4))
def test_rounded_multipliers_keep_the_functions_of_large_columns(seed):
    """Each rounded to its nearest, 83 of 100 such fits had fewer than nine digits, or none and were refused."""
    X, y, how = large(seed)
    model = KernelClassifier(loss="deviance", **how).fit(X, y)
    assert model.certificate_.digits >= 9
