"""The proof beside least squares on given columns."""

from fractions import Fraction

from hypothesis import given, settings

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.regress import proof
from tests.regress import reference
from tests.strategies import integers, matrices


@settings(max_examples=30)
@given(matrices(6, 2, integers.map(Fraction)), matrices(6, 2), matrices(2, 2))
def test_the_gap_is_what_the_best_coefficients_would_save(H, Y, B):
    """RSS − least RSS, with the least from an independent factor; none is claimed where the columns depend."""
    claim = proof.certify(H, Y, B)
    least = reference.rss(H.T, Y)
    left = Y - H @ B
    assert claim.primal == sum(r @ r for r in left)
    if claim.gap is not None:
        assert claim.dual == least and claim.gap == claim.primal - least
        assert (claim.gap == 0) == (claim.status == "optimal") == (claim.worst_violation == 0)


def test_the_worst_gradient_is_named():
    """The largest entry of HᵀW(Y − HB), weights included, with its column and response."""
    H = Matrix([[1.0, 0.0], [1.0, 2.0]])
    claim = proof.certify(H, Matrix([[1.0], [4.0]]), Matrix([[1.0], [1.0]]), Vector([1.0, 3.0]))
    assert (claim.worst_violation, claim.where) == (6, "column 1, response 0")


def test_a_premise_makes_the_claim_stationary():
    """Where the columns were chosen, zero gradients prove no optimum beyond them."""
    H = Matrix([[1.0], [1.0]])
    claim = proof.certify(H, Matrix([[1.0], [3.0]]), Matrix([[2.0]]), premise="the columns")
    assert (claim.status, claim.gap, claim.premise) == ("stationary", 0, "the columns")


def test_dependent_columns_have_no_gap():
    """With singular columns and a gradient that is not zero the gap is unknown, and the coefficients are not unique."""
    H = Matrix([[1.0, 1.0], [2.0, 2.0]])
    claim = proof.certify(H, Matrix([[1.0], [0.0]]), Matrix([[1.0], [1.0]]))
    assert claim.gap is None and claim.unique == {"coefficients": False} and claim.status == "approximate"
