"""Tests for solvers of support vector machines that are asked for by name, on data that doubles do not hold."""

import math
from fractions import Fraction
from random import Random

import pytest

from refclass import SVC, gram
from refclass.errors import NoAnswer, NotConverged

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
