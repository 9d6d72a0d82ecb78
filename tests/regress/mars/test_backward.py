"""Backward deletion: never worse than the best single deletion, and exact all the way down."""

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.linear.factorisations import orthogonal_columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL as F
from refclass.number.tolerance import near
from refclass.regress.mars import backward
from tests.numbers import STRICT, Strict
from tests.profiles import examples
from tests.regress import reference
from tests.strategies import fractions, integers, matrices

ONES = Vector([Fraction(1)] * 6)


def fit_steps(A, Y, F=F, ones=ONES):
    """Return the states of deleting columns, the independent columns, and what is reported at the start."""
    made, kept = orthogonal_columns.independent(F, ones, A)
    coordinates = [Vector(made.coordinates(y)) for y in Y.T]
    rss = sum(made.square(made.rest(F, y)[0]) for y in Y.T)
    return list(backward.steps(F, made, coordinates, rss)), [A[k] for k in kept]


@given(matrices(4, 6, integers.map(Fraction)), matrices(6, 2))
def test_every_state_has_the_residuals_of_fresh_least_squares(A, Y):
    """The residual sum of squares carried along equals that of least squares anew on the columns that are left."""
    assume(any(A[0]))
    states, kept = fit_steps(A, Y)
    assert [len(s.kept) for s in states] == list(range(len(kept), 0, -1))
    for state in states:
        assert state.rss == reference.rss([kept[k] for k in state.kept], Y)


@given(matrices(4, 6, integers.map(Fraction)), matrices(6, 2))
def test_no_other_single_deletion_is_better(A, Y):
    """Each step goes to the best of all models with one column less, the first column staying  [GAP-9]."""
    assume(any(A[0]))
    states, kept = fit_steps(A, Y)
    for before, after in zip(states, states[1:]):
        others = [[k for k in before.kept if k != gone] for gone in before.kept[1:]]
        least = min(reference.rss([kept[k] for k in left], Y) for left in others)
        assert after.rss == least and after.kept[0] == 0


def test_among_equals_the_last_to_enter_goes_first():
    """Two orthogonal columns that explain as much: the later one is deleted."""
    A = Matrix([[Fraction(v) for v in row] for row in ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1))])
    Y = Matrix([[a + b] for a, b in zip(A[1], A[2])])
    states, _ = fit_steps(A, Y, ones=Vector([Fraction(1)] * 4))
    assert [s.kept for s in states] == [(0, 1, 2), (0, 1), (0,)]


@settings(max_examples=examples(10))
@given(st.lists(fractions, min_size=6, max_size=6))
def test_nearly_dependent_columns_are_deleted_as_in_exact_arithmetic(y):
    """In doubles the iteration keeps the residuals of exact arithmetic up to roundoff times the condition of the
    columns.
    """
    A = Matrix([[1.0] * 6, [float(k) for k in range(6)], [k + 1e-6 * (k % 2) for k in range(6)]])
    Y = Matrix([[float(v)] for v in y])
    states, _ = fit_steps(A, Y, BINARY64, Vector([1.0] * 6))
    exact = [Vector(map(Fraction, row)) for row in A]
    for state in states:
        want = reference.rss([exact[k] for k in state.kept], Matrix([[Fraction(v)] for (v,) in Y]))
        assert near(BINARY64, state.rss, float(want), scale=1 + Y.largest() ** 2, steps=10**6)


def test_no_float_slips_in():
    """Deleting strict columns keeps to strict numbers."""
    A = Matrix([[Strict(k**j) for k in range(6)] for j in range(3)])
    Y = Matrix([[Strict(k % 4)] for k in range(6)])
    assert all(type(s.rss) is Strict for s in fit_steps(A, Y, STRICT, Vector([Strict(1)] * 6))[0])
