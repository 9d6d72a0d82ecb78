"""Crammer and Singer's dual in integers, on pairs of a point and a class that are taken in as they are violated."""

from fractions import Fraction as Q
from functools import partial
from random import Random

import pytest

from refclass.kernels.matrices.gram import Rows
from refclass.kernels.matrices.product import fixed_rows
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import certificate, optimum
from refclass.margins.crammer_singer.problem import Machine
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.optimise.multiclass import zero_sum_crossover
from refclass.optimise.multiclass.growing_set import growing_pairs, pairs
from refclass.optimise.multiclass.growing_set.pair_path import Dual, Path
from refclass.optimise.multiclass.growing_set.pairs import Gram, Scaled

BITS = 400
F = decimal(120)


def prices(seed, cost, n=9, classes=3):
    """A machine on prices in two columns, its cubic kernel up to 10¹⁸; every fourth point is a copy."""
    r = Random(seed)
    X = [Vector([Q(r.randint(10**5, 2 * 10**6)) for _ in range(2)]) for _ in range(n)]
    X[3::4] = X[2::4][: len(X[3::4])]
    kernel = Polynomial(degree=3, scale=Q(1, 10**6), c=1)
    labels = tuple([i % classes for i in range(n)])
    return Machine(Rows(RATIONAL, kernel, Matrix.of(X)), labels, classes, (Q(cost),) * n)


def dual(machine):
    """The same in integers."""
    K = Gram(F, fixed_rows(machine.K, len(machine.labels), BITS), BITS)
    return Dual(K, machine.labels, machine.classes, [F.lift(c) for c in machine.costs])


@pytest.mark.long
@pytest.mark.parametrize("cost", [pytest.param(Q(1, 10**6), marks=pytest.mark.slow), 1, 1000])
@pytest.mark.parametrize("seed", range(2))
def test_a_few_pairs_grow_to_those_of_the_optimum(seed, cost):
    """From two points the path comes to twenty digits of the exact optimum  [ISML-27.5-dual] [RC-31]."""
    machine = prices(seed, cost)
    exact = zero_sum_crossover.solve(machine.problem()).x
    n = len(machine.labels)
    best = certificate.certify(machine, list(zip(*[exact[k * n : (k + 1) * n] for k in range(3)])))
    assert best.gap == 0
    near = [[Q(0)] * n for _ in range(3)]
    near[0][0], near[1][0], near[1][1], near[0][1] = Q(1, 10**9), -Q(1, 10**9), Q(1, 10**9), -Q(1, 10**9)
    found = optimum.in_integers(machine, near)
    proof = certificate.certify(machine, list(zip(*found.near)))
    assert abs(proof.dual - best.dual) * 10**20 <= best.dual
    assert proof.digits >= 10


def test_the_dual_value_of_a_set_of_pairs_is_a_bound_for_all():
    """It rises from set to set, and never above the optimum  [ISML-27.5-dual]."""
    machine = prices(1, 1)
    own, values = dual(machine), []

    def start(chosen):
        path = Path(own, chosen)
        plain = path.state

        def noted():
            values.append(plain().dual)
            return plain()

        path.state = noted
        return path

    chosen = [{0, 1} if i < 2 else set() for i in range(9)]
    _, state = growing_pairs.solve(start, chosen, F.kind(10) ** -25)
    assert state.gap * F.kind(10) ** 25 <= 1
    assert all(v <= state.primal * (1 + F.kind(10) ** -25) for v in values)


def test_an_iterate_is_taken_over():
    """Products of slacks and multipliers are alike, multipliers of a point sum to its cost  [RC-31]."""
    own = dual(prices(2, 1))
    path = Path(own, [{0, 1, 2}] * 6 + [set()] * 3)
    state = growing_pairs.interior_point.solve(path, F.kind(1) / 100)
    larger = Path(own, [{0, 1, 2}] * 9)
    larger.grow(path.chosen.flat, state)
    products = [s * e for s, e in zip(larger.s, larger.eta)]
    assert max(products) - min(products) <= max(products) * F.kind(10) ** -20
    assert all(abs(sum(larger.eta[j] for j in mine) - 1) < F.kind(10) ** -9 for mine in larger.chosen.own)


def test_a_step_solves_its_equations():
    """(K + D) Δη + Δξ = c/η + r with the sums that are missing  [ISML-27.5-dual]."""
    own = dual(prices(3, 1))
    path = Path(own, [{0, 1, 2} if i % 3 else {i % 3, 1} for i in range(9)])
    path.linearise()
    products = [F.kind(1) / (2 + j) for j in range(len(path.eta))]
    rise, _, [(_, (deta,))] = path.direction([[products]])
    image = own.K.lifted(path.chosen.at_pairs(path.chosen.values(own.K.fixed(deta))))
    for j, a in enumerate(path.chosen.at):
        left = image[j] + path.s[j] / path.eta[j] * deta[j] + rise[a]
        right = products[j] / path.eta[j] + path.rest[j]
        assert abs(left - right) <= F.kind(10) ** -25 * (1 + abs(image[j]) + abs(right))
    assert all(abs(v - w) < F.kind(10) ** -25 for v, w in zip(path.chosen.gathered(deta), path.missing))


def test_work_is_limited(monkeypatch):
    """No step is begun that would exceed it, and the fit goes on without these multipliers  [ISML-27.5-dual]."""
    monkeypatch.setattr(pairs, "WORK", 100)
    machine = prices(0, 1)
    near = [[Q(1, 10**9) * (1 if k == g else -Q(1, 2)) for g in machine.labels] for k in range(3)]
    assert optimum.in_integers(machine, near) is None
    with pytest.raises(pairs.Spent):
        Path(dual(machine), [{0, 1, 2}] * 9).linearise()


def test_a_table_that_is_not_definite_is_refused():
    """Its rows are those of a saddle."""
    with pytest.raises(ArithmeticError):
        Scaled([[1 << 20], [2 << 20, 1 << 20]], 20)
    assert Scaled([[4 << 20], [2 << 20, 5 << 20]], 20).solve([6 << 20, 7 << 20]) == [1 << 20, 1 << 20]


def test_without_functions_no_pair_is_chosen():
    """Multipliers that are all zero say nothing of where to begin  [ISML-27.5-dual]."""
    assert optimum.in_integers(prices(0, 1), [[Q(0)] * 9] * 3) is None
    assert partial(Path, dual(prices(0, 1)))([{0, 1}, {0, 1}, *[set()] * 7]).violated([[0] * 9] * 3, F.kind(0))
