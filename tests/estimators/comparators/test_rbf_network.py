"""GaussianNodeNetwork."""

import pytest

from refclass import GaussianNodeNetwork
from refclass.errors import InvalidInput, NoAnswer, NotExact
from tests.discriminants.samples import PLANE

X, Y = PLANE


def test_without_a_penalty_it_interpolates():
    """Outputs at the training points are the indicators  [CMP-GNN]."""
    model = GaussianNodeNetwork().fit(X, Y)
    for scores, g in zip(model.decision_function(X), Y):
        assert all(abs(s - (k == g)) < 1e-9 for k, s in enumerate(scores))
    assert model.predict(X) == Y and len(model.output_coef_) == 3 and 0 < model.gamma_ < 1


def test_the_scale_is_that_of_kernels():
    """gamma="scale" is 1/(p · mean variance), over p variables."""
    model = GaussianNodeNetwork().fit(X, Y)
    spread = 0.0
    for column in zip(*X):
        mean = sum(column) / 19
        spread += sum((v - mean) ** 2 for v in column) / 19
    assert model.gamma_ == pytest.approx(1 / spread)


def test_what_has_no_network_is_refused():
    """Parameters out of range; coincident points of two classes without a penalty; exact arithmetic."""
    for wrong in ({"gamma": 0}, {"gamma": "wide"}, {"penalty": -1}):
        with pytest.raises(InvalidInput):
            GaussianNodeNetwork(**wrong).fit(X, Y)
    with pytest.raises(NoAnswer):
        GaussianNodeNetwork().fit([[0], [0], [1]], [0, 1, 1])
    assert GaussianNodeNetwork(penalty=0.1).fit([[0], [0], [1]], [0, 1, 1]).predict([[1]]) == [1]
    with pytest.raises(NotExact):
        GaussianNodeNetwork(gamma=1, arithmetic="exact").fit(X, Y)


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_labels_of_points_that_no_bump_reaches_are_refused(arithmetic):
    """Functions that are zero in the numbers say nothing of which is larger: labels follow from what is delivered."""
    rows = [[v * 1e137] for v in (0.0, 1.0, 3.5, 4.0)]
    model = GaussianNodeNetwork(gamma=0.5, penalty=0.1, arithmetic=arithmetic).fit(rows, list("aabb"))
    assert model.predict(rows) == list("aabb")
    assert model.decision_function([[2e137]]) == [0]
    for method in (model.predict, model.ties):
        with pytest.raises(NotExact, match=r"a bump is within the range of .*row=1"):
            method([rows[0], [2e137]])
