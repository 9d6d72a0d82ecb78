"""Tests for solvers of support vector machines that are asked for by name, on data that doubles do not hold."""

import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from refclass import SVC, gram
from refclass.errors import NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import fit
from refclass.margins.svm.fit import SOLVERS
from refclass.margins.svm.soft import Machine
from refclass.number.rational import RATIONAL
from tests.profiles import examples

FAR = [[10000001.037044058, 9999999.993676849], [10000001.107646862, 9999998.86580658], [10000001.2, 10000001.4]]
WIDE = [[1.0, 1e9], [2.0, 0.5], [0.3, -1.0], [0.1, 2.0]]


@pytest.mark.parametrize("rows", [FAR, WIDE])
@pytest.mark.parametrize("solver", ["active_set", "working_set", "chunking", "decomposition"])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_a_solver_tells_its_digits_or_refuses_with_bounds(rows, solver, loss):
    """Status optimal means nine digits; what has not converged has bounds; the objective is that of the answer
    [ESL-12.14]."""
    machine = SVC(C=100.0, kernel={"name": "polynomial", "degree": 4, "c": 0}, solver=solver, loss=loss)
    try:
        proof = machine.fit(rows, [k % 2 for k in range(len(rows))]).certificate_
    except NotConverged as refusal:
        assert {"primal", "dual"} <= set(refusal.witness)
    else:
        assert (proof.status == "optimal") == (proof.digits >= 9)
        assert machine.objective_ == pytest.approx(float(proof.primal), rel=1e-9)


@pytest.mark.parametrize("kernel", ["linear", {"name": "polynomial", "degree": 2, "c": 1}])
def test_of_many_points_a_refused_hard_margin_has_an_exact_witness(kernel):
    """150 points of two classes that overlap: d with Σ dᵢ = 0 and Kd = 0 in fractions, yᵢdᵢ ≥ 0: a point that both
    convex hulls share  [MMST-11.3.5-check]."""
    random = Random(5)
    rows = [[float(random.randint(-9, 9)), float(random.randint(-9, 9))] for _ in range(150)]
    labels = [random.randint(0, 1) for _ in rows]
    with pytest.raises(NoAnswer) as refusal:
        SVC(C=math.inf, kernel=kernel).fit(rows, labels)
    d = [Fraction(v) for v in refusal.value.witness["ray"]]
    assert any(d) and sum(d) == 0 and all(v * (2 * t - 1) >= 0 for v, t in zip(d, labels))
    table = gram(rows, kernel=kernel, arithmetic="exact")
    assert all(sum(v * k for v, k in zip(d, row)) == 0 for row in table)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [1, "inf"])
def test_a_linear_machine_of_decimals_is_the_exact_one(loss, C):
    """Doubles find which multipliers are free, and thirty digits of the exact optimum are handed out  [ESL-12.13]."""
    rows, labels = [[0, 1], [2, 0], [1, 3], [4, 4], [6, 3], [5, 7]], [0, 0, 0, 1, 1, 1]
    exact, decimals = (SVC(C=C, loss=loss, arithmetic=name).fit(rows, labels) for name in ("exact", "decimal:30"))
    got, want = ([*m.alpha_, *m.coef_[0], *m.intercept_] for m in (decimals, exact))
    assert max([abs(Fraction(v) - w) for v, w in zip(got, want)]) <= Fraction(1, 10**28)


@pytest.mark.parametrize("solver", ["long_step", *SOLVERS])
def test_a_solver_that_is_asked_for_refuses_hard_margins_with_proofs_alone(solver):
    """Classes 2⁻⁴⁰ apart: that they meet is roundoff, and the exact optimum is (2⁴¹)²/2; where they do meet the ray is
    exact  [MMST-11.3.5-check]."""
    rows, labels = [[-1.0], [1.0], [1 + 2.0**-40], [3.0]], [0, 0, 1, 1]
    try:
        machine = SVC(C=math.inf, solver=solver).fit(rows, labels)
    except NotConverged as refusal:
        assert refusal.witness["dual"] <= 2**81 and refusal.witness["primal"] is None
    else:
        assert machine.objective_ == pytest.approx(2**81, rel=1e-9)
    with pytest.raises(NoAnswer) as meeting:
        SVC(C=math.inf, solver=solver).fit([*rows, [2.0]], [*labels, 0])
    d = [Fraction(v) for v in meeting.value.witness["ray"]]
    assert any(d) and sum(d) == 0 == sum(v * Fraction(x) for v, (x,) in zip(d, [*rows, [2.0]]))


@pytest.mark.parametrize("solver", ["long_step", *SOLVERS])
def test_the_end_of_a_solver_that_is_asked_for_has_a_digit_or_is_refused_with_bounds(solver):
    """Points of spread one, 10⁶ and 10⁸ away: what is proven of less than a digit is no answer  [ESL-12.13]."""
    for seed, middle in product(range(2), (1e6, 1e8)):
        r = Random(seed)
        rows = [[middle + r.gauss(0, 1) for _ in range(2)] for _ in range(5)]
        try:
            proof = SVC(C=100, solver=solver, max_iter=500).fit(rows, [0, 1, 0, 1, 0]).certificate_
        except NotConverged as refusal:
            assert refusal.witness["dual"] <= refusal.witness["primal"]
        else:
            assert proof.digits >= 1 and proof.status != "not converged"


