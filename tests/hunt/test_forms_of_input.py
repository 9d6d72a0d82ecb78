"""Data in every form that has an order: the same answers; what has none, and what is no label: refused in words."""

import inspect
import random
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real

import pytest

import refclass
from refclass.errors import NoAnswer, Refusal
from tests.hunt.bad_input import KINDS
from tests.hunt.test_bad_input import outcome

SMALL = {"NeuralNetwork": {"max_iter": 5}, "SmoothingSpline": {"penalty": 1}, "LogisticRegression": {"penalty": 1}}
SMALL |= {"MixtureDiscriminantAnalysis": {"subclasses": 1}, "SemiparametricRegression": {"kernel": "linear"}}
SMALL |= {"GridSearch": {"estimator": refclass.NearestNeighbors(), "grid": {"n_neighbors": [1]}}}
TWO = ("RegressionClassifier", "SparseDiscriminant", "ActualDistanceSVC", "SVMPath", "KernelClassifier")
NAMES = sorted({*KINDS} - {"GaussianBayesRule", "SemiparametricClassifier", "SemiparametricRegression"})
LONG = 10**5000  # Python refuses to write it out


class NoDimension:
    """An array of no dimension: it has `__iter__`, and is a number."""

    def __iter__(self):
        raise TypeError("iteration over a 0-d array")

    def tolist(self):
        return 3.0


class Missing:
    """A value that is missing: whether it equals anything, it does not say."""

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


class Silent:
    """A label that says of nothing whether it equals it, or stands before it."""

    def __init__(self, hashed=True, equal=False):
        self.hashed, self.equal = hashed, equal

    def __hash__(self):
        if not self.hashed:
            raise RuntimeError("no hash")
        return 1

    def __eq__(self, other):
        if not self.equal:
            raise RuntimeError("no comparison")
        return self is other

    def __lt__(self, other):
        raise RuntimeError("no order")


@dataclass(frozen=True)
class Record:
    """A label of one number."""

    value: float


NAN = float("nan")
UNEQUAL = [(NAN,), ((1, (NAN,)),), frozenset([NAN]), Record(NAN), (Decimal("NaN"),), Silent(), Silent(hashed=False)]


def posed(name):
    """Return a small problem for an estimator: rows, labels or responses, and the estimator."""
    r, K = random.Random(3), 2 if name in TWO else 3
    y = [i % K for i in range(9)]
    X = [[round(8 * r.gauss(1.5 * g, 1)) / 8, round(8 * r.gauss(0, 1)) / 8] for g in y]
    if name == "SmoothingSpline":
        X = [row[:1] for row in X]
    regressor = getattr(KINDS[name], "_estimator_type", "") == "regressor"
    return X, [a[0] for a in X] if regressor else y, lambda: KINDS[name](**SMALL.get(name, {}))


def once(X):
    """Return rows that can be read once only."""
    return (iter(row) for row in X)


@pytest.mark.parametrize("name", NAMES)
def test_generators_are_read_once_and_arrays_without_a_dimension_refused(name):
    """A second reading of a generator finds nothing: no row, no label, no class."""
    X, y, make = posed(name)
    model, want = make().fit(once(X), iter(y)), make().fit(X, y)
    for asked in ("predict", "decision_function", "transform"):
        method = getattr(model, asked, None)
        if method is not None:
            assert method(once(X)) == getattr(want, asked)(X)
            with pytest.raises(Refusal, match="need X as a sequence of rows"):
                method(NoDimension())
    for rows, labels in ((NoDimension(), y), ([NoDimension()] * 9, y), (X, NoDimension())):
        with pytest.raises(Refusal, match="as a sequence of"):
            make().fit(rows, labels)


