"""Rules that look at the first L of several axes where eigenvalues L and L + 1 are equal: one choice of many.

The plane of the axes is what is right. What else is reported has to follow from the axes that are reported beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Callable, Optional

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.oracle.leaves import finite, leaves, shape

FREE = "equal eigenvalues: which of the axes the rule looks at is open, and no right ones are reported"
DECIDED = ("coef", "intercept")  # attributes of the rule
AXES = ("scalings", "eigenvalues")


def cut(problem: Any, blocks: Callable[[], list[list[int]]]) -> bool:
    """Return whether a linear discriminant looks at some of the axes of a block of equal eigenvalues only."""
    count = problem.parameters.get("n_components")
    if problem.method != "lda" or count is None:
        return False
    return any(count in block and count - 1 in block for block in blocks())


def along(reference: Any, fitted: Mapping[str, Any]) -> Optional[Any]:
    """Return the reference with the axes that are reported; None where there are none of its shape."""
    (vectors, _) = reference.read(lambda known: known.scalings_)
    rows = fitted.get("scalings")
    if not isinstance(rows, list) or shape(rows) != shape(vectors) or not all(map(finite, leaves(rows))):
        return None

    def make(name: str) -> Any:
        known = reference.over(name)
        return known.along(Matrix.of([Vector.of(map(known.field().lift, row)) for row in rows]))

    return replace(reference, make=make, _made={})
