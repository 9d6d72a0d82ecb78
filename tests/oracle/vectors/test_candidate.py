"""Another program as a candidate: what it writes, that it fails, that it takes too long."""

import json
import sys

import pytest

from refclass.errors import InvalidInput
from refclass.oracle.vectors import candidate, case

CASES = [one for one in case.shipped() if one.id in ("svc/hinge", "svc/xor", "svc/nan")]
ECHO = """import json, sys
for line in sys.stdin:
    print(json.dumps({'unsupported': json.loads(line)['method']}), flush=True)
"""


@pytest.fixture
def script(tmp_path):
    """A command that runs a text as a program."""

    def made(text):
        (tmp_path / "c.py").write_text(text, encoding="utf-8")
        return f"{sys.executable} -S -E {tmp_path / 'c.py'}"

    return made


@pytest.mark.parametrize("ask", [candidate.answers, candidate.conversation])
def test_a_candidate_reads_problems_and_writes_answers(script, ask):
    """Each case comes back with the text that the program wrote for its problem."""
    found = list(ask(script(ECHO), CASES, 20))
    assert [one.id for one, _ in found] == [one.id for one in CASES]
    assert all(json.loads(content) == {"unsupported": "svc"} for _, (content, _) in found)


def test_a_candidate_that_fails_says_why(script):
    """Its exit status and the last line of its standard error; exit status 2 is a refusal of bad input."""
    command = script("import sys; print('no such thing', file=sys.stderr); sys.exit(3)")
    assert next(candidate.answers(command, CASES, 20))[1] == (None, "it left with status 3: no such thing")
    content, _ = next(candidate.answers(script("import sys; sys.exit(2)"), CASES, 20))[1]
    assert json.loads(content)["refusal"]["type"] == "InvalidInput"


@pytest.mark.parametrize("ask", [candidate.answers, candidate.conversation])
def test_a_candidate_that_takes_too_long_is_ended(script, ask):
    """It gives no answer, and the next case is asked all the same."""
    found = list(ask(script("import time; time.sleep(60)"), CASES[:2], 1 / 5))
    assert [given[0] for _, given in found] == [None, None] and "within 0.2 s" in found[0][1][1]


def test_a_conversation_starts_a_program_that_ended_again(script):
    """One that ends after its first answer is started anew."""
    found = list(candidate.conversation(script("input(); print('{}', flush=True)"), CASES, 20))
    assert sum(given[0] == "{}\n" for _, given in found) >= 1 and len(found) == len(CASES)


def test_a_conversation_closes_the_streams_of_a_program_that_ended_between_two_questions(script, monkeypatch):
    """The program has ended when the next question comes: all questions are answered, and every stream is closed."""
    processes, line = [], candidate._line

    def waited(process, *given):
        found = line(process, *given)
        process.wait(20)
        processes.append(process)
        return found

    monkeypatch.setattr(candidate, "_line", waited)
    found = list(candidate.conversation(script("input(); print('{}', flush=True)"), CASES, 20))
    assert [given[0] for _, given in found] == ["{}\n"] * len(CASES)
    assert all(one.stdin.closed and one.stdout.closed for one in processes)


def test_what_cannot_be_started_is_bad_input():
    """No command, an open quotation mark, a program that is not there."""
    for command in ("", "'a", "/no/such/program"):
        for ask in (candidate.answers, candidate.conversation):
            with pytest.raises(InvalidInput):
                list(ask(command, CASES, 1))
