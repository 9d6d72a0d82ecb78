"""Crammer and Singer's machine in doubles on hard data: nine digits, or what the rounded optimum has, or refused."""

import random
from fractions import Fraction as Q
from operator import mul

import pytest

from refclass import CrammerSingerSVC
from refclass.errors import NoAnswer, NotConverged, NotExact
from tests.margins.hard import KINDS, hard


def bounds(X, y, C, alpha, coef=None):
    """Primal at the weights of α, or as delivered, and dual at α within its constraints, in fractions."""
    X, C, classes = [[Q(v) for v in x] for x in X], Q(C), len(alpha[0])

    def made(a):
        return [[sum(a[i][k] * x[j] for i, x in enumerate(X)) for j in range(len(X[0]))] for k in range(classes)]

    def square(w):
        return sum(v * v for own in w for v in own)

    a = [list(map(Q, row)) for row in alpha]
    w = made(a)

    def objective(w):
        f = [[sum(u * v for u, v in zip(own, x)) for own in w] for x in X]
        return square(w) / 2 + C * sum(max(v + (k != g) for k, v in enumerate(row)) - row[g] for row, g in zip(f, y))

    primal = objective([list(map(Q, row)) for row in coef or w])
    near = []
    for row, g in zip(a, y):
        cut = [min(v, Q(0)) if k != g else Q(0) for k, v in enumerate(row)]
        own = -sum(cut)
        share = min(Q(1), C / own) if own else Q(1)
        near.append([share * (own if k == g else v) for k, v in enumerate(cut)])
    return primal, sum(row[g] for row, g in zip(near, y)) - square(made(near)) / 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(2))
def test_hard_data_give_proven_digits_or_a_refusal_with_bounds(kind, seed):
    """The certificate's numbers are those of another computation; fewer than nine digits are stated, and then not
    more than one less than the rounded exact optimum has  [ISML-27.5-soft] [ISML-27.5-dual]."""
    X, y, C = hard(kind, seed)
    try:
        m = CrammerSingerSVC(C=C).fit(X, y)
    except NotConverged as refusal:
        assert refusal.witness["dual"] <= refusal.witness["primal"]
        return
    c = m.certificate_
    primal, dual = bounds(X, y, C, m.alpha_, m.coef_)
    assert (c.primal, c.dual) == (primal, dual)
    assert m.objective_ == pytest.approx(float(primal), rel=1e-9)
    if primal - dual > primal / 10**9:
        exact = CrammerSingerSVC(C=C, arithmetic="exact").fit(X, y)
        rounded = ([list(map(float, row)) for row in rows] for rows in (exact.alpha_, exact.coef_))
        best = bounds(X, y, C, *rounded)
        assert c.status != "optimal" and primal - dual <= 10 * (best[0] - best[1])
        assert c.digits > c.ceiling - 1


@pytest.mark.parametrize("kind", ["plain", "copies", "ties", "collinear"])
def test_benign_data_are_optimal_to_nine_digits(kind):
    """At every cost from 10⁻⁶ to 10⁸  [ISML-27.5-soft]."""
    X, y, _ = hard(kind, 7)
    for C in (1e-6, 1.0, 1e4):
        c = CrammerSingerSVC(C=C).fit(X, y).certificate_
        assert c.status == "optimal" and c.digits >= 9


@pytest.mark.parametrize("seed", [1, 11])
def test_slack_that_rounding_makes_is_taken_away_where_no_multiplier_is_at_its_cost(seed):
    """Kernel values of 10⁹ and multipliers far below C: once rounded, the optimum pays for slack many times what its
    weights cost, and scaled up a little it pays for none  [ISML-27.5-soft]."""
    r = random.Random(seed)
    X, y = [[1000 + r.gauss(0, 1) + 60 * (i % 3), r.gauss(0, 1)] for i in range(9)], [0, 1, 2] * 3
    m = CrammerSingerSVC(kernel={"name": "polynomial", "degree": 3, "c": 1}).fit(X, y)
    a, X = [list(map(Q, row)) for row in m.alpha_], [list(map(Q, x)) for x in X]
    K = [[(1 + sum(map(mul, u, v))) ** 3 for v in X] for u in X]
    f = [[sum(k * own[g] for k, own in zip(row, a)) for g in range(3)] for row in K]
    primal = sum(sum(map(mul, u, v)) for u, v in zip(a, f)) / 2
    assert all(row[g] - max(v for k, v in enumerate(row) if k != g) > 1 for row, g in zip(f, y))
    assert m.certificate_.primal == primal and 6 < m.certificate_.digits <= m.certificate_.ceiling


def test_a_matrix_that_roundoff_makes_indefinite_has_nine_digits_or_a_direction():
    """Gram matrices of three variables rounded after the twelfth digit, at two costs  [ISML-27.5-dual]."""
    found = []
    for cost in (100, 10**6):
        draw = random.Random(14)
        X = [[draw.gauss(0, 10**3) for _ in range(3)] for _ in range(8)]
        K = [[round(sum(map(mul, u, v)), 6) for v in X] for u in X]
        try:
            found.append(CrammerSingerSVC(C=cost, kernel="precomputed").fit(K, [i % 3 for i in range(8)]).certificate_)
        except NoAnswer as refusal:
            d = list(map(Q, refusal.witness["direction"]))
            assert sum(v * w * Q(K[i][j]) for i, v in enumerate(d) for j, w in enumerate(d)) < 0
    assert all(c.status == "stationary" and c.digits >= 9 for c in found) and len(found) < 2


@pytest.mark.parametrize("scale", [1e-20, 1e-120, 1e-150])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_gap_of_nothing_takes_no_multipliers_outside_their_bounds(scale, seed):
    """Where ‖w‖² is nothing beside the losses, so is the gap: multipliers of other classes were above zero."""
    r = random.Random(seed)
    rows = [[scale * r.gauss(0, 1) for _ in range(3)] for _ in range(12)]
    machine = CrammerSingerSVC(C=1e-6).fit(rows, [0] * 10 + [1, 2])
    assert machine.certificate_.status == "optimal"
    assert all(v <= 0 for row, g in zip(machine.alpha_, [0] * 10 + [1, 2]) for k, v in enumerate(row) if k != g)


def test_scores_below_the_normal_doubles_are_refused():
    """Products of 10⁻³¹² have few bits, and scores of 10⁻⁶¹⁰ none: every label was that of the first class."""
    rows = [
        [7.47e-301, -4.308e-301, 1.1225e-300],
        [-1.3553e-300, -3.9e-301, 7.1387e-301],
        [-5.6e-301, -1.38e-300, 5.3e-302],
    ]
    with pytest.raises(NotExact, match="normal doubles"):
        CrammerSingerSVC(C=1e-12).fit(rows, [0, 1, 0])
    exact = CrammerSingerSVC(C=1e-12, arithmetic="exact").fit(rows, [0, 1, 0])
    assert exact.predict(rows) == [0, 1, 0]
