"""Bad input of every kind: an answer or a refusal in one line; no bare exception, no NaN, nothing without end."""

import contextlib
import inspect
import io
import json
import math
import os
import random
import traceback

import pytest

import refclass
from refclass.__main__ import main
from refclass.errors import Refusal, quoted
from tests.hunt import bad_input
from tests.hunt.examine import TooLong, limited

COUNT = int(
    os.environ.get("REFCLASS_BAD_INPUT", "800")
)  # of estimators; a quarter as many of functions, a sixteenth of commands
STEP = 200
FUNCTIONS = [
    getattr(refclass, name)
    for name in refclass.__all__
    if inspect.isfunction(getattr(refclass, name)) and name not in ("estimator_classes", "methods")
]


def outcome(call):
    """Return what is wrong with a call, in words, and what it returned."""
    try:
        with limited(8):
            return "", call()
    except Refusal as refusal:
        words = str(refusal)
        sound = "\n" not in words and "need " in words and "; got" in words
        return ("" if sound else f"not one line with need and got: {words}"), None
    except TooLong:
        return "no end within 8 s", None
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"bare {type(error).__name__}: {error} ({where.filename}:{where.lineno})"[:300], None


def numbers(value):
    """Yield the doubles within nested lists."""
    for part in value if isinstance(value, (list, tuple)) else ():
        yield from numbers(part)
    if isinstance(value, float):
        yield value


def fitted(r):
    """Return what is wrong with an estimator that is given odd parameters, data, weights, and queries."""
    name = r.choice(list(bad_input.KINDS))
    kind, given = bad_input.KINDS[name], bad_input.parameters(r, name)
    X = bad_input.table(r)
    n = len(X) if isinstance(X, list) else 3
    y = bad_input.reported(r, n, getattr(kind, "_estimator_type", "") == "regressor")
    case = f"{name}({quoted(given)}).fit({quoted(X)}, {quoted(y)})"
    wrong, model = outcome(lambda: kind(**given))
    if model is None:
        return wrong and f"{case}: {wrong}"
    weights = {"sample_weight": r.choice([[0] * n, [r.choice(bad_input.VALUES)] * n, 5])} if r.random() < 0.1 else {}
    if name == "GaussianBayesRule":
        wrong, model = outcome(model.fit)
    else:
        takes = "sample_weight" in inspect.signature(model.fit).parameters
        wrong, model = outcome(lambda: model.fit(X, y, **(weights if takes else {})))
    if model is None:
        return wrong and f"{case}, weights {quoted(weights)}: {wrong}"
    Z = X if r.random() < 0.5 else bad_input.table(r)
    for asked in ("predict", "decision_function", "predict_proba", "transform", "score"):
        method = getattr(model, asked, None)
        if method is None:
            continue
        wrong, said = outcome(lambda method=method, asked=asked: method(X, y) if asked == "score" else method(Z))
        if wrong or (asked != "predict" and any(math.isnan(v) for v in numbers(said))):
            return f"{case}.{asked}({quoted(Z)}): {wrong or 'NaN'}"
    for question in bad_input.answers(model):
        wrong, _ = outcome(question)
        if wrong:
            return f"{case}: {wrong}"
    return ""


def called(r):
    """Return what is wrong with a public function that is given odd arguments."""
    function = r.choice(FUNCTIONS)
    given = bad_input.arguments(r, function)
    places = [k for k, v in inspect.signature(function).parameters.items() if v.kind is v.POSITIONAL_ONLY]
    wrong, _ = outcome(lambda: function(*[given.pop(k) for k in places if k in given], **given))
    return wrong and f"{function.__name__}({quoted(given)}): {wrong}"


def ordinary(method):
    """Return a problem of a method as JSON has it."""
    kind = next(kind for kind in bad_input.KINDS.values() if kind.method == method)
    labels = [i % (2 if method in ("svm_path", "kernel_classifier", "regression_classifier") else 3) for i in range(8)]
    y = labels if kind.takes_labels else [x - z for x, z in bad_input.FEW]
    rows = [row[:1] for row in bad_input.FEW] if method == "smoothing_spline" else bad_input.FEW
    needed = {"smoothing_spline": {"penalty": 1}, "logistic": {"penalty": 1}, "mda": {"subclasses": 1}}
    return {"method": method, "x": rows, "y": y, "query": rows[:2], "parameters": needed.get(method, {})}


