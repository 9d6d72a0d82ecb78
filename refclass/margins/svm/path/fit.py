"""The soft-margin machines of every λ at once: model of the path  [ESL-12.33] [ESL-12.34] [ESL-12.3.5-path].

    minimise Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖²,   f = (1/λ) (Σ αᵢyᵢK(·, xᵢ) + α₀),   0 ≤ αᵢ ≤ 1

At λ that is the machine of cost C = 1/λ, whose multipliers are αᵢ/λ. The printed [ESL-12.34] omits α₀ [ERR-ESL-05].

Doubles follow a path well where inner products differ by more than their roundoff. They are taken about a point among
the data where those lie far from the origin, and the last break point is proven, exactly. Where that proof fails, where
doubles lose the path, or do not give the last λ its digits, decimals of 200 digits follow it; where doubles only cannot
decide whether more break points follow, decimals go on from the last. Their answers are rounded (`rounding`).
Where decimals lose all of the path, as where K is of low rank and its entries are far larger than their differences,
few points are followed in fractions. Where fewer decimals are asked for, 200 digits follow the path, too: those lose it
far from the origin, without notice where λ is small beside the entries of K. That a path has no break points is proven
from what doubles find (`constant`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import NoAnswer, NotConverged
from refclass.kernels.matrices.product import linear_points
from refclass.linear.vector import Vector, dot
from refclass.margins.svm import certificate
from refclass.margins.svm.path import constant, last_break_point, rounding
from refclass.margins.svm.path.model import Model, certify
from refclass.margins.svm.path.numbers import (
    DIGITS,
    WORK,
    about_first,
    about_median,
    about_origin,
    inside_about_first,
    lifted_problem,
    problem,
    table,
)
from refclass.margins.svm.soft import Machine
from refclass.number.decimals import decimal
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.optimise.path import hastie, path_state
from refclass.optimise.path import solution as path
from refclass.optimise.path.path_state import State
from refclass.optimise.path.residuals import ELBOW, LEFT
from refclass.optimise.path.segments import Place
from refclass.optimise.quadratic.definiteness import definite

SOLVERS = ("auto", "hastie")
FEW, LONGER = 60, 20  # points up to which fractions follow where decimals lose the path, and what their units cost
GUARD = 2  # digits beyond those asked for, of yf = 1 at the last event: its λ has fewer than this
CONDITION_UNITS = 2**8  # of roundoff, over the least pivot: more than λ of a break point is seen to err by, relatively
NEXT = Fraction(1, 2**20)  # of the way to the next break point: where decimals go on
FAR = 2**8  # the squared size of points over that of their differences from which on inner products are taken elsewhere


def fit(K: Any, y: Vector, held: Any = None, *, solver: str = "auto", positive: bool = True) -> Model:
    """Return the whole path for a Gram matrix and labels ±1.

    K         anything with row(i), diagonal() and len()
    held      the same with every entry at its exact worth, if that is another; proofs are about it
    solver    "auto", or "hastie": the algorithm as its paper states it, without decimals where doubles lose the path
    positive  whether K is known to be positive semidefinite, by a theorem on its kernel
    Exact     yes
    Cost      n m + m² multiplications a break point, m points on the edge
    Raises    InvalidInput unless both classes are there; NotConverged where doubles and decimals lose all of the path,
              or the kernel's values, once rounded, are no longer positive semidefinite; NoAnswer with a
              direction of negative curvature where the kernel of a lost path has one
    """
    held = K if held is None else held
    try:
        found = _followed(K, y, held, solver)
        if y.kind is Fraction or not (positive or definite(held, True)[0]):
            return replace(found, positive=positive, roundings=None)
        if found.path.problem.y.kind is not y.kind:
            found = rounding.rounded(found)
        elif solver == "hastie":
            _told_apart(found)
        return replace(found, positive=positive)
    except (NoAnswer, NotConverged) as refusal:
        direction = None if positive else definite(held, True)[1]
        if direction is None:
            if isinstance(refusal, NotConverged):
                raise _bounded(refusal, y, held) from None
            need, got = "a Gram matrix that is convex as it is held", "one that roundoff has left without"
            raise _bounded(NotConverged("path", need=need, got=got), y, held) from None
    need = "a kernel that is positive semidefinite, or a path of stationary points"
    raise NoAnswer("path", need=need, got="a direction of negative curvature", direction=direction)


def _bounded(refusal: NotConverged, y: Vector, held: Any) -> NotConverged:
    """Return the refusal of a lost path with bounds on the machine's objective at the λ where it was lost, or at 1.

    They are those of the multipliers known there, else of multipliers that are even in each class, α₀ = 0.
    """
    witness = dict(refusal.witness)
    even = {t: Fraction(min(y.count(1), y.count(-1)), y.count(t)) for t in (1, -1)}
    lam = witness.get("lam", 1)
    cost = 1 / rational(lam) if lam > 0 else Fraction(1)
    machine = Machine(held, y, (cost,) * len(y), positive=True)
    known = [(witness["alpha"], rational(witness["alpha0"]))] if "alpha" in witness else []
    for alpha, alpha0 in (*known, ([even[int(t)] for t in y], Fraction(0))):
        inside = [min(max(rational(a), Fraction(0)), Fraction(1)) * cost for a in alpha]
        proof = certificate.certify(machine, Vector.of(inside), alpha0 * cost)
        if proof.dual is not None and proof.primal is not None:
            break
    bounds = {"lam": 1 / cost, "primal": proof.primal, "dual": proof.dual}
    return NotConverged(refusal.module, need=refusal.need, got=refusal.got, **{**witness, **bounds})


def _followed(K: Any, y: Vector, held: Any, solver: str) -> Model:
    if solver == "hastie":
        return Model(K, y, hastie.solve(path_state.Problem(table(K), y)), held)
    if y.kind is not float:
        return constant.model(K, y, held, constant.start(held, y)) or _as_asked(K, y, held)
    try:
        found = _in_doubles(K, y, held)
        known = _proven(found)
    except NotConverged:
        return _in_decimals(K, y, held)
    if found.path.states:
        return _continued(found, known) if known else _in_decimals(K, y, held)
    whole = constant.model(K, y, held, (found.path.problem.K, found.path.start))
    try:
        return whole or _in_decimals(K, y, held)
    except NotConverged:
        return constant.nearly(found)


def _told_apart(model: Model) -> None:
    """Raises NotConverged where break points of a path in rounded numbers are not proven, with the first of them."""
    known, states = _proven(model), model.path.states
    kept = all(_on_margin(model, s) for s in states[:known])
    if known < len(states) or not kept:
        lost = states[min(known, len(states) - 1)]
        need, got = f"{ASKED} digits at each break point", f"{certify(model, lost.lam).digits} digits, or fewer of λ"
        raise NotConverged("path", need=need, got=got, lam=lost.lam, alpha=lost.alpha, alpha0=lost.alpha0)


def _as_asked(K: Any, y: Vector, held: Any) -> Model:
    """Return the path in fractions, or in decimals, at least 200 digits of them."""
    if getattr(y.kind, "precision", DIGITS) < DIGITS:
        return _in_decimals(K, y, held, None)
    return last_break_point.decided(Model(K, y, path.solve(path_state.Problem(table(K), y)), held))


def _in_doubles(K: Any, y: Vector, held: Any) -> Model:
    """Return the path in doubles, with inner products about the points' median where they lie far from the origin."""
    points, far = linear_points(K), False
    if points is not None:
        _, about = about_median(points)
        far = bool(max([dot(x, x) for x in points]) > FAR * max([dot(x, x) for x in about]))
    doubles, moved = problem(K, y, held, decimals=False, about=far)
    return Model(K, y, path.solve(doubles), held, moved)


