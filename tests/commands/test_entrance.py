"""The entrance: the main job with nothing installed, and where it leads."""

import json
import pathlib
import subprocess
import sys

import pytest

import refclass
from refclass.__main__ import main
from refclass.report.commands import tour

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def test_every_stop_of_the_tour_names_errors_and_a_proof():
    """Each stop has its count of errors and its certificate."""
    for stop in tour.STOPS[:3]:
        errors, proof = tour.visit(stop)
        assert " errors " in errors and ("worst violation" in proof or "equations hold up to" in proof)


def test_importing_the_package_is_light():
    """`import refclass` loads the table of names and nothing else before something is asked for."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import refclass; "
        "print(*sorted(m for m in sys.modules if m.startswith('refclass.')))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["refclass.errors", "refclass.estimators", "refclass.estimators.names"]


def test_methods_lists_what_the_estimators_declare(capsys):
    """As text and as JSON: every method with its equations and parameters."""
    assert main(["methods"]) == 0
    text = capsys.readouterr().out
    assert main(["methods", "--json"]) == 0
    listed = {m["method"]: m for m in json.loads(capsys.readouterr().out)}
    for kind in refclass.estimator_classes():
        assert kind.method in text and listed[kind.method]["class"] == kind.__name__
        assert listed[kind.method]["equations"] == list(kind.equations)


def test_solve_and_verify_meet(capsys, tmp_path):
    """The oracle's own answer, in its own file, is accepted; with one number changed it is refuted with status 1."""
    asked = {"method": "svc", "parameters": {"C": "1/2"}, "arithmetic": "exact", "x": [[0], [1], [3]], "y": [0, 0, 1]}
    question = tmp_path / "P.json"
    question.write_text(json.dumps({**asked, "query": [[2]]}), encoding="utf-8")
    assert main(["solve", str(question)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["certificate"]["status"] == "optimal" and answer["certificate"]["gap"] == "0"
    assert answer["predictions"]["labels"] == [1] and answer["decimal"]["fitted"]["alpha"][0] == 0.0
    good, bad = tmp_path / "A.json", tmp_path / "B.json"
    good.write_text(json.dumps(answer), encoding="utf-8")
    answer["fitted"]["alpha"][1] = "500000001/1000000000"
    bad.write_text(json.dumps(answer), encoding="utf-8")
    assert main(["verify", str(question), str(good)]) == 0
    assert json.loads(capsys.readouterr().out)["accepted"] is True
    assert main(["verify", str(question), str(bad), "--digits", "12"]) == 1
    assert json.loads(capsys.readouterr().out)["accepted"] is False
    assert main(["verify", str(question), str(bad), "--digits", "6"]) == 0


def test_problems_and_answers_are_judged_line_by_line(capsys, tmp_path):
    """A verdict a line; the status is that of the worst: 1 for a refuted one, 2 for bad input."""
    asked = {"method": "lda", "x": [[0], [2], [6], [8]], "y": ["a", "a", "b", "b"]}
    lines = [{"problem": asked, "answer": {"fitted": {"means": [[1], [v]]}}} for v in (7, 5)]
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["verify", str(file), "--lines"]) == 1
    said = list(map(json.loads, capsys.readouterr().out.splitlines()))
    assert [one["accepted"] for one in said] == [True, False] and said[1]["verdict"].startswith("wrong: means[1][0]")
    file.write_text(json.dumps({**lines[0], "answer": {"fitted": {"mean": 1}}}), encoding="utf-8")
    assert main(["verify", str(file), "--lines"]) == 2


def test_a_line_that_cannot_be_read_gets_its_verdict_and_the_others_theirs(capsys, tmp_path):
    """Bytes that are no text, brackets too deep, names twice, another form; U+2028 in a label ends no line."""
    asked = {"method": "lda", "x": [[0], [2], [6], [8]], "y": ["a", "a", "b\u2028", "b\u2028"]}
    good = json.dumps({"problem": asked, "answer": {"fitted": {"means": [[1], [7]]}}}, ensure_ascii=False).encode()
    deep = good.replace(b"[[1], [7]]", b"[" * 900 + b"]" * 900)
    bad = [b"\xff{}", b"[" * 10000, deep, b'{"problem": 1, "problem": 2}', b"[]", b"{", b"\0"]
    file = tmp_path / "many.jsonl"
    file.write_bytes(b"\n".join([good, *(line + b"\n" + good for line in bad)]))
    assert main(["verify", str(file), "--lines"]) == 2
    said = list(map(json.loads, capsys.readouterr().out.splitlines()))
    assert [one["verdict"] == "bad input" for one in said] == [False, *[True, False] * len(bad)]
    assert all(one["accepted"] or "\n" not in one["reason"] for one in said)
    assert "many.jsonl:2: need text in the encoding utf-8" in said[1]["reason"]


def test_a_file_without_lines_is_refused(capsys, tmp_path):
    """Nothing was judged, so that nothing is right."""
    file = tmp_path / "none.jsonl"
    file.write_text("\n", encoding="utf-8")
    assert main(["verify", str(file), "--lines"]) == 2
    assert "need a line with a problem and an answer; got none" in capsys.readouterr().err


def test_a_refusal_is_an_answer_with_its_witness(capsys, tmp_path):
    """No hard margin: the answer is the refusal, with the ray that proves it."""
    asked = {"method": "svc", "parameters": {"C": "inf"}, "arithmetic": "exact", "x": [[0], [0]], "y": [0, 1]}
    question = tmp_path / "P.json"
    question.write_text(json.dumps(asked), encoding="utf-8")
    assert main(["solve", str(question)]) == 0
    refusal = json.loads(capsys.readouterr().out)["refusal"]
    assert refusal["type"] == "NoAnswer" and refusal["witness"]["ray"]


def test_where_leads_from_an_equation_to_code_and_tests(capsys):
    """ESL-12.13 is computed in margins/svm/soft.py and tested."""
    assert main(["where", "ESL-12.13"]) == 0
    out = capsys.readouterr().out
    assert "refclass/margins/svm/soft.py" in out and "tests/margins/svm/test_soft.py" in out


def test_the_version_is_reported(capsys):
    """--version and --help leave with status 0."""
    for flag, word in (("--version", refclass.__version__), ("--help", "COMMAND")):
        with pytest.raises(SystemExit) as left:
            main([flag])
        assert left.value.code == 0 and word in capsys.readouterr().out
