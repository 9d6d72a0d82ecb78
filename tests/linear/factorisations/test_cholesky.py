"""Cholesky's factor and its updates."""

import dataclasses
import random
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear import polar
from refclass.linear.factorisations import cholesky, elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.linear.matrices import (
    EXACT,
    FIELDS,
    ROUNDED,
    SIZES,
    definite,
    exact,
    hilbert,
    integers,
    lifted,
    semidefinite,
    vector,
    without,
)
from tests.numbers import COUNTED, Counted, counting

A = integers([4, 2, 6], [2, 10, 0], [6, 0, 26])


def test_the_factor_agrees_with_paper():
    """√4 = 2, 2/2 = 1, √(10 − 1) = 3, 6/2 = 3, (0 − 3·1)/3 = −1, √(26 − 9 − 1) = 4."""
    assert cholesky.factor(RATIONAL, A).lower == integers([2, 0, 0], [1, 3, 0], [3, -1, 4])


@pytest.mark.parametrize("F", EXACT, ids=lambda F: F.name)
@pytest.mark.parametrize("n", SIZES)
def test_rational_roots_make_it_exact(F, n):
    """Where the factor is rational, exact numbers find it, and the solution with it is exact."""
    B, b = lifted(F, definite(n)), lifted(F, vector(n))
    f = cholesky.factor(F, B)
    assert f.lower @ f.upper == B and B @ f.solve(b) == b and len(f) == n


def test_an_irrational_root_is_not_exact():
    """√2 is no fraction: exact numbers refuse it by name."""
    with pytest.raises(NotExact, match=r"need a rational square root; got √\(2\)"):
        cholesky.factor(RATIONAL, integers([2]))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("n", SIZES)
def test_the_log_determinant_is_the_logarithm_of_the_determinant(F, n):
    """2 Σ log Lᵢᵢ = log det A."""
    B = lifted(F, definite(n))
    want = F.log(elimination.determinant(B))
    assert near(F, cholesky.factor(F, B).log_determinant(F), want, scale=1 + abs(want), steps=n)


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
@pytest.mark.parametrize("pivot", [0, 1, 2])
def test_an_indefinite_matrix_is_refused_with_a_direction(F, pivot):
    """A negative pivot comes with a direction v, vᵀAv equal to that pivot."""
    B = A - Matrix.diagonal_of([Fraction(100) if i == pivot else Fraction(0) for i in range(3)])
    with pytest.raises(NoAnswer, match="cholesky: need a positive definite matrix; got a pivot -") as refusal:
        cholesky.factor(F, lifted(F, B))
    v = exact(refusal.value.witness["direction"])
    assert refusal.value.witness["pivot"] == pivot and v @ (B @ v) < -70 and not any(v[pivot + 1 :])


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
@pytest.mark.parametrize(("n", "r"), [(2, 1), (3, 2), (5, 3), (10, 9)])
def test_a_singular_matrix_is_refused_with_a_null_vector(F, n, r):
    """A singular semidefinite matrix, rounded or not, is refused; the direction is a null vector up to roundoff."""
    B = lifted(F, semidefinite(n, r))
    with pytest.raises(NoAnswer) as refusal:
        cholesky.factor(F, B)
    v = refusal.value.witness["direction"]
    assert v[r] == 1 and (B @ v).largest() <= 30 * n * F.eps * B.largest() * v.largest()


@pytest.mark.parametrize("unit", [Fraction(1, 10**9), Fraction(1), Fraction(10**9)])
def test_the_units_of_the_variables_do_not_matter(unit):
    """A variable measured in other units changes no verdict: D A D is as definite as A."""
    D = Matrix.diagonal_of([unit, Fraction(1), 1 / unit])
    assert len(cholesky.factor(BINARY64, lifted(BINARY64, D @ A @ D))) == 3
    S = integers([1, 1, 2], [1, 2, 3], [2, 3, 5])
    with pytest.raises(NoAnswer):
        cholesky.factor(BINARY64, lifted(BINARY64, D @ S @ D))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_the_hilbert_matrix_of_order_eight_is_factored(F):
    """The Hilbert matrix of order 8, of condition 10¹⁰, is found positive definite."""
    B = lifted(F, hilbert(8))
    assert max(cholesky.certify(B, cholesky.factor(F, B)).values()) <= 30


def test_the_hilbert_matrix_of_order_fourteen_is_too_near_to_singular_for_doubles():
    """Doubles cannot distinguish the Hilbert matrix of order 14 from a singular one, decimals of 30 digits can."""
    with pytest.raises(NoAnswer):
        cholesky.factor(BINARY64, lifted(BINARY64, hilbert(14)))
    assert len(cholesky.factor(decimal(30), lifted(decimal(30), hilbert(14)))) == 14


