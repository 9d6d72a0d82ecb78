"""The proof of a machine, in every arithmetic that the machine may have been solved in."""

from fractions import Fraction as Q

import pytest

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate
from refclass.margins.svm.soft import Machine
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL


@pytest.mark.parametrize("F", [RATIONAL, BINARY64, decimal(20)], ids=lambda F: F.name)
@pytest.mark.parametrize("squared", [False, True])
def test_an_answer_that_is_exactly_right_is_proven_in_every_arithmetic(F, squared):
    """Two points at ±1: α = ½ each, f(x) = x, no violation at all, and one intercept  [ESL-12.14] [ESL-12.16]."""
    one = F.lift(1)
    costs = (2 * one, 2 * one)
    K = Matrix([[one, -one], [-one, one]])
    if squared:
        costs = (one / 4, one / 4)
    alpha = Vector([one / 4, one / 4]) if squared else Vector([one / 2, one / 2])
    machine = Machine(K, Vector([-one, one]), costs, squared, True, True, False)
    c = certificate.certify(machine, alpha, 0 * one)
    assert c.status == "optimal" and c.gap == c.worst_violation == 0
    assert c.primal == (Q(1, 4) if squared else Q(1, 2)) and c.unique["intercept"] is True


def test_the_two_bounds_are_what_digits_are_distinguished_from():
    """Two points at ±1, C = 2, α = ½ + t and β₀ = 0: primal ½(1 + 2t)², dual ½ − 2t²  [ESL-12.8] [ESL-12.13]."""
    for t, digits in ((Q(1, 10**4), "3.3 digits"), (Q(1, 10**10), "optimal"), (Q(-1, 2), "not converged")):
        machine = Machine(Matrix([[Q(1), Q(-1)], [Q(-1), Q(1)]]), Vector([Q(-1), Q(1)]), (Q(2), Q(2)))
        c = certificate.certify(machine, Vector([Q(1, 2) + t] * 2), Q(0))
        slack = max(-2 * t, 0)
        assert c.primal == (1 + 2 * t) ** 2 / 2 + 4 * slack and c.dual == Q(1, 2) - 2 * t * t
        assert c.status == digits and c.gap == c.primal - c.dual and c.worst_violation == abs(2 * t)


def small(K, costs):
    """A machine of two points in doubles, of labels −1 and 1."""
    return Machine(Matrix(K), Vector([-1.0, 1.0]), costs, False, True, True, True)


def test_the_dual_is_that_of_multipliers_made_feasible():
    """α = (5, 3) with C = 4: clipped to (4, 3), the heavier scaled down to (3, 3); f as reported  [ESL-12.10]."""
    machine = Machine(Matrix([[Q(1), Q(-1)], [Q(-1), Q(1)]]), Vector([Q(-1), Q(1)]), (Q(4), Q(4)))
    c = certificate.certify(machine, Vector([Q(5), Q(3)]), Q(0))
    assert c.primal == Q(64, 2) and c.dual == 6 - Q(36, 2) and c.gap == 44


def test_an_imbalance_in_large_multipliers_costs_its_share_of_the_digits():
    """α = 5·10¹⁷ each, one of them off by its last digit; no slack is allowed, and β is rescaled  [ESL-12.10]."""
    machine = small([[1e-18, -1e-18], [-1e-18, 1e-18]], (None, None))
    c = certificate.certify(machine, Vector([5e17, 5e17 + 64]), 0.0)
    assert c.where == "sum of alpha·y is 64, not 0" and c.status == "optimal" and c.digits > 15
    assert certificate.certify(machine, Vector([5e17, 5e17 + 1e13]), 0.0).status == "4.6 digits"


def test_an_answer_off_by_a_margin_is_not_called_optimal():
    """However large the numbers that f is summed from: with terms of 10¹⁵ a point may seem anywhere  [ESL-12.14]."""
    k, d = 2.0**20, 2.0**-30
    machine = small([[k, k], [k, k + d]], (None, None))
    right = certificate.certify(machine, Vector([2 / d, 2 / d]), -1.0)
    wrong = certificate.certify(machine, Vector([3 / d, 3 / d]), -1.0)
    assert right.status == "optimal" and right.gap == 0
    assert wrong.status == "not converged" and wrong.where == "point 1: y·f − 1 is 1 where alpha is between 0 and C"


