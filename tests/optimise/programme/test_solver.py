"""The solver of quadratic programmes: exact conditions of optimality, exact refusals, in doubles and in fractions."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from refclass import solve_qp
from refclass.errors import NoAnswer, NotConverged
from refclass.estimators import solve_qp as stating
from refclass.optimise.programme import certificate, solver
from refclass.optimise.programme.problem import times, transposed_times
from tests.optimise.programme.programmes import answered, programme

SEEDS = range(150)
CONTRADICTORY = 61  # its rows contradict each other by 10⁻¹⁷, which doubles neither satisfy nor refute


def conditions(p, x, y):
    """Assert every condition of optimality with ==."""
    gradient = [a + b + c for a, b, c in zip(times(p.P, x), p.q, transposed_times(p.A, y, p.n))]
    assert not any(gradient)
    for v, w, low, high in zip(times(p.A, x), y, p.l, p.u):
        assert low is None or v >= low
        assert high is None or v <= high
        assert w == 0 or v == (high if w > 0 else low)


@pytest.mark.many
@pytest.mark.parametrize("seed", SEEDS)
def test_an_exact_answer_satisfies_every_condition_or_its_refusal_is_proven(seed):
    """For random programmes of every kind the optimum holds with ==, or its witness proves that there is none."""
    given = programme(random.Random(seed))
    p = stating.programme(*given)
    try:
        found = solve_qp(*given, arithmetic="exact")
    except NoAnswer as refusal:
        assert certificate.refusal_reason(p, refusal.witness) is None
        return
    conditions(p, found.x, found.y)
    assert found.certificate.gap == 0
    assert found.certificate.status == "optimal"


@pytest.mark.many
@pytest.mark.parametrize("seed", SEEDS)
def test_doubles_prove_nine_digits_or_a_refusal_is_exact(seed):
    """Doubles prove nine digits, or those of the rounded exact optimum; the objective is its, a refusal is proven."""
    given = programme(random.Random(seed))
    p = stating.programme(*given)
    try:
        found = answered(given)
    except NotConverged as refusal:
        assert seed == CONTRADICTORY
        assert len(refusal.witness["x"]) == p.n
        return
    if found is None:
        return
    assert found.certificate.digits >= min(9, found.certificate.ceiling or 9)
    if found.certificate.digits < 9:
        return
    try:
        best = solve_qp(*given, arithmetic="exact").objective
    except NoAnswer as refusal:
        assert certificate.refusal_reason(p, refusal.witness) is None  # contradicts by less than doubles tell
        return
    assert abs(Fraction(found.objective) - best) <= Fraction(1, 10**7) * (1 + abs(best))


def test_the_order_of_rows_does_not_change_the_optimum():
    """Permuted rows have the same optimal value, and multipliers that prove it."""
    rng = random.Random(7)
    for seed in range(200, 215):
        P, q, A, low, high = programme(random.Random(seed))
        order = list(range(len(A)))
        rng.shuffle(order)
        rows = [[own[i] for i in order] for own in (A, low, high)]
        values = []
        for own in ((A, low, high), rows):
            try:
                values.append(solve_qp(P, q, *own, arithmetic="exact").objective)
            except NoAnswer as refusal:
                values.append(sorted(set(refusal.witness) - {"x"}))
        assert values[0] == values[1]


def test_a_contradiction_is_refused_with_multipliers():
    """x₀ + x₁ ≥ 3 contradicts x ≤ 1; the multipliers combine the rows to 0 ≤ −1 or a multiple of it."""
    A = [[1, 1], [1, 0], [0, 1]]
    for arithmetic in ("float", "exact"):
        with pytest.raises(NoAnswer) as caught:
            solve_qp([[1, 0], [0, 1]], [0, 0], A, [3, None, None], [None, 1, 1], arithmetic=arithmetic)
        p = stating.programme([[1, 0], [0, 1]], [0, 0], A, [3, None, None], [None, 1, 1])
        assert certificate.contradicts(p, caught.value.witness["y"]) is None


def test_endless_descent_is_refused_with_a_ray():
    """Without curvature along (1, 1) and without bounds there the objective falls without end."""
    P, q, A = [[1, -1], [-1, 1]], [-1, 0], [[1, 0]]
    for arithmetic in ("float", "exact"):
        with pytest.raises(NoAnswer) as caught:
            solve_qp(P, q, A, [0], [None], arithmetic=arithmetic)
        assert certificate.refusal_reason(stating.programme(P, q, A, [0], [None]), caught.value.witness) is None


def test_negative_curvature_is_refused_with_a_direction():
    """A matrix with a negative eigenvalue is refused, unless the equalities exclude its direction."""
    P = [[1, 0], [0, -1]]
    with pytest.raises(NoAnswer) as caught:
        solve_qp(P, [0, 0], [[1, 1]], [0], [1])
    assert (
        certificate.is_concave_along(
            stating.programme(P, [0, 0], [[1, 1]], [0], [1]), caught.value.witness["direction"]
        )
        is None
    )
    found = solve_qp(P, [1, 0], [[0, 1]], [2], [2], arithmetic="exact")
    assert found.x == [-1, 2]


def test_a_vertex_that_is_degenerate_many_times_is_reached():
    """Forty rows that meet in one point, and an objective that presses there, end with a gap of zero."""
    rng = random.Random(3)
    A = [[rng.randint(1, 9) for _ in range(4)] for _ in range(40)]
    found = solve_qp(None, [-1, -1, -1, -1], A, None, [sum(row) for row in A], arithmetic="exact")
    assert found.objective == -4
    assert found.certificate.gap == 0


def test_doubles_answer_what_contradicts_by_roundoff_and_say_so():
    """0.1x + 0.2y ≥ 0.3 and x + 2y ≤ 3 − 2⁻⁵¹ contradict by 4e-17: fractions refuse, doubles answer and say so."""
    given = [[2, 0], [0, 2]], [0, 0], [[0.1, 0.2], [1, 2]], [0.3, None], [None, 3 - 2**-51]
    with pytest.raises(NoAnswer) as caught:
        solve_qp(*given, arithmetic="exact")
    assert certificate.refusal_reason(stating.programme(*given), caught.value.witness) is None
    found = solve_qp(*given)
    assert found.certificate.digits > 14
    assert "contradict by 4.2e-17" in found.certificate.premise
    with pytest.raises(NoAnswer):
        solve_qp(*given[:4], [None, 3 - 2**-20])


def test_doubles_choose_small_multipliers():
    """Of multipliers that a row, its copies and their sums leave open, none is large: the proximal term's choice."""
    rng = random.Random(5)
    base = [[rng.randint(-3, 3) for _ in range(6)] for _ in range(3)]
    A = base + [[a + b for a, b in zip(base[0], base[1])], [a - b for a, b in zip(base[1], base[2])], base[0]]
    point = [rng.randint(0, 2) for _ in range(6)]
    sides = [sum(a * b for a, b in zip(row, point)) for row in A]
    found = solve_qp([[int(i == j) for j in range(6)] for i in range(6)], [1] * 6, A, sides, sides)
    assert max(map(abs, found.y)) < 10
    assert found.certificate.digits > 14


