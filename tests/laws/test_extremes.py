"""What classifiers owe at the ends of the range of doubles and far from zero: the right answer, or a refusal in a line.

A change of units by a power of two rounds nothing, so that a method that does not depend on units has the same labels.
"""

import math
from random import Random

import pytest

import refclass
from refclass import FlexibleDiscriminantAnalysis as FDA
from refclass.errors import Refusal

rng = Random(1)
ROWS = [[rng.gauss(1.5 * (i % 3 == j), 1) for j in range(2)] for i in range(24)]
LABELS = ["abc"[i % 3] for i in range(24)]
QUERY = [[rng.gauss(0.5, 1) for _ in range(2)] for _ in range(8)]
FREE = {  # of units
    "lda": refclass.LinearDiscriminantAnalysis,
    "reduced": lambda: refclass.LinearDiscriminantAnalysis(n_components=1),
    "qda": refclass.QuadraticDiscriminantAnalysis,
    "rda": lambda: refclass.RegularizedDiscriminantAnalysis(alpha=0),
    "fisher": refclass.FisherDiscriminant,
    "least_squares": refclass.LeastSquaresClassifier,
    "logistic": refclass.LogisticRegression,
    "scoring": refclass.OptimalScoring,
    "fda": FDA,
    "fda_polynomial": lambda: FDA(regression={"name": "polynomial", "degree": 2}),
    "fda_mars": lambda: FDA(regression="mars"),
    "fda_bruto": lambda: FDA(regression="bruto"),
    "mda": lambda: refclass.MixtureDiscriminantAnalysis(subclasses=2),
    "tree": refclass.ClassificationTree,
    "perceptron": refclass.Perceptron,
    "network": lambda: refclass.NeuralNetwork(hidden=2, max_iter=5),
}
BOUND = {  # to units, but right or refused all the same
    "pda": refclass.PenalizedDiscriminantAnalysis,
    "ridge": lambda: refclass.LeastSquaresClassifier(penalty=1),
    "nearest": refclass.NearestNeighbors,
    "nodes": lambda: refclass.GaussianNodeNetwork(penalty=1),
}
SIZES = [-1060, -1000, -545, -530, -515, -400, -150, 150, 400, 515, 530, 1000, 1022]


def scaled(rows, e, both):
    return [[math.ldexp(x, e), math.ldexp(z, e) if both else z] for x, z in rows]


def finite(value):
    return all(map(finite, value)) if isinstance(value, (list, tuple)) else math.isfinite(value)


@pytest.mark.many
@pytest.mark.parametrize("e", SIZES)
@pytest.mark.parametrize("name", [*FREE, *BOUND])
def test_data_of_any_size_are_answered_rightly_or_refused(name, e):
    """Labels in other units are the same, or the data are refused in one line; nothing is infinite or no number."""
    made = {**FREE, **BOUND}[name]
    want = made().fit(ROWS, LABELS).predict(QUERY)
    for both in (True, False):
        try:
            model = made().fit(scaled(ROWS, e, both), LABELS)
            got = model.predict(scaled(QUERY, e, both))
            if hasattr(model, "predict_proba"):
                assert finite(model.predict_proba(scaled(QUERY, e, both)))
        except Refusal as refusal:
            assert "\n" not in str(refusal) and "nan" not in str(refusal)
        else:
            assert got == want or name in BOUND or e == -1060  # at denormals the data themselves are rounded


@pytest.mark.many
@pytest.mark.parametrize("size", [1e17, 1e160, 1e300, 1.7e308])
@pytest.mark.parametrize("name", [*FREE, *BOUND])
def test_far_points_are_answered_in_finite_numbers_or_refused(name, size):
    """Labels, posteriors and decision values are finite, and a posterior's largest entry is that of the label."""
    model = {**FREE, **BOUND}[name]().fit(ROWS, LABELS)
    far = [[size, 0], [0, size], [-size, -size]]
    for method in ("predict", "predict_proba", "decision_function", "transform"):
        if not hasattr(model, method):
            continue
        try:
            found = getattr(model, method)(far)
        except Refusal as refusal:
            assert "\n" not in str(refusal) and "row=" in str(refusal)
            continue
        assert method == "predict" or finite(found)
        if method == "predict_proba":
            assert [max(zip(p, model.classes_), key=lambda pair: pair[0])[1] for p in found] == model.predict(far)


@pytest.mark.parametrize("name", ["lda", "reduced", "rda", "scoring", "fda", "logistic"])
def test_far_points_of_linear_rules_lie_in_the_cone_of_their_class(name):
    """At 1e17 spreads the label is that of the same direction at 1e4 spreads, where exact arithmetic agrees."""
    model = {**FREE, **BOUND}[name]().fit(ROWS, LABELS)
    turns = [[math.cos(t), math.sin(t)] for t in range(12)]
    near, far = ([[s * x, s * z] for x, z in turns] for s in (1e4, 1e17))
    assert model.predict(far) == model.predict(near) and len(set(model.predict(far))) > 1


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
@pytest.mark.parametrize("offset", [10**4, 10**6, 10**9])
def test_scores_do_not_depend_on_where_the_data_lie(offset, arithmetic):
    """One variable has one coordinate, collinear means in two variables too, the same at every offset and scale."""
    data = [[3], [11], [12], [8], [5], [11], [11], [15], [1], [11], [4], [13], [4], [10], [7], [9]]
    for rows in (data, [[x, 2 * x + i // 4 % 2] for i, (x,) in enumerate(data)]):
        labels = [i % 4 for i in range(16)]
        here = refclass.OptimalScoring(arithmetic=arithmetic).fit(rows, labels)
        there = refclass.OptimalScoring(arithmetic=arithmetic).fit(
            [[4 * (v + offset) for v in x] for x in rows], labels
        )
        assert len(here.eigenvalues_) == len(there.eigenvalues_) <= len(rows[0])
        assert all(abs(a - b) < 1e-13 for a, b in zip(here.eigenvalues_, there.eigenvalues_))
        moved = there.transform([[4 * (v + offset) for v in rows[0]]])[0]
        assert all(abs(a - b) < 1e-6 for a, b in zip(moved, here.transform(rows[:1])[0]))
        assert there.certificate_.digits > 12


@pytest.mark.parametrize("e", [-400, 100, 400])
@pytest.mark.parametrize("name", ["lda", "reduced", "qda", "fisher", "least_squares", "scoring", "fda"])
def test_data_whose_first_point_is_their_mean_have_the_same_labels_in_any_unit(name, e):
    """Points are then measured from the mean, which has the unit of the data, too."""
    rows = [[4, 5], [0, 7], [8, 3], [1, 1], [7, 9], [2, 6], [6, 4]]
    labels, query = ["a", "b", "c", "a", "b", "c", "a"], [[5, 5], [0, 0], [9, 9], [1, 8]]
    for y in (labels, [*map("aab".index, "aabbaba")]):
        if name == "qda" and y is labels:
            continue
        want = FREE[name]().fit(rows, y).predict(query)
        assert FREE[name]().fit(scaled(rows, e, True), y).predict(scaled(query, e, True)) == want