def test_an_asymmetric_matrix_is_refused_with_its_place():
    """The first entry that differs from its mirror image is named."""
    with pytest.raises(InvalidInput, match=r"need a symmetric matrix; got 2 and 3 \(row=0, column=1\)"):
        cholesky.factor(RATIONAL, integers([1, 2], [3, 4]))


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_appending_a_row_is_factoring_the_larger_matrix(F, n):
    """append(factor(A), a, δ) is the factor of the larger matrix, to the last digit."""
    B = lifted(F, definite(n))
    smaller = cholesky.factor(F, without(B, n - 1))
    assert cholesky.append(F, smaller, B[n - 1][: n - 1], B[n - 1][n - 1]) == cholesky.factor(F, B)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_dropping_a_row_is_factoring_the_smaller_matrix(F, n):
    """drop(factor(A), k) multiplies back to A without row and column k, for every k."""
    B = lifted(F, definite(n))
    f = cholesky.factor(F, B)
    for k in range(n):
        smaller = cholesky.drop(F, f, k)
        assert max(cholesky.certify(without(B, k), smaller).values()) <= 30
        assert min(smaller.diagonal) > 0


def test_dropping_is_exact_where_roots_are_rational():
    """Without its first row | 9 12 | has the factor √25 = 5: the rotation is that of the triangle 3, 4, 5.
                             | 12 25 |
    """  # fmt: skip
    f = cholesky.factor(RATIONAL, integers([9, 12], [12, 25]))
    assert cholesky.drop(RATIONAL, f, 0).lower == integers([5])
    assert cholesky.drop(RATIONAL, f, 1).lower == integers([3])


def graded(n, step):
    """Return D (M Mᵀ + n I) D in doubles, M random and D = diag(2^(±step·i)), alternately."""
    rng = random.Random(n)
    M = Matrix([[Fraction(rng.randint(-99, 99), 100) for _ in range(n)] for _ in range(n)])
    D = Matrix.diagonal_of([Fraction(2) ** (step * i * (-1) ** i) for i in range(n)])
    return lifted(BINARY64, D @ (M @ M.T + n * Matrix.identity(n, Fraction)) @ D)


@pytest.mark.long
@pytest.mark.parametrize("n", [cholesky.DISTANCE_ORDER, 40])
@pytest.mark.parametrize("step", [0, 10])
def test_sums_from_distances_are_as_good_as_sums_of_products(n, step):
    """Of large matrices, graded over 2^±800, too: |L Lᵀ − A|ᵢⱼ ≤ n eps √(aᵢᵢaⱼⱼ), in exact arithmetic."""
    A = graded(n, step)
    L, B = exact(cholesky.factor(BINARY64, A).lower), exact(A)
    unit = n * Fraction(BINARY64.eps)
    for i in range(n):
        for j in range(i + 1):
            error = sum(u * v for u, v in zip(L[i][: j + 1], L[j][: j + 1])) - B[i][j]
            assert error**2 <= unit**2 * B[i][i] * B[j][j]


@pytest.mark.parametrize(
    "F, n, first, by_distances",
    [
        (BINARY64, cholesky.DISTANCE_ORDER, 0.5, True),
        (BINARY64, cholesky.DISTANCE_ORDER - 1, 0.5, False),
        (BINARY64, cholesky.DISTANCE_ORDER, 0.0, False),
        (BINARY64, cholesky.DISTANCE_ORDER, -1.0, False),
        (RATIONAL, cholesky.DISTANCE_ORDER, Fraction(1, 4), False),
    ],
)
def test_large_matrices_of_doubles_with_a_positive_diagonal_alone_are_factored_by_distances(
    monkeypatch, F, n, first, by_distances
):
    """From `DISTANCE_ORDER` on; fractions stay exact, and a diagonal entry that is not positive is refused."""
    asked, before = [], cholesky._factor_by_distances
    monkeypatch.setattr(cholesky, "_factor_by_distances", lambda F, A: asked.append(A) or before(F, A))
    monkeypatch.setattr(polar, "FASTER", True)
    A = Matrix.diagonal_of([F.lift(first), *[F.lift(Fraction(1, 4))] * (n - 1)])
    if first > 0:
        assert cholesky.factor(F, A).diagonal[1:] == Vector([F.lift(Fraction(1, 2))] * (n - 1))
    else:
        with pytest.raises(NoAnswer, match="need a positive definite matrix"):
            cholesky.factor(F, A)
    assert bool(asked) == by_distances


