"""The machine of Lee, Lin and Wahba in decimals, where doubles lead nowhere near its optimum and K is of low rank."""

from __future__ import annotations

from typing import Optional

from refclass.kernels.matrices.product import linear_points
from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.vector import Vector
from refclass.margins.decimal_features import features, field_for
from refclass.margins.lee_lin_wahba.problem import Machine, over
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, Number
from refclass.number.tolerance import roundoff
from refclass.optimise.multiclass import central_path, interior_point, primal_dual_active_set
from refclass.optimise.multiclass.newton_equations import Points

DIGITS = 80  # of the decimals, beside as many as the diagonal of K has powers of ten
CLOSE = 50  # digits of the gap at which the method in decimals ends: multipliers put at their bounds cost some
REST = 15  # digits that K may miss of those
WIDE = 8 * 10**7  # multiplications for a step in doubles, up to which their factors are made: a second, thirty times
NEAR, ENOUGH = 1000, 10**5  # 1 / the relative gap that makes a guess, and at which doubles end: 10⁻⁷ is noise in some
HIDDEN = 10**9  # 1 / roundoff of a function at multipliers at their bounds, above which doubles of K lead nowhere
WORK = 3 * 10**6  # multiplications for a step, up to which the method is taken: a second or two, forty times


def multipliers(machine: Machine) -> Optional[tuple[Vector, ...]]:
    """Return multipliers to about CLOSE digits, class by class, in fractions; None where that takes too long.

    By the interior point method in decimals; where its steps would take too long, by that in doubles on a Z that is
    rounded from decimals, and the primal-dual active-set method from where it ends.

    Given     the machine in fractions

    Cost      that of `interior_point.solve`
    """
    if not machine.positive:
        return None
    F = field_for(machine.K, DIGITS)
    if F is None:
        return None
    own = over(F, machine)
    Z = features(own.K, F, REST, lambda q: work(own.n, own.classes, q + 1), WORK)
    if Z is None:
        return from_doubles(machine, F)
    box = boxed(own, Points(Z, True, F))
    state = interior_point.solve(box, F.kind(10) ** -CLOSE)
    rows = zip(state.multipliers, state.slack, box.xi, box.upper, machine.problem().upper)
    return tuple([Vector.of(map(at_bounds, *columns)) for columns in rows])


def boxed(machine: Machine, points: Points) -> central_path.Box:
    """Return the central path of a machine in the arithmetic of its points."""
    problem = machine.problem()
    code = [[v / machine.scale for v in column] for column in problem.c]
    return central_path.Box(points, code, [list(column) for column in problem.upper], machine.scale)


def from_doubles(machine: Machine, F: Field) -> Optional[tuple[Vector, ...]]:
    """Return multipliers to some twenty digits; None where doubles lead to no guess at where they are.

    The columns of Z keep the digits that K has lost in doubles: they are rounded one by one, small ones beside large.
    """
    if linear_points(machine.K) is not None:
        return None
    Z = features(over(F, machine).K, F, REST, lambda q: work(machine.n, machine.classes, q + 1), WIDE)
    sets = None if Z is None else guess(over(BINARY64, machine), [list(map(float, z)) for z in Z])
    if sets is None:
        return None
    bits = -int(F.eps.logb()) * 10 // 3
    rows = [fixed(machine.K.row(i), bits) for i in range(machine.n)]
    return primal_dual_active_set.solve(machine.problem(), rows, bits, sets)


def guess(machine: Machine, Z: list[list[float]]) -> Optional[primal_dual_active_set.Sets]:
    """Return where multipliers are, at 0, at their upper bound or between, at the end of doubles."""
    box = boxed(machine, Points(Z, True))
    state = interior_point.solve(box, 1 / ENOUGH)
    if state.gap * NEAR > 1:
        return None
    rows = zip(state.multipliers, state.slack, box.xi, box.upper)
    return [list(map(side, *columns)) for columns in rows]


def side(a: float, slack: float, beyond: float, top: float) -> int:
    """Return where a multiplier is that nears its place along the central path."""
    if a <= top * slack:
        return primal_dual_active_set.LOW
    return primal_dual_active_set.HIGH if top - a < top * beyond else primal_dual_active_set.FREE


def hidden(machine: Machine) -> bool:
    """Return whether doubles of K lose the function of multipliers at their bounds, and `from_doubles` is taken."""
    if machine.rounded or not machine.positive or linear_points(machine.K) is not None:
        return False
    reach = max(map(abs, machine.K.diagonal())) * max(map(max, machine.costs)) / machine.scale
    few = work(machine.n, machine.classes, machine.n + 1) <= WIDE
    return bool(few and roundoff(float) * reach * HIDDEN > 1)


def at_bounds(a: Number, slack: Number, beyond: Number, top: Number, upper: Number) -> Number:
    """Return a multiplier in the kind of its bound, at a bound where it is nearer to it than the bound's slack says."""
    return 0 * upper if a < top * slack else upper if top - a < top * beyond else type(upper)(a)


def work(n: int, classes: int, q: int) -> int:
    """Return the multiplications for a step with q parameters in each class (see `newton_equations.ZeroSum`)."""
    return classes * q**2 * n // 2 + classes * q**3 // 2
