"""The direct many-class machine in doubles, to nine digits or more, or refused with the bounds (Crammer and Singer)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, lost, relative_gap
from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.kernels.matrices.product import linear_points
from refclass.linear.factorisations import low_rank
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import certificate, optimum
from refclass.margins.crammer_singer.certificate import primal_and_dual
from refclass.margins.crammer_singer.problem import Machine, over, slack, slopes, values
from refclass.number.field import Number, rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import MOST_STEPS
from refclass.optimise.multiclass import block_sums, central_path, interior_point, zero_sum_crossover
from refclass.optimise.multiclass.newton_equations import Points

UNKNOWNS = 300  # parameters of all functions, up to which the interior point method is taken
SMALL = 300  # multipliers, up to which the block method comes first, and the general active-set method last
UNBOUNDED = 100  # multipliers of a hard margin, up to which that method is taken: 5 to 10 seconds, of 160 a minute
ROUNDS = 60  # working sets of the block method before or after it
SCALINGS = 3  # times an optimum is scaled up: other numbers are rounded otherwise
SURE = 1e-11  # roundoff of a score, and relative gap in doubles, below which no proof is needed


@dataclass(frozen=True)
class Trained:
    """A trained machine.

    alpha                        n × K multipliers
    objective, dual_objective    the values of primal and dual, in the machine's arithmetic
    steps                        how many steps the solver took
    ceiling                      the digits that the exact optimum has once it is rounded, the best way that was tried
    planes                       of a linear kernel the coefficients of the scores, a Vector of p for each class, where
                                 they are not the sums Σ α_ik xᵢ, rounded, but those of the exact optimum
    """

    alpha: Matrix
    objective: Number
    dual_objective: Number
    steps: int
    ceiling: Optional[float] = None
    planes: Optional[Matrix] = None


def rows(machine: Machine, x: Sequence[Number]) -> list[tuple[Number, ...]]:
    """Return the multipliers of each point from those class by class."""
    n = len(machine.labels)
    return list(zip(*[x[k * n : (k + 1) * n] for k in range(machine.classes)]))


def valued(machine: Machine, found: Any) -> Trained:
    """Return the machine of an answer to its problem."""
    zero = machine.kind(0)
    alpha = [Vector.of([v + zero for v in row]) for row in rows(machine, found.x)]
    return evaluated(machine, Matrix.of(alpha), found.steps)


def evaluated(machine: Machine, alpha: Matrix, steps: int) -> Trained:
    """Return the machine of multipliers, n rows of K, with its objectives."""
    primal, dual = primal_and_dual(machine, alpha, values(machine.K, alpha))
    return Trained(alpha, primal, dual, steps)


def gap(found: Trained) -> float:
    """Return the relative gap in doubles; infinite where it is no number."""
    return float(relative_gap(found.objective, found.dual_objective))


def assured(machine: Machine, found: Trained) -> Trained:
    """Return what doubles ended at, or the exact optimum rounded, to nine digits, proven unless they are beyond doubt.

    Raises    NotConverged with the bounds and the multipliers where they cannot be reached; NoAnswer as
              `block_sums.solve`
    """
    if gap(found) <= SURE and sure(machine, found) and _kept(machine, found.alpha):
        return found
    exact = over(RATIONAL, machine)
    proof = proof_of(exact, found)
    if proof.digits is not None and proof.digits >= ASKED:
        return reported(found, proof)
    return finished(machine, exact, found, proof)


def sure(machine: Machine, found: Trained) -> bool:
    """Return whether the objective, as doubles add it up, has eleven digits whatever the roundoff of the scores is."""
    size = max(map(abs, machine.K.diagonal())) * max(sum(map(abs, own)) for own in zip(*found.alpha))
    at_stake = sum(c for c in machine.costs if c is not None)
    return None not in machine.costs and roundoff(float) * size * at_stake <= SURE * abs(found.objective)


def proof_of(exact: Machine, found: Trained) -> Any:
    """Return the proof of a machine in doubles: of a linear kernel the scores are delivered by their coefficients."""
    return certificate.certify(exact, found.alpha, planes=delivered(exact, found))


def delivered(exact: Machine, found: Trained) -> Optional[Matrix]:
    """Return the coefficients of the scores of a linear kernel; None for another."""
    points = linear_points(exact.K)
    return found.planes if found.planes is not None or points is None else slopes(found.alpha, points)


def _kept(machine: Machine, alpha: Matrix) -> bool:
    """Return whether multipliers are within their bounds, but for roundoff: of other classes at most zero."""
    miss = float(certificate.ROUNDED) * max(map(abs, chain.from_iterable(alpha)))
    known = zip(alpha, machine.labels, machine.costs)
    return all(v <= miss if k != g else c is None or v <= c + miss for row, g, c in known for k, v in enumerate(row))


def reported(found: Trained, proof: Any, ceiling: Optional[float] = None) -> Trained:
    """Return the machine with the objectives that are proven of it."""
    return replace(found, objective=float(proof.primal), dual_objective=float(proof.dual), ceiling=ceiling)


def finished(machine: Machine, exact: Machine, found: Trained, proof: Any) -> Trained:
    """Return the exact optimum, found from a point near it, rounded to doubles.

    Raises    NotConverged where it is too large a problem for that, or where less than a digit outlasts the rounding
    """
    near = list(zip(*found.alpha))
    at = optimum.nearest(exact, near)
    if at is not None:
        x = at.alpha
    elif len(machine.labels) * machine.classes <= (UNBOUNDED if None in machine.costs else SMALL):
        x = _iterated(exact, near, found, proof)
    else:  # Premise: the general method may take hours.
        raise unproven(found, proof)
    best = best_rounded(exact, found, x)
    ceiling, (nearest, own) = best[1].digits, max(best, (found, proof), key=_digits)
    if (own.digits or 0) < 1:
        best_known = certificate.certify(exact, x)
        raise unproven(nearest, own, optimum=best_known)
    return reported(nearest, own, ceiling)


def rounded(
    exact: Machine, found: Trained, x: Sequence[Sequence[Number]], lift: Any = float
) -> tuple[Trained, Certificate]:
    """Return a machine with an optimum in fractions, each number rounded, and its proof.

    Of a linear kernel the coefficients are those of the optimum: those of its rounded multipliers are rounded twice.
    """
    points, planes = linear_points(exact.K), None
    if points is not None:
        planes = slopes([Vector.of(map(rational, row)) for row in x], points, lift)
    alpha = Matrix.of([Vector.of(map(lift, row)) for row in x])
    nearest = replace(found, alpha=alpha, planes=planes)
    return nearest, proof_of(exact, nearest)


def best_rounded(
    exact: Machine, found: Trained, x: Sequence[Sequence[Number]], lift: Any = float
) -> tuple[Trained, Certificate]:
    """Return a machine with an optimum in fractions, each number rounded, or scaled up before, and its proof."""
    best = rounded(exact, found, x, lift)
    if (best[1].digits or 0) < ASKED and (larger := scaled_up(exact, x, best[0], lift)) is not None:
        best = max(best, (larger, proof_of(exact, larger)), key=_digits)
    return best


def _iterated(exact: Machine, near: Sequence[Sequence[Number]], found: Trained, proof: Any) -> list[tuple[Number, ...]]:
    """Return the exact optimum by the active-set method.

    Raises    NoAnswer with a ray for a hard margin that there is not; NotConverged where roundoff made K indefinite
    """
    try:
        return rows(exact, zero_sum_crossover.solve(exact.problem(), near).x)
    except NoAnswer as refusal:
        if "ray" in refusal.witness:
            raise
        raise unproven(found, proof, "values of a kernel that roundoff leaves positive semidefinite") from None


def _digits(judged: tuple[Trained, Any]) -> float:
    return judged[1].digits or 0.0


def scaled_up(
    machine: Machine, x: Sequence[Sequence[Number]], nearest: Trained, lift: Any = float
) -> Optional[Trained]:
    """Return an exact optimum scaled up until its margins outlast the rounding, rounded; None at bounds, or if they do.

    Scaled by 1 + 4δ, δ the largest slack, it loses some 8δ of its objective; the slack itself would cost C δ a point.
    """
    scale = Fraction(1)
    for _ in range(SCALINGS):
        f = certificate.scores(machine, nearest.alpha, nearest.planes)
        worst = max([slack(row, g) for row, g, c in zip(f, machine.labels, machine.costs) if c != 0])
        if worst == 0:
            break
        scale += 4 * worst
        larger = [[v * scale for v in row] for row in x]
        if any(c is not None and max(row) >= c for row, c in zip(larger, machine.costs) if c):
            return None
        nearest, _ = rounded(machine, nearest, larger, lift)
    return nearest if scale > 1 else None


def unproven(found: Trained, proof: Any, need: str = "", optimum: Any = None) -> NotConverged:
    """Return the refusal of an answer of which too few digits are proven, with its bounds, or those of the optimum."""
    numbers = "" if optimum is None else "doubles"
    return lost("crammer_singer", proof.digits, optimum or proof, numbers, need, alpha=found.alpha)


def approximate(machine: Machine) -> Trained:
    """Return the machine trained as far as doubles lead, by its gap the best of what the methods end at."""
    first, linear = None, linear_points(machine.K) is not None
    if not linear or len(machine.labels) * machine.classes <= SMALL:
        first = _blockwise(machine, None, ROUNDS if linear else MOST_STEPS)
        if gap(first) <= SURE:
            return first
    start = interior(machine)
    if start is None:
        return first or _blockwise(machine, None, MOST_STEPS)
    second = evaluated(machine, Matrix.of([Vector.of(row) for row in zip(*start)]), 1)
    found = [second, _blockwise(machine, start, ROUNDS), *([first] if first else [])]
    return min(found, key=gap)


def _blockwise(machine: Machine, start: Optional[list[list[float]]], most: int) -> Trained:
    """Return the end of the block method, also where it has not converged."""
    try:
        return valued(machine, block_sums.solve(machine.problem(), start=start, max_steps=most))
    except NotConverged as refusal:
        reached = [Vector.of(row) for row in zip(*refusal.witness["x"])]
    except (ZeroDivisionError, OverflowError, InvalidInput):  # of kernel values that are denormal, or beyond doubles
        reached = [Vector.of([0.0] * machine.classes) for _ in machine.labels]
    return evaluated(machine, Matrix.of(reached), most)


def interior(machine: Machine) -> Optional[list[list[float]]]:
    """Return the multipliers that the interior point method ends at, class by class; None where K has a high rank."""
    if not machine.positive:
        return None
    points, most = linear_points(machine.K), UNKNOWNS // machine.classes
    Z = low_rank.turned(points) if points is not None else low_rank.factored(machine.K, most)
    if Z is None or len(Z[0]) > most:
        return None
    places = [i for i, c in enumerate(machine.costs) if c]
    if not places:
        return None
    labels, costs = [machine.labels[i] for i in places], [float(c) for c in machine.costs if c]
    problem = central_path.Simplex(Points([Z[i] for i in places], False), labels, costs, machine.classes, 1.0)
    state = interior_point.solve(problem)
    out = [[0.0] * len(machine.labels) for _ in range(machine.classes)]
    for i, g, c, eta, above in zip(places, labels, costs, zip(*state.multipliers), zip(*state.slack)):
        for k, v in enumerate(optimum.at_bounds(eta, above, g, c, c)):
            out[k][i] = v
    return out
