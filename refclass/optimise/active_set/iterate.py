"""The point at which the active-set method stands: what drives it, what a motion changes, and what blocks it."""

from __future__ import annotations

from typing import NamedTuple, Optional

from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.active_set.kkt_system import Equations, Rates


class Driver(NamedTuple):
    """What drives a step: a variable that moves up (+1) or down (−1), or a row that leaves its edge."""

    place: int
    sign: int


class Motion(NamedTuple):
    """What one unit of a motion changes.

    moving     the variables that move, with their rates
    rates      the active rows, with the rates of their multipliers
    gradient   the rates of the gradient
    slope      the rate of the objective
    curvature  the rate of the slope
    """

    moving: Rates
    rates: Rates
    gradient: list[Number]
    slope: Number
    curvature: Number


class Block(NamedTuple):
    """What ends a motion: which place, after which step, met how fast; of rounded numbers, after which step at most."""

    place: int
    step: Number
    rate: Number
    most: Number


class Point:
    """A feasible point with the multipliers of the rows.

    x            the variables
    multipliers  of all rows, 0 for those not active
    gradient     Qx + c + Aᵀ(multipliers)
    slack        b − Ax for the rows of G, 0 for those of E
    value        the objective
    standing     whether the last motion left the objective where it was
    """

    def __init__(self, equations: Equations, x: Vector) -> None:
        self.equations = equations
        self.x: list[Number] = [equations.number(v) for v in x]
        self.multipliers: list[Number] = [equations.zero] * len(equations.A)
        self.gradient: list[Number] = []
        self.slack: list[Number] = []
        self.value: Number = equations.zero
        self.standing = False
        self.measure()

    def measure(self) -> None:
        """Compute gradient, slacks and value anew."""
        s = self.equations
        x = [(i, v) for i, v in enumerate(self.x) if v]
        image = s.product(x, [])
        self.value = sum((v * (image[i] / 2 + s.c[i]) for i, v in x), s.zero)
        pull = s.product([], [(i, m) for i, m in enumerate(self.multipliers) if m])
        self.gradient = [a + b + c for a, b, c in zip(image, s.c, pull)]
        self.slack = [max(b - dot(row, self.x), s.zero) for row, b in zip(s.A, s.b)]
        self.slack[: s.equalities] = [s.zero] * s.equalities

    def tolerance(self) -> Number:
        """Return the roundoff that an entry of the gradient may carry."""
        s = self.equations
        if not s.eps:
            return s.zero
        rows = sum(abs(m) * max(map(abs, row)) for m, row in zip(self.multipliers, s.A) if m)
        return THRESHOLD * s.eps * (max(map(abs, s.c)) + s.size * sum(map(abs, self.x)) + rows)

    def residual(self) -> list[Number]:
        """Return what the working equations lack: minus the gradient, and b − Ax."""
        s = self.equations
        tight = {i: s.b[i] - dot(s.A[i], self.x) if s.eps else s.zero for i in s.active()}
        return [-self.gradient[i] if i < s.n else tight[i - s.n] for i in s.working.index]

    def motion(self, driver: Driver) -> Motion:
        """Return what moves, and how, when the driver moves by one and the working equations stay satisfied."""
        s, (j, sign) = self.equations, driver
        if j >= s.n:
            return self._motion(*s.unit(j), self.multipliers[j - s.n])
        moving, rates = s.follow(j, sign)
        return self._motion([*moving, (j, s.zero + sign)], rates, sign * self.gradient[j])

    def _motion(self, moving: Rates, rates: Rates, slope: Number) -> Motion:
        s = self.equations
        image = s.product(moving, [])
        curvature = sum((p * image[i] for i, p in moving), s.zero)
        gradient = [a + b for a, b in zip(image, s.product([], rates))] if rates else image
        return Motion(moving, rates, gradient, slope, curvature)

    def settling(self) -> Motion:
        """Return the motion that leads, in one unit, to the minimum over the free variables."""
        moving, rates = self.equations.solve(self.residual())
        return self._motion(moving, rates, sum((self.gradient[i] * p for i, p in moving), self.equations.zero))

    def block(self, motion: Motion) -> Optional[Block]:
        """Return what blocks a motion first, if anything does."""
        s = self.equations
        noise = s.n * s.eps * max((abs(p) for _, p in motion.moving), default=s.zero)
        found = []
        for i, p in motion.moving:
            bound = s.upper[i] if p > 0 else s.lower[i]
            if bound is not None and abs(p) > noise:
                way = abs(bound - self.x[i])
                found.append(self._candidate(i, way, abs(p), abs(bound) + way))
        active = set(s.active())
        for i, slack in enumerate(self.slack):
            rate = self._rate(i, motion) if i not in active else s.zero
            if rate > 0 or (rate < 0 and i < s.equalities):
                found.append(self._candidate(s.n + i, slack, abs(rate), abs(s.b[i]) + slack))
        if not found:
            return None
        # Method: of rounded numbers the largest rate among all that block within roundoff of the first (Harris).
        most = min(block.most for block in found)
        first = [block for block in found if block.step <= most]
        chosen = max(first, key=lambda block: block.rate) if s.eps else min(first)
        return chosen._replace(most=most)

    def _candidate(self, place: int, way: Number, rate: Number, size: Number) -> Block:
        return Block(place, way / rate, rate, (way + 8 * self.equations.eps * size) / rate)

    def _rate(self, i: int, motion: Motion) -> Number:
        """Return the rate of row i; zero when it is but roundoff."""
        s = self.equations
        terms = [s.A[i][k] * p for k, p in motion.moving]
        rate = sum(terms, s.zero)
        return rate if abs(rate) > THRESHOLD * s.eps * sum(map(abs, terms)) else s.zero

    def move(self, motion: Motion, t: Number) -> None:
        """Move t units."""
        s = self.equations
        self.standing = bool(-t * motion.slope <= s.eps * abs(self.value))
        if not t:
            return
        for i, p in motion.moving:
            self.x[i] = self._within(i, self.x[i] + t * p)
        for i, p in motion.rates:
            self.multipliers[i] += t * p
        self.gradient = [g + t * v for g, v in zip(self.gradient, motion.gradient)]
        self.value += t * (motion.slope + t * motion.curvature / 2)
        for i in range(s.equalities, len(s.A)):
            self.slack[i] = max(self.slack[i] - t * self._rate(i, motion), s.zero)

    def _within(self, i: int, v: Number) -> Number:
        low, high = self.equations.lower[i], self.equations.upper[i]
        if low is not None and v < low:
            return low
        return high if high is not None and v > high else v

    def arrive(self, block: Block, motion: Motion) -> str:
        """Put what blocks exactly where it blocks, and return that in words."""
        s, k = self.equations, block.place
        if k >= s.n:
            self.slack[k - s.n] = s.zero
            return f"meets row {k - s.n}"
        up = dict(motion.moving)[k] > 0
        self.x[k] = s.upper[k] if up else s.lower[k]
        return f"fixes variable {k} at its {'upper' if up else 'lower'} bound"

    def shift(self, rates: Rates) -> None:
        """Add to the multipliers of rows."""
        for i, v in rates:
            self.multipliers[i] += v
        if rates:
            self.gradient = [g + v for g, v in zip(self.gradient, self.equations.product([], rates))]

    def polish(self) -> None:
        """Solve the working equations again until roundoff is all they lack."""
        s, before = self.equations, None
        for _ in range(10):
            self.measure()
            residual = self.residual()
            error = max(map(abs, residual), default=s.zero)
            if error <= self.tolerance() / THRESHOLD:
                return
            if before is not None and 4 * error > before:
                if s.fresh:
                    return
                s.renew()
            before = error
            moving, rates = s.solve(residual)
            for i, v in moving:
                self.x[i] = self._within(i, self.x[i] + v)
            for i, v in rates:
                self.multipliers[i] += v
