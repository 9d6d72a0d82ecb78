"""How many digits of the outputs of Gaussian nodes follow from their equations, by the least eigenvalue of the system.

    (G + D) c = y,   the numbers held Ĝ near G,   r = y − (Ĝ + D) c:    ‖c − c*‖ ≤ (‖r‖ + ‖Ĝ − G‖‖c‖)/λ_min(G + D)

Cholesky's method in rounded numbers ends for Ĝ + D − s only where no eigenvalue is smaller than s by more than its
roundoff (Rump 2006): λ_min ≥ s − 2(m + 2) u tr(Ĝ + D), u the unit of roundoff.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

from refclass.errors import NoAnswer
from refclass.linear.clearing import product, root
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational

STEPS = 3  # of inverse iteration for the least eigenvalue
SHARES = (2, 2**10, 2**20)  # the bounds that are tried are so many times smaller than the estimate


def error(F: Field, system: Matrix, width: int, outputs: Sequence[Sequence[Number]], Y: Matrix) -> Fraction:
    """Return a bound on ‖c − c*‖/‖c‖, the largest over the outputs; 1 where no eigenvalue is known to be positive.

    An entry of c counts by the root of its diagonal entry.

    Shapes    system: m × m, Ĝ + D in numbers of the field; outputs: K × m; Y: m × K
    Units     width: the number of columns of the points
    Cost      m³/3 multiplications in the field, and Km² of integers
    """
    unit, m = rational(F.eps), len(system)
    # Method: rows and columns are divided by the roots of the diagonal, so that weights which differ much cost nothing.
    # Proof: an entry is exp(−t), t rounded by less than (p + 3)u of itself, and t exp(−t) < 1; the divisions round it
    # by 4u more, and a diagonal entry by 3u.
    roots = [F.sqrt(v) for v in system.diagonal()]
    scaled = Matrix.of([Vector.of([v / (r * s) for v, s in zip(row, roots)]) for row, r in zip(system, roots)])
    rounded = (m * (width + 8) + 4) * unit
    least = _least(F, scaled) - rounded
    if least <= 0:
        return Fraction(1)
    given = [[rational(v) * rational(r) for v, r in zip(c, roots)] for c in outputs]
    want = Matrix.of([Vector.of([v / rational(r) for v in row]) for row, r in zip(Y, roots)])
    left = product(scaled, list(zip(*given))) - want
    worst = Fraction(0)
    for c, r in zip(given, left.T):
        length = _length(c)
        if length:
            worst = max(worst, (_length(r) + rounded * length) / (least * length))
    return min(worst, Fraction(1))


def _length(v: Sequence[Fraction]) -> Fraction:
    return root(sum((x * x for x in v), Fraction(0)))


def _least(F: Field, system: Matrix) -> Fraction:
    """Return a lower bound on the least eigenvalue, 0 or less where there is no positive one."""
    try:
        known = cholesky.factor(F, system)
    except NoAnswer:
        return Fraction(0)
    v = Vector.of([F.kind((7 * i * i + 3 * i) % 11 - 5) for i in range(len(system))])  # with no symmetry of the points
    for _ in range(STEPS):
        w = known.solve(v)
        s = v.largest() / w.largest()
        v = w / w.largest()
    for share in SHARES:
        t = s / share
        shifted = [Vector.of([e - t if i == j else e for j, e in enumerate(row)]) for i, row in enumerate(system)]
        with suppress(NoAnswer):
            cholesky.factor(F, Matrix.of(shifted))
            return rational(t) - 2 * (len(system) + 2) * rational(F.eps) * rational(sum(system.diagonal()))
    return Fraction(0)
