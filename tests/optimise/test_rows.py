"""What the documents say of the machines' solvers: how many variables move, what never falls, and where it ends."""

from fractions import Fraction as Q
from itertools import islice

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import chunking, coordinate_ascent, fixed_size, smo
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import kkt
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import machine, machines, outcome
from tests.optimise import enumeration
from tests.profiles import examples
from tests.strategies import fractions, samples

few = settings(max_examples=examples(25))


@st.composite
def bounded(draw, intercept=True):
    """The dual of a soft-margin machine, every cost finite and above zero."""
    X, labels = draw(samples(per_class=(1, 4), p=draw(st.integers(1, 2)), entries=st.integers(-2, 2)))
    C = draw(st.lists(st.sampled_from([Q(1), Q(1, 2), Q(3)]), min_size=len(X), max_size=len(X)))
    return machine(X, labels, C, degree=draw(st.integers(1, 2)), intercept=intercept)


def moved(one, other):
    """The variables that differ between two states."""
    return [i for i, (a, b) in enumerate(zip(one.x, other.x)) if a != b]


def pairs_of(iteration, most):
    states = list(islice(iteration, most))
    return list(zip(states, states[1:]))


def restricted(problem, x, places):
    """The problem in some variables, the others held at x."""
    held = Vector([Q(0) if i in places else v for i, v in enumerate(x)])
    slope = problem.Q @ held + problem.c
    lower, upper = ([b[i] for i in places] for b in (problem.lower, problem.upper))
    E = None if problem.E is None else problem.E.block([0], places)
    d = None if E is None else problem.d - Vector([held.sum()])
    return Problem(problem.Q.block(places, places), slope.pick(places), tuple(lower), tuple(upper), E, d)


# ------------------------------------------------------------------------------------------------ gradient ascent


@few
@given(bounded(), st.data(), fractions.filter(bool))
def test_one_variable_cannot_move_alone_where_the_sum_is_kept(problem, data, step):
    """From any point with Σαy = 0 a change of one coordinate breaks it: two move at least
    [OPT-GA1.P1] [MMST-11.6-gradient]."""
    for state in islice(coordinate_ascent.steps(problem), 4):
        i = data.draw(st.integers(0, problem.n - 1))
        x = state.x + step * Vector.unit(problem.n, i, Q)
        assert problem.E @ state.x == problem.d != problem.E @ x
    assert all(len(moved(a, b)) == 2 for a, b in pairs_of(coordinate_ascent.steps(problem), 6))


@few
@given(bounded(intercept=False))
def test_without_an_intercept_each_coordinate_goes_to_its_best_place(problem):
    """αᵢ ← clip(αᵢ + (1 − yᵢf(xᵢ))/Kᵢᵢ, 0, C): one coordinate a step, the dual rising strictly, to the best of that
    line  [OPT-GA1.P2] [SVC-NOINT] [MMST-11.6-gradient]."""
    for one, other in pairs_of(coordinate_ascent.steps(problem), 8):
        (i,) = moved(one, other)
        y, f, own = -problem.c[i], problem.Q.row(i) @ one.x, problem.Q[i][i]
        C = problem.upper[i] if y > 0 else -problem.lower[i]
        wanted = C if own == 0 else min(max(abs(one.x[i]) + (1 - y * f) / own, Q(0)), C)
        assert y * other.x[i] == wanted and other.objective < one.objective


@few
@given(bounded(intercept=False))
def test_coordinate_ascent_ends_at_the_optimum(problem):
    """The iteration approaches the minimum to the tolerance asked for  [OPT-GA1.P2] [MMST-11.6-gradient]."""
    rounded = Problem(
        Matrix([list(map(float, row)) for row in problem.Q]),
        Vector(map(float, problem.c)),
        tuple(map(float, problem.lower)),
        tuple(map(float, problem.upper)),
    )
    answer = coordinate_ascent.solve(rounded, tol=1e-10)
    best = quadratic.objective(problem, active_set.solve(problem).x)
    assert abs(quadratic.objective(rounded, answer.x) - float(best)) <= 1e-8


