"""Starting points where squared slack leaves most variables free: a model of low rank, corrected by all rows of Q.

    minimise ½xᵀQx + cᵀx subject to bounds and one sum, or none;   Q = K + D,  D a positive diagonal

A factor of f free variables takes f³/6 multiplications. The Gram matrix K of a smooth kernel is Z Zᵀ, up to little of
D, with some hundred columns; Cholesky's method with diagonal pivoting finds them (Harbrecht, Peters and Schneider
2012). From a point x with gradient g = Qx + c the step to the minimum of the model is the p of

    minimise gᵀp + ½‖Zᵀp‖² + ½pᵀDp subject to the bounds of x + p and the sum,

whose dual has one unknown for each column, w = Zᵀp, and one for the sum: maximise −½‖w‖² + Σ min over pᵢ. It is smooth
and piecewise quadratic; Newton's method solves it. K − Z Zᵀ is the error of the model, and the gradient after the step
has that part of p only: each round wins the digits by which it is below D. These are Newton steps with an approximate
Hessian, on all variables at once, whichever change between free and bound. Nothing depends on where the rounds end:
decomposition goes on from there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.factorisations import cholesky, low_rank
from refclass.linear.matrix import Matrix
from refclass.linear.polar import IN_C, Columns, Products, gram
from refclass.linear.vector import Vector, dot
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import NEWTON_STEPS
from refclass.optimise.quadratic import box, box_rows
from refclass.optimise.quadratic.certificate import Problem
from refclass.optimise.smooth import newton

LEAST, MOST = 1000, 5000  # free variables: up to LEAST a factor takes seconds, beyond MOST their rows more than 200 MB
TRIAL, TRIAL_SHARE = 50, 0.05  # so many columns, of which outliers take the first, leave at most that part of the trace
COLUMNS, SHARE = 150, 1e-4  # at most; and the part of D below which they need leave nothing
CLOSE = 0.01  # part of D that they may leave at most
GAIN = 4  # by which the violation falls in a round, at least


def found(problem: Problem, summed: bool) -> Optional[list[float]]:
    """Return a point to start from; None where Q is not such a sum, or where few variables are free.

    summed    whether Σ xᵢ is given
    """
    curvature = getattr(problem.Q, "curvature", None)
    if not IN_C or not LEAST <= problem.n <= MOST or curvature is None or problem.Q.places is not None:
        return None
    if min(curvature) <= 0 or (summed and problem.d is not None and problem.d[0] != 0):
        return None
    Z = _columns(problem.Q.K, min(curvature))
    return None if Z is None else _Rounds(problem, _Model(Z, curvature, summed)).run()


def _columns(K: Any, least: float) -> Optional[list[tuple[float, ...]]]:
    """Return the rows of Z; None where a few columns leave much of K, or all of them more than a small part of D."""
    for most, allowed in ((TRIAL, TRIAL_SHARE * sum(K.diagonal()) / len(K)), (COLUMNS, CLOSE * least)):
        units = SHARE * least / (roundoff(float) * max(K.diagonal()))
        Z = low_rank.leading(K, most, units)
        left = [v - dot(z, z) for v, z in zip(K.diagonal(), Z)]
        if sum(left) / len(left) > allowed:
            return None
    return Z


class _Model:
    """Z Zᵀ + D, and the steps to its minimum.

    rows, columns    of Z, the last column one where a sum is kept
    """

    def __init__(self, Z: Sequence[tuple[float, ...]], curvature: Sequence[float], summed: bool) -> None:
        self.D, self.summed = curvature, summed
        self.width = len(Z[0])
        rows = [(*z, 1.0) for z in Z] if summed else Z
        self.rows = Products(rows)
        self.columns = list(zip(*rows))
        self.product = Columns(self.columns)
        self.known: tuple[Any, Any] = (None, None)  # the free variables of the last factor, and the factor

    def step(self, g: Sequence[float], lower: Sequence[float], upper: Sequence[float]) -> list[float]:
        """Return the p that is least of  gᵀp + ½‖Zᵀp‖² + ½pᵀDp  between these bounds.

        Raises    NoAnswer and NotConverged, as `smooth.newton`
        """
        dual = _Dual(self, g, lower, upper)
        start = Vector.of([0.0] * len(self.columns))
        problem = newton.Problem(dual.value, dual.gradient, dual.solve)
        return dual.at(newton.solve(BINARY64, problem, start, max_steps=NEWTON_STEPS).x)[0]

    def factor(self, free: Sequence[bool]) -> cholesky.Factor:
        """Return the factor of the Hessian of the dual: the identity, none for the sum, and Zᵀ D⁻¹ Z of the free."""
        if self.known[0] != free:
            weights = [1 / math.sqrt(d) if on else 0.0 for d, on in zip(self.D, free)]
            lower = gram([tuple(map(mul, column, weights)) for column in self.columns])
            for k in range(self.width):
                lower[k][k] += 1.0
            if self.summed and not lower[-1][-1] > 0:  # none is free: any step along the sum that leads down will do
                lower[-1][-1] = sum([1 / d for d in self.D])
            size = range(len(lower))
            whole = [Vector.of([lower[max(i, j)][min(i, j)] for j in size]) for i in size]
            self.known = (free, cholesky.factor(BINARY64, Matrix.of(whole)))
        return self.known[1]  # type: ignore[no-any-return]


class _Dual:
    """½‖w‖² + Σ max { −(gᵢ + zᵢᵀw + b) p − ½Dᵢp² : lowerᵢ ≤ p ≤ upperᵢ }, the dual with its sign changed."""

    def __init__(self, model: _Model, g: Sequence[float], lower: Sequence[float], upper: Sequence[float]) -> None:
        self.model, self.g, self.lower, self.upper = model, g, lower, upper
        self.known: tuple[Any, Any] = (None, None)

    def at(self, t: Vector) -> tuple[list[float], list[float], list[bool]]:
        """Return p, what pulls at each of its entries, and which are free."""
        if self.known[0] is not t:
            pull = [-v - w for v, w in zip(self.g, self.model.rows(t))]
            whole = [s / d for s, d in zip(pull, self.model.D)]
            p = [low if v < low else high if v > high else v for v, low, high in zip(whole, self.lower, self.upper)]
            self.known = (t, (p, pull, [v == u for v, u in zip(p, whole)]))
        return self.known[1]  # type: ignore[no-any-return]

    def value(self, t: Vector) -> float:
        """Return the value."""
        p, pull, _ = self.at(t)
        w = t[: self.model.width]
        return float(dot(w, w) / 2 + dot(p, pull) - sum([d * v * v for d, v in zip(self.model.D, p)]) / 2)

    def gradient(self, t: Vector) -> Vector:
        """Return the gradient: w − Zᵀp, and for the sum −Σ pᵢ."""
        p, _, _ = self.at(t)
        w = [*t[: self.model.width], *[0.0] * self.model.summed]
        return Vector.of([u - v for u, v in zip(w, self.model.product(p))])

    def solve(self, t: Vector, h: Vector) -> Vector:
        """Return the solution of the Hessian's equations."""
        return self.model.factor(self.at(t)[2]).solve(h)