METHODS = sorted({kind.method for kind in bad_input.KINDS.values()} - {"bayes", "grid_search"})
ANSWERS = {}


def commanded(arguments):
    """Return what is wrong with a command, in words, and what it prints."""
    out, err = io.StringIO(), io.StringIO()

    def run():
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                return main(arguments)
            except SystemExit as left:
                return left.code

    wrong, status = outcome(run)
    if not wrong and status == 2 and err.getvalue().count("\n") > 1:
        wrong = f"more than one line: {err.getvalue()}"
    if not wrong and status not in (0, 1, 2):
        wrong = f"status {status}"
    return wrong, out.getvalue()


def judged(r, folder):
    """Return what is wrong with a command that reads a changed problem or a changed answer."""
    method, command = r.choice(METHODS), r.choice(["solve", "verify", "verify", "compare", "refine"])
    problem = ordinary(method)
    (folder / "A.json").write_text(json.dumps(problem), encoding="utf-8")
    if method not in ANSWERS:
        wrong, ANSWERS[method] = commanded(["solve", str(folder / "A.json")])
        assert not wrong, (method, wrong)
    answer = json.loads(ANSWERS[method] or "{}")
    asked = bad_input.changed(r, problem) if command == "solve" or r.random() < 0.3 else problem
    (folder / "P.json").write_text(bad_input.damaged(r, asked), encoding="utf-8")
    (folder / "A.json").write_text(bad_input.damaged(r, bad_input.changed(r, answer)), encoding="utf-8")
    (folder / "B.json").write_text(json.dumps(answer), encoding="utf-8")
    files = {"solve": "P", "verify": "PA", "compare": "PAB", "refine": "PA"}[command]
    wrong, _ = commanded([command, *(str(folder / f"{name}.json") for name in files)])
    shown = [(folder / f"{name}.json").read_text(encoding="utf-8")[:1500] for name in files]
    return wrong and f"{command} {shown}: {wrong}"


def found(what, first, count, *more):
    """Return what is wrong with so many cases, by their seeds."""
    wrong = ((seed, what(random.Random(seed), *more)) for seed in range(first, first + count))
    return "\n".join(f"seed {seed}: {words}"[:2500] for seed, words in wrong if words)


@pytest.mark.parametrize("first", range(0, COUNT, STEP))
def test_estimators_answer_or_refuse_in_words(first):
    """Odd parameters, cells, labels, weights and queries: labels and numbers, or one of the four refusals."""
    wrong = found(fitted, first, STEP)
    assert not wrong, wrong


def test_functions_answer_or_refuse_in_words():
    """Odd arguments of the public functions."""
    wrong = found(called, 0, COUNT // 4)
    assert not wrong, wrong


@pytest.mark.slow
def test_commands_answer_or_refuse_in_one_line(tmp_path):
    """Problems and answers with entries changed, dropped, cut, or with numbers beyond all limits."""
    wrong = found(judged, 0, COUNT // 16, tmp_path)
    assert not wrong, wrong


@pytest.mark.slow
def test_an_entry_of_thousands_of_digits_is_judged_or_refused_at_once(tmp_path):
    """`verify` of an answer to a problem with an entry of 5,000 digits: no decimals of ten thousand digits."""
    problem = ordinary("crammer_singer")
    (tmp_path / "P.json").write_text(json.dumps(problem), encoding="utf-8")
    wrong, answer = commanded(["solve", str(tmp_path / "P.json")])
    assert not wrong
    told = {**json.loads(answer), "method": None}
    (tmp_path / "A.json").write_text(json.dumps(told), encoding="utf-8")
    huge = json.dumps(problem).replace("[0.0, 1.0]", "[0.0, " + "9" * 5000 + "]", 1)
    assert huge != json.dumps(problem)
    (tmp_path / "P.json").write_text(huge, encoding="utf-8")
    with limited(4):
        wrong, _ = commanded(["verify", str(tmp_path / "P.json"), str(tmp_path / "A.json")])
    assert not wrong, wrong
