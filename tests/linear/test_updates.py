"""A = L D Lᵀ without roots, updated."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import fraction_free, ldl, updates
from refclass.linear.matrix import Matrix
from tests.linear.matrices import (
    EXACT,
    FIELDS,
    SIZES,
    any_square,
    any_symmetric,
    definite,
    drawn,
    integers,
    lifted,
    vector,
    without,
)
from tests.numbers import COUNTED, counting

A = integers([4, 2, 6], [2, 10, 0], [6, 0, 26])


def factored(A):
    """Return the factor, or None where a leading minor is zero."""
    try:
        return updates.factor(A)
    except NoAnswer:
        return None


def test_the_factor_agrees_with_paper():
    """The pivots are the squares 4, 9, 16 of Cholesky's diagonal, the rows of L divided by it."""
    f = updates.factor(A)
    assert f.pivots == (4, 9, 16)
    assert f.lower == integers([1, 0, 0], [Fraction(1, 2), 1, 0], [Fraction(3, 2), Fraction(-1, 3), 1])


@given(any_symmetric)
def test_it_exists_where_no_leading_minor_is_zero(B):
    """The factor exists exactly if every leading minor is other than zero; the witness is a null vector of one."""
    minors = [fraction_free.determinant(B.block(range(k), range(k))) for k in range(1, len(B) + 1)]
    f = factored(B)
    assert (f is None) == (0 in minors)
    if f is None:
        with pytest.raises(NoAnswer, match="updates: need a pivot other than zero; got 0") as refusal:
            updates.factor(B)
        v = refusal.value.witness["null_vector"]
        assert any(v) and not any(B.block(range(len(v)), range(len(v))) @ v)
    else:
        assert f.determinant == minors[-1]


@given(any_symmetric)
def test_signs_are_those_of_the_pivoted_factor(B):
    """The inertia agrees with that of the pivoted factor, and a negative pivot comes with vᵀAv < 0."""
    f = factored(B)
    assume(f is not None)
    assert f.inertia == ldl.factor(B).inertia
    v = f.negative_direction
    assert (v is None) == (f.inertia[1] == 0) and (v is None or v @ (B @ v) < 0)


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_appending_a_row_is_factoring_the_larger_matrix(F, n):
    """append(factor(A), a, δ) is the factor of the larger matrix, to the last digit."""
    B = lifted(F, definite(n))
    smaller = updates.factor(without(B, n - 1))
    assert updates.append(smaller, B[n - 1][: n - 1], B[n - 1][n - 1]) == updates.factor(B)


@given(any_square)
def test_dropping_a_row_of_a_definite_matrix_is_exact(B):
    """For a definite matrix drop(factor(A), k) equals the factor of A without row and column k, number by number."""
    C = B @ B.T + Matrix.identity(len(B), Fraction)
    for k in range(len(C) if len(C) > 1 else 0):
        assert updates.drop(updates.factor(C), k) == updates.factor(without(C, k))


@given(any_symmetric, st.integers(0, 3))
def test_dropping_a_row_of_an_indefinite_matrix_is_exact_or_refused(B, k):
    """For any symmetric matrix `drop` gives the factor of the smaller matrix, or refuses where it has none."""
    f = factored(B)
    assume(f is not None and k < len(B) > 1)
    smaller = without(B, k)
    want = factored(smaller)
    if want is not None:
        assert updates.drop(f, k) == want
        return
    with pytest.raises(NoAnswer, match="updates: need a pivot other than zero; got 0") as refusal:
        updates.drop(f, k)
    v = refusal.value.witness["null_vector"]
    assert any(v) and not any(smaller.block(range(len(v)), range(len(v))) @ v)


@pytest.mark.parametrize("F", FIELDS[2:], ids=lambda F: F.name)
def test_rounded_updates_multiply_back(F):
    """In doubles and decimals an updated factor of a definite matrix multiplies back up to roundoff."""
    B = lifted(F, definite(10))
    for k in range(10):
        assert max(updates.certify(without(B, k), updates.drop(updates.factor(B), k)).values()) <= 30


