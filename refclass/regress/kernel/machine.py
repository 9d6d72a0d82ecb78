"""A kernel machine with a convex piecewise quadratic loss, through its dual: one quadratic problem for every loss.

    minimise ½‖f‖² + Σ Vᵢ(rᵢ),   rᵢ = yᵢ − f(xᵢ) − β₀,   f = Σ aᵢ K(xᵢ, ·)

    minimise ½aᵀKa − yᵀa + Σ Vᵢ*(aᵢ)   subject to Σ aᵢ = 0

V* is the conjugate of V, and an optimal aᵢ is a slope of Vᵢ at rᵢ. Of a convex piecewise quadratic V the conjugate is
one, too, and is written as pieces: aᵢ is a sum of parts v, each between bounds of its own and paid for by a parabola,

    V*(a) = min { Σ sv + ½κv² : Σ v = a, low ≤ v ≤ high }        V(r) = Σ max { (r − s)v − ½κv² : low ≤ v ≤ high }

The support vector machines for regression, Huber's, ridge regression and every machine that separates two classes are
of this form. Without an intercept the sum is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Optional

from refclass.certificate import Certificate
from refclass.errors import NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import crossover
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.definiteness import definite

SETS = 200  # working sets, and one more for each point, after which doubles make no more progress: most fits take ten

Bound = Optional[Number]  # None stands for no bound


class Piece(NamedTuple):
    """A part of a multiplier: low ≤ v ≤ high, low ≤ 0 ≤ high, at the cost slope·v + ½·curvature·v²."""

    slope: Number
    curvature: Number
    low: Bound
    high: Bound

    def clip(self, v: Number) -> Number:
        """Return v, brought between the bounds."""
        if self.low is not None and v < self.low:
            return self.low
        return self.high if self.high is not None and v > self.high else v

    def rises(self, v: Number) -> bool:
        """Return whether there is module above v."""
        return self.high is None or bool(v < self.high)

    def falls(self, v: Number) -> bool:
        """Return whether there is module below v."""
        return self.low is None or bool(v > self.low)

    def scaled(self, cost: Number) -> Piece:
        """Return the piece of cost · V: (cV)*(a) = c V*(a/c); nothing but zero is left at cost zero."""
        if not cost:
            return Piece(self.slope, 0 * self.curvature, cost, cost)
        low, high = (None if b is None else cost * b for b in (self.low, self.high))
        return Piece(self.slope, self.curvature / cost, low, high)

    def mirrored(self) -> Piece:
        """Return the piece of V(−r)."""
        low, high = (None if b is None else -b for b in (self.high, self.low))
        return Piece(-self.slope, self.curvature, low, high)

    def lifted(self, F: Field) -> Piece:
        """Return the piece with its numbers lifted into F."""
        return Piece(*[None if v is None else F.lift(v) for v in self])


Pieces = tuple[Piece, ...]


@dataclass(frozen=True)
class Machine:
    """A kernel machine to be fitted.

    K            n × n Gram matrix: a Matrix, or a store that computes rows when asked
    y            n numbers
    pieces       for each point the pieces of its Vᵢ*, those that rise in the order of their slopes, and those that fall
    intercept    whether f has an intercept
    positive     whether K is known to be positive semidefinite, by a theorem on its kernel
    rounded      whether K holds rounded values of its kernel, which are then taken as they are
    """

    K: Any
    y: Vector
    pieces: tuple[Pieces, ...]
    intercept: bool = True
    positive: bool = True
    rounded: bool = False

    @property
    def places(self) -> list[int]:
        """The number of the point that each part belongs to."""
        return [i for i, own in enumerate(self.pieces) for _ in own]

    def problem(self) -> quadratic.Problem:
        """Return the dual as a quadratic problem in the parts  [ESL-12.41] [MMST-11.124] [MMST-11.125].

        The multiplier of Σ v = 0 is the intercept.
        """
        places, parts = self.places, [piece for own in self.pieces for piece in own]
        zero, one = self.y.kind(0), self.y.kind(1)
        Q = Parts(self.K, tuple(places), Vector.of([p.curvature for p in parts]))
        sums = (Matrix.of([Vector.of([one] * len(parts))]), Vector.of([zero])) if self.intercept else (None, None)
        return quadratic.Problem(
            Q,
            Vector.of([p.slope - self.y[i] for i, p in zip(places, parts)]),
            tuple([p.low for p in parts]),
            tuple([p.high for p in parts]),
            *sums,
        )

    def over(self, F: Field) -> Machine:
        """Return the machine with its numbers lifted into F, its Gram matrix entry by entry."""
        K = Matrix.of([Vector.of(map(F.lift, self.K.row(i))) for i in range(len(self.y))])
        pieces = tuple([tuple([p.lifted(F) for p in own]) for own in self.pieces])
        return replace(self, K=K, y=Vector.of(map(F.lift, self.y)), pieces=pieces)


@dataclass(frozen=True)
class Parts:
    """The Gram matrix with a row for each part, the row of its point, and the curvatures on its diagonal."""

    K: Any
    places: tuple[int, ...]
    curvature: Vector

    def __len__(self) -> int:
        return len(self.places)

    def row(self, v: int) -> Vector:
        """Return row v."""
        given = self.K.row(self.places[v])
        row = [given[i] for i in self.places]
        row[v] = row[v] + self.curvature[v]
        return Vector.of(row)

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        given = self.K.diagonal()
        return Vector.of([given[i] + k for i, k in zip(self.places, self.curvature)])


class Conjugate(NamedTuple):
    """V* at one a: its value, and its slopes to the left and to the right, None where it is infinite beyond."""

    value: Number
    left: Bound
    right: Bound


def parts_of(pieces: Pieces, a: Number) -> list[Number]:
    """Return the parts that sum up to a at the least cost: the pieces are filled in their order.

    What no piece has module for is put into the last: then a is not feasible, and its part shows by how much.
    """
    left, parts, last = a, [0 * a for _ in pieces], 0
    for k, piece in enumerate(pieces):
        ahead = piece.high if a > 0 else piece.low
        if left and (ahead is None or ahead != 0):
            parts[k], last = piece.clip(left), k
            left = left - parts[k]
    if left:
        parts[last] = parts[last] + left
    return parts


def within(pieces: Pieces, a: Number) -> bool:
    """Return whether V*(a) is finite: every part of a lies between its bounds."""
    return all(p.clip(v) == v for p, v in zip(pieces, parts_of(pieces, a)))


def conjugate(pieces: Pieces, a: Number) -> Conjugate:
    """Return V*(a) with its slopes.

    The residuals r at which a is a slope of V are those between left and right.

    Exact     yes
    Example
        >>> tube = (Piece(0.5, 0.0, 0.0, 1.0), Piece(-0.5, 0.0, -1.0, 0.0))
        >>> conjugate(tube, 0.25), conjugate(tube, 0.0)
        (Conjugate(value=0.125, left=0.5, right=0.5), Conjugate(value=0.0, left=-0.5, right=0.5))
    """
    parts = parts_of(pieces, a)
    value = sum((p.slope * v + p.curvature * v * v / 2 for p, v in zip(pieces, parts)), 0 * a)
    slopes = [p.slope + p.curvature * v for p, v in zip(pieces, parts)]
    rising = [s for s, p, v in zip(slopes, pieces, parts) if p.rises(v)]
    falling = [s for s, p, v in zip(slopes, pieces, parts) if p.falls(v)]
    return Conjugate(value, max(falling, default=None), min(rising, default=None))


def loss(pieces: Pieces, r: Number) -> Number:
    """Return V(r) = Σ max (r − s)v − ½κv² over the pieces; None where it is infinite.

    Exact     yes

    Example
        >>> tube = (Piece(0.5, 0.0, 0.0, 1.0), Piece(-0.5, 0.0, -1.0, 0.0))
        >>> loss(tube, 0.25), loss(tube, -2.0)
        (0.0, 1.5)
    """
    total = 0 * r
    for piece in pieces:
        d = r - piece.slope
        if piece.curvature:
            v = piece.clip(d / piece.curvature)
        else:
            end = piece.high if d > 0 else piece.low
            if end is None and d != 0:
                return None
            v = 0 * r if end is None else end
        total = total + d * v - piece.curvature * v * v / 2
    return total


def nearest(pieces: Pieces, z: Number) -> Number:
    """Return the a that minimises ½(z − a)² + V*(a): then z − a is a residual at which a is a slope of V.

    So a is optimal for the residual r if and only if it is nearest to a + r.

    Exact     yes
    """
    # Method: the pieces are filled in their order until one is not full: there (1 + κ)v = z − (what is filled) − s.
    done = 0 * z
    for side in (1, -1):
        for piece in pieces:
            end = piece.high if side > 0 else piece.low
            if end is not None and end == 0:
                continue
            v = piece.clip((z - done - piece.slope) / (1 + piece.curvature))
            if v * side <= 0:
                break
            done = done + v
            if v != end:
                return done
        if done:
            return done
    return done


@dataclass(frozen=True)
class Fitted:
    """A fitted machine.

    a            n multipliers: f = Σ aᵢ K(xᵢ, ·) + β₀
    parts        the parts of each
    values       Σⱼ aⱼ Kᵢⱼ at every point
    beta0        the intercept: the middle of `interval`
    interval     the least and the largest optimal intercept, None for no end; equal where it is unique
    square       ‖f‖²
    steps        how many steps the solver took
    proven       what was proven of the answer while it was found, if anything
    beta         the coefficients of f, where it is linear and they are rounded from numbers longer than those of a
    """

    a: Vector
    parts: tuple[tuple[Number, ...], ...]
    values: Vector
    beta0: Number
    interval: tuple[Bound, Bound]
    square: Number
    steps: int
    proven: Optional[Certificate] = None
    beta: Optional[Vector] = None


def fit(F: Field, machine: Machine) -> Fitted:
    """Return the machine as a solver for quadratic problems leaves it, in its own arithmetic (see also `training`).

    In exact arithmetic and in decimals the data are rational numbers: the exact optimum is computed and proven;
    decimals are that optimum, rounded.

    Given     K positive semidefinite where Σ aᵢ = 0
    Raises    NoAnswer if there is no optimum
    """
    if F.kind is float:
        try:
            return fit_in_doubles(machine)
        except (NoAnswer, NotConverged):
            return fitted(machine, active_set.solve(machine.problem(), convex=True))
    exact = machine if F.exact else machine.over(RATIONAL)
    found = fitted(exact, crossover.solve(exact.problem(), convex=True))
    return found if F.exact else rounded(F, found)


def fit_in_doubles(machine: Machine) -> Fitted:
    """Return the machine as the solver for many variables leaves it, its multipliers clipped to their bounds.

    Raises    NotConverged where roundoff stops it
    """
    answer = decomposition.solve(machine.problem(), max_steps=SETS + len(machine.y))
    return fitted(machine, answer)


def refuse_indefinite(machine: Machine) -> None:
    """Raises NoAnswer, with a direction, unless K at its exact worth is positive semidefinite where Σ aᵢ = 0."""
    # Premise: curvatures of pieces are ≥ 0 and parts of one point share its row, so that only K is in question.
    good, direction = (True, None) if machine.positive else definite(machine.K, machine.intercept)
    if not good:
        need = "K positive semidefinite where the multipliers sum to zero" if machine.intercept else "K semidefinite"
        raise NoAnswer("dual", need=need, got="a direction of negative curvature", direction=direction)


def fitted(machine: Machine, answer: quadratic.Answer) -> Fitted:
    """Return the fit that an answer to the machine's problem stands for; values and intercept are computed anew."""
    given = iter(answer.x)
    parts = tuple([tuple([next(given) for _ in own]) for own in machine.pieces])
    return described(machine, parts, answer.steps)


