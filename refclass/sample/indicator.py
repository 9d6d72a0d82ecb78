"""Labels as numbers: the indicator matrix, and codes."""

from __future__ import annotations

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.sample.observations import Sample


def indicator(sample: Sample) -> Matrix:
    """Return the indicator matrix of the classes.

        Y[i][k] = 1 if g(i) = k, else 0

    Shapes    n × K
    Exact     yes
    Laws      the rows sum to one; YᵀY = diag(nₖ) without weights
    """
    units = [Vector.unit(sample.K, k, sample.kind) for k in range(sample.K)]
    return Matrix.of([units[g] for g in sample.labels])


def codes(sample: Sample, values: Vector) -> Vector:
    """Return for each observation the value that stands for its class: (values[g(i)])ᵢ.

    Raises    InvalidInput unless there are K distinct values
    """
    if len(values) != sample.K or len(set(values)) != sample.K:
        need = f"{sample.K} distinct values, one for each class"
        raise InvalidInput("indicator", need=need, got=list(map(str, values)))
    return Vector.of([values[g] for g in sample.labels])


def decode(coded: Vector, values: Vector) -> tuple[int, ...]:
    """Return the class number that each code stands for.  Raises InvalidInput, naming the row, for another number."""
    place = {value: k for k, value in enumerate(values)}
    for i, code in enumerate(coded):
        if code not in place:
            raise InvalidInput("indicator", need=f"a code among {list(map(str, values))}", got=code, row=i)
    return tuple(place[code] for code in coded)
