"""The proof that stands beside an optimum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Certificate:
    """What has been proven about an answer, every number exact.

    status           "optimal"      every condition holds with ==, the gap is 0, and so no feasible point is better
                     "stationary"   every condition holds with ==, but the problem is not convex
                     "feasible"     the constraints hold with ==; the value is at most `gap` above the minimum
                     "approximate"  some constraint is broken; `worst_violation` says by how much, `where` which
                     Rooms that judge rounded answers (margins, regress) say "optimal" or "stationary" also where every
                     condition holds up to 30 units of roundoff of the arithmetic the answer was computed in, and "not
                     optimal" where one does not; the violation, itself exact, is 0 only where they hold with ==.
    primal           the objective at the answer
    dual             a lower bound on the objective over all feasible points
    gap              primal − dual
    worst_violation  the largest amount by which a condition fails; 0 when all hold
    where            which condition that is, and of which variable or row
    unique           name of a part of the answer -> whether it is the only one; None where undecided; or an interval
    premise          what the proof takes for granted, in words; empty when nothing
    """

    status: str
    primal: Any
    dual: Any
    gap: Any
    worst_violation: Any
    where: str
    unique: Mapping[str, Any] = field(default_factory=dict)
    premise: str = ""
