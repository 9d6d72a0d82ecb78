"""Laws of every factor: it multiplies back, it solves, it refuses with a witness, in every field that it claims.

A case is a factor module with the matrices that it takes and the fields that it runs on; every law runs on every case.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear import jacobi, residual
from refclass.linear.eigen import one_sided_jacobi, pencil, svd
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import cholesky, elimination, gram_schmidt, householder, ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.linear.matrices import (
    EXACT,
    FIELDS,
    ROUNDED,
    SIZES,
    any_square,
    definite,
    drawn,
    exact,
    hilbert,
    integers,
    lifted,
    mirrored,
    semidefinite,
    symmetric,
    vector,
    wilkinson,
)


def second(A):
    """Return the W that goes with B = A in a pencil: 4 on the diagonal and 1 beside it, of A's order and kind."""
    return Matrix([[A.kind(4 if i == j else 1) for j in range(len(A))] for i in range(len(A))])


@dataclass(frozen=True)
class Case:
    """A factor module: how it is called, the matrices that it takes, the fields whose numbers it takes."""

    name: str
    factor: Callable[..., Any]
    certify: Callable[..., Any]
    takes: str = "square"  # or "symmetric", "definite"
    fields: tuple[Any, ...] = FIELDS
    solves: bool = True
    unique: bool = True  # whether a singular matrix is refused; else the shortest or a basic solution is the answer

    def matrix(self, n, seed=0):
        """Return a matrix that the module takes."""
        return {"square": lambda: drawn(n, n, seed), "symmetric": lambda: symmetric(n, seed)}.get(
            self.takes, lambda: definite(n, seed)
        )()

    def __str__(self):
        return self.name


CASES = [
    Case("elimination", lambda F, A: elimination.factor(A), elimination.certify),
    Case("fraction_free", lambda F, A: fraction_free.factor(A), fraction_free.certify),
    Case("ldl", lambda F, A: ldl.factor(A), ldl.certify, "symmetric"),
    Case("cholesky", cholesky.factor, cholesky.certify, "definite"),
    Case("gram_schmidt", gram_schmidt.factor, gram_schmidt.certify),
    Case("householder", householder.factor, householder.certify, fields=ROUNDED, unique=False),
    Case("jacobi", jacobi.factor, jacobi.certify, "symmetric", ROUNDED),
    Case("one_sided_jacobi", one_sided_jacobi.factor, one_sided_jacobi.certify, "symmetric", ROUNDED),
    Case(
        "one_sided_jacobi of definite matrices", one_sided_jacobi.factor, one_sided_jacobi.certify, "definite", ROUNDED
    ),
    Case(
        "pencil",
        lambda F, A: pencil.factor(F, A.symmetric(), second(A)),
        lambda A, f: pencil.certify(A, second(A), f),
        "symmetric",
        ROUNDED,
        solves=False,
    ),
    Case("svd", svd.factor, svd.certify, fields=ROUNDED, unique=False),
]
PAIRS = [pytest.param(case, F, id=f"{case}-{F.name}") for case in CASES for F in case.fields]
SOLVERS = [p for p in PAIRS if p.values[0].solves]
EXACT_SOLVERS = [p for p in SOLVERS if p.values[1] in EXACT]
MIRRORED = [case for case in CASES if case.takes != "square"]


@pytest.mark.many
@pytest.mark.parametrize(("case", "F"), PAIRS)
@pytest.mark.parametrize("n", SIZES)
def test_factors_multiply_back_to_the_matrix(case, F, n):
    """The product of the factors is the matrix: exactly in an exact field, up to roundoff elsewhere  [OPT-EIG.P1]."""
    A = lifted(F, case.matrix(n))
    ratios = case.certify(A, case.factor(F, A)).values()
    assert max(ratios) <= (0 if F in EXACT else 30)


@given(any_square, st.sampled_from([c for c in CASES if RATIONAL in c.fields]))
def test_singular_and_indefinite_matrices_multiply_back_exactly(A, case):
    """On fractions the factors of any matrix, singular and indefinite ones included, if they exist, multiply back."""
    A = A if case.takes == "square" else mirrored(A)
    try:
        f = case.factor(RATIONAL, A)
    except (NoAnswer, NotExact):
        assert case.takes == "definite"
        return
    assert set(case.certify(A, f).values()) == {0}


