"""Exported files say what the model says: Python, C with the machine's compiler, JavaScript under Node.js."""

import inspect
import json
import math
import random
import shutil
import subprocess
import sys

import pytest

import refclass
from refclass.errors import InvalidInput, Refusal
from refclass.estimators import names
from refclass.report import export, program
from tests.hunt import kinds
from tests.profiles import examples

X = [[i % 5 - 1.5, i * i % 7 + 0.25, (i * 3) % 4 + i / 7] for i in range(48)]
THREE = [("ü" if a + b > 5 else "b, 'c'" if a > 0 else 'd"') for a, b, _ in X]
TWO = [int(a + b > 4) for a, b, _ in X]
NUMBERS = [a * b + c for a, b, c in X]
COLUMNS = ["a", "b */", "c"]
GAUSSIAN = {"name": "gaussian", "gamma": 0.25}
SAME_SUMS = sys.version_info < (3, 12)  # later versions sum products of doubles with an error bound of their own
BENT = {"name": "mars", "degree": 2}
MODELS = {
    "lda": refclass.LinearDiscriminantAnalysis(priors=[0.5, 0.25, 0.25]),
    "lda with costs": refclass.LinearDiscriminantAnalysis(costs=[[0, 1, 2], [3, 0, 1], [1, 5, 0]]),
    "qda": refclass.RegularizedDiscriminantAnalysis(),
    "qda, pseudo-inverse": refclass.QuadraticDiscriminantAnalysis(pseudo_inverse=True),
    "fisher": refclass.FisherDiscriminant(),
    "least squares": refclass.LeastSquaresClassifier(),
    "logistic": refclass.LogisticRegression(penalty=1),
    "scoring": refclass.OptimalScoring(),
    "fda, BRUTO": refclass.FlexibleDiscriminantAnalysis(regression="bruto"),
    "fda, MARS": refclass.FlexibleDiscriminantAnalysis(regression=BENT),
    "fda, polynomial": refclass.FlexibleDiscriminantAnalysis(regression={"name": "polynomial", "degree": 2}),
    "pda": refclass.PenalizedDiscriminantAnalysis(),
    "mda": refclass.MixtureDiscriminantAnalysis(subclasses=2),
    "pairs": refclass.SVC(C=2),
    "rest": refclass.SVC(multiclass="ovr"),
    "pairs, Gaussian": refclass.SVC(kernel=GAUSSIAN),
    "pairs of lda": refclass.OneVersusOne(estimator="lda"),
    "pairs of fda": refclass.OneVersusOne(estimator={"name": "fda", "regression": "bruto"}),
    "rest of trees": refclass.OneVersusRest(estimator="tree"),
    "rest of qda": refclass.OneVersusRest(estimator={"name": "qda", "pseudo_inverse": True}),
    "Crammer and Singer": refclass.CrammerSingerSVC(),
    "Lee, Lin and Wahba": refclass.LeeLinWahbaSVC(penalty=1, kernel=GAUSSIAN),
    "tree": refclass.ClassificationTree(),
    "slanting tree": refclass.ClassificationTree(combinations=True),
    "neighbours": refclass.NearestNeighbors(n_neighbors=3),
    "perceptron": refclass.Perceptron(),
    "network": refclass.NeuralNetwork(hidden=3, max_iter=20),
    "nodes": refclass.GaussianNodeNetwork(gamma=0.5),
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
    "sign of MARS": refclass.RegressionClassifier(regression="mars"),
    "sign of BRUTO": refclass.RegressionClassifier(regression="bruto"),
}
REGRESSIONS = {
    "ridge": refclass.Ridge(penalty=1),
    "linear": refclass.LinearRegression(),
    "polynomial": refclass.PolynomialRegression(degree=2),
    "mars": refclass.MARS(degree=2),
    "svr": refclass.SVR(kernel=GAUSSIAN),
    "huber": refclass.HuberRegression(),
    "kernel ridge": refclass.KernelRidge(penalty=1, kernel={"name": "polynomial", "degree": 2}),
    "standardised ridge": refclass.Standardized(estimator=refclass.Ridge(penalty=1)),
}
GIVEN = [(m, THREE) for m in MODELS] + [(m, TWO) for m in PAIRS] + [(m, NUMBERS) for m in REGRESSIONS]
ALL = {**MODELS, **PAIRS, **REGRESSIONS}
# Where scores are no sums of products alone, a logarithm, power or exponential may differ in its last digit.
CURVED = ["lda with costs", "mda", "pairs, Gaussian", "Lee, Lin and Wahba", "network", "nodes", "svr", "kernel ridge"]
CURVED += [name for name in PAIRS if name not in ("svc", "sign of MARS", "sign of BRUTO")]
PLAIN = [name for name in ALL if name not in CURVED]


