"""Training the machine of Lee, Lin and Wahba: which solver finds the answer, and how it becomes exact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Optional

from refclass.certificate import ASKED, lost
from refclass.errors import InvalidInput, quoted
from refclass.kernels.matrices import gram
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate, decimal_fit, float_fit, vanishing
from refclass.margins.lee_lin_wahba.problem import Machine, over
from refclass.margins.lee_lin_wahba.simplex import Columns
from refclass.margins.lee_lin_wahba.trained_machine import Trained, trained
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import crossover
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.multiclass import equal_sums
from refclass.optimise.quadratic import definiteness

SOLVERS = ("auto", "active_set", "decomposition")
FIRST = 2  # roundings of an optimum in decimals that are judged in any case; more where these have few digits
SMALL = 30  # multipliers, up to which exact problems need no point near the optimum


def train(
    F: Field,
    machine: Machine,
    *,
    solver: str = "auto",
    tol: Any = None,
    max_iter: Optional[int] = None,
    start: Optional[Columns] = None,
) -> Trained:
    """Return the machine trained in its own arithmetic  [MMST-11.104] [MMST-11.107].

    In floats an interior point method on the columns of Z, K = ZZᵀ of low rank, finds the multipliers, decomposition
    for other kernels; nine digits are proven, unless they are beyond doubt. In exact arithmetic and in decimals the
    data are rational numbers: a float method finds which multipliers lie at 0, at L and between, and the exact optimum
    is computed from there and proven; small problems, and all with `solver="active_set"`, are solved exactly from the
    start instead. Decimals are that optimum, rounded.

    start     multipliers to start from, those of a machine with another λ, say

    Raises    InvalidInput for an unknown solver; NoAnswer if K is not positive semidefinite where sums are zero, with a
              direction; NotConverged after max_iter steps, or with the bounds where nine digits are beyond reach
    """
    if solver not in SOLVERS:
        raise InvalidInput("lee_lin_wahba", need=f"a solver among {', '.join(SOLVERS)}", got=quoted(solver))
    if not machine.positive:
        definiteness.refuse_indefinite(gram.given(machine.K), True, "lee_lin_wahba", machine.counted)
    if F.kind is float:
        if (solver, tol, max_iter) == ("auto", None, None):
            return vanishing.fit(machine, float_fit.approximate(machine, start))
        return float_fit.as_delivered(machine, trained(machine, *_iterated(machine, solver, tol, max_iter, start)))
    exact = machine if F.exact else over(RATIONAL, machine)
    problem = exact.problem()
    small = solver == "auto" and len(problem.places) <= SMALL
    if small and max_iter is None:
        answer = crossover.solve(problem.plain(), convex=True)
    elif small or solver == "active_set":
        answer = active_set.solve(problem.plain(), max_steps=max_iter, convex=True)
    else:
        near = _near(over(BINARY64, exact), solver, tol, max_iter, start)
        x = [near[k][i] for i, k in problem.places]
        guessed = crossover.guessed(problem.plain(), x)
        if guessed is None:
            closer = decimal_fit.multipliers(exact)  # Method: from near doubles decimals may take thousands of steps.
            if closer is not None:
                found = trained(exact, closer)
                if not F.exact and _settled(F, exact, found):
                    return _held(F, exact, found)
                x = [closer[k][i] for i, k in problem.places]
            guessed = crossover.solve(problem.plain(), x, convex=True)
        answer = guessed
    found = trained(exact, problem.spread(answer.x), answer.steps)
    return found if F.exact else _held(F, exact, found)


def _iterated(
    machine: Machine, solver: str, tol: Any, max_iter: Optional[int], start: Optional[Columns]
) -> tuple[tuple[Vector, ...], int]:
    """Return the multipliers that a float solver ends at, and its number of steps."""
    problem = machine.problem()
    if solver == "active_set":
        found = active_set.solve(problem.plain(), max_steps=max_iter, convex=True)
        return problem.spread(found.x), found.steps
    answer = equal_sums.solve(problem, tol=tol, start=start, max_steps=max_iter)
    return answer.alpha, answer.steps


def _near(
    machine: Machine, solver: str, tol: Any, max_iter: Optional[int], start: Optional[Columns]
) -> tuple[Vector, ...]:
    """Return multipliers near the optimum, found in doubles."""
    if (solver, tol, max_iter) == ("auto", None, None):
        return float_fit.approximate(machine, start).alpha
    return _iterated(machine, solver, tol, max_iter, start)[0]


def _settled(F: Any, exact: Machine, found: Trained) -> bool:
    """Return whether multipliers in fractions have the digits of decimals that are to be rounded, and two more."""
    proof = certificate.certify(exact, found.alpha, found.beta0)
    return proof.digits is None or bool(proof.digits >= F.kind.precision + 2)


def _held(F: Field, machine: Machine, exact: Trained) -> Trained:
    """Return an exact optimum in decimals, with the objectives of what is left of it.

    Raises    NotConverged with the bounds where not even one digit is held
    """
    pairs: list[tuple[Trained, Any]] = []
    for one in float_fit.roundings(machine, exact, F.lift):
        pairs.append((one, float_fit.proof_of(machine, one)))
        if len(pairs) >= FIRST and max(proof.digits or 0 for _, proof in pairs) >= ASKED:
            break
    found, proof = max(pairs, key=lambda pair: pair[1].digits or 0)
    if proof.dual is None or proof.digits is None:
        return found
    if proof.digits < 1:
        best = certificate.certify(machine, exact.alpha, exact.beta0)
        raise lost("lee_lin_wahba", proof.digits, best, F.name, alpha=found.alpha, beta0=found.beta0)
    return replace(found, objective=F.lift(proof.primal), dual_objective=F.lift(proof.dual), ceiling=proof.digits)
