"""Answers to conformance cases: the stored are right, wrong ones are found, fill changes nothing that is published."""

import json
import shutil

import pytest

from refclass.errors import InvalidInput
from refclass.oracle.vectors import case, conformance
from tests.oracle import refits
from tests.profiles import thorough

CASES = {one.id: one for one in case.shipped()}
QUICK = sorted(CASES)[::9]
TRIED = case.shipped() if thorough() else case.shipped()[::6]
FITS = {}  # what both tests of all cases compare with


def outcome(name, reported, expected=None):
    """What becomes of an answer to a case."""
    return conformance.outcome(CASES[name], json.dumps(reported), 6, expected or {})


@pytest.mark.parametrize("name", QUICK)
def test_a_stored_answer_is_right(name):
    """Every ninth case: its stored answer is verified, and it is as it was published."""
    assert [fault for _, fault in conformance.check([CASES[name]], case.folder())] == [""]


@pytest.mark.slow
def test_every_stored_answer_is_right():
    """All stored answers are verified, or every sixth of them."""
    with refits.kept(FITS):
        assert {one.id: fault for one, fault in conformance.check(TRIED, case.folder()) if fault} == {}


# What answers in doubles miss by, and why: 2^20 away from the origin inner products lose what the points differ by.
EXPECTED: dict[str, str] = {}


@pytest.mark.slow
def test_the_package_itself_is_a_candidate():
    """Its answers in doubles are right in these cases but those that are expected to fail, each for its reason."""
    found = []
    with refits.kept(FITS):
        for one in TRIED:
            asked = conformance._problem(one)
            refused = isinstance(asked, InvalidInput)
            reported = conformance.answer.refused(asked) if refused else conformance._answer(asked)
            found.append(conformance.outcome(one, json.dumps(reported), 6, EXPECTED))
    assert [one for one in found if one["outcome"] in (conformance.WRONG, conformance.STALE)] == []


def test_a_wrong_number_is_found():
    """A multiplier, a coefficient and a label that are wrong are found, and right ones are accepted."""
    right = CASES["svc/hinge"].answer
    assert outcome("svc/hinge", right)["outcome"] == "right"
    alpha = [*right["fitted"]["alpha"]]
    alpha[0] = "0.75"
    assert outcome("svc/hinge", {"fitted": {"alpha": alpha, "intercept": ["0"]}})["outcome"] == "wrong"
    assert outcome("lda/plain", {"predictions": {"labels": ["b", "b", "b"]}})["outcome"] == "wrong"


def test_a_refusal_is_right_where_one_is_expected():
    """Without a type, or with the right one; not another one, not where there is an answer, and no answer instead."""
    assert outcome("svc/hard-not-separable", {"refusal": {}})["outcome"] == "right"
    assert outcome("svc/nan", {"refusal": {}})["outcome"] == "right"
    assert outcome("svc/nan", {"refusal": {"type": "NoAnswer"}})["outcome"] == "wrong"
    assert outcome("svc/hinge", {"refusal": {}})["outcome"] == "wrong"
    assert outcome("svc/nan", {"predictions": {"labels": [0]}})["outcome"] == "wrong"
    assert outcome("qp/infeasible-rows", {"refusal": {}})["outcome"] == "right"
    assert outcome("qp/infeasible-rows", {"refusal": {"witness": {"y": [0, 0, 0]}}})["outcome"] == "wrong"
    assert outcome("qp/infeasible-rows", {"refusal": {"type": "InvalidInput"}})["outcome"] == "wrong"
    far = {"fitted": {"coef": [[1, 1]], "intercept": [0]}}
    assert outcome("svc/hard-not-separable", far)["outcome"] == "wrong"


def test_what_is_no_answer_is_wrong_and_not_a_crash():
    """Text, another form, an unknown name: wrong, with the reason."""
    for content in ("no", "[1]", '{"fitted": {"alphas": [1]}}', '{"odd": 1, "fitted": {}}'):
        found = conformance.outcome(CASES["svc/hinge"], content, 6, {})
        assert found["outcome"] == "wrong" and found["reason"]
    assert conformance.outcome(CASES["svc/hinge"], None, 6, {}, "late")["reason"] == "late"


def test_expected_failures_are_strict():
    """An expected failure has its reason; one that is right is reported; a pattern that excuses nothing is stale."""
    wrong = {"predictions": {"labels": [0, 0, 0]}}
    failed = outcome("svc/hinge", wrong, {"svc/*": "known"})
    assert failed["outcome"] == "expected" and failed["expected"] == "known"
    fine = outcome("svc/hinge", CASES["svc/hinge"].answer, {"svc/hinge": "known"})
    assert fine["outcome"] == "unexpectedly right"
    assert conformance.stale([failed], {"svc/*": "known"}) == []
    assert conformance.stale([fine], {"svc/h*": "known", "lda/*": "not run"}) == ["svc/h*"]


def test_expectations_are_texts(tmp_path):
    """A file of expected failures has a reason for each pattern."""
    (tmp_path / "e.json").write_text('{"svc/*": "why"}', encoding="utf-8")
    assert conformance.expectations(str(tmp_path / "e.json")) == {"svc/*": "why"}
    (tmp_path / "e.json").write_text('{"svc/*": ""}', encoding="utf-8")
    with pytest.raises(InvalidInput):
        conformance.expectations(str(tmp_path / "e.json"))


@pytest.fixture
def published(tmp_path):
    """A folder with the cases of ridge regression."""
    shutil.copy(case.folder() / "ridge.json", tmp_path)
    cases = case.read(tmp_path)
    case.publish(tmp_path, {one.id: one.digest for one in cases})
    return tmp_path


def test_fill_answers_what_is_new_and_changes_nothing_else(published):
    """A new case gets its answer; the published ones stay byte for byte what they were."""
    before = {one.id: one for one in case.read(published)}
    case.save(
        published / "new.json", [case.Case("ridge/new", "ridge", {"method": "ridge", "x": [[0], [1]], "y": [0, 1]})]
    )
    assert conformance.fill(published) == ["ridge/new"]
    after = {one.id: one for one in case.read(published)}
    assert after.pop("ridge/new").answer["fitted"]["coef"] == ["1/3"]
    assert after == before and conformance.fill(published) == []


def test_fill_refuses_when_a_published_case_was_changed(published):
    """Neither an answer nor a question of a published case may change or go, unless it is named by force."""
    for change in ("answer", "gone"):
        cases = case.read(published)
        cases[0] = _wrong(cases[0])
        case.save(published / "ridge.json", cases if change == "answer" else cases[1:])
        with pytest.raises(InvalidInput, match="published"):
            conformance.fill(published)
        assert [f for _, f in conformance.check(cases[:1], published)] == ["it was changed after it was published"]
    case.save(published / "ridge.json", cases)
    assert conformance.fill(published, force=[cases[0].id]) == [cases[0].id]
    assert case.read(published)[0].answer == CASES[cases[0].id].answer


def _wrong(one):
    return case.Case(**{**one.__dict__, "answer": {"refusal": {}}})


def test_answers_are_in_the_first_arithmetic_that_has_them():
    """Fractions before 30 digits before doubles; a problem may require one."""
    assert CASES["ridge/plain"].answer["arithmetic"] == "exact"
    assert CASES["svc/gaussian"].answer["arithmetic"] in ("exact", "decimal:30")
    assert CASES["svc/sigmoid"].answer["arithmetic"] == "float"
    assert conformance.texts({"a": [1.5, True], "labels": [1]}) == {"a": ["1.5", True], "labels": [1]}