@given(any_square, st.sampled_from(CASES))
def test_singular_and_indefinite_matrices_multiply_back_in_doubles(A, case):
    """In doubles the factors of any matrix multiply back up to roundoff, if they exist."""
    B = lifted(BINARY64, A if case.takes == "square" else mirrored(A))
    try:
        f = case.factor(BINARY64, B)
    except NoAnswer:
        assert case.takes == "definite"
        return
    assert max(case.certify(B, f).values()) <= 30


@pytest.mark.parametrize(("case", "F"), SOLVERS)
@pytest.mark.parametrize("n", SIZES)
def test_solutions_solve_the_system(case, F, n):
    """A x = b: exactly in an exact field, up to roundoff elsewhere; integers take any numbers at their exact value."""
    A, b = lifted(F, case.matrix(n)), lifted(F, vector(n))
    x = case.factor(F, A).solve(b)
    if case.name == "fraction_free":
        A, b, x = exact(A), exact(b), exact(x)
        assert A @ x == b
    assert residual.solution(A, x, b) <= (0 if F in EXACT else 30)


@pytest.mark.parametrize(("case", "F"), [p for p in SOLVERS if p.values[1] in (*EXACT, BINARY64)])
def test_the_solution_is_linear_in_the_right_side(case, F):
    """For 2b the solution is 2x, number by number: doubling makes no error, on doubles either."""
    A, b = lifted(F, case.matrix(5)), lifted(F, vector(5))
    f = case.factor(F, A)
    assert f.solve(2 * b) == 2 * f.solve(b)


@pytest.mark.parametrize(("case", "F"), EXACT_SOLVERS)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_permuting_the_unknowns_permutes_the_solution(case, F, n):
    """(P A Pᵀ)(P x) = P b, exactly; a pivoting must not show in the answer."""
    order = [(3 * i + 1) % n if n % 3 else (i + 1) % n for i in range(n)]
    A, b = lifted(F, case.matrix(n)), lifted(F, vector(n))
    permuted = A.block(order, order)
    try:
        x = case.factor(F, permuted).solve(b.pick(order))
    except NotExact:  # a rational factor for one order of the variables is irrational for another
        assert case.name == "cholesky"
        return
    assert x == case.factor(F, A).solve(b).pick(order)


@pytest.mark.parametrize("n", [2, 3, 5, 10])
@pytest.mark.parametrize("case", [c for c in CASES if RATIONAL in c.fields and c.unique], ids=str)
def test_a_singular_matrix_is_refused_with_a_null_vector(case, n):
    """A singular matrix is refused when factored or when solved with; the witness v ≠ 0 has A v = 0, exactly."""
    A = semidefinite(n, n - 1)
    with pytest.raises(NoAnswer) as refusal:
        case.factor(RATIONAL, A).solve(vector(n))
    witness = refusal.value.witness
    v = witness["null_vector"] if "null_vector" in witness else witness["direction"]
    assert refusal.value.module == case.name and any(v) and not any(A @ v)


@given(any_square)
def test_every_factor_has_the_same_rank(A):
    """The exact rank is that of elimination with and without fractions and of Gram-Schmidt, and of doubles, too."""
    B, r = lifted(BINARY64, A), fraction_free.rank(A)
    assert elimination.rank(RATIONAL, A) == gram_schmidt.factor(RATIONAL, A).rank == r
    assert elimination.rank(BINARY64, B) == householder.factor(BINARY64, B).rank == svd.factor(BINARY64, B).rank == r


@given(any_square.map(mirrored), st.sampled_from(ROUNDED))
def test_both_jacobi_methods_have_the_same_eigenvalues_and_spaces(A, F):
    """The book's cyclic method and the one-sided one that runs by default agree up to roundoff of the largest."""
    B = lifted(F, A)
    book, default = jacobi.factor(F, B), one_sided_jacobi.factor(F, B)
    n, scale = len(A), B.largest()
    assert all(near(F, d, e, scale=scale, steps=n) for d, e in zip(book.eigenvalues, default.eigenvalues))
    gap = min([a - b for a, b in zip(default.eigenvalues, default.eigenvalues[1:])], default=scale)
    if 8 * gap > scale:
        assert residual.equality(book.eigenvectors, default.eigenvectors, 8 * n * n) <= 30


