"""The multinomial machine in doubles: Newton's method on few features, or truncated Newton on the Gram matrix.

    minimise Σ −wᵢ log p_gᵢ(xᵢ) + ½λ Σ_k ‖h_k‖²        f_k = h_k + b_k,  h_k = Σᵢ a_ik K(xᵢ, ·)

Where K = ZZᵀ has few columns (a linear kernel) the functions have few parameters, and the Hessian is factored (Böhning,
1992; `newton_equations`). Otherwise Newton's equations are solved by conjugate gradients in the inner product of the
functions (Nocedal and Wright, algorithm 7.1), a product with K for each iteration: the operator is then λ plus
something compact, and no factor of order nK is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Optional, Union

from refclass.errors import NotConverged
from refclass.linear.factorisations import low_rank
from refclass.linear.vector import Vector
from refclass.margins.penalised.multinomial_coordinates import Features, Kernel, Loss
from refclass.number.field import rational
from refclass.optimise.multiclass.newton_equations import Columns

WIDTH = 40  # columns of Z, up to which the Hessian is factored
STEPS = 300  # most Newton steps, beside those by which separated points come to losses of the size of λ
UNSOLVED = 50  # steps whose equations conjugate gradients leave unsolved, after which what there is is judged
HALVINGS = 50  # a step this often halved is lost in roundoff
GAIN = 1e-4  # share of the decrement by which a step must lower the objective
FULL = 1e-8  # decrement, as part of the objective, from which on full steps are taken
LOOSE, TIGHT = 0.1, 1e-4  # relative residuals of Newton's equations: at the start, and at best


def steps(iterate: Union[Features, Kernel], most: int, unsolved: Optional[int] = None) -> Iterator[float]:
    """Yield the objective at each iterate, the first at f = 0; full steps end it, as long as they halve the decrement.

    unsolved    it also ends after so many steps whose equations were not solved

    Raises    NotConverged after so many steps
    """
    value, last, left = iterate.value(), math.inf, most if unsolved is None else unsolved
    yield value
    closeness = LOOSE
    for _ in range(most):
        decrement = iterate.prepare(closeness)
        left -= not iterate.solved
        if not decrement > 0 or left < 0:
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
    need, got = f"a minimum within {most} steps", f"a decrement of {decrement}"
    raise NotConverged("multinomial", need=need, got=got, primal=value, dual=0.0)  # Premise: no loss is negative.


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


def enough(penalty: Any) -> int:
    """Return the most Newton steps: of separated points each divides the losses by e, down to the size of λ."""
    least = rational(penalty)
    bits = least.denominator.bit_length() - least.numerator.bit_length()
    return STEPS + max(0, 3 * bits // 2)  # Premise: 2 log 2 < 3/2.


def fit(problem: Any, most: Optional[int] = None) -> tuple[list[Vector], Vector, tuple[float, ...]]:
    """Return multipliers and intercepts of each class, which sum to zero, and the objectives of the iterates.

    Shapes    problem: a `multinomial.Problem` in doubles, with the points of a linear kernel where it is one
    Raises    NotConverged after so many steps
    """
    alpha, beta0, objectives, _ = solved(problem, most)
    return alpha, beta0, objectives


def solved(problem: Any, most: Optional[int] = None, width: Optional[int] = None) -> Any:
    """Return what `fit` does, and the values of the functions at the points.

    width    columns of Z up to which the Hessian is factored; None where there are more than so many
    """
    limits = (enough(problem.penalty), UNSOLVED) if most is None else (most, None)
    lam, loss = float(problem.penalty), Loss(problem.labels, problem.weights)
    options = lam, problem.classes, problem.intercept
    Z = features(problem, width or WIDTH)
    if Z is None and width is not None:
        return None
    iterate: Union[Features, Kernel] = Kernel(loss, problem.K, *options) if Z is None else Features(loss, Z, *options)
    found = iterate.found(list(steps(iterate, *limits)))
    slopes = loss.slopes(loss.probabilities(found.f))
    a = [[-v / lam for v in own] for own in slopes] if found.a is None else found.a
    if problem.intercept:
        a = [even(own) for own in a]
    a = [list(own) for own in zip(*[less_mean(row) for row in zip(*a)])]
    b = less_mean(found.b) if found.a is not None else intercepts(problem, a, found.f)
    return [Vector.of(own) for own in a], Vector.of(b), tuple(found.objectives), found.f


def features(problem: Any, width: int = WIDTH) -> Optional[low_rank.Rows]:
    """Return the columns of Z, K = ZZᵀ; None where there are many."""
    if problem.points is not None:
        X = low_rank.centred(problem.points) if problem.intercept else problem.points
        Z: Optional[low_rank.Rows] = low_rank.turned(X)
    else:
        Z = low_rank.factored(problem.K, width) if min(problem.K.diagonal()) >= 0 else None
    return Z if Z is not None and len(Z[0]) <= width else None


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
