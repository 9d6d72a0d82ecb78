"""The iteration of the active-set method: what drives it, how the working set changes, and why it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.active_set.iterate import Block, Driver, Motion, Point
from refclass.optimise.active_set.kkt_system import LOST, Equations
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.certificate import Answer, Problem

MODULE = "active_set"


class ActiveSetIteration:
    """The iteration from a feasible x: iterate over it for its events; between them `at` is where it stands."""

    def __init__(self, problem: Problem, x: Vector, free: Iterable[int] = (), max_steps: Optional[int] = None) -> None:
        self.problem = problem
        self.equations = Equations(problem)
        self.at = Point(self.equations, x)
        self.taken = 0
        self.max_steps = 200 * (problem.n + len(self.equations.A) + 1) if max_steps is None else max_steps
        self.driver: Optional[Driver] = None
        for j in free:
            self._adopt(j)
        self._settle()

    def __iter__(self) -> Iterator[str]:
        while True:
            driver = self._choose()
            if driver is None and self.equations.eps:
                self.at.polish()
                driver = self._choose()
            if driver is None:
                return
            if self.taken == self.max_steps:
                answer = self.answer()
                got, gap = f"none after {self.taken} steps", quadratic.certify(self.problem, answer).gap
                raise NotConverged(MODULE, need="the minimum", got=got, x=answer.x, gap=gap)
            self.taken += 1
            yield self._step(driver)

    def working(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the free variables and the active rows, without one that is just leaving its edge."""
        places, n = sorted(self.equations.working.index), self.problem.n
        leaving = self.driver.place if self.driver is not None else -1
        return tuple(i for i in places if i < n), tuple(i - n for i in places if i >= n and i != leaving)

    # --- a step ---

    def _step(self, driver: Driver) -> str:
        motion = self.at.motion(driver)
        sizes = [abs(p) for _, p in motion.moving]
        noise = THRESHOLD * self.equations.eps * self.equations.size * sum(sizes) * max(sizes, default=0)
        most = -motion.slope / motion.curvature if motion.curvature > noise else None
        block = self.at.block(motion)
        if block is not None and (most is None or most > block.most):
            self.at.move(motion, block.step)
            return self._blocked(driver, block, motion)
        if most is None and motion.curvature < -noise:
            need = "Q positive semidefinite where Ex = 0"
            raise NoAnswer(MODULE, need=need, got="a direction of negative curvature", direction=self._vector(motion))
        if most is None:
            raise NoAnswer(MODULE, need="an objective bounded below", got="an unbounded one", ray=self._ray(motion))
        self.at.move(motion, most)
        return self._complete(driver)

    def _vector(self, motion: Motion) -> Vector:
        kind = self.problem.kind
        p = [kind(0)] * self.problem.n
        for i, v in motion.moving:
            p[i] = kind(v)
        return Vector.of(p)

    def _ray(self, motion: Motion) -> Vector:
        """Return a motion that nothing blocks, without the roundoff that leads towards a bound."""
        p = self.problem  # Premise: what leads to a bound and did not block the motion is roundoff of a zero.
        ends = [high if v > 0 else low for v, low, high in zip(self._vector(motion), p.lower, p.upper)]
        return Vector.of([v if end is None else p.kind(0) for v, end in zip(self._vector(motion), ends)])

    def _complete(self, driver: Driver) -> str:
        self.driver, n = None, self.problem.n
        if driver.place < n:
            self.equations.change([driver.place], [])
            return f"frees variable {driver.place}"
        self.at.multipliers[driver.place - n] = self.equations.zero
        self.equations.change([], [driver.place])
        return f"leaves row {driver.place - n}"

    def _blocked(self, driver: Driver, block: Block, motion: Motion) -> str:
        event, k = self.at.arrive(block, motion), block.place
        self.driver = driver
        if k == driver.place:
            self.driver = None
        elif self.equations.alone(k):
            self._swap(k)
        else:
            self._exchange(driver, k)
        return event

    def _swap(self, k: int) -> None:
        """Let what blocks change sides: a variable leaves the working set, a row joins it."""
        if k < self.problem.n:
            self.equations.change([], [k])
        else:
            self.equations.change([k], [])

    def _exchange(self, driver: Driver, k: int) -> None:
        """Let the driver and what blocks it change sides together; the multipliers follow, x stays where it is."""
        # Proof: k alone would leave B singular, so that some combination of the active rows vanishes on all free
        # variables but k, or equals row k there. Its multiple that makes the driver's multiplier zero does it.
        s, n, j = self.equations, self.problem.n, driver.place
        self.driver = None
        if j >= n:
            self.at.shift([(j - n, -self.at.multipliers[j - n])])
        enter, leave = ([j], []) if j < n else ([], [j])
        (leave if k < n else enter).append(k)
        s.change(enter, leave)
        _, rates = s.solve(self.at.residual())
        self.at.shift(rates)

    # --- choosing the driver ---

    def _choose(self) -> Optional[Driver]:
        """Return what drives the next step.

        It is the last driver while it has a way to go; else the multiplier of the wrong sign that is largest, or after
        a step of length zero the first.
        """
        # Proof that the iteration ends: while one driver drives, every blocked step takes a variable out of the working
        # set or a row in, so that it drives finitely often. When it stops, the point is the minimum over its working
        # set and its bounds, of which there are finitely many, and no value returns once the objective has fallen. It
        # remains that steps of length zero do not go on for ever. They change x nowhere; those that are no exchanges
        # lower (free variables − active rows) by one, so all but finitely many are exchanges, in which free variables
        # at their bounds, or rows at their edges, change places. Suppose they go round, q being the largest place that
        # does so; let r be the multipliers when q enters, p the motion when q leaves, driven by j. All directions see
        # the same gradient, hence Σ rᵢpᵢ = slope < 0. But rᵢpᵢ ≥ 0 for the others that go round, as i < q was neither
        # eligible then nor blocking now, r_q p_q > 0, and the rest have rᵢ = 0 or pᵢ = 0: a contradiction (Bland).
        n, tolerance = self.problem.n, self.at.tolerance()
        if self.driver is not None:
            if self._drives(self.driver, tolerance):
                return self.driver
            if self.driver.place >= n:
                self._complete(self.driver)
            self.driver = None
        scores = self._scores(tolerance)
        best = next(filter(None, scores), 0) if self.at.standing else max(scores)
        if not best:
            return None
        i = scores.index(best)
        return Driver(i, 1 if i >= n or self.at.gradient[i] < 0 else -1)

    def _drives(self, driver: Driver, tolerance: Number) -> bool:
        i, sign = driver
        if i >= self.problem.n:
            return bool(self.at.multipliers[i - self.problem.n] < 0)
        bound = self.equations.upper[i] if sign > 0 else self.equations.lower[i]
        return bool(sign * self.at.gradient[i] < -tolerance and (bound is None or self.at.x[i] != bound))

    def _scores(self, tolerance: Number) -> list[Number]:
        """Return for each place the size of its multiplier if that has the wrong sign, else zero."""
        s, floor = self.equations, -tolerance
        scores = [
            0
            if free
            else (high is None or x < high) and -v
            if v < floor
            else (low is None or x > low) and v
            if v > tolerance
            else 0
            for v, x, low, high, free in zip(self.at.gradient, self.at.x, s.lower, s.upper, s.is_free)
        ]
        rows: list[Number] = [0] * len(s.A)
        for i in s.active():
            m = self.at.multipliers[i]
            if i >= s.equalities and m * max(map(abs, s.A[i])) < floor:
                rows[i] = -m
        return scores + rows

    # --- starting ---

    def _adopt(self, j: int) -> None:
        """Take a variable into the working set, with a row if it needs one; leave it if B would be singular."""
        s = self.equations
        if s.is_free[j]:
            return
        if s.pivot(j, j) > LOST * s.eps * s.size:
            s.change([j], [])
            return
        edges = [k for k, slack in enumerate(self.at.slack, s.n) if not slack and k not in s.working.index]
        for k in edges:
            if abs(s.pivot(k, j)) > LOST * s.eps * max(map(abs, s.A[k - s.n])):
                s.change([j, k], [])
                return

    def _settle(self) -> None:
        """Go to the minimum over the free variables, or those that are left when bounds and edges have been met."""
        while len(self.equations.working):
            motion = self.at.settling()
            block = self.at.block(motion)
            if block is None or block.step >= 1:
                self.at.move(motion, self.equations.zero + 1)
                return
            self.at.move(motion, block.step)
            self.at.arrive(block, motion)
            self._swap(block.place)

    def answer(self) -> Answer:
        """Return the point with its multipliers."""
        s, at, kind = self.equations, self.at, self.problem.kind
        multipliers = [kind(v) for v in at.multipliers]
        nu = Vector.of(multipliers[: s.equalities]) if self.problem.E else None
        mu = Vector.of(multipliers[s.equalities :]) if self.problem.G else None
        fixed = [kind(0) if free else kind(g) for g, free in zip(at.gradient, s.is_free)]
        lower = [g if g > 0 and x == low else kind(0) for g, x, low in zip(fixed, at.x, s.lower)]
        upper = [-g if g < 0 and x == high else kind(0) for g, x, high in zip(fixed, at.x, s.upper)]
        return Answer(Vector.of([kind(v) for v in at.x]), nu, mu, Vector.of(lower), Vector.of(upper), self.taken)
