"""A machine's optimum while a parameter falls: the sides of the points, the points at the elbow, and one segment.

    targetᵢ − Σⱼ Kᵢⱼ yⱼαⱼ − α₀ = residualᵢ        yᵢ residualᵢ ≥ 0 if αᵢ = upperᵢ, = 0 at the elbow, ≤ 0 if αᵢ = 0
    Σ yⱼαⱼ = balance

While the parameter falls by δ the targets fall by δ · dtarget and the balance by δ · dsum; the multipliers of those at
the elbow follow, αⱼ(δ) = αⱼ − δ yⱼaⱼ, α₀(δ) = α₀ − δ b₀, so that they stay there  [ESL-12.3.5-path]:

    Σⱼ Kᵢⱼ aⱼ + b₀ = dtargetᵢ for i at the elbow,   Σ aⱼ = dsum
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, mul
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot, inner_product
from refclass.number.field import Number
from refclass.optimise.limits import CURVATURE_UNITS, REFINEMENTS
from refclass.optimise.path import degenerate
from refclass.optimise.path.elbow_system import PIVOT_UNITS, Elbow
from refclass.optimise.path.residuals import (
    ELBOW,
    LEFT,
    RIGHT,
    TIE_UNITS,
    WRONG_UNITS,
    Data,
    Residuals,
    most,
    unseen,
    violation,
)

VERIFY_PERIOD = 64  # after so many segments the residuals are computed afresh, and verified


class Segment(Residuals):
    """A segment of the path, from one event to the next; it changes in place.

    elbow        the equations of the points at the elbow
    regular      whether they are independent
    ill_conditioned    whether roundoff in the slopes had to be corrected last time
    clipped      whether a multiplier was clipped and no other made up for it since the balance was last corrected
    hitting      the points that the present segment brings to the elbow
    narrow       the least pivot of a point that was taken in, over its square
    verified     after so many steps the residuals were verified last, and good is the parameter's value then
    at_bound     points found at the elbow with their multipliers at a bound
    departed     points that have just left the elbow: their residuals are zero
    """

    def __init__(self, data: Data) -> None:
        super().__init__(data)
        self.elbow, self.narrow = Elbow(type(self.data.zero)), self.data.one
        self.steps, self.verified, self.clipped, self.ill_conditioned = 0, 0, False, False
        self.good: Optional[Number] = None
        self.at_bound: list[int] = []
        self.departed: list[int] = []
        self.hitting: list[int] = []

    def begin(
        self, alpha: Sequence[Number], fixed: Sequence[Number], level: Number, g: Sequence[Number], alpha0: Number
    ) -> None:
        """Start at these multipliers, with g = Σⱼ Kᵢⱼ yⱼαⱼ."""
        self.start_at(alpha, fixed, level, g, alpha0)
        self.hold([i for i, s in enumerate(self.side) if s == ELBOW])
        if self.regular and self.held:
            self.solve_slopes()

    def hold(self, held: Sequence[int]) -> None:
        """Set the points at the elbow; factor their equations, as far as they are independent."""
        self.held = list(held)
        self.elbow = Elbow(type(self.data.zero))
        taken = [self.enter(i) for i in held]
        self.regular = all(taken)

    def enter(self, i: int) -> bool:
        """Take the equation of point i in, unless it follows from the others."""
        row = self.data.rows(i)
        taken = self.elbow.append(i, [row[j] for j in self.elbow.members], row[i], self.negligible(row[i]))
        if taken and len(self.elbow.members) > 1:
            self.measure(row[i])
        return taken

    def negligible(self, square: Number) -> Number:
        """Return the pivot up to which a point counts as dependent, by its square; one at the origin has no size."""
        return self.data.negligible * (square or self.data.largest)

    def measure(self, square: Number) -> None:
        """Take note of the pivot of the point that was taken in last."""
        if self.data.eps and square > 0:
            self.narrow = min(self.narrow, self.elbow.pivot / square)

    # -- a segment

    def certain(self) -> Any:
        """Return the rates of the residuals; those at the elbow are zero, and roundoff there is corrected.

        Cost      n multiplications for each point at the elbow, and 2n; once more where slopes are corrected
        """
        rough = self.data.eps and self.regular and self.held
        if rough:
            self.correct_elbow()
            if self.ill_conditioned:
                self.refine_slopes()
        rates = self.rates()
        if rough and self.correct_slopes([rates[j] for j in self.held]):
            self.ill_conditioned = True
            rates = self.rates()
        return rates

    def refine_slopes(self) -> None:
        """Correct the slopes before the rates of all points are computed, if those at the elbow are not zero.

        Cost      m² multiplications, and m² more where there is something to put right
        """
        block = [tuple([row[j] for j in self.held]) for row in map(self.data.rows, self.held)]
        self.ill_conditioned, product = False, inner_product(type(self.data.zero))
        for _ in range(REFINEMENTS):
            missing = [
                self.data.dtarget[j] - self.dalpha0 - product(self.dalpha, row) for j, row in zip(self.held, block)
            ]
            if not self.correct_slopes(missing):
                break
            self.ill_conditioned = True

    def correct_slopes(self, missing: Sequence[Number]) -> bool:
        """Take from the slopes what makes these the rates of the points at the elbow; say whether it was too much."""
        size = sum(map(abs, self.dalpha)) * self.data.largest
        if max(map(abs, missing)) <= self.data.eps * max(PIVOT_UNITS, CURVATURE_UNITS * size):
            return False
        more, extra = self.elbow.solve(self.data.dsum - sum(self.dalpha), missing)
        self.change([more, *extra])
        self.keep_sum()
        return True

    def next_event(self) -> tuple[Optional[Number], list[Number]]:
        """Return how far the parameter can fall before a point changes side, None for ever, and the rates until then.

        Cost      that of `certain`, and at most a division for each point
        """
        rates = self.certain()
        fall = self.first(rates)
        return (None if fall > self.parameter * 2 else fall), rates

    def first(self, rates: Sequence[Number]) -> Number:
        """Return how far the parameter can fall before a point changes side; keep those that then touch the elbow."""
        far = self.parameter * 2 + self.data.one
        ahead = [e / v if e * v > 0 else far for e, v in zip(self.residual, rates)]
        for j in self.held:
            ahead[j] = far
        least = first = min(ahead)
        for j, a in zip(self.held, self.dalpha):
            b = self.data.y[j] * a
            if b:
                least = min(least, (self.alpha[j] if b > 0 else self.alpha[j] - self.data.upper[j]) / b)
        self.hitting = []
        limit = least + TIE_UNITS * self.data.eps * self.parameter
        while first <= limit and first < far:
            k = ahead.index(first)
            self.hitting.append(k)
            ahead[k] = far
            first = min(ahead)
        self.hitting += self.reached(least, ahead, rates)
        return max(least, self.data.zero)

    def reached(self, fall: Number, ahead: Sequence[Number], rates: Sequence[Number]) -> list[int]:
        """Return the further points that decimals do not tell from the elbow once the parameter has fallen so far.

        Where all points come to it at once their rates may be so small that roundoff in the residuals over them is
        more than tells two events apart.
        """
        unit, far = unseen(type(self.data.zero), sum(self.alpha), self.data.largest), self.parameter * 2 + self.data.one
        if not unit or fall >= far:
            return []
        return [i for i, v in enumerate(ahead) if v < far and abs(self.residual[i] - fall * rates[i]) <= unit]

    def advance(self, delta: Number, rates: Sequence[Number]) -> None:
        """Let the parameter fall by delta within the segment."""
        self.move(delta, rates)
        self.steps += 1

    def correct_elbow(self) -> None:
        """Correct accumulated roundoff: the residuals at the elbow, which should be zero, and the balance."""
        if self.steps >= self.verified + VERIFY_PERIOD:
            self.verify()
        left = [self.residual[j] for j in self.held]
        if max(map(abs, left)) <= PIVOT_UNITS * self.data.eps * abs(self.parameter) and not self.clipped:
            return
        self.clipped = False
        lack = self.balance - sum(map(mul, self.alpha, self.data.y))
        more, extra = self.elbow.solve(lack, left)
        self.correct(more, self.held, _summing_to(lack, extra))
        for i in self.departed:
            self.residual[i] = self.data.zero

    def verify(self) -> None:
        """Compute all residuals from the multipliers alone.

        Cost      that of `recompute`
        Raises    NotConverged when roundoff has brought points to a wrong side
        """
        self.recompute()
        worst = violation(self.side, self.data.y, self.residual)
        if worst > most(self.parameter, self.alpha, self.data.diagonal):
            raise NotConverged(
                "path", need="points on their sides", got="roundoff", violation=worst, lam=self.parameter
            )
        self.verified, self.good = self.steps, self.parameter
        for i in [*self.departed, *self.at_bound]:  # they start from zero, and roundoff must not bring them back
            self.residual[i] = self.data.zero

    # -- where segments join

    def near(self, scale: Number) -> None:
        """Find the points off the elbow whose residuals are zero."""
        unit = TIE_UNITS * self.data.eps * scale
        self.hitting = [i for i, (e, s) in enumerate(zip(self.residual, self.side)) if s and abs(e) <= unit]

    def update_sets(self, scale: Number) -> bool:
        """Find the points at the elbow after an event, from those that touch it; say whether any changed side.

        scale    the size of the residuals' targets
        """
        leaving, self.departed = self.clip_held(), []
        unit = TIE_UNITS * self.data.eps * scale
        still = [i for i in self.at_bound if i not in self.hitting]
        self.at_bound = [i for i in still if abs(self.residual[i]) <= unit]
        alone = self.regular and not self.at_bound and len(self.hitting) + len(leaving) == 1
        if alone and self.single(self.hitting, leaving):
            return True
        return self.resolve([*self.hitting, *self.at_bound])

    def clip_held(self) -> list[int]:
        """Return the points at the elbow whose multipliers have reached a bound, set to it."""
        leaving = []
        for j in self.held:
            a, most = self.alpha[j], self.data.upper[j]
            unit = TIE_UNITS * self.data.eps * most
            if a <= unit or a >= most - unit:
                bound = most if a > unit else self.data.zero
                leaving.append(j)
                if abs(a - bound) > WRONG_UNITS * self.data.eps * most > 0:
                    raise NotConverged("path", need="multipliers within their bounds", got=a, lam=self.parameter)
                if a != bound:
                    self.clip(j, bound)
        return leaving

    def clip(self, j: int, bound: Number) -> None:
        """Set a multiplier to its bound; transfer the excess to the elbow point farthest from its bounds."""
        members, by = [j], [(bound - self.alpha[j]) * self.data.y[j]]
        spare = [(min(self.alpha[i], self.data.upper[i] - self.alpha[i]), i) for i in self.held if i != j]
        slack, i = max(spare, default=(0, j))
        if slack > abs(by[0]):
            members, by = [j, i], [by[0], -by[0]]
        self.clipped = self.clipped or len(members) == 1
        if abs(by[0]) > PIVOT_UNITS * self.data.eps:
            self.correct(self.data.zero, members, by)
        else:
            for i, v in zip(members, by):
                self.alpha[i] = self.alpha[i] + self.data.y[i] * v
        self.alpha[j] = bound

    def single(self, hitting: Sequence[int], leaving: Sequence[int]) -> bool:
        """Let one point join the elbow or leave it; say whether that could be done, and led away from where it came.

        Proof: with independent equations the slopes are unique. With w the row that eliminates the new point and v the
        rate of its residual, they change by (v / pivot) (−w, 1): the sign of the new slope is that of v, so that the
        point moves off its bound inwards. Where one leaves, its column of the inverse, times its slope over the entry
        on the diagonal, is taken away: its residual then falls at the rate of that quotient, away from zero.
        """
        if hitting:
            (i,) = hitting
            row = self.data.rows(i)
            pivot, w = self.elbow.eliminated([row[j] for j in self.held], row[i])
            if not self.held or pivot <= self.negligible(row[i]):
                return False
            rate = self.data.dtarget[i] - self.dalpha0 - dot([row[j] for j in self.held], self.dalpha)
            slope_of = rate / pivot
            self.elbow.extend(i, w, pivot)
            self.measure(row[i])
            self.change([-slope_of * v for v in w])
            self.held, self.dalpha = [*self.held, i], [*self.dalpha, slope_of]
            self.side[i] = ELBOW
            self.keep_sum()
            return True
        (i,) = leaving
        place = self.held.index(i)
        if len(self.held) == 1 or self.elbow.inverse_diagonal(place) <= 0:
            return False
        column = self.elbow.inverse[place + 1]
        share = self.dalpha[place] / column[place + 1]
        self.change([-share * v for v in column])
        self.elbow.drop(place)
        for members in (self.held, self.dalpha):
            del members[place]
        self.side[i], self.residual[i] = LEFT if self.alpha[i] else RIGHT, self.data.zero
        self.departed = [i]
        self.keep_sum()
        return True

    def change(self, by: Sequence[Number]) -> None:
        """Add to the slope of the intercept and to those of the points at the elbow."""
        self.dalpha0, self.dalpha = self.dalpha0 + by[0], list(map(add, self.dalpha, by[1:]))

    def keep_sum(self) -> None:
        """Let Σ aⱼ = dsum hold again: slopes that once were large leave their roundoff."""
        if self.data.eps:
            self.dalpha = _summing_to(self.data.dsum, self.dalpha)

    def solve_slopes(self) -> None:
        """Compute the slopes from the equations of the elbow.

        Cost      m² multiplications
        """
        self.dalpha0, self.dalpha = self.elbow.solve(self.data.dsum, [self.data.dtarget[i] for i in self.held])
        self.keep_sum()

    def resolve(self, hitting: Sequence[int]) -> bool:
        """Find the slopes of all points at the elbow at once, and from them their sides; say whether any changed."""
        data, on = self.data, sorted({*self.held, *hitting})
        if not on:  # each event brings a point; with sums beyond the range of doubles it is not known which
            raise NotConverged("path", need="a point at the elbow", got="none", lam=self.parameter)
        K = Matrix.of([Vector.of([row[j] for j in on]) for row in map(data.rows, on)])
        signs = [
            0 if 0 < a < data.upper[i] else 1 if (a > 0) == (data.y[i] > 0) else -1
            for i, a in ((i, self.alpha[i]) for i in on)
        ]
        dtarget = Vector.of([data.dtarget[i] for i in on])
        a, dalpha0 = data.zero * dtarget, data.zero
        if data.dsum == 0 or any(s == 0 or s * data.dsum > 0 for s in signs):  # else none of these can move that way
            a, dalpha0 = degenerate.least(K, dtarget, data.dsum, signs, [data.upper[i] for i in on])
        unit = TIE_UNITS * data.eps * max(map(abs, a))
        found = {i: v for i, v, sign in zip(on, a, signs) if sign == 0 or abs(v) > unit}
        before = [self.side[i] for i in on]
        self.at_bound = self.departed = [i for i in on if i not in found]
        for i in on:
            self.side[i] = ELBOW
        for i in self.at_bound:
            self.side[i], self.residual[i] = LEFT if self.alpha[i] else RIGHT, data.zero
        self.hold(list(found))
        self.dalpha, self.dalpha0 = list(found.values()), dalpha0
        if self.regular and found:
            self.solve_slopes()
        return before != [self.side[i] for i in on]

    # -- the intercept where no point is at the elbow

    def close(self) -> Optional[Number]:
        """Move α₀ to where the interval that it is free in closes; return how far the parameter then has fallen.

        Positive points inside the band keep α₀ from rising, negative ones from falling; while the targets, ±λ, come
        closer, so do the two. The others' limits stay or move apart.
        """
        above = [e for e, t, s in zip(self.residual, self.data.y, self.side) if s == LEFT and t > 0]
        below = [e for e, t, s in zip(self.residual, self.data.y, self.side) if s == LEFT and t < 0]
        self.dalpha, self.dalpha0 = [], self.data.zero
        if not above or not below:
            return None
        most, least = min(above), max(below)
        self.shift((most + least) / 2)
        return (most - least) / 2 + self.data.zero

    def shift(self, amount: Number) -> None:
        """Let α₀ rise by the amount."""
        self.correct(amount, (), ())


def _summing_to(total: Number, values: Sequence[Number]) -> list[Number]:
    """Return the values with that sum: what is missing, roundoff of the largest of them, is added to it."""
    k = max(range(len(values)), key=lambda k: abs(values[k]))
    return [*values[:k], values[k] + (total - sum(values)), *values[k + 1 :]]
