"""A Lee–Lin–Wahba machine that was trained: multipliers, functions, intercepts, objectives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import relative_gap
from refclass.kernels.matrices.product import scaled_products
from refclass.linear.common_denominator import Scaled
from refclass.linear.vector import Vector, dot
from refclass.margins.lee_lin_wahba.problem import Machine, coefficients, intercept_ends, objective
from refclass.margins.lee_lin_wahba.simplex import Columns
from refclass.number.field import Number
from refclass.optimise.multiclass import coupled
from refclass.optimise.multiclass.intercept_levels import End

ROUNDOFF = 1 / 2**50  # four units: of a sum of a few terms of the range's size


@dataclass(frozen=True)
class Trained:
    """A trained machine.

    alpha, beta      the multipliers and the coefficients, a Vector of n numbers for each class
    beta0            the intercepts, which sum to zero; where they are not unique, `intercept_levels.levels` chooses
    intervals        for each class the least and the largest optimal intercept; None where there is no end
    values           f_k(x_i), a Vector of n numbers for each class
    squares          Σ_k ‖h_k‖²
    objective, dual_objective    I_λ and −F_D/(n²λ), in the machine's arithmetic
    steps            how many steps the solver took
    ceiling          the digits that the exact optimum has once it is rounded, where it was computed
    planes           of a linear kernel the coefficients of the functions, a Vector of p for each class, where they are
                     not the sums Σ β_ik xᵢ of the multipliers, rounded, but those of the exact optimum
    """

    alpha: tuple[Vector, ...]
    beta: tuple[Vector, ...]
    beta0: Vector
    intervals: tuple[tuple[End, End], ...]
    values: tuple[Vector, ...]
    squares: Number
    objective: Number
    dual_objective: Number
    steps: int
    ceiling: Optional[float] = None
    planes: Optional[tuple[Vector, ...]] = None


def trained(machine: Machine, alpha: tuple[Vector, ...], steps: int = 0) -> Trained:
    """Return the machine of multipliers α with its functions, intercepts and objectives."""
    problem, scale = machine.problem(), machine.scale
    at_bounds = _settled(machine, alpha) if machine.kind is float else alpha
    # Method: in fractions a linear kernel takes no row of K: K α = X(Xᵀα), on common denominators.
    exact = machine.kind is Fraction
    g = problem.slopes(products(machine, alpha)) if exact else problem.gradient(alpha)
    beta = coefficients(machine, alpha)
    h = [Vector.of([(t - v) / scale for v, t in zip(own, c)]) for own, c in zip(g, problem.c)]
    levels = coupled.choose(problem, at_bounds, g)
    beta0 = Vector.of([-v / scale for v in levels])
    lows, highs = intercept_ends(machine, at_bounds, h)
    intervals = tuple([interval(b, low, high) for b, low, high in zip(beta0, lows, highs)])
    f = tuple([Vector.of([v + b for v in own]) for own, b in zip(h, beta0)])
    squares = sum([dot(b, own) for b, own in zip(beta, h)], machine.kind(0))
    bound = -problem.objective(alpha, g) / (machine.divisor * scale)
    return Trained(alpha, beta, beta0, intervals, f, squares, objective(machine, f, squares), bound, steps)


def _settled(machine: Machine, alpha: tuple[Vector, ...]) -> tuple[Vector, ...]:
    """Return multipliers in doubles, at their bound where they are nearer to it than roundoff.

    One of 10⁻¹⁶ beside others of one would be free, and say where the intercept is that has an interval.
    """
    most = max([v for own in alpha for v in own])

    def settled(v: float, top: float) -> float:
        width = min(most, top) * ROUNDOFF
        return 0 * v if v <= width else top if top - v <= width else v

    return tuple([Vector.of(map(settled, own, tops)) for own, tops in zip(alpha, zip(*machine.costs))])


def products(machine: Machine, alpha: tuple[Vector, ...]) -> list[list[Fraction]]:
    """Return K times the multipliers of each class, in fractions."""
    return [v.fractions() for v in scaled_products(machine.K, list(map(Scaled.of, alpha)))]


def rounded(machine: Machine, exact: Trained, lift: Callable[[Any], Any], planes: Optional[Columns] = None) -> Trained:
    """Return a machine in fractions with its numbers rounded by `lift`.

    The coefficients are those of the rounded multipliers, each rounded once.

    planes    of a linear kernel the coefficients of its functions, in fractions
    """

    def vectors(given: Sequence[Vector]) -> tuple[Vector, ...]:
        return tuple([Vector.of(map(lift, own)) for own in given])

    alpha = vectors(exact.alpha)
    return Trained(
        alpha=alpha,
        beta=vectors(coefficients(machine, tuple([Vector.of(map(Fraction, own)) for own in alpha]))),
        beta0=Vector.of(map(lift, exact.beta0)),
        intervals=tuple([(a if a is None else lift(a), b if b is None else lift(b)) for a, b in exact.intervals]),
        values=vectors(exact.values),
        squares=lift(exact.squares),
        objective=lift(exact.objective),
        dual_objective=lift(exact.dual_objective),
        steps=exact.steps,
        planes=None if planes is None else vectors(planes),
    )


def taken(machine: Machine, alpha: tuple[Vector, ...], beta0: Optional[Vector]) -> Trained:
    """Return the machine of somebody's multipliers and intercepts, or those they say for None; nothing is solved."""
    found = trained(machine, alpha)
    if beta0 is None:
        return found
    f = tuple([Vector.of([v - b + t for v in own]) for own, b, t in zip(found.values, found.beta0, beta0)])
    return replace(found, beta0=beta0, values=f, objective=objective(machine, f, found.squares))


def interval(b: Number, low: End, high: End) -> tuple[End, End]:
    """Return the ends of the optimal intercepts of a class, b among them."""
    # Premise: roundoff may put the ends out of order by a little where the intercept is unique, or leave it outside.
    if low is not None and high is not None and low > high:
        return b, b
    return (None if low is None else min(low, b)), (None if high is None else max(high, b))


def gap(found: Trained) -> float:
    """Return the relative gap in doubles; infinite where it is no number."""
    return float(relative_gap(found.objective, found.dual_objective))