def test_an_answer_worse_than_none_is_not_called_optimal():
    """Copies of both labels: α = C each, β = 0; a multiplier off by a digit in numbers of 10³⁰ is none  [ESL-12.8]."""
    machine = small([[1e30, 1e30], [1e30, 1e30]], (0.01, 0.01))
    right = certificate.certify(machine, Vector([0.01, 0.01]), 0.0)
    wrong = certificate.certify(machine, Vector([0.01, 0.01 - 2.0**-58]), 0.0)
    assert right.status == "optimal" and right.primal == 2 * Q(0.01)
    assert wrong.status == "not converged" and wrong.primal > 10**9 * right.primal


def test_a_hyperplane_worse_than_none_is_not_called_optimal():
    """Where slack costs 10⁻²⁰ any β up to 10⁻⁸ is within roundoff of 1, but not of what β = 0 costs  [ESL-12.8]."""
    points = Rows(BINARY64, Linear(), (Vector([-1.0]), Vector([1.0])))
    machine = Machine(points, Vector([-1.0, 1.0]), (1e-20, 1e-20), False, True, True, False)
    right = certificate.certify_hyperplane(machine, Vector([2e-20]), 0.0)
    wrong = certificate.certify_hyperplane(machine, Vector([1e-8]), 0.0)
    assert right.status == "optimal"
    assert wrong.status == "not converged" and wrong.primal > 1000 * right.primal


@pytest.mark.parametrize("off", [Q(0), Q(1, 10**12), Q(1, 10**7), Q(1, 100)])
def test_a_hyperplane_has_as_many_digits_as_its_numbers(off):
    """Four points on a line, C = 1: whatever β is off by, the dual beside it is the optimum's own  [ESL-12.10]."""
    points = Rows(RATIONAL, Linear(), tuple(Vector([Q(v)]) for v in (-2, -1, 1, 3)))
    machine = Machine(points, Vector([Q(-1), Q(-1), Q(1), Q(1)]), (Q(1),) * 4)
    c = certificate.certify_hyperplane(machine, Vector([1 + off]), Q(0), asked=20)
    assert c.dual == Q(1, 2) and c.primal == (1 + off) ** 2 / 2


@pytest.mark.parametrize("loss", [False, True])
def test_a_hard_margin_has_a_gap_where_it_separates(loss):
    """β short of the band by a share m is 1/m of it too short: ½‖β‖²/m² is feasible  [ISML-27.1] [MMST-11.11]."""
    K, y = Matrix([[Q(1), Q(-1)], [Q(-1), Q(1)]]), Vector([Q(-1), Q(1)])
    machine = Machine(K, y, (None, None), loss)
    c = certificate.certify(machine, Vector([Q(9, 20)] * 2), Q(0))
    assert c.primal == Q(1, 2) and c.dual == Q(9, 10) - Q(81, 200) and c.status == "2.0 digits"
    turned = certificate.certify(machine, Vector([Q(1, 2)] * 2), Q(3))
    assert turned.primal is None and turned.gap is None and turned.status == "infeasible"


def test_what_is_not_convex_is_stationary_at_most():
    """Three points of the review: the conditions hold, another feasible point has a larger dual  [ESL-12.13]."""
    rows = [[0.0, -1.0, 2.0], [-1.0, 3.0, 0.5], [2.0, 0.5, -1.0]]
    machine = Machine(Matrix(map(Vector, rows)), Vector([-1.0, 1.0, -1.0]), (1.0,) * 3, positive=False)
    c = certificate.certify(machine, Vector([Q(2, 5), Q(2, 5), Q(0)]), Q(-3, 5))
    assert (c.status, c.gap, c.dual, c.digits) == ("stationary", None, None, None) and c.worst_violation == 0
    wrong = certificate.certify(machine, Vector([Q(1, 3), Q(1, 3), Q(0)]), Q(-3, 5))
    assert wrong.status == "not converged" and c.premise == wrong.premise == ""


