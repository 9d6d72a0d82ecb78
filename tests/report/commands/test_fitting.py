"""Methods fitted to tables: what is reported, and models that are saved and come back."""

import json
import random
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction as Q

import pytest

import refclass
from refclass.errors import InvalidInput, Refusal
from refclass.oracle import problem, table
from refclass.report.commands import fitting, saving
from refclass.report.commands.asking import Preparation

KINDS = {kind.method: kind for kind in refclass.estimator_classes() if kind.method != "svm_path"}
NEEDS = {
    "smoothing_spline": {"penalty": 1},
    "bayes": {"means": [[0.0, 0.0], [1.0, 1.0]], "covariances": [[1.0, 0.0], [0.0, 1.0]], "priors": [0.5, 0.5]},
}
ROWS = "a,b,label\n" + "".join(
    f"{x},{y},{k}\n"
    for x, y, k in [
        (0, 1, 0),
        (1, 0, 0),
        (2, 2, 1),
        (3, 1, 1),
        (1, 2, 0),
        (2, 0, 1),
        (0, 3, 1),
        (3, 3, 0),
        (4, 1, 1),
        (1, 4, 0),
    ]
)


def quiet(done, total, what):
    """No progress is shown."""


def data():
    return table.parse(ROWS, "rows.csv")


@pytest.mark.many
@pytest.mark.parametrize("method", sorted(KINDS))
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
def test_a_saved_model_predicts_as_the_fitted_one(method, arithmetic):
    """Through JSON text and back: the same predictions, bit for bit, for every method and arithmetic it runs in."""
    given = NEEDS.get(method, {})
    try:
        names = ["a"] if method == "smoothing_spline" else None
        fit = fitting.fit(method, given, arithmetic, data(), "label", names)
        said = fit.estimator.predict(fit.X)
    except refclass.errors.NotExact:
        return
    except InvalidInput as refusal:
        assert "arithmetic" in str(refusal)
        return
    saved = json.dumps(saving.saved(fit))
    loaded = saving.load(problem.decode(saved, "m.json", exact=False), "m.json")
    assert list(saving.predict(loaded, data())) == list(said)


def test_the_report_counts_errors_in_three_ways():
    """Training, leave-one-out and test errors, coefficients by name, and the proof."""
    fit = fitting.fit("svc", {"C": 1}, "exact", data(), "label", None)
    text = "\n".join(fitting.lines(fit, data(), quiet))
    for part in (
        "training errors: ",
        "leave-one-out errors: ",
        "test errors: ",
        "proof: optimal: gap 0 exactly",
        "  a  ",
    ):
        assert part in text


@pytest.mark.many
@pytest.mark.parametrize("method", sorted([*KINDS, "svm_path"]))
def test_every_method_has_a_report(method):
    """Its first line names the estimator and the data; a classifier counts errors, a regression its mean square."""
    names = ["a"] if method == "smoothing_spline" else None
    fit = fitting.fit(method, NEEDS.get(method, {}), "float", data(), "label", names)
    test = None if method == "svm_path" else data()
    first, *rest = fitting.lines(fit, test, quiet)
    assert first.startswith(type(fit.estimator).__name__) and first.endswith("target label")
    kinds = ("errors: ", "mean squared error: ", "break points: ")
    assert any(kind in line for line in rest for kind in kinds)
    if test is not None:
        assert [line for line in rest if line.startswith("test ")]


def test_the_mean_square_of_a_regression_is_reported_with_its_share():
    """Residuals ±1 about responses that vary by ±2: a mean square of 1, three quarters explained."""
    assert fitting.squares([Q(1), Q(-1)], [Q(2), Q(-2)]) == "mean squared error: 1, R² 3/4"
    assert fitting.squares([Q(1), Q(1)], [Q(2), Q(2)]) == "mean squared error: 1"


def test_a_path_is_neither_tested_nor_saved():
    """It predicts at a value of λ only, so a test set and a saved model are refused by name."""
    fit = fitting.fit("svm_path", {}, "float", data(), "label", None)
    with pytest.raises(InvalidInput, match="need a method that predicts, for a test; got svm_path"):
        list(fitting.lines(fit, data(), quiet))
    with pytest.raises(InvalidInput, match="need a method that predicts, for a model to be saved; got svm_path"):
        saving.saved(fit)


def test_parameters_that_a_method_cannot_do_without_are_asked_for():
    """Known densities must be reported."""
    with pytest.raises(InvalidInput, match="bayes: need the parameters means, covariances; got none"):
        fitting.fit("bayes", {}, "float", data(), "label", None)


def test_a_nearly_singular_covariance_is_warned_of_in_words():
    """Two columns that almost agree: the warning says how many digits are lost."""
    rows = "a,b,label\n" + "".join(f"{i},{i + 2**-20 * (i * i % 5)},{i % 2}\n" for i in range(12))
    fit = fitting.fit("lda", {}, "float", table.parse(rows, "rows.csv"), "label", None)
    text = "\n".join(fitting.lines(fit, None, quiet))
    assert "warning: the covariance is nearly singular" in text and "digits" in text


