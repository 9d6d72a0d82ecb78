"""The kernel of trust, equation by equation: its numbers by hand, on cases of two to four points."""

from fractions import Fraction as Q

import pytest

from refclass.oracle import kernel

HALVES = [["1/2", 1], [0, "3/2"], [2, -1]]


def problem(x, y, method="svc", weights=None, **parameters):
    """Return a problem as the kernel reads it."""
    given = {"method": method, "x": x, "y": y, "parameters": parameters}
    return kernel.Problem(given if weights is None else {**given, "weights": weights})


def matrix(K):
    """Return the rows of a Gram matrix, which times makes of unit vectors."""
    return [K.times([Q(i == j) for i in range(K.n)]) for j in range(K.n)]


@pytest.mark.parametrize("one", [0, 1])
@pytest.mark.parametrize(
    ("reported", "power", "c", "scale"),
    [
        ("linear", 1, 0, 1),
        ({"name": "polynomial"}, 3, 1, 1),
        ({"name": "polynomial", "degree": 2, "c": "1/3", "scale": "2/5"}, 2, Q(1, 3), Q(2, 5)),
    ],
)
def test_a_gram_matrix_is_that_of_the_formula_and_a_constant(reported, power, c, scale, one):
    """(s⟨x, z⟩ + c)^d + 1 for absorbed intercepts; the degree that is not given is 3, c and s are 1  [ESL-12.22]."""
    X = [[Q(v) for v in row] for row in HALVES]
    want = [[(scale * sum(u * v for u, v in zip(x, z)) + c) ** power + one for z in X] for x in X]
    assert matrix(kernel.gram(problem(HALVES, [0, 1, 1], kernel=reported), one)) == want


@pytest.mark.parametrize("one", [0, 1])
def test_a_matrix_as_given_and_one_of_doubles_take_a_constant(one):
    """Precomputed rows, and the doubles of a Gaussian kernel, each with 1 added where the intercept is absorbed."""
    rows = [[Q(1, 2), Q(1, 3)], [Q(1, 3), Q(2)]]
    own = problem(rows, [0, 1], kernel="precomputed")
    assert matrix(kernel.gram(own, one)) == [[v + one for v in row] for row in rows]
    own = problem([[0], [1]], [0, 1], kernel={"name": "gaussian", "gamma": 1})
    (a, b), (c, d) = matrix(kernel.gram(own, one))
    assert a == d == 1 + one and b == c and abs(float(b) - one - 0.36787944117144233) < 1e-15


@pytest.mark.parametrize("bad", [{"degree": "3/2"}, {"degree": 0}, {"degree": 100}, {"c": -1}, {"scale": 0}])
def test_a_polynomial_without_a_meaning_is_refused(bad):
    """Each bound of degree, c and scale by itself; degree 99 is below the last of them."""
    with pytest.raises(ValueError, match="degree of|c ≥ 0 of|scale > 0 of"):
        kernel.gram(problem(HALVES, [0, 1, 1], kernel={"name": "polynomial", **bad}))
    assert kernel.gram(problem([[1], [0]], [0, 1], kernel={"name": "polynomial", "degree": 99})).n == 2


LOSSES = {  # L(t) by hand
    "hinge": lambda t, e: max(t, 0),
    "squared_hinge": lambda t, e: max(t, 0) ** 2,
    "huberised": lambda t, e: 0 if t < 0 else t * t if t < 2 else 4 * t - 4,
    "huberised_hinge": lambda t, e: 0 if t < 0 else t * t / 2 if t < 1 else t - Q(1, 2),
    "squared": lambda t, e: t * t,
    "huber": lambda t, e: t * t / 2 if abs(t) < e else e * abs(t) - e * e / 2,
    "epsilon_insensitive": lambda t, e: max(abs(t) - e, 0),
    "squared_epsilon_insensitive": lambda t, e: max(abs(t) - e, 0) ** 2,
    "quadratic_epsilon_insensitive": lambda t, e: max(t * t - e, 0),
}
GRID = [Q(i, 8) for i in range(-60, 61)]


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("e", [Q(1, 4), Q(1), Q(9, 4)])
def test_a_loss_its_slopes_and_its_conjugate_are_those_by_hand(name, e):
    """L(t) by its formula; the ends of the slopes are those far out; L*(p) = max of pt − L(t)  [ESL-12.38]."""
    value, star, low, high = kernel.loss(name, e)
    by_hand = LOSSES[name]
    assert [value(t) for t in GRID] == [by_hand(t, e) for t in GRID]
    for end, side in ((low, -1), (high, 1)):
        slope = side * (by_hand(Q(100 * side), e) - by_hand(Q(99 * side), e))
        assert end == slope if end is not None else abs(slope) > 99
    for p in [Q(i, 4) for i in range(-16, 17)]:  # each maximum is at a multiple of 1/8 within the grid
        if (low is None or p >= low) and (high is None or p <= high):
            assert star(p) == max(p * t - by_hand(t, e) for t in GRID)


