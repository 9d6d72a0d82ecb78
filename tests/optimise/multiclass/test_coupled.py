"""The centred problem: its plain form, its optimality conditions, its levels."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.multiclass import coupled, intercept_levels
from refclass.optimise.multiclass.coupled import Answer, Problem, State
from refclass.optimise.quadratic import certificate as quadratic
from tests.margins.columns import feasible, machines
from tests.profiles import examples
from tests.strategies import fractions, semidefinite, vectors

FEW = settings(max_examples=examples(15))


@st.composite
def problems(draw, n=3):
    """Problems with Gram matrices of any rank, costs of any sign, and bounds that may be zero."""
    m = draw(st.integers(2, 4))
    K = draw(semidefinite(n, draw(st.integers(1, n)), st.integers(-2, 2).map(Q)))
    upper = st.lists(st.sampled_from([Q(0), Q(1), Q(1, 2)]), min_size=n, max_size=n).map(Vector)
    c = tuple(draw(vectors(n)) for _ in range(m))
    return Problem(K, c, tuple(draw(upper) for _ in range(m)))


@FEW
@given(problems(), st.data())
def test_the_plain_form_has_the_same_objective_and_gradient(p, data):
    """½xᵀQx + cᵀx over the places is ½Σ(α_k − ᾱ)ᵀK(α_k − ᾱ) + Σc_kᵀα_k, and so are the slopes [MMST-11.104] [RC-29]."""
    if not p.places:
        return
    x = data.draw(vectors(len(p.places)))
    alpha, plain = p.spread(x), p.plain()
    mean = sum(alpha[1:], alpha[0]) / p.classes
    squares = sum((own - mean) @ (p.K @ (own - mean)) for own in alpha)
    value = squares / 2 + sum(a @ c for a, c in zip(alpha, p.c))
    assert p.objective(alpha) == quadratic.objective(plain, x) == value
    g = p.gradient(alpha)
    assert [g[k][i] for i, k in p.places] == list(quadratic.gradient(plain, x))
    assert Matrix([plain.Q.row(v) for v in range(len(x))]).diagonal() == plain.Q.diagonal()


@FEW
@given(problems())
def test_at_a_minimum_no_motion_lowers_the_objective(p):
    """The violation is zero, and the chosen levels part those that can rise from those that can fall [MMST-11.104]."""
    if not p.places:
        return
    alpha = p.spread(active_set.solve(p.plain(), convex=True).x)
    g = p.gradient(alpha)
    nu = coupled.choose(p, alpha, g)
    rise = [[v < top for v, top in zip(*pair)] for pair in zip(alpha, p.upper)]
    fall = [[v > 0 for v in own] for own in alpha]
    lows, highs = intercept_levels.ends([[-v for v in own] for own in g], rise, fall)
    assert intercept_levels.violation(lows, highs) == 0 == nu.sum()
    assert all((a is None or a <= v) and (b is None or v <= b) for v, a, b in zip(nu, lows, highs))
    assert coupled.certify(p, Answer(alpha, nu), convex=True).gap == 0


@FEW
@given(machines(), st.data())
def test_a_point_without_violation_is_a_minimum(m, data):
    """Zero violation at a feasible point is enough [MMST-11.104]."""
    p = m.problem()
    alpha = data.draw(feasible(m))
    g = p.gradient(alpha)
    rise = [[v < top for v, top in zip(*pair)] for pair in zip(alpha, p.upper)]
    ends = intercept_levels.ends([[-v for v in own] for own in g], rise, [[v > 0 for v in own] for own in alpha])
    best = p.objective(p.spread(active_set.solve(p.plain(), convex=True).x))
    assert (intercept_levels.violation(*ends) == 0) == (p.objective(alpha) == best)


ends = st.one_of(st.none(), fractions)


@st.composite
def boxes(draw):
    """Ends for two to five classes, in order, some absent, around a point that sums to zero."""
    m = draw(st.integers(2, 5))
    nu = draw(vectors(m))
    nu = nu - Vector([nu.sum() / m] * m)
    lows = [None if (a := draw(ends)) is None else v - abs(a) for v in nu]
    return lows, [None if (a := draw(ends)) is None else v + abs(a) for v in nu]


@given(boxes())
def test_levels_lie_within_their_ends_and_sum_to_zero(box):
    """Whatever ends are absent [RC-28]."""
    nu = intercept_levels.levels(*box, Q(0))
    assert sum(nu) == 0
    assert all((a is None or a <= v) and (b is None or v <= b) for v, a, b in zip(nu, *box))


@given(boxes(), st.data())
def test_tightened_ends_are_reached(box, data):
    """Each end, held, leaves module for the others; absent ends stay absent for a reason [RC-28]."""
    low, high = intercept_levels.tightened(*box)
    k = data.draw(st.integers(0, len(low) - 1))
    for end, far in ((low[k], Q(-100)), (high[k], Q(100))):
        held = far if end is None else end
        lows, highs = list(box[0]), list(box[1])
        lows[k] = highs[k] = held
        nu = intercept_levels.levels(lows, highs, Q(0))
        assert sum(nu) == 0 and nu[k] == held
        assert all((a is None or a <= v) and (b is None or v <= b) for v, a, b in zip(nu, *box))


@given(boxes(), st.data())
def test_levels_move_with_the_classes(box, data):
    """Permuting the ends permutes the levels [RC-28]."""
    order = data.draw(st.permutations(range(len(box[0]))))
    moved = [[side[j] for j in order] for side in box]
    nu = intercept_levels.levels(*box, Q(0))
    assert intercept_levels.levels(*moved, Q(0)) == [nu[j] for j in order]


@given(boxes())
def test_levels_without_all_ends_are_nearest_to_zero(box):
    """No feasible step of a pair brings them nearer to zero [RC-28]."""
    low, high = intercept_levels.tightened(*box)
    if intercept_levels.closed(low) and intercept_levels.closed(high):
        return
    nu = intercept_levels.levels(*box, Q(0))
    for j, (v, a) in enumerate(zip(nu, low)):
        for k, (w, b) in enumerate(zip(nu, high)):
            can = j != k and (a is None or v > a) and (b is None or w < b)
            assert not (can and v > w)


def test_levels_out_of_reach_come_near():
    """Ends that exclude a zero sum: what the sum lacks is divided; ends out of order count as their middle."""
    assert intercept_levels.levels([Q(1), Q(2)], [Q(3), None], Q(0)) == [Q(-1, 2), Q(1, 2)]
    assert intercept_levels.levels([None, None], [Q(-1), Q(-3)], Q(0)) == [Q(1), Q(-1)]
    assert intercept_levels.levels([Q(2), None], [Q(0), None], Q(0)) == [Q(1), Q(-1)]


def test_shapes_are_checked():
    """One class, other lengths, negative bounds are refused."""
    K, v = Matrix([[Q(1), Q(0)], [Q(0), Q(1)]]), Vector([Q(1), Q(1)])
    for c, upper, need in (
        ((v,), (v,), "two classes or more"),
        ((v, v), (v, Vector([Q(1)])), "2 numbers of kind Fraction"),
        ((v, v), (v, -v), "upper bounds ≥ 0"),
    ):
        with pytest.raises(InvalidInput, match=need):
            Problem(K, c, upper)


def test_a_state_that_is_not_feasible_is_caught():
    """`check` finds a point outside the box, uneven sums, a wrong value and a rise."""
    K, v = Matrix([[Q(1), Q(0)], [Q(0), Q(1)]]), Vector([Q(1), Q(1)])
    p, zero = Problem(K, (-v, -v), (v, v)), v - v
    State(p, (zero, zero), Q(0), Q(0), Q(1)).check()
    one = Vector([Q(1), Q(0)])
    for state, says in (
        (State(p, (2 * one, 2 * one), Q(-4), Q(0), Q(0)), "box"),
        (State(p, (one, zero), Q(-1), Q(0), Q(0)), "equal"),
        (State(p, (one, one), Q(0), Q(0), Q(0)), "that of"),
        (State(p, (one, one), Q(-2), Q(-3), Q(0)), "rise"),
    ):
        with pytest.raises(AssertionError, match=says):
            state.check()
