"""The best intercept of every piecewise quadratic loss, against every break point, its neighbours and a grid."""

from fractions import Fraction as Q
from random import Random

import pytest

from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Piece, scaled, value
from refclass.losses.hinge import Hinge
from refclass.losses.huber import Huber
from refclass.losses.huberised import Huberised
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import intercept
from refclass.regress.kernel.machine import Machine
from tests.profiles import examples

MARGIN = [Hinge(), SquaredHinge(), Huberised()]
RESIDUAL = [Huber(Q(1)), Insensitive(Q(1, 2)), Insensitive(Q(0)), SquaredInsensitive(Q(1, 2))]
RESIDUAL += [QuadraticInsensitive(Q(1, 4)), SquaredInsensitive(Q(0))]
HARD = Piece(Q(0), Q(0), Q(0), None)


def drawn(random):
    """Return a machine of at most five points of mixed losses, some without slack, and values of f."""
    n, pieces, y = random.randint(1, 5), [], []
    for _ in range(n):
        sign = Q(random.choice([1, -1]))
        if random.random() < 0.1:
            pieces.append((HARD if sign > 0 else HARD.mirrored(),))
        else:
            loss = random.choice(MARGIN + RESIDUAL)
            unit = loss.of_label(RATIONAL, sign) if loss in MARGIN else loss.pieces(RATIONAL)
            pieces.append(scaled(unit, Q(random.randint(0, 3), 2)))
        y.append(sign)
    return Machine(None, Vector(y), tuple(pieces)), Vector([Q(random.randint(-6, 6), 2) for _ in range(n)])


def total(machine, values, b):
    """Return Σ Vᵢ(yᵢ − vᵢ − b); None where it is infinite."""
    lost = [value(own, t - v - b) for own, t, v in zip(machine.pieces, machine.y, values)]
    return None if None in lost else sum(lost)


@pytest.mark.many
@pytest.mark.parametrize("seed", range(examples(60)))
def test_no_other_intercept_is_better_and_none_outside_as_good(seed):
    """Five machines of a seed: the ends of the interval have the least sum, and what lies beyond them more
    [ISML-27.4]."""
    random = Random(seed)
    for _ in range(5):
        machine, values = drawn(random)
        low, high = intercept.best(machine, values)
        grid = [Q(k, 8) for k in range(-80, 81)] + [low - Q(1, 1000), high + Q(1, 1000)]
        found = {b: v for b in grid if (v := total(machine, values, b)) is not None}
        best = total(machine, values, low)
        if best is None:
            assert low == high and not found
            continue
        assert best == total(machine, values, high) <= min(found.values())
        if best not in (total(machine, values, Q(-1000)), total(machine, values, Q(1000))):  # else there is no end
            assert all(low <= b <= high for b, v in found.items() if v == best)


def test_the_best_constant_has_the_least_objective():
    """Two labels against one: the constant is on the majority's margin, and one error costs 2C  [ESL-12.8]."""
    machine = Machine(None, Vector([Q(1), Q(1), Q(-1)]), tuple(Hinge().of_label(RATIONAL, Q(t)) for t in (1, 1, -1)))
    assert intercept.constant(machine) == 2 and intercept.best(machine, Vector([Q(0)] * 3)) == (1, 1)
