"""A rounded FᵀF of few rows has negative curvature of a unit in the last place: doubles answer, fractions refuse."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest

from refclass import solve_qp
from refclass.errors import NoAnswer
from refclass.estimators.solve_qp import programme
from refclass.optimise.programme.certificate import is_concave_along
from refclass.optimise.programme.semidefinite import negative_part
from refclass.oracle import judge, kernel, problem

SIZE = 5


def least_squares(seed):
    """Return P = FᵀF and q = −Fᵀ1 in doubles, for two rows F."""
    rng = random.Random(seed)
    rows = [[rng.gauss(0, 1) for _ in range(SIZE)] for _ in range(2)]
    return [[sum(r[i] * r[j] for r in rows) for j in range(SIZE)] for i in range(SIZE)], [-sum(c) for c in zip(*rows)]


@pytest.mark.parametrize("seed", range(4))
def test_doubles_answer_and_say_what_they_take_for_granted(seed):
    """Least squares over a box, free or from below: proven, with the premise; verify and the kernel of trust accept."""
    P, q = least_squares(seed)
    A = [[int(i == j) for j in range(SIZE)] for i in range(SIZE)]
    for low, high in ((0, 1), (None, None), (0, None)):
        sides = [low] * SIZE, [high] * SIZE
        found = solve_qp(P, q, A, *sides)
        assert found.certificate.digits >= 9
        assert "of its diagonal" in found.certificate.premise
        triplets = [[[i, j, v] for i, row in enumerate(M) for j, v in enumerate(row) if v] for M in (P, A)]
        given = {"method": "qp", "P": triplets[0], "q": q, "A": triplets[1], "l": sides[0], "u": sides[1]}
        reported = {"arithmetic": "float", "fitted": {"x": found.x, "y": found.y}}
        verdict = judge.verify(problem.read(json.dumps({**given, "arithmetic": "float"}), "test"), reported, 9)
        assert verdict["accepted"]
        assert kernel.judge(given, reported, 9)["verdict"] == "accepted"
        assert kernel.judge(given, {**reported, "arithmetic": "exact"}, 9)["verdict"] == "refuted"


def test_doubles_answer_where_no_rounded_point_is_accurate_to_a_billionth():
    """In units in which residuals of roundoff exceed 1e-9 nearly convex programmes are answered, too."""
    P, q = least_squares(1)
    c = 2.0**40
    A = [[int(i == j) for j in range(SIZE)] for i in range(SIZE)]
    found = solve_qp([[c * v for v in row] for row in P], [c * v for v in q], A, [0] * SIZE, [1] * SIZE)
    assert found.certificate.digits >= 9
    assert "of its diagonal" in found.certificate.premise


def test_fractions_refuse_with_a_direction():
    """In fractions the curvature is negative, and its direction proves it."""
    P, q = least_squares(0)
    with pytest.raises(NoAnswer) as caught:
        solve_qp(P, q, arithmetic="exact")
    assert is_concave_along(programme(P, q), caught.value.witness["direction"]) is None


def test_more_than_roundoff_is_refused_in_doubles():
    """Curvature of −10⁻⁸ of the diagonal is no roundoff."""
    for curvature, refused in ((-1e-8, True), (-1e-13, False)):
        P = [[1, 1], [1, 1 + curvature]]
        if refused:
            with pytest.raises(NoAnswer) as caught:
                solve_qp(P, [-1, -1], [[1, 0], [0, 1]], [0, 0], [1, 1])
            assert "direction" in caught.value.witness
        else:
            assert solve_qp(P, [-1, -1], [[1, 0], [0, 1]], [0, 0], [1, 1]).certificate.digits > 9


@pytest.mark.parametrize("unit", [0, 14, -25])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_roundoff_does_not_depend_on_the_units_of_variables(seed, unit):
    """Rounded products are taken for semidefinite, 1e-9 of one diagonal entry less is refused, in every unit."""
    P, _ = least_squares(seed)
    D = [2.0 ** (unit * (j % 3)) for j in range(SIZE)]
    P = [[v * a * b for v, b in zip(row, D)] for row, a in zip(P, D)]
    assert 0 < negative_part(programme(P, D)) <= Fraction(1, 10**10)
    for j in range(SIZE):
        less = [row[:] for row in P]
        less[j][j] *= 1 - 1e-9
        assert negative_part(programme(less, D)) is None
        with pytest.raises(NoAnswer) as caught:
            solve_qp(less, D, [[a * (i == k) for i, a in enumerate(D)] for k in range(SIZE)], [0] * SIZE, [1] * SIZE)
        assert is_concave_along(programme(less, D), caught.value.witness["direction"]) is None
