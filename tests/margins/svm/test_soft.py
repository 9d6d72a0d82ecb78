"""The soft margin's objective, Lagrangian and dual, as identities on rational points."""

from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import conditions, soft
from refclass.number.rational import RATIONAL
from refclass.optimise.quadratic import certificate as quadratic
from tests.margins.machines import balanced, machine, machines
from tests.numbers import Counted, counting
from tests.strategies import fractions, vectors


@st.composite
def feasible(draw):
    """A machine, multipliers in its box with Σ αᵢyᵢ = 0, a plane, and slacks of any size."""
    m = draw(machines())
    n, p = len(m.y), len(m.K.X[0])
    return m, draw(balanced(m)), draw(vectors(p)), draw(fractions), draw(vectors(n))


def values_at(m, beta, beta0):
    return Vector([x @ beta + beta0 for x in m.K.X])


@given(feasible())
def test_at_a_stationary_point_the_lagrangian_is_the_dual_whatever_the_slacks(case):
    """With β = Σαyx, μ = C − α and Σαy = 0 the Lagrangian is L_D(α), free of ξ and β₀  [SVC-L1-LAG.P1] [ESL-12.9]."""
    m, alpha, _, beta0, xi = case
    beta = conditions.weights(alpha, m.y, m.K.X)
    mu = conditions.slack_multipliers(alpha, m.costs)
    f = values_at(m, beta, beta0)
    K = gram(RATIONAL, Linear(), m.K.X)
    assert soft.lagrangian(beta @ beta, f, xi, alpha, mu, m.y, m.costs) == soft.dual_objective(alpha, m.y, K)


@given(feasible())
def test_every_dual_value_is_below_every_primal_value(case):
    """L_D(α) ≤ ½‖β‖² + CΣξ for all feasible α and all (β, β₀)  [SVC-L1-DUAL.P1] [SVC-DUALITY.P1] [ESL-12.13]."""
    m, alpha, beta, beta0, _ = case
    K = gram(RATIONAL, Linear(), m.K.X)
    primal = soft.primal_objective(beta @ beta, values_at(m, beta, beta0), m.y, m.costs)
    assert soft.dual_objective(alpha, m.y, K) <= primal


@given(feasible())
def test_the_gap_is_the_sum_of_the_complementarity_products(case):
    """P − D = Σ (C−α)[1−yf]₊ + α[yf−1]₊ at β = Σαyx, for any β₀  [SVC-L1-NORM.P2] [ESL-12.14] [ESL-12.15]."""
    m, alpha, _, beta0, _ = case
    beta = conditions.weights(alpha, m.y, m.K.X)
    f = values_at(m, beta, beta0)
    K = gram(RATIONAL, Linear(), m.K.X)
    gap = soft.primal_objective(beta @ beta, f, m.y, m.costs) - soft.dual_objective(alpha, m.y, K)
    terms = [(c - a) * max(1 - t * v, 0) + a * max(t * v - 1, 0) for a, c, t, v in zip(alpha, m.costs, m.y, f)]
    assert gap == sum(terms) and gap >= 0


@given(feasible(), st.data(), st.fractions(0, 1))
def test_the_dual_is_concave(case, data, t):
    """L_D lies above its chord by ½t(1 − t)‖Σ(α − α′)yx‖²: concave, not convex
    [SVC-L1-DUAL.P3] [EX-MMST-11.11] [MMST-Ex11.11] [ERR-MMST-02]."""
    m, alpha, *_ = case
    other = data.draw(vectors(len(m.y)))
    K = gram(RATIONAL, Linear(), m.K.X)
    between = alpha * t + other * (1 - t)
    chord = t * soft.dual_objective(alpha, m.y, K) + (1 - t) * soft.dual_objective(other, m.y, K)
    apart = conditions.weights(alpha - other, m.y, m.K.X)
    assert soft.dual_objective(between, m.y, K) - chord == t * (1 - t) * (apart @ apart) / 2 >= 0


