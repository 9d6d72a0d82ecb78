"""Laws of quadratic programmes: doubles against fractions on programmes that solvers fail on, and bad input.

Drawn are dense and diagonal, singular, zero and indefinite matrices; rows that are zero, copied, multiples or sums of
others; equalities beside bounds; contradictions by much and by little; endless descent; scales of 2^±30.
"""

from __future__ import annotations

import random
import warnings
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass import solve_qp
from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.estimators import solve_qp as stating
from refclass.optimise.active_set import primal
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.programme import certificate, solver
from tests.laws.solvers import outcome, quadratics

LITTLE = Fraction(1, 10**9)


def matrix(rng, n):
    """Return a symmetric matrix: zero, diagonal, of any rank, or indefinite."""
    kind = rng.choice(["semidefinite"] * 3 + ["zero", "diagonal", "indefinite"])
    P = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            if kind == "indefinite" or (kind == "diagonal" and i == j):
                P[i][j] = P[j][i] = rng.randint(-2, 3) if kind == "indefinite" else rng.choice([0, 1, 5])
    if kind == "semidefinite":
        factors = [[rng.randint(-3, 3) for _ in range(n)] for _ in range(rng.randint(0, n))]
        P = [[sum(f[i] * f[j] for f in factors) for j in range(n)] for i in range(n)]
    return P


def rows(rng, n):
    """Return rows: sparse ones, zero ones, copies, multiples, sums, bounds."""
    A = [[rng.randint(-3, 3) * (rng.random() < 0.6) for _ in range(n)] for _ in range(rng.randint(0, 2 * n))]
    for _ in range(rng.randint(0, 3) if A else 0):
        own, other = rng.choice(A), rng.choice(A)
        A.append(rng.choice([[0] * n, list(own), [2 * v for v in own], [a + b for a, b in zip(own, other)]]))
    return A + [[int(i == j) for i in range(n)] for j in range(n) if rng.random() < 0.6]


def sides(rng, value):
    """Return sides around a value: an equality, one side, two; sometimes not around it."""
    if rng.random() < 0.04:
        value += rng.choice([2**-20, 2**-45, -(2**-30), 1])
    gap, kind = rng.choice([0, 0, 1, 0.25]), rng.random()
    low = value if kind < 0.3 else None if kind < 0.6 else value - gap
    high = value if kind < 0.3 else value + gap if kind < 0.6 else None if kind < 0.8 else value + rng.choice([0, 4])
    return low, high


def drawn(seed):
    """Return P, q, A, l, u, their variables and rows in units of 2^±30 at times."""
    rng = random.Random(seed)
    n = rng.randint(1, 7)
    P, q, A = matrix(rng, n), [rng.randint(-5, 5) for _ in range(n)], rows(rng, n)
    point = [rng.choice([0, 1, -1, 0.5, 3]) for _ in range(n)]
    ends = [sides(rng, sum(a * b for a, b in zip(row, point))) for row in A]
    units = [2.0 ** rng.choice([0, 0, 0, -30, 30, 10, -10]) if rng.random() < 0.5 else 1 for _ in range(n)]
    scales = [2.0 ** rng.choice([0, 0, -30, 30]) if rng.random() < 0.4 else 1 for _ in A]
    P = [[v * a * b for v, b in zip(row, units)] for row, a in zip(P, units)]
    A = [[v * a * b for v, b in zip(row, units)] for row, a in zip(A, scales)]
    low, high = [[None if v is None else v * b for v, b in zip(own, scales)] for own in zip(*ends)] if A else ([], [])
    return P, [v * a for v, a in zip(q, units)], A, low, high


def answered(given, arithmetic):
    """Return the result, or the refusal, whose witness must prove it."""
    try:
        return solve_qp(*given, arithmetic=arithmetic)
    except NoAnswer as refusal:
        assert certificate.refusal_reason(stating.programme(*given), refusal.witness) is None
        return refusal


