"""Nearest neighbours."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.discriminants.comparators import nearest
from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.sample import data
from tests.discriminants.samples import PLANE, exact, few, over, vector
from tests.numbers import STRICT
from tests.strategies import samples

FLAT = exact(*PLANE)


def plainly(sample, x, q):
    """Return the votes by sorting all squares, ties at the edge counted."""
    pairs = sorted((((x - z) @ (x - z)), g) for z, g in zip(sample.X, sample.labels))
    reach = pairs[q - 1][0]
    votes = [0] * sample.K
    for d, g in pairs:
        if d <= reach:
            votes[g] += 1
    return votes


@few
@given(samples(classes=3, p=2, per_class=(2, 4)))
def test_votes_are_those_of_the_nearest_points(drawn):
    """Votes are counted over all points within the distance of the q-th nearest, exactly; in floats the
    same  [CMP-KNN].
    """
    sample = exact(*drawn)
    for q in (1, 4):
        for x in [*sample.X, vector(Fraction(1, 2), Fraction(1, 3))]:
            want = plainly(sample, x, q)
            for F in (RATIONAL, BINARY64):
                model = nearest.fit(over(F, sample), q)
                z = Vector([F.lift(v) for v in x])
                if F is RATIONAL or all(v.denominator == 1 for v in x):
                    assert list(map(int, model.scores(z))) == want
                    assert model.posterior(z).sum() == 1 or F is not RATIONAL


def test_distinct_points_are_never_misclassified_by_themselves():
    """One neighbour, distinct points: no training error  [CMP-KNN]."""
    assert len(set(FLAT.X)) == 19 and nearest.fit(FLAT).classify(FLAT.X) == list(FLAT.labels)


def test_the_order_of_rows_does_not_matter():
    """Equal distances all vote: reversing the rows changes no vote; labels tie where votes do."""
    square = exact([[1, 0], [0, 1], [-1, 0], [0, -1]], [0, 1, 0, 1])
    model = nearest.fit(square)
    middle = vector(0, 0)
    assert model.neighbours(middle) == [0, 1, 2, 3]
    assert model.decide(middle).classes == (0, 1) and model.predict(middle) == 0 and model.classify([middle]) == [0]
    turned = exact([list(x) for x in square.X[::-1]], square.labels[::-1])
    assert nearest.fit(turned).scores(middle) == model.scores(middle)


def test_distances_that_roundoff_confuses_are_compared_exactly():
    """Two floats so near to equally far that their rounded distances cannot tell: squares of rationals can."""
    far, near = [1e8, 1.0 + 2.0**-52], [1e8, -1.0]
    x = Vector([0.0, 0.0])
    for rows, want in (([far, near], 1), ([near, far], 0)):
        model = nearest.fit(data.read(BINARY64, rows, [0, 1]))
        distances = model._distances(x)
        assert distances[0] == distances[1] and model.decide(x).classes == (want,)
    mirrored = nearest.fit(data.read(BINARY64, [near, [1e8, 1.0]], [0, 1]))
    assert mirrored.decide(x).tie


def test_integer_weights_are_copies_of_neighbours():
    """A point of weight 2 is two neighbours, one of weight 0 is none."""
    weighted = nearest.fit(data.read(RATIONAL, [[0], [1], [2], [5]], [0, 1, 1, 0], [2, 1, 1, 1]), 3)
    repeated = nearest.fit(exact([[0], [0], [1], [2], [5]], [0, 0, 1, 1, 0]), 3)
    for x in (vector(0), vector(1), vector(3)):
        assert weighted.scores(x) == repeated.scores(x)
    without = nearest.fit(data.read(RATIONAL, [[0], [1], [2]], [0, 1, 1], [1, 0, 1]))
    assert without.scores(vector(1)) == vector(1, 1) and len(without.X) == 2


def test_more_neighbours_than_points_are_refused():
    """q lies between 1 and the number of points, copies counted."""
    for q in (0, 20):
        with pytest.raises(InvalidInput):
            nearest.fit(FLAT, q)
    assert nearest.fit(FLAT, 19).scores(vector(0, 0)) == vector(7, 6, 6)


def test_no_float_slips_into_votes():
    """Neighbours are found on fractions that refuse floats."""
    assert nearest.fit(over(STRICT, FLAT), 3).classify(over(STRICT, FLAT).X) == nearest.fit(FLAT, 3).classify(FLAT.X)


def test_weights_that_doubles_round_are_counted_as_given():
    """Three neighbours of 1/3 make one, in doubles, too, where 0.7 + 0.2 + 0.1 is less by roundoff."""
    for shares in (["1/3", "1/3", "1/3"], ["7/10", "1/5", "1/10"]):
        weights = [*map(Fraction, shares), Fraction(1)]
        found = [
            nearest.fit(data.read(F, [[0], [1], [2], [3]], list("aabb"), weights)).neighbours(Vector.of([F.lift(0)]))
            for F in (BINARY64, RATIONAL)
        ]
        assert found[0] == found[1] == [0, 1, 2]
