"""The machine with a linear kernel by long steps."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.iteration import ending
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.optimise.linear_svm import iteration
from refclass.optimise.linear_svm import solver as linear_svm
from refclass.optimise.linear_svm.iterate import Iterate
from refclass.optimise.linear_svm.screened_points import Points
from refclass.optimise.linear_svm.solver import Answer, Problem
from tests.benchmarks.samples import gauss
from tests.numbers import COUNTED, STRICT, counting
from tests.optimise.linear_svm import proofs
from tests.strategies import samples

costs = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1), Fraction(1), Fraction(2), Fraction(50)])


def problem(X, labels, C, intercept=True, kind=Fraction):
    y = [kind(1 if k else -1) for k in labels]
    C = C if isinstance(C, (list, tuple)) else [C] * len(y)
    rows = [Vector([kind(v) for v in x]) for x in X]
    return Problem(rows, Vector(y), tuple(None if c is None else kind(c) for c in C), intercept)


@st.composite
def problems(draw, kind=Fraction, size=(1, 5)):
    """Points on a small grid, so that duplicates, collinear points and ties are the rule; any costs, zero included."""
    X, labels = draw(samples(per_class=size, entries=st.integers(-2, 2)))
    C = draw(st.lists(costs, min_size=len(X), max_size=len(X)))
    return problem(X, labels, C, draw(st.booleans()), kind)


def points(case, live):
    X, y, some = [case.X[i] for i in live], [case.y[i] for i in live], [case.costs[i] for i in live]
    return Points.of(X, y, some, case.intercept)


def margin(given_problem, answer, i):
    return given_problem.y[i] * (given_problem.X[i] @ answer.beta + answer.beta0)


@given(problems())
def test_the_end_satisfies_every_optimality_condition_exactly(case):
    """Margins, multipliers and β agree with == at the end of the iteration [ESL-12.10] [ESL-12.14] [SVC-L1-KKT.P1]."""
    proof = proofs.certify(case, linear_svm.solve(case))
    assert proof.status == "optimal" and proof.worst_violation == 0 and proof.gap == 0


@given(problems())
def test_every_point_is_in_one_of_the_three_categories(case):
    """α = 0 beyond or on the margin, α = C inside or on it, between on the margin [SVC-L1-CATS.P1]."""
    answer = linear_svm.solve(case)
    for i, (a, c) in enumerate(zip(answer.alpha, case.costs)):
        m = margin(case, answer, i)
        assert 0 <= a <= c
        assert a == c or m >= 1
        assert a == 0 or m <= 1


@given(problems())
def test_the_objective_never_rises_and_every_state_passes_its_check(case):
    """Each step goes down or stays; the points held are on the margin, no more than variables [ESL-12.25]."""
    before = None
    for state in linear_svm.steps(case):
        state.check()
        if state.moved == 0:
            assert before is None or state.objective <= before
            before = state.objective


@given(problems(kind=float, size=(1, 8)))
def test_in_doubles_the_gap_is_roundoff(case):
    """In floats the exact gap of the answer is below 1e-11 of the objective [SVC-L1-DUAL.P1]."""
    proof = proofs.certify(case, linear_svm.solve(case))
    assert abs(proof.gap) <= 1e-11 * (1 + proof.primal) and proof.worst_violation <= 1e-9


@given(problems())
def test_doubles_and_fractions_reach_the_same_beta(case):
    """β is unique, so that the arithmetic does not matter [SVC-L1.P2]."""
    rounded = Problem(
        [Vector(map(float, x)) for x in case.X],
        Vector(map(float, case.y)),
        tuple(map(float, case.costs)),
        case.intercept,
    )
    exact, floats = linear_svm.solve(case), linear_svm.solve(rounded)
    assert all(abs(b - v) <= 1e-11 * (1 + abs(b)) for b, v in zip(map(float, exact.beta), floats.beta))


@given(problems(), st.randoms(use_true_random=False))
def test_permuting_the_points_leaves_beta(case, chance):
    """The order of the points does not matter [SVC-L1.P2]."""
    order = list(range(len(case.y)))
    chance.shuffle(order)
    turned = Problem(
        [case.X[i] for i in order], case.y.pick(order), tuple(case.costs[i] for i in order), case.intercept
    )
    assert linear_svm.solve(turned).beta == linear_svm.solve(case).beta


@given(problems())
def test_turning_the_labels_turns_the_hyperplane(case):
    """y → −y gives −β [SVC-L1.P3]."""
    turned = Problem(case.X, -case.y, case.costs, case.intercept)
    assert linear_svm.solve(turned).beta == -linear_svm.solve(case).beta


@given(samples(per_class=(1, 4)), st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_an_integer_cost_stands_for_copies(sample, counts):
    """Cᵢ = k C equals k copies of the point; zero removes it [SVC-COST-I.P1] [SVC-COST-I.P2]."""
    X, labels = sample
    weights = counts[: len(X)]
    copies = [(x, k) for x, k, w in zip(X, labels, weights) for _ in range(w)]
    if not copies:
        return
    weighed = linear_svm.solve(problem(X, labels, [Fraction(w) for w in weights]))
    repeated = linear_svm.solve(problem([x for x, _ in copies], [k for _, k in copies], Fraction(1)))
    assert weighed.beta == repeated.beta


def test_two_points_have_an_interval_of_intercepts_and_the_iteration_ends_in_it():
    """x = ±1 at C < ½: α = (C, C), β = 2C, β₀ within 1 − 2C of zero [M-X1] [SVC-L1-BIAS.P2]."""
    C = Fraction(1, 5)
    answer = linear_svm.solve(problem([[1], [-1]], [1, 0], C))
    assert answer.alpha == (C, C) and answer.beta == (2 * C,) and abs(answer.beta0) <= 1 - 2 * C


def test_without_intercept_one_point_gets_the_lesser_of_one_and_its_cost():
    """x = 1, y = 1 without intercept: β = min(1, C) [M-X3] [SVC-NOINT.P3]."""
    for C in (Fraction(1, 3), Fraction(1), Fraction(7)):
        assert linear_svm.solve(problem([[1]], [1], C, intercept=False)).beta == (min(1, C),)


def test_small_costs_put_every_point_of_balanced_classes_at_its_bound():
    """n₊ = n₋ and C small: αᵢ = C for all, β = C(Σ₊x − Σ₋x) [M-X9] [SVC-C-LIMITS.P2]."""
    X, C = [[2, 1], [3, 0], [0, 1], [-1, 2]], Fraction(1, 100)
    answer = linear_svm.solve(problem(X, [1, 1, 0, 0], C))
    assert set(answer.alpha) == {C} and answer.beta == (6 * C, -2 * C)


def test_small_costs_put_the_minority_at_its_bound():
    """n₊ < n₋ and C small: the minority at C, the majority sums to C n₊ [SVC-C-LIMITS.P2] [ERR-ESL-04]."""
    C = Fraction(1, 100)
    answer = linear_svm.solve(problem([[2, 1], [0, 1], [-1, 2], [-3, 0]], [1, 0, 0, 0], C))
    assert answer.alpha[0] == C and sum(answer.alpha[1:]) == C


@given(problems())
def test_beta_grows_with_the_cost(case):
    """‖β‖ does not fall when every cost is doubled [SVC-C-LIMITS.P3] [SVC-BUDGET.P2]."""
    dearer = Problem(case.X, case.y, tuple(2 * c for c in case.costs), case.intercept)
    little, large = linear_svm.solve(case).beta, linear_svm.solve(dearer).beta
    assert little @ little <= large @ large


@st.composite
def hard(draw):
    X, labels = draw(samples(per_class=(1, 4)))
    return problem(X, labels, None, draw(st.booleans()))


@given(hard())
def test_infinite_costs_give_the_hard_margin_or_the_point_that_both_hulls_share(case):
    """Either every margin is ≥ 1 with gap 0, or weights show a common point [SVC-C-LIMITS.P1] [KIM-3.20]."""
    try:
        proof = proofs.certify(case, linear_svm.solve(case))
    except NoAnswer as refusal:
        weights = refusal.witness["weights"]
        points = [[t * v for v in [*case.X[i], case.intercept]] for i, t in enumerate(case.y)]
        assert weights and min(weights.values()) > 0
        assert all(sum(w * points[i][k] for i, w in weights.items()) == 0 for k in range(len(points[0])))
    else:
        assert proof.status == "optimal" and proof.gap == 0


@given(hard())
def test_beyond_its_largest_multiplier_a_finite_cost_changes_nothing(case):
    """Separable: the machine at C ≥ max α equals the hard one [SVC-C-LIMITS.P1]."""
    try:
        answer = linear_svm.solve(case)
    except NoAnswer:
        return
    enough = max(1, *answer.alpha)
    assert linear_svm.solve(Problem(case.X, case.y, (enough,) * len(case.y), case.intercept)).beta == answer.beta


def test_hard_and_soft_points_go_together():
    """A point of infinite cost keeps its margin, one of finite cost may lose its own [SVC-COST-I]."""
    case = problem([[3], [1], [-2], [2]], [1, 1, 0, 0], [None, None, None, Fraction(1, 10)])
    answer = linear_svm.solve(case)
    assert proofs.certify(case, answer).status == "optimal"
    assert margin(case, answer, 1) == 1 and margin(case, answer, 3) < 1


@given(problems(), st.sampled_from([0, 1, 2]))
def test_margins_moved_apart_lead_back_to_the_optimum(case, times):
    """What is done against cycling changes the iteration, not its end [SVC-L1-KKT.P1]."""
    live = [i for i, c in enumerate(case.costs) if c]
    if not live:
        return
    whole = points(case, live)
    moved = whole.perturbed(Fraction(1, 10**times)) if times else whole
    current = ending(iteration.steps(whole, Iterate(moved, [Fraction(0)] * len(whole.columns))))
    beta = current.theta[:-1] if case.intercept else current.theta
    assert tuple(beta) == linear_svm.solve(case).beta and set(current.points.margins) == {1}


@given(problems())
def test_short_steps_lead_to_the_same_end(case):
    """Stopping at every break point only takes longer [SVC-L1.P2]."""
    live = [i for i, c in enumerate(case.costs) if c]
    if not live:
        return
    whole = points(case, live)
    current = iteration.start(whole)
    for _ in range(10000):
        if iteration.step(current, short=True) and not iteration.release(current):
            break
    beta = current.theta[:-1] if case.intercept else current.theta
    assert tuple(beta) == linear_svm.solve(case).beta


def test_strict_numbers_run_through_the_iteration():
    """No float enters an exact iteration [ESL-12.25]."""
    case = problem([[1, 2], [2, 0], [0, -1], [-1, 1]], [1, 1, 0, 0], 1, kind=STRICT.kind)
    assert type(linear_svm.solve(case).beta0) is STRICT.kind


@pytest.mark.parametrize("n", [10, 20, 40])
def test_a_step_costs_one_product_with_every_point(n):
    """A step takes n(p + 1) multiplications for the speeds, n for the slack, and the small system [ESL-12.25]."""
    rows = [[COUNTED.lift((7 * i + 3 * j) % 11 - 5) for j in range(3)] for i in range(n)]
    y = [COUNTED.lift(1 if i % 3 else -1) for i in range(n)]
    current = iteration.start(Points.of([Vector(r) for r in rows], y, [COUNTED.lift(1)] * n, True))
    with counting() as count:
        iteration.step(current)
    crossed = 8 * n  # each point passed: a division, two products, and p + 1 for the inside_sum
    assert n * 4 <= count.multiply <= n * 4 + n + crossed + 50


def test_decimals_reach_their_own_precision():
    """With 40 digits the gap is below 1e-30 [SVC-L1-DUAL.P1]."""
    kind = decimal(40).kind
    case = problem([[1, 2], [2, 0], [0, 1], [-1, 1], [1, 1]], [1, 1, 0, 0, 0], 1, kind=kind)
    assert abs(proofs.certify(case, linear_svm.solve(case)).gap) < Fraction(1, 10**30)


def test_the_certificate_sees_a_wrong_multiplier():
    """An error of one part in a billion is reported: x = 3 makes it three in β [SVC-L1-KKT.P2]."""
    case = problem([[1], [-1], [3]], [1, 0, 1], Fraction(1))
    right = linear_svm.solve(case)
    wrong = Answer(right.beta, right.beta0, right.alpha + Vector([Fraction(0), Fraction(0), Fraction(1, 10**9)]), 0)
    proof = proofs.certify(case, wrong)
    assert proof.status == "8.0 digits" and proof.worst_violation == Fraction(3, 10**9)
    assert proof.where == "point 0: y·f − 1 is 3e-09 where alpha is between 0 and C"


@pytest.mark.parametrize(
    "change, complaint",
    [
        ({"y": Vector([1.0])}, "2 labels"),
        ({"y": Vector([1.0, 2.0])}, "labels 1 and −1"),
        ({"costs": (1.0,)}, "2 costs"),
        ({"costs": (1.0, -1.0)}, "costs ≥ 0"),
    ],
)
def test_what_does_not_fit_is_refused(change, complaint):
    """Lengths, labels and costs are checked on entry [SVC-COST-I]."""
    right = {"X": [Vector([1.0]), Vector([2.0])], "y": Vector([1.0, -1.0]), "costs": (1.0, 1.0)}
    with pytest.raises(InvalidInput, match=complaint):
        Problem(**{**right, **change})


@pytest.mark.parametrize("C", [1, 100])
def test_in_doubles_the_gap_is_a_few_units_of_roundoff_of_the_objective(C):
    """However many points at their bound nearly cancel, primal and dual differ by 100 units at most [ESL-12.13]."""
    X, labels = gauss(400, 8)
    case = problem(X, labels, C, kind=float)
    proof = proofs.certify(case, linear_svm.solve(case))
    assert abs(proof.gap) <= 100 * 2**-52 * proof.primal


def test_the_iteration_may_take_exactly_the_steps_it_needs():
    """With as many steps allowed as made the answer is the same; with one fewer there is none, but its last point
    [ESL-12.25]."""
    case = problem([[1, 2], [2, 0], [0, -1], [-1, 1], [1, -2]], [1, 1, 0, 0, 1], 1)
    answer = linear_svm.solve(case)
    assert answer.steps > 1 and linear_svm.solve(case, max_steps=answer.steps) == answer
    with pytest.raises(NotConverged, match=f"an optimum within {answer.steps - 1} steps") as refusal:
        linear_svm.solve(case, max_steps=answer.steps - 1)
    assert len(refusal.value.witness["x"]) == 3


@pytest.mark.parametrize(("scale", "C"), [(1e100, 1.0), (1.0, 1e300)])
def test_slack_without_a_digit_left_is_reported(scale, C):
    """Where the terms of a slack are 10¹⁶ times what is asked of it, the iteration says so, and does not go on for ever
    [ESL-12.25]."""
    rng = random.Random(1)
    X = [[scale * rng.gauss(0, 1), rng.gauss(0, 1)] for _ in range(20)]
    with pytest.raises(NotConverged, match="long_step: need slack that roundoff leaves a digit of"):
        linear_svm.solve(problem(X, [i % 2 for i in range(20)], C, kind=float))


def test_numbers_whose_squares_are_beyond_the_doubles_are_refused():
    """Entries of 10²⁰⁰ in doubles; on fractions the iteration goes on."""
    X, y = [[10**200, 1], [0, 2], [-(10**200), 1]], [1, 0, 1]
    with pytest.raises(InvalidInput, match="long_step: need entries up to 3e\\+147, whose .*column=0"):
        linear_svm.solve(problem(X, y, 1, kind=float))
    assert proofs.certify(problem(X, y, 1), linear_svm.solve(problem(X, y, 1))).gap == 0