def described(machine: Machine, parts: tuple[tuple[Number, ...], ...], steps: int = 0) -> Fitted:
    """Return the fit with those parts."""
    a = Vector.of([sum(own[1:], own[0]) for own in parts])
    values = quadratic.product(machine.K, a)
    low, high = interval(machine, parts, values) if machine.intercept else (a.kind(0), a.kind(0))
    return Fitted(a, parts, values, middle(low, high, a.kind), (low, high), a @ values, steps)


def interval(machine: Machine, parts: Sequence[Sequence[Number]], values: Vector) -> tuple[Bound, Bound]:
    """Return the least and the largest intercept that the optimality conditions allow  [MMST-11.126] [MMST-11.127].

        V*′(aᵢ−) ≤ yᵢ − Σⱼ aⱼKᵢⱼ − β₀ ≤ V*′(aᵢ+)

    A point whose aᵢ lies inside a piece has one slope and fixes the intercept. Rounded numbers of several such points
    differ by roundoff; they are averaged.

    Exact     yes
    """
    least, most, fixed = [], [], []
    for target, v, own, pieces in zip(machine.y, values, parts, machine.pieces):
        slopes = [p.slope + p.curvature * w for p, w in zip(pieces, own)]
        up = [target - v - s if p.rises(w) else None for s, p, w in zip(slopes, pieces, own)]
        down = [target - v - s if p.falls(w) else None for s, p, w in zip(slopes, pieces, own)]
        least += [b for b in up if b is not None]
        most += [b for b in down if b is not None]
        fixed += [b for b, c in zip(up, down) if b is not None and c is not None]
    if fixed:
        mean = sum(fixed[1:], fixed[0]) / len(fixed)
        return mean, mean
    return max(least, default=None), min(most, default=None)


