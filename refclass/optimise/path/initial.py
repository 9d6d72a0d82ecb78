"""Where the path of a machine begins: its multipliers for every λ above the first break point  [ERR-ESL-04].

As λ grows the function becomes the constant that the majority votes for. Every point of the smaller class then has
α = 1, and Σ αᵢyᵢ = 0 leaves the larger class the same sum; among all such multipliers the optimum makes the norm of β
least:

    minimise ½ ‖Σ αᵢyᵢh(xᵢ)‖²   subject to   Σ αᵢ = n_minority over the majority, 0 ≤ αᵢ ≤ 1  (≤ w for w equal points)

This is solved as a path of its own: the sum falls from n_majority, where every αᵢ is 1, to n_minority.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.linear import combination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.limits import ROUNDOFF_UNITS, most_steps
from refclass.optimise.path.elbow_system import PIVOT_UNITS
from refclass.optimise.path.equal_points import Gathered
from refclass.optimise.path.progress import Progress
from refclass.optimise.path.residuals import LEFT, Data
from refclass.optimise.path.segment import Segment
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.certificate import Problem


def multipliers(K: Any, y: Sequence[Number], upper: Optional[Sequence[Number]] = None) -> list[Number]:
    """Return the multipliers from 0 to their upper bounds, 1 or as given, that are optimal for every λ large enough.

    In doubles they are optimal up to roundoff: where it has hidden that path's end, decomposition continues from there.

    Shapes    K: anything with row(i) and diagonal(); y: n labels ±1
    Exact     yes
    Cost      about a segment for each majority point, n multiplications in each for each point at the elbow
    """
    one = y[0] / y[0]
    alpha = [one] * len(y) if upper is None else list(upper)
    surplus = sum([a * t for a, t in zip(alpha, y)])
    if not surplus:
        return alpha
    major = one if surplus > 0 else -one
    many, few = [i for i, t in enumerate(y) if t == major], [i for i, t in enumerate(y) if t != major]
    Q, most, less = Gathered(K, many), [alpha[i] for i in many], [alpha[i] for i in few]
    push, total = combination.total(less, [Q.gather(K.row(i)) for i in few]), sum(less)
    found = _by_path(Q, push, most, total, major)
    if found is None or type(one) is float:
        found = _optimum(Q, push, most, total, found)
    for i, a in zip(many, found):
        alpha[i] = a
    return alpha


def _by_path(
    Q: Any, push: Sequence[Number], most: Sequence[Number], total: Number, label: Number
) -> Optional[list[Number]]:
    """Return the majority's multipliers at the end of their path; None where roundoff has hidden it."""
    n, zero = len(push), label - label
    image = combination.total(most, list(map(Q.row, range(n))))
    segment = Segment(Data.of(Q.row, [label] * n, [zero] * n, label, Q.diagonal(), most))
    segment.begin(most, [label * q for q in push], sum(most) - total, [label * p for p in image], zero)
    try:
        _follow(segment, max(map(abs, image)))
    except NotConverged:
        if type(zero) is not float:
            raise
        return None
    return segment.alpha


def _optimum(
    Q: Any, push: Sequence[float], most: Sequence[float], total: float, found: Optional[list[float]]
) -> list[float]:
    """Return those multipliers where they are the optimum but for roundoff, else the optimum."""
    n, zero, one = len(push), float(0), float(1)
    ones = Matrix.of([Vector.of([one] * n)])
    problem = Problem(Q, Vector.of([-v for v in push]), (zero,) * n, tuple(most), ones, Vector.of([total]))
    if found is not None:
        minus_gradient = [-v for v in quadratic.gradient(problem, Vector.of(found))]
        rise, fall = box.rising(found, problem.upper), box.falling(found, problem.lower)
        if box.violation(minus_gradient, rise, fall, True) <= ROUNDOFF_UNITS * roundoff(float) * 2 * total * max(
            Q.diagonal()
        ):
            return found
    return list(decomposition.ended(problem, start=found).x)


def _follow(segment: Segment, scale: Number) -> None:
    """Let the sum of the multipliers fall by as much as the segment's parameter says."""
    label, progress = segment.data.dsum, Progress(len(segment.data.y), segment.data.eps)
    for _ in range(most_steps(len(segment.data.y))):
        left = segment.parameter
        if segment.held:
            fall, rates = segment.next_event()
            if fall is None or fall >= left - PIVOT_UNITS * segment.data.eps * left:
                segment.advance(left, rates)
                segment.clip_held()
                return
            segment.advance(fall, rates)
        else:
            elbow = min(label * e for e, s in zip(segment.residual, segment.side) if s == LEFT)
            segment.shift(label * elbow)
            segment.near(scale)
        if progress.stalled(changed=segment.update_sets(scale), fell=segment.parameter < left):
            break
    raise NotConverged("path", need="the multipliers of the majority for large λ", got="roundoff")
