"""Points that add nothing to either bound of a proof: no multiplier, and no loss, whatever roundoff does.

Where aᵢ = 0 and the residual lies where 0 is a slope of Vᵢ, the loss is 0, what the dual pays is 0, and the
condition of the point holds. Doubles decide that, with a bound on their error; what they cannot decide is computed
exactly. Most points of most machines need no exact value of f.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import hypot, inf, nextafter
from operator import add

from refclass.kernels.matrices.product import linear_points
from refclass.linear import combination
from refclass.linear.common_denominator import Scaled
from refclass.losses.conjugate_pieces import alike, conjugate
from refclass.regress.kernel.machine import Machine

UNIT = Fraction(1, 2**52)  # twice the unit of roundoff
BLOCK = 256  # rows that are read together
LEAST = Fraction(1, 2**1074)  # more than what underflow takes from a product


def active(machine: Machine, a: Scaled, b: Fraction) -> Sequence[int]:
    """Return the points of a machine in fractions that a proof of (a, b) has to compute exactly, in order.

    All of them unless K has rows of doubles, most multipliers are zero, and the sums of doubles are finite.

    Cost      2n multiplications of doubles for each nonzero entry of a
    """
    everything, support = range(len(a)), [i for i, k in enumerate(a.integers) if k]
    if not 0 < 2 * len(support) <= len(a) or linear_points(machine.K) is not None:
        return everything
    if type(machine.K.row(support[0])[0]) is not float:
        return everything
    values, largest = [float(0)] * len(a), float(0)
    for first in range(0, len(support), BLOCK):
        block = support[first : first + BLOCK]
        rows = [machine.K.row(i) for i in block]
        weights = tuple([float(a[i]) for i in block])
        values = list(map(add, values, combination.total(weights, rows)))
        largest = max(largest, *[hypot(*row) for row in rows])  # no entry is larger, up to the roundoff of a norm
    if not all(v - v == 0 for v in (*values, largest)):
        return everything
    # Proof: a sum of m products of doubles, in any order, errs by at most mu/(1 − mu) Σ|aᵢKᵢⱼ| (Higham, Accuracy and
    # Stability of Numerical Algorithms, 3.1), and the weights are rounded once more. UNIT is 2u, and twice a norm is at
    # least the largest entry, however its sum is rounded.
    sizes = Fraction(sum(map(abs, a.integers)), a.denominator)
    error = (len(support) + 2) * (UNIT * sizes * 2 * Fraction(largest) + LEAST)
    found = []
    for own, t, places in alike(machine.pieces, Scaled.of(machine.y)):
        known = conjugate(own, Fraction(0))
        low = -inf if known.right is None else _inside(t - b - known.right + error, inf)
        high = inf if known.left is None else _inside(t - b - known.left - error, -inf)
        found += [i for i in places if a.integers[i] or not low <= values[i] <= high]
    return sorted(found)


def _inside(bound: Fraction, side: float) -> float:
    """Return a double on that side of a bound, or on it."""
    try:
        near = float(bound)
    except OverflowError:
        return side
    return near if near == bound else nextafter(near, side)