@given(any_square.map(mirrored))
def test_every_factor_has_the_same_inertia(A):
    """The signs of the pivots are those of the eigenvalues: Sylvester's law."""
    f = one_sided_jacobi.factor(BINARY64, lifted(BINARY64, A))
    positive, negative, zero = ldl.factor(A).inertia
    assert ldl.inertia(BINARY64, lifted(BINARY64, A)) == (positive, negative, zero)
    assert [d > 0 for d in f.eigenvalues[:positive]] == [True] * positive and f.rank == positive + negative
    assert [d < 0 for d in f.eigenvalues[len(A) - negative :]] == [True] * negative


@pytest.mark.parametrize("n", SIZES)
def test_every_factor_has_the_same_determinant(n):
    """The determinant of a definite matrix is one number in every exact factor, and Cholesky's squared diagonal."""
    A = definite(n)
    factors = (elimination.factor(A), fraction_free.factor(A), ldl.factor(A))
    (d,) = {f.determinant for f in factors}
    product = Fraction(1)
    for root in cholesky.factor(RATIONAL, A).diagonal:
        product *= root * root
    assert d == product > 0


@pytest.mark.parametrize("case", MIRRORED, ids=str)
@pytest.mark.parametrize("F", [RATIONAL, BINARY64], ids=lambda F: F.name)
def test_an_asymmetric_matrix_is_refused_with_its_place(case, F):
    """A routine for symmetric matrices names the first place where the matrix is not symmetric."""
    A = lifted(F, integers([9, 1, 0], [1, 9, 2], [0, 3, 9]))
    with pytest.raises(InvalidInput, match="need a symmetric matrix") as refusal:
        case.factor(F, A)
    assert refusal.value.witness == {"row": 1, "column": 2}


def test_an_empty_matrix_is_refused_before_any_factor():
    """There is no empty matrix: no factor is given one."""
    for rows in ([], [[]]):
        with pytest.raises(InvalidInput):
            Matrix(rows)
    with pytest.raises(InvalidInput):
        Vector([])


@pytest.mark.many
@pytest.mark.parametrize(("case", "F"), [p for p in PAIRS if p.values[1] in ROUNDED])
@pytest.mark.parametrize("make", [hilbert, wilkinson], ids=["hilbert 8", "wilkinson 21"])
def test_bad_condition_is_no_excuse(case, F, make):
    """The Hilbert matrix of order 8 and Wilkinson's W⁺, shifted where it must be definite, multiply back."""
    A = hilbert(8) if make is hilbert else wilkinson(21)
    if case.takes == "definite" and make is wilkinson:
        A = A + 2 * Matrix.identity(21, Fraction)
    B = lifted(F, A)
    assert max(case.certify(B, case.factor(F, B)).values()) <= 30


@pytest.mark.parametrize(("case", "F"), [p for p in PAIRS if p.values[1] in ROUNDED])
def test_a_wrong_factor_is_not_certified(case, F):
    """The factor of another matrix, off by 10⁻⁸, has a ratio far beyond 30: the certificate can fail."""
    A = lifted(F, case.matrix(5))
    wrong = A * (1 + F.lift(Fraction(1, 10**8)))
    assert max(case.certify(wrong, case.factor(F, A)).values()) > 1000


@pytest.mark.parametrize(("case", "F"), SOLVERS)
def test_a_right_side_of_another_length_is_refused(case, F):
    """The right side must have as many entries as the matrix has rows."""
    f = case.factor(F, lifted(F, case.matrix(3)))
    with pytest.raises(InvalidInput, match="need a right side of 3"):
        f.solve(lifted(F, vector(2)))


@pytest.mark.parametrize(("case", "F"), PAIRS)
@pytest.mark.parametrize("value", [7, 2, Fraction(9, 4)])
def test_a_number_is_a_matrix_too(case, F, value):
    """A 1 × 1 matrix has a factor, and its solution is a quotient."""
    if case.name == "cholesky" and F in EXACT and value != Fraction(9, 4):
        with pytest.raises(NotExact):
            case.factor(F, lifted(F, integers([value])))
        return
    A, b = lifted(F, integers([value])), lifted(F, integers([3])[0])
    f = case.factor(F, A)
    assert max(case.certify(A, f).values()) <= 30
    if case.solves:
        assert residual.solution(A, lifted(F, exact(f.solve(b))), b) <= (0 if F in EXACT else 30)
