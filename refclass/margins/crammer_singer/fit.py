"""Training the direct machine for many classes: which solver iterates, and how its answer becomes exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, lost
from refclass.errors import NoAnswer, NotConverged, Refusal
from refclass.kernels.matrices import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import certificate, optimum, vanishing
from refclass.margins.crammer_singer import float_fit as floats
from refclass.margins.crammer_singer.float_fit import Trained as Trained
from refclass.margins.crammer_singer.problem import Machine, over
from refclass.margins.crammer_singer.separation_witness import ray
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, Number
from refclass.number.rational import RATIONAL
from refclass.optimise.multiclass import block_sums, zero_sum, zero_sum_crossover
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import definiteness

MODULE = "crammer_singer"


def train(F: Field, machine: Machine, *, tol: Any = None, max_iter: Optional[int] = None) -> Trained:
    """Return the machine trained in its own arithmetic  [ISML-27.5-dual].

    In floats an interior point method on the columns of Z, K = ZZᵀ of low rank, finds the multipliers to some twelve
    digits, and `optimise.multiclass.block_sums` goes on from there; for other kernels it starts from zero. Where
    roundoff may hide how far that is from the optimum its digits are proven, and if there are less than nine, the exact
    optimum of the numbers given is computed from there and rounded. In exact arithmetic and in decimals the data are
    rational numbers: that iteration gives the active set, and the exact optimum is computed from there and proven.
    Decimals are that optimum, rounded.

    Raises    NoAnswer if no slack is allowed (C = ∞) and no w meets the constraints, with weights on them that
              contradict, or, with a direction, if K is not positive semidefinite; NotConverged after max_iter steps,
              or with the bounds where nine digits are beyond reach
    """
    # Premise: the dual is convex on Σ_k α_ik = 0 if and only if K is positive semidefinite, as (v, −v, 0, …) shows.
    if not machine.positive:
        definiteness.refuse_indefinite(gram.given(machine.K), False, MODULE, machine.counted)
    if F.kind is float:
        if tol is None and max_iter is None and None not in machine.costs:
            return vanishing.fit(machine)
        return _blockwise(machine, tol, max_iter)
    if F.exact:
        return floats.valued(machine, _exact(machine, tol, max_iter))
    exact = over(RATIONAL, machine)
    known = vanishing.level(F, exact) if tol is None and max_iter is None else None
    if known is not None:
        return _held(F, exact, floats.evaluated(exact, known, 0))
    return _held(F, exact, floats.valued(exact, _exact(exact, tol, max_iter)))


def _blockwise(machine: Machine, tol: Any, max_iter: Optional[int]) -> Trained:
    """Return what the block method ends at, if its tolerance or steps are given; else a hard margin, proven.

    Raises    NoAnswer with weights that contradict; NotConverged after max_iter steps, or with the bounds where not
              even one digit is held
    """
    exact, asked = over(RATIONAL, machine), tol is not None or max_iter is not None
    try:
        found = floats.valued(machine, block_sums.solve(machine.problem(), tol=tol, max_steps=max_iter))
        if asked:
            return found if floats.sure(machine, found) else _proven(exact, found)
    except (NoAnswer, NotConverged) as refusal:
        if asked and isinstance(refusal, NotConverged):
            raise
        eta = ray(exact, refusal.witness["ray"]) if isinstance(refusal, NoAnswer) else None
        if eta is not None:
            raise inseparable(eta) from None
        alpha = [Vector.of(map(float, row)) for row in zip(*refusal.witness["x"])]
        found = floats.evaluated(machine, Matrix.of(alpha), 0)
    proof = floats.proof_of(exact, found)
    if proof.digits is not None and proof.digits >= ASKED:
        return floats.reported(found, proof)
    try:
        return floats.finished(machine, exact, found, proof)
    except NoAnswer as refusal:
        raise _contradiction(exact, refusal) from None


def _proven(exact: Machine, found: Trained) -> Trained:
    """Return a machine in doubles with the objectives of the scores that it delivers."""
    proof = floats.proof_of(exact, found)
    return found if proof.primal is None else floats.reported(found, proof)


def _held(F: Field, machine: Machine, exact: Trained) -> Trained:
    """Return an exact optimum in decimals, with the objectives of what is left of it.

    Raises    NotConverged with the bounds where not even one digit is held
    """
    found, proof = floats.best_rounded(machine, exact, exact.alpha, F.lift)
    if proof.primal is None or proof.digits is None or proof.digits < 1:  # of no slack: f keeps no multiple of a margin
        best = certificate.certify(machine, exact.alpha)
        raise lost("crammer_singer", proof.digits or 0, best, F.name, alpha=found.alpha)
    return replace(found, objective=F.lift(proof.primal), dual_objective=F.lift(proof.dual), ceiling=proof.digits)


def _exact(machine: Machine, tol: Any, max_iter: Optional[int]) -> quadratic.Answer:
    """Return the exact optimum of a machine in fractions."""
    n = len(machine.labels)
    start: Optional[Sequence[Sequence[Number]]] = None
    try:
        near = over(BINARY64, machine)
        if None in machine.costs or tol is not None or max_iter is not None:
            x = block_sums.solve(near.problem(), tol=tol, max_steps=max_iter).x
            start = [x[k * n : (k + 1) * n] for k in range(machine.classes)]
        else:
            start = list(zip(*floats.approximate(near).alpha))
    except NoAnswer as refusal:
        return decided(machine, refusal)
    except (Refusal, OverflowError, ZeroDivisionError):
        pass
    return solved(machine, start)


def solved(machine: Machine, start: Optional[Sequence[Sequence[Number]]]) -> quadratic.Answer:
    """Return the exact optimum of a machine in fractions, from a point near it or from nowhere.  Raises NoAnswer."""
    best = optimum.nearest(machine, start)
    if best is not None and best.exact:
        x = list(zip(*best.alpha))
        return zero_sum.answer(machine.problem(), x, zero_sum.gradient(machine.problem(), x), steps=1)
    if best is not None:
        start = list(zip(*best.alpha))
    try:
        return zero_sum_crossover.solve(machine.problem(), start)
    except NoAnswer as refusal:
        raise _contradiction(machine, refusal) from None


def _contradiction(machine: Machine, refusal: NoAnswer) -> NoAnswer:
    """Return the refusal of a machine whose dual has a ray, with the weights that it is."""
    if "ray" not in refusal.witness:
        return refusal
    rows = floats.rows(machine, refusal.witness["ray"])
    eta = [[Fraction(0) if k == g else -v for k, v in enumerate(row)] for row, g in zip(rows, machine.labels)]
    total = sum(map(sum, eta))
    return inseparable(Matrix.of([Vector.of([v / total for v in row]) for row in eta]))


def decided(machine: Machine, refusal: NoAnswer) -> quadratic.Answer:
    """Return the exact optimum of a machine in fractions where a float iteration found none.

    Raises    NoAnswer, with a witness that is exact
    """
    eta = ray(machine, refusal.witness["ray"])
    if eta is not None:
        raise inseparable(eta) from None
    return solved(machine, refusal.witness["x"])


def inseparable(eta: Matrix) -> NoAnswer:
    """Return the refusal of a hard margin, its witness the weights that `separation_witness.contradicts` checks."""
    need = "classes that the scores can hold apart by a margin (C = inf)"
    return NoAnswer(MODULE, need=need, got="constraints that contradict", weights=eta)


def taken(F: Field, machine: Machine, alpha: Matrix) -> Trained:
    """Return the machine of somebody's multipliers, n rows of K: nothing is solved.

    Its objective is that of the scores scaled up to keep the hard margins that they miss, as that of a fit is.
    """
    found = floats.evaluated(machine, alpha, 0)
    if None not in machine.costs:
        return found
    primal = certificate.certify(machine, alpha).primal
    return found if primal is None else replace(found, objective=F.lift(primal))
