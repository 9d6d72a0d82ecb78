"""The proof of a machine with a smooth loss: every number of it by hand, on the squared loss."""

import math
from fractions import Fraction as Q

import pytest

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.deviance import Deviance
from refclass.losses.huber import Huber
from refclass.losses.insensitive import SquaredInsensitive
from refclass.number.decimals import decimal
from refclass.regress.kernel import smooth_certificate
from refclass.regress.kernel.machine import Machine


def lifted(v):
    """A decimal of as many digits as a proof has."""
    return decimal(smooth_certificate.DIGITS).lift(v)


def vector(*values):
    """Fractions."""
    return Vector(map(Q, values))


def certified(a, beta0=0, y=(3,), K=((1,),), *, penalty=2, loss=None, weights=None, **known):
    """The proof of multipliers, with the loss (y − f)² unless stated otherwise."""
    machine = Machine(Matrix([vector(*row) for row in K]), vector(*y), (), **known)
    weights, loss = vector(*(weights or [1] * len(y))), loss or SquaredInsensitive(lifted(0))
    return smooth_certificate.certify(machine, loss, weights, Q(penalty), vector(*a), Q(beta0))


def test_one_point_is_proven_by_both_of_its_values():
    """(3 − f)² + f², f = a, is least at 3/2 with 9/2; at f = 1 it is 5, the dual 6a − 2a² is 4, and 2a − 2(3 − f) is −2
    [ESL-12.43]."""
    best = certified(("3/2",), intercept=False)
    assert (best.status, best.primal, best.dual, best.gap, best.worst_violation) == ("optimal", Q(9, 2), Q(9, 2), 0, 0)
    assert best.digits == math.inf and best.unique == {"f": True} and best.where == ""
    other = certified((1,), intercept=False)
    assert (other.primal, other.dual, other.gap, other.worst_violation) == (5, 4, 1, 2)
    assert "point 0" in other.where


def test_the_worst_condition_is_told():
    """Two points, a = (1, 1) and β₀ = 1: the slopes are −2·1 and −2·2; the sum of λa is 4  [ESL-12.44]."""
    found = certified((1, 1), 1, (3, 4), ((1, 0), (0, 1)))
    assert (found.primal, found.worst_violation) == (1 + 4 + 2, 4) and "sum of the multipliers" in found.where
    found = certified((1, -1), 1, (3, 5), ((1, 0), (0, 1)))
    assert found.worst_violation == 12 and "point 1" in found.where


def test_without_a_theorem_on_the_kernel_the_matrix_decides():
    """The same matrix 1 is positive whether a theorem says so or its factor; −1 bounds nothing  [ESL-12.43]."""
    assert certified(("3/2",), intercept=False, positive=False) == certified(("3/2",), intercept=False)
    saddle = certified((-3,), K=((-1,),), penalty=4, y=(-3,), intercept=False, positive=False)
    assert saddle.worst_violation == 0 and saddle.status == "stationary"
    assert saddle.dual is saddle.gap is saddle.digits is None and saddle.unique == {"f": None}


def test_a_multiplier_that_is_no_slope_proves_nothing():
    """Huber's loss has slopes up to 1: λa = 2 has no conjugate, and no digit is proven  [ESL-12.43]."""
    found = certified((1,), intercept=False, loss=Huber(lifted(1)))
    assert found.dual is found.gap is None and found.digits == 0 and found.status == "not converged"


@pytest.mark.parametrize(("a", "weights"), [((1, 2), (1,)), ((1,), (1, 1))])
def test_as_many_multipliers_and_weights_as_points_are_needed(a, weights):
    """One too many of either is refused  [ESL-12.43]."""
    with pytest.raises(InvalidInput, match="1 multipliers and weights"):
        certified(a, weights=weights)


def test_a_condition_is_violated_on_either_side():
    """a beyond its slope and short of it, and a sum of multipliers on either side of zero  [ESL-12.43] [ESL-12.44]."""
    for sign in (-1, 1):
        found = certified((sign,), y=(sign * Q(1, 2),), intercept=False)
        assert (found.worst_violation, found.where) == (3, "point 0: multiplier and slope differ")
        found = certified((sign, sign), 0, (2 * sign, 2 * sign), ((1, 0), (0, 1)))
        assert found.worst_violation == 4 and found.where.endswith(f"is {4}, not 0")


def test_a_loss_is_computed_in_more_digits_for_a_small_multiplier():
    """λ = ¼ and |a|/w = 2⁻¹⁰⁰ and 2⁻¹⁴⁰: log₂ of the larger share is −102, for which twenty digits more are taken
    [ESL-12.43]."""
    a = (Q(-1, 2**60), Q(1, 2**100))
    found = certified(a, y=(0, 0), K=((1, 0), (0, 1)), penalty=Q(1, 4), weights=(2**40, 2**40), loss=Deviance())
    assert found.premise == "the loss and its conjugate as decimal:80 computes them"


@pytest.mark.parametrize("intercept", [True, False])
def test_multipliers_that_roundoff_leaves_beyond_their_bounds_are_proven_all_the_same(intercept):
    """λaᵢyᵢ of a deviance lies between 0 and wᵢ, where its conjugate is finite; 10⁻³⁰ beyond is taken off."""
    K, y = ((1, 0), (0, 1)), (1, -1)
    inside = certified(("1/4", "-1/4"), 0, y, K, loss=Deviance(), penalty=4, intercept=intercept)
    for a in ((Q(1, 4) + Q(1, 10**30), "-1/4"), ("1/4", Q(1, 10**30))):
        found = certified(a, 0, y, K, loss=Deviance(), penalty=4, intercept=intercept)
        assert found.dual is not None and found.dual <= inside.primal
    assert inside.dual is not None
