"""Programmes whose P is nearly singular: what doubles state is held against the optimum in fractions.

P = FᵀF of few rows, of columns of sizes far apart, as doubles hold it. Residuals beside the terms that they sum do not
tell an optimum there from a point far away: of 700 such programmes 27 had an "optimum" in doubles, to nine digits and
more, though the objective of FᵀF before it is rounded falls without end.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from refclass import solve_qp
from refclass.certificate import digits
from refclass.errors import NoAnswer, NotConverged
from refclass.estimators import solve_qp as stating
from refclass.optimise.programme import certificate, solver
from refclass.optimise.programme.problem import ROUNDOFF
from refclass.optimise.programme.semidefinite import negative_part
from refclass.oracle import judge, problem
from tests.optimise.programme.programmes import answered
from tests.profiles import thorough

KINDS = ["gauss", "scaled", "tiny", "huge", "mixed", "few"]
SEEDS = range(2000 if thorough() else 16)


def number(rng, kind):
    """Return a number of a kind."""
    size = {"tiny": 1e-9, "huge": 1e9, "scaled": 10.0 ** rng.randint(-6, 6)}.get(kind, 1)
    return rng.choice([rng.randint(-2, 2), 1 / 3, 1e6, 1e-6]) if kind == "mixed" else rng.gauss(0, 1) * size


def nearly_singular(seed):
    """Return P, q, A, l, u with P = FᵀF, F of at most as many rows as columns, rounded once."""
    rng = random.Random(seed)
    kind, n, m = rng.choice(KINDS), rng.randint(1, 6), rng.randint(0, 6)
    F = [[number(rng, kind) for _ in range(n)] for _ in range(rng.randint(0, 2 if kind == "few" else n))]
    P = [[float(sum(Fraction(f[i]) * Fraction(f[j]) for f in F)) for j in range(n)] for i in range(n)]
    A = [[number(rng, kind) for _ in range(n)] for _ in range(m)]
    if m > 1 and rng.random() < 0.3:
        A[-1] = [2 * v for v in A[0]]
    sides = [rng.choice([(c, c), (None, abs(c)), (-abs(c), abs(c)), (c, None)]) for c in [number(rng, kind) for _ in A]]
    return (
        P,
        [number(rng, kind) for _ in range(n)],
        A or None,
        [a for a, _ in sides] or None,
        [b for _, b in sides] or None,
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_doubles_state_holds_for_the_optimum_in_fractions(seed):
    """The digits of the objective are there; of P that is negative by roundoff, for the P whose diagonal is longer."""
    given = nearly_singular(seed)
    p = stating.programme(*given)
    try:
        found = answered(given)
    except NotConverged as refusal:
        assert {"x", "primal"} & set(refusal.witness)
        return
    if found is None:
        return
    assert found.certificate.digits >= min(9, found.certificate.ceiling or 9)
    if "contradict" in found.certificate.premise or "taken for zero" in found.certificate.premise:
        return
    negative = negative_part(p) if "of its diagonal" in found.certificate.premise else 0
    longer = [{j: v * (1 + negative * (i == j)) for j, v in row.items()} for i, row in enumerate(p.P)]
    try:
        optimum = solver.exact(replace(p, P=longer)).certificate.primal
    except NoAnswer as refusal:  # the sides are moved by roundoff, as the premise says
        assert solver.least_excess(p, refusal.witness["y"]) <= ROUNDOFF and "moved" in found.certificate.premise
        return
    value, terms = found.certificate.primal, sum(abs(a * Fraction(b)) for a, b in zip(p.q, found.x))
    scale = max(abs(value), abs(optimum), terms)
    assert digits(value - optimum, scale) >= min(found.certificate.digits, 14) - 1


def test_an_objective_that_falls_without_end_is_no_optimum():
    """−x₃ falls; x₁ and x₂ with a P of rank one but for roundoff balance any multiplier of the row."""
    P = [[0.693189225236646, -832579.8611764795, 0], [-832579.8611764795, 1e12, 0], [0, 0, 0]]
    with pytest.raises(NoAnswer) as caught:
        solve_qp(P, [1.0385308675305396, -2, 1 / 3], [[0, 1 / 3, -1]], [1 / 3], None)
    p = stating.programme(P, [1.0385308675305396, -2, 1 / 3], [[0, 1 / 3, -1]], [1 / 3], None)
    assert certificate.refusal_reason(p, caught.value.witness) is None
    far = [Fraction(v) for v in (-5980695142.262045, -4979.40633074387, -2963309421.467927)]
    assert (certificate.certify(p, far, [Fraction(-1, 3)]).digits or 0) < 1


def test_a_lower_bound_holds_for_every_point():
    """D(x, y) + Σ min rⱼzⱼ is the dual value of an optimum, and below the objective for any x and y of bounded rows."""
    rng = random.Random(4)
    for _ in range(20):
        P = [[2, 1], [1, 1]]
        A, low, high = [[1, 0], [0, 1], [1, 1]], [-3, -3, None], [3, 3, Fraction(rng.randint(-5, 5))]
        q = [rng.randint(-4, 4) for _ in range(2)]
        p = stating.programme(P, q, A, low, high)
        best = solve_qp(P, q, A, low, high, arithmetic="exact")
        assert certificate.lower_bound(p, best.x, best.y) == (best.objective, True)
        x, y = [Fraction(rng.randint(-9, 9), 4) for _ in range(2)], [Fraction(rng.randint(-9, 9), 4) for _ in range(3)]
        bound, certain = certificate.lower_bound(p, x, y)
        assert certain and bound <= best.objective
    free = stating.programme([[1]], [1], None, None, None)
    assert certificate.lower_bound(free, [Fraction(-2)], []) == (-2 - 2 * certificate.FAR, False)
    assert certificate.lower_bound(free, [Fraction(0)], []) == (None, False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300 if thorough() else 12))
def test_verify_accepts_what_is_stated_and_proves_no_more_than_is_there(seed):
    """Own answers have the nine digits; a number changed by a hundredth is refuted, or its objective has the digits."""
    given = nearly_singular(seed)
    try:
        found = solve_qp(*given)
    except (NoAnswer, NotConverged):
        return
    if found.certificate.digits < 9 or "of its diagonal" in found.certificate.premise:
        return
    names, (P, q, A, low, high) = ("P", "q", "A", "l", "u"), given
    matrices = [[[i, j, str(Fraction(v))] for i, row in enumerate(M or []) for j, v in enumerate(row)] for M in (P, A)]
    texts = [[None if v is None else str(Fraction(v)) for v in own or []] for own in (q, low, high)]
    whole = dict(zip(names, (matrices[0], texts[0], matrices[1], texts[1], texts[2])))
    asked = problem.read(json.dumps({"method": "qp", "arithmetic": "float", **whole}), "test")
    fitted = {"x": found.x, "y": found.y, "objective": found.objective}
    assert judge.verify(asked, {"arithmetic": "float", "fitted": fitted}, 9)["accepted"]
    rng = random.Random(seed)
    for name in ("x", "y"):
        values = list(fitted[name])
        k = rng.choice([k for k, v in enumerate(values) if v] or [None])
        if k is None:
            continue
        values[k] *= 1.01
        verdict = judge.verify(asked, {"arithmetic": "float", "fitted": {"x": found.x, "y": found.y, name: values}}, 6)
        if verdict["accepted"]:
            value = Fraction(verdict["certificate"]["primal"])
            assert abs(value - found.certificate.dual) <= Fraction(1, 10**5) * max(
                abs(value), abs(found.certificate.dual)
            )
