"""Tables at the command line: how they are written, what becomes of their columns, what is predicted from them."""

import io
import json

import pytest

from refclass.__main__ import main

ROWS = [(1, 5, "x", "a"), (2, 3, "y", "a"), (4, 4, "x", "b"), (6, 1, "z", "b"), (3, 6, "z", "a"), (5, 2, "y", "b")]
PLAIN = "u,v,w,k\n" + "".join(f"{u},{v},{w},{k}\n" for u, v, w, k in ROWS)


def said(capsys, *arguments, status=0):
    """Return what a command prints, and what it complains of."""
    assert main(list(map(str, arguments))) == status
    return capsys.readouterr()


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a table."""

    def write(text, encoding="utf-8"):
        path = tmp_path / "t.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_every_way_to_write_a_table_gives_the_same_fit(capsys, file):
    """Semicolons, decimal commas, UTF-16, no header, an index: the same lines but for the names."""
    names = ["--target", "k", "--columns", "u,v"]
    want = said(capsys, "fit", "lda", "--data", file(PLAIN), *names).out
    semicolons = file(PLAIN.replace(",", ";"))
    assert said(capsys, "fit", "lda", "--data", semicolons, "--delimiter", ";", *names).out == want
    wide = file(PLAIN, "utf-16")
    assert said(capsys, "fit", "lda", "--data", wide, "--encoding", "utf-16", *names).out == want
    bare = file(PLAIN.split("\n", 1)[1])
    found = said(capsys, "fit", "lda", "--data", bare, "--no-header", "--target", "4", "--columns", "1,2").out
    assert found.splitlines()[-2:] == want.splitlines()[-2:]
    commas = file("u;v;k\n" + "".join(f"{u},0;{v},0;{k}\n" for u, v, _, k in ROWS))
    options = ["--delimiter", ";", "--decimal", ","]
    assert said(capsys, "fit", "lda", "--data", commas, *options, *names).out == want
    numbered = file(",u,v,k\n" + "".join(f"{i},{u},{v},{k}\n" for i, (u, v, _, k) in enumerate(ROWS)))
    reported = said(capsys, "fit", "lda", "--data", numbered, "--target", "k")
    assert reported.out == want and "has no name: an index, which is left out" in reported.err


def test_standard_input_is_a_table(capsys, file, monkeypatch):
    """A hyphen reads it, as text or as bytes of an encoding."""
    want = said(capsys, "fit", "svc", "--data", file(PLAIN), "--target", "k", "--columns", "u,v").out
    options = ["--data", "-", "--target", "k", "--columns", "u,v"]
    monkeypatch.setattr("sys.stdin", io.StringIO(PLAIN))
    assert said(capsys, "fit", "svc", *options).out == want
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PLAIN.encode("utf-16"))))
    assert said(capsys, "fit", "svc", *options, "--encoding", "utf-16").out == want
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe")))
    assert "need text in the encoding" in said(capsys, "fit", "svc", *options, status=2).err


def test_missing_values_are_left_out_with_a_word(capsys, file):
    """Where --na names them; else they are no numbers."""
    path = file(PLAIN + "NA,3,x,b\n")
    options = ["--data", path, "--target", "k", "--columns", "u,v"]
    reported = said(capsys, "fit", "lda", *options, "--na", "NA")
    assert "1 row of " in reported.err and "on 6 rows, 2 columns" in reported.out
    assert (
        "a number (--na leaves out rows with cells that stand for no value); got 'NA'"
        in said(capsys, "fit", "lda", *options, status=2).err
    )


def test_words_become_indicators_and_inputs_are_standardised(capsys, file, tmp_path):
    """In a fit, a cross-validation and a grid; the saved model takes words again, and refuses a new one."""
    path, saved = file(PLAIN), tmp_path / "m.json"
    how = ["--data", path, "--target", "k", "--indicators", "w", "--standardize"]
    out = said(capsys, "fit", "svc", *how, "--save", saved).out
    assert "4 columns" in out and "w=y" in out and "in units of the standardised inputs:" in out
    labels = said(capsys, "predict", saved, "--data", path).out.split()
    assert labels == [k for *_, k in ROWS]
    said(capsys, "cv", "svc", *how, "--folds", "2")
    assert "--standardize --set C=" in said(capsys, "grid", "svc", *how, "--folds", "2", "--grid", "C=1,2").out
    other = file(PLAIN.replace("x", "q"))
    assert "need a level of w among x, y, z; got 'q'" in said(capsys, "predict", saved, "--data", other, status=2).err


def test_predictions_come_with_probabilities_and_scores(capsys, file, tmp_path):
    """As a table, on the screen or in a file that is read again; a model without posteriors refuses."""
    path, saved, out = file(PLAIN), tmp_path / "m.json", tmp_path / "p.csv"
    said(capsys, "fit", "lda", "--data", path, "--target", "k", "--columns", "u,v", "--save", saved)
    lines = said(capsys, "predict", saved, "--data", path, "--probabilities", "--scores").out.splitlines()
    assert lines[0] == "prediction,probability of a,probability of b,score of b" and len(lines) == 7
    rows = [line.split(",") for line in lines[1:]]
    assert all(abs(float(a) + float(b) - 1) < 1e-12 and (float(s) > 0) == (k == "b") for k, a, b, s in rows)
    assert "6 rows written to" in said(capsys, "predict", saved, "--data", path, "--out", out).out
    assert out.read_text(encoding="utf-8").split() == ["prediction", *[k for *_, k in ROWS]]
    said(capsys, "fit", "svc", "--data", path, "--target", "k", "--columns", "u,v", "--save", saved)
    refusal = said(capsys, "predict", saved, "--data", path, "--probabilities", status=2).err
    assert "need a method that gives probabilities; got svc" in refusal


def test_a_tree_and_the_terms_of_a_regression_are_printed(capsys, file):
    """With the names of the columns."""
    out = said(capsys, "fit", "tree", "--data", file(PLAIN), "--target", "k", "--columns", "u,v").out
    assert "  all (3 a, 3 b)" in out and "    u ≤ 3.5 → a (3 a)" in out and "tree: 2 leaves, 1 level deep" in out
    assert (
        "term"
        in said(capsys, "fit", "mars", "--data", "iris", "--target", "petal_width", "--columns", "petal_length").out
    )
    assert (
        "degrees of freedom"
        in said(capsys, "fit", "bruto", "--data", "iris", "--target", "petal_width", "--columns", "petal_length").out
    )


def test_a_saved_model_is_exported(capsys, file, tmp_path):
    """To a file or to the screen; what has no program is refused with the reason."""
    saved, out = tmp_path / "m.json", tmp_path / "m.py"
    said(capsys, "fit", "svc", "--data", file(PLAIN), "--target", "k", "--columns", "u,v", "--save", saved)
    said(capsys, "export", saved, "--to", "python", "--out", out)
    assert out.read_text(encoding="utf-8") == said(capsys, "export", saved, "--to", "python").out
    spline = ["--columns", "u", "--set", "kernel.name=spline", "--standardize"]
    said(capsys, "fit", "svc", "--data", file(PLAIN), "--target", "k", *spline, "--save", saved)
    assert "got svc: a kernel " in said(capsys, "export", saved, "--to", "c", status=2).err


def test_a_parameter_without_default_is_named_alone(capsys):
    """`methods` shows no class of Python's own; its JSON lists what is required."""
    assert "GaussianBayesRule(means, covariances, priors=None" in said(capsys, "methods").out
    bayes = json.loads(said(capsys, "methods", "--json").out)[0]
    assert bayes["required"] == ["means", "covariances"] and bayes["parameters"]["means"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--delimiter", ";;"], "need a delimiter of one character"),
        (["--encoding", "klingon"], "need an encoding of Python's; got 'klingon'"),
        (["--encoding", "undefined"], "need an encoding of Python's; got 'undefined'"),
        (["--decimal", ":"], "need decimal . or ,"),
        (["--indicators", "nobody"], "need a column among"),
        (["--columns", ""], "need a column among u, v, w, k; got ''"),
        (["--data", "iris", "--delimiter", ";"], "no options that say how it is written; got the embedded iris"),
    ],
)
def test_options_that_cannot_be_are_refused_in_one_line(capsys, file, arguments, words):
    """What was needed, and what came."""
    reported = said(
        capsys, "fit", "lda", "--data", file(PLAIN), "--target", "k", "--columns", "u,v", *arguments, status=2
    )
    assert words in reported.err and reported.err.count("\n") == 1
