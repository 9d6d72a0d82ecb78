"""The Laplacian kernel."""

import pytest

from refclass.errors import InvalidInput
from refclass.kernels.laplacian import Laplacian
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near

ZERO, TRIANGLE = Vector([0.0, 0.0]), Vector([3.0, 4.0])


def test_it_is_exponential_in_the_distance():
    """Five apart with σ = 2 it is e^(−5/2)  [K-LAPLACE.P1] [MMST-T11.1]."""
    assert near(BINARY64, Laplacian(2.0)(BINARY64, ZERO, TRIANGLE), BINARY64.exp(-2.5))


def test_it_is_not_the_kernel_of_the_sum_of_distances():
    """The product of one-dimensional Laplacians, exp(−‖x − z‖₁/σ), is another kernel in two variables
    [K-LAPLACE.P2]."""
    k = Laplacian(2.0)
    product = k(BINARY64, Vector([0.0]), Vector([3.0])) * k(BINARY64, Vector([0.0]), Vector([4.0]))
    assert near(BINARY64, product, BINARY64.exp(-3.5)) and k(BINARY64, ZERO, TRIANGLE) > 2 * product


def test_in_one_variable_the_two_are_one():
    """With p = 1 the ℓ₁ and ℓ₂ distances are the same, and so are the kernels  [K-LAPLACE.P2]."""
    assert near(BINARY64, Laplacian(2.0)(BINARY64, Vector([-1.0]), Vector([2.0])), BINARY64.exp(-1.5))


@pytest.mark.parametrize("sigma", [0.001, 0.5, 1.0, 100.0])
def test_every_positive_scale_is_taken(sigma):
    """At a distance of σ the kernel is 1/e, whatever σ  [K-LAPLACE]."""
    assert near(BINARY64, Laplacian(sigma)(BINARY64, Vector([0.0]), Vector([sigma])), BINARY64.exp(-1.0))


@pytest.mark.parametrize("sigma", [0, -1])
def test_a_scale_that_is_not_positive_is_refused(sigma):
    """σ must be > 0."""
    with pytest.raises(InvalidInput, match="laplacian: need sigma > 0"):
        Laplacian(sigma)
