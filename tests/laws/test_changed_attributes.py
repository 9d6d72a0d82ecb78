"""What certificates notice on hard tables, in three arithmetics: factors, signs, NaN, words, other lengths.

Tables of unequal classes, with weights, far from zero, of columns that depend but for the last digits of doubles.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, islice, product
from random import Random

import pytest

from refclass.certificate import ASKED
from refclass.errors import Refusal
from tests.laws.judged import excused
from tests.laws.test_certificates import KINDS, attributes, judged, places, rebuilt
from tests.profiles import spread, thorough

FACTORS = (Fraction(1000001, 1000000), Fraction(1001, 1000), 2, -1, 0)
OTHER = (float("nan"), float("inf"), "x", None, [1])
MOST, SOME = 20, 7  # by default so many cases, and each seventh change; all in the thorough profile


def table(sizes, p, seed):
    """Return points of classes of such sizes, and their labels."""
    r, y = Random(seed), [g for g, count in enumerate(sizes) for _ in range(count)]
    return [[round(r.gauss(1.1 * (g * (j + 2) % 3), 1), 2) for j in range(p)] for g in y], y


(X3, Y3), (X2, Y2), (X4, Y4) = table([9, 7, 12], 2, 11), table([10, 7], 2, 12), table([6, 7, 5, 9], 3, 13)
W3, W2 = [1 + 7 * i % 3 for i in range(28)], [(1 + 5 * i % 4) / 2 for i in range(17)]
NUMBERS = [round(a * a / 2 - b + Random(i).gauss(0, 0.4), 2) for i, (a, b) in enumerate(X3)]
TABLES = {
    "three": (X3, Y3, None),
    "weighted": (X3, [["a", "b", "c"][g] for g in Y3], W3),
    "far": ([[a + 1000, 50 * b] for a, b in X3], Y3, None),
    "two": (X2, Y2, W2),
    "four": (X4, Y4, None),
    "nearly dependent": ([[a, b, a + b, 1] for a, b in X3], Y3, None),
    "of two, dependent": ([[a, b, 2 * a, 1] for a, b in X2], Y2, None),
    "numbers": (X3, NUMBERS, W3),
    "line": ([[a] for a, _ in X3], NUMBERS, W3),
}
CLASSES, PAIR, DEPENDENT = (
    ("three", "weighted", "far", "two", "four"),
    ("two",),
    ("nearly dependent", "of two, dependent"),
)
ALL, BOTH, DOUBLES = ("float", "exact", "decimal:40"), ("float", "decimal:40"), ("float",)
SQUARE = {"name": "polynomial", "degree": 2}
ASKED_OF = (  # estimator, parameters, tables, arithmetics
    ("LinearDiscriminantAnalysis", {}, CLASSES, ALL),
    ("LinearDiscriminantAnalysis", {"n_components": 1, "divisor": "n"}, CLASSES, BOTH),
    ("LinearDiscriminantAnalysis", {"pseudo_inverse": True}, DEPENDENT, ALL),
    ("LinearDiscriminantAnalysis", {"cutpoint": "empirical"}, PAIR, ALL),
    ("LinearDiscriminantAnalysis", {"costs": [[0, 2], [1, 0]], "priors": [0.3, 0.7]}, PAIR, ALL),
    ("QuadraticDiscriminantAnalysis", {}, CLASSES, ALL),
    ("QuadraticDiscriminantAnalysis", {"pseudo_inverse": True}, DEPENDENT, ALL),
    ("RegularizedDiscriminantAnalysis", {"alpha": "1/3", "gamma": "1/2"}, CLASSES, ALL),
    ("FisherDiscriminant", {"between": "centroids"}, CLASSES, ALL),
    ("FisherDiscriminant", {"pseudo_inverse": True}, DEPENDENT, ALL),
    ("LeastSquaresClassifier", {}, CLASSES, ALL),
    ("LeastSquaresClassifier", {"coding": [-1, 1], "cutpoint": "empirical"}, PAIR, ALL),
    ("LeastSquaresClassifier", {"pseudo_inverse": True}, DEPENDENT, ALL),
    ("LogisticRegression", {"penalty": 1}, CLASSES, BOTH),
    ("OptimalScoring", {}, CLASSES, BOTH),
    ("OptimalScoring", {"pseudo_inverse": True}, DEPENDENT, BOTH),
    ("FlexibleDiscriminantAnalysis", {"regression": SQUARE}, CLASSES, BOTH),
    ("FlexibleDiscriminantAnalysis", {"regression": "mars", "n_components": 1}, ("weighted", "two", "four"), DOUBLES),
    ("PenalizedDiscriminantAnalysis", {"penalty": 2}, CLASSES, BOTH),
    ("PenalizedDiscriminantAnalysis", {"penalty": 1, "n_components": 1}, DEPENDENT, BOTH),
    ("MixtureDiscriminantAnalysis", {"subclasses": 2}, CLASSES, DOUBLES),
    ("MixtureDiscriminantAnalysis", {"subclasses": 1}, CLASSES, ALL),
    ("RegressionClassifier", {"regression": SQUARE}, PAIR, ALL),
    ("NearestNeighbors", {"n_neighbors": 3}, CLASSES, ALL),
    ("ClassificationTree", {}, CLASSES, ALL),
    ("ClassificationTree", {"ccp_alpha": 0.02, "min_leaf": 2}, CLASSES, ALL),
    ("Perceptron", {}, PAIR, ALL),
    ("GaussianNodeNetwork", {"penalty": 0.5}, CLASSES, DOUBLES),
    ("Ridge", {"penalty": "1/3", "omega": [[2, 1], [1, 3]]}, ("numbers",), ALL),
    ("KernelRidge", {"penalty": 1}, ("numbers", "line"), ALL),
    ("LinearRegression", {"intercept": False}, ("numbers",), ALL),
    ("PolynomialRegression", {"degree": 3}, ("numbers", "line"), ALL),
    ("SmoothingSpline", {"penalty": 0.1}, ("line",), ALL),
    ("MARS", {"degree": 2, "max_terms": 7}, ("numbers", "line"), DOUBLES),
)
CASES = [
    (name, {**given, "arithmetic": arithmetic}, table)
    for name, given, tables, arithmetics in ASKED_OF
    for table, arithmetic in product(tables, arithmetics)
]
TRIED = range(len(CASES)) if thorough() else sorted(spread(len(CASES), MOST))


def changes(value, r):
    """Yield an attribute changed: its largest number and another by each factor, and to what is none; its lengths."""
    found = list(places(value))
    numbers = [(p, v) for p, v in found if not isinstance(v, (str, bool)) and abs(float(v)) < float("inf")]
    picked = [max(numbers, key=lambda pair: abs(float(pair[1]))), r.choice(numbers)] if numbers else []
    for path, v in picked:
        for other in chain((v * type(v)(f) if isinstance(v, Fraction) else _times(v, f) for f in FACTORS), OTHER):
            if other != v:
                yield f"{path} is {other}", rebuilt(value, path, lambda _, other=other: other)
    if isinstance(value, (list, tuple)) and value:
        yield "one less", value[:-1]
        yield "one more", [*value, value[-1]]
        yield "none", []
        row = next((i for i, row in enumerate(value) if isinstance(row, (list, tuple)) and row), None)
        if row is not None:
            yield f"row {row} has one less", [*value[:row], value[row][:-1], *value[row + 1 :]]
    yield "a word", "x"


def _times(v, factor):
    """Return a number times a fraction, in its own kind."""
    factor = Fraction(factor)
    return Fraction(v) * factor if isinstance(v, int) else v * factor.numerator / factor.denominator


@pytest.mark.parametrize("case", TRIED, ids=[f"{i}-{CASES[i][0]}-{CASES[i][2]}" for i in TRIED])
def test_a_certificate_notices_every_change(case):
    """The changed model is refused in words, has another status or fewer than nine digits; by 10⁻⁶, fewer than before.

    An entry times 1 + 10⁻⁶ beside others that are a thousand times as large leaves nine digits of the table.
    """
    name, given, table = CASES[case]
    X, y, weights = TABLES[table]
    model = KINDS[name](**given).fit(X, y, weights) if weights else KINDS[name](**given).fit(X, y)
    right, missed, r = model.certificate_, [], Random(case)
    for attribute in attributes(model):
        try:
            value = getattr(model, attribute)
        except (AttributeError, Refusal):  # not of this case
            continue
        if value is None or excused(name, attribute):
            continue
        step = 1 if thorough() else SOME
        for way, changed in islice(changes(value, r), r.randrange(step), None, step):
            found = judged(model, attribute, changed)
            if found is None or found.status != right.status:
                continue
            if found.digits is None or found.digits >= min(right.digits - 1, ASKED + 3):
                missed.append(f"{attribute} {way}: {found.status}, {found.digits}")
    assert not missed
