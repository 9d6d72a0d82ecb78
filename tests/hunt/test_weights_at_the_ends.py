"""Every estimator, and weights, penalties and costs at the ends of the doubles: a digit or more, or refused."""

import inspect

import pytest

from refclass.errors import Refusal
from tests.hunt.bad_input import KINDS
from tests.hunt.test_bad_input import outcome
from tests.hunt.test_forms_of_input import NAMES, posed

WEIGHTS = {
    "denormal": lambda i: 5e-324,
    "large": lambda i: 1e150,
    "one large": lambda i: 1 if i else 1e300,
    "one small": lambda i: 1 if i else 1e-20,
    "large and small": lambda i: 1e-300 if i % 3 else 1e300,
}
WEIGHED = [*(name for name in NAMES if "sample_weight" in inspect.signature(KINDS[name].fit).parameters)]
WEIGHED += ["SemiparametricClassifier", "SemiparametricRegression"]
SAYS_WHERE_IT_STOPS = ("NeuralNetwork",)  # no convex problem: a training that ends early is told as such


def poor(fitted):
    """Return what is wrong with what a call returns, in words: an exception that is none of ours, or no digit."""
    wrong, model = outcome(fitted)
    if wrong or model is None or not hasattr(type(model), "certificate_"):
        return wrong
    said = []
    wrong, _ = outcome(lambda: said.append(model.certificate_))
    return wrong or "".join(f"{c.status}: {c.where}" for c in said if c.status == "not converged")


def two_classes(name):
    """Return the problem of an estimator, for that of two classes alone with two of them."""
    X, y, make = posed(name)
    return X, [i % 2 for i in range(len(y))] if name == "SemiparametricClassifier" else y, make


def returned_poor(name, patterns):
    """Return the patterns of weights with which a default fit returns an answer without a digit, in words."""
    X, y, make = two_classes(name)
    weighed = {words: list(map(WEIGHTS[words], range(len(y)))) for words in patterns}
    found = {words: poor(lambda w=w: make().fit(X, y, sample_weight=w)) for words, w in weighed.items()}
    return {words: wrong for words, wrong in found.items() if wrong}


def law(far, arithmetic):
    """Return the estimators that return an answer without a digit, in words; far: columns of 10⁹ ± 10⁶ and of 10⁻⁶."""
    found = {}
    for name in sorted({*KINDS} - {*SAYS_WHERE_IT_STOPS, "GaussianBayesRule"}):
        X, y, make = two_classes(name)
        own = {"arithmetic": arithmetic} if "arithmetic" in make().get_params() else {}
        rows = [[1e9 + 1e6 * x[0], *(v / 1e6 for v in x[1:])] for x in X] if far else X
        found[name] = poor(lambda: make().set_params(**own).fit(rows, y))  # noqa: B023
    assert len(found) > 30
    return {name: wrong for name, wrong in found.items() if wrong}


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_no_estimator_returns_an_answer_without_a_digit(arithmetic):
    """Whatever has a certificate, with its default parameters: not once "not converged"."""
    assert not law(False, arithmetic)


@pytest.mark.thorough
@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_no_estimator_returns_an_answer_without_a_digit_far_from_the_origin(arithmetic):
    """The same with columns of which one is 10¹⁵ times the other: answered or refused."""
    assert not law(True, arithmetic)


@pytest.mark.many
@pytest.mark.parametrize("name", [name for name in WEIGHED if name not in SAYS_WHERE_IT_STOPS])
def test_no_default_fit_returns_an_answer_without_a_digit(name):
    """A fit answers or raises, with a row that weighs 10²⁰ times less than the others, too."""
    assert not returned_poor(name, ["denormal", "one small"])


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in WEIGHED if name not in SAYS_WHERE_IT_STOPS])
def test_no_fit_with_weights_of_300_decades_returns_an_answer_without_a_digit(name):
    """Such weights leave some answers no digit in doubles, and then the fit says so."""
    assert not returned_poor(name, ["large", "one large", "large and small"])


@pytest.mark.parametrize(
    ("name", "parameter", "size"),
    [
        ("GaussianNodeNetwork", "penalty", 1e300),
        ("LeeLinWahbaSVC", "penalty", 1e-300),
        ("SemiparametricRegression", "penalty", 1e-300),
        ("SmoothingSpline", "penalty", 1e300),
        ("SVC", "C", 5e-324),
        ("KernelRidge", "penalty", 5e-324),
    ],
)
def test_no_parameter_makes_a_default_fit_return_an_answer_without_a_digit(name, parameter, size):
    """Quotients and squares of these are no doubles."""
    X, y, make = posed(name)
    assert not poor(lambda: make().set_params(**{parameter: size}).fit(X, y))


@pytest.mark.parametrize("name", ["SVC", "LinearDiscriminantAnalysis", "Ridge"])
def test_weights_of_few_digits_are_refused_by_their_row(name):
    """A denormal number has fewer digits than others, and so has all that follows from it; zero stays a weight."""
    X, y, make = posed(name)
    for weight in (5e-324, 2e-308):
        with pytest.raises(Refusal, match=r"weights .* that doubles hold to all their digits; got .* \(row=2\)"):
            make().fit(X, y, sample_weight=[1, 1, weight, *[1] * (len(y) - 3)])
    make().fit(X, y, sample_weight=[1, 1, 0, *[1] * (len(y) - 3)])
