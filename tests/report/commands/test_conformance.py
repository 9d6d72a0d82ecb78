"""The command `vectors`: what it lists, runs, checks and fills, and the status that it leaves with."""

import json
import sys

import pytest

from refclass.__main__ import main
from refclass.oracle.vectors import case


def reported(capsys, *words):
    """The exit status of a command, and what it prints."""
    status = main(["vectors", *words])
    return status, capsys.readouterr().out


def test_cases_are_listed_for_people_and_programs(capsys):
    """As JSON: an array of objects with id, method, cites, flags, note; as text with their number."""
    status, out = reported(capsys, "list", "--json")
    found = json.loads(out)
    assert status == 0 and len(found) == len(case.shipped())
    assert {tuple(one) for one in found} == {("id", "method", "cites", "flags", "note")}
    status, out = reported(capsys, "list", "svc", "--flag", "tie")
    assert status == 0 and out.endswith(" cases\n") and "svc/xor" in out and "svc/hinge " not in out


@pytest.fixture
def candidate(tmp_path):
    """A command that answers every problem with one text."""

    def made(answer):
        (tmp_path / "c.py").write_text(
            f"import sys\nsys.stdin.read()\nprint({json.dumps(answer)!r})\n", encoding="utf-8"
        )
        return f"{sys.executable} -S -E {tmp_path / 'c.py'}"

    return made


def test_a_candidate_is_judged(capsys, candidate):
    """Right: status 0; wrong: status 1 and the reason; not supported: counted, and no fault."""
    right = candidate({"fitted": {"coef": [[1]], "intercept": [0]}})
    assert reported(capsys, "run", "svc/query-on-the-boundary", "--candidate", right) == (0, "1 right\n")
    status, out = reported(
        capsys, "run", "svc/xor", "--candidate", candidate({"fitted": {"alpha": [0, 0, 0, 0], "intercept": 3}})
    )
    assert status == 1 and out.startswith("wrong: svc/xor: ")
    assert reported(capsys, "run", "svc/xor", "--candidate", candidate({"unsupported": "no"}))[0] == 0
    status, out = reported(capsys, "run", "svc/nan", "--candidate", candidate({"refusal": {}}), "--json")
    assert status == 0 and json.loads(out)[0]["outcome"] == "right"


def test_expected_failures_have_reasons(capsys, candidate, tmp_path):
    """A failure that is expected leaves with 0; an expectation that excuses nothing with 1."""
    wrong, path = candidate({"refusal": {}}), tmp_path / "e.json"
    path.write_text('{"svc/hinge": "refuses everything"}', encoding="utf-8")
    status, out = reported(capsys, "run", "svc/hinge", "--candidate", wrong, "--expected", str(path))
    assert status == 0 and "refuses everything" in out
    path.write_text('{"svc/na*": "no longer"}', encoding="utf-8")
    status, out = reported(capsys, "run", "svc/nan", "--candidate", wrong, "--expected", str(path))
    assert status == 1 and "nothing fails: svc/na*" in out


def test_stored_answers_are_checked(capsys):
    """Those of a pattern, with the number of right ones."""
    assert reported(capsys, "check", "nearest_neighbors/t*") == (0, "4 of 4 cases are right\n")
    status, out = reported(capsys, "check", "ridge/plain", "--json")
    assert status == 0 and json.loads(out) == {"cases": 1, "faults": {}}


def test_missing_answers_are_filled(capsys, tmp_path):
    """A case without an answer gets one; then there is nothing to do; --force names its cases."""
    case.save(
        tmp_path / "ridge.json", [case.Case("ridge/x", "ridge", {"method": "ridge", "x": [[0], [1]], "y": [0, 1]})]
    )
    assert reported(capsys, "fill", "--folder", str(tmp_path), "--json") == (0, '["ridge/x"]\n')
    assert reported(capsys, "fill", "--folder", str(tmp_path), "--json") == (0, "[]\n")
    assert reported(capsys, "fill", "ridge/x", "--force", "--folder", str(tmp_path), "--json") == (0, '["ridge/x"]\n')
    assert main(["vectors", "fill", "--force", "--folder", str(tmp_path)]) == 2


@pytest.mark.parametrize("words", [["list", "no/such"], ["run", "svc/xor", "--candidate", "/no/such/program"]])
def test_what_cannot_be_done_is_bad_input(words, capsys):
    """A case that is not there, a program that is not there: status 2 and one line."""
    assert main(["vectors", *words]) == 2 and capsys.readouterr().err.count("\n") == 1