@pytest.mark.parametrize(
    "name", [name for name in NAMES if KINDS[name].takes_labels and hasattr(KINDS[name], "predict")]
)
def test_labels_are_of_any_kind_that_equals_itself(name):
    """Numbers too long to write stand for a class; a missing label is refused, and equals no prediction."""
    X, y, make = posed(name)
    wrong, model = outcome(lambda: make().fit(X, [LONG + g for g in y]))
    assert not wrong and model.predict(X) == [LONG + g for g in make().fit(X, y).predict(X)]
    wrong, _ = outcome(lambda: str(model.certificate_) and "")
    assert not wrong, wrong
    with pytest.raises(Refusal, match="need a label in y"):
        make().fit(X, [Missing(), *y[1:]])
    assert model.score(X[:2], [Missing(), model.predict(X)[1]]) == 0.5


@pytest.mark.parametrize("label", UNEQUAL)
@pytest.mark.parametrize("name", ["LinearDiscriminantAnalysis", "SVC", "NearestNeighbors"])
def test_labels_whose_members_do_not_equal_themselves_are_refused(name, label):
    """Python compares members by identity first, so that (nan,) == (nan,), though no other NaN equals it."""
    X, y, make = posed(name)
    with pytest.raises(Refusal, match=r"need (a label|labels that can be hashed) in y; got .* \(row=1\)"):
        make().fit(X, [y[0], label, *y[2:]])


@pytest.mark.parametrize("labels", [[frozenset([2]), frozenset([1])], [Silent(equal=True), Silent(equal=True)]])
def test_labels_without_an_order_stand_in_that_of_their_appearance(labels):
    """Sets are ordered by inclusion, which is no order of classes."""
    X = [[0], [1], [3], [4]]
    for given in ([*labels, *labels], [*labels[::-1], *labels[::-1]]):
        assert KINDS["NearestNeighbors"]().fit(X, given).classes_ == given[:2]


@pytest.mark.many
@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1e308])
@pytest.mark.parametrize("name", ["BRUTO", "CrammerSingerSVC", "LeeLinWahbaSVC", "KernelRidge", "MARS", "Ridge"])
def test_weights_at_the_ends_of_the_doubles_are_answered_or_refused_in_words(name, weight):
    """Their totals, squares and inverses are no doubles."""
    X, y, make = posed(name)
    wrong, model = outcome(lambda: make().fit(X, y, sample_weight=[weight] * len(X)))
    assert not wrong, wrong
    for attribute in (*KINDS[name].fitted, "certificate_") if model is not None else ():
        wrong, _ = outcome(lambda attribute=attribute: (getattr(model, attribute), "")[1])
        assert not wrong, wrong


def test_numbers_in_words_are_refused_by_every_fit_in_doubles():
    """What `fit` takes, `predict` takes: the lasso, computed in fractions, read "1.5" as a number at `fit` alone."""
    for name in NAMES:
        if "X" in inspect.signature(KINDS[name].fit).parameters and KINDS[name].arithmetics:
            X, y, make = posed(name)
            with pytest.raises(Refusal, match="need a number in X"):
                make().fit([list(map(str, row)) for row in X], y)


class Single:
    """A number of another library, which is known as a real one: numpy's, of half the digits, is no `float`."""

    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return hash(self.value)

    def __eq__(self, other):
        return self.value == getattr(other, "value", other)

    def __floordiv__(self, other):
        return self.value // other


Real.register(Single)


def test_labels_that_are_numbers_of_another_library_are_whole():
    """A continuous target is refused whatever kind of number it is."""
    X, y, make = posed("LinearDiscriminantAnalysis")
    assert make().fit(X, list(map(Single, y))).predict(X) == make().fit(X, y).predict(X)
    with pytest.raises(Refusal, match="a continuous target is for a regression"):
        make().fit(X, [Single(g + 0.5) for g in y])


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
@pytest.mark.parametrize("given", [{"subclasses": 1}, {"subclasses": 1, "n_components": 1}])
def test_a_mixture_without_variance_in_a_direction_is_refused_in_words_of_the_mixture(arithmetic, given):
    """Two equal columns: Σ is singular, whether or not the means are held to a plane."""
    X, y, _ = posed("MixtureDiscriminantAnalysis")
    with pytest.raises(NoAnswer, match="need points that vary about their subclass means in every direction"):
        refclass.MixtureDiscriminantAnalysis(**given, arithmetic=arithmetic).fit([[*a, a[0]] for a in X], y)
