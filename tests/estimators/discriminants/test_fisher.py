"""FisherDiscriminant."""

from fractions import Fraction

import pytest

from refclass import FisherDiscriminant as Fisher
from refclass import LinearDiscriminantAnalysis
from refclass.errors import InvalidInput, NoAnswer, NotExact
from tests.discriminants.gaussian.test_fisher import many
from tests.discriminants.samples import PLANE

X, Y = PLANE
TWO = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 4], [1, 3], [2, 0], [5, 2]], list("aababbab")


def test_all_directions_give_the_nearest_mean():
    """On all directions the labels are those of linear discriminants with equal priors, in every arithmetic
    [LDA-CENTROID.P2] [RR-LDA.P1].
    """
    want = LinearDiscriminantAnalysis(priors=[1 / 3] * 3).fit(X, Y).predict(X)
    for arithmetic in ("float", "exact", "decimal:20"):
        assert Fisher(arithmetic=arithmetic).fit(X, Y).predict(X) == want
    assert Fisher(n_components=2).fit(X, Y).predict(X) == want


def test_fewer_directions_look_at_less():
    """One direction decides by the nearest mean along it  [ESL-4.3.3-reduced]."""
    model = Fisher(n_components=1).fit(*many())
    Z = model.transform(many()[0])
    assert all(len(z) == 1 for z in Z)
    means = [sum(z[0] for z, g in zip(Z, many()[1]) if g == k) / many()[1].count(k) for k in range(5)]
    for z, said in zip(Z, model.predict(many()[0])):
        gaps = [abs(z[0] - m) for m in means]
        assert gaps.index(min(gaps)) == said


def test_both_between_matrices_are_at_hand():
    """Weighted and unweighted means give different directions for classes of different sizes, and different values
    [CANON-VAR.P3] [CLASH-5].
    """
    a, b = (Fisher(between=name).fit(*many()) for name in ("weighted", "centroids"))
    assert abs(a.scalings_[0][0] - b.scalings_[0][0]) > 1e-3
    assert sorted(a.eigenvalues_, reverse=True) == a.eigenvalues_ and a.eigenvalues_ != b.eigenvalues_
    assert a.means_ == b.means_ and a.predict(many()[0]) == b.predict(many()[0])


def test_two_classes_are_exact_but_for_a_root():
    """The eigenvalue of two classes is rational, for both between matrices; the direction needs a root, labels do not
    [RC-21] [KIM-2.34].
    """
    rows, labels = [*TWO[0], [7, 3], [6, 1]], [*TWO[1], "a", "b"]
    model = Fisher(arithmetic="exact").fit(rows, labels)
    other = Fisher(between="centroids", arithmetic="exact").fit(rows, labels)
    assert type(model.eigenvalues_[0]) is Fraction and model.eigenvalues_[0] * 2 == other.eigenvalues_[0]
    assert abs(float(model.eigenvalues_[0]) - Fisher().fit(rows, labels).eigenvalues_[0]) < 1e-12
    with pytest.raises(NotExact):
        _ = model.scalings_
    (value,) = model.decision_function([[2, 2]])
    assert type(value) is Fraction and model.certificate_.status == "optimal"
    assert model.predict(rows) == Fisher().fit(rows, labels).predict(rows)


def test_the_midpoint_is_a_tie():
    """Half-way between two means both classes are named  [KIM-2.34] [KIM-2.35]."""
    model = Fisher(arithmetic="exact").fit([[0], [2], [3], [6], [8]], list("aaabb"))
    assert model.ties([["13/3"], ["4.4"]]) == [["a", "b"], ["b"]]


def test_singular_and_near_singular_are_reported():
    """A singular W is refused or its pseudo-inverse used; a near one has a large condition."""
    line = [[0, 0], [1, 2], [5, 10], [7, 14]]
    with pytest.raises(NoAnswer):
        Fisher().fit(line, list("aabb"))
    assert Fisher(pseudo_inverse=True).fit(line, list("aabb")).predict(line) == list("aabb")
    assert Fisher().fit([[a, a + 1e-5 * b] for a, b in X], Y).condition_ > 1e8


@pytest.mark.parametrize("options", [{"between": "total"}, {"n_components": 3}, {"n_components": "all"}])
def test_bad_options_are_refused(options):
    """One line says which parameter needed what."""
    with pytest.raises(InvalidInput):
        Fisher(**options).fit(X, Y)
