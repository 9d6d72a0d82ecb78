"""Tests of the crossover: the optimum to many digits, and its best rounding to doubles."""

from fractions import Fraction as Q

import pytest

from refclass.errors import NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.insensitive import Insensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import certificate
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.rounded import rounding
from refclass.regress.kernel.tube import insensitive
from tests.regress.tables import machine

FAR = Matrix([[Q(10**8 + k), Q(10**8 - k * k % 7)] for k in range(8)])
Y = Vector([Q(k % 3) for k in range(8)])


@pytest.mark.parametrize("loss", [Insensitive, SquaredInsensitive])
def test_far_from_the_origin_the_optimum_has_all_its_digits(loss):
    """The gap of the optimum is below 10⁻²⁰, where doubles of K hold no digit of f  [ESL-12.36]."""
    m = machine(FAR, Y, loss(Q(1, 10)), Q(10))
    found = crossover.optimum(m)
    proof = certificate.certify(m, found.a, found.beta0)
    assert proof.digits > 20


def test_the_roundings_keep_the_sum_near_zero():
    """The first rounding balances to the last digit of the smallest multiplier."""
    m = machine(FAR, Y, SquaredInsensitive(Q(1, 10)), Q(10))
    a = rounding.best(m, crossover.optimum(m)).a
    assert abs(sum(map(Q, a))) <= min(abs(Q(v)) for v in a if v) / 2**52


def test_more_points_than_a_table_takes_are_refused(monkeypatch):
    """A kernel that is not linear needs a table of its points."""
    monkeypatch.setattr(crossover, "MOST", 3)
    K = FAR @ FAR.T
    m = insensitive.machine(RATIONAL, K, Y, Vector([Q(1)] * 8), Insensitive(Q(1)))
    with pytest.raises(NotConverged, match="at most 3 points"):
        crossover.optimum(m)
