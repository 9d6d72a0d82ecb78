"""How many digits of the outputs of Gaussian nodes follow from their equations, by the least eigenvalue of the system.

    (G + D) c = y,   the numbers held Ĝ near G,   r = y − (Ĝ + D) c:    ‖c − c*‖ ≤ (‖r‖ + ‖Ĝ − G‖‖c‖)/λ_min(G + D)

Cholesky's method in rounded numbers ends for Ĝ + D − s only where no eigenvalue is smaller than s by more than its
roundoff (Rump 2006): λ_min ≥ s − 2(m + 2) u tr(Ĝ + D), u the unit of roundoff.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refclass.errors import NoAnswer
from refclass.linear.clearing import product, root
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational

STEPS = 3  # of inverse iteration for the least eigenvalue
SHARE = 2  # the bound that is tried is so many times smaller than the estimate


def error(F: Field, system: Matrix, width: int, outputs: Sequence[Sequence[Number]], Y: Matrix) -> Fraction:
    """Return a bound on ‖c − c*‖/‖c‖, the largest over the outputs; 1 where no eigenvalue is known to be positive.

    Shapes    system: m × m, Ĝ + D in numbers of the field; outputs: K × m; Y: m × K
    Units     width: the number of columns of the points
    Cost      m³/3 multiplications in the field, and Km² of integers
    """
    unit, m = rational(F.eps), len(system)
    # Proof: an entry is exp(−t), t rounded by less than (p + 3)u of itself, and t exp(−t) < 1.
    rounded = (m * (width + 4) + rational(system.diagonal().largest())) * unit
    least = _least(F, system) - rounded
    if least <= 0:
        return Fraction(1)
    left = product(system, list(zip(*outputs))) - Y
    worst = Fraction(0)
    for c, r in zip(outputs, left.T):
        length = _length([rational(v) for v in c])
        if length:
            worst = max(worst, (_length(r) + rounded * length) / (least * length))
    return min(worst, Fraction(1))


def _length(v: Sequence[Fraction]) -> Fraction:
    return root(sum((x * x for x in v), Fraction(0)))


def _least(F: Field, system: Matrix) -> Fraction:
    """Return a lower bound on the least eigenvalue, 0 or less where there is no positive one."""
    try:
        known = cholesky.factor(F, system)
        v = Vector.of([F.kind(1 if i % 2 else -1) for i in range(len(system))])
        for _ in range(STEPS):
            w = known.solve(v)
            s = v.largest() / w.largest() / SHARE
            v = w / w.largest()
        shifted = [Vector.of([e - s if i == j else e for j, e in enumerate(row)]) for i, row in enumerate(system)]
        cholesky.factor(F, Matrix.of(shifted))
    except NoAnswer:
        return Fraction(0)
    return rational(s) - 2 * (len(system) + 2) * rational(F.eps) * rational(sum(system.diagonal()))