def _in_decimals(K: Any, y: Vector, held: Any, work: Optional[int] = WORK) -> Model:
    """Return the path in decimals, as far as the work goes; in fractions where decimals lose all of it.

    So they do where values of a kernel differ beyond their digits.
    """
    try:
        found = last_break_point.decided(Model(K, y, about_origin(path.solve(about_first(held, y), work), held), held))
        if found.path.states or len(y) > FEW:
            return found
    except NotConverged:
        if len(y) > FEW:
            raise
    return Model(K, y, path.solve(lifted_problem(held, y, RATIONAL), WORK // LONGER), held)


def _has_digits(proof: Certificate) -> bool:
    return proof.digits is not None and proof.digits >= ASKED


def _proven(model: Model, enough: Callable[[Certificate], bool] = _has_digits) -> int:
    """Return how many of the break points, from the first on, lead down to one that is proven well enough.

    Method: bisection. Roundoff grows relative to λ as λ falls.
    """
    good, bad = 0, len(model.path.states) + 1
    while bad - good > 1:
        middle = bad - 1 if bad > len(model.path.states) else (good + bad) // 2
        if enough(certify(model, model.reported(model.path.states[middle - 1].lam))):
            good = middle
        else:
            bad = middle
    return good


def stationary_part(model: Model) -> Model:
    """Return the path of an indefinite kernel down to the last break point that is stationary as it is rounded."""
    known = _proven(model, lambda proof: proof.status == "stationary")
    states = model.path.states[:known]
    return replace(model, path=replace(model.path, states=states, least=states[-1].lam)) if known else model


def _exact(model: Model) -> bool:
    """Return whether λ of the break points of a path in doubles has the digits asked for, as far as can be told.

    The points on the elbow have yf = 1, at the first break point, where the start was rounded, and at the last, where
    roundoff is largest beside λ; and the elbow's equations are so conditioned as to keep λ.
    """
    kept = bool(model.path.narrow >= CONDITION_UNITS * roundoff(float) * 10**ASKED)
    return kept and all(_on_margin(model, s) for s in (model.path.states[0], model.path.states[-1]))


def _on_margin(model: Model, state: State) -> bool:
    """Return whether the points on the elbow at a break point have yf = 1 to two digits more than are asked for."""
    lam = rational(state.lam)
    beta0 = rational(state.alpha0) / lam
    if model.moved is not None:
        beta0 = model.levelled(state.lam, state.alpha, model.rounded(state.lam).beta0)
    signed = [(j, rational(a * t)) for j, (a, t) in enumerate(zip(state.alpha, model.y)) if a]
    for i in (k for k, pair in enumerate(zip(state.above, state.below)) if ELBOW in pair):
        row = model.held.row(i)
        value = sum([a * rational(row[j]) for j, a in signed]) / lam + rational(beta0)
        if abs(value * rational(model.y[i]) - 1) * 10 ** (ASKED + GUARD) > 1:
            return False
    return True


def _continued(model: Model, known: int) -> Model:
    """Return a path in doubles that is whole, or one that follows it in decimals, or no more than what is known."""
    K, y, held, states = model.K, model.y, model.held, model.path.states
    here, spent = states[known - 1], sum(map(path.cost, states))
    whole = known == len(states) and not model.path.least
    little = spent <= WORK // 4
    ended, exact = LEFT not in here.below, whole and little and _exact(model)
    if whole and ended and (exact or not little):
        return model
    if little and not exact:
        with suppress(NotConverged):
            return _in_decimals(K, y, held)
    affordable = here.below.count(ELBOW) ** 3 + path.cost(here) <= WORK // 4
    if affordable and (whole or spent <= WORK):
        with suppress(NotConverged):
            going = path.resumed(about_first(held, y), model.unmoved(), _place(model, known), WORK)
            longer = replace(model, path=about_origin(going, held, known), moved=None, roundings=(None,) * known)
            return last_break_point.decided(longer)
    if spent <= WORK:
        with suppress(NotConverged):
            return _in_decimals(K, y, held)
    least = path_state.floor(model.path.problem) if whole else here.lam
    return model if whole and ended else replace(model, path=replace(model.path, states=states[:known], least=least))


def _place(model: Model, known: int) -> Place:
    """Return a place just below the last of the known break points."""
    F, states = decimal(DIGITS), model.path.states
    here, step = states[known - 1], F.lift(NEXT)
    lam = F.lift(here.lam) * (1 - step)
    if known < len(states):
        lam = lam + F.lift(states[known].lam) * step
    inside = [rational(t) if s == LEFT else Fraction(0) for t, s in zip(model.y, here.below)]
    return Place(lam, here.below, Vector.of(map(F.lift, inside_about_first(model.held, inside))))