def test_a_root_that_is_irrational_is_taken_from_above():
    """L*(p) of max(t² − 2, 0) is √2·|p| for small p: never below it, since D must be a bound, and to 60 digits."""
    least = kernel.loss("quadratic_epsilon_insensitive", Q(2))[1](Q(1)) ** 2
    assert 0 < least - 2 < Q(1, 10**58)


def machine(y, K, cost=1, mu=1, balanced=True, name="hinge"):
    """Return a machine over a matrix of integers."""
    rows = kernel.Gram(lambda j: K[j], 1, len(K))
    return kernel.Machine(rows, kernel.loss(name), y, [Q(1)] * len(y), [cost] * len(y), Q(mu), balanced)


def test_multipliers_that_do_not_balance_are_scaled_down_on_the_heavier_side():
    """α = (¾, ¼, ½) at y = (1, 1, −1): the side that weighs 1 is halved, so that D is that of (⅜, ⅛, ½)
    [ESL-12.13] [ESL-12.14]."""
    own = machine([1, 1, -1], [[2, 0, 0], [0, 3, 0], [0, 0, 4]], cost=Q(1))
    _, bound, failures, _, _ = own.proof([Q(3, 4), Q(1, 4), Q(-1, 2)], Q(0))
    assert bound == 1 - (2 * Q(9, 64) + 3 * Q(1, 64) + 4 * Q(1, 4)) / 2
    assert (Q(1, 2), "the multipliers do not sum to zero") in failures
    _, turned, _, _, _ = own.proof([Q(1, 4), Q(0), Q(-1, 2)], Q(0))
    assert turned == Q(1, 2) - (2 * Q(1, 16) + 4 * Q(1, 16)) / 2
    _, many, _, _, _ = own._replace(mu=Q(2)).proof([Q(1, 4), Q(1, 4), Q(-1, 4)], Q(0))
    assert many == 1 - (2 * Q(1, 16) + 3 * Q(1, 16) + 4 * Q(1, 4)) / 4


def test_the_scale_of_an_optimum_of_zero_is_the_objective_of_the_function_zero():
    """Points of one class: a constant costs nothing, f = 0 all of them; of two classes, or without b, there is none."""
    K, zero = [[0] * 3] * 3, [Q(0)] * 3
    assert machine([1, 1, 1], K, cost=Q(1)).proof(zero, Q(0))[3] == 3
    assert machine([1, 1, -1], K, cost=Q(1)).proof(zero, Q(0))[3] == 0
    assert machine([1, 1, 1], K, cost=Q(1), balanced=False).proof(zero, Q(0))[3] == 0
    tube = kernel.Machine(
        machine([1], K).K, kernel.loss("epsilon_insensitive", Q(1)), [1] * 3, [Q(v) for v in (2, 4, 3)], [1] * 3
    )
    assert tube.proof(zero, Q(0))[3] == 6  # f = 3 leaves every point within the tube, f = 0 costs 1 + 3 + 2


def test_a_point_beyond_a_hard_margin_violates_nothing():
    """C = ∞, x = −1, 1, 2: the optimum is f = x, no condition of it is violated, also not at the point with f = 2."""
    own = machine([-1, 1, 1], [[1, -1, -2], [-1, 1, 2], [-2, 2, 4]], cost=None)
    P, D, failures, _, convex = own.proof([Q(-1, 2), Q(1, 2), Q(0)], Q(0))
    assert (P, D, max(failures)[0], convex) == (Q(1, 2), Q(1, 2), 0, True)


def test_hard_margins_have_multipliers_without_a_bound_but_weights_of_zero():
    """x = ∓¼ and C = ∞: α = 8 each is optimal; a point of weight 0 on the wrong side costs nothing  [ESL-12.8]."""
    given = {"method": "svc", "x": [["-1/4"], ["1/4"], [-1]], "y": [0, 1, 1], "weights": [1, 1, 0]}
    given["parameters"] = {"C": "inf"}
    verdict = kernel.judge(given, {"alpha": [8, 8, 0], "intercept": [0]})
    assert (verdict["primal"], verdict["dual"], verdict["worst_violation"]) == (8, 8, 0)


TWO = {"method": "svc", "x": [[0], [2]], "y": [0, 1], "parameters": {}}


