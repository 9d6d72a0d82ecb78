"""The exact optimum of the direct machine from an answer near it; where doubles lead nowhere near, from decimals.

Which multipliers are below their bounds is read off the answer in doubles, and off the end of an interior point method
where that is not the right set: in decimals, whose equations have as many unknowns as the functions have parameters, so
that a kernel of low rank costs little in any number of digits; else in integers, on a set of pairs of a point and a
class that begins with those of doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.kernels.matrices.product import fixed_rows
from refclass.margins.crammer_singer.certificate import bounds
from refclass.margins.crammer_singer.problem import Machine, over
from refclass.margins.decimal_features import features, field_for
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.optimise.multiclass import central_path, interior_point, zero_sum_crossover
from refclass.optimise.multiclass.growing_set import growing_pairs
from refclass.optimise.multiclass.growing_set.pair_path import Dual, Path
from refclass.optimise.multiclass.growing_set.pairs import Gram
from refclass.optimise.multiclass.newton_equations import Points

EXCHANGES = 250  # variables below their bounds, up to which their equations are solved exactly
DIGITS = 80  # of the decimals, beside as many as the diagonal of K has powers of ten
CLOSE = 60  # digits of the gap at which the method in decimals ends: multipliers put at zero cost some
REST = 20  # digits that K may miss of those
FINE = 256  # bits of integers beside twice those of the largest value of K over one
NEAR, SURE = 40, 15  # digits of the gap at which the method in integers ends, and those that will do
WORK = 10**6  # multiplications for a step in decimals, up to which that method is taken: about half a second

Columns = list[list[Fraction]]


@dataclass(frozen=True)
class Nearest:
    """Multipliers, n rows of K fractions, and whether they are the optimum itself or only near it."""

    alpha: list[tuple[Fraction, ...]]
    exact: bool


@dataclass(frozen=True)
class End:
    """Where an interior point method ends, class by class.

    cut     multipliers, those that are next to a bound put there
    near    multipliers that are as near as its gap says: of a large K a little of a multiplier is much of a function
    """

    cut: Columns
    near: Columns


def nearest(machine: Machine, near: Optional[Sequence[Sequence[Number]]]) -> Optional[Nearest]:
    """Return the optimum of a machine in fractions, or to CLOSE digits; None where neither way leads there.

    near    multipliers class by class, of any kind
    """
    found = None if near is None else solved(machine, near)
    if found is None:
        end = in_decimals(machine) or (None if near is None else in_integers(machine, near))
        if end is None:
            return None
        found = solved(machine, end.cut) or Nearest([tuple(map(rational, row)) for row in zip(*end.near)], False)
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


def in_decimals(machine: Machine) -> Optional[End]:
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
    everywhere = range(machine.classes)
    rows = zip(places, zip(*state.multipliers), zip(*state.slack))
    return ended(machine, F, [(i, everywhere, eta, slack) for i, eta, slack in rows])


def in_integers(machine: Machine, near: Sequence[Sequence[Number]]) -> Optional[End]:
    """Return the multipliers that the interior point method ends at in integers; None where that takes too long.

    near    multipliers class by class; the method begins with the pairs that are below their bounds in them
    """
    if None in machine.costs or not machine.positive:
        return None
    largest = max(map(abs, machine.K.diagonal()))
    bits = FINE + 2 * abs(int(largest).bit_length() - int(1 / largest if largest else 0).bit_length())
    F = decimal(bits * 3 // 10)
    K = Gram(F, fixed_rows(machine.K, len(machine.labels), bits), bits)
    dual = Dual(K, machine.labels, machine.classes, [F.lift(c) for c in machine.costs])
    chosen = []
    for i, (row, g) in enumerate(zip(zip(*near), machine.labels)):
        below = {k for k, (v, u) in enumerate(zip(row, bounds(machine, i))) if u is None or v < type(v)(u)}
        chosen.append(below | {g} if any(row) and machine.costs[i] else set[int]())
    if not any(chosen):
        return None
    try:
        path, state = growing_pairs.solve(partial(Path, dual), chosen, F.kind(10) ** -NEAR)
    except NotConverged:
        return None
    if not state.gap * F.kind(10) ** SURE < 1:
        return None
    rows, (eta,), (slack,) = [], state.multipliers, state.slack
    for i, own in zip(path.chosen.points, path.chosen.own):
        rows.append((i, [path.chosen.flat[j][1] for j in own], [eta[j] for j in own], [slack[j] for j in own]))
    return ended(machine, F, rows)


def ended(machine: Machine, F: Field, rows: Sequence[tuple[int, Sequence[int], Sequence[Number], Any]]) -> End:
    """Return the multipliers of an end in the field F: for some points classes, their η and their slacks."""
    cut, near = ([[Fraction(0)] * len(machine.labels) for _ in range(machine.classes)] for _ in range(2))
    for i, classes, eta, slack in rows:
        place, c = classes.index(machine.labels[i]), rational(machine.costs[i])
        for out, above in ((cut, slack), (near, [0 * s for s in slack])):
            for k, v in zip(classes, at_bounds(eta, above, place, F.lift(c), c)):
                out[k][i] = v
    return End(cut, near)


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
