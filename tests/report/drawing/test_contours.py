"""Boundaries drawn from a lattice."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.gaussian import lda
from refclass.errors import InvalidInput
from refclass.number.rational import RATIONAL
from refclass.report.drawing import contours
from tests.discriminants.samples import few, regular
from tests.strategies import fractions


@few
@given(regular(classes=3, p=2))
def test_a_boundary_passes_wherever_neighbours_disagree(sample):
    """Labels at the nodes are the rule's, and every crossing joins two neighbours of different labels, all of them
    [CONTOUR.P1] [ESL-4.3-lattice].
    """
    model = lda.fit(RATIONAL, sample)
    across, up = (contours.ticks(Fraction(-6), Fraction(6), n) for n in (5, 4))
    points = contours.nodes(across, up)
    labels = model.classify(points)
    assert labels == [model.predict(x) for x in points]
    at = {(i % 5, i // 5): g for i, g in enumerate(labels)}
    found = set(contours.crossings(labels, 5))
    for (c, r), g in at.items():
        for other in ((c + 1, r), (c, r + 1)):
            assert (((c, r), other) in found) == (other in at and at[other] != g)


def test_a_lattice_that_is_none_is_refused():
    """Ticks need two ends and two places, labels full rows."""
    for bad in ((0, 1, 1), (1, 1, 3), (2, 1, 3)):
        with pytest.raises(InvalidInput):
            contours.ticks(*bad)
    for labels, width in (([1, 2, 3], 2), ([1], 0)):
        with pytest.raises(InvalidInput):
            contours.crossings(labels, width)


def test_nodes_stand_row_by_row():
    """The first coordinate runs fastest."""
    assert [tuple(x) for x in contours.nodes([0.0, 1.0], [5.0, 6.0])] == [(0, 5), (1, 5), (0, 6), (1, 6)]


@given(fractions, fractions, fractions)
def test_the_contour_of_a_linear_function_is_a_line(a, b, level):
    """Every point drawn has the level, exactly, and one line leads from border to border  [ESL-4.3-lattice]."""
    across, up = (contours.ticks(Fraction(-3), Fraction(4), n) for n in (5, 4))
    values = [a * x + b * y for x, y in contours.nodes(across, up)]
    lines = contours.contour(values, across, up, level)
    assert all(a * x + b * y == level for line in lines for x, y in line)
    assert len(lines) == (min(values) <= level < max(values))
    assert all(x in (-3, 4) or y in (-3, 4) for line in lines for x, y in (line[0], line[-1]))


@given(st.lists(st.integers(-2, 2), min_size=20, max_size=20))
def test_a_contour_passes_wherever_the_sign_changes_and_nowhere_else(values):
    """Its points are the crossings of the labels "above" and "not above", each once; lines end at the border or close
    [CONTOUR.P1] [ESL-4.3-lattice]."""
    across, up = (contours.ticks(Fraction(0), Fraction(n - 1), n) for n in (5, 4))
    lines = contours.contour(list(map(Fraction, values)), across, up, Fraction(1, 2))
    closed = [line for line in lines if line[0] == line[-1]]
    assert sum(map(len, lines)) - len(closed) == len(contours.crossings([v > Fraction(1, 2) for v in values], 5))
    for line in lines:
        assert line in closed or all(x in (0, 4) or y in (0, 3) for x, y in (line[0], line[-1]))


def test_a_saddle_is_settled_by_its_mean():
    """Equal signs at opposite corners: they are joined through the middle if the mean of all four has their sign."""
    corners = [0.0, 1.0]
    for values, joined in (([4.0, -1.0, -1.0, 4.0], True), ([1.0, -4.0, -4.0, 1.0], False)):
        lines = contours.contour(values, corners, corners, 0.0)
        ends = {frozenset(line) for line in lines}
        low = frozenset([(0.8 if joined else 0.2, 0.0), (0.0, 0.8 if joined else 0.2)])
        assert (low in ends) == (not joined) and len(lines) == 2


def test_a_contour_without_a_value_for_each_node_is_refused():
    """Values come in full rows."""
    with pytest.raises(InvalidInput, match="need 4 values, one for each node; got 3"):
        contours.contour([1, 2, 3], [0, 1], [0, 1], 0)


def test_a_lattice_of_one_column_has_crossings_upwards_alone():
    """One label to a row is a lattice; none is not  [ESL-4.3-lattice]."""
    assert contours.crossings(["a", "b", "b"], 1) == [((0, 0), (0, 1))]
    with pytest.raises(InvalidInput, match="labels in rows of 0"):
        contours.crossings(["a", "b"], 0)
