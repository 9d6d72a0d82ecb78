"""From an approximate answer of a problem in blocks to the exact one: any answer will do, only the way gets longer."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.optimise.active_set import crossover
from refclass.optimise.multiclass import block_sums, zero_sum, zero_sum_crossover
from tests.optimise.groups import cast, clouds, dual, gaussian, linear, problems
from tests.profiles import examples


def columns(problem, x):
    """The point class by class."""
    n = problem.n
    return [x[k * n : (k + 1) * n] for k in range(problem.size)]


@settings(deadline=None, max_examples=examples(25))
@given(problems(bounded=True))
def test_what_the_iteration_in_doubles_ends_at_is_made_exact(problem):
    """Gap 0 on rational problems of every kind  [MC-CS-DUAL.P1] [ISML-27.2-qp]."""
    rough = columns(problem, block_sums.solve(cast(problem, float)).x)
    proof = zero_sum_crossover.certify(problem, zero_sum_crossover.solve(problem, rough))
    assert (proof.status, proof.gap) == ("optimal", 0)


@settings(deadline=None, max_examples=examples(15))
@given(problems(bounded=True), st.data())
def test_a_wrong_guess_costs_steps_and_never_the_answer(problem, data):
    """From any point whatever, and from none  [ISML-27.2-qp]."""
    guess = [[data.draw(st.sampled_from([0.0, -1.0, 0.5])) for _ in range(problem.n)] for _ in range(problem.size)]
    for x in (guess, None):
        proof = zero_sum_crossover.certify(problem, zero_sum_crossover.solve(problem, x))
        assert (proof.status, proof.gap) == ("optimal", 0)


def test_binary64_values_of_a_kernel_are_solved_exactly_at_once(monkeypatch):
    """Sixty points, a Gaussian kernel as the machine holds it: the first guess is right, nothing iterations
    [MC-CS-KERNEL]."""
    monkeypatch.setattr(crossover, "solve", None)
    X, labels = clouds(60, 3)
    problem = dual(gaussian(X, 0.5), labels, 3, 1.0)
    exact = cast(problem, Q)
    found = zero_sum_crossover.solve(exact, columns(problem, block_sums.solve(problem).x))
    x = columns(exact, found.x)
    g = zero_sum.gradient(exact, x)
    assert zero_sum_crossover.optimal(exact, x, g) and all(sum(block) == 0 for block in zip(*x))
    assert not zero_sum_crossover.optimal(exact, [[v / 2 for v in part] for part in x], g)


def test_dependent_exchanges_keep_what_they_are():
    """Every point twice: between two optima that share multipliers otherwise lies another one, and it is found
    [RC-31] [ISML-27.2-qp]."""
    X, labels = [(1, 0), (2, 1), (0, 1), (1, 1), (3, 0)] * 2, [0, 1, 2, 0, 1] * 2
    problem = dual(linear(X, Q), labels, 3, 1, kind=Q)
    x = columns(problem, zero_sum_crossover.solve(problem).x)
    other = [own[5:] + own[:5] for own in x]
    between = [[(3 * a + b) / 4 for a, b in zip(own, swapped)] for own, swapped in zip(x, other)]
    found = zero_sum_crossover.solved(problem, between)
    assert x != other and zero_sum_crossover.optimal(problem, *found)
    assert found[0] not in (x, other)


def test_a_face_without_an_optimum_is_left_to_the_general_method():
    """Points in the plane, everything loose: what is stationary is not feasible  [ISML-27.2-qp]."""
    X, labels = [(1, 0), (2, 1), (0, 1), (1, 1), (3, 0)], [0, 1, 2, 0, 1]
    problem = dual(linear(X, Q), labels, 3, 1, kind=Q)
    free = [[0.5 if g == k else -0.25 for g in labels] for k in range(3)]
    assert not zero_sum_crossover.optimal(problem, *zero_sum_crossover.solved(problem, free))
    assert zero_sum_crossover.certify(problem, zero_sum_crossover.solve(problem, free)).gap == 0


def test_the_reduced_matrix_has_twice_the_diagonal_of_the_whole():
    """An exchange changes two variables of its block  [RC-31]."""
    Q_ = Matrix([[Q(2), Q(1)], [Q(1), Q(5)]])
    R = zero_sum_crossover.Reduced(Q_, [(0, 1), (1, 2), (1, 0)], {0: 0, 1: 1})
    assert list(R.diagonal()) == [R.row(v)[v] for v in range(len(R))] == [4, 10, 10]
    assert all(R.row(v)[w] == R.row(w)[v] for v in range(3) for w in range(3))


def test_an_unbounded_problem_is_refused_with_a_ray():
    """A hard margin for the origin  [ISML-27.5-hard]."""
    problem = dual(Matrix([[Q(0)]]), [0], 2, None, kind=Q)
    with pytest.raises(NoAnswer) as refusal:
        zero_sum_crossover.solve(problem)
    assert list(refusal.value.witness["ray"]) == [1, -1]
