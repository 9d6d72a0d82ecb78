"""The spectral factor."""

from fractions import Fraction

import pytest

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import canon, jacobi, residual, spectrum
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from tests.linear.matrices import ROUNDED, integers, lifted, semidefinite, symmetric, vector

METHODS = pytest.mark.parametrize("method", [jacobi, one_sided_jacobi], ids=["cyclic", "one-sided"])


def test_values_descend_and_signs_are_canonical():
    """Pairs in any order and of any sign give one factor; a zero eigenvalue does not count for the rank."""
    third = Fraction(1, 3)
    vectors = [Vector([-2 * third, -2 * third, third]), Vector([-2 * third, third, -2 * third])]
    f = spectrum.ordered(
        RATIONAL, [Fraction(0), Fraction(9), Fraction(-9)], [*vectors, Vector([third, -2 * third, -2 * third])]
    )
    assert f.eigenvalues == (9, 0, -9) and f.rank == 2
    assert canon.signs(f.eigenvectors) == f.eigenvectors and set(f.eigenvectors.column(1)) == {2 * third, -third}


def test_a_wrong_eigenvalue_or_vector_is_seen_by_the_certificate():
    """The certificate of an exact factor is zero, and infinite if one number is changed."""
    A, V = integers([0, 12], [12, 7]), integers([3, 4], [4, -3]) / 5
    right = spectrum.Factor(Vector([Fraction(16), Fraction(-9)]), V, 2)
    assert set(spectrum.certify(A, right).values()) == {0}
    assert max(spectrum.certify(A, spectrum.Factor(Vector([Fraction(16), Fraction(9)]), V, 2)).values()) == float("inf")
    assert min(spectrum.certify(A, spectrum.Factor(right.eigenvalues, 2 * V, 2)).values()) == float("inf")


@METHODS
@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_a_solution_through_eigenvalues_solves(F, method):
    """V diag(λ)⁻¹ Vᵀb solves A x = b; a singular A is refused with its null vector."""
    A, b = lifted(F, symmetric(5)), lifted(F, vector(5))
    assert residual.solution(A, method.factor(F, A).solve(b), b) <= 30
    S = lifted(F, semidefinite(5, 4))
    with pytest.raises(NoAnswer, match="spectrum: need a matrix of rank 5; got rank 4") as refusal:
        method.factor(F, S).solve(b)
    assert (S @ refusal.value.witness["null_vector"]).largest() <= 1000 * F.eps * S.largest()
    with pytest.raises(InvalidInput, match="spectrum: need a right side of 5 numbers; got 2"):
        method.factor(F, A).solve(lifted(F, vector(2)))
