"""The primal active-set method."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, machine, outcome, quadratics
from tests.optimise.gram import clouds, gaussian, trained_on
from tests.strategies import fractions

F = Fraction


@given(quadratics(), st.lists(fractions, min_size=4, max_size=4))
def test_every_start_leads_to_the_same_value(problem, values):
    """A start that is not feasible is first made so."""
    start = Vector(values[: problem.n])
    assert outcome(lambda p: active_set.solve(p, start=start), problem) == outcome(active_set.solve, problem)


@given(quadratics())
def test_the_minimum_is_where_it_starts_when_it_starts_there(problem):
    """From the optimum with its free variables no step has a length: x stays, and only multipliers are found."""
    try:
        answer = active_set.solve(problem)
    except NoAnswer:
        return
    free = [
        i
        for i, (v, low, high) in enumerate(zip(answer.x, problem.lower, problem.upper))
        if (low is None or v > low) and (high is None or v < high)
    ]
    again = active_set.solve(problem, start=answer.x, free=free)
    assert again.x == answer.x


@given(quadratics())
def test_states_fall_from_the_start_to_the_answer(problem):
    """The first state is feasible, each state begins where the one before ended, and the last is the answer."""
    try:
        states = list(active_set.steps(problem))
    except NoAnswer:
        return
    assert all(b.previous == a.objective for a, b in zip(states, states[1:]))
    assert states[-1].x == active_set.solve(problem).x and states[0].event == "start"


def broken(state, **change):
    """Return whether a state with a change fails its own check."""
    with pytest.raises(AssertionError):
        replace(state, **change).check()
    return True


def test_a_state_notices_what_it_must_not_be():
    """Out of bounds, off a row, another value, a rise: each is an assertion of `check`."""
    states = list(active_set.steps(machine([[-1], [1], [3]], [0, 1, 1], [F(1)] * 3)))
    last = states[-1]
    last.check()
    assert broken(last, x=Vector([F(-2), F(2), F(0)])) and broken(last, x=Vector([F(-1), F(0), F(0)]))
    assert broken(last, objective=last.objective + 1) and broken(last, previous=last.objective - 1)


def test_a_concave_problem_is_refused_unless_the_caller_vouches():
    """With the caller's word the iteration goes to a stationary point, which the proof does not call optimal."""
    problem = Problem(Matrix([[F(-1)]]), Vector([F(1, 4)]), (-1,), (1,))
    with pytest.raises(NoAnswer):
        active_set.solve(problem)
    answer = active_set.solve(problem, convex=True)
    assert answer.x == (-1,) and quadratic.certify(problem, answer).status == "stationary"


def test_a_concave_ray_is_refused_even_then():
    """−x² without bounds falls for ever: the direction is the witness."""
    problem = Problem(Matrix([[F(-1)]]), Vector([F(1)]), (None,), (None,))
    with pytest.raises(NoAnswer) as refusal:
        active_set.solve(problem, convex=True)
    assert refusal.value.witness["direction"] == (-1,)


def test_a_start_of_another_length_is_refused():
    """Two numbers are no point of a problem in one variable."""
    with pytest.raises(InvalidInput):
        active_set.solve(Problem(Matrix([[F(1)]]), Vector([F(1)]), (None,), (None,)), start=Vector([F(1), F(1)]))


def test_a_separable_machine_without_bounds_is_solved_and_another_refused_with_the_shared_point():
    """Hard margin of ±1: α = (½, ½); of −1, 1 against 0: a point that both hulls share [SVC-HARD-DUAL.P2]."""
    assert list(active_set.solve(machine([[-1], [1]], [0, 1], [None] * 2)).x) == [F(-1, 2), F(1, 2)]
    with pytest.raises(NoAnswer) as refusal:
        active_set.solve(machine([[-1], [1], [0]], [0, 0, 1], [None] * 3))
    left, right, middle = refusal.value.witness["ray"]
    assert left == right < 0 and middle == -2 * left


