"""Hard margins of many classes on unscaled data: proven by the kernel of trust, or refused for a reason."""

import math
import random

import pytest

from refclass.errors import NoAnswer, NotConverged
from refclass.optimise.active_set.kkt_adjugate import Adjugate
from tests.hunt.examine import examine
from tests.hunt.kinds import KINDS, Case, kernel
from tests.profiles import examples

STEP = 20


def hard(seed):
    """Return the case of a seed: few points, in classes by the order of a column or by chance, no slack allowed."""
    r = random.Random(f"hard margins {seed}")
    kind, n, p, K = r.choice(KINDS), r.choice([2, 3, 4, 5, 6, 8]), r.choice([1, 2, 2, 3]), r.choice([2, 3])
    X = kind(r, n, p)
    order = sorted(range(n), key=lambda i: X[i]) if r.random() < 0.7 else r.sample(range(n), n)
    y = [0] * n
    for place, i in enumerate(order):
        y[i] = place * min(K, n) // n
    return Case(kind.__name__, "crammer_singer", {"C": math.inf, "kernel": kernel(r)}, X, y)


@pytest.mark.parametrize("first", range(0, examples(60), STEP))
def test_no_hard_margin_of_many_classes_is_poor_or_called_impossible(first):
    """Nine digits or one less than the ceiling; NotConverged with bounds; NoAnswer where exact arithmetic says so."""
    cases = {seed: hard(seed) for seed in range(first, first + STEP)}
    found = {seed: words for seed, own in cases.items() if (words := examine(own))}
    assert not found, found


def near(seed):
    """Return the case of a seed: 40 to 100 points near one another, labels by chance, and a Gaussian kernel.

    Rounding makes its Gram matrix indefinite, or nearly so.
    """
    r = random.Random(f"points near one another {seed}")
    n, kind, p = r.choice([40, 50, 60, 80, 100]), r.choice(["line", "copies", "plane"]), r.choice([1, 2])
    X = [[r.gauss(0, 4) for _ in range(p)] for _ in range(n)]
    if kind == "line":
        X = [[1.0, r.gauss(0, r.choice([2, 4]))] for _ in range(n)]
    elif kind == "copies":
        X = [[v + 1e-4 * r.gauss(0, 1) for v in r.choice(X)] for _ in range(n)]
    y = [r.choice([0, 1]) for _ in range(n - 2)] + [0, 1]
    gaussian = {"name": "gaussian", "gamma": r.choice([0.1, 0.3, 1, 3])}
    return Case(kind, "svc", {"C": r.choice([math.inf, math.inf, math.inf, 1e10]), "kernel": gaussian}, X, y)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [36, 49])
def test_a_gram_matrix_that_rounding_made_indefinite_is_not_iterated_on_in_fractions(seed, monkeypatch):
    """Decimals find a direction without end, which is proven at once, or no stationary point."""
    monkeypatch.setattr(Adjugate, "pivot", None)
    with pytest.raises(NotConverged, match="a direction of negative curvature, roundoff"):
        near(seed).fit()


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(60))
def test_a_hard_margin_on_points_near_one_another_is_decided_in_time(seed):
    """As above; fractions took from ten seconds to minutes."""
    assert not examine(near(seed)), near(seed).line()


@pytest.mark.slow
def test_copies_in_both_classes_are_proven_inseparable_where_rounding_made_the_matrix_indefinite():
    """The ray is that of the copies, whatever the other points are."""
    own = near(49)
    copies = Case(own.kind, own.method, own.parameters, [*own.X, own.X[0]], [*own.y, 1 - own.y[0]])
    with pytest.raises(NoAnswer) as refusal:
        copies.fit()
    ray = refusal.value.witness["ray"]
    assert sorted(filter(None, ray)) == [-1, 1] and ray[0] == -ray[-1]
