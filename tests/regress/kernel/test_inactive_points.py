"""Points that a proof does not have to compute exactly."""

import random
from fractions import Fraction

import pytest

from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import Rows
from refclass.linear.common_denominator import Scaled
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.soft import Machine
from refclass.number.binary64 import BINARY64
from refclass.regress.kernel import certificate, inactive_points
from tests.benchmarks.samples import gauss


def machine(n, seed):
    """Return a Gaussian machine on two normal classes, and multipliers of which few are not zero."""
    X, y = gauss(n, 2, seed=seed)
    K = Rows(BINARY64, Gaussian(0.5), Matrix(map(Vector, X)))
    rng = random.Random(seed)
    labels = Vector([2.0 * k - 1 for k in y])
    alpha = [rng.choice((1.0, rng.random())) if i < n // 3 else 0.0 for i in range(n)]
    return Machine(K, labels, (1.0,) * n).dual(), Vector(alpha).times(labels)


@pytest.mark.parametrize("seed", range(4))
def test_a_proof_is_the_same_with_and_without_them(seed, monkeypatch):
    """Bounds, worst violation and its place: the points left out add nothing to any of them."""
    dual, a = machine(30, seed)
    exact = certificate.lifted(dual)
    kept = inactive_points.active(exact, Scaled.of(a), Fraction(0))
    short = certificate.certify(dual, a, 0.25)
    monkeypatch.setattr(certificate, "active", lambda machine, a, b: range(len(a)))
    assert short == certificate.certify(dual, a, 0.25)
    assert 10 <= len(kept) < 30 and set(range(10)) <= set(kept)


def test_a_point_on_the_edge_is_computed_exactly():
    """Where y f(x) is 1 up to roundoff doubles do not decide on which side it lies."""
    dual, a = machine(30, 1)
    exact = certificate.lifted(dual)
    values = certificate.scaled_product(dual.K, Scaled.of(a))
    for i in (20, 25):
        b = exact.y[i] - values[i]
        assert i in inactive_points.active(exact, Scaled.of(a), b)
        assert i in inactive_points.active(exact, Scaled.of(a), b + exact.y[i] / 10**15)
        assert i not in inactive_points.active(exact, Scaled.of(a), b + exact.y[i] / 10**9)


def test_fractions_and_linear_kernels_are_computed_whole():
    """Rows of fractions have no roundoff, and a linear kernel's values cost less than its rows."""
    dual, a = machine(12, 0)
    table = Matrix([Vector(map(Fraction, dual.K.row(i))) for i in range(12)])
    exact = certificate.lifted(dual)
    assert inactive_points.active(certificate.replace(exact, K=table), Scaled.of(a), Fraction(0)) == range(12)
