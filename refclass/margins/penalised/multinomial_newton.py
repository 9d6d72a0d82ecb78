"""The multinomial machine in doubles: Newton's method on few features, or truncated Newton on the Gram matrix.

    minimise Σ −wᵢ log p_gᵢ(xᵢ) + ½λ Σ_k ‖h_k‖²        f_k = h_k + b_k,  h_k = Σᵢ a_ik K(xᵢ, ·)

Where K = ZZᵀ has few columns (a linear kernel) the functions have few parameters, and the Hessian is factored (Böhning,
1992; `class_equations`). Otherwise Newton's equations are solved by conjugate gradients in the inner product of the
functions (Nocedal and Wright, algorithm 7.1), a product with K for each iteration: the operator is then λ plus
something compact, and no factor of order nK is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from operator import mul
from typing import Any, Optional, Union

from refclass.errors import NotConverged
from refclass.linear.polar import Products
from refclass.linear.vector import Vector
from refclass.optimise.multiclass import low_rank
from refclass.optimise.multiclass.newton_equations import Columns, Coupled, Points, inner, moved

WIDTH = 40  # columns of Z, up to which the Hessian is factored
STEPS = 300  # most Newton steps
INNER = 400  # most iterations of conjugate gradients for a step
HALVINGS = 50  # a step this often halved is lost in roundoff
GAIN = 1e-4  # share of the decrement by which a step must lower the objective
FULL = 1e-8  # decrement, as part of the objective, from which on full steps are taken
LOOSE, TIGHT = 0.1, 1e-4  # relative residuals of Newton's equations: at the start, and at best


@dataclass(frozen=True)
class Found:
    """What the method ends at.

    f             the functions at the points, class by class
    a             their multipliers, None where they follow from f
    b             the intercepts
    objectives    the objective at every iterate
    """

    f: Columns
    a: Optional[Columns]
    b: list[float]
    objectives: list[float]


class Loss:
    """Σ −wᵢ log p, its slopes and curvatures, at the values of the functions."""

    def __init__(self, labels: tuple[int, ...], weights: Any) -> None:
        self.labels, self.weights = labels, list(weights)

    def value(self, f: Columns) -> float:
        """Return the loss."""
        terms = []
        for w, row, g in zip(self.weights, zip(*f), self.labels):
            top = max(row)
            k = row.index(top)
            rest = sum([math.exp(v - top) for j, v in enumerate(row) if j != k])
            terms.append(w * (top - row[g] + math.log1p(rest)))
        return math.fsum(terms)

    def probabilities(self, f: Columns) -> Columns:
        """Return p_k at the points, class by class."""
        rows = []
        for row in zip(*f):
            top = max(row)
            powers = [math.exp(v - top) for v in row]
            total = sum(powers)
            rows.append([v / total for v in powers])
        return [list(own) for own in zip(*rows)]

    def slopes(self, p: Columns) -> Columns:
        """Return w(p_k − 1{g = k}), the own class by the others so that small differences keep their digits."""
        rows = []
        for w, row, g in zip(self.weights, zip(*p), self.labels):
            others = sum([v for k, v in enumerate(row) if k != g])
            rows.append([-w * others if k == g else w * v for k, v in enumerate(row)])
        return [list(own) for own in zip(*rows)]


class Features:
    """The functions z̃ᵀv_k: an iterate with its Newton step."""

    done = 1e-30  # decrement, as part of the objective, that ends the method: the gradient's last digits are found, too

    def __init__(self, loss: Loss, Z: Any, lam: float, classes: int, intercept: bool) -> None:
        self.loss, self.lam, self.points = loss, lam, Points(Z, intercept)
        self.v = [[0.0] * self.points.size for _ in range(classes)]
        self.f = self.points.values(self.v)

    def value(self, t: float = 0.0) -> float:
        """Return the objective at the iterate, moved t times the step."""
        v, f = (moved(self.v, t, self.dv), moved(self.f, t, self.df)) if t else (self.v, self.f)
        return self.loss.value(f) + float(sum(inner([self.points.ridge(own, self.lam)], [own]) for own in v)) / 2

    def prepare(self, closeness: float) -> float:
        """Compute the Newton step; return the decrement."""
        p = self.loss.probabilities(self.f)
        gathered = self.points.gathered(self.loss.slopes(p))
        g = [[a + b for a, b in zip(own, self.points.ridge(v, self.lam))] for own, v in zip(gathered, self.v)]
        d = [list(map(mul, own, self.loss.weights)) for own in p]
        roots = [math.sqrt(w) for w in self.loss.weights]
        self.dv = Coupled(self.points, self.lam, d, [list(map(mul, own, roots)) for own in p]).refined(
            [[-v for v in own] for own in g]
        )
        self.df = self.points.values(self.dv)
        return -float(inner(g, self.dv))

    def move(self, t: float) -> None:
        """Go t times the step."""
        self.v = moved(self.v, t, self.dv)
        self.f = self.points.values(self.v)

    def found(self, objectives: list[float]) -> Found:
        """Return what was found."""
        return Found(self.f, None, [own[-1] * self.points.intercept for own in self.v], objectives)


class Kernel:
    """The functions Σ a_ik K(xᵢ, ·) + b_k: an iterate with its truncated Newton step."""

    done = 1e-16  # as in `Features`; truncated steps do not reach the gradient's last digits

    def __init__(self, loss: Loss, K: Any, lam: float, classes: int, intercept: bool) -> None:
        self.loss, self.lam, self.intercept = loss, lam, intercept
        self.product = Products([tuple(row) for row in K])
        n = len(loss.labels)
        self.a = [[0.0] * n for _ in range(classes)]
        self.h = [[0.0] * n for _ in range(classes)]
        self.b = [0.0] * classes
        self.f = self.h

    def value(self, t: float = 0.0) -> float:
        """Return the objective at the iterate, moved t times the step."""
        a, h, f = self.a, self.h, self.f
        if t:
            a, h, f = moved(a, t, self.da), moved(h, t, self.dh), moved(f, t, self.df)
        return self.loss.value(f) + self.lam * float(inner(a, h)) / 2

    def curved(self, df: Columns) -> Columns:
        """Return W df."""
        means = [sum(map(mul, *rows)) for rows in zip(zip(*self.p), zip(*df))]
        weights = self.loss.weights
        return [[w * q * (v - m) for w, q, v, m in zip(weights, p, own, means)] for p, own in zip(self.p, df)]

    def prepare(self, closeness: float) -> float:
        """Compute the Newton step by preconditioned conjugate gradients; return the decrement."""
        self.p = self.loss.probabilities(self.f)
        g = self.loss.slopes(self.p)
        ra = [[-s - self.lam * v for s, v in zip(*rows)] for rows in zip(g, self.a)]
        rb = [-sum(own) * self.intercept for own in g]
        scale = [(sum([w * q * (1 - q) for w, q in zip(self.loss.weights, p)]) or 1.0) / self.lam for p in self.p]
        n, m = len(self.loss.labels), len(g)
        da, dh, db = [[0.0] * n for _ in g], [[0.0] * n for _ in g], [0.0] * m
        pa, ph, pb = da, dh, db
        first, old, decrement = 0.0, 0.0, 0.0
        for _ in range(INNER):
            kr = [self.product(own) for own in ra]
            zb = [v / s for v, s in zip(rb, scale)]
            size = inner(ra, kr) + sum(map(mul, rb, zb))
            first = first or size
            if not size > closeness * closeness * first:
                break
            beta = size / old if old else 0.0
            old = size
            pa, ph = moved(ra, beta, pa), moved(kr, beta, ph)
            pb = [v + beta * w for v, w in zip(zb, pb)]
            W = self.curved([[v + b for v in own] for own, b in zip(ph, pb)])
            qa = [[self.lam * v + w for v, w in zip(*rows)] for rows in zip(pa, W)]
            qb = [sum(own) * self.intercept for own in W]
            curvature = inner(qa, ph) + sum(map(mul, qb, pb))
            if not curvature > 0:
                break
            t = size / curvature
            decrement += t * size
            da, dh, ra = moved(da, t, pa), moved(dh, t, ph), moved(ra, -t, qa)
            db, rb = [v + t * w for v, w in zip(db, pb)], [v - t * w for v, w in zip(rb, qb)]
        self.da, self.dh, self.db = da, dh, db
        self.df = [[v + b for v in own] for own, b in zip(dh, db)]
        return decrement

    def move(self, t: float) -> None:
        """Go t times the step."""
        self.a, self.b = moved(self.a, t, self.da), [v + t * w for v, w in zip(self.b, self.db)]
        self.h = [self.product(own) for own in self.a]
        self.f = [[v + b for v in own] for own, b in zip(self.h, self.b)]

    def found(self, objectives: list[float]) -> Found:
        """Return what was found."""
        return Found(self.f, self.a, self.b, objectives)


def steps(iterate: Union[Features, Kernel], most: int) -> Iterator[float]:
    """Yield the objective at each iterate, the first at f = 0; full steps end it, as long as they halve the decrement.

    Raises    NotConverged after so many steps
    """
    value, last = iterate.value(), math.inf
    yield value
    closeness = LOOSE
    for _ in range(most):
        decrement = iterate.prepare(closeness)
        if not decrement > 0:
            return
        if decrement <= FULL * value:
            if 2 * decrement > last:
                return
            last, t, new = decrement, 1.0, iterate.value(1.0)
        else:
            t, new = lowered(iterate, value, decrement)
            if not t:
                return
        iterate.move(t)
        closeness = max(TIGHT, min(LOOSE, closeness, math.sqrt(decrement / value)))
        value = new
        yield value
        if decrement <= iterate.done * value:
            return
    raise NotConverged("multinomial", need=f"a minimum within {most} steps", got=f"a decrement of {decrement}")


def lowered(iterate: Union[Features, Kernel], value: float, decrement: float) -> tuple[float, float]:
    """Return the first of 1, ½, ¼ … times the step that lowers the objective enough, 0 if none does, and the value."""
    t = 1.0
    for _ in range(HALVINGS):
        try:
            new = iterate.value(t)
        except OverflowError:
            new = math.inf
        if new <= value - GAIN * t * decrement:
            return t, new
        t /= 2
    return 0.0, value


def fit(problem: Any, most: int = STEPS) -> tuple[list[Vector], Vector, tuple[float, ...]]:
    """Return multipliers and intercepts of each class, which sum to zero, and the objectives of the iterates.

    Shapes    problem: a `multinomial.Problem` in doubles, with the points of a linear kernel where it is one
    Raises    NotConverged after so many steps
    """
    alpha, beta0, objectives, _ = solved(problem, most)
    return alpha, beta0, objectives


def solved(problem: Any, most: int) -> tuple[list[Vector], Vector, tuple[float, ...], Columns]:
    """Return what `fit` does, and the values of the functions at the points."""
    lam, loss = float(problem.penalty), Loss(problem.labels, problem.weights)
    options = lam, problem.classes, problem.intercept
    Z = features(problem)
    iterate: Union[Features, Kernel] = Kernel(loss, problem.K, *options) if Z is None else Features(loss, Z, *options)
    found = iterate.found(list(steps(iterate, most)))
    slopes = loss.slopes(loss.probabilities(found.f))
    a = [[-v / lam for v in own] for own in slopes] if found.a is None else found.a
    if problem.intercept:
        a = [even(own) for own in a]
    a = [list(own) for own in zip(*[less_mean(row) for row in zip(*a)])]
    b = less_mean(found.b) if found.a is not None else intercepts(problem, a, found.f)
    return [Vector.of(own) for own in a], Vector.of(b), tuple(found.objectives), found.f


def features(problem: Any) -> Optional[low_rank.Rows]:
    """Return the columns of Z, K = ZZᵀ; None where there are many."""
    if problem.points is not None:
        X = low_rank.centred(problem.points) if problem.intercept else problem.points
        Z: Optional[low_rank.Rows] = low_rank.turned(X)
    else:
        Z = low_rank.factored(problem.K, WIDTH) if min(problem.K.diagonal()) >= 0 else None
    return Z if Z is not None and len(Z[0]) <= WIDTH else None


def intercepts(problem: Any, a: Columns, f: Columns) -> list[float]:
    """Return the intercepts with which the multipliers give the values f, in the mean over the points."""
    if not problem.intercept:
        return [0.0] * len(a)
    h = [problem.K @ Vector.of(own) for own in a]
    return less_mean([math.fsum([v - w for v, w in zip(*rows)]) / len(rows[0]) for rows in zip(f, h)])


def less_mean(row: Any) -> list[float]:
    """Return the numbers less their mean."""
    mean = math.fsum(row) / len(row)
    return [v - mean for v in row]


def even(own: list[float]) -> list[float]:
    """Return the numbers with the largest changed so that they sum to zero."""
    k = max(range(len(own)), key=lambda i: abs(own[i]))
    return [v - math.fsum(own) if i == k else v for i, v in enumerate(own)]
