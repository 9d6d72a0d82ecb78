"""Problems in blocks: the exact minimum over a block, optimality, and the same as the one quadratic problem."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.quadratic import certificate as quadratic
from tests.numbers import COUNTED, counting
from tests.optimise.groups import problems
from tests.profiles import examples
from tests.strategies import fractions

ends = st.one_of(st.none(), st.builds(Q, st.integers(0, 4), st.integers(1, 2)))


@given(st.data())
def test_the_minimum_over_a_block_meets_every_condition(data):
    """Σ z = 0, z ≤ upper, az + b + ν = 0 below the bounds and ≤ 0 at them: by sorting, exactly  [RC-31]."""
    size = data.draw(st.integers(1, 6))
    b = data.draw(st.lists(fractions, min_size=size, max_size=size))
    upper = data.draw(st.lists(ends, min_size=size, max_size=size))
    a = data.draw(st.builds(Q, st.integers(1, 5), st.integers(1, 3)))
    z = zero_sum.minimum(a, b, upper)
    assert sum(z) == 0 and all(u is None or v <= u for v, u in zip(z, upper))
    assert zero_sum.violation([a * v + w for v, w in zip(z, b)], z, upper) == 0


@given(st.data())
def test_without_curvature_the_minimum_is_a_vertex_or_absent(data):
    """a = 0: a linear programme; it has no minimum where an unbounded variable is not the dearest  [RC-31]."""
    size = data.draw(st.integers(1, 5))
    b = data.draw(st.lists(st.integers(-1, 1).map(Q), min_size=size, max_size=size))
    upper = data.draw(st.lists(ends, min_size=size, max_size=size))
    z = zero_sum.minimum(Q(0), b, upper)
    if z is None:
        assert any(u is None and v < max(b) for v, u in zip(b, upper))
    else:
        assert sum(z) == 0 and all(u is None or v <= u for v, u in zip(z, upper))
        assert zero_sum.violation(b, z, upper) == 0


def test_bounds_below_zero_are_made_up_for_by_others():
    """What a bound takes away, the other variables of the block get  [RC-31]."""
    assert zero_sum.minimum(Q(1), [Q(0), Q(0), Q(0)], [Q(-2), None, Q(1, 2)]) == [-2, Q(3, 2), Q(1, 2)]
    assert zero_sum.minimum(Q(0), [Q(0), Q(0)], [Q(-2), None]) == [-2, 2]


def test_the_minimum_over_a_block_costs_two_multiplications_a_variable():
    """2K multiplications and K divisions and a few more, for K = 5 with all bounds met but one  [RC-31]."""
    b = [COUNTED.lift(v) for v in (0, 1, 2, 3, 4)]
    upper = [COUNTED.lift(0)] * 5
    with counting() as c:
        zero_sum.minimum(COUNTED.lift(1), b, upper)
    assert c.multiply <= 2 * len(b) and c.divide <= 2 * len(b)


@settings(deadline=None, max_examples=examples(40))
@given(problems(bounded=True))
def test_it_is_the_one_quadratic_problem(problem):
    """Its optimum there meets the conditions here, with one value, gap 0 and the multipliers of its gradient
    [ISML-27.2-qp]."""
    found = active_set.solve(problem.quadratic(), convex=True)
    n, size = problem.n, problem.size
    x = [found.x[k * n : (k + 1) * n] for k in range(size)]
    g = zero_sum.gradient(problem, x)
    assert all(not zero_sum.violation(*block) for block in zip(zip(*g), zip(*x), zip(*problem.upper)))
    assert zero_sum.objective(problem, x, g) == quadratic.objective(problem.quadratic(), found.x)
    proof = zero_sum.certify(problem, zero_sum.answer(problem, x, g, 0))
    assert (proof.status, proof.gap) == ("optimal", 0)


def test_the_repeated_matrix_stores_nothing_and_is_the_whole():
    """Q on the diagonal, once for each variable of a block  [ISML-27.2-qp]."""
    A = Matrix([[Q(1), Q(2)], [Q(2), Q(5)]])
    R = zero_sum.Repeated(A, 2, Q(0))
    assert [list(R.row(i)) for i in range(len(R))] == [[1, 2, 0, 0], [2, 5, 0, 0], [0, 0, 1, 2], [0, 0, 2, 5]]
    assert list(R.diagonal()) == [1, 5, 1, 5]


def test_a_violation_is_the_gain_of_the_best_exchange():
    """max g − min of g among those that can rise; nothing can rise: none  [RC-31]."""
    assert zero_sum.violation([Q(1), Q(3), Q(0)], [Q(0)] * 3, [Q(0), Q(0), Q(1)]) == 3
    assert zero_sum.violation([Q(1), Q(3), Q(0)], [Q(0)] * 3, [Q(1), Q(0), Q(0)]) == 2
    assert zero_sum.violation([Q(1), Q(3)], [Q(0)] * 2, [Q(0), Q(0)]) == 0


def test_shapes_that_do_not_fit_are_refused():
    """Bounds or c of another length, and bounds that no block with sum zero meets  [ISML-27.2-qp]."""
    K, c = Matrix([[Q(1)]]), (Vector([Q(0)]), Vector([Q(0)]))
    with pytest.raises(InvalidInput):
        zero_sum.Problem(K, c, ((Q(0),),))
    with pytest.raises(InvalidInput):
        zero_sum.Problem(K, (Vector([Q(0), Q(1)]), Vector([Q(0)])), ((Q(0),), (Q(0),)))
    with pytest.raises(NoAnswer):
        zero_sum.Problem(K, c, ((Q(0),), (Q(-1),)))
