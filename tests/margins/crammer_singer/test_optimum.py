"""The exact optimum from decimals: where doubles lead nowhere near, the interior point method in decimals does."""

from fractions import Fraction as Q
from random import Random

import pytest

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.margins.crammer_singer import certificate, optimum
from refclass.margins.crammer_singer.problem import Machine
from refclass.number.rational import RATIONAL

LABELS = (0, 1, 2, 0, 1, 2, 0, 1, 2)


def prices(kernel, cost):
    """A machine on nine prices in two columns."""
    r = Random(4)
    X = Matrix.of([[Q(r.randint(10**5, 2 * 10**6)) for _ in range(2)] for _ in LABELS])
    return Machine(Rows(RATIONAL, kernel, X), LABELS, 3, (Q(cost),) * 9)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=2, scale=1, c=1)], ids=["linear", "polynomial"])
@pytest.mark.parametrize("cost", [Q(1, 10**6), 10**6])
def test_decimals_lead_to_the_optimum_where_doubles_do_not(kernel, cost):
    """From nowhere, exactly: every condition holds with ==  [ISML-27.5-dual] [RC-31]."""
    machine = prices(kernel, cost)
    found = optimum.nearest(machine, None)
    assert found.exact and certificate.certify(machine, found.alpha).gap == 0


def test_decimals_keep_the_constraints_exactly():
    """α sums to zero over the classes and keeps its bounds, and thirty digits are proven  [ISML-27.5-dual]."""
    machine = prices(Polynomial(degree=2, scale=1, c=1), 100)
    end = optimum.in_decimals(machine)
    for alpha in (list(zip(*end.cut)), list(zip(*end.near))):
        assert not any(map(sum, alpha))
        assert all(v <= u for i, row in enumerate(alpha) for v, u in zip(row, certificate.bounds(machine, i)))
        assert certificate.certify(machine, alpha).digits >= 30


def test_steps_that_cost_too_much_are_not_taken(monkeypatch):
    """A table of high rank  [RC-31]."""
    monkeypatch.setattr(optimum, "WORK", 1000)
    assert optimum.in_decimals(prices(Polynomial(degree=3, scale=1, c=1), 1)) is None
    assert optimum.nearest(prices(Polynomial(degree=3, scale=1, c=1), 1), None) is None