def fitted(name, y):
    """Return a fitted model of the list and its program."""
    model = refclass.Standardized(estimator=ALL[name].estimator) if "standardised" in name else type(ALL[name])
    model = model if "standardised" in name else model(**ALL[name].get_params(deep=False))
    model.fit(X, y)
    return model, program.program(model, COLUMNS)


@pytest.fixture(scope="module")
def files():
    """Return the programs of all models."""
    return {name: fitted(name, y) for name, y in GIVEN}


def own(text):
    """Return the functions of an exported file in Python."""
    names = {"__name__": "exported"}
    exec(compile(text, "exported", "exec"), names)
    return names


def said(written):
    """Return for each row what the exported file in Python predicts, and its scores."""
    names = own(export.export(written, "python"))
    return [(str(names["predict"](x)) if written.classes else None, names["scores"](x)) for x in X]


@pytest.mark.many
@pytest.mark.parametrize(("name", "y"), GIVEN)
def test_the_file_in_python_says_what_the_model_says(name, y):
    """Every label; scores of linear rules bit for bit, where Python sums as the file does; numbers to eleven digits."""
    model, written = fitted(name, y)
    found, meant = own(export.export(written, "python")), model.predict(X)
    if y is NUMBERS:
        assert [found["predict"](x) for x in X] == pytest.approx(meant, rel=1e-11, abs=1e-11)
        return
    assert [found["predict"](x) for x in X] == list(meant)
    scores = [found["scores"](x) for x in X]
    if name == "svc" and SAME_SUMS:
        assert [f for (f,) in scores] == model.decision_function(X)
    elif name in ("lda", "least squares", "logistic", "Crammer and Singer") and SAME_SUMS:
        assert scores == model.decision_function(X)


@pytest.mark.many
@pytest.mark.parametrize("seed", range(examples(30)))
def test_a_machine_on_hard_tables_is_exported_as_it_is_or_refused(seed):
    """Where terms of 10²⁰ cancel, files gave other labels; equal points have one coefficient, summed exactly."""
    r = random.Random(seed)
    kind = r.choice([kinds.offset, kinds.prices, kinds.mixed, kinds.equal, kinds.copies, kinds.outlier])
    rows, kernel = kind(r, 8, 2), {"name": "polynomial", "degree": r.choice([1, 2, 3, 4])}
    model = refclass.SVC(C=10.0 ** r.choice([-3, 0, 4]), kernel=kernel, loss=r.choice(["hinge", "squared_hinge"]))
    try:
        model.fit(rows, [0, 1] * 4)
        found = own(export.export(program.program(model, ["a", "b"]), "python"))
    except Refusal as refusal:
        assert "export: need decision values" in str(refusal) or "doubles can hold" in str(refusal)
        return
    meant = model.decision_function(rows)
    scores = [found["scores"](x)[0] for x in rows]
    assert scores == pytest.approx(meant, abs=1e-5 * max(map(abs, meant)))


FAR_RULES = {
    "qda": refclass.QuadraticDiscriminantAnalysis(),
    "rda": refclass.RegularizedDiscriminantAnalysis(alpha="1/2", gamma="1/2"),
    "lda": refclass.LinearDiscriminantAnalysis(),
    "lda in decimals": refclass.LinearDiscriminantAnalysis(arithmetic="decimal:30"),
    "mda": refclass.MixtureDiscriminantAnalysis(subclasses=1),
    "logistic": refclass.LogisticRegression(penalty=1),
    "scoring": refclass.OptimalScoring(),
    "least squares": refclass.LeastSquaresClassifier(),
    "fda": refclass.FlexibleDiscriminantAnalysis(),
    "linear": refclass.LinearRegression(),
    **{
        f"{name}, degree {d}": kind(**asked)
        for d in (2, 3, 4)
        for name, kind, asked in (
            ("fda", refclass.FlexibleDiscriminantAnalysis, {"regression": {"name": "polynomial", "degree": d}}),
            ("sign", refclass.RegressionClassifier, {"regression": {"name": "polynomial", "degree": d}}),
            ("polynomial", refclass.PolynomialRegression, {"degree": d}),
            ("exact polynomial", refclass.PolynomialRegression, {"degree": d, "arithmetic": "exact"}),
        )
    },
}