@pytest.mark.parametrize("F", EXACT, ids=lambda F: F.name)
def test_a_long_walk_of_updates_loses_nothing(F):
    """Rows appended and dropped again and again leave exactly the factor of the matrix that is left."""
    B = lifted(F, definite(10))
    f, active = updates.factor(B.block([0], [0])), [0]
    for step in range(65):
        i = step * 7 % 10
        if i in active and len(active) > 1:
            k = active.index(i)
            f, active = updates.drop(f, k), active[:k] + active[k + 1 :]
        elif i not in active:
            f, active = updates.append(f, [B[i][j] for j in active], B[i][i]), [*active, i]
    assert len(active) > 3
    assert f == updates.factor(B.block(active, active))


def test_an_update_leaves_its_argument_as_it_is():
    """The factor handed to append and drop is the same afterwards."""
    f, g = updates.factor(without(A, 2)), updates.factor(without(A, 2))
    updates.append(f, A[2][:2], A[2][2])
    updates.drop(f, 1)
    assert f == g and f.lower == g.lower and len(f) == 2


def test_updates_that_do_not_fit_are_refused():
    """A column of another length, a row that is not there and the last row are refused."""
    f = updates.factor(A)
    with pytest.raises(InvalidInput, match="updates: need a column of 3 numbers; got 2"):
        updates.append(f, vector(2), Fraction(1))
    for factor, k in ((f, 3), (f, -1), (updates.factor(integers([4])), 0)):
        with pytest.raises(InvalidInput, match="updates: need a row to drop and another to stay"):
            updates.drop(factor, k)


def test_appending_a_dependent_row_is_refused_with_a_null_vector():
    """A row that makes the matrix singular is refused with a null vector of the larger matrix."""
    S = integers([4, 2, 6], [2, 10, 12], [6, 12, 18])
    with pytest.raises(NoAnswer, match="updates: need a pivot other than zero; got 0") as refusal:
        updates.append(updates.factor(without(S, 2)), S[2][:2], S[2][2])
    assert not any(S @ refusal.value.witness["null_vector"])


def test_an_asymmetric_matrix_is_refused_with_its_place():
    """The first entry that differs from its mirror image is named."""
    with pytest.raises(InvalidInput, match=r"need a symmetric matrix; got 2 and 3 \(row=0, column=1\)"):
        updates.factor(integers([1, 2], [3, 4]))


@pytest.mark.parametrize("n", SIZES)
def test_several_right_sides_are_solved_at_once(n):
    """The solution for a matrix multiplies back, column by column."""
    B, R = definite(n), drawn(n, 2)
    f = updates.factor(B)
    assert B @ f.solve(R) == R and B @ f.solve(R.column(0)) == R.column(0)


@pytest.mark.parametrize("n", SIZES)
def test_the_factor_costs_what_it_says(n):
    """n(n² − 1)/6 multiplications and additions, n(n − 1)/2 divisions."""
    B = lifted(COUNTED, definite(n))
    with counting() as c:
        updates.factor(B)
    each = n * (n * n - 1) // 6
    assert (c.multiply, c.add, c.divide) == (each, each, n * (n - 1) // 2)


@pytest.mark.parametrize("n", SIZES)
def test_a_solution_costs_what_it_says(n):
    """With the factor a solution takes n(n − 1) multiplications and additions and 3n divisions."""
    f, b = updates.factor(lifted(COUNTED, definite(n))), lifted(COUNTED, vector(n))
    with counting() as c:
        f.solve(b)
    assert (c.multiply, c.add, c.divide) == (n * (n - 1), n * (n - 1), 3 * n)


@pytest.mark.parametrize("n", SIZES)
def test_appending_costs_what_it_says(n):
    """A new row takes n(n + 1)/2 multiplications and additions and n divisions."""
    B = lifted(COUNTED, definite(n + 1))
    f = updates.factor(without(B, n))
    with counting() as c:
        updates.append(f, B[n][:n], B[n][n])
    assert (c.multiply, c.add, c.divide) == (n * (n + 1) // 2, n * (n + 1) // 2, n)


@pytest.mark.parametrize("k", [0, 3, 7, 9])
def test_dropping_costs_what_it_says(k):
    """With m = n − 1 − k rows below: m(m + 2) multiplications, m² additions, 2m divisions."""
    m, f = 9 - k, updates.factor(lifted(COUNTED, definite(10)))
    with counting() as c:
        updates.drop(f, k)
    assert (c.multiply, c.add, c.divide) == (m * (m + 2), m * m, 2 * m)
