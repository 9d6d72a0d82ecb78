"""Lee, Lin and Wahba's central path in integers, on pairs of a point and a class."""

from fractions import Fraction as Q
from functools import partial
from random import Random

import pytest

from refclass.kernels.matrices.gram import Rows
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate, decimal_fit, pair_fit
from refclass.margins.lee_lin_wahba.problem import Machine
from refclass.margins.lee_lin_wahba.trained_machine import trained
from refclass.number.rational import RATIONAL
from refclass.optimise.multiclass.growing_set import growing_pairs
from refclass.optimise.multiclass.growing_set.box_pair_path import Path
from tests.margins.lee_lin_wahba.test_decimal_fit import prices
from tests.profiles import examples

CUBIC = Polynomial(degree=3, scale=Q(1, 10**6), c=1)


def duals(penalty=1):
    """A machine on nine prices in integers, and all pairs whose bounds are above zero."""
    dual = pair_fit.in_integers(prices(CUBIC, penalty))
    return dual, [{k for k in range(3) if dual.upper[k][i]} for i in range(9)]


def ended(machine, most, gap):
    """The points by at most so many columns of Z in decimals, and the end of the central path in doubles at a gap."""
    F = decimal_fit.field_for(machine.K, decimal_fit.DIGITS)
    Z = decimal_fit.features(decimal_fit.over(F, machine).K, F, 15, lambda q: 2 * q, 2 * most)
    doubles = decimal_fit.boxed(
        decimal_fit.over(decimal_fit.BINARY64, machine), decimal_fit.Points([list(map(float, z)) for z in Z], True)
    )
    return decimal_fit.Points(Z, True, F), growing_pairs.interior_point.solve(doubles, gap, 1)


def test_a_step_solves_its_equations():
    """Slacks follow the functions, products change as asked, sums are alike, intercepts sum to zero [MMST-11.104]."""
    dual, chosen = duals()
    F, path = dual.K.F, Path(dual, [own if i % 4 else set(list(own)[:1]) for i, own in enumerate(chosen)])
    for _, _ in zip(range(4), growing_pairs.interior_point.steps(path)):
        pass
    path.linearise()
    lower, upper = ([F.kind(1) / (j + 2 + shift) for j in range(len(path.s))] for shift in (0, 3))
    db, _, [((ds,), (da,)), ((dxi,), (dg,))] = path.direction([[lower], [upper]])
    moved = dual.K.lifted(path.chosen.at_pairs(path._centred(da)))
    unit = F.kind(10) ** -25
    for j, (_, k) in enumerate(path.chosen.flat):
        size = 1 + abs(moved[j])
        assert abs(ds[j] - dxi[j] + moved[j] + db[k] + path.rest[j]) <= unit * size
        assert abs(path.s[j] * da[j] + path.alpha[j] * ds[j] - lower[j]) <= unit * size
        assert abs(path.xi[j] * dg[j] + path.gamma[j] * dxi[j] - upper[j]) <= unit * size
    sums = [a + b for a, b in zip(path._sums(path.alpha), path._sums(da))]
    assert max(sums) - min(sums) <= unit and abs(sum(path.b) + sum(db)) <= unit


@pytest.mark.parametrize("penalty", [1, pytest.param(Q(1, 10**6), marks=pytest.mark.slow)])
def test_a_few_pairs_grow_to_those_of_the_optimum(penalty):
    """The bounds are those that decimals prove of all  [MMST-11.104] [MMST-11.107]."""
    machine = prices(CUBIC, penalty)
    best = trained(machine, decimal_fit.multipliers(machine))
    proof = certificate.certify(machine, best.alpha, best.beta0)
    dual, chosen = duals(penalty)
    few = [own if i < 3 else set() for i, own in enumerate(chosen)]
    _, state = growing_pairs.solve(partial(Path, dual), few, dual.K.F.kind(10) ** -25)
    unit = Q(machine.divisor)
    assert abs(Q(state.dual) / unit - proof.dual) * 10**18 <= proof.dual
    assert state.gap * 10**15 < 1


def test_functions_are_taken_over():
    """They stay as they are, with their norm, and products of slacks and multipliers are one μ  [MMST-11.92]."""
    dual, chosen = duals()
    path = Path(dual, [own if i < 6 else set() for i, own in enumerate(chosen)])
    state = growing_pairs.interior_point.solve(path, dual.K.F.kind(1) / 100)
    larger = Path(dual, chosen)
    larger.at(state)
    after = larger.state()
    assert max(abs(a - b) for x, y in zip(after.v, state.v) for a, b in zip(x, y)) >> dual.K.bits - 200 == 0
    assert abs(after.square - state.square) * 10**20 <= state.square
    products = [a * s for a, s in zip(larger.alpha, larger.s)] + [g * x for g, x in zip(larger.gamma, larger.xi)]
    assert max(products) - min(products) <= max(products) * dual.K.F.kind(10) ** -9


def test_pairs_that_are_no_fewer_are_left_to_the_columns():
    """Where a step on them takes longer than it may, nothing is tried  [MMST-11.104]."""
    machine = prices(CUBIC, 1)
    points, near = ended(machine, 20, 1e-5)
    assert pair_fit.multipliers(machine, near, points, 0, Q(1, 10**20)) is None
    found = trained(machine, pair_fit.multipliers(machine, near, points, 10**9, Q(1, 10**40)))
    assert certificate.certify(machine, found.alpha, found.beta0).digits >= 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(examples(4)))
def test_the_pairs_that_a_coarse_end_calls_for_are_those_of_the_optimum(seed, monkeypatch):
    """Of a kernel of degree 4 that reaches 10^15, where doubles are left at a gap of 10^-2: one set of pairs, not all,
    leads to twenty digits  [MMST-11.104]."""
    r, labels = Random(seed), tuple([i % 4 for i in range(24)])
    X = [[r.gauss(70 + 3 * (g == 0), 1), r.gauss(g, 2), r.gauss(10, 1 + g)] for g in labels]
    costs = tuple([Vector([Q(k != g) for k in range(4)]) for g in labels])
    kernel, points = Polynomial(degree=4, scale=1, c=1), Matrix.of([Vector.of(map(Q, x)) for x in X])
    machine, sets = Machine(Rows(RATIONAL, kernel, points), labels, costs, Q(1, 100)), []
    points, near = ended(machine, 40, 0.01)
    monkeypatch.setattr(pair_fit, "Path", lambda dual, pairs: sets.append(pairs) or Path(dual, pairs))
    found = trained(machine, pair_fit.multipliers(machine, near, points, 10**9, Q(1, 10**40)))
    assert certificate.certify(machine, found.alpha, found.beta0).digits >= 20 and len(sets) == 1
    assert sum(map(len, sets[0])) < 3 * 24