@pytest.mark.parametrize("name", FAR_RULES)
def test_a_rule_of_unscaled_columns_far_from_zero_is_exported_as_it_predicts(name):
    """Columns 10⁹ from zero, a thousandth and a thousand wide: every label, also of other rows, and six digits of every
    number; or, of what is exact about zero, a refusal. Files of quadratic rules gave every point to one class.
    """
    r = random.Random(name)
    labels = [i % (2 if "sign" in name else 3) for i in range(24)]
    drawn = [[1e9 + 1e-3 * r.gauss(g, 1), 1e9 + 1e3 * r.gauss(g * g, 1)] for g in labels * 2]
    rows, model = drawn[:24], FAR_RULES[name]
    model.fit(rows, labels if model.takes_labels else [g + r.gauss(0, 0.1) for g in labels])
    try:
        found = own(export.export(program.program(model, ["a", "b"]), "python"))
    except InvalidInput as refusal:
        assert "exact polynomial" in name and "terms that cancel" in str(refusal)
        return
    got, meant = [found["predict"](x) for x in drawn], model.predict(drawn)
    assert got == (meant if model.takes_labels else pytest.approx(meant, abs=1e-6 * max(map(abs, meant))))


def test_a_smoothing_spline_is_exported_knot_by_knot():
    """Within the knots and beyond them, where it is straight."""
    model = refclass.SmoothingSpline().fit([row[2:] for row in X], NUMBERS)
    found = own(export.export(program.program(model, ["c"]), "python"))
    Z = [[v / 3] for v in range(-9, 40)]
    assert [found["predict"](z) for z in Z] == pytest.approx(model.predict(Z), rel=1e-11, abs=1e-11)


