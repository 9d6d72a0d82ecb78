"""The active-set method as its book states it; tests/laws tries it on every kind of problem."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import primal
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import machines, outcome, quadratics
from tests.profiles import examples

F = Fraction


def test_the_example_of_the_book_takes_its_iterates():
    """Nocedal and Wright's example 16.4: from (2, 0) to (1, 0), (1, 3/2) and the minimum (7/5, 17/10)
    [ISML-27.2-qp]."""
    Q, c = Matrix([[F(2), F(0)], [F(0), F(2)]]), Vector([F(-2), F(-5)])
    G, h = Matrix([[F(-1), F(2)], [F(1), F(2)], [F(1), F(-2)]]), Vector([F(2), F(6), F(2)])
    problem = Problem(Q, c, (F(0), F(0)), (None, None), G=G, h=h)
    path = [tuple(s.x) for s in primal.steps(problem, start=Vector([F(2), F(0)]))]
    assert path[0] == (2, 0) and path[-1] == (F(7, 5), F(17, 10))
    assert (1, 0) in path


@settings(max_examples=examples(40))
@given(quadratics())
def test_page_and_engine_come_to_the_same_minimum_or_refusal(problem):
    """The value, or the reason why there is none, is that of `active_set.solver` [OPT-QP.P2]."""
    assert outcome(primal.solve, problem) == outcome(active_set.solve, problem)


@settings(max_examples=examples(40))
@given(machines())
def test_no_working_set_comes_back_while_the_iterate_stands_still(problem):
    """Bland's rule: between two moves every working set is another [OPT-QP.P1]."""
    seen, x = set(), None
    try:
        for state in primal.steps(problem):
            if state.x != x:
                seen, x = set(), state.x
            assert frozenset(state.working) not in seen
            seen.add(frozenset(state.working))
    except NoAnswer:
        pass


def test_what_cannot_be_done_is_refused():
    """A start of another length, and more steps than are allowed."""
    problem = Problem(Matrix([[F(2)]]), Vector([F(-2)]), (F(0),), (None,))
    with pytest.raises(InvalidInput, match="length"):
        primal.solve(problem, start=Vector([F(0), F(0)]))
    with pytest.raises(NotConverged) as refusal:
        primal.solve(problem, max_steps=1)
    assert refusal.value.witness["x"] == Vector([F(0)])
