"""A machine trained in doubles, safeguarded: its answer is proven to nine digits, or finished in longer numbers.

Doubles lose the optimum where points lie far from the origin, and where the Gram matrix is ill conditioned. Then

    1  the intercept is chosen anew for the multipliers as they are, from exact decision values
    2  the active-set method goes on from there in decimals of 50 digits and more, to the optimum (crossover)
    3  the optimum is rounded to doubles: entry by entry, and to multiples of one power of two that balance exactly

and the answer of the most proven digits is kept. The digits of the rounded optimum are the answer's ceiling.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from operator import mul
from typing import Optional

from refclass.certificate import ASKED
from refclass.errors import NoAnswer, NotConverged, NotExact, Refusal
from refclass.linear.vector import Vector
from refclass.margins.svm.candidate import Candidate, candidate, exactly
from refclass.margins.svm.crossover import optimum
from refclass.margins.svm.rounding import overshot, rounded
from refclass.margins.svm.soft import Machine
from refclass.number.decimals import decimal
from refclass.number.tolerance import roundoff
from refclass.optimise.quadratic.definiteness import definite

MODULE = "safeguard"
SHOWN = 20  # digits of the bounds in a refusal
TERMS = 1  # units of roundoff of a sum of terms of either sign, each of the size of them all: more than was measured


@dataclass(frozen=True)
class Safe:
    """An answer in doubles, and the digits that the rounded optimum has, where that was computed."""

    answer: Candidate
    ceiling: Optional[float] = None


def sure(machine: Machine, alpha: Vector, square: float, primal: float, dual: float) -> bool:
    """Return whether an answer's objectives in doubles agree to ten digits, with what roundoff can hide in them.

    Method: yᵢf(xᵢ) is a sum of αⱼKᵢⱼ, off by some units of √Kᵢᵢ Σ αⱼ√Kⱼⱼ; the primal by Cᵢ times that (squared slack:
    times its square) at each point that has slack or may have it. An estimate, to decide whether
    a proof is worth its price.

    Cost      3n multiplications
    """
    roots = [sqrt(abs(v)) for v in machine.K.diagonal()]
    weight = sum(map(mul, alpha, roots))
    unit = TERMS * roundoff(float) * weight
    prices = [
        r * (unit * r * c if machine.squared and c else c or a) for a, r, c in zip(alpha, roots, machine.costs) if a
    ]
    noise = unit * (sum(prices) if machine.squared else weight + sum(prices))
    return bool(abs(primal - dual) + noise <= max(abs(primal), abs(dual)) / 10 ** (ASKED + 1))


def safeguarded(machine: Machine, alpha: Optional[Vector], cause: Optional[Refusal] = None) -> Safe:
    """Return the answer for a machine in doubles whose multipliers are known about, or not at all, for the cause given.

    Exact     no: the answer is in doubles, its proof is exact
    Cost      that of a proof; of a crossover at most WORK operations with decimals for each of their lengths
    Raises    NotConverged, with the bounds, where less than a digit is proven; the cause where nothing is convex
    """
    exact = exactly(machine)
    first = None if alpha is None else _begun(exact, alpha)
    if first is not None and (first.digits >= ASKED or first.proof.status == "stationary"):
        return Safe(first)
    if not machine.positive and not definite(machine.K, machine.intercept)[0]:
        if first is None:
            raise cause or NotConverged(MODULE, need="a stationary point", got="none")
        return Safe(first)
    try:
        found = optimum(exact, alpha)
    except NoAnswer as refusal:
        raise (cause if isinstance(cause, NoAnswer) else refusal) from None
    if found is None:
        return Safe(_held(first, cause, None))
    try:
        every = [candidate(exact, a, float) for a in rounded(exact, found.alpha)]
    except OverflowError:
        raise NotExact(MODULE, need="an answer within the range of doubles", got="a larger one") from None
    ceiling = max(c.digits for c in every)
    if ceiling < ASKED:
        every += overshot(exact, found, every[0])
    every += [] if first is None else [first]
    return Safe(_held(max(every, key=lambda c: c.digits), cause, found), ceiling)


def _begun(machine: Machine, alpha: Vector) -> Optional[Candidate]:
    """Return multipliers with their best intercept; None where that is beyond the range of doubles."""
    try:
        return candidate(machine, alpha, float)
    except OverflowError:
        return None


def _held(best: Optional[Candidate], cause: Optional[Refusal], found: Optional[Candidate]) -> Candidate:
    """Return the best answer if it has a digit; without an optimum to compare it with, if it has those asked for.

    Raises    NotConverged with the bounds, or the cause where there are none
    """
    if best is not None and best.digits >= (ASKED if found is None else 1):
        return best
    if found is None and best is None and cause is not None:
        raise cause
    proof = found.proof if found is not None else best.proof if best is not None else None
    need = "multipliers in doubles that hold a digit" if found else f"{ASKED} digits of the objective"
    got = f"{max(0, best.digits) if best is not None else 0} digits"
    shown = decimal(SHOWN).lift
    bounds = {} if proof is None or proof.primal is None else {"primal": shown(proof.primal), "dual": shown(proof.dual)}
    raise NotConverged(MODULE, need=need, got=got, **bounds)
