"""Semismooth Newton's method for kernel machines, in fixed-point numbers of any length (Qi and Sun, 1993).

Solves    minimise ½‖f‖² + Σ Vᵢ(yᵢ − f(xᵢ) − β₀), V convex, its slope piecewise linear or smooth     [ESL-12.43]
Given     the slopes of the losses, the coordinates of f, and a starting point, or none
Yields    the multipliers aᵢ = V′(rᵢ), to all digits but the last few

A step solves the equations in which the points whose slope changes with their residual are fitted, and the others keep
their multiplier; where all points are on the same piece before and after it, it ends at the minimum. A line search on
the derivative, which rises, makes the objective fall at every step; without kinks whole steps are tried first, which
are fewer. Kinks are met with the proximal point method (Rockafellar, 1976): σ/2 ‖a − c‖² is added to the dual, c ← a,
and σ falls to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Optional, Union

from refclass.errors import NotConverged
from refclass.linear.factorisations.fixed_point import Numbers
from refclass.regress.kernel.newton.loss_slopes import Logistic, Piecewise, Power, Slope
from refclass.regress.kernel.newton.newton_coordinates import Coefficients, Multipliers

STEPS = 5  # of Newton's method, for each point and thirty more: 250 small problems took at most 28, SVR on glass 300
SEARCHED = 100  # points of a line search; false position takes ten where the derivative has a jump
TRIED = 8  # whole steps after the one with the fewest changes so far, before it is returned to
FLAT = 20  # bits by which a line search lowers the derivative: fewer end each step before the kink that limits it
FAR = 8  # powers of two between the ends of a line search beyond which their number is halved, not the interval
SHRINKS = 12  # bits by which σ falls between two proximal steps, or a fiftieth of all
KEPT = 90  # bits to which the equations must hold: 27 decimal digits, ten more than doubles have


@dataclass(frozen=True)
class Problem:
    """A machine in fixed-point numbers.

    space        the coordinates of f
    slopes       the slopes of the losses
    y            n targets, in units
    intercept    whether there is a β₀
    proximal     σ of the first proximal step, in units; 0 where V has no kinks
    """

    space: Union[Multipliers, Coefficients]
    slopes: Union[Piecewise, Logistic, Power]
    y: Numbers
    intercept: bool
    proximal: int = 0

    @property
    def bits(self) -> int:
        """The unit is 2^−bits."""
        return self.space.bits

    def part(self, places: Sequence[int]) -> Problem:
        """Return the problem of some of the points; the coordinates are multipliers."""
        assert isinstance(self.space, Multipliers)
        y = [self.y[i] for i in places]
        return replace(self, space=self.space.part(places), slopes=self.slopes.part(places), y=y)


@dataclass(frozen=True)
class Point:
    """A function on the way.

    x        its variables
    beta0    its intercept
    f        its values at the points, without the intercept
    slopes   the multipliers that its residuals call for
    """

    x: Numbers
    beta0: int
    f: Numbers
    slopes: list[Slope]

    @property
    def a(self) -> Numbers:
        """The multipliers."""
        return [s.a for s in self.slopes]


def solve(
    problem: Problem,
    x: Optional[Numbers] = None,
    beta0: int = 0,
    centre: Optional[Numbers] = None,
    max_steps: Optional[int] = None,
) -> Point:
    """Return the minimum, started at the variables x and β₀.

    Raises    NotConverged after max_steps, or 5(n + 30) where none are given, or where a table is not positive definite
              to so many digits
    """
    most = STEPS * (len(problem.y) + 30) if max_steps is None else max_steps
    slopes, left = problem.slopes, most
    slopes.sigma, slopes.centre = problem.proximal, centre or [0] * len(problem.y)
    point = _point(problem, [0] * problem.space.size if x is None else x, beta0)
    while True:
        point, left = _newton(problem, point, left, most)
        # Premise: the proximal term moves every residual by σ(a − c), which is what is left to be gained.
        if not slopes.sigma or _settled(problem, point):
            return point
        if left <= 0:
            raise _ended(NotConverged("semismooth", need=f"a minimum within {most} steps", got="none"), point)
        sigma, centre = slopes.sigma, slopes.centre
        slopes.centre = point.a
        slopes.sigma = max(sigma >> max(SHRINKS, problem.bits // 50), 1 << max(0, problem.bits - 2 * KEPT))
        try:
            point, left = _predicted(problem, point, sigma, centre), left - 1
        except NotConverged as refusal:
            raise _ended(refusal, point) from None


def _predicted(problem: Problem, point: Point, sigma: int, centre: Numbers) -> Point:
    """Return the end of a proximal step if the points that change their slope are those of the last one, of σ and c."""
    # Method: residuals of the last step, σ(a − c), are far beyond what the smaller σ allows between two kinks.
    bits, now = problem.bits, problem.slopes
    delta = [s.delta - sigma + now.sigma if s.delta else 0 for s in point.slopes]
    t = [
        (s.delta * s.a + now.sigma * new - sigma * old >> bits) + v + point.beta0
        for s, v, new, old in zip(point.slopes, point.f, now.centre, centre)
    ]
    found = problem.space.solve(point.a, delta, t, problem.intercept) if any(delta) else None
    return _point(problem, *(found or (point.x, point.beta0)))


def _settled(problem: Problem, point: Point) -> bool:
    slopes = problem.slopes
    moved = max([abs(v - c) for v, c in zip(point.a, slopes.centre)])
    size = max(map(abs, [*problem.y, 1]))
    return moved * slopes.sigma >> problem.bits << KEPT <= size


def _point(problem: Problem, x: Numbers, beta0: int, f: Optional[Numbers] = None) -> Point:
    f = problem.space.values(x) if f is None else f
    slopes = [problem.slopes(i, t - v - beta0) for i, (t, v) in enumerate(zip(problem.y, f))]
    problem.space.spent += len(f) * problem.slopes.work
    return Point(x, beta0, f, slopes)


def _newton(problem: Problem, point: Point, left: int, most: int) -> tuple[Point, int]:
    """Return the minimum for the proximal term as it stands, and how many steps are left."""
    if problem.intercept:
        point = levelled(problem, point)
    whole = WholeSteps(point)
    while not _balanced(problem, point):
        if left <= 0:
            raise _ended(NotConverged("semismooth", need=f"a minimum within {most} steps", got="none"), point)
        before = point.x, point.beta0
        try:
            point, left = _step(problem, point, whole), left - 1
        except NotConverged as refusal:
            raise _ended(refusal, point) from None
        if (point.x, point.beta0) == before:
            need, got = "a step that moves", "none: the numbers are too short"
            raise _ended(NotConverged("semismooth", need=need, got=got), point)
    return point, left


def _ended(refusal: NotConverged, point: Point) -> NotConverged:
    """Return the refusal with what is reached: multipliers, those that the residuals call for, and the intercept."""
    refusal.witness["reached"] = [point.x, point.a] if len(point.x) == len(point.a) else [point.a], point.beta0
    return refusal


def _balanced(problem: Problem, point: Point) -> bool:
    """Return whether f = Σ aᵢ K(xᵢ, ·) and Σ aᵢ = 0, to KEPT bits of their terms, and of what they move f by."""
    a, space = point.a, problem.space
    least, reach = max(map(abs, [*problem.y, 1])), max(space.reach, default=0)
    size, total = sum(map(abs, a)), abs(sum(a))
    # Premise: where points lie far from the origin, f is a small difference of large terms.
    if problem.intercept and (total << KEPT > size + (len(a) << KEPT) or _moves(problem, total, reach) > least):
        return False
    missing = [abs(v - w) for v, w in zip(space.of(a), point.x)]
    if any(_moves(problem, v, r) > least for v, r in zip(missing, space.reach)):
        return False
    if isinstance(space, Multipliers):
        return not any(v << KEPT > size + (1 << KEPT) for v in missing)
    sizes = [sum([abs(v * w) for v, w in zip(a, column)]) >> problem.bits for column in space.columns]
    return not any(v << KEPT > s + (len(a) << KEPT) for v, s in zip(missing, sizes))


def _moves(problem: Problem, change: int, reach: int) -> int:
    """Return by how much a change of a variable moves f, in units of the accuracy that is asked for."""
    return (change * reach >> problem.bits) << KEPT if change > len(problem.y) else 0


class WholeSteps:
    """Steps without a line search, as long as fewer and fewer points change their piece (Júdice and Pires, 1994).

    fewest    changes so far, the point after them, and after how many further steps it is returned to
    """

    def __init__(self, start: Point) -> None:
        self.fewest, self.best, self.left = len(start.f) + 1, start, TRIED

    def next(self, before: Point, after: Point) -> Optional[Point]:
        """Return the point to go on from after a whole step; None where a line search is needed."""
        changed = sum([_piece(s) != _piece(t) for s, t in zip(before.slopes, after.slopes)])
        if changed < self.fewest:
            self.fewest, self.best, self.left = changed, after, TRIED
            return after
        self.left -= 1
        if self.left == 0:
            return self.best
        return after if self.left > 0 else None


def _piece(slope: Slope) -> tuple[int, int]:
    """Return what tells the piece of a slope: Δ, and the side of a free multiplier, or where a fixed one is."""
    return slope.delta, slope.a if not slope.delta else int(slope.a > 0)


def _step(problem: Problem, point: Point, whole: WholeSteps) -> Point:
    """Return the point after a Newton step and, where whole steps do not lead on, its line search."""
    bits, delta = problem.bits, [s.delta for s in point.slopes]
    a = point.a
    if any(delta):
        t = [(d * v >> bits) + w + point.beta0 for d, v, w in zip(delta, a, point.f)]
        found = problem.space.solve(a, delta, t, problem.intercept)
        if found is None:
            got = "a table that is not, to so many digits"
            raise NotConverged("semismooth", need="a positive definite table", got=got)
    else:
        found = problem.space.of(a), point.beta0
    x, beta0 = found
    moved = None
    slopes = problem.slopes
    if isinstance(slopes, Piecewise) and slopes.unbounded and not problem.proximal and any(delta) and whole.left >= 0:
        moved = whole.next(point, _point(problem, x, beta0))
    if moved is None:
        moved = _searched(problem, point, [v - w for v, w in zip(x, point.x)], beta0 - point.beta0)
    if problem.intercept and not any(s.delta for s in moved.slopes):
        moved = levelled(problem, moved)
    return moved


def _searched(problem: Problem, point: Point, step: Numbers, rise: int) -> Point:
    """Return the point where the derivative along a step has fallen by FLAT bits and not changed its sign."""
    space, bits = problem.space, problem.bits
    values = space.values(step)
    other = values if isinstance(space, Multipliers) else step
    mine, square, total = space.inner(point.x, other), space.inner(step, other), [v + rise for v in values]

    def at(t: int) -> Point:
        x = [v + (t * w >> bits) for v, w in zip(point.x, step)]
        return _point(
            problem, x, point.beta0 + (t * rise >> bits), [v + (t * w >> bits) for v, w in zip(point.f, values)]
        )

    def slope(found: Point, t: int) -> int:
        return mine + (t * square >> bits) - (sum([s.a * v for s, v in zip(found.slopes, total)]) >> bits)

    first = slope(point, 0)
    low, high, below = 0, 1 << bits, first
    whole = at(high)
    above, best = slope(whole, high), point
    if above <= 0 or above << KEPT // 2 <= abs(first) or first >= 0:
        return whole
    side = 0
    for count in range(SEARCHED):
        # Method: false position of Illinois (Dowell and Jarratt, 1971): an end that is kept twice counts half. Where
        # the derivative at one end is larger by powers of two, that takes as many points: every sixth one halves what
        # lies between the ends, their powers of two where these are many.
        t = low + (high - low) * -below // (above - below)
        if count % 6 == 5:
            far = high.bit_length() - low.bit_length() > FAR
            t = 1 << (high.bit_length() + low.bit_length()) // 2 if far else (low + high) // 2
        found = at(t)
        d = slope(found, t)
        if d <= 0:
            low, below, best, above = t, d, found, above >> int(side < 0)
            if abs(d) << FLAT <= abs(first):
                break
        else:
            high, above, below = t, d, below >> int(side > 0)
        side = -1 if d <= 0 else 1
    return best


def levelled(problem: Problem, point: Point) -> Point:
    """Return the point with an intercept at which the multipliers sum to zero, f being what it is."""
    # Method: their sum falls as the intercept rises; an interval that holds the zero is widened, then halved.
    r = [t - v for t, v in zip(problem.y, point.f)]

    def total(b: int) -> int:
        return sum([problem.slopes(i, v - b).a for i, v in enumerate(r)])

    low, high = min(r), max(r)
    width = max(high - low, 1 << problem.bits)
    while total(low) < 0:
        low -= width
        width *= 2
    while total(high) > 0:
        high += width
        width *= 2
    start = point.beta0
    here = [problem.slopes(i, v - start).a for i, v in enumerate(r)]
    at = sum(here)
    if abs(at) << KEPT <= sum(map(abs, here)) + (len(here) << KEPT):
        return _point(problem, point.x, start, point.f)
    low, high = (max(low, start), high) if at > 0 else (low, min(high, start))
    above, below, count = total(low), total(high), 0
    while high - low > 1 and above:
        # Method: the secant, which ends at once where the sum is a line, and the middle at every other step.
        count += 1
        middle = low + (high - low) * above // (above - below) if count % 2 else (low + high) // 2
        middle = min(max(middle, low + 1), high - 1)
        value = total(middle)
        if value >= 0:
            low, above = middle, value
        else:
            high, below = middle, value
    return _point(problem, point.x, low, point.f)
