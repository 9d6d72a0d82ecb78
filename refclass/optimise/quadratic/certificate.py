"""The one quadratic problem, its optimality conditions, and the proof of its answers  [KIM-3.2] [KIM-3.6].

    minimise ½xᵀQx + cᵀx   subject to   E x = d,   G x ≤ h,   lower ≤ x ≤ upper

Its Lagrangian, with multipliers ν for E, μ ≥ 0 for G, a ≥ 0 for the lower and b ≥ 0 for the upper bounds, is

    L(x; ν, μ, a, b) = ½xᵀQx + cᵀx + νᵀ(Ex − d) + μᵀ(Gx − h) − aᵀ(x − lower) + bᵀ(x − upper)

For Q positive semidefinite x is a minimum if and only if multipliers exist with

    Qx + c + Eᵀν + Gᵀμ − a + b = 0      μ, a, b ≥ 0      μᵀ(h − Gx) = aᵀ(x − lower) = bᵀ(upper − x) = 0

and x is feasible.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import Certificate, digits, relative_digits, status
from refclass.linear.common_denominator import Scaled
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import FEW_VARIABLES
from refclass.optimise.quadratic import uniqueness
from refclass.optimise.quadratic.convexity import negative_direction
from refclass.optimise.quadratic.exact_data import Bounds, Exact, exact
from refclass.optimise.quadratic.problem import Answer as Answer
from refclass.optimise.quadratic.problem import Problem as Problem
from refclass.optimise.quadratic.problem import gradient as gradient
from refclass.optimise.quadratic.problem import objective as objective
from refclass.optimise.quadratic.problem import product as product


def residuals(problem: Problem, answer: Answer) -> Mapping[str, tuple[Fraction, int]]:
    """Return how far each optimality condition fails, exactly, with the place where it fails most.

    name                      amount at variable or row i
    "lower bound"             max(0, lowerᵢ − xᵢ)
    "upper bound"             max(0, xᵢ − upperᵢ)
    "equality"                |Ex − d|
    "inequality"              max(0, Gx − h)
    "sign of μ", "sign of at_lower", "sign of at_upper"    max(0, −multiplier)
    "stationarity"            |Qx + c + Eᵀν + Gᵀμ − at_lower + at_upper|
    "complementarity of G", "… of the lower bound", "… of the upper bound"
                              |multiplier · slack|; a multiplier of a bound that does not exist counts itself
    """
    return _residuals(exact(problem, answer))


def _residuals(at: Exact) -> dict[str, tuple[Fraction, int]]:
    below = (at.lower.value - at.x).where(at.lower.exists)
    above = (at.x - at.upper.value).where(at.upper.exists)
    stationarity = at.Qx + at.c + at.pull - at.lower.multiplier + at.upper.multiplier
    return {
        "lower bound": below.positive().largest(),
        "upper bound": above.positive().largest(),
        "equality": at.equality.absolute().largest(),
        "inequality": at.inequality.positive().largest(),
        "sign of μ": (-at.mu).positive().largest(),
        "sign of at_lower": (-at.lower.multiplier).positive().largest(),
        "sign of at_upper": (-at.upper.multiplier).positive().largest(),
        "stationarity": stationarity.absolute().largest(),
        "complementarity of G": at.mu.times(at.inequality).absolute().largest(),
        "complementarity of the lower bound": _unused(at.lower, below),
        "complementarity of the upper bound": _unused(at.upper, above),
    }


def _unused(bounds: Bounds, slack: Scaled) -> tuple[Fraction, int]:
    groundless = bounds.multiplier.where([not e for e in bounds.exists])
    return max(bounds.multiplier.times(slack).absolute().largest(), groundless.absolute().largest())


def dual(problem: Problem, answer: Answer) -> Fraction:
    """Return the Lagrangian's lower bound on the objective, exactly, from x, ν and μ.

        D = −½xᵀQx − νᵀd − μᵀh + aᵀlower − bᵀupper,   a = max(g, 0), b = max(−g, 0),   g = Qx + c + Eᵀν + Gᵀμ

    Negative μ count as zero, and so do a and b where there is no bound; r = g − a + b is what then stays unbalanced. x
    need not be feasible.

    Laws      for Q positive semidefinite and every feasible z: objective(z) ≥ D + rᵀz; hence ≥ D when r = 0, which
              is so whenever all bounds exist
    """
    # Proof: L is convex in z with gradient r at x, so objective(z) ≥ L(z) ≥ L(x) + rᵀ(z − x), and L(x) = D + rᵀx.
    return _dual(exact(problem, answer))


def _dual(at: Exact) -> Fraction:
    mu = at.mu.positive()
    g = at.Qx + at.c + at.pull + at.wrong
    a = g.positive().where(at.lower.exists)
    b = (-g).positive().where(at.upper.exists)
    return -(at.x @ at.Qx) / 2 - at.nu @ at.d - mu @ at.h + a @ at.lower.value - b @ at.upper.value


def certify(problem: Problem, answer: Answer, *, convex: Optional[bool] = None) -> Certificate:
    """Return the proof of an answer: primal and dual value, gap, worst violation, all exact.

    Everything is lifted to rationals first, a float at its exact worth; nothing of the solver's bookkeeping is used.
    For a feasible x the gap is Σ multiplier · slack over all constraints, hence ≥ 0, and 0 only at a minimum. For an x
    that breaks constraints by up to `worst_violation` the bound `dual` still holds (see `dual`), but `primal` is not a
    value that a feasible point reaches: the gap may be negative, and its status is the number of digits to which it
    keeps its constraints, relative to its largest entry, and to which the two values agree. Without convexity there is
    no bound, and no gap.

    convex    whether Q is positive semidefinite on {p : Ep = 0}: True (by a theorem, a Gram matrix of a positive
              kernel) or False; None: of exact numbers it is decided here up to 30 variables, else named in the
              premise. True for a positive kernel whose Gram matrix is rounded by a share ε of its entries leaves the
              bound uncertain, against a point z, by ½εn max Qᵢᵢ ‖z − x‖² at most

    unique    of an optimum: "x", whether it is the only one, None if undecided; "nu", for a single equality without
              inequalities: True, or the interval of all that are optimal

    Cost      n multiplications of integers for each entry of x that is not zero; then as `uniqueness.of_x`
    """
    at = exact(problem, answer)
    if convex is None and problem.n <= FEW_VARIABLES and not roundoff(problem.kind):
        convex = negative_direction(problem) is None
    failing = _residuals(at)
    name, (amount, place) = max(failing.items(), key=lambda item: item[1][0])
    primal = at.x @ at.Qx / 2 + at.c @ at.x
    bound = None if convex is False else _dual(at)
    missed, proven = max(failing[condition][0] for condition in FEASIBILITY), None
    if missed:
        size = at.x.absolute().largest()[0]
        held = digits(missed, size)
        proven = held if bound is None else min(held, relative_digits(primal, bound) or 0)
        word = status(proven, math.inf)
    elif amount or (bound is not None and primal != bound):
        word = "feasible"
    else:
        word = "stationary" if bound is None else "optimal"
    return Certificate(
        status=word,
        primal=primal,
        dual=bound,
        gap=None if bound is None else primal - bound,
        worst_violation=amount,
        where=f"{name}, {'row' if name in ROWS else 'variable'} {place}" if amount else "",
        unique=_unique(problem, at) if word == "optimal" else {},
        premise="Q is positive semidefinite where Ex = 0" if convex is None else "",
        digits=proven,
    )


FEASIBILITY = ("lower bound", "upper bound", "equality", "inequality")
ROWS = ("equality", "inequality", "sign of μ", "complementarity of G")


def _unique(problem: Problem, at: Exact) -> dict[str, Any]:
    """Return what is unique of an optimum."""
    loose = []
    inwards = []
    for i, x in enumerate(at.x.fractions()):
        low, high = (bound.exists[i] and x == bound.value[i] for bound in (at.lower, at.upper))
        if not (at.lower.multiplier.integers[i] or at.upper.multiplier.integers[i] or (low and high)):
            loose.append(i)
            inwards += [(i, 1)] * low + [(i, -1)] * high
    tight = [k for k, v in enumerate(at.inequality.integers) if not v]
    rows = problem.G or ()
    held = [*(problem.E or ()), *[rows[k] for k in tight if at.mu.integers[k]]]
    touching = uniqueness.Touching(loose, inwards, held, [rows[k] for k in tight if not at.mu.integers[k]])
    found: dict[str, Any] = {"x": uniqueness.of_x(problem, touching)}
    if problem.G is None and len(problem.E or ()) == 1:
        found["nu"] = uniqueness.of_nu(problem, at.x, at.Qx + at.c)
    return found