def test_classes_in_reversed_order_turn_the_function():
    """f = x − 1 stands for class 1; with the classes 1, 0 it is 1 − x; and "ovr" of two classes is one machine."""
    right = {"alpha": ["1/2", "1/2"], "intercept": [-1]}
    assert kernel.judge(TWO, right)["gap"] == 0
    turned = {**right, "intercept": [1], "classes": [1, 0]}
    assert kernel.judge(TWO, turned)["gap"] == 0
    assert kernel.judge(TWO, {**turned, "intercept": [-1]})["verdict"] == "refuted"
    assert kernel.judge({**TWO, "parameters": {"multiclass": "ovr"}}, right)["gap"] == 0
    signed = {"method": "kernel_classifier", "x": [[0], [2]], "y": [0, 1], "parameters": {"penalty": 1}}
    assert kernel.judge(signed, {"alpha": ["-1/2", "1/2"], "intercept": [-1]})["gap"] == 0
    reported = {"alpha": ["1/2", "-1/2"], "intercept": [1], "classes": [1, 0]}
    assert kernel.judge(signed, reported)["gap"] == 0


def test_three_classes_are_pairs_also_where_the_first_pair_comes_in_another_order():
    """Two machines of three are reversed labels nowhere: the classes' order reported backwards does not turn three."""
    given = {"method": "svc", "x": [[0], [2], [4]], "y": [0, 1, 2], "parameters": {}}
    alpha = [["1/2", "1/2", 0], ["1/8", 0, "1/8"], [0, "1/2", "1/2"]]
    reported = {"alpha": alpha, "intercept": [-1, -1, -3]}
    assert kernel.judge(given, reported)["gap"] == 0
    assert kernel.judge(given, {**reported, "classes": [2, 1, 0]})["gap"] == 0


@pytest.mark.parametrize("method", ["svc", "kernel_classifier", "crammer_singer", "lee_lin_wahba", "svm_path"])
def test_machines_need_as_many_classes_as_they_tell_apart(method):
    """One class is none's; three are those of pairs and of the machines of all classes, not of the others."""
    reported = {"alpha": [[0, 0, 0]] * 3, "intercept": [0, 0, 0]}
    one = {"method": method, "x": [[0], [1]], "y": [0, 0]}
    with pytest.raises(ValueError, match="need two classes"):
        kernel.judge(one, {"alpha": [[0], [0]], "intercept": [0]})
    three = {"method": method, "x": [[0], [1], [2]], "y": [0, 1, 2]}
    if method in ("kernel_classifier", "svm_path"):
        with pytest.raises(ValueError, match="need two classes"):
            kernel.judge(three, reported)
    else:
        assert kernel.judge(three, reported)["verdict"] == "refuted"


@pytest.mark.parametrize("wrong", [{"classes": [2, 1, 0]}, {"alpha": [[0, 0, 0]] * 2}])
def test_multipliers_of_all_classes_need_their_order_and_a_row_for_each_point(wrong):
    """The classes in another order, or a row too few, each by itself."""
    reported = {"classes": [0, 1, 2], "alpha": [[0, 0, 0]] * 3, "intercept": [0, 0, 0], **wrong}
    with pytest.raises(ValueError, match="the classes in order, n rows"):
        kernel.judge({"method": "crammer_singer", "x": [[0], [1], [2]], "y": [0, 1, 2]}, reported)


def test_a_lee_lin_wahba_machine_by_hand():
    """Three points at the origin, m = 3, costs 2 and 3, λ = 1: h = 0, so that P and D are sums  [MMST-11.77]
    [MMST-11.104]; the intercepts count less their mean, and multipliers of unequal sums are scaled down."""
    costs = [[0, 2, 2], [3, 0, 3], [2, 2, 0]]
    own = problem([[0]] * 3, [0, 1, 2], "lee_lin_wahba", costs=costs)
    alpha = [[Q(v) for v in row] for row in ([0, 1, 2], [2, 0, 1], [2, 1, 0])]  # sums by class 4, 2, 3: scaled to 2
    primal, dual, failures, _, _ = kernel.lee_lin_wahba(own, alpha, [Q(3, 2), Q(1), Q(1, 2)], {})
    # b less its mean is (½, 0, −½); slacks b + ½ are 1, ½, 0; L by class: (5, 4, 5) in sum over points
    assert primal == (5 * 1 + 4 * Q(1, 2) + 0) / Q(3)
    assert dual == Q(6) / 2 / 3
    assert failures[:3] == [
        (Q(2, 3), "point 0: alpha"),
        (Q(1), "point 1: alpha"),
        (Q(1), "point 2: alpha"),
    ]
    assert failures[3] == (3, "the intercepts")


@pytest.mark.parametrize("parameters", [{}, {"alpha": "1/3"}])
def test_a_mixed_covariance_needs_no_shrinking_unless_it_is_told(parameters):
    """RDA whose gamma is not reported mixes class and pooled covariances alone."""
    x, y = [[0, 0], [2, 0], [5, 1], [9, 1]], [0, 0, 1, 1]
    a = Q(parameters.get("alpha", "1/2"))
    own = [[[str(a * v + (1 - a) * 5), 0], [0, 0]] for v in (2, 8)]  # the pooled variance is (2 + 8)/2
    given = {"method": "rda", "x": x, "y": y, "parameters": parameters}
    assert kernel.judge(given, {"covariances": own})["worst_violation"] == 0


