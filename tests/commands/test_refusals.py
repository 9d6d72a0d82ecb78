"""Bad input at the command line and in Python: one clear line that says what was needed, what came, and where."""

import json
import math
import os
import pathlib
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import pytest

import refclass
from refclass.__main__ import main
from refclass.errors import InvalidInput, NoAnswer

X, Y = [[0, 1], [1, 0], [2, 2], [3, 1]], [0, 0, 1, 1]


def refused(capsys, *arguments):
    """Run a command that must fail: status 2, nothing on standard output, one line on standard error."""
    try:
        status = main(list(arguments))
    except SystemExit as left:
        status = left.code
    out, err = capsys.readouterr()
    assert status == 2 and out == "" and err.count("\n") == 1 and "Traceback" not in err
    return err


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["fit", "svc", "--data", "none.csv", "--target", "y"], "No such file or directory"),
        (["fit", "svc", "--data", "iris", "--target", "kind"], "need a column among sepal_length"),
        (["fit", "svm", "--data", "iris", "--target", "species"], "need a method among"),
        (["fit", "svc", "--data", "synth_tr", "--target", "yc", "--set", "C=0"], "need C a finite number > 0; got 0"),
        (["fit", "svc", "--data", "synth_tr", "--target", "yc", "--set", "C=-1"], "need C a finite number > 0; got -1"),
        (["fit", "svc", "--data", "synth_tr", "--target", "yc", "--set", "c=1"], "need a parameter among C, kernel"),
        (["fit", "svc", "--data", "synth_tr", "--target", "yc", "--set", "C"], "need settings of the form NAME=VALUE"),
        (["fit", "kernel_classifier", "--data", "iris", "--target", "species"], "need labels of two classes"),
        (
            ["fit", "svc", "--data", "iris", "--target", "sepal_width", "--columns", "species"],
            "need a number (--columns chooses the inputs, --indicators makes numbers of words); got 'setosa'",
        ),
        (
            ["fit", "svc", "--data", "iris", "--target", "sepal_width", "--columns", "petal_width"],
            "a continuous target is for a regression; got 3.5 (line=2, column=sepal_width)",
        ),
        (["fit", "svc", "--data", "synth_tr", "--target", "yc", "--arithmetic", "single"], 'need "float", "exact"'),
        (["solve", "none.json"], "No such file or directory"),
        (["fit"], "the following arguments are required"),
        (["dance"], "invalid choice"),
        (["where", "ESL-99.99"], "ESL-99.99"),
        (
            ["fit", "svc", "--data", "iris", "--target", "species", "--set", "kernel.gamma=1"],
            "string, thin_plate; got none",
        ),
        (
            ["report", "--data", "iris", "--target", "species", "--out", "o", "--folds", "1"],
            "need a number of folds from 2",
        ),
        (
            ["report", "--data", "iris", "--target", "species", "--out", "README.md"],
            "folder: need a folder that can be",
        ),
        (
            ["reproduce", "losses", "--out", "o", "--data", "none"],
            "need a folder of data sets (--data DIR); got 'none'",
        ),
        (["verify", "P.json", "A.json", "--digits", "many"], "need a number > 0, or all; got 'many'"),
        (["vectors", "list", "--flag", "hard"], "need flags among "),
    ],
)
def test_a_command_that_cannot_run_says_why_in_one_line(capsys, arguments, complaint):
    """Missing files and columns, unknown methods and parameters, values out of range: exit 2 and no traceback."""
    assert complaint in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "need JSON"),
        ({"method": "svc", "x": [[1], [2, 3]], "y": [0, 1]}, "(row=1)"),
        ({"method": "svc", "x": [], "y": []}, "at least one row in X"),
        ({"method": "svc", "x": [[1], ["two"]], "y": [0, 1]}, "need a number in X; got 'two' (row=1, column=0)"),
        ({"method": "svc", "x": [[1], [2]], "y": [0, 0]}, "need labels of two classes in y; got 1: [0]"),
        ('{"method": "svc", "x": [[1], [Infinity]], "y": [0, 1]}', "need finite numbers; got Infinity"),
    ],
)
def test_a_problem_at_fault_is_refused_in_one_line(capsys, tmp_path, content, complaint):
    """Malformed JSON, ragged rows, text for numbers, one class, nothing at all: exit 2 and no traceback."""
    assert complaint in refused(capsys, "solve", written(tmp_path, "P.json", content))


