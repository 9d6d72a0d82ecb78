"""Backward deletion in least squares: one column after another goes, each time the one that is missed least.

With the columns B = Q R, QᵀWQ = D, T = R⁻¹ by rows t_k, and z = D⁻¹QᵀWy,

    β = T z,    (BᵀWB)⁻¹ = T D⁻¹ Tᵀ,    RSS without column k = RSS + β_k²/(t_k D⁻¹t_kᵀ)   summed over the responses
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul

from refclass.linear.factorisations.orthogonal_columns import Columns
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import near


@dataclass(frozen=True)
class State:
    """What is left of a model.

    kept    the numbers of the columns, ascending
    rows    for each of them its t_k
    rss     the residual sum of squares of least squares on them, over all responses
    """

    kept: tuple[int, ...]
    rows: tuple[Vector, ...]
    rss: Number

    def without(self, place: int, inverse: Vector, rise: Number) -> State:
        """Return the state after the column at that place has gone.

        T′ = T − T D⁻¹t_kᵀ t_k/(t_k D⁻¹t_kᵀ)
        """
        # Proof: the inverse of the Gram matrix without row and column k is G⁻¹ − g_k g_kᵀ/g_kk of the full inverse
        # G⁻¹ = T D⁻¹Tᵀ, and T′D⁻¹T′ᵀ is that; likewise T′z = β − g_k β_k/g_kk. The rows of T′ are those of T projected,
        # in the metric D⁻¹, across t_k: nothing is subtracted that is not orthogonal to what remains.
        gone = self.rows[place]
        pulled = gone.times(inverse)
        square = dot(gone, pulled)
        rows = []
        for k, row in enumerate(self.rows):
            if k != place:
                c = dot(row, pulled) / square
                rows.append(Vector.of([a - c * b for a, b in zip(row, gone)]))
        kept = self.kept[:place] + self.kept[place + 1 :]
        return State(kept, tuple(rows), self.rss + rise)


def rises(state: State, inverse: Vector, coordinates: Sequence[Vector]) -> list[Number]:
    """Return for each column that is left by how much RSS rises without it.

    Given    D⁻¹; for each response its z
    """
    result = []
    for row in state.rows:
        square = dot(row, tuple(map(mul, row, inverse)))
        result.append(sum(dot(row, z) ** 2 for z in coordinates) / square)
    return result


def steps(F: Field, model: Columns, coordinates: Sequence[Vector], rss: Number) -> Iterator[State]:
    """Return the iteration from all columns down to the first, which stays.

    Given     for each response its coordinates z on the orthogonalised columns; the residual sum of squares of all
    Yields    State: each step takes the column whose loss raises RSS least, the last entered among equals
    Exact     yes
    Cost      for M columns and q responses (13/6 + q/2)M³ multiplications
    """
    inverse = Vector.of([1 / d for d in model.squares])
    rows = tuple(map(Vector.of, model.unwound()))
    state = State(tuple(range(len(model))), rows, rss)
    yield state
    while len(state.kept) > 1:
        costs = rises(state, inverse, coordinates)[1:]
        least = min(costs)
        n = len(model.weights)
        equal = [k for k, c in enumerate(costs) if c == least or near(F, c, least, scale=least + state.rss, steps=n)]
        state = state.without(equal[-1] + 1, inverse, costs[equal[-1]])
        yield state
