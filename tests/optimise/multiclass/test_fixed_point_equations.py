"""Newton's equations in integers: solved to many digits where columns of Z and weights are of very different sizes."""

from random import Random

import pytest

from refclass.kernels.polynomial import Polynomial
from refclass.margins.lee_lin_wahba import decimal_fit
from refclass.number.decimals import decimal
from refclass.optimise.multiclass import central_path, fixed_point_equations, newton_equations
from refclass.optimise.multiclass.newton_equations import moved
from tests.margins.lee_lin_wahba.test_decimal_fit import prices

F = decimal(80)


def points(kind, seed, lam):
    """Nine points with columns of sizes 10⁶, 1 and 10⁻⁶, the first rows with entries in the first columns only."""
    r = Random(seed)
    Z = [[F.lift(r.gauss(0, 1)) * F.kind(10) ** (6 - 6 * j) * int(i >= j) for j in range(3)] for i in range(9)]
    return kind(Z, F, lam) if kind is fixed_point_equations.Points else kind(Z, True, F)


@pytest.mark.parametrize("seed", range(6))
def test_equations_are_solved_to_forty_bits_and_more(seed):
    """Left sides differ from right sides by what all classes share, parameters sum to zero [MMST-11.76]."""
    r, lam = Random(seed), F.kind(1) / 1000
    own = points(fixed_point_equations.Points, seed, lam)
    d = [[F.lift(10.0 ** r.uniform(-8, 8)) for _ in range(9)] for _ in range(3)]
    b = [[F.lift(r.gauss(0, 1)) * s for s in own.scale] for _ in range(3)]
    system = own.equations(lam, d)
    x = system.refined(b)
    assert system.size(moved(system.apply(x), -1, b)) <= system.size(b) / 10**12
    plain = newton_equations.ZeroSum(points(newton_equations.Points, seed, lam), lam, d)
    assert system.size(moved(plain.apply(x), -1, b)) <= system.size(b) / 10**12
    for s, column in zip(own.scale, zip(*x)):
        assert abs(sum(column)) * s <= F.kind(10) ** -20 * max(abs(v) * s for v in column)


def test_sums_are_those_of_decimals():
    """Values and gathered weights, to forty digits [MMST-11.76]."""
    pair = [points(kind, 1, F.kind(1)) for kind in (fixed_point_equations.Points, newton_equations.Points)]
    r = Random(2)
    v, weights = [[F.lift(r.random()) for _ in range(4)]], [[F.lift(r.random()) for _ in range(9)]]
    for name, given in (("values", v), ("gathered", weights)):
        ((ours,), (theirs,)) = [getattr(own, name)(given) for own in pair]
        assert all(abs(a - b) <= F.kind(10) ** -40 * (1 + abs(b)) for a, b in zip(ours, theirs))


def test_a_table_that_is_not_definite_is_refused():
    """A weight of zero everywhere leaves the intercept without curvature."""
    own = points(fixed_point_equations.Points, 1, F.kind(1))
    with pytest.raises(ArithmeticError):
        own.equations(F.kind(1), [[F.kind(0)] * 9] * 3)


def test_an_iterate_at_given_functions_is_centred():
    """Products of slacks and multipliers are all μ, slacks belong to the functions, which sum to zero [MMST-11.92]."""
    machine = prices(Polynomial(degree=2, scale=1, c=1), 1)
    held = decimal_fit.over(F, machine)
    Z = decimal_fit.features(held.K, F, 15, lambda q: 10 * q, 100)
    box: central_path.Box = decimal_fit.boxed(held, newton_equations.Points(Z, True, F))
    box.at([[F.kind(k) / 10**7] * len(own) for k, own in enumerate(box.v)], F.kind(0))
    assert all(abs(sum(column)) <= F.kind(10) ** -60 for column in zip(*box.v))
    products = [a * b for pair in box.pairs() for rows in zip(*pair, box.held) for a, b, none in zip(*rows) if not none]
    assert max(products) - min(products) <= max(products) / 10**20
    u = [box.over(f, y) for f, y in zip(box.points.values(box.v), box.code)]
    for rows in zip(box.s, box.xi, u, box.held):
        assert all(none or abs(s - x + w) <= (s + x) / 10**40 for s, x, w, none in zip(*rows))