# ----------------------------------------------------------------------------------- chunking and decomposition


@few
@given(bounded(), st.integers(2, 4))
def test_chunks_never_lose_what_was_gained_and_end_at_the_optimum(problem, size):
    """The dual over the accumulated set rises with each chunk, whatever the number of violators added; the end is the
    optimum of the whole  [OPT-CHUNK.P1] [OPT-CHUNK.P2] [MMST-11.6-chunking]."""
    states = list(chunking.steps(problem, size=size))
    for state in states:
        state.check()
    assert all(b.objective < a.objective for a, b in zip(states, states[1:]))
    assert states[-1].violation == 0
    assert states[-1].objective == quadratic.objective(problem, active_set.solve(problem).x)


def test_points_on_the_right_side_violate_too():
    """On x = ±3 alone β = ⅓, and ±1 are classified correctly, at yf = ⅓ < 1: sorted by violation they enter, and β = 1;
    looking at misclassified points only would stop  [ERR-MMST-25] [OPT-CHUNK.P1] [MMST-11.6-chunking]."""
    problem = machine([[3], [-3], [1], [-1]], [1, 0, 1, 0], [Q(1)] * 4)
    alone = Vector([Q(1, 18), Q(-1, 18), Q(0), Q(0)])
    margins = [v * (3 * alone[0] - 3 * alone[1]) for v in (3, 3, 1, 1)]
    assert margins == [1, 1, Q(1, 3), Q(1, 3)]  # no point is on the wrong side
    states = list(chunking.steps(problem, size=2, start=alone))
    assert states[0].x == alone and states[0].violation == Q(4, 3)
    assert states[-1].x == (0, 0, Q(1, 2), Q(-1, 2)) and states[-1].violation == 0


@few
@given(bounded(), st.integers(2, 4))
def test_a_working_set_of_constant_size_keeps_the_rest(problem, size):
    """At most `size` variables move in a step, every state is feasible, the dual does not fall
    [OPT-DECOMP.P1] [MMST-11.6-decomposition]."""
    iteration = pairs_of(fixed_size.steps(problem, size=size), 6)
    for one, other in iteration:
        other.check()
        assert len(moved(one, other)) <= size and other.objective < one.objective
        places = moved(one, other)
        part = restricted(problem, one.x, places)
        assert quadratic.objective(part, other.x.pick(places)) == quadratic.objective(part, enumeration.solve(part).x)


@few
@given(bounded())
def test_a_working_set_of_all_is_the_whole_problem(problem):
    """With as many places as points one step is the optimum  [OPT-DECOMP.P2] [MMST-11.6-decomposition]."""
    *_, last = fixed_size.steps(problem, size=max(2, problem.n), tol=Q(0))
    assert last.violation == 0
    assert last.objective == quadratic.objective(problem, active_set.solve(problem).x)


@pytest.mark.parametrize("module", [chunking, fixed_size])
def test_a_working_set_of_one_is_refused(module):
    """One variable cannot move where the sum is kept  [OPT-GA1.P1]."""
    problem = machine([[1], [-1]], [1, 0], [Q(1)] * 2)
    with pytest.raises(InvalidInput, match="at least two"):
        next(module.steps(problem, size=1))


# ----------------------------------------------------------------------------------- two variables at a time


@few
@given(bounded())
def test_two_variables_move_and_the_dual_rises(problem):
    """Each step moves a pair, keeps the box and Σαy = 0, and raises the dual  [OPT-SMO.P1] [MMST-11.6-smo]."""
    for one, other in pairs_of(smo.steps(problem), 10):
        other.check()
        assert len(moved(one, other)) == 2 and other.x.sum() == one.x.sum() == 0
        assert other.objective < one.objective


