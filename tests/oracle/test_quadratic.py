"""Quadratic programmes as a method of the oracle: answered, judged, compared, refined, refused with a proof."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest

from refclass import refine
from refclass.errors import InvalidInput
from refclass.oracle import agreement, answer, judge, kernel, kernel_qp, problem
from tests.optimise.programme import programmes
from tests.profiles import examples

GIVEN = {
    "method": "qp",
    "P": [[0, 0, 2], [1, 1, 2]],
    "q": [-2, -5],
    "A": [[0, 0, 1], [0, 1, 1], [1, 0, 1]],
    "l": [None, -10],
    "u": [1, 1e20],
    "arithmetic": "exact",
}


def asked(**changes):
    """Return the problem with fields changed, as its JSON is read."""
    return problem.read(json.dumps({**GIVEN, **changes}), "test")


def test_an_answer_of_either_arithmetic_is_accepted():
    """What solve answers, written as JSON and read again, is proven by verify."""
    for arithmetic, digits in (("exact", float("inf")), ("float", 9)):
        own = asked(arithmetic=arithmetic)
        reported = judge.read(json.dumps(answer.answer(own)), "answer")
        assert judge.verify(own, reported, digits)["accepted"]


def test_a_changed_answer_is_refuted():
    """Each number of the answer that is changed by a thousandth is refuted, and the reason names what fails."""
    own = asked()
    reported = answer.answer(own)["fitted"]
    for name in ("x", "y"):
        for k in range(2):
            values = [Fraction(v) for v in reported[name]]
            values[k] += Fraction(1, 1000)
            wrong = {**reported, name: [str(v) for v in values]}
            found = judge.verify(own, {"arithmetic": "exact", "fitted": wrong})
            assert not found["accepted"]
            assert found["reason"]
    assert not judge.verify(own, {"fitted": {**reported, "objective": "-4"}})["accepted"]


@pytest.mark.parametrize(
    "changes",
    [
        {"l": [2, None], "A": [[0, 0, 1], [1, 0, 1]], "u": [None, 1]},
        {"P": [[0, 0, 2]], "A": [[0, 0, 1]], "l": [0], "u": [None]},
        {"P": [[0, 0, 2], [1, 1, -2]]},
    ],
    ids=["contradiction", "ray", "direction"],
)
def test_a_refusal_is_proven_by_its_witness_and_refuted_without(changes):
    """Infeasible, unbounded and not convex programmes are refused; a witness that is changed proves nothing."""
    own = asked(**changes)
    reported = json.loads(json.dumps(answer.answer(own)))
    assert reported["refusal"]["type"] == "NoAnswer"
    assert judge.verify(own, reported)["accepted"]
    witness = reported["refusal"]["witness"]
    changed = {name: ["0"] * len(values) for name, values in witness.items()}
    assert not judge.verify(own, {"refusal": {"type": "NoAnswer", "witness": changed}})["accepted"]
    assert not judge.verify(asked(), reported)["accepted"]


def test_answers_are_compared_and_refined():
    """A rounded answer agrees with the exact one, which refine finds from it."""
    own, rounded = asked(), asked(arithmetic="float")
    reported = [json.loads(json.dumps(answer.answer(p))) for p in (own, rounded)]
    assert agreement.compare(own, *reported)["accepted"]
    refined = refine(own, reported[1])
    assert refined["fitted"] == reported[0]["fitted"]
    assert agreement.explained(own, reported[1], judge.verify(own, reported[1]))["accepted"]


@pytest.mark.parametrize(
    "changes",
    [
        {"P": [[0, 1, 2]]},
        {"P": [[0, 9, 2]]},
        {"A": [[0, 0]]},
        {"A": [[0, 0, 1], [0, 0, 1]]},
        {"q": []},
        {"q": ["a", 1]},
        {"l": [0]},
        {"u": [True, 1]},
        {"x": [[1]]},
        {"arithmetic": "decimal:30"},
        {"P": 3},
    ],
)
def test_bad_programmes_are_refused_in_one_line(changes):
    """What does not fit is refused with what was needed, and where."""
    with pytest.raises(InvalidInput) as caught:
        asked(**changes)
    assert "need" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fitted", [{"x": [1, 2]}, {"x": [1], "y": [0, 0]}, {"x": ["a", 1], "y": [0, 0]}, {"z": [1]}])
def test_answers_of_another_form_are_refused(fitted):
    """An answer without both x and y, of their lengths and of numbers, is bad input."""
    with pytest.raises(InvalidInput):
        judge.verify(asked(), {"fitted": fitted})


REFUSED = [
    {"l": [2, None], "A": [[0, 0, 1], [1, 0, 1]], "u": [None, 1]},
    {"P": [[0, 0, 2]], "A": [[0, 0, 1]], "l": [0], "u": [None]},
    {"P": [[0, 0, 2], [1, 1, -2]]},
]
CHANGES = [{}, {"arithmetic": "float"}, {"q": [0, 0], "l": [None, 0]}, {"P": [], "l": [-3, -10]}]


def reported(own):
    """Return the answer to a problem, as its JSON is read."""
    return json.loads(json.dumps(answer.answer(own)))


@pytest.mark.parametrize("changes", CHANGES)
def test_the_kernel_of_trust_says_what_verify_says(changes):
    """Value, bound and gap are those of the certificate; each number changed by a thousandth is refuted by both."""
    given, own = {**GIVEN, **changes}, asked(**changes)
    right = reported(own)
    found = kernel.judge(given, right, 9)
    assert found["verdict"] == "accepted"
    assert [found[name] for name in ("primal", "dual", "gap")] == [
        Fraction(right["certificate"][name]) for name in ("primal", "dual", "gap")
    ]
    for name in ("x", "y"):
        for k in range(2):
            values = [Fraction(v) for v in right["fitted"][name]]
            values[k] += Fraction(1, 1000)
            wrong = {"arithmetic": "exact", "fitted": {**right["fitted"], name: [str(v) for v in values]}}
            accepted = judge.verify(own, wrong, 9)["accepted"]
            assert (kernel.judge(given, wrong, 9)["verdict"] == "accepted") is accepted


@pytest.mark.many
@pytest.mark.parametrize("seed", range(40))
def test_the_kernel_of_trust_and_verify_agree_on_random_programmes(seed):
    """Answers and refusals of either arithmetic are accepted by both; a witness or an answer that is changed by both
    or by neither."""
    rng = random.Random(seed)
    P, q, A, low, high = programmes.programme(rng, 5)
    rows = [[[i, j, str(Fraction(v))] for i, row in enumerate(M) for j, v in enumerate(row) if v] for M in (P, A)]
    P, A = [{"triplets": own} for own in rows]
    given = {"method": "qp", "P": P, "q": q, "A": A, "l": low, "u": high}
    given = json.loads(json.dumps(given), parse_float=Fraction)  # decimals denote themselves, as in a file
    for arithmetic in ("exact", "float"):
        own = problem.read(json.dumps({**given, "arithmetic": arithmetic}, default=str), "test")
        right = reported(own)
        both = judge.verify(own, right, 6)["accepted"], kernel.judge(given, right, 6)["verdict"] == "accepted"
        assert both[0] is both[1]
        if "refusal" in right:
            witness = right["refusal"].get("witness", {})
            name = next(iter(witness))
            changed = {**witness, name: [str(Fraction(v) + 1) for v in witness[name]]}
            wrong = {"refusal": {**right["refusal"], "witness": changed}}
        else:
            changed = [str(Fraction(v) * (1 + Fraction(1, 50))) for v in right["fitted"]["x"]]
            wrong = {"arithmetic": "exact", "fitted": {**right["fitted"], "x": changed}}
        both = judge.verify(own, wrong, 6)["accepted"], kernel.judge(given, wrong, 6)["verdict"] == "accepted"
        assert both[0] is both[1]


@pytest.mark.parametrize("changes", REFUSED, ids=["contradiction", "ray", "direction"])
def test_the_kernel_of_trust_judges_refusals_by_their_witness(changes):
    """A witness proves its refusal; of another programme it proves nothing, and neither does one of zeros."""
    given, right = {**GIVEN, **changes}, reported(asked(**changes))
    assert kernel.judge(given, right)["verdict"] == "accepted"
    assert kernel.judge(GIVEN, right)["verdict"] == "refuted"
    zeros = {name: ["0"] * len(values) for name, values in right["refusal"]["witness"].items()}
    assert kernel.judge(given, {"refusal": {"witness": zeros}})["verdict"] == "refuted"


def test_what_is_not_convex_is_never_optimal():
    """Stationary points of what is not convex are refuted; on equalities only curvature along them counts."""
    point = {"arithmetic": "exact", "fitted": {"x": [0, 0], "y": [0]}}
    given = {"P": [[0, 0, 1], [1, 1, -1]], "q": [0, 0], "A": [[0, 1, 1]], "l": [0], "u": [1]}
    for own, accepted in ((given, False), ({**given, "u": [0]}, True)):
        own = {"method": "qp", **own}
        assert (kernel.judge(own, point)["verdict"] == "accepted") is accepted
        assert judge.verify(problem.read(json.dumps(own), "test"), point)["accepted"] is accepted


DIAGONAL = [[2, 0, 0], [0, 2, 0], [0, 0, 2]]


@pytest.mark.parametrize("name", ["P", "A"])
def test_a_list_that_may_be_rows_or_triplets_is_refused(name):
    """The rows of twice the identity are triplets of another matrix: as these the programme was called unbounded."""
    given = {"method": "qp", "P": [], "q": [1, 1, 1], "A": [], "l": [0, 0, 0], "u": [], name: DIAGONAL}
    if name == "P":
        given = {**given, "l": []}
    with pytest.raises(InvalidInput) as caught:
        problem.read(json.dumps(given), "P.json")
    assert str(caught.value) == (
        f'P.json: need {{"rows": [[…], …]}} or {{"triplets": [[row, column, value], …]}} for {name}; '
        "got 3 lists of 3 numbers, which may be either"
    )
    with pytest.raises(ValueError, match=f'need {{"rows": …}} or {{"triplets": …}} for {name}'):
        kernel_qp.Programme(given)


def test_rows_and_triplets_by_name_are_one_matrix():
    """Of two and three variables, in one programme."""
    expected = [Fraction(-1, 2)] * 3
    for P in ({"rows": DIAGONAL}, {"triplets": [[0, 0, 2], [1, 1, 2], [2, 2, 2]]}, [[0, 0, 2], [1, 1, 2], [2, 2, 2]]):
        given = {"method": "qp", "P": P, "q": [1, 1, 1], "A": {"rows": [[1, 1, 1]]}, "l": [None], "u": [9]}
        own = problem.read(json.dumps({**given, "arithmetic": "exact"}), "P.json")
        right = reported(own)
        assert list(map(Fraction, right["fitted"]["x"])) == expected
        assert kernel.judge(given, right)["verdict"] == "accepted" and judge.verify(own, right)["accepted"]


@pytest.mark.parametrize(
    "P",
    [
        {"rows": [[0, 0, 2], [1, 1, 2]]},
        {"rows": [[2, 0]]},
        {"triplets": [[2, 0], [0, 2]]},
        {"rows": [[2, 0], [0, 2]], "triplets": []},
        {"columns": [[2, 0], [0, 2]]},
        {"rows": 3},
        {},
    ],
)
def test_matrices_by_another_name_or_of_another_form_are_refused(P):
    """By the reader and by the kernel of trust."""
    given = {"method": "qp", "P": P, "q": [-2, -5]}
    with pytest.raises(InvalidInput, match="P"):
        problem.read(json.dumps(given), "P.json")
    with pytest.raises(ValueError, match="P"):
        kernel_qp.Programme(given)


def test_the_reader_and_the_kernel_of_trust_read_alike():
    """Lists of three by three small numbers, and of two: one matrix of both, or refused by both."""
    rng, read, refused = random.Random(5), 0, 0
    for _ in range(examples(300)):
        n = rng.choice([2, 3, 3])
        width = rng.choice([3, n])
        M = [[rng.choice([0, 0, 1, 2, 3, 0.5, "1/2", "1"]) for _ in range(width)] for _ in range(rng.choice([n, n, 2]))]
        M = [[0, 0, M[0][0]], [1, 1, M[0][1]], *([] if n == 2 else [[2, 2, 1]])] if rng.random() < 0.2 else M
        M = rng.choice([M, M, {"rows": M}, {"triplets": M}])
        given = {"method": "qp", "P": [], "q": [1] * n, "A": M, "l": [0] * n, "u": [9] * n}
        if rng.random() < 0.5:
            given = {**given, "P": M, "A": [], "l": [], "u": []}
        try:
            own = problem.read(json.dumps(given), "P.json").programme
        except InvalidInput:
            own = None
        try:
            trusted = kernel_qp.Programme(given)
        except ValueError:
            trusted = None
        assert (own is None) is (trusted is None), given
        if own is not None:
            assert own.P == trusted.P and own.A == trusted.A, given
        read, refused = read + (own is not None), refused + (own is None)
    assert min(read, refused) > 10