@given(feasible())
def test_the_signed_problem_is_the_dual_turned(case):
    """The quadratic problem's objective at a = yα is −L_D(α), and its box is the box  [ESL-12.13] [RC-1]."""
    m, alpha, *_ = case
    K = gram(RATIONAL, Linear(), m.K.X)
    problem = m.dual().problem()
    signed = alpha.times(m.y)
    assert quadratic.objective(problem, signed) == -soft.dual_objective(alpha, m.y, K)
    assert all(
        (lo is None or lo <= a) and (hi is None or a <= hi) for a, lo, hi in zip(signed, problem.lower, problem.upper)
    )
    assert signed.sum() == problem.d[0] == 0


@given(feasible())
def test_squared_slack_adds_to_the_diagonal(case):
    """The 2-norm dual is 1ᵀα − ½αᵀ(H + I/(2C))α, at which ξ = α/(2C)  [SVC-L2.P3] [MMST-Ex11.3c] [EX-MMST-11.3c]."""
    m, alpha, *_ = case
    K = gram(RATIONAL, Linear(), m.K.X)
    two = soft.Machine(m.K, m.y, m.costs, squared=True)
    shifted = Matrix([two.dual().problem().Q.row(i) for i in range(len(m.y))])
    plain = soft.dual_objective(alpha, m.y, K)
    assert soft.dual_objective(alpha, m.y, shifted) == plain - sum(a * a / (4 * c) for a, c in zip(alpha, m.costs))
    assert two.dual().problem().Q.diagonal() == shifted.diagonal()


def two_points(C, squared=False):
    return machine([[1], [-1]], [1, -1], C, squared)


@pytest.mark.parametrize("C", [Q(1, 10), Q(1, 3), Q(49, 100)])
def test_two_points_under_a_small_cost_leave_the_intercept_open(C):
    """x = ±1, C < ½: α = (C, C), and β₀ is anything in [−(1−2C), 1−2C]  [SVC-L1-BIAS.P2] [M-X1] [ISML-27.4]."""
    m = two_points(C)
    assert soft.intercept_interval(m, Vector([C, C])) == (-(1 - 2 * C), 1 - 2 * C)


def test_two_points_under_a_large_cost_fix_the_intercept():
    """x = ±1, C ≥ ½: α = (½, ½), β = 1, β₀ = 0  [M-X1] [ESL-12.2.1-intercept]."""
    m = two_points(Q(1))
    alpha = Vector([Q(1, 2), Q(1, 2)])
    assert soft.intercept_interval(m, alpha) == (0, 0)
    assert conditions.weights(alpha, m.y, m.K.X) == Vector([Q(1)])
    assert soft.decision_values(m, alpha, Q(0)) == Vector([Q(1), Q(-1)])


def test_a_point_without_cost_has_no_say_in_the_intercept():
    """C₃ = 0 takes the point out of the problem and out of the interval  [SVC-COST-I.P2] [KIM-3.3-costs]."""
    m = machine([[1], [-1], [50]], [1, -1, -1], [1, 1, 0])
    assert soft.intercept_interval(m, Vector([Q(1, 2), Q(1, 2), Q(0)])) == (0, 0)
    assert m.dual().problem().upper[2] == m.dual().problem().lower[2] == 0


def test_an_infinite_cost_forbids_slack():
    """The primal has no value where a point of infinite cost has slack  [SVC-HARD-DUAL.P1] [ESL-12.8]."""
    m = two_points(None)
    assert soft.primal_objective(Q(1), Vector([Q(1), Q(0)]), m.y, m.costs) is None
    assert soft.primal_objective(Q(1), Vector([Q(1), Q(-1)]), m.y, m.costs) == Q(1, 2)
    assert m.dual().problem().upper == (None, 0)


def test_one_class_bounds_the_intercept_from_one_side_only():
    """Without points of both classes there is no interval, and that is said  [GAP-6]."""
    with pytest.raises(InvalidInput, match="points of both classes"):
        soft.intercept_interval(machine([[1], [2]], [1, 1]), Vector([Q(0), Q(0)]))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_dual_costs_n_squared_and_nine_n_multiplications(n):
    """The Cost line of dual_objective is an equality  [ESL-12.13]."""
    v = Vector(map(Counted, range(1, n + 1)))
    K = Matrix([[Counted(1)] * n] * n)
    with counting() as c:
        soft.dual_objective(v, v, K)
    assert c.multiply == n * n + 9 * n
