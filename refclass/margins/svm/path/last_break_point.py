"""Where a path in decimals ends at what these do not tell from λ = 0: in fractions, whether no break point follows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from refclass.errors import NoAnswer
from refclass.kernels.matrices.product import exact_product
from refclass.margins.svm.path import constant
from refclass.margins.svm.path.model import Model
from refclass.margins.svm.path.numbers import DIGITS
from refclass.number.field import rational
from refclass.optimise.path.residuals import ELBOW, LEFT, RIGHT, violation

HALF = Fraction(1, 10 ** (DIGITS // 2))  # of one λ, below which the next is looked at as roundoff of λ = 0


def decided(model: Model) -> Model:
    """Return a path with `Path.least` zero where no break point follows the last, which is above it.

    Break points at roundoff of λ = 0 are none where what holds above the first of them holds at zero, too.
    """
    found = model.path
    if not found.states:
        known = (found.problem.K, found.start) if found.least else None
        return constant.model(model.K, model.y, model.held, known) or model
    pairs = enumerate(zip(found.states, found.states[1:]), 1)
    low = next((k for k, (s, t) in pairs if rational(t.lam) < HALF * rational(s.lam)), None)
    if low is not None:
        at = found.states[low]
        shorter = replace(model, path=replace(found, states=found.states[:low], end=(at.alpha, at.alpha0)))
        if _holds_at_zero(shorter):
            return replace(shorter, path=replace(shorter.path, least=found.least - found.least))
    if not (0 < found.least < found.states[-1].lam and _holds_at_zero(model)):
        return model
    return replace(model, path=replace(found, least=found.least - found.least))


def _holds_at_zero(model: Model) -> bool:
    """Return whether the sets below the last break point satisfy every condition at λ = 0, too.

    Proof: α and α₀ are linear in λ, and so are the conditions: what holds at both ends of a segment holds between.
    """
    found, held, y = model.path, model.held, list(map(rational, model.y))
    sides = found.states[-1].below
    elbow = [i for i, s in enumerate(sides) if s == ELBOW]
    basis = constant.independent(found.problem.K, elbow)
    if not basis:
        return False
    signed = [t * {LEFT: 1, RIGHT: 0}.get(s, rational(a)) for a, s, t in zip(found.end[0], sides, y)]
    try:
        exact = constant.corrected(held, signed, elbow, basis)
    except NoAnswer:
        return False
    values = exact_product(held, exact)
    residual = [values[basis[0]] - v for v in values]
    return all(0 <= exact[i] * y[i] <= 1 for i in elbow) and violation(sides, y, residual) <= 0