@pytest.mark.parametrize(
    "change",
    [
        {"refclass": "0.0.0"},
        {"method": "svm"},
        {"state": {}},
        {"state": {"_model": {"record": "os:system", "fields": {}}}},
        {"classes": 3},
        {"classes": ["a"]},
        {"indicators": {"a": {}}},
        {"indicators": [1]},
        {"columns": [1]},
    ],
)
def test_a_model_of_another_kind_is_refused(change):
    """Another version, an unknown method, a missing state, a record that is not the package's, no lists of names."""
    saved = json.loads(json.dumps(saving.saved(fitting.fit("svc", {}, "float", data(), "label", None))))
    with pytest.raises(InvalidInput):
        saving.load({**saved, **change}, "m.json")
    with pytest.raises(InvalidInput, match="fit --save"):
        saving.load([], "m.json")


@pytest.mark.parametrize("method", ["lda", "qda", "tree", "one_vs_one", "mars"])
def test_any_part_of_a_saved_model_that_is_another_is_refused_or_predicts(method):
    """One part of the JSON is left out, shortened, null, a word or a number of another size: predicted or exported."""
    rows = data()
    how = Preparation(standardize=True)
    text = json.dumps(saving.saved(fitting.fit(method, {}, "float", rows, "label", None, how=how)))
    r = random.Random(5)
    for _ in range(100):
        changed = json.loads(text)
        *path, last = r.choice([place for place in _places(changed) if place])
        part = changed
        for name in path:
            part = part[name]
        if r.random() < 0.2:
            del part[last]
        else:
            part[last] = r.choice([None, "os:system", [1], -5, 10**6, {"a": 1}, []])
        with suppress(Refusal):
            saving.answers(
                saving.load(changed, "m.json"), rows, probabilities=method in ("lda", "qda", "tree"), scores=False
            )
        with suppress(Refusal):
            saving.exported(saving.load(changed, "m.json"), r.choice(["c", "javascript", "python"]))


def _places(value, path=()):
    """Yield the paths to all parts of nested objects and lists."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from _places(part, (*path, name))


def test_settings_reach_inside_a_kernel():
    """kernel.name and kernel.gamma build one description; numbers are exact, inf is ∞."""
    found = fitting.parameters(["kernel.name=gaussian", "kernel.gamma=0.1", "C=inf", "priors=[0.5, 0.5]"])
    assert found["kernel"]["gamma"] * 10 == 1 and found["C"] == float("inf") and sum(found["priors"]) == 1


@pytest.mark.parametrize(
    ("cells", "others", "errors"),
    [
        (["1", "1", "2", "a"], ["1", "1", "2"], "0 of 3"),  # text beside whole numbers alone
        (["1", "1", "2", "2"], ["1", "1", "2", "02"], "1 of 4"),
        (["1", "1", "2", "2"], ["1", "a", "2.5", "2"], "2 of 4"),
        (["--3", "--3", "-", "-"], ["--3", "1", "-"], "1 of 3"),
        (["9" * 5000, "1", "1", "1"], ["9" * 5000, "1", "2"], "1 of 3"),
        (["-0", "0", "0", "0"], ["0", "0", "-0"], "2 of 3"),
    ],
)
def test_labels_of_a_test_are_read_as_those_of_the_fit(cells, others, errors):
    """Whole numbers where the classes are, else text, whatever the other labels of the table look like."""
    first, second = (
        table.parse("x,y\n" + "".join(f"{i},{c}\n" for i, c in enumerate(column)), "t.csv")
        for column in (cells, others)
    )
    found = fitting.fit("nearest_neighbors", {}, "float", first, "y", None)
    assert fitting.tested(found, second).startswith(f"test errors: {errors} ")


@pytest.mark.parametrize("cells", [["1.5", "2.5", "nan"], ["NA", "1e-3", "2"], ["1/3", "?", "7"]])
def test_a_continuous_target_with_missing_values_is_refused(cells):
    """Numbers that are not whole beside cells that stand for no value: no class for each of them."""
    rows = table.parse("x,y\n" + "".join(f"{i},{c}\n" for i, c in enumerate(cells)), "t.csv")
    with pytest.raises(InvalidInput, match="a continuous target is for a regression"):
        fitting.labels(rows, "y")


@pytest.mark.parametrize("cell", fitting.MISSING)
def test_a_label_that_is_missing_is_no_class(cell):
    """It made a class of its own, beside words and whole numbers. Where other cells stand for no value it is a word."""
    for word in ("a", "1"):
        text = f"x,y\n1,{word}\n2,{cell}\n"
        with pytest.raises(InvalidInput, match=rf"need a label .--na says which .* got {cell} \(line=3, column=y\)"):
            fitting.labels(table.parse(text, "t.csv"), "y")
        other = replace(table.COMMON, missing=("none",))
        assert fitting.labels(table.parse(text, "t.csv", other), "y") == [word, cell]


def test_the_target_is_not_an_input():
    """A column cannot be both."""
    with pytest.raises(InvalidInput, match="need inputs other than the target; got label"):
        fitting.fit("svc", {}, "float", data(), "label", ["a", "label"])
