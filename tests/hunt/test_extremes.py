"""Data at the ends of the doubles: every public estimator answers, or refuses in words; no NaN, no bare exception."""

import math
import random

import pytest

import refclass
from refclass import errors
from tests.hunt.examine import TooLong, limited

SCALES = [2.0**e for e in (515, -515, 665, -665, 1000, -1074, -1030)]  # 10^±155, 10^±200, 10^300, and denormal
POLYNOMIAL, GAUSSIAN = {"name": "polynomial", "degree": 3}, {"name": "gaussian", "gamma": 1}
SCALED = {"name": "gaussian", "gamma": "scale"}
# Rules that do not change when every number is multiplied by one: powers of two change no rounding either.
INVARIANT = {"lda", "qda", "fisher", "least_squares", "scoring", "fda", "nearest_neighbors", "tree"}
ODD = {"bayes", "grid_search"}  # known densities are asked for; a search is as its estimator is


def table(scale, n=8):
    """Return rows of two columns, an integer multiple of the scale each, and labels of two classes they tell apart."""
    r = random.Random(7)
    X = [[scale * (r.randint(-4, 4) + 6 * (i % 2)), scale * r.randint(-5, 5)] for i in range(n)]
    return X, [i % 2 for i in range(n)]


def estimators():
    """Yield every public class that a table alone can be given to."""
    for cls in refclass.estimator_classes():
        if cls.method not in ODD:
            yield cls


def kernels():
    """Yield every class with the kernels that it can be given."""
    for cls in estimators():
        for kernel in ("linear", POLYNOMIAL, GAUSSIAN, SCALED) if "kernel" in cls.parameters() else (None,):
            yield cls, {} if kernel is None else {"kernel": kernel}


def numbers(values):
    """Yield the numbers in a tree of lists."""
    for v in values:
        if isinstance(v, (list, tuple)):
            yield from numbers(v)
        elif isinstance(v, float):
            yield v


def wrong(cls, parameters, scale):
    """Return what is wrong at a scale, in words; empty if nothing is."""
    X, y = table(scale)
    regressor = getattr(cls, "_estimator_type", "") == "regressor"
    target = [x[0] for x in X] if regressor else y
    if cls.method in ("smoothing_spline", "polynomial"):
        X = [[x[0]] for x in X]
    try:
        with limited(5):
            model = cls(**parameters).fit(X, target)
            for name in ("predict", "decision_function", "predict_proba", "transform"):
                said = getattr(model, name, None)
                if said is None:
                    continue
                try:
                    values = list(said(X))
                except errors.Refusal:
                    continue
                if any(math.isnan(v) for v in numbers(values)):
                    return f"NaN from {name}"
            getattr(model, "certificate_", None)
            if cls.method in INVARIANT and model.predict(X) != cls(**parameters).fit(*table(1.0)).predict(
                table(1.0)[0]
            ):
                return "other labels than at scale 1"
    except errors.Refusal:
        return ""
    except TooLong:
        return "no end within 5 s"
    except Exception as error:
        return f"bare {type(error).__name__}: {error}"[:160]
    return ""


@pytest.mark.parametrize("cls, parameters", list(kernels()), ids=lambda v: getattr(v, "method", None) or str(v))
def test_the_ends_of_the_doubles_are_answered_or_refused_in_words(cls, parameters):
    """At 10^±155, 10^±200, 10^300, denormal: labels and numbers, or one of the four refusals; the right labels."""
    found = {scale: words for scale in SCALES if (words := wrong(cls, parameters, scale))}
    assert not found, found
