"""The machine of Lee, Lin and Wahba in decimals, where doubles lead nowhere near its optimum and K is of low rank."""

from __future__ import annotations

from typing import Any, Optional

from refclass.kernels.matrices.product import linear_points
from refclass.linear.vector import Vector
from refclass.margins.decimal_features import features, field_for
from refclass.margins.lee_lin_wahba import pair_fit
from refclass.margins.lee_lin_wahba.problem import Machine, over
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field
from refclass.number.tolerance import roundoff
from refclass.optimise.multiclass import central_path, fixed_point_equations, interior_point
from refclass.optimise.multiclass.newton_equations import Points

DIGITS = 80  # of the decimals, beside as many as the diagonal of K has powers of ten
CLOSE = 50  # digits of the gap at which the method in decimals ends: multipliers put at their bounds cost some
REST = 15  # digits that K may miss of those
WIDE = 8 * 10**7  # multiplications for a step in doubles, up to which their factors are made: a second, thirty times
NEAR, ENOUGH = 10, 10**7  # 1 / the relative gap from which on integers follow, and at which doubles end
END = 10  # digits that are left where integers end, at the least
HIDDEN = 10**9  # 1 / roundoff of a function at multipliers at their bounds, above which doubles of K lead nowhere
FEW = 400  # multipliers, up to which steps in decimals take less than a second and come first
WORK = 3 * 10**6  # multiplications for a step, up to which the method is taken: a second or two, forty times


def multipliers(machine: Machine) -> Optional[tuple[Vector, ...]]:
    """Return nearly optimal multipliers, class by class, in fractions; None where that takes too long.

    By the interior point method in doubles on a Z that is rounded from decimals, and in integers from where it ends;
    where that does not lead near enough, or multipliers are few, in decimals.

    Given     the machine in fractions

    Cost      that of `interior_point.solve`
    """
    if not machine.positive:
        return None
    F = field_for(machine.K, DIGITS)
    if F is None:
        return None
    few = machine.n * machine.classes <= FEW
    near = None if few else from_doubles(machine, F)
    if near is not None:
        return near
    own = over(F, machine)
    Z = features(own.K, F, REST, lambda q: work(own.n, own.classes, q + 1), WORK)
    if Z is None:
        return from_doubles(machine, F) if few else None
    box = boxed(own, Points(Z, True, F))
    state = interior_point.solve(box, F.kind(10) ** -CLOSE)
    return placed(machine, box, state)


def boxed(machine: Machine, points: Points) -> central_path.Box:
    """Return the central path of a machine in the arithmetic of its points."""
    problem = machine.problem()
    code = [[v / machine.scale for v in column] for column in problem.c]
    return central_path.Box(points, code, [list(column) for column in problem.upper], machine.scale)


def from_doubles(machine: Machine, F: Field) -> Optional[tuple[Vector, ...]]:
    """Return nearly optimal multipliers; None where the central path in doubles does not lead near enough.

    Its end is continued in integers. The columns of Z keep the digits that K has lost in doubles: they are rounded
    one by one, small ones beside large.
    """
    if linear_points(machine.K) is not None:
        return None
    own = over(F, machine)
    Z = features(own.K, F, REST, lambda q: work(machine.n, machine.classes, q + 1), WIDE)
    if Z is None:
        return None
    doubles = boxed(over(BINARY64, machine), Points([list(map(float, z)) for z in Z], True))
    near = interior_point.solve(doubles, 1 / ENOUGH, 1)
    if not near.gap * NEAR <= 1:
        return None
    # Premise: multipliers of the size of a pair's share in the gap are put at their bounds; what K makes of them costs
    # L a point.
    reach = max(machine.K.diagonal()) * sum(map(sum, machine.costs)) / machine.scale
    close = machine.n * machine.classes / (10**END * max(reach, 1))
    found = pair_fit.multipliers(
        machine, near, Points(Z, True, F), work(machine.n, machine.classes, len(Z[0]) + 1), close
    )
    if found is not None:
        return found
    box = boxed(own, fixed_point_equations.Points(Z, F, own.scale))
    box.at([F.lift_all(v) for v in near.v], F.lift(near.dual))
    state = interior_point.solve(box, F.lift(close), 1)
    return placed(machine, box, state) if state.gap * pair_fit.PROVEN < 1 else None


def placed(machine: Machine, box: central_path.Box, state: Any) -> tuple[Vector, ...]:
    """Return the multipliers of an iterate, those that are next to their bounds put there."""
    largest = [[max(map(max, state.multipliers))] * machine.n] * machine.classes
    rows = zip(state.multipliers, state.slack, box.xi, box.upper, largest, machine.problem().upper)
    return tuple([Vector.of(map(pair_fit.at_bounds, *columns)) for columns in rows])


def continued(machine: Machine) -> bool:
    """Return whether the central path in doubles may be continued in integers (`from_doubles`)."""
    return bool(not machine.rounded and machine.positive and linear_points(machine.K) is None)


def hidden(machine: Machine) -> bool:
    """Return whether doubles of K lose the function of multipliers at their bounds, and `from_doubles` is taken."""
    if not continued(machine):
        return False
    reach = max(map(abs, machine.K.diagonal())) * max(map(max, machine.costs)) / machine.scale
    few = work(machine.n, machine.classes, machine.n + 1) <= WIDE
    return bool(few and roundoff(float) * reach * HIDDEN > 1)


def work(n: int, classes: int, q: int) -> int:
    """Return the multiplications for a step with q parameters in each class (see `newton_equations.ZeroSum`)."""
    return classes * q**2 * n // 2 + classes * q**3 // 2
