"""The equations of the central path of a kernel machine's dual, for Mehrotra's method (Ferris and Munson, 2002).

    minimise ½aᵀKa − yᵀa + Σ Φₖ(vₖ)   subject to   aᵢ = Σ ±vₖ,  Σ a = 0,  0 ≤ vₖ ≤ hₖ        (k the parts of point i)

    ±rᵢ = Φ′(v) − z + w,   zv = w(h − v) = μ → 0,   r = y − Ka − β₀

However many parts an n-vector has, a step solves the equations of `newton_coordinates`, with Δᵢ = 1/Σ 1/θₖ, where
θ = Φ″ + z/v + w/(h − v). Their number hardly depends on the data: neither kinks, met by Newton's method one at a time,
nor slopes that are steep without bound at a margin, where its steps in the primal creep, need more of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from typing import Any, NamedTuple, Optional, Union

from refclass.certificate import relative_gap
from refclass.errors import NotConverged
from refclass.linear.factorisations.fixed_point import Numbers
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number
from refclass.optimise.multiclass import interior_point
from refclass.regress.kernel.newton.loss_slopes import POWER_DIGITS, Piecewise, Power, Slope
from refclass.regress.kernel.newton.newton_coordinates import WORK
from refclass.regress.kernel.newton.semismooth_newton import Point, Problem

BELOW = 3  # tenths of a digit in a bit, nearly: decimals as long as the fixed-point numbers
CLOSE = 110  # bits of the relative gap at the end: next to it each step has twice as many as the one before
NONE = 80  # bits by which a multiplier is below the largest that is none: doubles have 53
WIDER = 2  # times what no slack exceeds: a bound that no optimum meets


class Parabola(NamedTuple):
    """A part of a multiplier with Φ(v) = sv + ½κv².

    place    of its point
    sign     with which it is part of the multiplier
    high     its bound, or none
    """

    F: Field
    place: int
    sign: int
    high: Optional[Number]
    slope: Number
    curvature: Number

    def slopes(self, v: Number) -> tuple[Number, Number]:
        """Return Φ′(v) and Φ″(v)."""
        return self.slope + self.curvature * v, self.curvature

    def paid(self, v: Number) -> Number:
        """Return Φ(v)."""
        return (self.slope + self.curvature * v / 2) * v

    def conjugate(self, x: Number) -> Number:
        """Return the largest xv − Φ(v)."""
        over = x - self.slope
        if over <= 0:
            return 0 * over
        v = self.high if not self.curvature else over / self.curvature
        v = v if self.high is None else min(v, self.high)
        return (over - self.curvature * v / 2) * v

    def start(self, size: Number) -> Number:
        """Return a v within the bounds, for targets of that size."""
        return size / self.curvature if self.high is None else self.high / 2


def raised(F: Field, x: Number, power: Number) -> Number:
    """Return x^power for x > 0, to POWER_DIGITS."""
    cx = Context(prec=POWER_DIGITS)
    return F.kind(cx.exp(cx.multiply(Decimal(power), cx.ln(Decimal(x)))))


class Conjugate(NamedTuple):
    """A multiplier of the loss c·d^p of a slack d: Φ′(v) = (v/cp)^(1/(p−1))  [KIM-3.33].

    top, power    cp and 1/(p − 1); the others as of `Parabola`
    """

    F: Field
    place: int
    sign: int
    high: Number
    top: Number
    power: Number

    def slopes(self, v: Number) -> tuple[Number, Number]:
        """Return Φ′(v) and Φ″(v)."""
        d = raised(self.F, v / self.top, self.power)
        return d, self.power * d / v

    def paid(self, v: Number) -> Number:
        """Return Φ(v)."""
        return v * self.slopes(v)[0] / (self.power + 1)

    def conjugate(self, x: Number) -> Number:
        """Return the largest xv − Φ(v), the loss: cx^p."""
        p = 1 + 1 / self.power
        return self.top / p * raised(self.F, x, p) if x > 0 else 0 * x

    def start(self, size: Number) -> Number:
        """Return a v within the bounds, for targets of that size."""
        return min(self.top, self.high / 2)


class State(NamedTuple):
    """An iterate: multipliers and intercept in units, and the bounds on the objective."""

    a: Numbers
    beta0: int
    primal: Number
    dual: Number

    @property
    def gap(self) -> Number:
        """The relative distance of the bounds."""
        return relative_gap(self.primal, self.dual)


def finite(slopes: Any) -> bool:
    """Return whether the parts have a bound or a curvature each, so that the dual has an interior and a maximum."""
    ends = (side for two in slopes.sides for own in two for side in own) if isinstance(slopes, Piecewise) else ()
    return all(side.end is not None or side.curvature for side in ends)


def parts(problem: Problem, F: Field) -> list[Union[Parabola, Conjugate]]:
    """Return the parts of all multipliers."""
    unit, slopes = F.kind(1) / F.kind(1 << problem.bits), problem.slopes

    def lift(v: int) -> Number:
        return F.kind(v) * unit

    if isinstance(slopes, Power):
        p, tops = F.lift(slopes.p), list(map(lift, slopes.tops))
        total, power = sum(tops, F.kind(0)), 1 / (p - 1)
        # Proof: of the optimum no loss cd^p exceeds Σ c, the objective at f = 0, so that no d exceeds (Σ c/c)^(1/p).
        most = [raised(F, WIDER * raised(F, total / top, 1 / p), p - 1) for top in tops]
        own = zip(slopes.y, tops, most)
        return [Conjugate(F, i, y, top * m, top, power) for i, (y, top, m) in enumerate(own)]
    assert isinstance(slopes, Piecewise)
    return [
        Parabola(F, i, sign, None if s.end is None else lift(s.end), lift(s.slope), lift(s.curvature))
        for i, two in enumerate(slopes.sides)
        for sign, sides in zip((1, -1), two)
        for s in sides
    ]


class Parts:
    """The iterate of a problem, as `optimise.multiclass.interior_point` takes it."""

    def __init__(self, problem: Problem) -> None:
        self.problem, bits = problem, problem.bits
        self.F = F = decimal(max(bits * BELOW // 10, 1))
        self.kind, self.unit = F.kind, F.kind(1) / F.kind(1 << bits)
        self.y = self._lifted(problem.y)
        self.parts = parts(problem, F)
        self.bounded = [k for k, p in enumerate(self.parts) if p.high is not None]
        self.beta0 = (min(self.y) + max(self.y)) / 2 if problem.intercept else F.kind(0)
        size = sum([abs(t - self.beta0) for t in self.y], F.kind(0)) / len(self.y) or F.kind(1)
        self.v = [p.start(size) for p in self.parts]
        if problem.intercept:
            self._balance()
        self.up = [self.parts[k].high - self.v[k] for k in self.bounded]
        mu = size * sum(self.v, F.kind(0)) / len(self.v)
        self.z, self.w = [mu / v for v in self.v], [mu / u for u in self.up]
        self._evaluate()

    def _lifted(self, values: Numbers) -> list[Number]:
        return [self.kind(v) * self.unit for v in values]

    def _fixed(self, values: Sequence[Number]) -> Numbers:
        return [int(v / self.unit) for v in values]

    def _balance(self) -> None:
        """Scale the parts of one sign down, so that the multipliers sum to zero."""
        sums = {s: sum([v for p, v in zip(self.parts, self.v) if p.sign == s], self.kind(0)) for s in (1, -1)}
        least = min(sums.values())
        self.v = [v * least / sums[p.sign] for p, v in zip(self.parts, self.v)]

    def _evaluate(self) -> None:
        a = self._of_points([p.sign * v for p, v in zip(self.parts, self.v)])
        self.a = self._fixed(a)
        space = self.problem.space
        self.f = self._lifted(space.values(space.of(self.a)))
        self.r = [t - v - self.beta0 for t, v in zip(self.y, self.f)]

    def _of_points(self, values: Sequence[Number]) -> list[Number]:
        """Return for each point the sum over its parts."""
        total = [self.kind(0)] * len(self.y)
        for p, v in zip(self.parts, values):
            total[p.place] = total[p.place] + v
        return total

    def pairs(self) -> Any:
        """Return slacks and multipliers, to be multiplied: of the bounds at zero, then of the others."""
        return [([self.v + self.up], [self.z + self.w])]

    def linearise(self) -> None:
        """Compute residuals and θ at the iterate."""
        slopes = [p.slopes(v) for p, v in zip(self.parts, self.v)]
        self.rest = [g - z - p.sign * self.r[p.place] for p, (g, _), z in zip(self.parts, slopes, self.z)]
        self.theta = [h + z / v for (_, h), z, v in zip(slopes, self.z, self.v)]
        for k, w, u in zip(self.bounded, self.w, self.up):
            self.rest[k] = self.rest[k] + w
            self.theta[k] = self.theta[k] + w / u
        self.delta = [1 / v if v else v for v in self._of_points([1 / t for t in self.theta])]

    def direction(self, rc: Any) -> Any:
        """Return the step that changes the products of slacks and multipliers by rc."""
        ((products,),), problem = rc, self.problem
        lower, upper = products[: len(self.v)], products[len(self.v) :]
        h = [r - c / v for r, c, v in zip(self.rest, lower, self.v)]
        for k, c, u in zip(self.bounded, upper, self.up):
            h[k] = h[k] + c / u
        # Method: ±dr = θ dv + h, and with da = Σ ±dv = dr/Δ − Σ ±h/θ the equations are (K + Δ) da + dβ₀ = −ΔΣ ±h/θ.
        pulled = self._of_points([p.sign * v / t for p, v, t in zip(self.parts, h, self.theta)])
        t = self._fixed([-d * v for d, v in zip(self.delta, pulled)])
        delta = [max(v, 1) if d else 0 for d, v in zip(self.delta, self._fixed(self.delta))]
        found = problem.space.solve([0] * len(t), delta, t, problem.intercept)
        if found is None:
            raise NotConverged("central_path", need="a positive definite table", got="none, to so many digits")
        rise = self.kind(found[1]) * self.unit
        dr = [-v - rise for v in self._lifted(problem.space.values(found[0]))]
        dv = [(p.sign * dr[p.place] - c) / t for p, c, t in zip(self.parts, h, self.theta)]
        dz = [(c - z * d) / v for c, z, d, v in zip(lower, self.z, dv, self.v)]
        du = [-dv[k] for k in self.bounded]
        dw = [(c - w * d) / u for c, w, d, u in zip(upper, self.w, du, self.up)]
        return rise, None, [([dv + du], [dz + dw])]

    def move(self, t: Number, step: Any) -> None:
        """Go along the step."""
        (rise, _, [((slacks,), (multipliers,))]), count = step, len(self.v)
        changes = slacks[:count], slacks[count:], multipliers[:count], multipliers[count:]
        (self.v, self.up, self.z, self.w) = (
            [a + t * b for a, b in zip(x, d)] for x, d in zip((self.v, self.up, self.z, self.w), changes)
        )
        self.beta0 = self.beta0 + t * rise
        self._evaluate()

    def state(self) -> State:
        """Return the iterate with its bounds."""
        zero = self.kind(0)
        paid = sum([p.paid(v) for p, v in zip(self.parts, self.v)], zero)
        losses = sum([p.conjugate(p.sign * self.r[p.place]) for p in self.parts], zero)
        a = self._lifted(self.a)
        square = sum([v * f for v, f in zip(a, self.f)], zero)
        dual = sum([v * t for v, t in zip(a, self.y)], zero) - square / 2 - paid
        return State(self.a, self._fixed([self.beta0])[0], square / 2 + losses, dual)


def solve(path: Parts, close: Number) -> State:
    """Return the first iterate from here on whose relative gap is so close.

    Raises    NotConverged, with what is reached, where there is none
    """
    state: State = interior_point.solve(path, close)
    if state.gap <= close:
        return state
    spent, got = path.problem.space.spent, f"{float(state.gap):.3g}"
    raise NotConverged(
        "central_path",
        need=f"a relative gap of {float(close):.3g} within {WORK} multiplications",
        got=f"{got} after {spent}",
        reached=([state.a], state.beta0),
    )


def point(problem: Problem, a: Numbers, beta0: int) -> Point:
    """Return the function of those multipliers; those that are next to none are zero."""
    space, largest = problem.space, max(map(abs, a))
    a = [0 if abs(v) << NONE < largest else v for v in a]
    x = space.of(a)
    return Point(x, beta0, space.values(x), [Slope(v, 0) for v in a])
