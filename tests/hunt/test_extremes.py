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


def table(scale, of=2, n=8):
    """Return rows of two columns, an integer multiple of the scale each, and labels of two classes they tell apart.

    of    one row in so many is of the second class
    """
    r = random.Random(7)
    y = [int(i % of == of - 1) for i in range(n)]
    return [[scale * (r.randint(-4, 4) + 6 * t), scale * r.randint(-5, 5)] for t in y], y


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


def wrong(cls, parameters, scale, of=2):
    """Return what is wrong at a scale, in words; empty if nothing is."""
    X, y = table(scale, of)
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
            near, labels = table(1.0, of)
            if cls.method in INVARIANT and model.predict(X) != cls(**parameters).fit(near, labels).predict(near):
                return "other labels than at scale 1"
    except errors.Refusal:
        return ""
    except TooLong:
        return "no end within 5 s"
    except Exception as error:
        return f"bare {type(error).__name__}: {error}"[:160]
    return ""


@pytest.mark.many
@pytest.mark.parametrize("cls, parameters", list(kernels()), ids=lambda v: getattr(v, "method", None) or str(v))
def test_the_ends_of_the_doubles_are_answered_or_refused_in_words(cls, parameters):
    """At 10^±155, 10^±200, 10^300, denormal: labels and numbers, or one of the four refusals; the right labels."""
    found = {scale: words for scale in SCALES if (words := wrong(cls, parameters, scale))}
    assert not found, found


BETWEEN = [2.0**e for e in (500, *range(506, 513), *range(-513, -499, 3), -540, -800)]
PATHS = [(refclass.SVMPath, {"solver": solver}) for solver in ("auto", "hastie")]


@pytest.mark.parametrize("of", [2, 3, 4])
@pytest.mark.parametrize(
    "cls, parameters", [*PATHS, *(pytest.param(*v, marks=pytest.mark.thorough) for v in kernels())]
)
def test_where_sums_leave_the_doubles_and_their_terms_do_not(cls, parameters, of):
    """At 10^±150 to 10^±154, classes of equal and of other sizes: answers, or one of the four refusals."""
    found = {scale: words for scale in BETWEEN if (words := wrong(cls, parameters, scale, of))}
    assert not found, found


KERNELS = [
    "spline",
    "interaction_spline",
    {"name": "thin_plate", "sigma": 1},
    {"name": "sigmoid", "a": 1, "b": 0},
    {"name": "exponential", "kernel": "linear"},
    {"name": "series", "coefficients": [1, 1, 1], "kernel": "linear"},
    {"name": "product", "left": "spline", "right": "linear"},
    {"name": "sum", "left": "spline", "right": "linear"},
    {"name": "normalised", "kernel": POLYNOMIAL},
    "linear",
]
FAR = [[1.7e308, 1.7e308], [1e200, -1e200], [-1e300, 1e300], [5e-324, 1e160]]
MACHINES = (refclass.SVC, refclass.KernelRidge, refclass.CrammerSingerSVC, refclass.LeeLinWahbaSVC)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_points_far_away_have_a_finite_value_or_are_refused(kernel):
    """Kernel values and decision values beyond the doubles: no NaN, no infinity, nothing bare."""
    X, y = [[0.5, 1.0], [1.0, 0.25], [2.0, 2.0], [0.0, 3.0]], [0, 1, 0, 1]
    for machine in MACHINES:
        try:
            model = machine(kernel=kernel).fit(X, y)
        except errors.NoAnswer:  # an indefinite kernel
            continue
        asked = getattr(model, "decision_function", model.predict)
        for z in FAR:
            try:
                values = list(asked([z]))
            except errors.Refusal:
                continue
            assert all(map(math.isfinite, numbers(values))), (machine, z)


TINY = [[-8.095e-320, -5.4e85], [-8.095e-320, 2.3e85], [1.61895e-319, 3.5e86], [4.85686e-319, 7.2e86]]
CURVED = [[-1.8338766500050091e-59], [3.4272770098467035e-59], [4.488411879621682e-59], [-8.967716599274732e-61]]
LARGE = [-8.5e-101, 1.267, 4.048e100, -0.3536]


@pytest.mark.parametrize(
    "estimator, X, y",
    [
        (refclass.OptimalScoring(pseudo_inverse=True), TINY, ["a", "a", "b", "c"]),
        (refclass.BRUTO(), CURVED, LARGE),
        (refclass.SmoothingSpline(), CURVED, LARGE),
    ],
)
def test_columns_of_scales_that_no_double_joins_raise_nothing_bare(estimator, X, y):
    """An entry below all numbers beside its diagonal; residuals whose squares are beyond them."""
    try:
        model = estimator.fit(X, y)
    except errors.Refusal:
        return
    assert all(map(math.isfinite, numbers([model.certificate_.worst_violation])))
