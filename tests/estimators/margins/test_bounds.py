"""The ball around points, and what it says of a machine, through the public face."""

import math
import random
from fractions import Fraction as Q

import pytest

import refclass
from refclass import SVC, enclosing_ball, risk_bound
from refclass.errors import InvalidInput, NoAnswer
from refclass.oracle import table

SQUARE = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 1]]
X, Y = [[-3, 0], [-1, 1], [-2, 2], [1, 0], [3, 1], [2, -2]], [0, 0, 0, 1, 1, 1]


def test_a_ball_around_a_square():
    """Centre (1, 1), R² = 2, the inner point without a weight; proven  [RC-26]."""
    for arithmetic in ("exact", "float", "decimal:30"):
        found = enclosing_ball(SQUARE, arithmetic=arithmetic)
        assert (found.square, found.centre) == (2, [1, 1]) and set(found.support) <= {0, 1, 2, 3}
        assert found.certificate.gap == 0 and found.certificate.unique["centre"]


KERNELS = [{"name": "polynomial", "degree": 2, "c": 1}, *({"name": "gaussian", "gamma": g} for g in (0.5, "scale"))]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_ball_in_another_space_has_no_centre_in_this_one(kernel):
    """Exactly and in doubles R² is the same up to roundoff; of Gaussian kernels it is below 1  [RC-26]."""
    exact, rounded = (enclosing_ball(X, kernel=kernel, arithmetic=a) for a in ("exact", "float"))
    assert exact.certificate.status == "optimal" and type(exact.square) is Q and exact.centre is rounded.centre is None
    assert abs(rounded.square - exact.square) <= 1e-9 * exact.square
    assert kernel["name"] == "polynomial" or exact.square < 1


def test_points_far_from_the_origin_keep_their_digits():
    """Moved by 2³⁰ they have the same ball, proven from the data as given."""
    moved = enclosing_ball([[v + 2.0**30 for v in x] for x in SQUARE])
    assert abs(moved.square - 2) < 1e-9 and 0 <= moved.certificate.gap <= 2e-9
    assert [v - 2.0**30 for v in moved.centre] == [1, 1]


def test_real_data_are_enclosed_with_a_proof():
    """The mixture's 200 points, in doubles: the gap is below a billionth of R²  [RC-26]."""
    rows = table.embedded("mixture").numbers(["x1", "x2"], float)
    found = enclosing_ball(rows)
    assert 0 <= found.certificate.gap <= found.certificate.primal * Q(1, 10**9)
    assert max(math.dist(x, found.centre) for x in rows) <= math.sqrt(found.square) * (1 + 1e-12)


def test_a_table_without_distances_is_refused():
    """A precomputed table must be positive semidefinite where weights sum to zero."""
    with pytest.raises(NoAnswer):
        enclosing_ball([[0, 1], [1, 0]], kernel="precomputed", arithmetic="exact")


def test_a_machine_tells_what_its_margin_promises():
    """R² from the ball, A² = ‖β̂‖², h = min(⌈R²A²⌉, p) + 1, and the bound, vacuous for six points
    [ESL-12.50] [ESL-12.51] [VC-ERROR.P3]."""
    m = SVC(C=100, arithmetic="exact").fit(X, Y)
    bound = risk_bound(m, eta=0.1)
    assert bound.square == enclosing_ball(X, arithmetic="exact").square
    assert bound.norm == sum(v * v for v in m.coef_[0]) and bound.printed == bound.square * bound.norm
    assert bound.dimension == min(math.ceil(bound.printed), 2) + 1
    assert bound.errors == 0 and bound.vacuous and bound.value > 1
    assert bound.support_share == len(m.support_) / 6


def test_wide_margins_on_many_points_promise_something():
    """2000 copies of two points: h = 2, and the error is below one tenth, with probability 0.95  [ESL-12.51]."""
    m = SVC(C=1).fit([[-1.0], [1.0]] * 1000, [0, 1] * 1000)
    bound = risk_bound(m)
    assert bound.dimension == 2 and not bound.vacuous and bound.value < 0.1