def test_the_file_is_a_program_of_its_own():
    """Run, it reads rows from standard input and prints predictions and scores."""
    _, written = fitted("svc", TWO)
    rows = "".join(",".join(map(repr, row)) + "\n" for row in X[:3])
    command = [sys.executable, "-c", export.export(written, "python")]
    done = subprocess.run(command, input=rows, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [" ".join([label, *map(repr, scores)]) for label, scores in said(written)[:3]]


def agree(name, reported, meant):
    """Assert that labels are equal, and scores, too, or nearly so where powers and exponentials are in them."""
    for (label, scores), (truth, values) in zip(reported, meant):
        assert truth is None or label == truth, name
        close = (
            (lambda a, b: a == b) if name in PLAIN else (lambda a, b: math.isclose(a, b, rel_tol=1e-11, abs_tol=1e-11))
        )
        assert len(scores) == len(values) and all(map(close, scores, values)), name


@pytest.mark.long
@pytest.mark.skipif(shutil.which("node") is None, reason="JavaScript needs Node.js")
def test_the_files_in_javascript_say_what_those_in_python_say(tmp_path, files):
    """Scores of plain rules bit for bit."""
    for k, (_, written) in enumerate(files.values()):
        (tmp_path / f"m{k}.js").write_text(export.export(written, "javascript"), encoding="utf-8")
    code = f"const X = {json.dumps(X)}; for (let k = 0; k < {len(files)}; k++) {{ const m = require(`./m${{k}}.js`); "
    code += "console.log(JSON.stringify(X.map(x => [String(m.predict(x)), m.scores(x)]))); }"
    done = subprocess.run(["node", "-e", code], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    for (name, (_, written)), line in zip(files.items(), done.stdout.splitlines()):
        agree(name, json.loads(line), said(written))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pypy3") is None, reason="PyPy is not here")
def test_the_files_in_python_say_the_same_on_pypy(tmp_path, files):
    """Scores of plain rules bit for bit."""
    texts = {name: export.export(written, "python") for name, (_, written) in files.items()}
    (tmp_path / "texts.json").write_text(json.dumps([list(texts.values()), X]), encoding="utf-8")
    code = "import json\ntexts, X = json.load(open('texts.json', encoding='utf-8'))\nfor text in texts:\n"
    code += "    m = {'__name__': 'm'}\n    exec(text, m)\n"
    code += "    print(json.dumps([[str(m['predict'](x)), m['scores'](x)] for x in X]))"
    done = subprocess.run(["pypy3", "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    for (name, (_, written)), line in zip(files.items(), done.stdout.splitlines()):
        agree(name, json.loads(line), said(written))


@pytest.mark.long
@pytest.mark.skipif(shutil.which("cc") is None, reason="C needs a compiler")
def test_the_files_in_c_say_what_those_in_python_say(tmp_path, files):
    """Without a warning of the compiler; scores of plain rules bit for bit; one of each kind of program."""
    kinds = {tuple(s.function for chain in w.chains for s in chain): name for name, (_, w) in reversed(files.items())}
    files = {name: files[name] for name in kinds.values()}
    rows = ", ".join(f"{{{', '.join(map(float.hex, row))}}}" for row in X)
    declared, calls = [], []
    for k, (_, written) in enumerate(files.values()):
        head = f"#define REFCLASS_NO_MAIN\n#define scores scores_{k}\n#define predict predict_{k}\n"
        (tmp_path / f"m{k}.c").write_text(head + export.export(written, "c"), encoding="utf-8")
        kind, form = ("const char *", "%s") if written.classes else ("double ", "%.17g")
        declared += [f"void scores_{k}(const double *, double *); {kind}predict_{k}(const double *);"]
        count = len(said(written)[0][1])
        calls += [f'for (int i = 0; i < {len(X)}; i++) {{ scores_{k}(X[i], f); printf("{form}\\t", predict_{k}(X[i]));']
        calls += [f'for (int k = 0; k < {count}; k++) printf("%a ", f[k]);', 'printf("\\n"); }']
    main = [
        "#include <stdio.h>",
        *declared,
        f"static const double X[][3] = {{{rows}}};",
        "int main(void) {",
        "double f[99];",
    ]
    (tmp_path / "main.c").write_text("\n".join([*main, *calls, "return 0; }"]), encoding="utf-8")
    options = ["-O1", "-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
    sources = [f"m{k}.c" for k in range(len(files))]
    subprocess.run(["cc", *options, "main.c", *sources, "-o", "m", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "m")], capture_output=True, encoding="utf-8", check=True)
    lines = iter(done.stdout.splitlines())
    for name, (_, written) in files.items():
        reported = [next(lines).split("\t") for _ in X]
        agree(name, [(label, list(map(float.fromhex, values.split()))) for label, values in reported], said(written))


@pytest.mark.many
@pytest.mark.parametrize("method", names.methods())
def test_every_method_that_predicts_is_exported_as_it_predicts_or_refused(method):
    """With its defaults, on two classes or numbers; a refusal names the method and the reason."""
    kind = names.methods()[method]
    if not hasattr(kind, "predict") or any(v is inspect.Parameter.empty for v in kind.parameters().values()):
        pytest.skip("it predicts nothing, or has parameters without a default")
    points = [row[2:] for row in X] if method == "smoothing_spline" else X
    try:
        model = kind().fit(points, TWO if kind.takes_labels else [a + b * c for a, b, c in X])
    except Refusal:
        pytest.skip("its defaults do not fit these points")
    try:
        written = program.program(model, COLUMNS[: len(points[0])])
    except InvalidInput as refusal:
        assert f"got {method}: " in str(refusal)
        return
    found = own(export.export(written, "python"))["predict"]
    assert [found(x) for x in points] == pytest.approx(list(model.predict(points)), rel=1e-10, abs=1e-10)


def test_what_no_file_is_made_of_is_refused_with_the_reason():
    """A kernel of another kind, a path; and a language that there is not."""
    spline = refclass.SVC(kernel={"name": "spline"}).fit([[i / 9] for i in range(8)], [0, 1] * 4)
    with pytest.raises(InvalidInput, match="export: need .*; got svc: a kernel .*, not one of Gaussian, Laplacian"):
        program.program(spline, ["a"])
    with pytest.raises(InvalidInput, match="a language among python, c, javascript"):
        export.export(fitted("svc", TWO)[1], "cobol")
