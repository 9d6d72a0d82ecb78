"""From an approximate answer to the exact optimum."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.optimise.active_set import crossover
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, machine, machines, outcome, quadratics
from tests.numbers import Strict
from tests.optimise.gram import clouds, gaussian, trained_on
from tests.strategies import doubles

F = Fraction


def proven(problem, answer):
    """Return whether the exact proof is without a gap or a violation."""
    proof = quadratic.certify(problem, answer, convex=True)
    return (proof.status, proof.gap, proof.worst_violation) == ("optimal", 0, 0)


@given(quadratics(), st.lists(doubles, min_size=4, max_size=4))
def test_whatever_answer_is_given_the_exact_optimum_is_returned(problem, values):
    """Nonsense, too, leads to the minimum, or to the refusal there is."""
    x = values[: problem.n]
    assert outcome(lambda p: crossover.solve(p, x), problem) == outcome(active_set.solve, problem)


@given(machines(per_class=(2, 5)), st.integers(0, 10**6))
def test_a_machine_trained_roughly_is_finished_exactly(problem, seed):
    """An optimum with noise of a thousandth on every multiplier [SVC-DUALITY.P1]."""
    try:
        answer = active_set.solve(problem)
    except NoAnswer:
        return
    rng = Random(seed)
    x = [float(v) + rng.gauss(0, 1e-3) for v in answer.x]
    assert proven(problem, crossover.solve(problem, x))


@given(quadratics())
def test_every_exact_point_is_stationary_on_its_active_set(problem):
    """Solved or iterated, the working equations hold with ==."""
    try:
        for state in crossover.steps(problem):
            state.check()
            assert state.means in ("solved", "iterated")
    except NoAnswer:
        pass


def test_a_state_notices_what_it_must_not_be():
    """A point moved off its equations fails its check."""
    state = next(crossover.steps(machine([[-1], [1]], [0, 1], [F(1)] * 2)))
    state.check()
    moved = replace(state.answer, x=Vector([F(-1), F(1)]))
    with pytest.raises(AssertionError):
        replace(state, answer=moved).check()
    with pytest.raises(AssertionError):
        replace(state, free=(), answer=replace(moved, x=Vector([F(1), F(1)]))).check()


@given(quadratics(most=3))
def test_rounded_problems_are_refined_at_their_exact_values(problem):
    """The numbers of a float or decimal problem are rationals; the answer is exact for those, in fractions."""
    for number in (float, decimal(25).lift):
        rounded = cast(problem, number)
        try:
            answer = crossover.solve(rounded, convex=True)
        except NoAnswer:
            continue
        assert answer.x.kind is F and proven(rounded, answer)


@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_guess_is_led_to_the_optimum_in_fractions(seed, monkeypatch):
    """With any places declared free or tight, the exact steps still arrive: the guess is not believed."""
    X, labels = clouds(12, seed=seed)
    problem = trained_on(gaussian(X), labels, 1.0)
    rng = Random(seed)
    places = rng.sample(range(12), 4)
    start = Vector([F(0)] * 12)
    monkeypatch.setattr(crossover, "guess", lambda problem, x, F: (start, places))
    states = list(crossover.steps(problem, convex=True))
    assert states[-1].means == "iterated" and proven(problem, states[-1].answer)
    with pytest.raises(NotConverged, match="another active set in doubles and in decimals"):
        crossover.solve(problem, convex=True, max_steps=0)


def test_a_guess_that_cannot_be_solved_is_a_start():
    """Two copies of a point declared free make the equations singular; the iteration leaves one of them out."""
    problem = machine([[-1], [-1], [1]], [0, 0, 1], [F(5)] * 3)
    answer = crossover.solve(problem, [-0.25, -0.25, 0.5])
    assert proven(problem, answer) and quadratic.certify(problem, answer).unique["x"] is False


def test_numbers_beyond_the_range_of_doubles_are_refined_all_the_same():
    """10⁴⁰⁰ is no double; the guess is read off x itself, and the exact iteration does the rest."""
    huge = F(10) ** 400
    problem = Problem(Matrix([[huge]]), Vector([-huge / 3]), (0,), (1,))
    assert crossover.solve(problem, [0.3]).x == (F(1, 3),)


def test_a_problem_that_is_not_convex_is_refused():
    """The test of convexity is exact: −10⁻³⁰ is negative."""
    problem = Problem(Matrix([[F(-1, 10**30)]]), Vector([F(1)]), (0,), (1,))
    with pytest.raises(NoAnswer) as refusal:
        crossover.solve(problem)
    assert refusal.value.witness["direction"] == (1,)


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_negative_curvature_that_decimals_find_is_proven_without_an_iteration_in_fractions(seed, bounded):
    """Q = BBᵀ − 10⁻³⁰I, two equalities, of which one moves nothing; a direction that a bound ends proves nothing."""
    rng = Random(seed)
    B = Matrix([[F(rng.randint(-3, 3)) for _ in range(2)] for _ in range(5)])
    Q = Matrix([[F(dot(a, b)) - (F(1, 10**30) if i == j else 0) for j, b in enumerate(B)] for i, a in enumerate(B)])
    E = Matrix([[F(rng.randint(1, 9), 7) for _ in range(4)] + [F(0)], [F(0)] * 4 + [F(1)]])
    upper = (F(10**40),) * 4 if bounded else (None,) * 4
    lower = tuple(-v for v in upper) if bounded else upper
    problem = Problem(Q, Vector([F(-1), F(-2), F(1), F(3), F(0)]), (*lower, 0), (*upper, 1), E, Vector([F(0)] * 2))
    states = crossover.steps(problem, convex=True)
    if bounded:
        assert next(states).means in ("solved", "iterated")
        return
    with pytest.raises(NoAnswer) as refusal:
        next(states)
    p = refusal.value.witness["direction"]
    assert not any(E @ p) and dot(p, Q @ p) < 0


def test_the_answer_comes_in_the_kind_of_an_exact_problem():
    """Fractions stay fractions, and strict ones strict."""
    problem = machine([[-1], [1]], [0, 1], [F(1)] * 2)
    assert crossover.solve(problem).x.kind is F and crossover.solve(cast(problem, Strict)).x.kind is Strict


@pytest.mark.parametrize("n, p, C", [(200, 2, 1.0), (200, 2, 100.0)])
def test_two_hundred_points_with_a_gaussian_kernel_are_proven_exactly(n, p, C):
    """The Gram matrix as doubles hold it: free multipliers as long fractions, gap 0, every condition with ==."""
    X, labels = clouds(n, p)
    problem = trained_on(gaussian(X), labels, C)
    rough = active_set.solve(problem, convex=True)
    assert proven(problem, crossover.solve(problem, [round(v, 4) for v in rough.x], convex=True))


@pytest.mark.slow
def test_seventy_free_multipliers_are_found_exactly():
    """Two hundred points in ten dimensions, C = 100: seventy-odd free multipliers of some four thousand bits."""
    X, labels = clouds(200, 10)
    problem = trained_on(gaussian(X, 0.07), labels, 100.0)
    states = list(crossover.steps(problem, convex=True))
    assert len(states[-1].free) >= 60 and proven(problem, states[-1].answer)


@given(machines(per_class=(2, 5)))
def test_a_guess_is_the_exact_optimum_or_none(problem):
    """Nothing else, wherever it starts."""
    found = crossover.guessed(problem, [0.0] * problem.n)
    assert found is None or proven(problem, found)
