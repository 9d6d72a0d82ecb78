"""Pairs: the closed form of a step, what counts as no curvature, variables set aside, rows asked for, variants."""

from fractions import Fraction as Q

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.decomposition import smo, working_pair
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, machine, machines
from tests.numbers import STRICT
from tests.optimise import enumeration
from tests.optimise.gram import clouds, gaussian, trained_on
from tests.profiles import examples
from tests.strategies import fractions, symmetric

few = settings(max_examples=examples(25))


class Asked:
    """A matrix that remembers which of its rows were asked for."""

    def __init__(self, A):
        self.A, self.asked = A, set()

    def __len__(self):
        return len(self.A)

    def diagonal(self):
        """The diagonal, for which no row is needed."""
        return self.A.diagonal()

    def row(self, i):
        """Row i, remembered."""
        self.asked.add(i)
        return self.A.row(i)


def pairs_of(problem):
    """The iteration of pairs at its start."""
    x = box.start(problem)
    m = [-v for v in quadratic.gradient(problem, Vector(x))]
    return working_pair.Pairs(problem.Q, x, m, problem.lower, problem.upper, paired=problem.E is not None)


@given(problem=machines(), alone=st.booleans())
@example(machine([[-1], [1]], [0, 1], [0, 0]), False)  # nothing can move
def test_the_gap_of_the_steepest_pair_is_the_violation(problem, alone):
    """mᵢ − mⱼ of the pair that wants most to rise and to fall; without the sum |mᵢ| of one variable, at most that."""
    problem = Problem(problem.Q, problem.c, problem.lower, problem.upper) if alone else problem
    pairs = pairs_of(problem)
    chosen = pairs.steepest(0)
    if chosen is None:
        assert pairs.violation() == 0
    elif problem.E is None:
        assert chosen[0] == chosen[1] and 0 < pairs.gap(*chosen) <= pairs.violation()
    else:
        assert pairs.gap(*chosen) == pairs.violation()


@given(A=symmetric(2), c=st.tuples(fractions, fractions), ends=st.tuples(fractions, fractions))
def test_a_step_ends_at_the_least_value_of_its_line_whatever_the_curvature(A, c, ends):
    """Convex, flat or concave: no point of the segment, its ends and its stationary point, is below [OPT-SMO.P2]."""
    r, s = (abs(v) + 1 for v in ends)
    problem = Problem(A, Vector(c), (Q(0), -s), (r, Q(0)), Matrix([[Q(1), Q(1)]]), Vector([Q(0)]))
    pairs = pairs_of(problem)
    chosen = pairs.choose(0)
    if chosen is None:
        return
    slope, eta = pairs.m[chosen[0]] - pairs.m[chosen[1]], A[0][0] + A[1][1] - 2 * A[0][1]
    sign = 1 if chosen == (0, 1) else -1
    pairs.step(*chosen)
    value = quadratic.objective(problem, Vector(pairs.x))
    limit = min(r, s)
    stops = [limit] + ([slope / eta] if eta > 0 and 0 < slope / eta < limit else [])
    reachable = [Vector([sign * t, -sign * t]) for t in stops if 0 <= sign * t <= limit]
    assert pairs.value == value
    assert reachable and all(value <= quadratic.objective(problem, x) for x in reachable)
    assert value < 0


def test_a_concave_direction_is_followed_to_the_bound():
    """With η < 0 the least value on the line is at its end [OPT-SMO] [MMST-11.6-smo]."""
    K = Matrix([[Q(0), Q(1)], [Q(1), Q(0)]])
    pairs = pairs_of(trained_on(K, [1, 0], 3, Q))
    assert pairs.step(*pairs.choose(0)) is None
    assert pairs.x == [3, -3]


def test_two_copies_in_different_classes_go_to_their_bounds():
    """η = 0: the slope alone decides, and both end at C."""
    K = Matrix([[Q(2), Q(2)], [Q(2), Q(2)]])
    pairs = pairs_of(trained_on(K, [1, 0], 5, Q))
    pairs.step(*pairs.choose(0))
    assert pairs.x == [5, -5]


