"""What every certificate owes: it covers what is delivered. One number that is changed is noticed, by name or by size.

The law runs over every public estimator and every fitted attribute: one number times 1 + 10⁻³, two numbers swapped, one
dropped. The certificate of the changed model has another status than that of the fitted one, and fewer digits than were
asked for; or the attribute stands in the list of what is not judged, with a reason.
"""

from __future__ import annotations

import copy
import math
from random import Random

import pytest

import refclass
from refclass.certificate import ASKED
from refclass.errors import NotExact, Refusal
from tests.laws.judged import UNJUDGED, excused

rng = Random(5)
COUNT = 24
PLANE = [[round(rng.gauss(1.7 * (i % 3 == 1), 1), 3), round(rng.gauss(1.2 * (i % 3), 1.3), 3)] for i in range(COUNT)]
THREE, TWO = [i % 3 for i in range(COUNT)], [int(i % 3 > 0) for i in range(COUNT)]
NUMBERS = [round(x - 0.5 * z + rng.gauss(0, 0.3), 3) for x, z in PLANE]
LINE = [[x] for x, _ in PLANE]
KINDS = {kind.__name__: kind for kind in refclass.estimator_classes()}
GAUSSIAN = {"name": "gaussian", "gamma": "1/2"}
MORE = {
    "GaussianBayesRule": [
        {"means": [0, 4], "covariances": [1, 9]},
        {"means": [[0, 0], [2, 1]], "covariances": [[1, 0.3], [0.3, 2]], "costs": [[0, 2], [1, 0]]},
    ],
    "LinearDiscriminantAnalysis": [{}, {"n_components": 1}, {"priors": [0.2, 0.3, 0.5], "divisor": "n"}],
    "FisherDiscriminant": [{}, {"between": "centroids", "n_components": 1}],
    "RegularizedDiscriminantAnalysis": [{"alpha": 0.3, "gamma": 0.6}],
    "MixtureDiscriminantAnalysis": [{"subclasses": 2}],
    "NeuralNetwork": [{"hidden": 2, "penalty": 0.5}],
    "GaussianNodeNetwork": [{"penalty": 0.5}],
    "PenalizedDiscriminantAnalysis": [{"penalty": 2}],
    "LeastSquaresClassifier": [{}, {"penalty": 1}],
    "LogisticRegression": [{}, {"penalty": 1}],
    "NearestNeighbors": [{"n_neighbors": 3}],
    "SmoothingSpline": [{"penalty": 1}],
}
TWO_CLASSES = ("KernelClassifier", "RegressionClassifier", "SVMPath")


def made(name, parameters):
    """Return a fitted estimator of a class."""
    model = KINDS[name](**parameters)
    if name == "GaussianBayesRule":
        return model.fit()
    if name == "SmoothingSpline":
        return model.fit(LINE, NUMBERS)
    kind = model._estimator_type
    return model.fit(PLANE, NUMBERS if kind == "regressor" else TWO if name in TWO_CLASSES else THREE)


def places(value, path=()):
    """Yield the places of all numbers and labels within nested lists."""
    if isinstance(value, (list, tuple)):
        for i, part in enumerate(value):
            yield from places(part, (*path, i))
    elif value is not None:
        yield path, value


def rebuilt(value, path, change):
    """Return nested lists with the list, or the entry, at a place changed."""
    if not path:
        return change(value)
    parts = list(value)
    parts[path[0]] = rebuilt(parts[path[0]], path[1:], change)
    return parts


def changes(value):
    """Yield the ways in which an attribute is changed, with the changed values."""
    found = list(places(value))
    numbers = [(p, v) for p, v in found if isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v)]
    large = [(p, v) for p, v in numbers if v]
    if large and isinstance(value, (list, tuple, float, int)):
        path, v = max(large, key=lambda pair: abs(pair[1]))
        yield "a factor", rebuilt(value, path, lambda v: v + 1 if isinstance(v, int) else v * (1 + 1e-3))
    pairs = [(a, b) for a, b in zip(found, found[1:]) if a[1] != b[1] and isinstance(value, (list, tuple))]
    if pairs:
        (p, v), (q, w) = max(pairs, key=lambda pair: _apart(pair[0][1], pair[1][1]))
        yield "a swap", rebuilt(rebuilt(value, p, lambda _: w), q, lambda _: v)
    if found and isinstance(value, (list, tuple)):
        path = found[-1][0]
        yield "a drop", rebuilt(value, path[:-1], lambda part: list(part)[:-1])


def _apart(v, w):
    return abs(v - w) if isinstance(v, (int, float)) and isinstance(w, (int, float)) else 1


def judged(model, name, value):
    """Return the certificate of a model with one attribute changed; None where it is refused."""
    other = copy.copy(model)
    vars(other).pop("certificate_", None)
    try:
        setattr(other, name, value)
        return other.certificate_
    except (Refusal, AttributeError):  # refused, or an attribute that cannot be set
        return None


CASES = [
    pytest.param(name, parameters, id=f"{name}-{i}")
    for name in KINDS
    for i, parameters in enumerate(MORE.get(name, [{}]))
]


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_a_certificate_notices_what_is_changed(name, parameters):
    """A number changed by a thousandth, two swapped, one dropped: the certificate of the changed model says so."""
    model = made(name, parameters)
    right, missed = model.certificate_, []
    assert right.digits is None or right.digits >= ASKED, right
    for attribute in model.fitted:
        try:
            value = getattr(model, attribute)
        except NotExact:
            continue
        if value is None or excused(name, attribute):
            continue
        for way, changed in changes(value):
            found = judged(model, attribute, changed)
            if found is None:
                continue
            if found.status == right.status or (found.digits is not None and found.digits >= ASKED):
                missed.append(f"{attribute}: {way}, {found.status}, {found.digits}")
    assert not missed


def test_what_is_not_judged_is_an_attribute_and_has_a_reason():
    """The list of what no certificate judges names attributes that exist, and says why."""
    fitted = {(name, attribute) for name, kind in KINDS.items() for attribute in kind.fitted}
    known = fitted | {("*", attribute) for _, attribute in fitted}
    assert set(UNJUDGED) <= known and all(len(reason) > 20 for reason in UNJUDGED.values())
