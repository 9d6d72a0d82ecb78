"""The multinomial loss, and the coordinates of its Newton steps: features, or a kernel's coefficients."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import mul
from typing import Any, NamedTuple, Optional

from refclass.linear.polar import Products
from refclass.margins.penalised.class_preconditioner import Classes, Intercepts, solved
from refclass.optimise.multiclass.newton_equations import Columns, Coupled, Points, inner, moved

INNER = 400  # most iterations of conjugate gradients for a step
CHEAP = 50  # iterations before the equations are preconditioned, if n/6 are fewer


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

    solved = True
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


class Step(NamedTuple):
    """A Newton step: of the multipliers, of the functions without and with their intercepts, and of the intercepts."""

    a: Columns
    h: Columns
    f: Columns
    b: list[float]


class Kernel:
    """The functions Σ a_ik K(xᵢ, ·) + b_k: an iterate with its truncated Newton step.

    solved      whether conjugate gradients brought the residual of the last step's equations down to what was asked for
    factored    whether they are preconditioned with factors of the classes
    """

    solved = True
    done = 1e-16  # as in `Features`; truncated steps do not reach the gradient's last digits

    def __init__(self, loss: Loss, K: Any, lam: float, classes: int, intercept: bool) -> None:
        self.loss, self.lam, self.intercept = loss, lam, intercept
        self.product = Products([tuple(row) for row in K])
        n = len(loss.labels)
        # Method: n/6 products with K cost as much as a Cholesky factor; where they do not solve a step, factors do.
        self.factored, self.cheap = False, max(CHEAP, n // 6)
        self.a = [[0.0] * n for _ in range(classes)]
        self.h = [[0.0] * n for _ in range(classes)]
        self.b = [0.0] * classes
        self.f = self.h

    def value(self, t: float = 0.0) -> float:
        """Return the objective at the iterate, moved t times the step."""
        a, h, f = self.a, self.h, self.f
        if t:
            a, h, f = moved(a, t, self.step.a), moved(h, t, self.step.h), moved(f, t, self.step.f)
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
        rb = [-float(sum(own)) * self.intercept for own in g]
        d = [[w * q * (1 - q) for w, q in zip(self.loss.weights, p)] for p in self.p]
        if not self.factored:
            found = solved(self, Intercepts(d, self.lam), ra, rb, closeness, self.cheap)
            self.factored = not found[-1]
        if self.factored:
            found = solved(self, Classes(self.product.rows, d, self.lam, self.intercept), ra, rb, closeness, INNER)
        da, dh, db, decrement, self.solved = found
        self.step = Step(da, dh, [[v + b for v in own] for own, b in zip(dh, db)], db)
        return float(decrement)

    def move(self, t: float) -> None:
        """Go t times the step."""
        self.a, self.b = moved(self.a, t, self.step.a), [v + t * w for v, w in zip(self.b, self.step.b)]
        self.h = [self.product(own) for own in self.a]
        self.f = [[v + b for v in own] for own, b in zip(self.h, self.b)]

    def found(self, objectives: list[float]) -> Found:
        """Return what was found."""
        return Found(self.f, self.a, self.b, objectives)
