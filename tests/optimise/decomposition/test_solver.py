"""The engine: gaps of roundoff, what it refuses, what it costs in rows, and problems that make iterations cycle."""

import math
from random import Random

import pytest

from refclass import SVC
from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import reduced_basis, working_set
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, machine
from tests.optimise.gram import clouds, trained_on


def dual(kernel, X, labels, C, intercept=True, limit=10**7):
    """The dual of a machine whose rows are computed when asked for."""
    problem = trained_on(Rows(BINARY64, kernel, tuple(Vector(x) for x in X), limit=limit), labels, C)
    return problem if intercept else Problem(problem.Q, problem.c, problem.lower, problem.upper)


def violation(problem, x):
    """How far x violates optimality, from a gradient computed afresh."""
    m = [-v for v in quadratic.gradient(problem, x)]
    return box.violation(m, box.rising(x, problem.upper), box.falling(x, problem.lower), problem.E is not None)


def assert_optimal(problem, answer, tol=1e-9):
    """The exact relative gap is below tol, and x meets its constraints."""
    proof = quadratic.certify(problem, answer, convex=True)
    assert abs(proof.gap) <= tol * (abs(proof.primal) + problem.c.largest() * tol)
    assert all(
        (a is None or v >= a) and (b is None or v <= b) for v, a, b in zip(answer.x, problem.lower, problem.upper)
    )
    assert problem.E is None or abs(answer.x.sum()) <= 1e-12 * sum(map(abs, answer.x))


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, 1e5])
@pytest.mark.parametrize("gamma", [0.01, 0.5, 20.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_gap_is_a_billionth_or_less_for_every_width_and_cost(C, gamma, intercept):
    """From wide kernels, where two numbers say everything, to narrow ones, where every point is free."""
    X, labels = clouds(120, seed=3)
    problem = dual(Gaussian(gamma), X, labels, C, intercept)
    assert_optimal(problem, decomposition.solve(problem))


@pytest.mark.parametrize("p", [2, 10, 57])
@pytest.mark.parametrize("C", [1.0, 100.0])
def test_it_ends_at_roundoff_in_few_working_sets(p, C):
    """300 points: violations of some 10⁻¹¹, in fewer than twenty working sets."""
    X, labels = clouds(300, p=p, seed=p)
    problem = dual(Gaussian(1 / (2 * p)), X, labels, C)
    answer = decomposition.solve(problem)
    assert answer.steps < 20
    assert violation(problem, answer.x) < 1e-10
    assert_optimal(problem, answer, 1e-9)


@pytest.mark.parametrize("C", [1.0, 100.0])
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_kernels_of_low_rank_are_no_obstacle(C, degree):
    """Polynomials in the plane span 3, 6 and 10 dimensions, among 150 points with copies: every factor is singular."""
    X, labels = clouds(110, seed=degree, digits=1)
    X, labels = X + X[:40], labels + labels[:40]
    problem = dual(Polynomial(degree, 1.0, 1.0), X, labels, C)
    answer = decomposition.solve(problem)
    assert answer.steps < 40
    assert_optimal(problem, answer)


@pytest.mark.parametrize("seed", range(8))
def test_copies_in_both_classes_and_costs_of_zero_change_nothing_but_the_split(seed):
    """Small grids with every kind of accident: the value is that of the active-set method on fractions."""
    rng = Random(seed)
    n = 24
    X = [[rng.randint(-2, 2), rng.randint(-1, 1)] for _ in range(n)]
    labels = [rng.randint(0, 1) for _ in range(n)]
    exact = machine(X, labels, [rng.choice([0, 1, 1, 3]) for _ in range(n)], degree=1 + seed % 2, intercept=seed < 6)
    problem = cast(exact, float)
    answer = decomposition.solve(problem)
    least = quadratic.objective(exact, active_set.solve(exact, convex=True).x)
    assert abs(quadratic.objective(problem, answer.x) - least) <= 1e-12 * (1 + abs(least))
    assert all(v == 0 for v, a, b in zip(answer.x, problem.lower, problem.upper) if a == b)


def test_a_kernel_that_is_positive_only_where_the_sum_is_kept_is_solved():
    """−√(‖x − z‖² + 1) is negative on 1; beside it it is positive, and the optimum is one."""
    X, labels = clouds(60, seed=8)
    K = Matrix([[-math.hypot(math.dist(x, z), 1.0) for z in X] for x in X])
    for C in (0.1, 10.0, None):
        problem = trained_on(K, labels, C)
        answer = decomposition.solve(problem)
        least = quadratic.objective(problem, active_set.solve(problem, convex=True).x)
        assert abs(quadratic.objective(problem, answer.x) - least) <= 1e-9 * abs(least)


def test_a_kernel_that_is_not_positive_ends_where_no_pair_gains():
    """tanh(2⟨x, z⟩ − 1) has negative directions: the end is feasible, and stationary for every pair [OPT-SMO]."""
    X, labels = clouds(40, seed=9)
    K = Matrix([[math.tanh(2 * sum(a * b for a, b in zip(x, z)) - 1) for z in X] for x in X])
    problem = trained_on(K, labels, 1.0)
    answer = decomposition.solve(problem)
    assert violation(problem, answer.x) < 1e-9


@pytest.mark.parametrize("kernel", [Gaussian(30.0), Polynomial(12, 1.0, 0.3)])
def test_hard_margins_are_reached(kernel):
    """C = ∞ with a kernel that separates the classes: no upper bound is ever met."""
    X, labels = clouds(60, seed=11)
    problem = dual(kernel, X, labels, None)
    answer = decomposition.solve(problem)
    assert violation(problem, answer.x) <= 1e-6
    values = quadratic.product(problem.Q, answer.x)
    margins = [(v + answer.nu[0]) * (1 if k else -1) for v, k in zip(values, labels)]
    assert min(margins) > 1 - 1e-6


@pytest.mark.parametrize("p", [1, 2, 5])
def test_a_hard_margin_that_does_not_exist_is_refused_with_a_ray(p):
    """Overlapping clouds and a linear kernel: the ray is a point that both classes' hulls share [SVC-HARD-DUAL.P2]."""
    X, labels = clouds(80, p=p, seed=1, digits=3)
    X, labels = X + [[0.0] * p] * 2, labels + [0, 1]
    K = Matrix([[sum(a * b for a, b in zip(x, z)) for z in X] for x in X])
    problem = trained_on(K, labels, None)
    with pytest.raises(NoAnswer) as refusal:
        decomposition.solve(problem)
    r = refusal.value.witness["ray"]
    assert (problem.Q @ r).largest() <= 1e-8 * r.largest() and problem.c @ r < 0
    assert all((a is None or v >= 0) and (b is None or v <= 0) for v, a, b in zip(r, problem.lower, problem.upper))


def test_squared_slack_makes_a_margin_of_every_sample():
    """With 1/(2C) on the diagonal there is an optimum whatever the overlap, ξ = α/(2C) at it [SVC-L2.P3]."""
    X, labels = clouds(80, seed=1)
    C = 0.5
    K = Matrix([[sum(a * b for a, b in zip(x, z)) for z in X] for x in X]) + Matrix.diagonal_of([1 / (2 * C)] * 80)
    problem = trained_on(K, labels, None)
    answer = decomposition.solve(problem)
    assert_optimal(problem, answer, 1e-12)
    alpha = Vector.of(map(abs, answer.x))
    shown = quadratic.product(K, answer.x) - answer.x / (2 * C)
    for v, a, k in zip(shown, alpha, labels):
        slack = max(0.0, 1 - (v + answer.nu[0]) * (1 if k else -1))
        assert abs(slack - a / (2 * C)) < 1e-10


def test_regression_on_doubled_variables_is_solved_as_it_stands():
    """Each variable has a copy with another cᵢ: at the end no point has both multipliers [SVR-DUAL]."""
    X, _ = clouds(60, seed=13)
    y = [math.sin(a) + b / 4 for a, b in X]
    K = Gaussian(0.5)
    rows = [K.row(BINARY64, Vector(x), tuple(Vector(z) for z in X)) for x in X]
    Q = Matrix([[*row, *row] for row in rows] * 2)
    c = Vector([*[0.1 - v for v in y], *[-0.1 - v for v in y]])
    E, d = Matrix([[1.0] * 120]), Vector([0.0])
    problem = Problem(Q, c, (0.0,) * 60 + (-2.0,) * 60, (2.0,) * 60 + (0.0,) * 60, E, d)
    answer = decomposition.solve(problem)
    assert_optimal(problem, answer, 1e-11)
    assert all(u == 0 or v == 0 for u, v in zip(answer.x[:60], answer.x[60:]))


def test_rows_are_asked_for_by_variables_that_move_only():
    """In 250 points rows of the Gram matrix are computed for the support vectors and few others."""
    X, labels = clouds(250, p=5, seed=2)
    rows = Rows(BINARY64, Gaussian(0.1), tuple(Vector([3 * v for v in x]) for x in X))
    asked = set()
    plain = rows.row
    rows.row = lambda i: asked.add(i) or plain(i)
    answer = decomposition.solve(trained_on(rows, labels, 1.0))
    support = sum(v != 0 for v in answer.x)
    assert support <= len(asked) < 250


def test_a_store_that_forgets_gives_the_same_answer():
    """Rows computed again when they were forgotten: the iteration does not notice."""
    X, labels = clouds(150, seed=4)
    plenty = decomposition.solve(dual(Gaussian(0.5), X, labels, 10.0))
    scarce = decomposition.solve(dual(Gaussian(0.5), X, labels, 10.0, limit=450))
    assert scarce == plenty


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_smallest_machines_have_an_answer(n):
    """One point, two and three, of one class too: where nothing can move the start is the end."""
    for labels in ([1] * n, [k % 2 for k in range(n)]):
        X = [[float(k)] for k in range(n)]
        problem = dual(Gaussian(1.0), X, labels, 1.0)
        assert_optimal(problem, decomposition.solve(problem))


def test_every_state_is_feasible_and_falls():
    """From a start in the middle of the box: the iteration checks itself at each working set."""
    X, labels = clouds(150, seed=6)
    problem = dual(Gaussian(0.5), X, labels, 10.0)
    start = [0.5 * (a + b) for a, b in zip(problem.lower, problem.upper)]
    states = list(decomposition.steps(problem, start=start))
    for state in states:
        state.check()
    assert states[-1].violation <= 1e-10 < states[0].violation
    assert abs(sum(start)) > 0 or states[0].x == Vector(start)


def test_a_looser_tolerance_ends_sooner():
    """tol is the violation that may remain."""
    X, labels = clouds(300, seed=6)
    problem = dual(Gaussian(0.5), X, labels, 10.0)
    rough, fine = decomposition.solve(problem, tol=1.0), decomposition.solve(problem)
    assert rough.steps < fine.steps
    assert 1e-10 < violation(problem, rough.x) <= 1.0


def test_other_numbers_and_short_budgets_are_refused():
    """Fractions belong to the exact solvers; a budget of one working set is not enough here."""
    with pytest.raises(InvalidInput, match="doubles"):
        decomposition.solve(machine([[1], [-1]], [1, 0], [1, 1]))
    X, labels = clouds(300, seed=6)
    with pytest.raises(NotConverged) as refusal:
        decomposition.solve(dual(Gaussian(0.5), X, labels, 10.0), max_steps=1)
    assert len(refusal.value.witness["x"]) == 300


@pytest.mark.slow
@pytest.mark.parametrize(("n", "C", "degree"), [(15, 1, 3), (60, 10**4, 2), (30, 1, 5)])
def test_where_doubles_hold_no_digit_the_iteration_ends_and_claims_nothing(n, C, degree):
    """Kernel values from 1 to 10³⁰: it ends all the same, and what it ends at is not called optimal [OPT-QP.P1]."""
    rng = Random(3)
    X, y = [[rng.gauss(0, 1000), rng.gauss(0, 1)] for _ in range(n)], [rng.randint(0, 1) for _ in range(n)]
    try:
        proof = SVC(C=C, kernel={"name": "polynomial", "degree": degree, "c": 1}).fit(X, y).certificate_
    except NotConverged as refusal:
        assert refusal.witness["primal"] >= refusal.witness["dual"]
    else:
        assert proof.status != "optimal" and proof.digits < 9


@pytest.mark.parametrize("offset, refused", [(0.0, False), (1e8, True)])
def test_where_roundoff_ends_it_bounds_say_how_near_it_is(offset, refused):
    """Nine digits, or NotConverged with bounds; `ended` returns the point for callers that judge it  [MMST-11.48]."""
    r = Random(2)
    X = [[offset + r.gauss(0, 1), offset + r.gauss(0, 1)] for _ in range(12)]
    problem = dual(Linear(), X, [k % 2 for k in range(12)], 1e4)
    try:
        decomposition.solve(problem)
    except NotConverged as refusal:
        found = refusal.witness
        assert refused and found["dual"] <= found["primal"]
        assert (found["primal"] - found["dual"]) * 10**9 > abs(found["primal"])
    else:
        assert not refused
    assert len(decomposition.ended(problem).x) == 12


def test_the_work_has_an_end(monkeypatch):
    """Once the factor has taken as much work as it may, the point reached is refused with bounds on the least value."""
    X, labels = clouds(60)
    problem = dual(Gaussian(0.5), X, labels, 1e4)
    best = decomposition.solve(problem)
    value = quadratic.objective(problem, best.x)
    monkeypatch.setattr(reduced_basis, "MOST_WORK", 300)
    with pytest.raises(NotConverged) as refusal:
        decomposition.solve(problem)
    known = refusal.value.witness
    assert known["dual"] <= value + 1e-9 * abs(value) <= known["primal"] + 2e-9 * abs(value)


@pytest.mark.parametrize("share, steps", [(0.01, 1e-9), (0.01, 1e9), (0.9, 1e-9), (0.9, 1e9)])
def test_however_far_pairs_go_alone_the_optimum_is_the_same(monkeypatch, share, steps):
    """Limits under which pairs go on as long as they may, or end at once: the same proven optimum."""
    X, labels = clouds(60, p=5, seed=1)
    problem = dual(Gaussian(0.1), X, labels, 100.0)
    least = quadratic.certify(problem, decomposition.solve(problem), convex=True).primal
    monkeypatch.setattr(decomposition, "PAIRS_SHARE", share)
    monkeypatch.setattr(working_set, "FACTOR_STEPS", steps)
    answer = decomposition.solve(problem)
    assert_optimal(problem, answer)
    assert quadratic.certify(problem, answer, convex=True).primal == pytest.approx(least, rel=1e-11)
