"""ISML's program: the machine it solves, and the one its text requires."""

from fractions import Fraction as Q
from random import Random

import pytest
from hypothesis import given, settings

from refclass.data import spirals
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import gram
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate, fit, soft
from refclass.margins.svm import isml_listing as listing
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.margins.machines import machine, problems
from tests.profiles import examples
from tests.strategies import positive, vectors

few = settings(max_examples=examples(20))


def criterion(m, f, square, lam):
    """Σ [1 − yᵢf(xᵢ)]₊ + (λ/2)‖f‖², with the ridge's part of the norm in the square."""
    return sum(soft.slack(v, t) for v, t in zip(f, m.y)) + lam / 2 * square


@few
@given(problems(), positive)
def test_the_box_of_the_criterion_is_one_over_lambda(case, lam):
    """With 0 ≤ α ≤ 1/λ the program minimises Σ hinge + (λ/2)‖f‖²; with the printed 1/(2λ) it does that for the penalty
    λ‖f‖², and misses wherever the bound is met  [ERR-ISML-02] [ISML-27.4-listing]."""
    X, y = case
    K, labels = machine(X, y).K, machine(X, y).y
    values, largest = [], []
    for form, penalty in ((listing.meant, lam), (listing.printed, 2 * lam)):
        m = form(K, labels, lam, Q(1, 100))
        t = fit.train(RATIONAL, m)
        f = soft.decision_values(m, t.alpha, Q(0))
        assert criterion(m, f, t.square, penalty) == penalty * t.dual_objective  # P = D: it is the least
        values.append(criterion(m, f, t.square, lam))
        largest.append(max(t.alpha))
    assert (values[0] < values[1]) == (largest[0] > 1 / (2 * lam)) and values[0] <= values[1]


@few
@given(problems(), positive, vectors(8))
def test_the_program_has_a_box_and_a_ridge_and_no_equality(case, lam, values):
    """Its objective is ½αᵀ((yyᵀ)∘K + I/100)α − 1ᵀα; α need not balance, because f has no intercept
    [ERR-ISML-12] [ISML-27.4-listing] [ISML-27.2-no-intercept] [ISML-27.2-jitter] [SVC-NOINT.P1]."""
    X, y = case
    m = listing.printed(machine(X, y).K, machine(X, y).y, lam, Q(1, 100))
    problem, alpha = m.dual().problem(), Vector(values[: len(y)])
    signed = alpha.times(m.y)
    plain = sum(a * b * sum(u * v for u, v in zip(x, z)) for a, x in zip(signed, X) for b, z in zip(signed, X))
    total = sum(s * (problem.Q.row(i) @ signed) for i, s in enumerate(signed))
    assert total == plain + alpha @ alpha / 100 and problem.E is None
    assert problem.c @ signed == -alpha.sum() and set(m.costs) == {1 / (2 * lam)}


@pytest.mark.slow
def test_on_the_spirals_the_bound_is_not_met_and_with_the_digit_one_it_is():
    """n = 200, width 1, λ = .01: the largest α is below 1, so both boxes (50 and 100) give one answer; with the digit
    one read for the letter l the box is ½, and about half of the points lie at it
    [ERR-ISML-02] [ERR-ISML-11] [M-ISML-F27.10/11] [ISML-27.4-spiral] [ISML-27.4-gaussian]."""
    X, labels = spirals.points(BINARY64, 200, Random(0))
    K, y = gram(BINARY64, Gaussian.of_width(1.0), X), Vector(map(float, labels))
    alphas = {}
    for f, lam in ((listing.printed, 0.01), (listing.meant, 0.01), (listing.printed, 1.0)):
        m = f(K, y, lam, 0.01)
        t = fit.train(BINARY64, m)
        assert abs(certificate.certify(m, t.alpha, 0.0).gap) < 1e-9
        alphas[f, lam] = t.alpha
        f_values = [v - 0.01 * a * s for v, a, s in zip(soft.decision_values(m, t.alpha, 0.0), t.alpha, y)]
        assert all(v * s > 0 for v, s in zip(f_values, y))  # every point of the spirals is on its side
    assert max(alphas[listing.printed, 0.01]) < 1
    assert (alphas[listing.printed, 0.01] - alphas[listing.meant, 0.01]).largest() < 1e-7
    assert 80 <= sum(a == 0.5 for a in alphas[listing.printed, 1.0]) <= 120