def middle(low: Bound, high: Bound, kind: Any) -> Number:
    """Return the middle of an interval, its only end, or zero if it has none."""
    ends = [end for end in (low, high) if end is not None]
    return sum(ends, kind(0)) / len(ends) if ends else kind(0)


def rounded(F: Field, exact: Fitted) -> Fitted:
    """Return a fit with its numbers lifted into F."""

    def lift(v: Any) -> Any:
        return None if v is None else F.lift(v)

    return replace(
        exact,
        a=Vector.of(map(lift, exact.a)),
        parts=tuple([tuple(map(lift, own)) for own in exact.parts]),
        values=Vector.of(map(lift, exact.values)),
        beta0=lift(exact.beta0),
        interval=(lift(exact.interval[0]), lift(exact.interval[1])),
        square=lift(exact.square),
        beta=None if exact.beta is None else Vector.of(map(lift, exact.beta)),
    )


def primal_objective(machine: Machine, square: Number, f: Vector) -> Number:
    """Return ½‖f‖² + Σ Vᵢ(yᵢ − fᵢ) at decision values f, intercept included; None where it is infinite.

    Exact     yes
    """
    total = square / 2
    for pieces, target, v in zip(machine.pieces, machine.y, f):
        lost = loss(pieces, target - v)
        if lost is None:
            return None
        total = total + lost
    return total


def dual_objective(machine: Machine, a: Vector, square: Number) -> Number:
    """Return aᵀy − ½‖f‖² − Σ Vᵢ*(aᵢ)  [MMST-11.124] [ESL-12.41].

    Exact     yes
    """
    paid = sum((conjugate(pieces, v).value for pieces, v in zip(machine.pieces, a)), a.kind(0))
    return a @ machine.y - square / 2 - paid
