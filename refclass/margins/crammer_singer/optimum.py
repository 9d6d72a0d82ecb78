"""The exact optimum of the direct machine from an answer near it; where doubles lead nowhere near, from decimals.

Which multipliers are below their bounds is read off the answer in doubles, and off the end of the interior point method
in decimals where that is not the right set: the method's equations have as many unknowns as the functions have
parameters, so that a kernel of low rank costs little in any number of digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Optional

from refclass.margins.crammer_singer.certificate import bounds
from refclass.margins.crammer_singer.problem import Machine, over
from refclass.margins.decimal_features import features, field_for
from refclass.number.field import Number, rational
from refclass.optimise.multiclass import central_path, interior_point, zero_sum_crossover
from refclass.optimise.multiclass.newton_equations import Points

EXCHANGES = 250  # variables below their bounds, up to which their equations are solved exactly
DIGITS = 120  # of the decimals, beside as many as the diagonal of K has powers of ten
CLOSE = 60  # digits of the gap at which the method in decimals ends: multipliers put at zero cost some
REST = 20  # digits that K may miss of those
WORK = 10**6  # multiplications for a step in decimals, up to which that method is taken: about half a second

Columns = list[list[Fraction]]


@dataclass(frozen=True)
class Nearest:
    """Multipliers, n rows of K fractions, and whether they are the optimum itself or only near it."""

    alpha: list[tuple[Fraction, ...]]
    exact: bool


def nearest(machine: Machine, near: Optional[Sequence[Sequence[Number]]]) -> Optional[Nearest]:
    """Return the optimum of a machine in fractions, or to CLOSE digits; None where neither way leads there.

    near    multipliers class by class, of any kind
    """
    found = None if near is None else solved(machine, near)
    if found is None:
        near = in_decimals(machine)
        if near is None:
            return None
        found = solved(machine, near) or Nearest([tuple(map(rational, row)) for row in zip(*near)], False)
    return found


def solved(machine: Machine, near: Sequence[Sequence[Number]]) -> Optional[Nearest]:
    """Return the optimum if its multipliers below their bounds are those of the answer near it."""
    rows = list(zip(*near))
    free = sum(u is None or v < type(v)(u) for i, row in enumerate(rows) for v, u in zip(row, bounds(machine, i)))
    if free - len(rows) > EXCHANGES:
        return None
    problem = machine.problem()
    found = zero_sum_crossover.solved(problem, near)
    if found is None or not zero_sum_crossover.optimal(problem, *found):
        return None
    return Nearest(list(zip(*found[0])), True)


def in_decimals(machine: Machine) -> Optional[Columns]:
    """Return the multipliers that the interior point method ends at in decimals; None where that takes too long."""
    places = [i for i, c in enumerate(machine.costs) if c]
    if not places or None in machine.costs or not machine.positive:
        return None
    F = field_for(machine.K, DIGITS)
    if F is None:
        return None
    own = over(F, machine)
    Z = features(own.K, F, REST, partial(work, len(own.labels), own.classes), WORK)
    if Z is None:
        return None
    labels = [machine.labels[i] for i in places]
    points = Points([Z[i] for i in places], False, F)
    problem = central_path.Simplex(points, labels, [own.costs[i] for i in places], machine.classes, F.kind(1))
    state = interior_point.solve(problem, F.kind(10) ** -CLOSE)
    out = [[Fraction(0)] * len(machine.labels) for _ in range(machine.classes)]
    for i, eta, slack in zip(places, zip(*state.multipliers), zip(*state.slack)):
        for k, v in enumerate(at_bounds(eta, slack, machine.labels[i], own.costs[i], rational(machine.costs[i]))):
            out[k][i] = v
    return out


def at_bounds(eta: Sequence[Number], slack: Sequence[Number], g: int, rounded: Number, c: Number) -> list[Number]:
    """Return the α of a point of cost c, in its kind, η smaller than their slack put at zero; they sum to zero."""
    zero = 0 * c
    kept = [type(c)(e) if e > rounded * s else zero for e, s in zip(eta, slack)]
    total = sum(kept)
    alpha = [-v * c / total if total else zero for v in kept]
    alpha[g] = zero
    alpha[g] = min(-sum(alpha, zero), c)
    return alpha


def work(n: int, classes: int, q: int) -> int:
    """Return the multiplications for a step with q parameters in each class (see `newton_equations.Coupled`)."""
    return (classes * q) ** 2 * n // 4 + (classes * q) ** 3 // 6
