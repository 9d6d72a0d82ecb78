"""Retargeted least squares: a loss minimised by fitting, again and again, targets that move  [ISML-27.6.2-retarget].

Solves    minimise Σ wᵢ L(mᵢ) + ½λ‖f‖², mᵢ = yᵢ(f(xᵢ) + β₀)
Given     a loss whose second derivative is at most c, or the squared ramp; a start, or none: penalised least squares
Yields    functions of falling objective; if the loss is convex, their limit is the optimum

    vᵢ = mᵢ − L′(mᵢ)/c        f ← argmin ½c Σ wᵢ(vᵢyᵢ − f(xᵢ) − β₀)² + ½λ‖f‖²

The parabola ½c(m − v)² touches L and lies above it, up to a constant, so that lowering one lowers the other. For the
squared hinge v = max(1, m).

The squared ramp has no such c, but the parabola with v = 1 on [0, 1] and v = m elsewhere lies above it ("corrected").
The text's own v = m + min(1, max(0, 1 − m)) is that of the Huberised hinge, which is what it minimises ("printed")
[ERR-ISML-01].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Optional

from refclass.errors import InvalidInput, quoted
from refclass.linear import bordered
from refclass.linear.vector import Vector
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.loss import MarginLoss
from refclass.margins.penalised.penalised import Fit, Problem
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD

PRINTED, CORRECTED = "printed", "corrected"


def bound(F: Field, loss: MarginLoss) -> Number:
    """Return the c of a loss: what its second derivative never exceeds  [ISML-27.6.2-identity].

    Raises    InvalidInput for a loss that has none
    """
    c = loss.curvature_bound(F)
    if c is None:
        raise InvalidInput("retargeted", need="a loss with parabolas above it", got=type(loss).__name__)
    return c


def target(F: Field, loss: MarginLoss, m: Number, retarget: str = CORRECTED) -> Number:
    """Return the v that a margin is to be fitted to  [ISML-27.6.2-retarget] [ISML-27.6.3-retarget].

        v = m − L′(m)/c        squared hinge: m + max(0, 1 − m)
        squared ramp           1 on [0, 1], m elsewhere;    as printed: m + min(1, max(0, 1 − m))

    Exact     yes, if the loss is

    Example
        >>> from refclass.losses.squared_hinge import SquaredHinge
        >>> from refclass.losses.ramp import SquaredRamp
        >>> from refclass.number.binary64 import BINARY64
        >>> [target(BINARY64, SquaredHinge(), m) for m in (-2.0, 0.5, 3.0)]
        [1.0, 1.0, 3.0]
        >>> [target(BINARY64, SquaredRamp(), m, how) for m in (-2.0, 0.5) for how in ("corrected", "printed")]
        [-2.0, -1.0, 1.0, 1.0]
    """
    if not loss.convex and retarget == PRINTED:
        return m + min(F.kind(1), max(F.kind(0), 1 - m))
    return loss.target(F, m)


def minimised(problem: Problem, retarget: str = CORRECTED) -> Problem:
    """Return the problem whose objective the iteration lowers: the Huberised hinge for the retarget as printed.

    The squared ramp is twice the text's, and so is its penalty: with the Huberised hinge, which carries the text's ½,
    goes half of λ.
    """
    if not problem.loss.convex and retarget == PRINTED:
        return replace(problem, loss=HuberisedHinge(), penalty=problem.penalty / 2)
    return problem


class Start(NamedTuple):
    """A function to start from: its decision values at the points, intercept included, and ‖f‖²."""

    f: Vector
    square: Number


@dataclass(frozen=True)
class State:
    """A function on the way.

    a, beta0     its multipliers and intercept; None for a start known by its values
    f            its decision values at the points, intercept included
    square       ‖f‖²
    objective    the problem's objective
    lowered      the objective that the iteration lowers: another only for the retarget as printed
    previous     that objective before the step
    moved        ‖f − f before‖², None where that is not known
    noise        the roundoff that an objective may carry
    """

    a: Optional[Vector]
    beta0: Number
    f: Vector
    square: Number
    objective: Number
    lowered: Number
    previous: Number
    moved: Optional[Number]
    noise: Number

    def check(self) -> None:
        """Assert that the objective that is being lowered has not risen, up to roundoff."""
        assert self.lowered - self.previous <= self.noise, "the objective does not rise"


class Steps:
    """The iteration: iterate over it for its states.

        (K + λ/(cw)) a + β₀1 = v∘y,   1ᵀa = 0        hence f = v∘y − (λ/(cw))∘a  [ISML-27.6.2-start]

    With K = ΦΦᵀ this is θ = Φᵀa = (ΦᵀΦ + (λ/c)I)⁻¹Φᵀ(v∘y). One factor serves all steps.
    """

    def __init__(self, F: Field, problem: Problem, *, start: Optional[Start] = None, retarget: str = CORRECTED) -> None:
        if retarget not in (PRINTED, CORRECTED):
            raise InvalidInput("retargeted", need=f"retarget {CORRECTED} or {PRINTED}", got=quoted(retarget))
        self.F, self.problem, self.retarget = F, problem, retarget
        self.lowered = minimised(problem, retarget)
        share = problem.penalty / bound(F, problem.loss)
        self.shift = Vector.of([share / w for w in problem.weights])
        self.system = bordered.factor(F, problem.table(), self.shift, border=problem.intercept)
        ones = Vector.of([F.kind(1)] * len(problem.y))
        self.state = self._fitted(ones, None) if start is None else self._state(None, F.kind(0), *start, None)

    def __iter__(self) -> Iterator[State]:
        while True:
            yield self.state
            self.state = self._fitted(self.targets(), self.state)

    def targets(self) -> Vector:
        """Return the v that the margins of the state are to be fitted to."""
        m = self.problem.y.times(self.state.f)
        return Vector.of([target(self.F, self.problem.loss, t, self.retarget) for t in m])

    def _fitted(self, v: Vector, before: Optional[State]) -> State:
        targets = v.times(self.problem.y)
        a, beta0 = self.system.solve(targets)
        f = targets - self.shift.times(a)
        return self._state(a, beta0, f, a @ Vector.of([t - beta0 for t in f]), before)

    def _state(self, a: Optional[Vector], beta0: Number, f: Vector, square: Number, before: Optional[State]) -> State:
        objective, lowered = (p.objective(self.F, f, square) for p in (self.problem, self.lowered))
        moved = None
        if before is not None and before.a is not None and a is not None:
            rise = beta0 - before.beta0
            moved = (a - before.a) @ Vector.of([t - s - rise for t, s in zip(f, before.f)])
        noise = THRESHOLD * self.F.eps * len(f) * (abs(lowered) + 1)
        previous = lowered if before is None else before.lowered
        return State(a, beta0, f, square, objective, lowered, previous, moved, noise)


def steps(
    F: Field,
    problem: Problem,
    *,
    start: Optional[Start] = None,
    retarget: str = CORRECTED,
    tol: Optional[Number] = None,
    max_steps: int = 1000,
) -> Iterator[State]:
    """Yield the states of the iteration, the start first.

    start        a function to start from; none: least squares with the penalty
    tol          it ends when ‖f − f before‖ < tol, as ISML's program does at 0.001 [ISML-27.6.2-listing]; none: when f
                 stands still
    max_steps    or after so many steps

    Raises    InvalidInput for a loss that has no targets; NoAnswer if K + λ/c is not positive definite
    """
    least = F.kind(0) if tol is None else tol * tol
    for count, state in enumerate(Steps(F, problem, start=start, retarget=retarget)):
        yield state
        if count == max_steps or (state.moved is not None and (state.moved <= 0 or state.moved < least)):
            return


def fit(F: Field, problem: Problem, **options: Any) -> Fit:
    """Return where the iteration ends, with the objective of every step; options as for `steps`, at least one step.

    Cost      n³/6 multiplications, and n² a step
    """
    states = list(steps(F, problem, **options))
    last = states[-1]
    if last.a is None:
        raise InvalidInput("retargeted", need="at least one step from a given start", got="none")
    values = Vector.of([v - last.beta0 for v in last.f])
    objectives = tuple([state.objective for state in states])
    return Fit(last.a, last.beta0, values, (last.beta0, last.beta0), objectives, len(states) - 1)