def test_a_covariance_of_each_class_is_mixed_with_no_other():
    """QDA's variances of the same points are those of each class alone, 2 and 8  [ESL-4.12]."""
    given = {"method": "qda", "x": [[0], [2], [5], [9]], "y": [0, 0, 1, 1]}
    assert kernel.judge(given, {"covariances": [[[2]], [[8]]]})["worst_violation"] == 0


def test_fishers_axis_of_three_centroids_by_hand():
    """Means 1, 4, 13 with variance 2 within: between centroids about their mean 6 it is 78/2, over 2 it is 39/2; with
    priors of the classes 78/3 instead [ESL-4.15]."""
    x, y = [[0], [2], [3], [5], [12], [14]], [0, 0, 1, 1, 2, 2]
    axis = 2**-0.5
    for between, value in (("centroids", Q(39, 2)), ("weighted", Q(13))):
        given = {"method": "fisher", "x": x, "y": y, "parameters": {"between": between}}
        verdict = kernel.judge(given, {"scalings": [[axis]], "eigenvalues": [float(value)]})
        assert verdict["digits"] > 15, verdict


@pytest.mark.parametrize(("error", "accepted"), [(1e-17, True), (1e-8, True), (1e-4, False)])
@pytest.mark.parametrize("name", ["coef", "intercept"])
def test_zero_differences_of_classes_are_measured_by_the_spread_of_the_data(name, error, accepted):
    """Classes a and b have the mean 1000, c has 1006, W = 30: δ of c beside the others is 1.2x − 1203.6; what lies
    between a and b is zero, and roundoff in it is no error  [ESL-4.10]."""
    x = [[1000 + v] for v in (-3, 1, 2, -1, -2, 3, 5, 6, 7)]
    given = {"method": "lda", "x": x, "y": ["a"] * 3 + ["b"] * 3 + ["c"] * 3}
    coef, intercept = [[0.0], [0.0], [1.2]], [0.0, 0.0, -1203.6]
    if name == "coef":
        coef[1], intercept[1] = [error], -1000 * error
    else:
        intercept[1] = error
    found = kernel.judge(given, {"fitted": {"coef": coef, "intercept": intercept}})
    assert (found["verdict"] == "accepted") == accepted


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_multiplier_is_out_of_bounds_on_either_side(sign):
    """C = 1, K = I: α of 3 lies 2 above its bound, and one of −3 lies 3 below; they do not balance  [ESL-12.15]."""
    own = machine([sign, -sign], [[1, 0], [0, 1]], cost=Q(1))
    failures = own.proof([Q(3 * sign), Q(0)], Q(0))[2]
    assert (2, "point 0: out of bounds") in failures and (3, "the multipliers do not sum to zero") in failures
    failures = own.proof([Q(-3 * sign), Q(0)], Q(0))[2]
    assert (3, "point 0: out of bounds") in failures and (3, "the multipliers do not sum to zero") in failures


def test_a_hard_margin_that_is_missed_by_a_large_multiplier_is_no_slope():
    """C = ∞, α = 3 with f = ½: the margin is missed by ½, and 3·½ less that is 1  [ESL-12.14]."""
    own = machine([1], [[1]], cost=None, balanced=False)
    failures = own.proof([Q(3)], Q(-5, 2))[2]
    assert (1, "point 0: its multiplier is no slope of the loss") in failures


def test_the_multipliers_and_intercepts_of_all_classes_fail_on_either_side():
    """Multipliers of −2 and of 3, between 0 and 1; intercepts whose sum is −6  [MMST-11.104]."""
    own = problem([[0]] * 2, [0, 1], "lee_lin_wahba")
    failures = kernel.lee_lin_wahba(own, [[Q(0), Q(-2)], [Q(3), Q(0)]], [Q(-2), Q(-4)], {})[2]
    assert failures == [(2, "point 0: alpha"), (3, "point 1: alpha"), (6, "the intercepts")]


def test_directions_of_equal_means_are_measured_by_half_the_mean_deviation():
    """Means 1 and 5, deviations ∓1 and ∓3 about them: their mean is 2, and half of it is added and taken off
    [ESL-4.10]."""
    own = problem([[0], [2], [2], [8]], [0, 0, 1, 1], "lda")
    ((terms, _),) = [
        pair
        for pair in kernel.gaussian(own, {"coef": [["2/5"]]}, lambda v, n: kernel.numbers(v, n))
        if "dir" in pair[1]
    ]
    assert terms == [10 * Q(2, 5), -4, 1, -1]