@pytest.mark.slow
@pytest.mark.parametrize("change", [0, -1])
def test_a_large_matrix_that_is_not_definite_is_refused_with_a_direction(change):
    """A copy of a row, or one with a smaller diagonal entry: vᵀAv ≤ 0 up to roundoff, in exact arithmetic."""
    n = cholesky.DISTANCE_ORDER + 5
    rows = [list(row) for row in graded(n, 2)]
    rows[n - 2] = rows[1][:]
    for i, row in enumerate(rows):
        row[n - 2] = rows[i][1] if i != n - 2 else rows[1][1] * (1 + change / 1000)
    A = Matrix(rows)
    with pytest.raises(NoAnswer, match="cholesky: need a positive definite matrix") as refusal:
        cholesky.factor(BINARY64, A)
    v = exact(refusal.value.witness["direction"])
    size = sum(abs(v[i] * v[j]) * Fraction(abs(A[i][j])) for i in range(n) for j in range(n))
    assert refusal.value.witness["pivot"] == n - 2 and v[n - 2] == 1
    assert v @ (exact(A) @ v) <= (0 if change else 30 * n * Fraction(BINARY64.eps) * size)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_a_long_sequence_of_updates_loses_little(F):
    """Ten rows appended and dropped again and again leave a factor as good as a fresh one."""
    B = lifted(F, definite(10))
    f, active = cholesky.factor(F, B.block([0], [0])), [0]
    for step in range(65):
        i = step * 7 % 10
        if i in active and len(active) > 1:
            k = active.index(i)
            f, active = cholesky.drop(F, f, k), active[:k] + active[k + 1 :]
        elif i not in active:
            f, active = cholesky.append(F, f, [B[i][j] for j in active], B[i][i]), [*active, i]
    assert len(active) > 3
    assert max(cholesky.certify(B.block(active, active), f).values()) <= 30


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_an_update_leaves_its_argument_as_it_is(F):
    """The factor handed to append and drop is the same afterwards."""
    B = lifted(F, A)
    f, g = cholesky.factor(F, without(B, 2)), cholesky.factor(F, without(B, 2))
    cholesky.append(F, f, B[2][:2], B[2][2])
    cholesky.drop(F, f, 1)
    assert f == g and f.lower == g.lower


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_appending_a_dependent_row_is_refused_with_a_direction(F):
    """A row that makes the matrix singular is refused with a null vector of the larger matrix."""
    S = lifted(F, integers([4, 2, 6], [2, 10, 12], [6, 12, 18]))
    with pytest.raises(NoAnswer, match="cholesky: need a positive definite matrix") as refusal:
        cholesky.append(F, cholesky.factor(F, without(S, 2)), S[2][:2], S[2][2])
    v = refusal.value.witness["direction"]
    assert len(v) == 3 and (S @ v).largest() <= 1000 * F.eps


def test_updates_that_do_not_fit_are_refused():
    """A column of another length, a row that is not there and the last row are refused."""
    f = cholesky.factor(RATIONAL, A)
    with pytest.raises(InvalidInput, match="cholesky: need a column of 3 numbers; got 2"):
        cholesky.append(RATIONAL, f, vector(2), Fraction(1))
    for factor, k in ((f, 3), (f, -1), (cholesky.factor(RATIONAL, integers([4])), 0)):
        with pytest.raises(InvalidInput, match="cholesky: need a row to drop, and at least one other"):
            cholesky.drop(RATIONAL, factor, k)


@pytest.mark.parametrize("n", SIZES)
def test_the_factor_costs_what_it_says(n):
    """n(n² − 1)/6 multiplications and additions, n(n − 1)/2 divisions and n roots."""
    B, roots = lifted(COUNTED, definite(n)), []
    F = dataclasses.replace(COUNTED, sqrt=lambda x: roots.append(x) or COUNTED.sqrt(x))
    with counting() as c:
        cholesky.factor(F, B)
    each = n * (n * n - 1) // 6
    assert (c.multiply, c.add, c.divide, len(roots)) == (each, each, n * (n - 1) // 2, n)


@pytest.mark.parametrize("n", SIZES)
def test_a_solution_costs_what_it_says(n):
    """With the factor a solution takes n(n − 1) multiplications and additions and 2n divisions."""
    f, b = cholesky.factor(COUNTED, lifted(COUNTED, definite(n))), lifted(COUNTED, vector(n))
    with counting() as c:
        f.solve(b)
    assert (c.multiply, c.add, c.divide) == (n * (n - 1), n * (n - 1), 2 * n)


@pytest.mark.parametrize("n", SIZES)
def test_appending_costs_what_it_says(n):
    """A new row takes n(n + 1)/2 multiplications and additions and n divisions."""
    B = lifted(COUNTED, definite(n + 1))
    f = cholesky.factor(COUNTED, without(B, n))
    with counting() as c:
        cholesky.append(COUNTED, f, B[n][:n], B[n][n])
    assert (c.multiply, c.add, c.divide) == (n * (n + 1) // 2, n * (n + 1) // 2, n)


@pytest.mark.parametrize("k", [0, 3, 7, 9])
def test_dropping_costs_what_it_says(k):
    """With m = n − 1 − k rows below: 2m² multiplications, m² additions, 2m divisions, m roots."""
    m, f, roots = 9 - k, cholesky.factor(COUNTED, lifted(COUNTED, definite(10))), []
    F = dataclasses.replace(COUNTED, sqrt=lambda x: roots.append(x) or Counted(1))  # what the root is costs nothing
    with counting() as c:
        cholesky.drop(F, f, k)
    assert (c.multiply, c.add, c.divide, len(roots)) == (2 * m * m, m * m, 2 * m, m)


def test_solving_at_once_is_solving_with_the_factor():
    """cholesky.solve(F, A, b) is factor(F, A).solve(b)."""
    b = Vector([Fraction(1), Fraction(2), Fraction(3)])
    assert A @ cholesky.solve(RATIONAL, A, b) == b
