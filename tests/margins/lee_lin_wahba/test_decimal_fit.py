"""Lee, Lin and Wahba's machine in decimals: twenty digits where doubles prove none."""

from fractions import Fraction as Q
from random import Random

import pytest

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate, decimal_fit, float_fit
from refclass.margins.lee_lin_wahba.problem import Machine, over
from refclass.margins.lee_lin_wahba.trained_machine import rounded, trained
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL

LABELS = (0, 1, 2, 0, 1, 2, 0, 1, 2)


def prices(kernel, penalty):
    """A machine on nine prices in two columns, each wrong class at the same cost."""
    r = Random(4)
    X = Matrix.of([Vector([Q(r.randint(10**5, 2 * 10**6)) for _ in range(2)]) for _ in LABELS])
    costs = tuple([Vector([Q(k != g) for k in range(3)]) for g in LABELS])
    return Machine(Rows(RATIONAL, kernel, X), LABELS, costs, Q(penalty))


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=2, scale=1, c=1)], ids=["linear", "polynomial"])
@pytest.mark.parametrize("penalty", [Q(1, 10**6), 1000])
def test_decimals_prove_what_doubles_cannot_hold(kernel, penalty):
    """More than twenty digits between primal and dual at the multipliers  [MMST-11.104] [MMST-11.107]."""
    machine = prices(kernel, penalty)
    found = trained(machine, decimal_fit.multipliers(machine))
    assert certificate.certify(machine, found.alpha, found.beta0).digits >= 20


def test_a_large_machine_is_finished_by_decimals(monkeypatch):
    """Beyond the size that the exact method takes the answer has the digits of the rounded optimum  [MMST-11.104]."""
    monkeypatch.setattr(float_fit, "SMALL", 5)
    machine = prices(Linear(), 10**10)
    start = trained(machine, tuple([Vector([Q(0)] * 9)] * 3))
    proof = certificate.certify(machine, start.alpha, start.beta0)
    found = float_fit.finished(machine, rounded(machine, start, float), proof)
    assert found.ceiling > proof.digits
    assert float_fit.proof_of(machine, found).digits == found.ceiling


def test_steps_that_cost_too_much_are_not_taken(monkeypatch):
    """A table of high rank  [MMST-11.104]."""
    monkeypatch.setattr(decimal_fit, "WORK", 500)
    monkeypatch.setattr(decimal_fit, "WIDE", 500)
    assert decimal_fit.multipliers(prices(Polynomial(degree=3, scale=1, c=1), 1)) is None


@pytest.mark.parametrize("penalty", [Q(1, 10**6), 1])
def test_integers_go_on_where_the_central_path_in_doubles_ends(monkeypatch, penalty):
    """Ten digits and more, of a cubic kernel that reaches 10²⁰  [MMST-11.104] [MMST-11.107]."""
    machine = prices(Polynomial(degree=3, scale=Q(1, 10**6), c=1), penalty)
    monkeypatch.setattr(decimal_fit, "WORK", 50)
    found = trained(machine, decimal_fit.multipliers(machine))
    assert certificate.certify(machine, found.alpha, found.beta0).digits >= 10


def test_decomposition_that_was_left_out_follows_where_decimals_lead_nowhere(monkeypatch):
    """It proves its nine digits; a single working set proves fewer  [MMST-11.104]."""
    machine = over(BINARY64, prices(Polynomial(degree=2, scale=1e-12, c=1), Q(1, 1000)))
    monkeypatch.setattr(float_fit, "SMALL", 5)
    monkeypatch.setattr(decimal_fit, "hidden", lambda machine: True)
    monkeypatch.setattr(decimal_fit, "multipliers", lambda machine: None)
    monkeypatch.setattr(float_fit.low_rank, "factored", lambda *given: None)
    found = float_fit.approximate(machine)
    first = certificate.certify(machine, found.alpha, found.beta0)
    ended = float_fit.assured(machine, float_fit.approximate(machine))
    assert first.digits < 9 <= certificate.certify(over(RATIONAL, machine), ended.alpha, ended.beta0).digits
