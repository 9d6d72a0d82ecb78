"""The optimality conditions of the quadratic problem, and the proof of an answer."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import exact_data
from refclass.optimise.quadratic.problem import Answer, Problem
from tests.laws.solvers import cast, machine, quadratics
from tests.optimise import enumeration
from tests.strategies import positive

F = Fraction
# min x² + y² − 2x − 4y on the segment x + y = 1, 0 ≤ x ≤ ½, 0 ≤ y: at (0, 1), ν = 2.
PAPER = Problem(
    Matrix([[F(2), F(0)], [F(0), F(2)]]),
    Vector([F(-2), F(-4)]),
    (0, 0),
    (F(1, 2), None),
    Matrix([[F(1), F(1)]]),
    Vector([F(1)]),
)
ANSWER = Answer(Vector([F(0), F(1)]), Vector([F(2)]), None, Vector([F(0), F(0)]), Vector([F(0), F(0)]))


def solved(problem):
    """Return the minimum of a problem, None without one."""
    try:
        return active_set.solve(problem)
    except ArithmeticError:
        return None


def test_a_problem_on_paper_is_proven_optimal():
    """At (0, 1) with ν = 2 all conditions hold, and primal and dual are −3 [KIM-3.6]."""
    proof = quadratic.certify(PAPER, ANSWER)
    assert (proof.status, proof.primal, proof.dual, proof.gap, proof.where) == ("optimal", -3, -3, 0, "")
    assert proof.premise == ""


WRONG = [
    ("lower bound, variable 0", {"x": Vector([F(-1, 8), F(9, 8)])}, F(1, 8)),
    ("upper bound, variable 0", {"x": Vector([F(9, 8), F(-1, 8)])}, F(5, 8)),
    ("equality, row 0", {"x": Vector([F(0), F(2)])}, F(1)),
    ("sign of at_lower, variable 1", {"at_lower": Vector([F(0), F(-1, 9)])}, F(1, 9)),
    ("sign of at_upper, variable 0", {"at_upper": Vector([F(-1, 9), F(0)])}, F(1, 9)),
    ("stationarity, variable 0", {"nu": Vector([F(2) + F(1, 10**9)])}, F(1, 10**9)),
    ("complementarity of the lower bound, variable 1", {"at_lower": Vector([F(0), F(1, 7)])}, F(1, 7)),
    ("complementarity of the upper bound, variable 1", {"at_upper": Vector([F(0), F(1, 7)])}, F(1, 7)),
]


@pytest.mark.parametrize("where, change, amount", WRONG, ids=[w for w, _, _ in WRONG])
def test_each_condition_that_fails_is_measured_under_its_own_name(where, change, amount):
    """Bounds, equalities, signs, stationarity, complementarity: a wrong number shows in the residual named after it."""
    name, _, place = where.rpartition(", ")
    assert quadratic.residuals(PAPER, replace(ANSWER, **change))[name] == (amount, int(place.split()[1]))


@given(st.sampled_from(WRONG))
def test_whatever_fails_is_never_called_optimal(wrong):
    """A status other than "optimal" and a violation at least as large as the one planted."""
    _, change, amount = wrong
    proof = quadratic.certify(PAPER, replace(ANSWER, **change))
    assert proof.status != "optimal" and proof.worst_violation >= amount and proof.where


def test_inequalities_have_residuals_of_their_own():
    """Gx ≤ h broken, μ negative, and μ without a tight row are each named."""
    p = Problem(Matrix([[F(2)]]), Vector([F(-2)]), (None,), (None,), G=Matrix([[F(1)]]), h=Vector([F(1, 2)]))
    zero = Vector([F(0)])
    right = Answer(Vector([F(1, 2)]), None, Vector([F(1)]), zero, zero)
    assert quadratic.certify(p, right).status == "optimal"
    residuals = quadratic.residuals(p, replace(right, x=Vector([F(1)])))
    assert residuals["inequality"] == (F(1, 2), 0) and residuals["complementarity of G"] == (F(1, 2), 0)
    assert quadratic.residuals(p, replace(right, mu=Vector([F(-1, 3)])))["sign of μ"] == (F(1, 3), 0)


def test_a_multiplier_one_in_a_billion_off_is_seen():
    """A float answer moved by 1e-9 has a worst violation of about that, exactly."""
    K = [[0.0], [1.0], [3.0], [4.0]]
    p = machine(K, [0, 0, 1, 1], [1, 1, 1, 1], kind=float)
    good = active_set.solve(p)
    moved = replace(good, x=Vector([good.x[0] + 1e-9, *good.x[1:]]))
    assert quadratic.certify(p, good).worst_violation < 1e-15
    assert 0.9e-9 < quadratic.certify(p, moved).worst_violation < 1e-8


@given(quadratics())
def test_multipliers_read_off_the_gradient_complete_an_answer(problem):
    """From x, ν and μ alone the multipliers of the bounds follow, and the proof is the same [SVC-DUALITY.P1]."""
    found = solved(problem)
    if found is not None:
        completed = exact_data.answer(problem, found.x, found.nu, found.mu)
        assert quadratic.certify(problem, completed).status == "optimal"


@given(quadratics(), st.data())
def test_at_a_feasible_point_the_gap_is_the_sum_of_the_slacks_with_their_multipliers(problem, data):
    """primal − dual = μᵀ(h − Gx) + aᵀ(x − lower) + bᵀ(upper − x) ≥ 0 where stationarity holds [SVC-DUALITY.P1]."""
    found = solved(problem)
    if found is None:
        return
    numbers = st.builds(F, st.integers(-2, 2))
    nu = found.nu and Vector([v + data.draw(numbers) for v in found.nu])
    mu = found.mu and Vector([abs(v + data.draw(numbers)) for v in found.mu])
    trial = exact_data.answer(problem, found.x, nu, mu)
    if quadratic.residuals(problem, trial)["stationarity"][0]:
        return
    below = sum(a * (v - low) for a, v, low in zip(trial.at_lower, trial.x, problem.lower) if a)
    above = sum(b * (high - v) for b, v, high in zip(trial.at_upper, trial.x, problem.upper) if b)
    slack = mu @ (problem.h - problem.G @ trial.x) if mu else 0
    proof = quadratic.certify(problem, trial)
    assert proof.gap == below + above + slack and proof.gap >= 0


@given(quadratics(), st.lists(positive, min_size=4, max_size=4))
def test_a_float_answer_is_judged_at_its_exact_value(problem, values):
    """Rounding a problem and its answer to doubles first changes nothing about how they are judged."""
    rounded = cast(problem, float)
    x = Vector([float(v) for v in values[: problem.n]])
    nu = rounded.d and Vector([0.5] * len(rounded.d))
    mu = rounded.h and Vector([0.25] * len(rounded.h))
    trial = exact_data.answer(rounded, x, nu, mu)
    exact = Answer(*(v and Vector(map(F, v)) for v in (trial.x, nu, mu, trial.at_lower, trial.at_upper)))
    ours, theirs = quadratic.certify(rounded, trial), quadratic.certify(cast(rounded, F), exact)
    assert (ours.primal, ours.worst_violation, ours.where) == (theirs.primal, theirs.worst_violation, theirs.where)


def test_without_convexity_an_answer_is_stationary_at_best():
    """min −½x² on [−1, 1]: x = 0 meets every condition and is no minimum [ERR-ISML-05]."""
    p = Problem(Matrix([[F(-1)]]), Vector([F(0)]), (-1,), (1,))
    zero = Vector([F(0)])
    proof = quadratic.certify(p, Answer(zero, None, None, zero, zero))
    assert (proof.status, proof.dual, proof.gap) == ("stationary", None, None)


def test_convexity_that_is_not_decided_is_named_as_a_premise():
    """Above thirty variables nobody factors Q: the proof says what it takes for granted, or takes the caller's word."""
    n = 31
    p = Problem(Matrix.identity(n, F), Vector([F(0)] * n), (None,) * n, (None,) * n)
    zero = Vector([F(0)] * n)
    at = Answer(zero, None, None, zero, zero)
    assert "semidefinite" in quadratic.certify(p, at).premise
    assert quadratic.certify(p, at, convex=True).premise == ""


@pytest.mark.parametrize("name", ["x", "at_lower", "nu"])
def test_lengths_that_do_not_fit_are_refused(name):
    """An answer to another problem is not judged."""
    with pytest.raises(InvalidInput):
        quadratic.certify(PAPER, replace(ANSWER, **{name: Vector([F(0)] * 3)}))


def test_missing_multipliers_are_refused():
    """Equalities without ν cannot be judged."""
    with pytest.raises(InvalidInput):
        quadratic.certify(PAPER, replace(ANSWER, nu=None))


@given(quadratics(most=3))
def test_the_dual_bound_holds_even_at_points_that_are_not_feasible(problem):
    """From zero, feasible or not, with no multipliers, no feasible value is lower than the bound [ISML-27.2-maxmin]."""
    found = solved(problem)
    if found is None:
        return
    none = [v and Vector([F(0)] * len(v)) for v in (problem.d, problem.h)]
    trial = exact_data.answer(problem, Vector([F(0)] * problem.n), *none)
    if not quadratic.residuals(problem, trial)["stationarity"][0]:
        assert quadratic.dual(problem, trial) <= quadratic.objective(problem, enumeration.solve(problem).x)
