"""Presolve: each reduction applies, and is undone to a point that satisfies the conditions of the given programme."""

from __future__ import annotations

from fractions import Fraction

import pytest

from refclass.estimators.solve_qp import programme
from refclass.optimise.programme import solver
from refclass.optimise.programme.certificate import contradicts
from refclass.optimise.programme.presolve import Contradiction, presolve


def reduced(*given):
    """Return the sizes of the reduced programme, and the certificate of the restored optimum."""
    p = programme(*given)
    inner = presolve(p).programme
    return (inner.n, inner.m), solver.exact(p).certificate


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ((None, [1, 0], [[1, 0], [0, 1], [0, 0]], [1, 2, -1], [None, 2, 1]), (1, 0)),
        ((None, [1, 2], [[1, 2], [-2, -4]], [3, -8], [4, -6]), (1, 0)),
        (([[1, 1], [1, 2]], [0, 0], [[1, 0]], [2], [2]), (1, 0)),
        ((None, [1, 2, 0], [[1, 2, 1], [1, 0, 0], [0, 1, 0]], [5, 0, 0], [None, 9, 9]), (2, 0)),
        ((None, [-1, -2], [[1, 3], [1, 0], [0, 1]], [None, 0, 0], [0, None, None]), (0, 0)),
    ],
    ids=["bounds and an empty row", "parallel rows", "a fixed variable", "a free singleton", "a forcing row"],
)
def test_each_reduction_leaves_the_optimum(given, size):
    """The reduced programme has the size on paper, and the restored point and multipliers have a gap of zero."""
    found, certificate = reduced(*given)
    assert found == size
    assert certificate.gap == 0
    assert certificate.worst_violation == 0


@pytest.mark.parametrize(
    ("A", "low", "high"),
    [
        ([[1, 0], [2, 0]], [3, None], [None, 4]),
        ([[1, 2], [2, 4]], [3, None], [None, 4]),
        ([[1, 1], [1, 0], [0, 1]], [3, None, None], [None, 1, 1]),
        ([[0, 0]], [1], [2]),
        ([[1, 1], [1, 0], [0, 1]], [3, 1, 1], [3, 1, 1]),
    ],
    ids=["bounds", "parallel rows", "a row beyond its greatest value", "an empty row", "a row of fixed variables"],
)
def test_each_contradiction_is_proven_for_the_given_rows(A, low, high):
    """What presolve finds contradictory comes with multipliers of the given rows that prove it."""
    p = programme(None, [1, 1], A, low, high)
    with pytest.raises(Contradiction) as caught:
        presolve(p)
    assert contradicts(p, caught.value.y) is None


def test_multipliers_go_to_the_row_that_holds():
    """Of two parallel rows, and of two bounds, the tighter one has the multiplier."""
    p = programme([[2]], [-10], [[1], [2]], None, [4, 6])
    found = solver.exact(p)
    assert found.x == [Fraction(3)]
    assert found.y == [0, 2]