class _Rounds:
    """The iteration.

    x, g    the point and its gradient
    rows    of Q, of the variables that have moved
    """

    def __init__(self, problem: Problem, model: _Model) -> None:
        self.problem, self.model = problem, model
        self.lower = [-math.inf if v is None else v for v in problem.lower]
        self.upper = [math.inf if v is None else v for v in problem.upper]
        self.x, self.g = [0.0] * problem.n, list(problem.c)
        self.rows: dict[int, Sequence[float]] = {}

    def run(self) -> Optional[list[float]]:
        """Return the point of least violation; None where few variables have moved in the first round."""
        best, least = None, math.inf
        while True:
            try:
                self.go()
            except (NoAnswer, NotConverged):
                return best
            if len(self.rows) <= LEAST:
                return None
            violation, before = self.violation(), least
            if violation < least:
                best, least = self.x, violation
            if GAIN * violation > before:
                return best

    def go(self) -> None:
        """Go to the minimum of the model, and bring the gradient up to date."""
        x, nu = self.x, box.intercept(self.problem, self.x, self.g) if self.model.summed else 0.0
        room = [[v - u for v, u in zip(bounds, x)] for bounds in (self.lower, self.upper)]
        # Method: a multiplier of the sum is taken off first, so that what is left near the optimum is all digits.
        p = self.model.step([v + nu for v in self.g], *room)
        ends = zip(x, p, self.lower, self.upper)
        new = [low if u + v < low else high if u + v > high else u + v for u, v, low, high in ends]
        self.x = box.start(self.problem, new)
        gone = [u - v for u, v in zip(self.x, x)]
        moved = box_rows.balanced(gone)
        new_rows = [i for i in moved if i not in self.rows]
        if len(self.rows) + len(new_rows) > LEAST:
            # Method: from the last on, as the first ones are asked for next, and the store may forget the others.
            for i in sorted(new_rows, reverse=True):
                self.rows[i] = box_rows.packed(self.problem.Q.row(i))
            self.g = box_rows.combine(self.g, [gone[i] for i in moved], [self.rows[i] for i in moved])

    def violation(self) -> float:
        """Return how far the worst pair violates optimality, or the worst variable without the sum."""
        m = [-v for v in self.g]
        rise, fall = box.rising(self.x, self.problem.upper), box.falling(self.x, self.problem.lower)
        return float(box.violation(m, rise, fall, self.model.summed))
