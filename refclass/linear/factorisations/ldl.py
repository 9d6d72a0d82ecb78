"""The factor Pᵀ A P = L D Lᵀ of any symmetric matrix, with the pivots of Bunch and Parlett (1971), and the inertia.

D is made of 1 × 1 and 2 × 2 blocks, and no root is taken. By Sylvester's law of inertia A has as many positive,
negative and zero eigenvalues as D, and a negative or zero eigenvalue is proven by a vector. On fractions all of this is
exact; for rounded numbers the pivoting bounds the growth of the entries, and `inertia` takes a field for its tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import isfinite, prod
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import residual
from refclass.linear.factorisations import triangular
from refclass.linear.matrix import Matrix, Side
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.number.tolerance import negligible

Block = tuple[Any, ...]  # (d) is the 1 × 1 block d; (a, b, c) is the 2 × 2 block a b / b c, and ac < b²


@dataclass(frozen=True)
class Factor:
    """Pᵀ A P = L D Lᵀ: row and column i of PᵀAP are row and column order[i] of A.

    lower     L, unit lower triangular
    blocks    the diagonal blocks of D: (d) or, symmetric and indefinite, (a, b, c)
    order     the order of the rows and columns
    """

    lower: Matrix
    blocks: tuple[Block, ...]
    order: tuple[int, ...]

    @property
    def diagonal(self) -> Matrix:
        """D as a matrix."""
        n, zero = len(self.order), self.lower.kind(0)
        rows = [[zero] * n for _ in range(n)]
        for k, block in self._placed():
            rows[k][k] = block[0]
            if len(block) == 3:
                rows[k][k + 1] = rows[k + 1][k] = block[1]
                rows[k + 1][k + 1] = block[2]
        return Matrix(rows)

    @property
    def determinant(self) -> Number:
        """The determinant of A."""
        values = [block[0] if len(block) == 1 else block[0] * block[2] - block[1] * block[1] for block in self.blocks]
        return prod(values, start=self.lower.kind(1))

    @property
    def inertia(self) -> tuple[int, int, int]:
        """How many eigenvalues of A are positive, negative and zero, the pivots taken as they are.

        Of a matrix of rounded numbers a pivot is rarely zero: see the function `inertia`.
        """
        return _count(self.blocks)

    @property
    def negative_direction(self) -> Optional[Vector]:
        """A vector v with vᵀAv < 0; None if A is positive semidefinite."""
        # Proof: vᵀAv = wᵀDw for w = LᵀPᵀv. A block (d) gives d at a unit vector; in a block (a, b, c) the pivoting has
        # |a|, |c| < |b|, so that (1, ∓1) gives a + c − 2|b| < 0.
        values = [block[0] if len(block) == 1 else block[0] + block[2] - 2 * abs(block[1]) for block in self.blocks]
        least = min(values)
        if not least < 0:
            return None
        k, block = list(self._placed())[values.index(least)]
        w = list(Vector.unit(len(self.order), k, self.lower.kind))
        if len(block) == 3:
            w[k + 1] = self.lower.kind(-1 if block[1] > 0 else 1)
        return self._back(Vector.of(w))

    @property
    def null_space(self) -> tuple[Vector, ...]:
        """A basis of {v : A v = 0}: one vector for each pivot that is zero."""
        n, kind = len(self.order), self.lower.kind
        return tuple(self._back(Vector.unit(n, k, kind)) for k, block in self._placed() if not any(block))

    def solve(self, b: Side) -> Side:
        """Return the solution of A x = b.

        Shapes    b, x: n, or n × m, solved column by column
        Exact     yes
        Cost      for each column, if all blocks are 1 × 1: n(n − 1) multiplications and as many additions, 3n divisions
        Raises    InvalidInput if the shapes do not fit; NoAnswer with a null vector if a pivot is zero
        """
        n = len(self.order)
        if len(b) != n or b.kind is not self.lower.kind:
            kind = self.lower.kind.__name__
            raise InvalidInput("ldl", need=f"a right side of {n} {kind}", got=f"{len(b)} {b.kind.__name__}")
        null = self.null_space
        if null:
            raise NoAnswer("ldl", need="a matrix that is not singular", got="a pivot that is zero", null_vector=null[0])
        if isinstance(b, Matrix):
            return Matrix.of([self._solution(column) for column in b.T]).T
        return self._solution(b)

    def _solution(self, b: Vector) -> Vector:
        y = list(triangular.solve_lower(self.lower, Vector.of([b[i] for i in self.order])))
        for k, block in self._placed():
            if len(block) == 1:
                y[k] = y[k] / block[0]
            else:
                y[k], y[k + 1] = _divided(block, y[k], y[k + 1])
        return self._back(Vector.of(y))

    def _back(self, w: Vector) -> Vector:
        """Return P L⁻ᵀ w."""
        v = triangular.solve_upper(self.lower.T, w)
        x = [v[0]] * len(v)
        for value, i in zip(v, self.order):
            x[i] = value
        return Vector.of(x)

    def _placed(self) -> list[tuple[int, Block]]:
        """Return the blocks, each with the row where it begins."""
        placed, k = [], 0
        for block in self.blocks:
            placed.append((k, block))
            k += 1 if len(block) == 1 else 2
        return placed


def factor(A: Matrix) -> Factor:
    """Return the factor Pᵀ A P = L D Lᵀ of a symmetric matrix, indefinite and singular ones included.

        A = | E  Cᵀ |     L = | I      0 |     and the same for B − C E⁻¹ Cᵀ, the Schur complement
            | C  B  |         | C E⁻¹  … |

    The block E is the largest diagonal entry if that is at least 16/25 of the largest entry, else the 2 × 2 block of
    the largest entry, which is then indefinite. When nothing but zeros is left, E = 0 and C E⁻¹ is zero.

    Shapes    A: n × n
    Exact     yes
    Cost      if all blocks are 1 × 1: n(n² − 1)/6 multiplications and as many additions, n(n − 1)/2 divisions, besides
              2(n − 1) multiplications to compare
    Raises    InvalidInput, naming the place, unless A is symmetric and, of doubles, all its entries are finite
    Laws      Pᵀ A P = L D Lᵀ; the signs of D are those of the eigenvalues of A

    Example
        >>> F = factor(Matrix([[0.0, 1.0], [1.0, 0.0]]))
        >>> F.blocks, F.inertia, F.negative_direction
        (((0.0, 1.0, 0.0),), (1, 1, 0), Vector(1.0, -1.0))
    """
    n = len(A.symmetric())
    if A.kind is float and not all(map(isfinite, chain.from_iterable(A))):
        i, j = next((i, j) for i, row in enumerate(A) for j, v in enumerate(row) if not isfinite(v))
        raise InvalidInput("ldl", need="entries within the range of doubles", got=A[i][j], row=i, column=j)
    left = list(range(n))
    rest = [list(row[: i + 1]) for i, row in enumerate(A)]  # the lower triangle of what is left of A
    multipliers: list[list[Number]] = [[] for _ in range(n)]
    blocks: list[Block] = []
    order: list[int] = []
    while rest:
        places = _pivot(rest)
        columns = [_removed(rest, r) for r in places]  # the places descend, so that the lower ones keep their number
        first = columns[0].pop(places[1]) if len(places) == 2 else None
        block = (columns[0].pop(),) if first is None else (columns[1].pop(), first, columns[0].pop())
        chosen = [left.pop(r) for r in places][::-1]
        for c, i in enumerate(chosen):
            multipliers[i] += [A.kind(0)] * c
        _eliminate(rest, block, columns[::-1], [multipliers[i] for i in left])
        blocks.append(block)
        order += chosen
    zero, one = A.kind(0), A.kind(1)
    lower = [Vector.of([*multipliers[i], one, *[zero] * (n - k - 1)]) for k, i in enumerate(order)]
    return Factor(Matrix.of(lower), tuple(blocks), tuple(order))


def _pivot(rest: list[list[Number]]) -> tuple[int, ...]:
    """Return the place of the 1 × 1 pivot, or the two places, descending, of the 2 × 2 pivot."""
    # Method: Bunch and Parlett's: 16/25 is the number nearest to (1 + √17)/8 that needs no root.
    diagonal = [abs(row[-1]) for row in rest]
    r = diagonal.index(max(diagonal))
    sizes = [max(map(abs, row[:-1])) for row in rest[1:]]
    if not sizes or 25 * diagonal[r] >= 16 * max(sizes):
        return (r,)
    i = 1 + sizes.index(max(sizes))
    return i, list(map(abs, rest[i])).index(sizes[i - 1])


def _removed(rest: list[list[Number]], r: int) -> list[Number]:
    """Remove row and column r from the triangle; return its entries, that on the diagonal last."""
    column = rest.pop(r)
    pivot = column.pop()
    for row in rest[r:]:
        column.append(row.pop(r))
    column.append(pivot)
    return column


def _eliminate(rest: Any, block: Block, columns: list[list[Number]], multipliers: list[list[Number]]) -> None:
    """Subtract C E⁻¹ Cᵀ from the triangle, and append the rows of C E⁻¹ to the multipliers."""
    if len(block) == 1:
        d, u = block[0], columns[0]
        for row, x, known in zip(rest, u, multipliers):
            t = x / d if d != 0 else x
            row[:] = [a - t * b for a, b in zip(row, u)]
            known.append(t)
        return
    u, v = columns
    for row, x, y, known in zip(rest, u, v, multipliers):
        s, t = _divided(block, x, y)
        row[:] = [a - s * b - t * c for a, b, c in zip(row, u, v)]
        known += [s, t]


def _divided(block: Block, x: Number, y: Number) -> tuple[Number, Number]:
    """Return the solution of a s + b t = x, b s + c t = y, of which b is the largest coefficient."""
    # Method: by ratios to b, as the determinant itself may be beyond the range of doubles.
    a, b, c = block
    e, f = a / b, c / b
    d = (e * f - 1) * b
    return (f * x - y) / d, (e * y - x) / d


def _count(blocks: tuple[Block, ...]) -> tuple[int, int, int]:
    pairs = sum(len(block) == 3 for block in blocks)
    single = [block[0] for block in blocks if len(block) == 1]
    positive, negative = sum(d > 0 for d in single), sum(d < 0 for d in single)
    return pairs + positive, pairs + negative, len(single) - positive - negative


def inertia(F: Field, A: Matrix) -> tuple[int, int, int]:
    """Return how many eigenvalues of a symmetric A are positive, negative, and zero up to roundoff.

    Shapes    A: n × n
    Exact     yes, where F is

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> inertia(BINARY64, Matrix([[1.0, 1.0], [1.0, 1.0]]))
        (1, 0, 1)
    """
    # Proof: no entry of what is left exceeds 25/16 of the next pivot. So from the first pivot on that is negligible
    # beside the largest entry of A, A without what is left, a change by roundoff, has zeros for all the rest.
    n, scale, kept = len(A), A.largest(), []
    for block in factor(A).blocks:
        if negligible(F, max(map(abs, block)), scale, n):
            break
        kept.append(block)
    positive, negative, _ = _count(tuple(kept))
    return positive, negative, n - positive - negative


def certify(A: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios."""
    permuted = A.block(factor.order, factor.order)
    product = factor.lower @ (factor.diagonal @ factor.lower.T)
    return {"Pᵀ A P = L D Lᵀ": residual.equality(product, permuted, len(A))}


def solve(A: Matrix, b: Side) -> Side:
    """Return the solution of A x = b for a symmetric A: `factor(A).solve(b)`."""
    return factor(A).solve(b)
