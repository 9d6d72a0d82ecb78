"""The conditions of Lagrange and of Karush, Kuhn and Tucker at a point of any smooth problem, as executable checks.

Lagrange's function takes every constraint up with a multiplier  [KIM-3.1-lagrange] [KIM-3.6] [ISML-27.3-kkt],

    L(x) = f(x) + Σ σᵢ λᵢ gᵢ(x),        λᵢ ≥ 0 for inequalities, of either sign (zero, too, [ERR-KIM-08]) for equalities

and its sign σ depends on what is asked, so that crossing the constraint is never rewarded:

                g = 0    g ≥ 0    g ≤ 0
    maximise     +1       +1       −1        [KIM-3.1] [KIM-3.2]
    minimise     +1       −1       +1        [KIM-3.1-minimise] [ERR-KIM-07]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.field import Number

GOALS, KINDS = ("maximise", "minimise"), ("= 0", "≥ 0", "≤ 0")
SUBTRACTED = {("maximise", "≤ 0"), ("minimise", "≥ 0")}  # constraints whose multiplier stands with a minus, σ = −1


@dataclass(frozen=True)
class Constraint:
    """A constraint at a point: g(x) "= 0", "≥ 0" or "≤ 0", with its gradient and its multiplier."""

    value: Number
    gradient: Vector
    kind: str
    multiplier: Number


def stationarity(goal: str, gradient: Vector, constraints: Sequence[Constraint]) -> Vector:
    """Return the gradient of Lagrange's function, ∇f + Σ σᵢλᵢ∇gᵢ: zero at an optimum  [KIM-3.1] [KIM-3.2].

    goal    "maximise" or "minimise"

    Exact     yes
    Cost      n + 1 multiplications for each constraint
    Raises    InvalidInput for another goal, or a constraint of another kind

    Example
        >>> east = Vector([1.0, 0.0])
        >>> stationarity("maximise", east, [Constraint(0.0, 2 * east, "= 0", -0.5)])
        Vector(0.0, 0.0)
    """
    total = gradient
    for c in constraints:
        total = total + _sign(goal, c) * c.multiplier * c.gradient
    return total


def _sign(goal: str, constraint: Constraint) -> int:
    if goal not in GOALS or constraint.kind not in KINDS:
        got = f"{goal} subject to g {constraint.kind}"
        raise InvalidInput("kkt", need="maximise or minimise, subject to g = 0, g ≥ 0 or g ≤ 0", got=got)
    return -1 if (goal, constraint.kind) in SUBTRACTED else 1


def residuals(goal: str, gradient: Vector, constraints: Sequence[Constraint]) -> dict[str, Number]:
    """Return by how much each condition fails at worst; all are zero at an optimum that meets them.

    "stationarity"        max |∇f + Σ σλ∇g|
    "feasibility"         |g| for g = 0, else by how much g has the wrong sign  [KIM-3.3]
    "sign"                by how much a multiplier of an inequality is negative  [KIM-3.4]
    "complementarity"     |λg| for inequalities  [KIM-3.5]

    Exact     yes
    """
    zero = gradient.kind(0)
    inequalities = [c for c in constraints if c.kind != "= 0"]
    return {
        "stationarity": stationarity(goal, gradient, constraints).largest(),
        "feasibility": max(map(_broken, constraints), default=zero),
        "sign": max((max(zero, -c.multiplier) for c in inequalities), default=zero),
        "complementarity": max((abs(c.multiplier * c.value) for c in inequalities), default=zero),
    }


def _broken(constraint: Constraint) -> Number:
    zero = 0 * constraint.value
    if constraint.kind == "= 0":
        return abs(constraint.value)
    return max(zero, -constraint.value if constraint.kind == "≥ 0" else constraint.value)


def tangent(normal: Vector, direction: Vector) -> Vector:
    """Return the part of a direction along the surface g = 0, where ∇g = normal  [KIM-Thm3.1.1].

        t = v − (v·∇g / ‖∇g‖²) ∇g,        t·∇g = 0

    Exact     yes
    Cost      3n multiplications and one division
    Raises    InvalidInput when the normal is zero: then the surface has no tangent there
    """
    square = normal @ normal
    if not square:
        raise InvalidInput("kkt", need="a gradient of the constraint other than zero", got="zero")
    along: Vector = direction - (direction @ normal / square) * normal
    return along