def test_a_matrix_that_is_positive_on_contrasts_only_is_convex_with_an_intercept():
    """−½(x − z)² differs from xz by constants that Σ αᵢyᵢ = 0 leaves out: the same optimum, no premise  [ESL-12.13]."""
    x = [Q(-2), Q(-1), Q(1), Q(3)]
    K = Matrix([Vector([-((u - v) ** 2) / 2 for v in x]) for u in x])
    machine = Machine(K, Vector([Q(-1), Q(-1), Q(1), Q(1)]), (Q(1),) * 4, positive=False)
    c = certificate.certify(machine, Vector([Q(0), Q(1, 2), Q(1, 2), Q(0)]), Q(0))
    assert c.status == "optimal" and c.primal == c.dual == Q(1, 2) and c.premise == ""


@pytest.mark.parametrize(
    "alpha, f, says",
    [
        ((-0.25, 0.0), 2.0, "point 0: alpha -0.25 is outside [0, 1] by 0.25"),
        ((1 - 2.0**-40, 1.0), -1.0, "point 0: y·f − 1 is -2 where alpha is between 0 and C, 9.09e-13 below C"),
        ((0.0, 2.0**-30), 2.0, "point 1: y·f − 1 is 1 where alpha is between 0 and C, 9.31e-10 above 0"),
        ((0.0, 0.5), 0.875, "point 1: y·f − 1 is -0.125 where alpha is between 0 and C"),
    ],
)
def test_where_names_the_size_of_the_violation_that_is_reported(alpha, f, says):
    """K = 0, so that f = β₀ whatever the multipliers are  [ESL-12.16]."""
    costs = (1.0, 1.0) if says[6] == "0" or f > 1 else (0.0, 1.0)
    machine = Machine(Matrix([[0.0] * 2] * 2), Vector([1.0, 1.0]), costs, intercept=False)
    assert certificate.certify(machine, Vector(alpha), f).where == says


def plane(points, labels, costs):
    """Return a machine on a line."""
    rows = Rows(RATIONAL, Linear(), Matrix([[Q(x)] for x in points]))
    return Machine(rows, Vector([Q(t) for t in labels]), costs, False, True, True, False)


@pytest.mark.parametrize("cost", [None, Q(1)])
def test_a_hyperplane_that_is_optimal_is_found_to_be_so(cost):
    """f = x − 1 on 0, 2 and 3: primal and dual ½, and β is a sum of α·y·x  [ESL-12.10]."""
    found = certificate.certify_hyperplane(plane([0, 2, 3], [-1, 1, 1], (cost,) * 3), Vector([Q(1)]), Q(-1))
    assert (found.status, found.primal, found.dual, found.worst_violation) == ("optimal", Q(1, 2), Q(1, 2), 0)
    assert found.where == ""


def test_a_hyperplane_that_is_not_says_where():
    """f = 2x − 2 is 2 from the nearest sum; of hard margins the least is named, not one of a cost."""
    found = certificate.certify_hyperplane(plane([0, 2], [-1, 1], (Q(1), Q(1))), Vector([Q(2)]), Q(-2))
    assert found.worst_violation == 2 and found.where == "beta is 2 from the nearest sum of alpha·y·x"
    machine = plane([0, 2, 3, -9], [-1, 1, 1, 1], (None, None, None, Q(1)))
    found = certificate.certify_hyperplane(machine, Vector([Q(1)]), Q(-4))
    assert found.primal is None and found.where == "point 1: y·f is -2, and no slack is allowed"


def test_of_several_bounds_the_largest_counts(monkeypatch):
    """The dual is the largest of those tried, with the sum of α·y·x that belongs to it."""
    tried = [(Q(0), Vector([Q(5)])), (Q(1, 3), Vector([Q(1, 2)])), (Q(1, 4), Vector([Q(7)]))]
    monkeypatch.setattr(certificate, "_bounds", lambda *given: iter(tried))
    found = certificate.certify_hyperplane(plane([0, 2], [-1, 1], (Q(1), Q(1))), Vector([Q(1)]), Q(-1))
    assert (found.dual, found.worst_violation) == (Q(1, 3), Q(1, 2))
