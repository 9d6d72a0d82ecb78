"""The machine of Lee, Lin and Wahba in decimals, where doubles lead nowhere near its optimum and K is of low rank."""

from __future__ import annotations

from typing import Optional

from refclass.linear.vector import Vector
from refclass.margins.decimal_features import features, field_for
from refclass.margins.lee_lin_wahba.problem import Machine, over
from refclass.number.field import Number
from refclass.optimise.multiclass import central_path, interior_point
from refclass.optimise.multiclass.newton_equations import Points

DIGITS = 80  # of the decimals, beside as many as the diagonal of K has powers of ten
CLOSE = 50  # digits of the gap at which the method in decimals ends: multipliers put at their bounds cost some
REST = 15  # digits that K may miss of those
WORK = 3 * 10**6  # multiplications for a step, up to which the method is taken: a second or two, forty times


def multipliers(machine: Machine) -> Optional[tuple[Vector, ...]]:
    """Return multipliers to about CLOSE digits, class by class, in fractions; None where that takes too long.

    Given     the machine in fractions

    Cost      that of `interior_point.solve`, in decimals
    """
    if not machine.positive:
        return None
    F = field_for(machine.K, DIGITS)
    if F is None:
        return None
    own = over(F, machine)
    Z = features(own.K, F, REST, lambda q: work(own.n, own.classes, q + 1), WORK)
    if Z is None:
        return None
    problem = own.problem()
    code = [[v / own.scale for v in column] for column in problem.c]
    box = central_path.Box(Points(Z, True, F), code, [list(column) for column in problem.upper], own.scale)
    state = interior_point.solve(box, F.kind(10) ** -CLOSE)
    rows = zip(state.multipliers, state.slack, box.xi, box.upper, machine.problem().upper)
    return tuple([Vector.of(map(at_bounds, *columns)) for columns in rows])


def at_bounds(a: Number, slack: Number, beyond: Number, top: Number, upper: Number) -> Number:
    """Return a multiplier in the kind of its bound, at a bound where it is nearer to it than the bound's slack says."""
    return 0 * upper if a < top * slack else upper if top - a < top * beyond else type(upper)(a)


def work(n: int, classes: int, q: int) -> int:
    """Return the multiplications for a step with q parameters in each class (see `newton_equations.ZeroSum`)."""
    return classes * q**2 * n // 2 + classes * q**3 // 2
