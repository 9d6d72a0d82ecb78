"""Pivots of one and two rows for symmetric elimination (Bunch and Parlett 1971)."""

from __future__ import annotations

from typing import Any

from refclass.number.field import Number

Block = tuple[Any, ...]  # (d) is the 1 × 1 block d; (a, b, c) is the 2 × 2 block a b / b c, and ac < b²


def pivot(rest: list[list[Number]]) -> tuple[int, ...]:
    """Return the place of the 1 × 1 pivot, or the two places, descending, of the 2 × 2 pivot."""
    # Method: Bunch and Parlett's: 16/25 is the number nearest to (1 + √17)/8 that needs no root.
    diagonal = [abs(row[-1]) for row in rest]
    r = diagonal.index(max(diagonal))
    sizes = [max(map(abs, row[:-1])) for row in rest[1:]]
    if not sizes or 25 * diagonal[r] >= 16 * max(sizes):
        return (r,)
    i = 1 + sizes.index(max(sizes))
    return i, list(map(abs, rest[i])).index(sizes[i - 1])


def removed(rest: list[list[Number]], r: int) -> list[Number]:
    """Remove row and column r from the triangle; return its entries, that on the diagonal last."""
    column = rest.pop(r)
    pivot = column.pop()
    for row in rest[r:]:
        column.append(row.pop(r))
    column.append(pivot)
    return column


def eliminate(rest: Any, block: Block, columns: list[list[Number]], multipliers: list[list[Number]]) -> None:
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
        s, t = divided(block, x, y)
        row[:] = [a - s * b - t * c for a, b, c in zip(row, u, v)]
        known += [s, t]


def determinant(a: Number, b: Number, c: Number) -> Number:
    """Return the determinant of a pivot."""
    return a * c - b * b


def divided(block: Block, x: Number, y: Number) -> tuple[Number, Number]:
    """Return the solution of a s + b t = x, b s + c t = y."""
    a, b, c = block
    d = determinant(a, b, c)
    return (c * x - b * y) / d, (a * y - b * x) / d


def count(blocks: tuple[Block, ...]) -> tuple[int, int, int]:
    """Return how many eigenvalues of the pivots are positive, negative and zero."""
    pairs = sum(len(block) == 3 for block in blocks)
    single = [block[0] for block in blocks if len(block) == 1]
    positive, negative = sum(d > 0 for d in single), sum(d < 0 for d in single)
    return pairs + positive, pairs + negative, len(single) - positive - negative
