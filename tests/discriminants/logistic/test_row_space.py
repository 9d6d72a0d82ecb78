"""Wide tables in coordinates of their rows' own space: the same maximum, and doubles that hold it."""

from random import Random

import pytest

from refclass import LogisticRegression
from refclass.discriminants.logistic import logistic, row_space
from refclass.discriminants.logistic.ascent import problem, state
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.sample.observations import Sample
from tests.profiles import examples


def wide(seed, K=3, size=1.0):
    """Return rows of more columns than there are rows, some of them copies, and labels."""
    r = Random(seed)
    n, p = r.randint(2 * K, 9), r.randint(10, 14)
    X = [[size * r.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    return [[*x, x[0], 3.0] for x in X], [i % K for i in range(n)]


def posed(X, y, F, penalty):
    """Return the problem."""
    rows = Matrix.of([Vector.of(map(F.lift, x)) for x in X])
    weights = Vector.of([F.lift(1)] * len(y))
    return problem(F, Sample(rows, tuple(y), tuple(sorted(set(y))), weights), F.lift(penalty))


@pytest.mark.parametrize("seed", range(examples(6)))
@pytest.mark.parametrize("F", [BINARY64, decimal(40)], ids=["doubles", "decimals"])
def test_turned_columns_have_the_same_likelihood_and_penalty(F, seed):
    """At any parameters of the row space: the value, and the posteriors, up to roundoff; of r < n columns."""
    X, y = wide(seed)
    own = row_space.turned(posed(X, y, F, "1/8" if F is not BINARY64 else 0.125))
    r = Random(seed)
    thetas = [Vector.of([F.lift(r.gauss(0, 1)) for _ in own.problem.columns]) for _ in range(2)]
    near, back = state(own.problem, thetas), own.back(state(own.problem, thetas))
    assert len(own.axes) < len(y) and len(back.thetas[0]) == len(X[0]) + 1
    assert abs(near.value - back.value) <= 1000 * F.eps * abs(near.value)
    assert (near.P[0] - back.P[0]).largest() <= 1000 * F.eps


def test_columns_fewer_than_rows_or_all_constant_are_left():
    """There is nothing to turn."""
    assert row_space.turned(posed([[0.0], [1.0], [3.0]], [0, 1, 0], BINARY64, 1.0)) is None
    assert row_space.turned(posed([[2.0, 1.0], [2.0, 1.0]], [0, 1], BINARY64, 1.0)) is None


@pytest.mark.parametrize("K", [2, 3])
def test_doubles_hold_the_maximum_where_a_small_penalty_leaves_the_information_singular(monkeypatch, K):
    """Columns of size 1000 and a penalty of 10⁻⁹: decimals had been needed, and took ten times as long."""
    X, y = wide(1, K, 1e3)
    best = LogisticRegression(penalty="1e-9", arithmetic="decimal:60").fit(X, y)
    monkeypatch.delattr(logistic, "_in_decimals")
    found = LogisticRegression(penalty=1e-9).fit(X, y)
    assert abs(float(best.log_likelihood_) / found.log_likelihood_ - 1) < 1e-12
    pairs = [(float(v), w) for rows in zip(best.coef_, found.coef_) for v, w in zip(*rows)]
    assert max(abs(v - w) for v, w in pairs) < 1e-11 * max(abs(v) for v, _ in pairs)
