"""The ramp losses: bounded, so that an outlier pulls with a force of zero; not convex, so that the start matters.

Solves    minimise Σ wᵢ L(mᵢ) + ½λ‖f‖²,   L the ramp min(1, [1 − m]₊) or its square        [ISML-27.6.3-objective]
Given     the points to set aside at first: none, or those with a negative margin at a start
Yields    functions of falling objective, each the optimum of a convex problem; the last is stationary

A point with a negative margin is set aside: where it stands its loss is 1, whatever f does nearby.

    ramp            [1 − m]₊ − [−m]₊, a difference of convex functions. At a negative margin the second is replaced by
                    its tangent −m, which leaves max(1, m): a convex function above the ramp, equal to it for m ≤ 0.
    squared ramp    min(1, [1 − m]₊²) ≤ 1, and the constant takes the place of the loss. ISML's objective is half of
                    ours with half the penalty [ISML-27.6.3-squared-objective].

The points set aside determine the next function, and the objective falls, so that no set comes twice and the iteration
ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, NotConverged
from refclass.kernels.matrices.product import exact_product
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Piece, scaled
from refclass.losses.ramp import Capped, SquaredRamp
from refclass.margins.penalised.penalised import Fit, Problem, of_machine
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD
from refclass.regress.kernel import certificate, fitted_machine, premises
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import machine as dual

LARGEST = 12  # points: 2^12 sets to set aside are four thousand


def aside(y: Vector, f: Vector) -> frozenset[int]:
    """Return the points with a negative margin."""
    return frozenset([i for i, (t, v) in enumerate(zip(y, f)) if v and (t < 0) != (v < 0)])


def machine(F: Field, problem: Problem, points: frozenset[int]) -> dual.Machine:
    """Return the convex problem over λ in which those points are set aside  [ISML-27.6.3-ramp].

        ramp            max(1, m) − 1: −1 ≤ λyᵢaᵢ/wᵢ ≤ 0
        squared ramp    a constant: aᵢ = 0

    Exact     yes
    Raises    InvalidInput for another loss
    """
    if not isinstance(problem.loss, Capped):
        raise InvalidInput("ramp", need="the ramp or the squared ramp", got=type(problem.loss).__name__)
    loss, flat = problem.loss.capped(), problem.loss.tangent(F)
    pieces = []
    for i, (t, w) in enumerate(zip(problem.y, problem.weights)):
        own = (flat if t > 0 else flat.mirrored(),) if i in points else loss.of_label(F, t)
        pieces.append(scaled(own, w / problem.penalty))
    return problem.with_pieces(tuple(pieces))


@dataclass(frozen=True)
class State:
    """A function on the way.

    aside        the points that were set aside for it
    fit          the optimum of that convex problem
    objective    its objective, with the ramp
    previous     the objective before the step
    noise        the roundoff that an objective may carry
    """

    aside: frozenset[int]
    fit: Fit
    objective: Number
    previous: Number
    noise: Number

    def check(self) -> None:
        """Assert that the objective has not risen, up to roundoff."""
        assert self.objective - self.previous <= self.noise, "the objective does not rise"


def steps(F: Field, problem: Problem, points: frozenset[int] = frozenset()) -> Iterator[State]:
    """Yield the states of the iteration; `points` are set aside at first.

    Raises    NoAnswer if K is not positive semidefinite where Σ aᵢ = 0
    """
    previous: Optional[Number] = None
    whole = cache(problem.exactly)
    while True:
        found = of_machine(F, problem, _fitted(F, problem, points))
        f, square = found.f, found.square
        value = problem.objective(F, f, square)
        if found.proven is not None and not F.exact:  # Premise: where doubles do not suffice, not for signs either.
            f, square = function(whole(), found)
            value = F.lift(whole().objective(RATIONAL, f, square))
        fit = replace(found, objectives=(value,))
        noise = THRESHOLD * F.eps * len(problem.y) * (abs(value) + 1)
        yield State(points, fit, value, value if previous is None else previous, noise)
        following = aside(problem.y, f)
        if following == points or (previous is not None and not value < previous):
            return
        points, previous = following, value


def _fitted(F: Field, problem: Problem, points: frozenset[int]) -> fitted_machine.Fitted:
    exact = cache(lambda: machine(RATIONAL, problem.exactly(), points))
    with training.bounds_of(problem.penalty, _lost(problem, points)):
        return training.fit(F, machine(F, problem, points), exact)


def _lost(problem: Problem, points: frozenset[int]) -> Number:
    """Return the loss of points set aside, 1 each, which their convex problem leaves out."""
    return sum([rational(problem.weights[i]) for i in points])


def fit(F: Field, problem: Problem, points: frozenset[int] = frozenset()) -> Fit:
    """Return the stationary function that the iteration ends at  [ISML-27.6.3-objective].

    Exact     yes, where F is
    Raises    NoAnswer if K is not positive semidefinite where Σ aᵢ = 0; NotConverged where roundoff leaves no
              stationary function
    """
    # Method: where the signs of f are roundoff, the iteration in fractions ends elsewhere, and is rounded.
    # Proof: if the objective stands still, f before the last step is an optimum of the last convex problem, too: that
    # problem's value there is its objective, which is no more than the least value. ‖f‖² makes both agree but for the
    # intercept, if it is not unique; and the one before belongs to the points that the problem sets aside.
    states = list(steps(F, problem, points))
    found, last = states[-1].fit, states[-1].fit.proven
    stood = len(states) > 1 and aside(problem.y, found.f) != states[-1].aside
    if stood:
        found = replace(found, beta0=states[-2].fit.beta0)
    found = replace(found, objectives=tuple([s.objective for s in states]), steps=len(states) - 1)
    if F.exact or (last is None and not stood and not _doubtful(F, problem, found)):
        return replace(found, proven=None)
    whole = problem.exactly()
    proof = certify(RATIONAL, whole, found, ceiling=None if last is None else last.ceiling)
    if proof.status != "stationary" and len(problem.y) <= premises.SMALL:
        found = _rounded(F, fit(RATIONAL, whole, points))
        proof = certify(RATIONAL, whole, found)
    if proof.status != "stationary":
        got, need = f"{proof.digits} digits of its convex problem", f"a stationary point that {F.name} can hold"
        known = {"primal": proof.primal, "dual": Fraction(0)}  # Premise: no loss is negative.
        if last is None:
            raise NotConverged("ramp", need=need, got=got, **known)
        with training.bounds_of(1, _lost(problem, states[-1].aside)):
            raise NotConverged("ramp", need=need, got=got, primal=last.primal, dual=last.dual)
    return replace(found, proven=proof)


def _doubtful(F: Field, problem: Problem, found: Fit) -> bool:
    """Return whether the side on which some point lies may be roundoff of the terms of f."""
    shift, unit = float(abs(found.beta0)), THRESHOLD * len(found.a) * float(F.eps)
    pull = premises.terms(problem.K, found.a, problem.positive)
    return any(abs(v) <= unit * (t + shift) for v, t in zip(found.f, pull))


def _rounded(F: Field, exact: Fit) -> Fit:
    """Return a fit in fractions with its numbers lifted into F."""
    low, high = (None if end is None else F.lift(end) for end in exact.interval)
    a, values = (Vector.of(map(F.lift, part)) for part in (exact.a, exact.values))
    objectives = tuple(map(F.lift, exact.objectives))
    return Fit(a, F.lift(exact.beta0), values, (low, high), objectives, exact.steps)


def brute(F: Field, problem: Problem) -> Fit:
    """Return the global optimum, by trying every set of points to set aside; for tiny samples.

    Exact     yes, where F is
    Cost      2ⁿ convex problems
    Raises    InvalidInput for more than 12 points
    """
    # Proof: L = min(1, convex loss), so that the least objective is the least, over the sets S, of Σ wᵢ over S plus the
    # least of the convex losses of the other points with the penalty; and the optimum for S has no more than that.
    n = len(problem.y)
    if n > LARGEST:
        raise InvalidInput("ramp", need=f"at most {LARGEST} points", got=n)
    assert isinstance(problem.loss, Capped)
    constant = replace(problem, loss=SquaredRamp()) if problem.loss.tangent(F).low else problem
    found = []
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            flat = machine(F, constant, frozenset(chosen)).pieces
            kept = machine(F, problem, frozenset()).pieces
            pieces = tuple([flat[i] if i in chosen else kept[i] for i in range(n)])
            found.append(of_machine(F, problem, training.fit(F, problem.with_pieces(pieces))))
    return min(found, key=lambda fit: fit.objectives[0])


def function(problem: Problem, fit: Fit) -> tuple[Vector, Number]:
    """Return the decision values of an answer at the points, and its ‖f‖², exact."""
    a = Vector.of(map(rational, fit.a))
    values = exact_product(problem.K, a)
    square = a @ values
    if fit.beta is not None:
        found, square = certificate.linear(problem.K, fit.beta)
        values = Vector.of(found)
    return Vector.of([v + rational(fit.beta0) for v in values]), square


def certify(
    F: Field, problem: Problem, fit: Fit, *, asked: float = ASKED, ceiling: Optional[float] = None
) -> Certificate:
    """Return the proof that a function is stationary, exact; it never says optimal.

    Every point's multiplier must be one that its loss allows at its margin: −λyᵢaᵢ/wᵢ a slope of L there, or, where L
    has a kink, between its slopes. Margins are those of the answer in exact arithmetic. The digits are those of the
    convex problem that the points of negative margin make, its gap relative to its objective.

    Exact     yes: the problem in F, an exact field; the answer's numbers are taken as the rationals they are

    ceiling   the digits that the convex problem's exact optimum keeps when it is rounded, where computed
    """
    f, square = function(problem, fit)
    tangent = machine(F, problem, aside(problem.y, f))
    steepest = -min(problem.loss.slopes(F, F.kind(0)))
    pieces = list(tangent.pieces)
    for i, (t, w) in enumerate(zip(problem.y, problem.weights)):
        if t * f[i] == 0:  # the kink at m = 0, where r = y: every slope between the one-sided ones will do
            piece = Piece(F.kind(1), F.kind(0), F.kind(0), steepest).scaled(w / problem.penalty)
            pieces[i] = (piece if t > 0 else piece.mirrored(),)
    allowed = problem.with_pieces(tuple(pieces))
    # Premise: an answer within one digit of the ceiling, which is at least 1, is as good as doubles can hold.
    least = asked if ceiling is None else min(asked, max(1, ceiling - 1))
    proven = certificate.certify(allowed, fit.a, fit.beta0, beta=fit.beta, asked=least, convex=False)
    primal = problem.objective(F, f, square)
    return replace(proven.times(problem.penalty), primal=primal, ceiling=ceiling)
