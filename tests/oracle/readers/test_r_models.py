"""R's programs themselves: the script that spec/json.md shows writes models that are read and judged, where R is."""

import json
import pathlib
import shutil
import subprocess
import tempfile
from functools import cache

import pytest

from refclass.oracle import agreement, judge, problem
from refclass.oracle.readers import formats

PAGE = pathlib.Path(__file__).resolve().parents[3] / "spec" / "json.md"
X = [[0, 0], [1, 0.5], [0.5, 2], [2, 1], [3, 2], [2, 3.5], [1, 1.5], [4, 2.5]]
TWO, THREE = [0, 0, 0, 0, 1, 1, 1, 1], ["a", "a", "b", "b", "c", "c", "a", "c"]
GAUSSIAN = {"kernel": {"name": "gaussian", "gamma": 0.5}}
SVM = "svm(X, factor(y), scale = FALSE, cost = 1, tolerance = 1e-10, gamma = 0.5, kernel = '{}')"
KSVM = "ksvm(X, factor(y), scaled = FALSE, C = 1, tol = 1e-10, kernel = {})"
MODELS = {
    "e1071 linear": ("e1071", SVM.format("linear"), {"method": "svc", "y": TWO}),
    "e1071 gaussian": ("e1071", SVM.format("radial"), {"method": "svc", "y": THREE, "parameters": GAUSSIAN}),
    "kernlab linear": ("kernlab", KSVM.format("vanilladot()"), {"method": "svc", "y": TWO}),
    "kernlab gaussian": ("kernlab", KSVM.format("rbfdot(0.5)"), {"method": "svc", "y": THREE, "parameters": GAUSSIAN}),
    "kernlab regression": (
        "kernlab",
        "ksvm(X, as.numeric(y), type = 'eps-svr', scaled = FALSE, C = 1, tol = 1e-10, kernel = vanilladot())",
        {"method": "svr", "y": [0, 1, 1, 2.5, 3, 4, 2, 3]},
    ),
    "e1071 regression": (
        "e1071",
        "svm(X, as.numeric(y), scale = FALSE, cost = 1, tolerance = 1e-10, kernel = 'linear')",
        {"method": "svr", "y": [0, 1, 1, 2.5, 3, 4, 2, 3]},
    ),
    "MASS lda": ("MASS", "lda(X, factor(y))", {"method": "lda", "y": TWO}),
    "MASS qda": ("MASS", "qda(X, factor(y))", {"method": "qda", "y": TWO}),
}


def shown():
    """Return the script that the page shows."""
    return PAGE.read_text(encoding="utf-8").split("```r\n")[1].split("```")[0]


@cache
def written():
    """Return what R writes of each model, by name, from one process; None where a package is missing."""
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    rows = "rbind(" + ", ".join(f"c({', '.join(map(str, row))})" for row in X) + ")"
    parts = []
    for name, (package, call, given) in MODELS.items():
        y = "c(" + ", ".join(repr(v) for v in given["y"]) + ")"
        there = f"all(sapply(c('jsonlite', '{package}'), requireNamespace, quietly = TRUE))"
        made = f"suppressMessages(library({package}))\nX <- {rows}\ny <- {y}\nmodel <- {call}\n{shown()}"
        parts.append(f"cat('\\n=== {name}\\n')\nif ({there}) {{\n{made}\n}}\n")
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "models.R"
        script.write_text("".join(parts), encoding="utf-8")
        ran = subprocess.run(["Rscript", str(script)], capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    found = (part.partition("\n") for part in ran.stdout.split("\n=== ")[1:])
    return {name: text[text.index('{"program"') :] if text.strip() else None for name, _, text in found}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_model_of_r_is_read_and_judged(name):
    """With a tolerance of 1e-10 six digits are proven; with the sign of its constant changed it is refuted."""
    package, _, given = MODELS[name]
    asked = problem.read(json.dumps({"x": X, **given}), "P.json")
    content = written()[name]
    if content is None:
        pytest.skip(f"R has no {package} or no jsonlite")
    reported = formats.read(asked, content, "model.json")
    found = judge.verify(asked, reported, 6)
    assert found["accepted"], found["reason"]
    if package != "MASS":
        sign = "rho" if package == "e1071" else "b"
        model = json.loads(content)
        model[sign] = [-v for v in model[sign]]
        wrong = formats.read(asked, json.dumps(model), "model.json")
        refuted = agreement.explained(asked, wrong, judge.verify(asked, wrong, 6))
        assert not refuted["accepted"]
        if len(model[sign]) == 1:
            assert "intercept of the other sign" in refuted["reason"]