def test_two_copies_in_different_classes_without_a_bound_are_a_ray():
    """The hard margin of a point in both classes: the dual is unbounded along that pair [SVC-HARD-DUAL.P2]."""
    K = Matrix([[2.0, 2.0, 1.0], [2.0, 2.0, 1.0], [1.0, 1.0, 1.0]])
    with pytest.raises(NoAnswer) as refusal:
        smo.solve(trained_on(K, [1, 0, 1], None))
    assert refusal.value.witness["ray"] == Vector([1.0, -1.0, 0.0])


def test_curvature_that_is_roundoff_counts_as_none():
    """Rounded copies have η ≈ 10⁻¹⁷, by which the slope must not be divided: without bounds it is a ray."""
    K = Matrix([[1.0, 1.0 - 1e-16], [1.0 - 1e-16, 1.0]])
    with pytest.raises(NoAnswer, match="bounded below"):
        smo.solve(trained_on(K, [1, 0], None))


def test_curvatures_of_pairs_are_kept_while_there_is_room(monkeypatch):
    """Qᵢᵢ + Qⱼⱼ − 2Qᵢⱼ, of a copy the least that counts; all are dropped once more than `MOST_KEPT` are kept."""
    K = Matrix([[2.0, 2.0, 1.0, -1.0], [2.0, 2.0, 1.0, -1.0], [1.0, 1.0, 3.0, 0.0], [-1.0, -1.0, 0.0, 4.0]])
    pairs = working_pair.Pairs(K, [0.0] * 4, [1.0] * 4, [0.0] * 4, [1.0] * 4, paired=True)
    monkeypatch.setattr(working_pair, "MOST_KEPT", 2 * len(K))
    assert list(pairs._curvatures(0)) == [pairs.floor, pairs.floor, 3.0, 8.0]
    assert pairs._curvatures(0) is pairs._curvatures(0)
    assert list(pairs._curvatures(2)) == [3.0, 3.0, pairs.floor, 7.0]
    pairs._curvatures(3)
    assert list(pairs.curvatures) == [0, 2, 3]
    pairs._curvatures(1)
    assert list(pairs.curvatures) == [1]


@pytest.mark.slow
@few
@given(problem=machines(per_class=(2, 4)))
@example(machine([[0], [1], [0], [1]], [0, 0, 1, 1], [None] * 4))
def test_a_hard_margin_without_an_optimum_is_refused_with_a_ray(problem):
    """The search finds a ray where brute force finds no minimum, on fractions exactly [SVC-HARD-DUAL.P2]."""
    try:
        enumeration.solve(problem)
    except NoAnswer:
        with pytest.raises(NoAnswer) as refusal:
            for count, state in enumerate(smo.steps(problem, tol=Q(1, 10**9))):
                state.check()
                assert count < 40 * problem.n
        r = refusal.value.witness["ray"]
        assert not any(problem.Q @ r) and problem.c @ r < 0 and (problem.E is None or r.sum() == 0)


def test_variables_set_aside_come_back_if_they_are_wronged(monkeypatch):
    """The iteration that sets everything aside it can ends where the one that sets nothing aside does [OPT-SMO.P3]."""
    X, labels = clouds(60, seed=5)
    problem = trained_on(gaussian(X), labels, 10)
    whole = smo.solve(problem)
    aside = []
    shrink = smo.Iteration.shrink

    def watched(self):
        before = len(self.places)
        shrink(self)
        aside.append(before - len(self.places))

    monkeypatch.setattr(smo, "PERIOD", 2)
    monkeypatch.setattr(smo.Iteration, "shrink", watched)
    answer = smo.solve(problem)
    assert max(aside) > 10
    value = quadratic.objective(problem, whole.x)
    assert abs(quadratic.objective(problem, answer.x) - value) <= 1e-9 * abs(value)
    m = [-v for v in quadratic.gradient(problem, answer.x)]
    worst = box.violation(m, box.rising(answer.x, problem.upper), box.falling(answer.x, problem.lower), True)
    assert worst <= 2 * smo.tolerance(problem)