@pytest.mark.parametrize("degree, C", [(1, 1), (1, 100), (2, 1), (3, 10)])
def test_sixty_points_are_trained_exactly(degree, C):
    """Six-digit data, kernel (1 + ⟨x, z⟩)^d: a gap of exactly 0 and every condition with == [SVC-DUALITY.P1]."""
    X, labels = clouds(60, digits=6)
    rows = [[F(str(v)) for v in x] for x in X]
    K = Matrix([[(sum(u * v for u, v in zip(x, z)) + int(degree > 1)) ** degree for z in rows] for x in rows])
    problem = trained_on(K, labels, C, F)
    answer = active_set.solve(problem, convex=True)
    proof = quadratic.certify(problem, answer, convex=True)
    assert (proof.status, proof.gap, proof.worst_violation) == ("optimal", 0, 0)


def gap_in_roundoff(problem, answer):
    """Return the exact gap in units of what the sums may lose."""
    proof = quadratic.certify(problem, answer, convex=True)
    total = float(sum(map(abs, answer.x)))
    return float(abs(proof.gap)) / (2.0**-52 * total * (1 + total))


@pytest.mark.parametrize("C", [1.0, 100.0, 1e4])
def test_a_gram_matrix_that_is_singular_to_the_machine_is_no_obstacle(C):
    """A wide Gaussian kernel on a line: eigenvalues far below roundoff, and the gap is roundoff all the same."""
    X, labels = clouds(80, p=1)
    problem = trained_on(gaussian(X, 0.05), labels, C)
    assert gap_in_roundoff(problem, active_set.solve(problem, convex=True)) < 30


def test_every_state_of_a_long_iteration_in_doubles_passes_its_check():
    """Feasible and falling, up to roundoff, over a hundred steps."""
    X, labels = clouds(60)
    problem = trained_on(gaussian(X), labels, 10.0)
    for state in active_set.steps(problem, convex=True):
        state.check()


def test_decimals_carry_the_answer_to_their_own_roundoff():
    """Forty digits: the gap is below 10⁻³⁶."""
    X, labels = clouds(16)
    kind = decimal(40).lift
    problem = cast(trained_on(gaussian(X), labels, 10.0), kind)
    proof = quadratic.certify(problem, active_set.solve(problem), convex=True)
    assert abs(proof.gap) < F(1, 10**36) and proof.worst_violation < F(1, 10**36)


def test_rows_of_q_are_asked_for_free_variables_and_their_drivers_only():
    """A machine of eighty points never requires the row of a point that is never freed."""
    X, labels = clouds(80)
    K = gaussian(X)
    asked = set()

    class Rows:
        def __len__(self):
            return len(K)

        def diagonal(self):
            return K.diagonal()

        def row(self, i):
            asked.add(i)
            return K[i]

    problem = replace(trained_on(K, labels, 1.0), Q=Rows())
    moved = {i for s in active_set.steps(problem, convex=True) for i, v in enumerate(s.x) if v}
    assert asked >= moved and len(asked - moved) <= 2 and len(asked) < 60


def test_running_out_of_steps_carries_the_best_point():
    """The witness holds a feasible point and the gap that is left."""
    X, labels = clouds(30)
    problem = trained_on(gaussian(X), labels, 1.0)
    with pytest.raises(NotConverged) as refusal:
        active_set.solve(problem, max_steps=5, convex=True)
    assert refusal.value.witness["gap"] > 0 and len(refusal.value.witness["x"]) == 30


def test_a_divisor_that_roundoff_makes_zero_is_a_refusal():
    """Where cancellation leaves zero for a divisor, the method has not converged, and says so."""

    class Lost:
        taken = 3

        def __iter__(self):
            raise ZeroDivisionError

    with pytest.raises(NotConverged) as caught:
        active_set.ended(Lost())
    assert caught.value.witness["steps"] == 3


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_steps_along_the_roundoff_of_a_singular_matrix_are_a_refusal(seed):
    """A hard margin of nearly equal points: without the bound xᵀQx ≥ 0 the steps go on, thousands of them."""
    r = random.Random(seed)
    rows = [[1 + r.gauss(0, 1) / 10**6 for _ in range(3)] for _ in range(30)]
    K = Matrix([[sum(a * b for a, b in zip(x, z)) for z in rows] for x in rows])
    with pytest.raises(NotConverged, match="xᵀQx ≥ 0 but for roundoff") as caught:
        active_set.solve(trained_on(K, [i % 2 for i in range(30)], None), convex=True)
    assert caught.value.witness["steps"] < 200 and len(caught.value.witness["x"]) == 30
