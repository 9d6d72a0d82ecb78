"""Starting points from a model of low rank: the optimum where K is one but for little, else none."""

import math
from random import Random

import pytest

from refclass import SVC
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import Rows
from refclass.linear import polar
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.optimise.decomposition import low_rank_start, solver
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic.certificate import Problem
from refclass.regress.kernel.machine import Parts

N = 80
pytestmark = pytest.mark.skipif(not polar.IN_C, reason="where distances are no loop in C there is no such start")


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    monkeypatch.setattr(low_rank_start, "LEAST", N // 2)


def problem(gamma, summed, ends=(0.0, None), seed=0):
    """Return the dual of a machine with squared slack on overlapping classes; ends of the multipliers of one class."""
    r = Random(seed)
    y = [1.0 if i < N // 2 else -1.0 for i in range(N)]
    X = [Vector([r.gauss(v / 2, 1), r.gauss(0, 1)]) for v in y]
    low, high = ends
    lower = tuple([low if v > 0 else None if high is None else -high for v in y])
    upper = tuple([high if v > 0 else -low for v in y])
    E, d = (Matrix([[1.0] * N]), Vector([0.0])) if summed else (None, None)
    Q = Parts(Rows(BINARY64, Gaussian(gamma), X), None, Vector([0.5] * N))
    return Problem(Q, Vector([-v for v in y]), lower, upper, E, d)


def violation(p, x):
    """Return how far a point violates optimality, its gradient summed correctly rounded."""
    g = [math.fsum([*(a * b for a, b in zip(p.Q.row(i), x)), c]) for i, c in enumerate(p.c)]
    return box.violation([-v for v in g], box.rising(x, p.upper), box.falling(x, p.lower), p.E is not None)


@pytest.mark.parametrize("summed", [True, False])
@pytest.mark.parametrize("ends", [(0.0, None), (0.0, 1.5), (-0.2, 0.9)])
def test_the_start_is_the_optimum_of_smooth_kernels(summed, ends):
    """The start violates optimality by roundoff, with and without a sum, for bounds on one side and on two."""
    p = problem(0.1, summed, ends)
    x = low_rank_start.found(p, summed)
    assert violation(p, x) < 1e-13
    assert all(low is None or v >= low for v, low in zip(x, p.lower))
    assert all(high is None or v <= high for v, high in zip(x, p.upper))
    assert not summed or abs(math.fsum(x)) < 1e-14
    assert len({v in both for v, *both in zip(x, p.lower, p.upper)}) == (1 if ends == (0.0, None) else 2)


def test_there_is_no_start_where_the_model_is_not_near(monkeypatch):
    """Kernels whose columns leave much of K, problems with few free variables and other matrices have no start."""
    monkeypatch.setattr(low_rank_start, "TRIAL", 8)
    assert low_rank_start.found(problem(50.0, True), True) is None
    monkeypatch.setattr(low_rank_start, "TRIAL", 50)
    monkeypatch.setattr(low_rank_start, "COLUMNS", 2)
    assert low_rank_start.found(problem(0.1, True), True) is None
    monkeypatch.setattr(low_rank_start, "COLUMNS", 150)
    monkeypatch.setattr(low_rank_start, "LEAST", N)  # variables that have moved are no more than that
    assert low_rank_start.found(problem(0.1, True), True) is None
    monkeypatch.setattr(low_rank_start, "LEAST", N + 1)
    assert low_rank_start.found(problem(0.1, True), True) is None


def test_the_engine_takes_no_working_set_from_there(monkeypatch):
    """Decomposition finds nothing to do at the start; without it there are working sets, and the same optimum."""
    p = problem(0.1, True)
    there = solver.solve(p)
    monkeypatch.setattr(low_rank_start, "LEAST", N + 1)
    afresh = solver.solve(p)
    assert there.steps == 0 < afresh.steps
    assert max(abs(a - b) for a, b in zip(there.x, afresh.x)) < 1e-12


def test_a_machine_is_proven_from_there():
    """A machine with squared slack whose classes come one after the other has its optimum to fifteen digits."""
    r = Random(1)
    X = [[r.gauss(i // 60, 1), r.gauss(0, 1)] for i in range(120)]
    y = [i // 60 for i in range(120)]
    fitted = SVC(C=1, loss="squared_hinge", kernel={"name": "gaussian", "gamma": 0.1}).fit(X, y)
    assert fitted.certificate_.digits > 15