@given(st.integers(0, 10**6))
def test_doubles_and_fractions_say_the_same(seed):
    """No wrong refusal, no bare exception: what has an exact optimum has one in doubles, of the same value.

    What fractions refuse doubles refuse with a proof, or answer where the contradiction is roundoff, or the residuals
    are small in the programme's units; then they do not claim fewer errors than they have.
    """
    own = drawn(seed)
    exact = answered(own, "exact")
    try:
        rounded = answered(own, "float")
    except NotConverged as refusal:
        assert isinstance(exact, NoAnswer)
        assert "contradict" in str(refusal)
        return
    if isinstance(exact, NoAnswer):
        if not isinstance(rounded, NoAnswer):
            p = stating.programme(*own)
            missed, balances = certificate.residuals(p, *[list(map(Fraction, v)) for v in (rounded.x, rounded.y)])
            little = "y" in exact.witness and solver.least_excess(p, exact.witness["y"]) <= LITTLE
            assert little or max([*missed, *balances]) <= LITTLE
        return
    assert exact.certificate.gap == 0
    assert not isinstance(rounded, NoAnswer)
    found = rounded.certificate
    assert found.digits >= 9 or found.ceiling == found.digits
    if found.digits >= 9:
        best = exact.objective
        assert abs(Fraction(rounded.objective) - best) <= Fraction(1, 10**7) * (1 + abs(best))


BAD = [
    ([[1, 0]], [0, 0], None, None, None),
    ([[1, 2], [3, 4]], [0, 0], None, None, None),
    ([[float("inf")]], [0], None, None, None),
    ([[float("nan")]], [0], None, None, None),
    ([["one"]], [0], None, None, None),
    ("P", [0], None, None, None),
    ([[1]], "q", None, None, None),
    ([[1]], [], None, None, None),
    ([[1]], [float("nan")], None, None, None),
    ([[1]], [True], None, None, None),
    ([[1]], [None], None, None, None),
    ([(0, 1, 2)], [0], None, None, None),
    ([(0, -1, 2)], [0], None, None, None),
    ([(0.5, 0, 2)], [0], None, None, None),
    ([(0, 0, 1), (0, 0, 1)], [0], None, None, None),
    ([(0, 0)], [0], None, None, None),
    ([[1]], [0], [[1, 2]], [0], [1]),
    ([[1]], [0], [[1]], [0, 0], [1]),
    ([[1]], [0], [[1]], [2], [1]),
    ([[1]], [0], [[1]], [float("nan")], [1]),
    ([[1]], [0], [[1]], [float("inf")], None),
    ([[1]], [0], [[1]], ["a"], [1]),
    ([[1]], [0], [[1]], 0, 1),
    ([[1]], [0], 3, [0], [1]),
    ([[1]], [0], {"a": 1}, [0], [1]),
    ([1], [0], None, None, None),
    (3, [0], None, None, None),
]


@pytest.mark.parametrize("own", BAD, ids=str)
def test_bad_input_gets_one_line(own):
    """What does not fit is refused as such, in one line that says what was needed and what came."""
    with warnings.catch_warnings(), pytest.raises(InvalidInput) as caught:
        warnings.simplefilter("error")
        solve_qp(*own)
    assert "need" in str(caught.value)
    assert "got" in str(caught.value)
    assert "\n" not in str(caught.value)