@few
@given(bounded())
def test_the_closed_form_of_a_pair_is_the_best_of_its_line(problem):
    """α_j + y_j(E_i − E_j)/η clipped to [L, H] is where brute force finds the least value on the segment
    [OPT-SMO.P2] [MMST-11.6-smo] [GAP-10]."""
    y = -problem.c
    for one, other in pairs_of(smo.steps(problem), 8):
        i, j = moved(one, other)
        eta = problem.Q[i][i] + problem.Q[j][j] - 2 * problem.Q[i][j]
        E = problem.Q @ one.x - y  # f − y, up to the intercept, which the difference does not see
        a, b, s, t = abs(one.x[i]), abs(one.x[j]), y[i], y[j]
        C, D = (problem.upper[k] if y[k] > 0 else -problem.lower[k] for k in (i, j))
        low, high = (max(Q(0), b - a), min(D, C + b - a)) if s != t else (max(Q(0), a + b - C), min(D, a + b))
        if eta > 0:
            assert abs(other.x[j]) == min(max(b + t * (E[i] - E[j]) / eta, low), high)
            assert abs(other.x[i]) == a + s * t * (b - abs(other.x[j]))
        small = restricted(problem, one.x, [i, j])
        assert quadratic.objective(small, other.x.pick([i, j])) == quadratic.objective(
            small, enumeration.solve(small).x
        )


@few
@given(machines())
@example(machine([[0], [0]], [0, 1], [None, None]))  # one point in two classes
def test_steps_of_pairs_refuse_what_has_no_optimum(problem):
    """Where brute force finds no minimum the pairs find none, and where it does they come within the tolerance of it
    [OPT-SMO.P3] [MMST-11.6-smo]."""
    kind, value = outcome(enumeration.solve, problem)
    try:
        found = smo.solve(problem, tol=Q(1, 1000), max_steps=4000)
    except NoAnswer:
        assert kind != "optimal"
    else:
        # Premise: the gap of a feasible point is at most the violation times the sum of what can still move.
        excess = quadratic.objective(problem, found.x) - value
        assert 0 <= excess <= Q(1, 1000) * (found.x - enumeration.solve(problem).x).largest() * problem.n


# ------------------------------------------------------------------------------------ Karush, Kuhn and Tucker


def test_there_is_a_condition_for_each_constraint_not_for_each_variable():
    """Two variables, three constraints: three products λg, one of which fails alone  [ERR-ISML-04] [ISML-27.3-kkt]
    [KIM-3.5]."""
    east, north = Vector([Q(1), Q(0)]), Vector([Q(0), Q(1)])
    loose = kkt.Constraint(Q(-1), east, "≤ 0", Q(0))
    tight = kkt.Constraint(Q(0), north, "≤ 0", Q(2))
    third = kkt.Constraint(Q(-3), -east - north, "≤ 0", Q(0))
    slope = -2 * north
    assert not any(kkt.residuals("minimise", slope, [loose, tight, third]).values())
    wrong = kkt.Constraint(Q(-3), east - east, "≤ 0", Q(1))
    assert kkt.residuals("minimise", slope, [loose, tight, wrong])["complementarity"] == 3


@given(fractions.map(abs))
def test_without_a_qualification_an_optimum_may_have_no_multiplier(multiplier):
    """min x subject to x² ≤ 0 has the optimum 0, where ∇g = 0: no λ makes 1 + λ·0 vanish
    [ERR-ISML-04] [ISML-27.3-kkt]."""
    flat = kkt.Constraint(Q(0), Vector([Q(0)]), "≤ 0", multiplier)
    found = kkt.residuals("minimise", Vector([Q(1)]), [flat])
    assert found["stationarity"] == 1 and not (found["feasibility"] or found["sign"] or found["complementarity"])


@few
@given(bounded())
def test_a_singular_matrix_may_have_an_optimum(problem):
    """More points than variables make (yyᵀ)∘K singular, and the programme has a minimum, proven: eigenvalues ≥ 0
    suffice  [ERR-ISML-05] [ISML-27.2-qp]."""
    assume(fraction_free.rank(problem.Q) < problem.n)
    answer = chunking.solve(problem)
    proof = quadratic.certify(problem, answer)
    assert (proof.status, proof.gap) == ("optimal", 0)