def test_labels_by_chance_have_no_bound():
    """A machine of small costs learns coin tosses by heart with |f| < 0.001: divided by that, its norm is large, and
    the bound says nothing, where ‖β̂‖ as it is would promise 18 %  [ERR-ESL-12] [RC-27]."""
    chance = random.Random(0)
    rows = [[chance.random() for _ in range(5)] for _ in range(100)]
    labels = [chance.choice([0, 1]) for _ in rows]
    machine = SVC(C=1e-3, intercept=False, kernel={"name": "gaussian", "gamma": 500}).fit(rows, labels)
    bound = risk_bound(machine)
    assert bound.errors == 0 and max(map(abs, machine.decision_function(rows))) < 0.01
    assert bound.vacuous and bound.dimension > len(rows)


def test_a_machine_that_errs_has_no_such_bound():
    """The bound is for rules without training errors."""
    bound = risk_bound(SVC(C=1, kernel={"name": "gaussian", "gamma": 0.1}).fit([[0], [1], [2], [3]], [0, 1, 0, 1]))
    assert bound.errors > 0 and bound.value is None and bound.vacuous


def test_what_is_no_machine_is_refused():
    """An estimator of another kind, one that is not fitted, one of three classes, a confidence beyond one."""
    fitted = SVC().fit(X, Y)
    for machine in (refclass.LogisticRegression(), SVC(), SVC().fit(X, [0, 0, 1, 1, 2, 2])):
        with pytest.raises(InvalidInput):
            risk_bound(machine)
    with pytest.raises(InvalidInput):
        risk_bound(fitted, eta=2)


def test_training_errors_vanish_where_the_kernel_is_narrow_and_costs_are_high():
    """A Gaussian kernel of large γ learns any labels of distinct points by heart, while its support share of one says
    that leaving out bounds nothing  [OVERFIT.P1] [ESL-12.2.2-loo]."""
    rows = [[i, j] for i in range(4) for j in range(3)]
    labels = [(3 * i * i + j) % 2 for i, j in rows]
    m = SVC(C=1000, kernel={"name": "gaussian", "gamma": 50}).fit(rows, labels)
    assert m.score(rows, labels) == 1 and risk_bound(m).errors == 0
    assert risk_bound(m).support_share == 1 and risk_bound(m).vacuous


@pytest.mark.slow
def test_the_mixture_is_left_out_with_fewer_errors_than_support_vectors():
    """At C = 0.01 a linear machine errs on .285 of the rows left out, and has .84 of them as support vectors
    [LOO-SV.P1] [LOO-SV.P2] [ESL-12.2.2-loo]."""
    t = table.embedded("mixture")
    rows, labels = t.numbers(["x1", "x2"], float), t.column("y")
    said = refclass.leave_one_out(SVC(C=0.01), rows, labels, method="predict")
    assert sum(a != b for a, b in zip(said, labels)) == 57
    assert risk_bound(SVC(C=0.01).fit(rows, labels)).support_share == 0.84


def test_points_on_the_plane_are_errors_and_those_on_the_edge_are_none():
    """f = x at −1, 1, and at 0 once in each class: these two are on no side; alone ±1 are at the edge, no errors."""
    machine = SVC(C=1, arithmetic="exact").fit([[-1], [1], [0], [0]], [0, 1, 0, 1])
    assert machine.decision_function([[0], [1]]) == [0, 1]
    assert risk_bound(machine).errors == 2
    assert risk_bound(SVC(C=1, arithmetic="exact").fit([[-1], [1]], [0, 1])).errors == 0


def test_a_function_of_norm_one_has_the_margin_one():
    """f = x − 1 has ‖f‖ = 1 and the margin 1, x/2 the margin 2; on the plane the second class is said  [ESL-12.4]."""
    assert SVC(C=1, arithmetic="exact").fit([[0], [2]], [0, 1]).margin_ == 1
    wide = SVC(C=1, arithmetic="exact").fit([[-2], [2]], [0, 1])
    assert wide.margin_ == 2 and wide.predict([[-1], [0], [1]]) == [0, 1, 1]
