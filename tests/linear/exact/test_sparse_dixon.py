"""Exact sparse systems: solutions, rank, consistent dependent rows."""

from __future__ import annotations

import random

from refclass.linear.exact import dixon
from refclass.linear.exact.sparse_dixon import Elimination, solve


def test_sparse_and_dense_lifting_agree():
    """On random integer systems the solutions are those of `dixon`."""
    rng = random.Random(2)
    for n in (1, 3, 8, 15):
        rows = [[rng.randint(-9, 9) * (rng.random() < 0.4 or i == j) for j in range(n)] for i in range(n)]
        for i in range(n):
            rows[i][i] += 40
        b = [rng.randint(-9, 9) for _ in range(n)]
        sparse = [{j: v for j, v in enumerate(row) if v} for row in rows]
        x, d = solve(sparse, Elimination(sparse), b, n)
        want, c = dixon.solve(rows, [b])[0]
        assert [v * c for v in x] == [v * d for v in want]


def test_the_number_of_pivots_is_the_rank():
    """Dependent rows and columns have no pivot; a solution holds in the rows that have one."""
    rows = [{0: 1, 1: 2}, {0: 2, 1: 4}, {2: 5, 1: 1}, {}]
    known = Elimination(rows)
    assert len(known.pivots) == 2
    x, d = solve(rows, known, [3, 6, 7, 0], 3)
    for row, b in zip(rows, [3, 6, 7, 0]):
        assert sum(v * x[j] for j, v in row.items()) == d * b


def test_ranks_decide_which_rows_and_columns_come_first():
    """Of two equal rows the one of lower rank has the pivot; so with columns."""
    assert Elimination([{0: 1}, {0: 1}], row_ranks=[1, 0]).pivots[0].row == 1
    assert Elimination([{0: 1, 1: 1}], ranks=[1, 0]).pivots[0].column == 1
