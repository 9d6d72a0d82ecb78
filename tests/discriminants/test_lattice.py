"""Boundaries drawn from a lattice."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.discriminants import lattice, lda
from refclass.errors import InvalidInput
from refclass.number.rational import RATIONAL
from tests.discriminants.samples import few, regular


@few
@given(regular(classes=3, p=2))
def test_a_boundary_passes_wherever_neighbours_disagree(sample):
    """Labels at the nodes are the rule's, and every crossing joins two neighbours of different labels, all of them
    [CONTOUR.P1] [ESL-4.3-lattice].
    """
    model = lda.fit(RATIONAL, sample)
    across, up = (lattice.ticks(Fraction(-6), Fraction(6), n) for n in (5, 4))
    points = lattice.nodes(across, up)
    labels = model.classify(points)
    assert labels == [model.predict(x) for x in points]
    at = {(i % 5, i // 5): g for i, g in enumerate(labels)}
    found = set(lattice.crossings(labels, 5))
    for (c, r), g in at.items():
        for other in ((c + 1, r), (c, r + 1)):
            assert (((c, r), other) in found) == (other in at and at[other] != g)


def test_a_lattice_that_is_none_is_refused():
    """Ticks need two ends and two places, labels full rows."""
    for bad in ((0, 1, 1), (1, 1, 3), (2, 1, 3)):
        with pytest.raises(InvalidInput):
            lattice.ticks(*bad)
    for labels, width in (([1, 2, 3], 2), ([1], 0)):
        with pytest.raises(InvalidInput):
            lattice.crossings(labels, width)


def test_nodes_stand_row_by_row():
    """The first coordinate runs fastest."""
    assert [tuple(x) for x in lattice.nodes([0.0, 1.0], [5.0, 6.0])] == [(0, 5), (1, 5), (0, 6), (1, 6)]
