"""Conformance cases as files: their form, their digests, and the choice among them."""

import json
from pathlib import Path

import pytest

from refclass.errors import InvalidInput
from refclass.oracle.vectors import case

ROOT = Path(__file__).resolve().parents[3]
CASES = case.shipped()
ONE = {"id": "ridge/x", "method": "ridge", "problem": {"method": "ridge", "x": [[0], [1]], "y": [0, 1]}}


def test_there_are_enough_cases_of_every_method():
    """At least 300 cases, a third of them degenerate or refusals, and some of every method."""
    import refclass

    hard = [one for one in CASES if {"degenerate", "refusal"} & set(one.flags)]
    assert len(CASES) >= 300 and 3 * len(hard) >= len(CASES)
    assert {one.method for one in CASES} == {kind.method for kind in refclass.estimator_classes()} | {"qp"}


def test_every_case_says_what_it_is_about():
    """Each case has an answer, equations, flags and a note; its id begins with its method."""
    for one in CASES:
        assert one.answer and one.cites and one.flags and len(one.note) > 9, one.id
        assert one.id.startswith(one.method + "/") and one.method == one.problem["method"]


def test_numbers_of_problems_are_held_by_doubles_and_decimals_alike():
    """Every number of a problem is a whole number or a double of a few binary places."""

    def leaves(value):
        if isinstance(value, dict):
            value = list(value.values())
        return [leaf for v in value for leaf in leaves(v)] if isinstance(value, list) else [value]

    for one in CASES:
        for v in leaves(one.problem):
            assert not isinstance(v, float) or v * 2**24 == int(v * 2**24), (one.id, v)


def test_numbers_of_answers_are_text():
    """An answer's numbers are text that a rational or a double is read from."""

    def floats(value):
        if isinstance(value, dict):
            return any(floats(v) for v in value.values())
        return any(map(floats, value)) if isinstance(value, list) else isinstance(value, float)

    assert not [one.id for one in CASES if floats(one.answer.get("fitted", {}))]


def test_no_published_case_was_changed():
    """The digest of every case is the published one."""
    assert case.digests(case.folder()) == {one.id: one.digest for one in CASES}


def test_the_questions_are_the_published_ones():
    """The generator of v1 gives the questions that stand in its files, and adds none."""
    there = {one.id for one in CASES}
    text = (ROOT / "spec" / "vectors" / "questions.py").read_text(encoding="utf-8")
    names: dict = {"__file__": str(ROOT / "spec" / "vectors" / "questions.py"), "__name__": "questions"}
    exec(compile(text, "questions.py", "exec"), names)
    for q in names["questions"]():
        one = next((c for c in CASES if c.id == q["id"]), None)
        assert one is not None and one.problem == q["problem"] and one.note == q["note"], q["id"]
        there.discard(one.id)
    assert not there


def test_a_file_of_another_form_is_refused(tmp_path):
    """What is no file of cases, has an unknown flag, or an id that stands twice, is refused."""
    for text in ("[]", '{"cases": 1}', '{"cases": [{"id": "x"}]}', json.dumps({"cases": [{**ONE, "flags": ["odd"]}]})):
        (tmp_path / "a.json").write_text(text, encoding="utf-8")
        with pytest.raises(InvalidInput):
            case.read(tmp_path)
    (tmp_path / "a.json").write_text(json.dumps({"cases": [ONE, ONE]}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="each id once"):
        case.read(tmp_path)


def test_what_is_saved_is_read_back(tmp_path):
    """Cases come back from their file as they were, and their digests."""
    cases = [one for one in CASES if one.method == "lda"]
    case.save(tmp_path / "lda.json", cases)
    assert case.read(tmp_path) == cases
    case.publish(tmp_path, {one.id: one.digest for one in cases})
    assert case.digests(tmp_path)[cases[0].id] == cases[0].digest and len(case.read(tmp_path)) == len(cases)


def test_cases_are_chosen_by_id_method_pattern_and_flag():
    """An id, a method and a pattern choose; flags all hold; nothing chosen is refused."""
    assert [one.id for one in case.chosen(CASES, ["svc/hinge"])] == ["svc/hinge"]
    assert {one.method for one in case.chosen(CASES, ["svc"])} == {"svc"}
    assert all("weighted" in one.flags for one in case.chosen(CASES, ["*/weights*"], ["weighted"]))
    with pytest.raises(InvalidInput):
        case.chosen(CASES, ["no/such"])


def test_schemas_name_the_fields_and_the_flags():
    """The schema of a case has the fields and flags that are read."""
    schema = json.loads((ROOT / "spec" / "vectors" / "schema" / "case.json").read_text(encoding="utf-8"))
    assert set(schema["properties"]) == set(case.FIELDS) == set(schema["required"])
    assert schema["properties"]["flags"]["items"]["enum"] == list(case.FLAGS)


def test_cases_fit_their_schema():
    """Every case is what the schema of cases says (where jsonschema is installed)."""
    jsonschema = pytest.importorskip("jsonschema")
    folder = ROOT / "spec" / "vectors" / "schema"
    parts = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in folder.glob("*.json")}
    for one in CASES:
        jsonschema.validate(one.problem, parts["problem"])
        jsonschema.validate(one.answer, parts["answer"])
