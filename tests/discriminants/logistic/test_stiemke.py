"""Stiemke's alternative: weights that balance, or a direction, each its own proof."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.logistic.stiemke import decide
from tests.discriminants.samples import few

rows = st.integers(1, 4).flatmap(
    lambda q: st.lists(st.lists(st.integers(-3, 3), min_size=q, max_size=q), min_size=1, max_size=9)
)


def inner(a, b):
    """Return Σ aᵢbᵢ."""
    return sum(x * y for x, y in zip(a, b))


@few
@given(rows)
def test_one_of_the_two_is_found(A):
    """Weights are positive and balance the rows; a direction opposes no row and is not orthogonal to all."""
    answer = decide(A)
    if answer.weights is not None:
        assert answer.direction is None and min(answer.weights) > 0
        assert all(inner(answer.weights, column) == 0 for column in zip(*A))
    else:
        values = [inner(row, answer.direction) for row in A]
        assert min(values) >= 0 and max(values) > 0


@few
@given(rows)
def test_the_answer_does_not_depend_on_lengths(A):
    """Rows multiplied by positive numbers have the same alternative."""
    longer = [[(3 + 7 * i) * v for v in row] for i, row in enumerate(A)]
    assert (decide(A).weights is None) == (decide(longer).weights is None)


def test_a_degenerate_iteration_ends():
    """Rows that repeat and vanish, where steps of length zero abound, are decided all the same."""
    A = [[1, -1, 0], [-1, 1, 0], [0, 1, -1], [0, -1, 1], [1, 0, -1], [-1, 0, 1]] * 3 + [[0, 0, 0]]
    weights = decide(A).weights
    assert weights is not None and min(weights) > 0
    assert decide([*A, [1, 1, 1]]).direction is not None


def test_an_equality_is_kept():
    """Where some rows balance among themselves, the direction is orthogonal to them."""
    A = [[1, 0], [-1, 0], [0, 1]]
    answer = decide(A)
    assert answer.direction is not None and answer.direction[0] == 0 and answer.direction[1] > 0


def test_the_weights_are_rational():
    """Weights are fractions, so that a sum of zero is a proof."""
    weights = decide([[2], [-3]]).weights
    assert weights is not None and all(type(w) is Fraction for w in weights)
