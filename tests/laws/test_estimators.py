"""What every estimator provides: whatever it is given, it fits, or it refuses in one line; nothing else escapes."""

import inspect
import math
from random import Random

import pytest

import refclass
from refclass.errors import InvalidInput, Refusal
from tests.profiles import thorough

rng = Random(1)
X = [[rng.gauss(t, 1), rng.gauss(0, 1)] for t in (0,) * 7 + (2,) * 7]
Y = [0] * 7 + [1] * 7
KINDS = {kind.__name__: kind for kind in refclass.estimator_classes()}
NEEDS = {
    "GaussianBayesRule": {"means": [[0, 0], [2, 0]], "covariances": [[1, 0], [0, 1]]},
    "NeuralNetwork": {"max_iter": 20},
    "SmoothingSpline": {"penalty": 1},
}
# In fractions and decimals these get fewer rows: thousands of digits where the scale is extreme. The rows left out.
LONG = {
    "SmoothingSpline": slice(4, 11),
    "SemiparametricClassifier": slice(4, 9),
    "SemiparametricRegression": slice(4, 9),
    "CrammerSingerSVC": slice(4, 9),
    "BRUTO": slice(4, 9),
    "RegressionClassifier": slice(4, 9),
    "NeuralNetwork": slice(4, 9),
}
RUNS = [
    pytest.param(name, arithmetic, id=f"{name}-{arithmetic}")
    for name in KINDS
    for arithmetic in ("float", "exact", "decimal:20")
]

# Values that hardly any parameter can take; a parameter may take one of them, but then it fits.
NONSENSE = (-1, 0, math.nan, math.inf, "nonsense", "", None, [], [1], {}, {"name": "nope"}, 1.5, (1, 2), [[1, 2], [3]])

DATA = {
    "no rows": ([], []),
    "no columns": ([[] for _ in Y], Y),
    "one row": ([[1.0, 2.0]], [0]),
    "two rows": ([[1.0, 2.0], [2.0, 1.0]], [0, 1]),
    "one class": (X, [0] * 14),
    "NaN": ([[math.nan, 1.0], *X[1:]], Y),
    "infinity": ([[math.inf, 1.0], *X[1:]], Y),
    "ragged rows": ([[1.0], *X[1:]], Y),
    "text": ([["a", 1.0], *X[1:]], Y),
    "a missing number": ([[None, 1.0], *X[1:]], Y),
    "a label too few": (X, Y[:-1]),
    "a constant column": ([[x, 3.0] for x, _ in X], Y),
    "constant columns": ([[1.0, 3.0]] * 14, Y),
    "collinear columns": ([[x, 2 * x] for x, _ in X], Y),
    "duplicates in both classes": (X[:7] * 2, Y),
    "huge numbers": ([[x * 1e150, z * 1e150] for x, z in X], Y),
    "tiny numbers": ([[x * 1e-150, z * 1e-150] for x, z in X], Y),
    "integers beyond all floats": ([[10**400, 1], *([i, i * i] for i in range(13))], Y),
    "classes that a line separates": ([[i + 10 * t, i] for i, t in zip(range(14), Y)], Y),
    "numbers for rows": ([1.0, 2.0, 3.0], [0, 1, 0]),
    "a text for rows": ("abc", [0, 1, 0]),
    "nothing": (None, None),
    "truth values": ([[True, False]] * 7 + [[False, True]] * 7, Y),
    "labels of two types": (X, [0] * 7 + ["a"] * 7),
    "NaN for a label": (X, [math.nan] * 7 + [1] * 7),
    "lists for labels": (X, [[1]] * 14),
}


def made(name, **parameters):
    """Return the estimator of a class with the parameters that it cannot do without."""
    return KINDS[name](**{**NEEDS.get(name, {}), **parameters})


def fits_or_refuses(estimator, rows, labels):
    """Fit and predict; whatever is said against it is one line that tells what was needed and what came."""
    try:
        estimator.fit(rows, labels)
        if hasattr(estimator, "predict"):
            assert len(estimator.predict(rows)) == len(rows)
    except Refusal as refusal:
        assert "\n" not in str(refusal) and "need " in str(refusal) and "; got" in str(refusal)


@pytest.mark.many
@pytest.mark.parametrize("name", KINDS)
def test_a_parameter_that_makes_no_sense_is_refused_by_name(name):
    """Numbers out of range, text, nothing, and sequences of the wrong shape, one parameter at a time."""
    rows = [[x] for x, _ in X] if name == "SmoothingSpline" else X
    for parameter in inspect.signature(KINDS[name]).parameters:
        for value in NONSENSE:
            fits_or_refuses(made(name, **{parameter: value}), rows, Y)


def fewer(values, left):
    """Return a list without some in its middle: both classes, duplicates in both and a label too few stay so."""
    return [*values[: left.start], *values[left.stop :]] if isinstance(values, list) else values


@pytest.mark.many
@pytest.mark.parametrize(("name", "arithmetic"), RUNS)
def test_data_that_make_no_sense_are_refused_and_degenerate_data_have_an_outcome(name, arithmetic):
    """No rows, one class, NaN, ragged rows, text; and constant or collinear columns, duplicates, extreme scales.

    All in doubles; by default every other one in fractions, and in decimals what is left.
    """
    given = list(DATA.values())
    if arithmetic != "float" and not thorough():
        given = given[arithmetic == "exact" :: 2]
    for rows, labels in given:
        if name in LONG and arithmetic != "float":
            rows, labels = fewer(rows, LONG[name]), fewer(labels, LONG[name])
        try:
            fits_or_refuses(made(name, arithmetic=arithmetic), rows, labels)
        except InvalidInput as refusal:
            assert "arithmetic" in str(refusal)