@pytest.mark.parametrize(
    ("rows", "labels", "complaint"),
    [
        ([[0, 1], [1, math.nan]], [0, 1], r"need a finite number in X; got nan \(row=1, column=1\)"),
        ([[0, 1], [math.inf, 0]], [0, 1], r"need a finite number in X; got inf \(row=1, column=0\)"),
        ([[0, 1], [1]], [0, 1], r"need 2 numbers in each row of X; got 1 \(row=1\)"),
        ([[0, 1], [1, "x"]], [0, 1], r"need a number in X; got .*x.* \(row=1, column=1\)"),
        ([[0, 1], [1, None]], [0, 1], r"need a number in X; got None \(row=1, column=1\)"),
        ([], [], "need at least one row in X; got none"),
        ([[], []], [0, 1], r"need at least one numbers? in each row of X; got 0 \(row=0\)"),
        ("text", [0, 1], "need X as a sequence of rows of numbers; got str"),
        ([[1], [2]], [0], r"need 2 labels in y, one for each row of X; got 1"),
        ([[1], [2]], [0, None], r"need a label in y; got None \(row=1\)"),
        ([[1], [2]], [0, math.nan], r"need a label in y; got nan \(row=1\)"),
        ([[1], [2]], [0, []], r"need labels that can be hashed in y; got \[\] \(row=1\)"),
    ],
)
def test_bad_data_are_refused_naming_row_and_column(rows, labels, complaint):
    """Every fault of X and y has its line, in every arithmetic."""
    for arithmetic in ("float", "exact", "decimal:20"):
        with pytest.raises(InvalidInput, match=complaint):
            refclass.SVC(arithmetic=arithmetic).fit(rows, labels)


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"C": 0}, "svc: need C a finite number > 0; got 0"),
        ({"C": -1}, "need C a finite number > 0; got -1"),
        ({"C": math.nan}, "need C a finite number > 0; got nan"),
        ({"C": "much"}, "need C a finite number > 0; got 'much'"),
        ({"kernel": "cubic"}, "need a name among .*linear, .*; got 'cubic'"),
        ({"kernel": {"name": "gaussian"}}, "need the parameter gamma of gaussian; got none"),
        ({"kernel": {"name": "gaussian", "gamma": -1}}, "need gamma > 0"),
        ({"loss": "hing"}, r"need loss among \['hinge', 'squared_hinge'\]; got 'hing'"),
        ({"intercept": 1}, r"need intercept among \[True, False\]; got 1"),
        ({"solver": "magic"}, "need a solver among auto, .*; got 'magic'"),
        ({"max_iter": 0}, "need max_iter None or an integer ≥ 1; got 0"),
        ({"tol": 0}, "need tol a finite number > 0; got 0"),
        ({"class_weight": {7: 1}}, "or weights for labels among"),
        ({"class_weight": {0: -1}}, "need class weights ≥ 0; got -1"),
        ({"class_weight": {0: 0}}, "need a positive weight in every class"),
        ({"arithmetic": "decimal:1"}, 'or "decimal:n" with n ≥ 2'),
    ],
)
def test_bad_parameters_are_refused_naming_the_parameter(parameters, complaint):
    """Every parameter out of range has its line."""
    with pytest.raises(InvalidInput, match=complaint):
        refclass.SVC(**parameters).fit(X, Y)


@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        ([1, 1, 1], "need 4 numbers in sample_weight, one for each row of X; got 3"),
        ([1, -1, 1, 1], r"need weights ≥ 0 in sample_weight; got -1.* \(row=1\)"),
        ([0, 0, 1, 1], r"need a positive weight in every class; got none \(label=0\)"),
        ([1, math.inf, 1, 1], r"need a finite number in sample_weight; got inf \(row=1\)"),
    ],
)
def test_bad_weights_are_refused_naming_the_row(weights, complaint):
    """Weights of another length, negative, infinite, or nothing left of a class."""
    with pytest.raises(InvalidInput, match=complaint):
        refclass.SVC().fit(X, Y, sample_weight=weights)


def test_an_estimator_does_not_answer_before_it_is_fitted():
    """predict, decision_function and the lazy attributes require fit first."""
    for ask in (
        lambda m: m.predict(X),
        lambda m: m.decision_function(X),
        lambda m: m.certificate_,
        lambda m: m.margin_,
    ):
        with pytest.raises(InvalidInput, match="need a fitted estimator"):
            ask(refclass.SVC())


def test_new_rows_must_have_as_many_columns():
    """predict names the row that has another length."""
    with pytest.raises(InvalidInput, match=r"need 2 numbers in each row of X; got 3 \(row=0\)"):
        refclass.SVC().fit(X, Y).predict([[1, 2, 3]])


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
def test_classes_that_no_plane_separates_have_no_hard_margin(arithmetic):
    """C = inf on XOR is refused: the convex hulls meet  [SVC-HARD-DUAL.P2] [ISML-27.1.1-separable]."""
    with pytest.raises(NoAnswer):
        refclass.SVC(C=math.inf, arithmetic=arithmetic).fit([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])


