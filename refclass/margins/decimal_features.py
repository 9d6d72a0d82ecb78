"""The Gram matrix of a machine of several classes in decimals: the digits that it needs, and its factor of low rank."""

from __future__ import annotations

from typing import Any, Callable, Optional

from refclass.kernels.matrices.product import linear_points
from refclass.linear.factorisations import low_rank
from refclass.number.decimals import decimal
from refclass.number.field import Field, rational

WIDEST = 10_000  # bits between the numbers of K's diagonal, up to which: fourth powers of doubles have no more


def field_for(K: Any, digits: int) -> Optional[Field]:
    """Return decimals of so many digits, and as many more as the diagonal of K has powers of ten; None for too many."""
    sizes = [rational(v) for v in K.diagonal() if v]
    spread = int(max(sizes) / min(sizes)).bit_length() if sizes else 0
    return decimal(digits + spread * 3 // 10) if spread <= WIDEST else None


def features(K: Any, F: Field, rest: int, work: Callable[[int], int], limit: int) -> Any:
    """Return Z with K = ZZᵀ to the decimals' digits; None where a step with so many columns would take too long.

    rest     digits that K may miss of those
    work     the multiplications for a step with so many columns
    limit    the most of them
    """
    points = linear_points(K)
    most = next(q for q in range(limit) if work(q + 1) > limit)
    if points is not None:
        return None if len(points[0]) > most else [tuple(z) for z in points]
    return low_rank.factored(K, most, F.kind(10) ** rest, F)
