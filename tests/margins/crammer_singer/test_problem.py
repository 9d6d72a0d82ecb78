"""The direct machine for many classes: what its functions are at any weights and multipliers, and at the optimum."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.kernels.linear import Linear
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import problem as crammer_singer
from refclass.margins.crammer_singer.fit import train as many
from refclass.margins.crammer_singer.problem import Machine
from refclass.margins.svm import fit
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.multiclass import zero_sum
from tests.margins import machines as two
from tests.margins.many import APART, LABELS, OWN, THREE, feasible, machine, machines, scores, value, weights
from tests.numbers import STRICT
from tests.profiles import examples


def solved(m):
    """The machine trained exactly, with its weights where the kernel is linear, and its scores."""
    t = many(RATIONAL, m)
    return t, crammer_singer.values(m.K, t.alpha)


# --- any weights, any multipliers


def test_the_margin_asked_for_is_one_against_other_classes_and_zero_against_the_own():
    """t_ik = [k ≠ yᵢ], so that the constraint of the own class is ξᵢ ≥ 0  [ISML-27.5-soft] [MC-CS-SOFT]."""
    assert [crammer_singer.target(k, 1) for k in range(3)] == [1, 0, 1]


@settings(deadline=None, max_examples=examples(12))
@given(st.data())
def test_the_slack_is_the_least_that_all_constraints_allow(data):
    """ξᵢ = max_k [t_ik + w_kᵀxᵢ] − w_{yᵢ}ᵀxᵢ, at least 0, and one constraint is tight  [MC-CS-SOFT.P1]."""
    m = data.draw(machines())
    f, _ = scores(m, data.draw(weights(m)))
    for row, g in zip(f, m.labels):
        xi = crammer_singer.slack(row, g)
        left = [row[g] - v - crammer_singer.target(k, g) + xi for k, v in enumerate(row)]
        assert xi >= 0 and min(left) == 0


@settings(deadline=None, max_examples=examples(12))
@given(st.data())
def test_no_multipliers_promise_more_than_any_weights_keep(data):
    """Weak duality: the dual objective at any α is at most the primal one at any w  [ISML-27.5-dual] [RC-31]."""
    m = data.draw(machines())
    m = machine(m.K.X, m.labels, list(m.costs), m.classes)
    alpha, W = data.draw(feasible(m)), data.draw(weights(m))
    assert crammer_singer.dual_objective(alpha, m.labels, m.K) <= value(m, W)


@settings(deadline=None, max_examples=examples(12))
@given(st.data())
def test_the_lagrangian_at_the_weights_of_the_multipliers_is_the_dual_objective(data):
    """α_ik = C[k = yᵢ] − η_ik with η ≥ 0, Σ_k η_ik = C; then min_w L = dual objective, whatever ξ  [MC-CS-DUAL.P3]
    [ISML-27.5-dual] [RC-31]."""
    m = data.draw(machines())
    m = machine(m.K.X, m.labels, list(m.costs), m.classes)
    alpha = data.draw(feasible(m))
    eta = crammer_singer.multipliers(alpha, m.labels, m.costs)
    assert all(v >= 0 for row in eta for v in row) and [sum(row) for row in eta] == list(m.costs)
    xi = [data.draw(st.integers(0, 3)) for _ in m.labels]
    best = crammer_singer.weights(alpha, m.K.X)
    f, total = scores(m, best)
    least = crammer_singer.lagrangian(total, f, xi, eta, m.labels, m.costs)
    assert least == crammer_singer.dual_objective(alpha, m.labels, m.K)
    f, total = scores(m, data.draw(weights(m)))
    assert crammer_singer.lagrangian(total, f, xi, eta, m.labels, m.costs) >= least


@settings(deadline=None, max_examples=examples(12))
@given(st.data())
def test_scores_of_a_linear_kernel_are_those_of_the_weights(data):
    """Σⱼ α_jk K(xⱼ, x) = w_kᵀx with w_k = Σⱼ α_jk xⱼ  [ISML-27.5-weights] [ISML-27.5-predict]."""
    m = data.draw(machines())
    m = machine(m.K.X, m.labels, list(m.costs), m.classes)
    alpha = data.draw(feasible(m))
    f, total = scores(m, crammer_singer.weights(alpha, m.K.X))
    assert crammer_singer.values(m.K, alpha) == f
    assert crammer_singer.square(alpha, f) == total


# --- the optimum


@settings(deadline=None, max_examples=examples(12))
@given(machines())
def test_primal_and_dual_meet_exactly(m):
    """Strong duality on rational data, with duplicates, collinear points, and all multipliers at their bounds
    [MC-CS-DUAL.P1] [ISML-27.5-dual]."""
    t, f = solved(m)
    assert t.objective == t.dual_objective
    assert t.objective == crammer_singer.primal_objective(crammer_singer.square(t.alpha, f), f, m.labels, m.costs)


@settings(deadline=None, max_examples=examples(12))
@given(machines())
def test_multipliers_are_at_most_the_cost_for_the_own_class_and_at_most_zero_for_others(m):
    """0 ≤ α_{i,yᵢ} ≤ C and α_ik ≤ 0 otherwise; every row sums to zero  [MC-CS-DUAL.P2] [ISML-27.5-dual]."""
    t, _ = solved(m)
    for row, g, c in zip(t.alpha, m.labels, m.costs):
        assert sum(row) == 0 and 0 <= row[g] <= c
        assert all(v <= 0 for k, v in enumerate(row) if k != g)


@settings(deadline=None, max_examples=examples(12))
@given(machines())
def test_the_scores_of_all_classes_sum_to_zero(m):
    """Σ_k w_k = 0 at the optimum  [MC-CS-HARD.P1] [RC-31]."""
    _, f = solved(m)
    assert all(sum(row) == 0 for row in f)


def test_the_weights_of_all_classes_sum_to_zero_in_the_hard_margin():
    """Σ_k w_k = 0, and every score leads by 1 at least, some by exactly 1  [MC-CS-HARD.P1] [ISML-27.5-hard]."""
    m = machine(APART, OWN, None)
    t, f = solved(m)
    W = crammer_singer.weights(t.alpha, m.K.X)
    assert not any(sum(W, W[0] - W[0]))
    leads = [row[g] - max(v for k, v in enumerate(row) if k != g) for row, g in zip(f, m.labels)]
    assert min(leads) == 1
    assert t.objective == t.dual_objective == sum(w @ w for w in W) / 2


@settings(deadline=None, max_examples=examples(12))
@given(two.problems(p=2, per_class=(1, 3)), st.sampled_from([Q(1), Q(1, 2), Q(7)]))
def test_two_classes_are_the_machine_without_intercept_at_twice_the_cost(sample, C):
    """w_1 − w_2 is its β, and the objective is half of its  [MC-CS-SOFT.P2] [ISML-27.2-no-intercept] [RC-31]."""
    X, y = sample
    m = machine(X, [int(t > 0) for t in y], C, 2)
    t, _ = solved(m)
    W = crammer_singer.weights(t.alpha, m.K.X)
    other = two.machine(X, y, 2 * C, intercept=False)
    found = fit.train(RATIONAL, other)
    assert W[1] - W[0] == two.plane(other, found)[0]
    assert 2 * t.objective == found.objective


def test_two_classes_without_slack_are_the_hard_margin_without_intercept():
    """w_1 − w_2 is β of the binary hard margin through the origin  [MC-CS-HARD.P2] [ISML-27.5-hard]."""
    X, y = [[2, 1], [1, 3], [-1, 0], [-2, -3], [4, -1]], [1, 1, -1, -1, 1]
    m = machine(X, [int(t > 0) for t in y], None, 2)
    t, _ = solved(m)
    W = crammer_singer.weights(t.alpha, m.K.X)
    other = two.machine(X, y, None, intercept=False)
    found = fit.train(RATIONAL, other)
    assert W[1] - W[0] == two.plane(other, found)[0]
    assert 2 * t.objective == found.objective


def test_a_large_cost_gives_the_hard_margin_where_there_is_one():
    """On separable data the soft margin is the hard one as soon as C is at least its largest α  [MC-CS-SOFT.P3]."""
    hard = many(RATIONAL, machine(APART, OWN, None))
    most = max(v for row in hard.alpha for v in row)
    for C, same in ((most, True), (100, True), (most / 2, False)):
        soft = many(RATIONAL, machine(APART, OWN, C))
        assert (soft.objective == hard.objective) is same
    assert soft.objective < hard.objective


@settings(deadline=None, max_examples=examples(8))
@given(machines(), st.randoms())
def test_permuting_classes_or_points_permutes_the_scores(m, rng):
    """The names of the classes and the order of the points are nothing to the optimum  [ISML-27.5-soft]."""
    _, f = solved(m)
    names, order = list(range(m.classes)), list(range(len(m.labels)))
    rng.shuffle(names)
    rng.shuffle(order)
    labels = [names[m.labels[i]] for i in order]
    again = machine([m.K.X[i] for i in order], labels, [m.costs[i] for i in order], m.classes, m.K.kernel)
    _, other = solved(again)
    assert [[row[names[k]] for k in range(m.classes)] for row in other] == [list(f[i]) for i in order]


@settings(deadline=None, max_examples=examples(8))
@given(machines())
def test_costs_that_are_whole_are_repeated_points(m):
    """A point of cost 2C is two points of cost C: the same scores, the same objective  [ISML-27.5-soft]."""
    times = [1 + i % 3 for i in range(len(m.labels))]
    weighted = machine(m.K.X, m.labels, times, m.classes, m.K.kernel)
    rows = [i for i, w in enumerate(times) for _ in range(w)]
    repeated = machine([m.K.X[i] for i in rows], [m.labels[i] for i in rows], 1, m.classes, m.K.kernel)
    one, f = solved(weighted)
    other, g = solved(repeated)
    assert one.objective == other.objective
    assert [f[i] for i in rows] == list(g)


@settings(deadline=None, max_examples=examples(8))
@given(machines())
def test_the_exact_optimum_is_that_of_the_general_active_set_method(m):
    """The problem in blocks and the one quadratic problem have one value  [ISML-27.5-dual] [ISML-27.2-qp]."""
    problem = m.problem()
    found = active_set.solve(problem.quadratic(), convex=True)
    assert -zero_sum.certify(problem, found).primal == many(RATIONAL, m).dual_objective


# --- prediction


def test_the_kernel_rule_is_the_rule_of_the_weights():
    """argmax_k Σα_ik K(xᵢ, x) = argmax_k w_kᵀx for the linear kernel  [MC-CS-KERNEL.P1] [ISML-27.5-predict]."""
    m = machine(THREE, LABELS)
    t, f = solved(m)
    made = crammer_singer.model(RATIONAL, RATIONAL, Linear(), m.K.X, t.alpha)
    W = crammer_singer.weights(t.alpha, m.K.X)
    Z = [Vector([Q(1, 2), Q(3)]), Vector([Q(-2), Q(7)]), Vector([Q(5), Q(0)])]
    assert [list(row) for row in made.scores(Z)] == [[w @ z for w in W] for z in Z]
    assert made.predict(Z) == [max(range(3), key=lambda k: W[k] @ z) for z in Z]
    assert [list(row) for row in made.scores(m.K.X)] == [list(row) for row in f]


def test_a_tie_is_given_to_the_first_class():
    """The scores of the origin are all zero: the first class  [ISML-27.5-rule]."""
    m = machine(THREE, LABELS)
    made = crammer_singer.model(RATIONAL, RATIONAL, Linear(), m.K.X, many(RATIONAL, m).alpha)
    assert made.predict([Vector([Q(0), Q(0)])]) == [0]


def test_a_wrong_prediction_may_have_a_large_margin():
    """The predicted class leads by definition; what the constraints ask of is the true one  [ERR-ISML-14]."""
    scores_, own = [Q(9), Q(0), Q(0)], 1
    lead = max(scores_) - sorted(scores_)[-2]
    assert lead == 9 and crammer_singer.slack(scores_, own) == 10


def test_what_a_hyperplane_separates_may_have_no_hard_margin_without_intercepts():
    """1 and 2 on a line: the threshold 3/2 separates them, no scores w_k x do  [ERR-ISML-13] [ISML-27.5-hard]."""
    with pytest.raises(NoAnswer):
        many(RATIONAL, machine([[1], [2]], [0, 1], None))
    binary = two.machine([[1], [2]], [-1, 1], None)
    assert two.plane(binary, fit.train(RATIONAL, binary)) == (Vector([Q(2)]), -3)


# --- doors


@pytest.mark.parametrize(
    "labels, classes, costs",
    [((0, 0), 1, (1, 1)), ((0, 2), 2, (1, 1)), ((0, 1), 2, (1, -1)), ((0, 1), 2, (1,)), ((0,), 2, (1,))],
)
def test_a_machine_that_makes_no_sense_is_refused(labels, classes, costs):
    """One class, a label out of range, a negative cost, lengths that differ  [MC-CS-SOFT]."""
    K = Matrix([[Q(1), Q(0)], [Q(0), Q(1)]])
    with pytest.raises(InvalidInput):
        Machine(K, labels, classes, tuple(map(Q, costs)))


def test_no_float_slips_into_an_exact_machine():
    """Values, slacks, objectives and Lagrangian of numbers that refuse floats  [ISML-27.5-dual]."""
    lift = STRICT.lift
    K = Matrix([[lift(2), lift(1)], [lift(1), lift(3)]])
    m = Machine(K, (0, 1), 2, (lift(1), lift(2)))
    alpha = Matrix([[lift(1), lift(-1)], [lift(-2), lift(2)]])
    f = crammer_singer.values(m.K, alpha)
    total = crammer_singer.square(alpha, f)
    eta = crammer_singer.multipliers(alpha, m.labels, m.costs)
    crammer_singer.primal_objective(total, f, m.labels, m.costs)
    xi = [crammer_singer.slack(row, g) for row, g in zip(f, m.labels)]
    least = crammer_singer.lagrangian(total, f, xi, eta, m.labels, m.costs)
    assert least == crammer_singer.dual_objective(alpha, m.labels, m.K)
    assert zero_sum.minimum(lift(1), [lift(1), lift(0)], m.problem().upper[0]) is not None


def test_a_machine_is_the_same_in_another_field():
    """Lifted into doubles, a rational kernel is computed from the points in doubles  [ISML-27.5-dual]."""
    lifted = crammer_singer.over(BINARY64, machine(THREE, LABELS))
    assert lifted.kind is float and lifted.K.row(1)[2] == 5.0
    assert lifted.costs == (1.0,) * len(LABELS)
