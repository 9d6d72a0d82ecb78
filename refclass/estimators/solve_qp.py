"""Convex quadratic programmes, solved in doubles or exactly, each answer with its proof."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, UNITS, Certificate
from refclass.errors import InvalidInput, NotConverged, quoted
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.optimise.programme import solver
from refclass.optimise.programme.arguments import MODULE
from refclass.optimise.programme.arguments import matrix as matrix
from refclass.optimise.programme.arguments import programme as programme
from refclass.optimise.programme.problem import Programme, times
from refclass.optimise.quadratic import kkt
from refclass.optimise.quadratic.kkt import Constraint

ROUNDOFF = UNITS * Fraction(1, 2**52)  # of the terms of a row


@dataclass(frozen=True)
class QPResult:
    """An optimum of a quadratic programme: what `solve_qp` returns.

    Attributes
    ----------
    x : list
        The point.
    y : list
        The multipliers of the rows: Px + q + Aᵀy = 0; positive where a row presses against its upper side u, negative
        where against its lower side l, zero between.
    objective : number
        ½xᵀPx + qᵀx, in exact arithmetic exactly.
    certificate : Certificate
        What is proven, in fractions: primal and dual value, their gap, the worst violation, the digits.
    active : list of int
        The rows that are at one of their sides, in exact arithmetic exactly; in doubles within roundoff, or pressed
        against one by a multiplier.
    """

    x: list[Any]
    y: list[Any]
    objective: Any
    certificate: Certificate
    active: list[int]
    _programme: Programme = field(repr=False, compare=False)

    def conditions(self) -> dict[str, Any]:
        """Return by how much each condition of Karush, Kuhn and Tucker fails at worst, in fractions  [ISML-27.3-kkt].

        "stationarity", "feasibility", "sign" and "complementarity"; all are zero at the optimum, and only there.
        """
        p, x, y = self._programme, list(map(rational, self.x)), list(map(rational, self.y))
        gradient = Vector.of([v + c for v, c in zip(times(p.P, x), p.q)])
        constraints = []
        for row, v, low, high, multiplier in zip(p.A, times(p.A, x), p.l, p.u, y):
            normal = Vector.of([row.get(j, Fraction(0)) for j in range(p.n)])
            if low == high and low is not None:
                constraints.append(Constraint(v - low, normal, "= 0", multiplier))
                continue
            # Premise: of a row with two sides, a positive multiplier belongs to the upper one.
            up, down = (multiplier, -multiplier) if None in (low, high) else (max(multiplier, 0), max(-multiplier, 0))
            if high is not None:
                constraints.append(Constraint(v - high, normal, "≤ 0", up))
            if low is not None:
                constraints.append(Constraint(v - low, normal, "≥ 0", down))
        return kkt.residuals("minimise", gradient, constraints)


def solve_qp(
    P: Any,
    q: Any,
    A: Any = None,
    l: Any = None,  # noqa: E741 - the letter that the field's solvers have
    u: Any = None,
    *,
    arithmetic: str = "float",
) -> QPResult:
    """Minimise ½xᵀPx + qᵀx subject to l ≤ Ax ≤ u, with a proof of the optimum.

    Parameters
    ----------
    P : rows of numbers, array, sparse matrix, or triplets
        Symmetric, n × n, and positive semidefinite where the equalities hold: n rows of n numbers, an array or a data
        frame of that shape, a sparse matrix of scipy's kind (what has `tocoo`), or a list of triplets (i, j, value);
        both halves of the matrix. `None` for a linear programme. Of three variables, tuples are triplets and lists are
        rows. In doubles negative curvature of 10⁻¹⁰ of the diagonal is taken for roundoff, and
        the certificate's premise says so.
    q : sequence of numbers
        The linear term, n numbers.
    A : rows of numbers, array, sparse matrix, or triplets, optional
        The rows, m × n: m rows of n numbers, or what else P may be. A row with one entry is a bound of that variable.
    l : sequence of numbers or None, optional
        Lower sides of the rows, m of them; None, an infinity, or a number of −1e20 or less where there is none.
    u : sequence of numbers or None, optional
        Upper sides of the rows, likewise; l ≤ u, and l = u for an equality.
    arithmetic : str
        "float": x and y are doubles, proven to nine digits. "exact": fractions, with a gap of zero.

    Returns
    -------
    result : QPResult
        The optimum x, n numbers, with the multipliers y of the rows, m numbers, Px + q + Aᵀy = 0: positive where a row
        presses against its upper side, negative where against its lower side. Beside them the objective, the
        certificate and the active rows.

    Raises
    ------
    NoAnswer
        Where there is no optimum, proven exactly by its witness: `y`, multipliers of the rows that contradict; `ray`, a
        direction of endless descent from the point `x`; `direction`, one of negative curvature.
    NotConverged
        Where fewer digits are proven than were asked for; the witness holds the point.
    InvalidInput
        For what does not fit, in one line with its place: lengths that differ; a P that is not symmetric; l > u in a
        row, which no multipliers of the rows could show; NaN, an infinity in P, q or A, a lower side of +∞ or an upper
        one of −∞; an array of another shape; triplets outside the matrix, or two for one place; A without sides, sides
        without A; another arithmetic.

    Examples
    --------
    >>> result = solve_qp([[2, 0], [0, 2]], [-2, -5], [[1, 1]], [None], [1], arithmetic="exact")
    >>> result.x, result.y, result.objective
    ([Fraction(-1, 4), Fraction(5, 4)], [Fraction(5, 2)], Fraction(-33, 8))
    """
    return solution(programme(P, q, A, l, u), arithmetic)


def solution(p: Programme, arithmetic: str) -> QPResult:
    """Return the optimum of a programme in fractions; arithmetic and refusals as for `solve_qp`."""
    if arithmetic == "exact":
        found = solver.exact(p)
        certificate = replace(found.certificate, unique={"x": solver.unique(p, found)})
        active = [i for i, away in enumerate(distances(p, found.x)) if away == 0]
        return QPResult(found.x, found.y, certificate.primal, certificate, active, p)
    if arithmetic != "float":
        raise InvalidInput(MODULE, need='arithmetic "float" or "exact"', got=quoted(arithmetic))
    try:
        found = solver.rounded(p)
        x, y = [list(map(float, v)) for v in (found.x, found.y)]
        objective = float(found.certificate.primal)
    except OverflowError:
        raise NotConverged(MODULE, need="an optimum that doubles hold", got="numbers beyond their range") from None
    least = max(map(abs, y), default=0) / 10**ASKED  # Premise: multipliers below that are roundoff of zero
    rows = zip(distances(p, found.x), y)
    active = [i for i, (away, v) in enumerate(rows) if (away is not None and away <= ROUNDOFF) or abs(v) > least]
    return QPResult(x, y, objective, found.certificate, active, p)


def distances(p: Programme, x: list[Fraction]) -> list[Optional[Fraction]]:
    """Return how far each row is from the nearer of its sides, as part of Σ |aᵢⱼxⱼ|; None where it has no side."""
    found: list[Optional[Fraction]] = []
    for row, value, low, high in zip(p.A, times(p.A, x), p.l, p.u):
        size = sum([abs(v * x[j]) for j, v in row.items()]) or Fraction(1)
        found.append(min([abs(value - side) / size for side in (low, high) if side is not None], default=None))
    return found
