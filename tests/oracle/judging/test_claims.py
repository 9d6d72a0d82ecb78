"""Certificates that answers claim: what says more than is proven is refuted, and what is not judged is named."""

import json

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import answer, judge, problem
from tests.oracle.test_planted import CASES, drawn
from tests.profiles import spread, thorough

MORE = {"status": "infeasible", "digits": 99, "gap": "3", "primal": "-1/3", "dual": "1e9", "unique": {"f": False}}
WORDS = {"status": "solved", "where": "point 7", "premise": "none", "worst_violation": "5", "ceiling": 3}
FITTED = sorted(case for case in CASES if not case.endswith("predictions"))
TRIED = FITTED if thorough() else [FITTED[i] for i in sorted(spread(len(FITTED), 6))]


def verdict(asked, reported):
    return judge.verify(asked, judge.read(json.dumps(reported), "A.json"))


@pytest.mark.slow
@pytest.mark.parametrize("case", TRIED)
def test_no_part_of_a_certificate_is_passed_over(case):
    """Each part said otherwise, beside right numbers: refuted, or named among what is not judged."""
    asked = drawn(case)
    right = json.loads(json.dumps(answer.answer(asked)))
    assert verdict(asked, right)["accepted"]
    for part, value in [*MORE.items(), *WORDS.items()]:
        found = verdict(asked, {**right, "certificate": {**right["certificate"], part: value}})
        named = {"certificate", f"certificate.{part}"} & set(found["not_judged"])
        assert named or found["verdict"].startswith(f"wrong: certificate.{part}"), (part, found)
        assert not found["accepted"] or value != "infeasible"


@pytest.mark.many
@pytest.mark.parametrize("case", ["svc", "svc gaussian", "svr", "huber", "crammer_singer", "lee_lin_wahba", "qp"])
@pytest.mark.parametrize(
    "claim",
    [{"digits": 40}, {"digits": "inf"}, {"status": "40.1 digits"}, {"status": "infeasible"}, {"gap": "1/7"}],
)
def test_a_certificate_of_more_than_is_proven_is_refuted(case, claim):
    """Of answers in doubles, whose gap is not zero: more digits, by number or by status, other bounds."""
    asked = drawn(case)
    right = json.loads(json.dumps(answer.answer(asked)))
    right["certificate"] = {part: v for part, v in right["certificate"].items() if part in ("primal", "dual")}
    assert verdict(asked, right)["accepted"]
    found = verdict(asked, {**right, "certificate": {**right["certificate"], **claim}})
    assert not found["accepted"] and found["verdict"].startswith(f"wrong: certificate.{next(iter(claim))}")


def test_stationary_points_may_not_be_called_optimal():
    """Of a matrix that is not positive semidefinite; where nothing is convex no certificate proves an optimum."""
    K = [[0, 2, 1, 0], [2, 0, 0, 1], [1, 0, 0, 2], [0, 1, 2, 0]]
    given = {"method": "svc", "parameters": {"kernel": "precomputed"}, "x": K, "y": [0, 1, 0, 1]}
    asked = problem.read(json.dumps(given), "P.json")
    right = json.loads(json.dumps(answer.answer(asked)))
    assert right["certificate"]["status"] == "stationary" and verdict(asked, right)["accepted"]
    found = verdict(asked, {**right, "certificate": {**right["certificate"], "status": "optimal"}})
    assert found["verdict"] == "wrong: certificate.status: got optimal, want stationary"


def test_a_part_that_no_certificate_has_is_refused():
    """As a name that the answer does not have."""
    with pytest.raises(InvalidInput, match="need parts of a certificate among status.*; got 'proof'"):
        judge.read(json.dumps({"fitted": {"coef": [[1, 2]]}, "certificate": {"proof": "yes"}}), "A.json")


@pytest.mark.parametrize(
    ("active", "said"),
    [
        ([0, 4, 5], ""),
        ([0, 2, 4, 5], "row 2 is at none"),
        ([0, 4], "row 5 has a multiplier"),
        ([0, 4, 9], "need active"),
    ],
)
def test_active_rows_are_those_at_their_sides(active, said):
    """Of a programme whose third row has a multiplier of roundoff only."""
    asked = drawn("qp")
    right = json.loads(json.dumps(answer.answer(asked)))
    assert right["fitted"]["active"] == [0, 4, 5]
    changed = {**right, "fitted": {**right["fitted"], "active": active}}
    if said.startswith("need"):
        with pytest.raises(InvalidInput, match=said):
            verdict(asked, changed)
    else:
        found = verdict(asked, changed)
        assert found["accepted"] is not bool(said) and said in found["reason"]


@pytest.mark.parametrize("method", ["least_squares", "perceptron"])
def test_digits_of_residuals_are_not_compared_with_those_of_a_gap(method):
    """Far from the origin normal equations hold to sixteen digits, and the gap to thirteen: both are right."""
    x = [[1e6 + v] for v in (1e-4, -2e-4, 1e-4, 2e-4, -1e-4, 0)]
    given = {"method": method, "x": x, "y": [0, 1, 0, 0, 1, 1], "weights": [2, 1, 2, 0.5, 0.5, 0.5]}
    asked = problem.read(json.dumps(given), "P.json")
    right = json.loads(json.dumps(answer.answer(asked)))
    assert right["certificate"]["digits"] > 13 and verdict(asked, right)["accepted"]