def test_uniqueness_of_the_optimum_is_decided():
    """A face of optima is reported from a single point, also where a bound is touched without a multiplier."""
    square = [[1, 0], [0, 1]]
    face = solve_qp(None, [-1, -1], [[1, 1], *square], [None, 0, 0], [1, None, None], arithmetic="exact")
    point = solve_qp(None, [-2, -1], [[1, 1], *square], [None, 0, 0], [1, None, None], arithmetic="exact")
    touched = solve_qp([[1, 0], [0, 0]], [0, 0], [[1, 1], [1, -1]], [0, 0], None, arithmetic="exact")
    assert (face.certificate.unique["x"], point.certificate.unique["x"]) == (False, True)
    half = solve_qp([[1, 0], [0, 0]], [0, 0], [[1, 1]], [0], None, arithmetic="exact")
    assert (touched.certificate.unique["x"], half.certificate.unique["x"]) == (True, False)


def test_a_step_limit_ends_in_a_refusal_with_the_point(monkeypatch):
    """Where the exact method may take no step, doubles that prove too little are refused, with what is known."""
    from refclass.optimise.programme.parametric import method as parametric

    def stopped(*given):
        raise NotConverged("solve_qp", need="an optimum", got="none")

    monkeypatch.setattr(parametric.Method, "run", stopped)
    monkeypatch.setattr(solver, "ASKED", 400)
    monkeypatch.setattr(solver, "NEAR", Fraction(-1))
    with pytest.raises(NotConverged) as caught:
        solve_qp([[3.0]], [0.1], [[1]], [-9], [9])
    assert len(caught.value.witness["x"]) == 1


def test_an_exact_optimum_meets_the_conditions_of_karush_kuhn_and_tucker():
    """Stationarity, feasibility, signs and complementarity hold exactly at the optimum, and not beside it
    [KIM-3.1] [KIM-3.3] [KIM-3.4] [KIM-3.5] [KIM-3.6] [ISML-27.3-kkt].
    """
    given = [[2, 0], [0, 2]], [-2, -5], [[1, 1], [1, 0], [0, 1]], [None, 0, Fraction(5, 4)], [2, None, Fraction(5, 4)]
    found = solve_qp(*given, arithmetic="exact")
    assert set(found.conditions().values()) == {0} and any(found.y)
    beside = replace(found, x=[v + 1 for v in found.x]).conditions()
    assert beside["stationarity"] == 2 and beside["feasibility"] > 0
    assert replace(found, y=[-v for v in found.y]).conditions()["stationarity"] > 0


def test_an_answer_with_the_digits_of_doubles_is_not_sought_in_fractions(monkeypatch):
    """Residuals above 1e-9 are units in the last place of their terms: rounding the exact optimum leaves as much."""
    monkeypatch.setattr(solver, "_parametric", None)
    found = solve_qp([[3e10, 0], [0, 3e10]], [-1e10, -2e10], [[1, 1]], [None], [0.9])
    assert found.certificate.digits >= 15
    assert found.certificate.worst_violation > solver.NEAR
