"""Mercer's condition for the user's kernel."""

import math
from fractions import Fraction

import pytest

import refclass
from refclass import gram, judge_kernel
from refclass.errors import InvalidInput, NotExact
from refclass.kernels.combine import Product
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear

POINTS = [[0, 1], [1, 3], [2, -1], [4, 0]]


def form(K, u):
    """Return uᵀKu in fractions."""
    return sum(Fraction(k) * a * b for row, a in zip(K, u) for k, b in zip(row, u))


def test_it_is_part_of_the_public_face():
    """refclass.judge_kernel is this function, found by name."""
    assert "judge_kernel" in dir(refclass) and refclass.judge_kernel is judge_kernel


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
def test_a_matrix_is_judged_exactly(arithmetic):
    """Eigenvalues 3 and 1 are a yes; 3 and −1 a no with u = (1, −1), in every arithmetic; a singular one is a yes."""
    assert judge_kernel([[2, 1], [1, 2]], arithmetic=arithmetic) == (True, None)
    assert judge_kernel([[1, 2], [2, 1]], arithmetic=arithmetic) == (False, [1, -1])
    assert judge_kernel([[1, 1], [1, 1]], arithmetic=arithmetic) == (True, None)


def test_the_last_bit_decides():
    """0.1 on the diagonal and 0.1 beside it is semidefinite; with the next double beside it, indefinite."""
    r = math.nextafter(0.1, 1)
    assert judge_kernel([[0.1, 0.1], [0.1, 0.1]]) == (True, None)
    ok, u = judge_kernel([[0.1, r], [r, 0.1]])
    assert not ok and form([[0.1, r], [r, 0.1]], u) < 0


@pytest.mark.parametrize(
    "kernel", ["linear", {"name": "polynomial", "degree": 3}, Product(Linear(), Gaussian(gamma=1))]
)
def test_kernels_with_mercers_property_are_accepted(kernel):
    """Kernels by name, with parameters, and combined ones are evaluated at the points."""
    assert judge_kernel(kernel, POINTS) == (True, None)


def test_combined_kernels_are_reached_by_name():
    """A sum of kernels by its description is the matrix of the sum."""
    total = {"name": "sum", "left": "linear", "right": {"name": "sigmoid", "a": 1, "b": -1}}
    assert judge_kernel(total, POINTS) == judge_kernel(gram(POINTS, kernel=total))


def test_the_sigmoid_kernel_is_refuted_by_a_witness():
    """tanh(⟨x, z⟩ − 1) is no inner product: at these points uᵀKu < 0  [MMST-Ex11.10]."""
    kernel = {"name": "sigmoid", "a": 1, "b": -1}
    ok, u = judge_kernel(kernel, POINTS)
    assert not ok and form(gram(POINTS, kernel=kernel), u) < 0


def test_wrong_input_is_refused_by_name():
    """An asymmetric or ragged matrix, a kernel's name without points, an irrational value in exact arithmetic."""
    with pytest.raises(InvalidInput, match="symmetric"):
        judge_kernel([[1, 2], [3, 4]])
    with pytest.raises(InvalidInput):
        judge_kernel([[1, 2, 3], [2, 1, 0]])
    with pytest.raises(InvalidInput):
        judge_kernel("linear")
    with pytest.raises(NotExact):
        judge_kernel({"name": "gaussian", "gamma": 1}, POINTS, arithmetic="exact")
