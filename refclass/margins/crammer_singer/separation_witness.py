"""The witness that no Crammer–Singer machine without slack exists: a ray of the dual, read and checked."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Optional

from refclass.kernels.matrices.product import exact_product
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer.certificate import Rows
from refclass.margins.crammer_singer.problem import Machine
from refclass.number.field import Number, rational
from refclass.optimise.multiclass.zero_sum_crossover import Reduced


def _matrix(rows: Rows) -> Matrix:
    return Matrix.of([Vector.of(row) for row in rows])


def contradicts(machine: Machine, eta: Sequence[Sequence[Number]]) -> bool:
    """Return whether weights on the constraints show that no w meets them: the hard margin has no answer  [RC-31].

        η_ik ≥ 0,   Σ η_ik = 1,   Σᵢ Σ_k η_ik (w_{yᵢ} − w_k)ᵀxᵢ = 0 for every w

    A w with (w_{yᵢ} − w_k)ᵀxᵢ ≥ 1 wherever η_ik > 0 would make this sum at least 1.  [ISML-27.5-hard]

    Exact     yes
    """
    rows = [list(map(rational, row)) for row in eta]
    if any(v < 0 for row in rows for v in row) or any(row[g] for row, g in zip(rows, machine.labels)):
        return False
    if sum(map(sum, rows)) != 1 or any(any(row) and c is not None for row, c in zip(rows, machine.costs)):
        return False
    d = [[sum(row) if k == g else -v for k, v in enumerate(row)] for row, g in zip(rows, machine.labels)]
    return not any(any(exact_product(machine.K, list(own))) for own in zip(*d))


def ray(machine: Machine, directions: dict[int, Sequence[Number]]) -> Optional[Matrix]:
    """Return the weights that contradict (see `contradicts`) along a direction known only roughly; None if none is.

    directions    for each point that moves, about how its α moves. Only which entries move is taken from it: the
                  direction is computed anew, as an exchange of theirs on which no w depends

    Exact     yes
    """
    exchanges, reference = [], {}
    for i, d in directions.items():
        g = machine.labels[i]
        reference[i] = g
        exchanges += [(i, k) for k, v in enumerate(d) if v and k != g]
    if not exchanges:
        return None
    R = Reduced(machine.K, exchanges, reference)
    for v in fraction_free.null_space(Matrix.of([R.row(k) for k in range(len(R))])):
        eta = _weights(machine, exchanges, v)
        if eta is not None and contradicts(machine, eta):
            return eta
    return None


def _weights(machine: Machine, exchanges: Sequence[tuple[int, int]], v: Vector) -> Optional[Matrix]:
    """Return the exchanges as weights that sum to one; None if their sum is zero."""
    total = v.sum()
    if not total:
        return None
    eta = [[Fraction(0)] * machine.classes for _ in machine.labels]
    for (i, k), w in zip(exchanges, v):
        eta[i][k] = w / total
    return _matrix(eta)
