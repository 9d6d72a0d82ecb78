"""Lee, Lin and Wahba's dual class by class: Newton's method on a sum of Moreau envelopes (Fukushima and Qi 1996).

    minimise over z and t   φ(z, t) = Σ_k min {½(α_k − z)ᵀK(α_k − z) + c_kᵀα_k : 0 ≤ α_k ≤ u_k, 1ᵀα_k = t}

Its least value is the dual's, with z = ᾱ. For given z and t the classes are apart: each has the dual of a machine of
two classes, which decomposition solves. φ is convex, and its gradient, mK(z − ᾱ) and −Σ ν_k, is continuous: Newton's
step is that of the system of all free multipliers (`class_factors`), its length that at which the slope is zero
where the whole step is too long. Far from the optimum the classes are solved roughly.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from operator import mul
from typing import Any, Optional

from refclass.errors import Refusal
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.decomposition import solver
from refclass.optimise.decomposition.one_sum import OneSum, Pairs
from refclass.optimise.decomposition.reduced_basis import Basis
from refclass.optimise.multiclass.class_factors import RESIDUAL, Blocks, Columns, Shared
from refclass.optimise.multiclass.coupled import Problem
from refclass.optimise.quadratic import certificate as quadratic

Exact = list[list[Fraction]]

MOST_POINTS = 1200  # whose rows of K are kept
MOST_STEPS = 60  # four times what 200 random points of five classes took
FINE = 1e-7  # residual of the last step's system
FINEST, MANY = 1e-12, 150  # of a system whose right side is exact; conjugate directions
ROUGH = 8.0  # violation of a class's optimality at first, in units of the largest cost of a multiplier; later |φ′|/t
SHORTEST = 0.01  # part of the violation before that it is at least: at rough iterates a slope may be zero by chance
STEEP = 0.5  # part of the first slope that the last may have, uphill, before the step is shortened
MOST_LENGTHS = 4  # tried in a step
LEAST = 0.2  # part of an interval that a length is from its lower end
INNER = 0.9  # part of the way to the ends of t that a step may go
FIRM = 1e-5  # violation of a class's optimality that there may be before the last step, in the same units
CLOSE = 1e-11  # part of φ that m‖z − ᾱ‖² may be before the last step


class Apart(OneSum):
    """The problem of one class, its products with K taken with all rows together."""

    def __init__(self, problem: quadratic.Problem, shared: Shared) -> None:
        super().__init__(problem)
        self.shared = shared

    def gradient(self, x: Sequence[float]) -> list[float]:
        """Return Kx + c."""
        return self.shared.added(self.problem.c, range(len(x)), x)

    def added(self, g: Sequence[float], moved: Sequence[int], steps: Sequence[float]) -> list[float]:
        """Return the gradient where these variables have risen by these steps."""
        return self.shared.added(g, moved, steps)

    def part(self, names: Sequence[int], x: Sequence[float], m: Sequence[float]) -> Whole:
        """Return the working set of all variables."""
        return Whole(self, x, m)


class Whole(Pairs):
    """The working set of all variables."""

    def __init__(self, apart: Apart, x: Sequence[float], m: Sequence[float]) -> None:
        self.shared = apart.shared
        super().__init__(range(len(x)), self.shared, x, m, apart.lower, apart.upper, paired=True)

    def add(self, moved: Sequence[int], steps: Sequence[float]) -> None:
        """Bring m up to date where these entries have risen by these steps."""
        self.m = self.shared.added(self.m, moved, [-s for s in steps])


class Iterate:
    """The classes solved apart for given z and t.

    alpha, g, nu    multipliers, gradients K(α_k − z) + c_k, and levels of the classes
    d, Kd           z − ᾱ, and K times it
    """

    def __init__(self, iteration: Iteration, z: list[float], t: float, start: Columns) -> None:
        self.z, self.t = z, t
        Kz = iteration.shared.product(z)
        self.alpha, self.g, self.value = [], [], len(start) * sum(map(mul, z, Kz)) / 2
        for k, near in enumerate(start):
            own = iteration.solved(k, Vector.of([a - b for a, b in zip(iteration.problem.c[k], Kz)]), t, near)
            self.alpha.append(own.x)
            self.g.append(own.g)
            self.value += own.value
        self.free = [
            [i for i, (a, u) in enumerate(zip(*both)) if 0.0 < a < u]
            for both in zip(self.alpha, iteration.problem.upper)
        ]
        self.nu = [-sum([g[i] for i in own]) / max(1, len(own)) for g, own in zip(self.g, self.free)]
        self.d = [v - w / len(start) for v, w in zip(z, map(sum, zip(*self.alpha)))]
        self.Kd = iteration.shared.product(self.d)

    def slope(self, dz: list[float], dt: float) -> float:
        """Return the slope of φ along a direction."""
        return float(len(self.nu) * sum(map(mul, dz, self.Kd)) - dt * sum(self.nu))

    def distance(self) -> float:
        """Return m‖z − ᾱ‖² in the norm of K."""
        return float(len(self.nu) * sum(map(mul, self.d, self.Kd)))


class Iteration:
    """Newton's method.

    bases     of each class the directions of its free multipliers and their factor, kept from one iterate to the next
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.shared, self.m = problem, Shared(problem.K), problem.classes
        self.ones = Matrix.of([Vector.of([1.0] * problem.n)])
        self.scale = max([abs(c) for own in zip(problem.c, problem.upper) for c, u in zip(*own) if u > 0.0])
        self.tol, self.most = ROUGH * self.scale, min(map(sum, problem.upper))
        self.bases: dict[int, Any] = {}
        z = [sum(column) / (2 * self.m) for column in zip(*problem.upper)]
        self.now = Iterate(self, z, self.most / 2, [[0.0] * problem.n for _ in problem.upper])

    def solved(self, k: int, c: Vector, t: float, start: list[float]) -> solver.Iteration:
        """Return where decomposition of the problem of a class ends."""
        p = self.problem
        own = quadratic.Problem(p.K, c, (0.0,) * p.n, tuple(p.upper[k]), self.ones, Vector.of([t]))
        apart = solver.Iteration(Apart(own, self.shared), self.tol, start)
        apart.basis = self.bases.setdefault(k, apart.basis)
        apart.enter = p.n  # Method: all rows of K are there, so that one working set of all points costs no more.
        while not apart.done():
            apart.advance()
        return apart

    def direction(self, residual: float = RESIDUAL) -> tuple[Columns, list[float], float]:
        """Return Newton's step of the multipliers, of z and of t; that to ᾱ where the system has no solution."""
        now, n = self.now, self.problem.n
        dz, dt = [-v for v in now.d], 0.0
        steps = [[0.0] * n for _ in now.alpha]
        try:
            blocks = Blocks(self.shared, now.free, [self.bases[k] for k in range(self.m)])
            r = [[-g[i] - now.Kd[i] for i in own] for g, own in zip(now.g, blocks.points)]
            found, _ = blocks.solve(r, residual)
        except ArithmeticError:
            return steps, dz, dt
        for own, points, column in zip(steps, blocks.points, found):
            for i, v in zip(points, column):
                own[i] = v
                dz[i] += v / self.m
        return steps, dz, sum(map(sum, found)) / self.m

    def predicted(self, steps: Columns) -> Columns:
        """Return the multipliers that Newton's step leads to, within their bounds."""
        rows = zip(self.now.alpha, steps, self.problem.upper)
        return [[min(max(a + v, 0.0), top) for a, v, top in zip(*columns)] for columns in rows]

    def advance(self) -> None:
        """Make a step."""
        now = self.now
        steps, dz, dt = self.direction()
        room = self.most - now.t if dt > 0 else now.t
        length = min(1.0, INNER * room / abs(dt)) if dt else 1.0
        first = now.slope(dz, dt)
        least = max(solver.TOL_PER_COST * self.scale, SHORTEST * self.tol)
        self.tol = max(least, min(self.tol, abs(first) / now.t))
        start = self.predicted(steps)
        low, high, below = 0.0, None, first
        for _ in range(MOST_LENGTHS):
            ahead = Iterate(self, [a + length * b for a, b in zip(now.z, dz)], now.t + length * dt, start)
            last = ahead.slope(dz, dt)
            if last > STEEP * abs(first):
                high, above = length, last
            elif high is not None and last < -STEEP * abs(first):
                low, below = length, last
            else:
                break
            length, start = low + (high - low) * max(LEAST, below / (below - above)), ahead.alpha
        self.now = ahead

    def ended(self) -> bool:
        """Return whether z is ᾱ up to roundoff, and not by chance, the classes being solved roughly."""
        return bool(self.tol <= FIRM * self.scale and self.now.distance() <= CLOSE * abs(self.now.value))