def close(seed):
    """Return nearly equal rows, labels in turn, a kernel that is definite on them, and their Gram matrix as held."""
    r = Random(seed)
    n, p, step = r.choice([4, 6, 10, 16]), r.choice([1, 2, 3]), r.choice([1e-3, 1e-6, 1e-7, 1e-8])
    rows = [[1 + step * r.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    kernel = {"name": "gaussian", "gamma": r.choice([1, "1/10", "1/100"])}
    return rows, [i % 2 for i in range(n)], kernel, gram(rows, kernel=kernel)


@pytest.mark.parametrize("solver", ["auto", "active_set", "working_set"])
@pytest.mark.parametrize("arithmetic", ["float", "exact"])
def test_rounded_values_of_a_kernel_leave_no_hard_margin_or_are_not_converged(solver, arithmetic):
    """The Gaussian kernel is positive definite, its values near one are not: negative curvature of a direction says
    nothing of an answer; a ray does where Kd is constant and yᵢdᵢ ≥ 0, in fractions  [MMST-11.3.5-check]."""
    found = []
    for seed in range(examples(6)):
        rows, labels, kernel, K = close(seed)
        try:
            SVC(C=math.inf, kernel=kernel, solver=solver, arithmetic=arithmetic).fit(rows, labels)
        except NotConverged as refusal:
            found.append(refusal)
        except NoAnswer as refusal:
            found.append(refusal)
            d = [Fraction(v) for v in refusal.witness["ray"]]
            assert any(d) and sum(d) == 0 and all(v * (2 * t - 1) >= 0 for v, t in zip(d, labels))
            assert len({sum(v * Fraction(k) for v, k in zip(d, row)) for row in K}) == 1
    assert any("roundoff" in str(refusal) for refusal in found)


def test_a_hard_margin_of_rounded_kernel_values_is_trained_by_the_active_set_in_decimals():
    """The Gram matrix of decimals goes to fractions, whoever solves; the answer is judged, and its digits are said."""
    rows, labels = [[0], [1], [3], [4]], [0, 0, 1, 1]
    options = {"C": math.inf, "kernel": {"name": "gaussian", "gamma": 1}, "arithmetic": "decimal:30"}
    one, other = (SVC(solver=solver, **options).fit(rows, labels) for solver in ("auto", "active_set"))
    assert one.objective_ == other.objective_ and other.certificate_.digits > 25
    rows, labels, kernel, _ = close(1)
    options.update(kernel=kernel, arithmetic="decimal:16")
    assert 7 < SVC(**options, solver="active_set").fit(rows, labels).certificate_.digits < 9
    rows, labels = [[10**9], [10**9 + 1], [10**9 + 3], [10**9 + 4]], [0, 0, 1, 1]
    options.update(kernel={"name": "polynomial", "degree": 3}, arithmetic="decimal:6")
    with pytest.raises(NotConverged, match="need an optimum that decimal:6 can hold; got 0.0 digits"):
        SVC(**options, solver="active_set").fit(rows, labels)


@pytest.mark.parametrize("solver", ["smo", "chunking", "decomposition"])
@pytest.mark.parametrize(("n", "offset"), [(10, 1e6), (24, 1e7)])
def test_a_solver_that_is_asked_for_answers_far_from_the_origin(solver, n, offset):
    """Its multipliers are those of K measured from the first point, with the bounds of the optimum  [ESL-12.13]."""
    r = Random(n)
    X = [[offset + r.gauss(0, 1), offset + r.gauss(0, 1)] for _ in range(n)]
    y = [i % 2 for i in range(n)]
    best = SVC(C=100).fit(X, y).certificate_
    found = SVC(C=100, solver=solver).fit(X, y).certificate_
    assert found.digits >= 5
    assert found.dual <= best.primal and best.dual <= found.primal


@pytest.mark.parametrize(
    "witness, positive, intercept, words",
    [
        ("ray", True, True, "a hyperplane separates; got a point in the convex hulls"),
        ("weights", True, False, "through the origin separates; got the origin"),
        ("direction", True, True, "train: need a; got b"),
        ("ray", False, True, "train: need a; got b"),
    ],
)
def test_a_refusal_speaks_of_a_hyperplane_where_its_witness_shows_that_there_is_none(
    monkeypatch, witness, positive, intercept, words
):
    """Multipliers that grow without bound, or weights of points of hulls, do for a positive kernel; nothing else does.
    The witness stays  [MMST-11.3.5-check]."""

    def refused(*given):
        raise NoAnswer("train", need="a", got="b", **{witness: 1})

    monkeypatch.setattr(fit, "_trained", refused)
    one = Fraction(1)
    machine = Machine(Matrix([[one]]), Vector([one]), (None,), intercept=intercept, positive=positive)
    with pytest.raises(NoAnswer) as refusal:
        fit.train(RATIONAL, machine)
    assert words in str(refusal.value) and refusal.value.witness[witness] == 1


def test_points_of_both_classes_on_one_place_are_not_separated():
    """By no hyperplane; and x, 2x of both classes by none through the origin."""
    with pytest.raises(NoAnswer, match="classes that a hyperplane separates"):
        SVC(C=math.inf, arithmetic="exact").fit([[1], [1]], [0, 1])
    with pytest.raises(NoAnswer, match="classes that a hyperplane through the origin separates"):
        SVC(C=math.inf, intercept=False, arithmetic="exact").fit([[1], [2]], [0, 1])
