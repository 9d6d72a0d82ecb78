"""The proof of a hyperplane with its multipliers, by hand on two to four points."""

import math
from fractions import Fraction as Q

import pytest

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.optimise.linear_svm import hyperplane_certificate as proof
from refclass.optimise.linear_svm.solver import Answer, Problem


def certified(x, y, costs, alpha, beta, beta0, intercept=True):
    """Return the proof of an answer on a line."""
    question = Problem([Vector([Q(v)]) for v in x], Vector([Q(t) for t in y]), costs, intercept)
    return proof.certify(question, Answer(Vector([Q(beta)]), Q(beta0), Vector(map(Q, alpha)), 0))


@pytest.mark.parametrize(
    ("cost", "alpha", "unique"), [(Q(1), "1/2", True), (None, "1/2", True), (Q(1, 2), "1/2", None)]
)
def test_an_optimum_is_proven_and_its_intercept_is_unique_where_a_multiplier_is_free(cost, alpha, unique):
    """x = 0, 2, f = x − 1, α = ½ each, and a third point beyond the edge with α = 0  [ESL-12.13] [ESL-12.14]."""
    found = certified([0, 2, 3], [-1, 1, 1], (cost,) * 3, [alpha, alpha, 0], 1, -1)
    assert (found.status, found.primal, found.dual, found.worst_violation) == ("optimal", Q(1, 2), Q(1, 2), 0)
    assert found.unique == {"beta": True, "beta0": unique} and found.where == "" and found.digits == math.inf


def test_multipliers_of_zero_leave_an_intercept_free():
    """Costs of zero: f = 0 is the optimum with any intercept, and no multiplier is between its bounds."""
    found = certified([0, 2], [-1, 1], (Q(0), Q(0)), [0, 0], 0, 0)
    assert (found.status, found.primal, found.unique["beta0"]) == ("optimal", 0, None)


@pytest.mark.parametrize(
    ("cost", "alpha", "missed"),
    [
        (Q(1, 4), ["1/2", "1/2", 0], Q(1, 4)),
        (None, ["1/2", "3/4", "-1/4"], Q(1, 4)),
        (Q(1), ["3/4", 1, "-1/4"], Q(1, 4)),
    ],
)
def test_digits_are_those_to_which_the_box_is_kept(cost, alpha, missed):
    """A multiplier beyond its cost, or below zero, by ¼: as many digits as ¼ is of the largest multiplier, below one;
    that is not feasible, whatever primal and dual say."""
    found = certified([0, 2, 2], [-1, 1, 1], (cost,) * 3, alpha, 1, -1)
    assert found.worst_violation >= missed and found.digits < 1 and found.status not in ("optimal", "feasible")


def test_feasible_multipliers_beside_another_hyperplane_prove_a_gap():
    """f = 2x − 2 beside α = ½: primal 2, dual ½, β misses Σ αᵢyᵢxᵢ by 1."""
    found = certified([0, 2], [-1, 1], (Q(1), Q(1)), ["1/2", "1/2"], 2, -2)
    assert (found.status, found.gap, found.worst_violation) == ("feasible", Q(3, 2), 1)
    hard = certified([0, 2], [-1, 1], (None, None), ["1/2", "1/2"], "1/2", "-1/2")
    assert hard.primal is None and hard.gap is None and hard.status != "optimal"


@pytest.mark.parametrize(("alpha", "beta"), [([0], [0]), ([0, 0], [0, 0]), ([0], [0, 0])])
def test_lengths_must_agree(alpha, beta):
    """A multiplier for each point, and β for each variable, each by itself."""
    question = Problem([Vector([Q(0)]), Vector([Q(2)])], Vector([Q(-1), Q(1)]), (Q(1), Q(1)))
    with pytest.raises(InvalidInput, match="a multiplier for each point and β for each variable"):
        proof.certify(question, Answer(Vector(map(Q, beta)), Q(0), Vector(map(Q, alpha)), 0))