class Free:
    """The equations of the multipliers between their bounds, which are solved again for what exactly they lack."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.shared = problem, Shared(problem.K)
        ones, zeros = Matrix.of([Vector.of([1.0] * problem.n)]), (0.0,) * problem.n
        of_class = [
            quadratic.Problem(problem.K, Vector.of(c), zeros, tuple(upper), ones, Vector.of([0.0]))
            for c, upper in zip(problem.c, problem.upper)
        ]
        self.bases = [Basis(Apart(own, self.shared)) for own in of_class]

    def blocks(self, alpha: Exact) -> Blocks:
        """Return the equations.  Raises ArithmeticError where a class has no free point."""
        free = [[i for i, (a, u) in enumerate(zip(*both)) if 0 < a < u] for both in zip(alpha, self.problem.upper)]
        return Blocks(self.shared, free, self.bases)

    def balanced(self, alpha: Exact) -> Exact:
        """Return multipliers in fractions with equal sums, free ones changed."""
        totals = [sum(own, Fraction(0)) for own in alpha]
        middle = sum(totals) / len(totals)
        own = self.blocks(alpha).own
        steps = [[float(middle - t) * v for v in block.one] for t, block in zip(totals, own)]
        return self.moved(alpha, [block.points for block in own], steps)

    def corrected(self, alpha: Exact, g: Exact) -> tuple[Exact, float]:
        """Return multipliers, whose sums are equal, after Newton's step on the free ones, and the largest residual.

        g         the gradients of the classes

        Raises    ArithmeticError where the equations have no solution
        """
        blocks = self.blocks(alpha)
        # Method: levels ν_k that sum to zero are taken off exactly, as they would cost the rest its digits.
        levels = [sum([own[i] for i in points], Fraction(0)) / len(points) for own, points in zip(g, blocks.points)]
        middle = sum(levels) / len(levels)
        rows = zip(g, blocks.points, [v - middle for v in levels])
        r = [[float(level - own[i]) for i in points] for own, points, level in rows]
        steps, _ = blocks.solve(r, FINEST, MANY)
        return self.moved(alpha, blocks.points, steps), max([abs(v) for own in r for v in own])

    def moved(self, alpha: Exact, points: Sequence[Sequence[int]], steps: Columns) -> Exact:
        """Return the multipliers after a step of those at these points, within their bounds."""
        out = [list(own) for own in alpha]
        for own, places, column, upper in zip(out, points, steps, self.problem.upper):
            for i, v in zip(places, column):
                own[i] = min(max(own[i] + Fraction(v), Fraction(0)), Fraction(upper[i]))
        return out


def found(problem: Problem) -> Optional[tuple[Columns, int]]:
    """Return multipliers, optimal but for roundoff where the iteration ends, and its steps; None for many points.

    Cost      a step: decomposition of each class, and f_k³/6 multiplications for its f_k free multipliers; for each
              of some ten conjugate directions 2n² and f_k² of each class
    """
    if problem.n > MOST_POINTS:
        return None
    best: Optional[tuple[Columns, int]] = None
    with suppress(ArithmeticError, Refusal):
        iteration = Iteration(problem)
        for count in range(MOST_STEPS):
            iteration.advance()
            best = iteration.now.alpha, count + 1
            if iteration.ended():
                return iteration.predicted(iteration.direction(FINE)[0]), count + 1
    return best
