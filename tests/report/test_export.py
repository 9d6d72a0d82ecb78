"""Exported files say what the model says: Python, C with the machine's compiler, JavaScript under Node.js."""

import math
import shutil
import subprocess
import sys

import pytest

import refclass
from refclass.errors import InvalidInput
from refclass.report import export, program

X = [[i % 5 - 1.5, i * i % 7 + 0.25, (i * 3) % 4 + i / 7] for i in range(48)]
THREE = [("ü" if a + b > 5 else "b, 'c'" if a > 0 else 'd"') for a, b, _ in X]
TWO = [int(a + b > 4) for a, b, _ in X]
NUMBERS = [a * b + c for a, b, c in X]
COLUMNS = ["a", "b */", "c"]
GAUSSIAN = {"name": "gaussian", "gamma": 0.25}
MODELS = {
    "lda": refclass.LinearDiscriminantAnalysis(priors=[0.5, 0.25, 0.25]),
    "qda": refclass.RegularizedDiscriminantAnalysis(),
    "fisher": refclass.FisherDiscriminant(),
    "least squares": refclass.LeastSquaresClassifier(),
    "logistic": refclass.LogisticRegression(penalty=1),
    "pairs": refclass.SVC(C=2),
    "rest": refclass.SVC(multiclass="ovr"),
    "pairs, Gaussian": refclass.SVC(kernel=GAUSSIAN),
    "Crammer and Singer": refclass.CrammerSingerSVC(),
    "Lee, Lin and Wahba": refclass.LeeLinWahbaSVC(penalty=1, kernel=GAUSSIAN),
    "tree": refclass.ClassificationTree(),
    "standardised": refclass.Standardized(estimator=refclass.LinearDiscriminantAnalysis()),
    "exact": refclass.LinearDiscriminantAnalysis(arithmetic="exact"),
}
PAIRS = {
    "svc": refclass.SVC(),
    "svc, Gaussian": refclass.SVC(kernel=GAUSSIAN),
    "svc, cubic": refclass.SVC(kernel={"name": "polynomial", "degree": 3}),
    "svc, Laplacian": refclass.SVC(kernel={"name": "laplacian", "sigma": 2}),
    "svc, sigmoid": refclass.SVC(kernel={"name": "sigmoid", "a": 0.01, "b": 0.5}, C=0.5),
    "kernel logistic": refclass.KernelClassifier(loss="deviance", kernel=GAUSSIAN),
}
REGRESSIONS = {
    "ridge": refclass.Ridge(penalty=1),
    "linear": refclass.LinearRegression(),
    "svr": refclass.SVR(kernel=GAUSSIAN),
    "kernel ridge": refclass.KernelRidge(penalty=1, kernel={"name": "polynomial", "degree": 2}),
    "standardised ridge": refclass.Standardized(estimator=refclass.Ridge(penalty=1)),
}
GIVEN = [(m, THREE) for m in MODELS] + [(m, TWO) for m in PAIRS] + [(m, NUMBERS) for m in REGRESSIONS]
ALL = {**MODELS, **PAIRS, **REGRESSIONS}
# Rules whose scores are sums of products alone are the same doubles in every language.
PLAIN = ["lda", "qda", "fisher", "least squares", "logistic", "pairs", "rest", "Crammer and Singer", "tree", "svc"]
PLAIN += ["standardised", "exact", "ridge", "linear", "standardised ridge"]
SAME_SUMS = sys.version_info < (3, 12)  # later versions sum products of doubles with an error bound of their own


def fitted(name, y):
    """Return a fitted model of the list and its program."""
    model = refclass.Standardized(estimator=ALL[name].estimator) if "standardised" in name else type(ALL[name])
    model = model if "standardised" in name else model(**ALL[name].get_params(deep=False))
    model.fit(X, y)
    return model, program.program(model, COLUMNS)


def own(text):
    """Return the functions of an exported file in Python."""
    names = {"__name__": "exported"}
    exec(compile(text, "exported", "exec"), names)
    return names


def lines(command):
    """Return what a program prints for the rows: labels and scores."""
    rows = "".join(",".join(map(repr, row)) + "\n" for row in X)
    done = subprocess.run(command, input=rows, capture_output=True, text=True, encoding="utf-8", check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize(("name", "y"), GIVEN)
def test_the_file_in_python_says_what_the_model_says(name, y):
    """Every label; scores of plain rules bit for bit, where Python sums as the file does, others to twelve digits."""
    model, written = fitted(name, y)
    found, said = own(export.export(written, "python")), model.predict(X)
    if y is NUMBERS:
        assert [found["predict"](x) for x in X] == pytest.approx(said, rel=1e-11, abs=1e-11)
        return
    assert [found["predict"](x) for x in X] == list(said)
    scores = [found["scores"](x) for x in X]
    if name == "svc" and SAME_SUMS:
        assert [f for (f,) in scores] == model.decision_function(X)
    elif name in ("lda", "least squares", "logistic", "Crammer and Singer") and SAME_SUMS:
        assert scores == model.decision_function(X)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="JavaScript needs Node.js")
@pytest.mark.parametrize(("name", "y"), GIVEN)
def test_the_file_in_javascript_says_what_that_in_python_says(tmp_path, name, y):
    """Scores of plain rules bit for bit."""
    agree(tmp_path, name, y, "javascript", lambda path: ["node", str(path)])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="C needs a compiler")
@pytest.mark.parametrize(("name", "y"), GIVEN)
def test_the_file_in_c_says_what_that_in_python_says(tmp_path, name, y):
    """Without a warning of the compiler; scores of plain rules bit for bit."""

    def compiled(path):
        options = ["-O2", "-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-x", "c"]
        subprocess.run(["cc", *options, str(path), "-o", str(tmp_path / "m"), "-lm"], check=True)
        return [str(tmp_path / "m")]

    agree(tmp_path, name, y, "c", compiled)


def agree(tmp_path, name, y, language, command):
    """Compare what two exported files print."""
    _model, written = fitted(name, y)
    path, other = tmp_path / "model", tmp_path / "model.py"
    path.write_text(export.export(written, language), encoding="utf-8")
    other.write_text(export.export(written, "python"), encoding="utf-8")
    for told, meant in zip(lines(command(path)), lines([sys.executable, "-X", "utf8", str(other)])):
        if y is NUMBERS:
            told, meant = "_ " + told.split(" ", 1)[1], "_ " + meant.split(" ", 1)[1]
        count = len(meant.split(" ")) if y is not THREE else 4
        (label, *scores), (truth, *values) = told.rsplit(" ", count - 1), meant.rsplit(" ", count - 1)
        if written.nodes:
            label, truth = told.rsplit(" ", 1)[0], meant.rsplit(" ", 1)[0]
            scores, values = [told.rsplit(" ", 1)[1]], [meant.rsplit(" ", 1)[1]]
        assert label == truth
        close = (lambda a, b: a == b) if name in PLAIN else (lambda a, b: math.isclose(a, b, rel_tol=1e-12))
        assert all(close(float(a), float(b)) for a, b in zip(scores, values))


def test_a_model_of_another_kind_is_refused():
    """Naming what there is."""
    with pytest.raises(InvalidInput, match="need a linear or quadratic rule, machines with a kernel of vectors"):
        program.program(refclass.NearestNeighbors().fit(X, TWO), COLUMNS)
    with pytest.raises(InvalidInput, match="a language among python, c, javascript"):
        export.export(fitted("svc", TWO)[1], "cobol")
