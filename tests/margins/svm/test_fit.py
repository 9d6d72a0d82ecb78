"""Tests for solvers of support vector machines that are asked for by name, on data that doubles do not hold."""

import math
from fractions import Fraction
from random import Random

import pytest

from refclass import SVC, gram
from refclass.errors import NoAnswer, NotConverged
from refclass.margins.svm.fit import SOLVERS

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