def test_rows_are_asked_for_by_variables_that_move():
    """Points that never move cost no row of the Gram matrix, which is never stored [MMST-11.6-smo]."""
    X, labels = clouds(80, seed=2)
    shown = trained_on(gaussian(X), labels, 1)
    Q_ = Asked(shown.Q)
    problem = Problem(Q_, shown.c, shown.lower, shown.upper, shown.E, shown.d)
    moved, before = set(), None
    for state in smo.steps(problem):
        if before is not None:
            moved |= {i for i, (a, b) in enumerate(zip(before, state.x)) if a != b}
        before = state.x
    assert Q_.asked == moved
    assert len(moved) < problem.n


@pytest.mark.parametrize("C", [Q(1, 3), Q(1), Q(5)])
def test_one_point_without_an_intercept_has_the_slope_of_its_bound(C):
    """At x = 1, y = 1: β = min(1, C) [SVC-NOINT.P3] [ISML-27.2-no-intercept]."""
    assert smo.solve(machine([[1]], [1], [C], intercept=False), tol=Q(0)).x == Vector([min(Q(1), C)])


SLOW = Problem(  # the objective stands still in doubles while the violation falls by a hundredth a step
    Matrix([[Q(v) for v in row] for row in ([25, 25, 1, 25], [25, 25, 1, 25], [1, 1, 1, 1], [25, 25, 1, 25])]),
    Vector([Q(1), Q(1), Q(-1), Q(-1)]),
    (Q(-1), Q(-1), Q(0), Q(0)),
    (Q(0), Q(0), Q(1), Q(1)),
)


@few
@example(problem=SLOW, C=Q(2))
@given(problem=machines(per_class=(1, 3)), C=st.sampled_from([Q(1, 2), Q(2)]))
def test_squared_slack_is_a_diagonal_and_no_upper_bound(problem, C):
    """On K + I/(2C) without upper bounds ‖β‖² = Σα − Σα²/(2C), to the tolerance [SVC-L2.P2] [MMST-Ex11.3d]."""
    shifted = problem.Q + Matrix.diagonal_of([1 / (2 * C)] * problem.n)
    lower = tuple(None if c > 0 else Q(0) for c in problem.c)
    upper = tuple(None if c < 0 else Q(0) for c in problem.c)
    soft = cast(Problem(shifted, problem.c, lower, upper, problem.E, problem.d), float)
    x = smo.solve(soft, tol=1e-9).x
    alpha, K = Vector.of(map(abs, x)), cast(problem, float).Q
    square = x @ (K @ x)
    assert abs(square - (alpha.sum() - alpha @ alpha / (2 * float(C)))) <= 1e-8 * (1 + alpha.sum())


def test_regression_on_doubled_variables_is_solved_as_it_stands():
    """Four points on a line within ε = 1/10 of y = x, C = 1: u − v gives the slope (y₄ − y₁ − 2ε)/3, and no point has
    both multipliers [SVR-DUAL] [MMST-11.125]."""
    X, y, eps = [Q(0), Q(1), Q(2), Q(3)], [Q(0), Q(1), Q(2), Q(3)], Q(1, 10)
    K = [[a * b for b in X] for a in X]
    doubled = Matrix([[*row, *row] for row in K] * 2)
    c = Vector([*[eps - v for v in y], *[-eps - v for v in y]])
    lower, upper = (Q(0),) * 4 + (Q(-1),) * 4, (Q(1),) * 4 + (Q(0),) * 4
    problem = Problem(doubled, c, lower, upper, Matrix([[Q(1)] * 8]), Vector([Q(0)]))
    x = smo.solve(problem, tol=Q(1, 10**9)).x
    beta = sum((u + v) * a for u, v, a in zip(x[:4], x[4:], X))
    assert abs(beta - (3 - 2 * eps) / 3) < Q(1, 10**8)
    assert all(u == 0 or v == 0 for u, v in zip(x[:4], x[4:]))


def test_no_float_enters():
    """On fractions that refuse every other number the iteration is the same."""
    problem = machine([[1], [-1], [2], [0]], [1, 0, 1, 0], [Q(1), Q(2), Q(1, 3), Q(1)])
    plain = smo.solve(problem, tol=Q(1, 100))
    strict = smo.solve(cast(problem, STRICT.kind), tol=STRICT.kind(Q(1, 100)))
    assert [v.value for v in strict.x] == list(plain.x)
