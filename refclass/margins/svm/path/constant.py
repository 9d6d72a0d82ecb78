"""Paths without break points: where some multipliers have Σ αⱼyⱼh(xⱼ) = 0, every machine is constant.

The start of such a path moves among multipliers that are all optimal, and equations of its elbow follow from one
another's at every event. Doubles come near to some of its multipliers; those that are exactly right are near, too, as
Σ αⱼyⱼK(x, xⱼ) = 0 is as many equations as points are in general position, fewer than multipliers between their bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED
from refclass.errors import NoAnswer, NotConverged, Refusal
from refclass.kernels.matrices.product import exact_product, squared_norm
from refclass.linear.common_denominator import Scaled
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.path.model import Model, certify
from refclass.margins.svm.path.numbers import lifted_problem
from refclass.number.binary64 import BINARY64
from refclass.number.field import Number, rational
from refclass.number.rational import RATIONAL
from refclass.optimise.path import degenerate
from refclass.optimise.path.path_state import floor
from refclass.optimise.path.segments import PathFollowing
from refclass.optimise.path.solution import Path

DECADE = 10  # from one λ to the next that is tried: a digit of the objective


def start(held: Any, y: Vector) -> Optional[tuple[Any, Vector]]:
    """Return the Gram matrix in doubles and the multipliers above the first break point; None where they find one."""
    try:
        doubles = lifted_problem(held, y, BINARY64)
        following = PathFollowing(doubles.K, doubles.y)
    except (Refusal, ArithmeticError):
        return None
    return (doubles.K, following.start) if following.lam is None else None


def model(K: Any, y: Vector, held: Any, known: Optional[tuple[Any, Sequence[Number]]]) -> Optional[Model]:
    """Return the path where it is proven to have no break point, in fractions; else None.

    K, y, held    as for `fit.fit`
    known         a Gram matrix in doubles, about any point, and multipliers in doubles that leave Σ αⱼyⱼh(xⱼ) = 0 but
                  for roundoff; None for none

    Proof: with balanced multipliers in [0, 1] whose function is zero, f = 0 and an intercept of ±1 satisfy every
    condition for every λ; where classes are of equal size, an intercept from −1 to 1.
    """
    if known is None:
        return None
    doubles, alpha = known
    inside = [i for i, a in enumerate(alpha) if 0 < a < 1]
    signed = [rational(a) * rational(t) for a, t in zip(alpha, y)]
    try:
        exact = _corrected(held, signed, inside, _independent(doubles, inside)) if inside else signed
    except NoAnswer:
        return None
    found = [v * rational(t) for v, t in zip(exact, y)]
    if sum(exact) or not all(0 <= a <= 1 for a in found) or squared_norm(held, Scaled.of(exact)):
        return None
    problem, zero, right = lifted_problem(held, y, RATIONAL), Fraction(0), Vector.of(found)
    head = (rational(y[inside[0]]), zero) if inside else None
    return Model(K, y, Path(problem, (), right, head, (right, zero), zero), held)


def nearly(found: Model) -> Model:
    """Return a path in doubles that has no break point but below roundoff, down to a λ whose machine is proven.

    With multipliers that do not change, what the objective is above the optimum grows no faster than 1/λ as λ falls.

    Raises    NotConverged where no machine above the roundoff of λ has the digits asked for
    """
    lam = floor(found.path.problem)
    for _ in range(ASKED + 1):
        digits = certify(found, lam).digits
        if digits is not None and digits >= ASKED:
            return replace(found, path=replace(found.path, least=lam))
        lam = lam * DECADE
    start = found.path.start
    raise NotConverged("path", need="machines of nine digits", got="fewer", lam=lam, alpha=start, alpha0=lam - lam)


def _independent(K: Any, inside: Sequence[int]) -> list[int]:
    """Return points whose equations, up to roundoff, those of the others follow from."""
    C = Matrix.of([Vector.of([row[j] for j in inside]) for row in map(K.row, inside)])
    return [inside[k] for k in degenerate.independent(C, range(len(inside)))]


def _corrected(held: Any, signed: Sequence[Fraction], inside: Sequence[int], basis: Sequence[int]) -> list[Fraction]:
    """Return the nearest signed multipliers that are balanced, with values of f that agree at some points.

    Raises    NoAnswer where the equations depend on one another
    """
    image, (first, *others) = exact_product(held, signed), basis
    rows = {i: [rational(held.row(i)[j]) for j in inside] for i in basis}
    A = Matrix([[Fraction(1)] * len(inside), *([v - w for v, w in zip(rows[i], rows[first])] for i in others)])
    missing = Vector([-sum(signed), *(image[first] - image[i] for i in others)])
    change = A.T @ fraction_free.solve(A @ A.T, missing)
    changed = dict(zip(inside, change))
    return [v + changed.get(i, 0) for i, v in enumerate(signed)]