@pytest.mark.parametrize(
    "y", [[0.5, 1.5, 0.5, 1.5], [0, 1, 0.25, 1], [0, 1, Fraction(1, 3), 1], [0, 1, Decimal("1.5"), 1]], ids=repr
)
def test_a_continuous_target_is_refused_by_every_classifier(y):
    """A label that is a number but not whole is named with its row."""
    for kind in refclass.estimator_classes():
        if kind._estimator_type == "classifier" and kind.method != "bayes":
            with pytest.raises(InvalidInput, match=r"continuous target is for a regression.*row=\d"):
                kind().fit(X, y)


def test_whole_numbers_of_any_type_are_labels():
    """1.0, Fraction(2) and Decimal(3) are labels as 1, 2 and 3 are."""
    model = refclass.LinearDiscriminantAnalysis().fit([[0], [1], [5], [7]], [1.0, Fraction(1), 2, Decimal(2)])
    assert model.classes_ == [1, 2]


@pytest.mark.parametrize("rows", [{0: [1, 2]}, {(1, 2), (3, 4)}, [{1: 2}, {3: 4}], [{1, 2}, {3, 4}]], ids=repr)
def test_what_has_no_order_is_no_data(rows):
    """Mappings and sets are refused as X, as its rows and as y: their keys are neither numbers nor labels."""
    with pytest.raises(InvalidInput, match="sequence"):
        refclass.LinearRegression().fit(rows, [1, 2])
    with pytest.raises(InvalidInput, match="sequence"):
        refclass.SVC().fit([[0], [1]], dict(enumerate("ab")))
    with pytest.raises(InvalidInput, match="sequence"):
        refclass.LinearRegression().fit([[0], [1]], {0: 1, 1: 2})


def run(line):
    """Run a line of the shell in which the command is `$R`; return status, output and complaints."""
    here = pathlib.Path(refclass.__file__).parents[1]
    environment = {**os.environ, "R": f"{sys.executable} -m refclass", "PYTHONPATH": str(here)}
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=environment, timeout=60)
    return done.returncode, done.stdout, done.stderr


FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full is Linux's")


@pytest.mark.slow
@FULL
@pytest.mark.parametrize("command", ["methods", "where ESL-12.13"])
def test_a_full_disk_is_a_refusal(command):
    """Whether the output fills a buffer or is written at the end; nothing is complained of twice."""
    words = "refclass: standard output: need a file that can be read and written; got no space left on device\n"
    assert run(f"$R {command} > /dev/full") == (2, "", words)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="shells that close streams")
def test_streams_that_are_closed_are_refused_or_left_alone():
    """Input that is closed is refused; output that is closed, or is read no longer, is written nowhere."""
    words = "refclass: standard input: need text; got a stream that is closed\n"
    assert run("$R solve - <&-") == run("$R fit lda --data - --target y <&-") == (2, "", words)
    assert run("$R where ESL-12.13 >&-") == (0, "", "")
    assert run("$R methods | head -c 5 > /dev/null") == (0, "", "")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"y": ["a", None]}, "need a label, text or a number; got None (field=y, row=1)"),
        ({"y": ["a", True]}, "need a number; got true (field=y, column=1)"),
        ({"parameters": {"C": True}}, "need C a finite number > 0; got True"),
        ({"parameters": {"kernel": {"name": "gaussian", "gamma": True}}}, "need gamma of gaussian a finite number"),
        ({"query": [[1, 2]]}, "need a row of 1 number in query"),
    ],
)
def test_what_is_no_number_in_a_problem_is_refused_by_its_place(capsys, tmp_path, changed, words):
    """Truth values are none where a number belongs, and nothing is no label."""
    problem = {"method": "svc", "x": [[0], [1]], "y": ["a", "b"], **changed}
    assert words in refused(capsys, "solve", written(tmp_path, "P.json", problem))


@pytest.mark.parametrize("kind", [refclass.SVC, refclass.Ridge, refclass.SVR, refclass.LeeLinWahbaSVC])
def test_a_truth_value_is_no_parameter(kind):
    """True is refused for each parameter that is a number, as text is."""
    name = "penalty" if "penalty" in kind.parameters() else "C"
    with pytest.raises(InvalidInput, match=f"need {name} a finite number .*got True"):
        kind(**{name: True}).fit(X, Y)
