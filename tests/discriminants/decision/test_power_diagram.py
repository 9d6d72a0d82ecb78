"""Power diagrams: the largest of linear functions, and quadratic rules in their expansion, as one by one."""

import random
from math import inf

import pytest

from refclass import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from refclass.discriminants.decision import power_diagram
from refclass.discriminants.gaussian import expansion
from refclass.linear import polar

KINDS = (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis)


@pytest.fixture(autouse=True)
def everywhere(monkeypatch):
    """Take diagrams on every interpreter."""
    monkeypatch.setattr(polar, "IN_C", True)
    monkeypatch.setattr(polar, "FASTER", True)


def sample(p, K, width, away, whole):
    """Return rows and labels of K classes; columns that are `away` from the origin, of widths 10^±width."""
    rng = random.Random(f"{p} {K} {width} {away} {whole}")
    sizes = [10 ** rng.uniform(-width, width) for _ in range(p)]
    labels = [i % K for i in range(150)]
    noise = (lambda: float(rng.randint(-2, 2))) if whole else (lambda: rng.gauss(0, 1))
    return [[((1 + k / 3) * noise() + k + away) * size for size in sizes] for k in labels], labels


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("p", "K", "width", "away"), [(1, 2, 0, 0), (2, 3, 0, 1e7), (3, 2, 9, 0), (5, 4, 2, 1e3)])
def test_many_points_get_the_classes_of_one_after_another(kind, p, K, width, away):
    """Ties of whole numbers included, and of points halfway between others."""
    for whole in (True, False):
        X, y = sample(p, K, width, away, whole)
        model = kind().fit(X, y)
        X += [[(a + b) / 2 for a, b in zip(*pair)] for pair in zip(X, X[1:])]
        assert model.predict(X) == [labels[0] for labels in model.ties(X)]


@pytest.mark.parametrize("kind", KINDS)
def test_few_points_are_left_over(kind, monkeypatch):
    """Of a plain sample the distances alone decide nearly every point."""
    X, y = sample(4, 3, 0, 0, whole=False)
    model = kind().fit(X, y)
    found = []
    largest = power_diagram.Diagram.largest
    monkeypatch.setattr(power_diagram.Diagram, "largest", lambda *a: found.append(largest(*a)) or found[-1])
    model.predict(X)
    assert sum(map(len, found)) == len(X) and sum(part.count(None) for part in found) <= 2


@pytest.mark.parametrize(("faster", "p", "expanded"), [(True, 25, True), (False, 23, True), (False, 24, False)])
def test_wide_rules_are_expanded_where_products_take_longer(monkeypatch, faster, p, expanded):
    """With `math.sumprod` two classes of 24 variables or more are compared by products; the classes are the same."""
    monkeypatch.setattr(polar, "FASTER", faster)
    X, y = sample(p, 2, 0, 0, whole=False)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    assert expansion.worthwhile(*model._model.means.shape) == expanded
    assert model.predict(X) == [labels[0] for labels in model.ties(X)]


def test_what_is_in_doubt_is_said():
    """Ties, and doubt as large as the difference; a point beyond the doubles leaves its whole block in doubt."""
    known = power_diagram.diagram([(1.0, 0.0), (0.0, 1.0)], [0.0, 0.0], [0.0, 0.0], [(1.0, 1.0)])
    points = [(2.0, 1.0), (1.0, 2.0), (1.0, 1.0)]
    assert known.largest(points, lambda r: 0.0) == [0, 1, None]
    assert known.largest(points, lambda r: 0.4) == [0, 1, None]
    assert known.largest(points, lambda r: 0.5) == [None] * 3
    assert known.largest([*points, (1e200, 0.0)], lambda r: 0.0) == [None] * 4
    assert known.largest(points, lambda r: inf) == [None] * 3


@pytest.mark.parametrize("weights", [[(1.0,)], [(0.0,), (0.0,)], [(1e200,), (1.0,)]])
def test_without_a_scale_there_is_no_diagram(weights):
    """One function, none that varies, one that varies beyond the doubles."""
    zeros = [0.0] * len(weights)
    assert power_diagram.diagram(weights, zeros, zeros, [(1.0,)]) is None