ONE, TWO = [[1]], [[1, 0], [0, 1]]
LINES = [  # what is given, and what its one line says beside the name
    ((TWO, [0, "nan"]), "need finite numbers in q; got 'nan' (place=1)"),
    (([[1, 0], [0, float("inf")]], [0, 0]), "need finite numbers in P; got inf (row=1, column=1)"),
    (([(0, 0, float("nan"))], [0, 0]), "need finite numbers in P; got nan (entry=0)"),
    (([[1, 2], [3, 1]], [0, 0]), "need a symmetric P; got 2 and 3 (row=0, column=1)"),
    (([(0, 1, 2)], [0, 0]), "need a symmetric P; got 2 and 0 (row=0, column=1)"),
    (
        ([[1, 0], [1]], [0, 0]),
        "need P as 2 rows of 2 numbers, or as triplets (row, column, value); "
        "got 2 entries, of which this one has 1 numbers (entry=1)",
    ),
    (([(0, 2, 1)], [0, 0]), "need a column from 0 to 1 in triplets (row, column, value) of P; got 2 (entry=0)"),
    (([(0.0, 0, 1)], [0, 0]), "need a row from 0 to 1 in triplets (row, column, value) of P; got 0.0 (entry=0)"),
    ((TWO, [0, 0], [(0, 1, 1), (0, 1, 2)], [0], [1]), "need each place of A once; got (0, 1) twice (entry=1)"),
    ((TWO, [0, 0], [[1, 1]]), "need A and its sides l, u, or none of them; got A and neither"),
    ((TWO, [0, 0], None, [0], [1]), "need A and its sides l, u, or none of them; got 1 sides and no A"),
    ((ONE, [0], [[1], [1]], [0], [1, 1]), "need 2 numbers or None in l, one for each row of A; got 1"),
    ((ONE, [0], [[1]], [2], [1]), "need l ≤ u in every row; got 2 > 1 (row=0)"),
    ((ONE, [0], [[1]], [float("inf")], [float("inf")]), "need finite numbers in l; got inf (row=0)"),
    ((ONE, [0], [[1]], [1e20], None), "need lower sides that a row can meet; got 1e+20 (row=0)"),
    ((ONE, [0], [[1]], None, [-(10**21)]), "need upper sides that a row can meet; got -1e+21 (row=0)"),
    ((ONE, [0], [[float("nan")]], [0], [1]), "need finite numbers in A; got nan (row=0, column=0)"),
    (({1: 2}, [0]), "need P as a sequence; got dict"),
    ((ONE, None), "need q as a sequence; got NoneType"),
    ((ONE, []), "need a q of at least one number; got none"),
]


@pytest.mark.parametrize(("own", "line"), LINES, ids=[line for _, line in LINES])
def test_each_wrong_argument_has_its_line(own, line):
    """The line names the argument, what it needs, what came, and where."""
    with pytest.raises(InvalidInput) as caught:
        solve_qp(*own)
    assert str(caught.value) == f"solve_qp: {line}"


def test_an_unknown_arithmetic_is_refused():
    """Arithmetic is float or exact."""
    with pytest.raises(InvalidInput, match="float"):
        solve_qp([[1]], [0], arithmetic="decimal:30")


def as_rows(problem):
    """Return the arguments of `solve_qp` for a problem of equalities, inequalities and bounds."""
    n = problem.n
    P = [list(problem.Q.row(i)) for i in range(n)]
    A = [[int(i == j) for i in range(n)] for j in range(n)]
    low, high = list(problem.lower), list(problem.upper)
    for M, side in ((problem.E, problem.d), (problem.G, problem.h)):
        if M is not None:
            A += [list(row) for row in M]
            high += list(side)
            low += list(side) if M is problem.E else [None] * len(side)
    return P, list(problem.c), A, low, high


@given(problem=quadratics())
def test_the_page_and_the_engines_find_the_same_optimum(problem):
    """Nocedal and Wright's algorithm, the dense engine, and the sparse one: one minimum, ==, or the same refusal."""
    page, dense = [outcome(module.solve, problem) for module in (primal, active_set)]
    found = answered(as_rows(problem), "exact")
    if isinstance(found, NoAnswer):
        words = "none" if "y" in found.witness else "unbounded"
        assert page[1] is dense[1] is None
        assert [words in str(own[0]) for own in (page, dense)] == [True, True]
    else:
        assert page == dense == ("optimal", found.objective)
