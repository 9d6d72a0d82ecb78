"""NearestNeighbors."""

from fractions import Fraction

import pytest

from refclass import NearestNeighbors
from refclass.errors import InvalidInput
from tests.discriminants.samples import PLANE

X, Y = PLANE


def test_labels_votes_and_neighbours_agree():
    """Labels are those of most votes, posteriors their shares, decision values the votes  [CMP-KNN]."""
    model = NearestNeighbors(n_neighbors=5, arithmetic="exact").fit(X, Y)
    for label, shares, votes, who in zip(
        model.predict(X), model.predict_proba(X), model.decision_function(X), model.kneighbors(X)
    ):
        assert sum(votes) == len(who) >= 5 and shares == [Fraction(v) / len(who) for v in votes]
        assert votes[label] == max(votes)


def test_one_neighbour_knows_its_own():
    """No training error on distinct points; two classes have one decision value."""
    assert NearestNeighbors().fit(X, Y).predict(X) == Y
    two = NearestNeighbors().fit([[0], [3]], ["a", "b"])
    assert two.decision_function([[1], [2]]) == [-1, 1] and two.ties([[1.5]]) == [["a", "b"]]


@pytest.mark.parametrize("wrong", [0, 20, 1.5, "3"])
def test_wrong_numbers_of_neighbours_are_refused(wrong):
    """An integer from 1 to the number of points."""
    with pytest.raises(InvalidInput):
        NearestNeighbors(n_neighbors=wrong).fit(X, Y)
