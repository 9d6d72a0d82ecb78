"""Judging a direct many-class machine: any optimum is accepted, planted mistakes are refuted, nothing is solved."""

import json
import re
from fractions import Fraction as Q
from random import Random

import pytest

from refclass.errors import InvalidInput
from refclass.margins.crammer_singer import fit
from refclass.oracle import answer, judge, problem
from refclass.oracle.problem import Problem
from tests.margins.many import APART, LABELS, OWN, THREE

Y = ["abc"[g] for g in LABELS]
TWICE = THREE + [THREE[5], THREE[6]]
P = Problem("crammer_singer", THREE, Y, {"C": 1})
BEST = P.fitted()
GAUSSIAN = {"name": "gaussian", "gamma": Q(1, 10)}


def verdict(p, fitted, arithmetic="float", digits=14):
    return judge.verify(p, {"fitted": fitted, "arithmetic": arithmetic}, digits)


def changed(*changes):
    """The optimal multipliers with amounts added at (point, class)."""
    rows = [list(row) for row in BEST.alpha_]
    for i, k, amount in changes:
        rows[i][k] += amount
    return {"alpha": rows}


LOOSE = next(i for i, row in enumerate(BEST.alpha_) if 0.01 < row[LABELS[i]] < 0.99)
FULL = next(i for i, row in enumerate(BEST.alpha_) if row[LABELS[i]] == 1)
OWN_LOOSE, OWN_FULL = LABELS[LOOSE], LABELS[FULL]
OTHER = next(k for k, v in enumerate(BEST.alpha_[LOOSE]) if v < 0)

WRONG = {
    "two multipliers off by 1e-9, balanced": (
        changed((LOOSE, OWN_LOOSE, -1e-9), (LOOSE, OTHER, 1e-9)),
        "short of the largest",
    ),
    "one multiplier off by 1e-9": (changed((LOOSE, OTHER, -1e-9)), "alpha sums to"),
    "above C by 1e-9": (changed((FULL, OWN_FULL, 1e-9)), r"alpha 1(\.0+1\d*)? of class 'a' is above C|sums to"),
    "another class above zero": (changed((FULL, (OWN_FULL + 1) % 3, 2.0), (FULL, OWN_FULL, -2.0)), "above 0"),
    "all zero": ({"alpha": [[0.0] * 3] * 12}, "short of the largest"),
    "all doubled": ({"alpha": [[2 * v for v in row] for row in BEST.alpha_]}, "above C"),
    "classes in another order": ({"alpha": BEST.alpha_, "classes": ["b", "a", "c"]}, "above"),
    "weights off by 1e-6": (
        {"coef": [[v + 1e-6 for v in row] for row in BEST.coef_]},
        r"12.5 digits.*from the sums of alpha",
    ),
    "weights of nothing": ({"coef": [[0.0, 0.0]] * 3}, "from the sums of alpha"),
}


@pytest.mark.parametrize("mistake", sorted(WRONG))
def test_a_planted_mistake_is_refuted_for_the_right_reason(mistake):
    """Not accepted, and the reason names what is wrong and where  [MC-CS-DUAL.P2] [ISML-27.5-dual]."""
    fitted, reason = WRONG[mistake]
    said = verdict(P, fitted)
    assert not said["accepted"] and re.search(reason, said["reason"]), said["reason"]


@pytest.mark.parametrize(
    "arithmetic, options",
    [
        ("float", {}),
        ("float", {"kernel": GAUSSIAN}),
        ("exact", {"kernel": GAUSSIAN}),
        ("exact", {"C": Q(1, 3)}),
        ("decimal:30", {"C": Q(1, 3)}),
        ("decimal:30", {"kernel": GAUSSIAN}),
    ],
)
def test_our_own_answers_are_accepted(arithmetic, options):
    """As JSON writes and reads them, in every arithmetic  [MC-CS-DUAL.P1]."""
    asked = Problem("crammer_singer", THREE, Y, {"C": 1, **options}, arithmetic)
    reported = json.dumps(answer.answer(asked))
    said = judge.verify(asked, judge.read(reported, "answer.json"))
    assert said["accepted"] and said["reason"].startswith("optimal")
    assert arithmetic != "exact" or said["certificate"]["gap"] == "0"


def test_weights_alone_are_accepted_and_hard_margins_too():
    """coef without alpha, soft and hard  [ISML-27.5-weights] [ISML-27.5-hard]."""
    assert verdict(P, {"coef": BEST.coef_})["accepted"]
    hard = Problem("crammer_singer", APART, OWN, {"C": float("inf")})
    m = hard.fitted()
    assert verdict(hard, {"coef": m.coef_})["accepted"] and verdict(hard, {"alpha": m.alpha_})["accepted"]


@pytest.mark.parametrize("share", [Q(0), Q(1, 4), Q(1)])
def test_any_split_between_duplicates_is_accepted(share):
    """Another optimal alpha than ours is optimal  [RC-31]."""
    p = Problem("crammer_singer", [[2, 1], [2, 1], [-1, 2], [0, -3]], list("aabc"), {"C": 5}, "exact")
    alpha = p.fitted().alpha_
    both = [a + b for a, b in zip(alpha[0], alpha[1])]
    split = [[share * v for v in both], [(1 - share) * v for v in both], *alpha[2:]]
    said = verdict(p, {"alpha": split}, "exact")
    assert said["accepted"] and said["certificate"]["gap"] == "0"
    assert said["certificate"]["unique"] == {"w": True, "alpha": False}


def test_columns_may_stand_in_any_order_that_is_reported():
    """classes says which column is whose, for alpha and for coef  [ISML-27.5-dual]."""
    turned = [row[::-1] for row in BEST.alpha_]
    assert verdict(P, {"alpha": turned, "classes": ["c", "b", "a"]})["accepted"]
    assert verdict(P, {"coef": BEST.coef_[::-1], "classes": ["c", "b", "a"]})["accepted"]
    assert not verdict(P, {"alpha": turned})["accepted"]


@pytest.mark.parametrize(
    "fitted, complaint",
    [
        ({"objective": 3}, "alpha, or coef"),
        ({"alpha": [[0.0] * 3] * 11}, "12 rows in alpha"),
        ({"alpha": [[0.0] * 2] * 12}, r"3 numbers in each row of alpha; got 2 \(row=0\)"),
        ({"alpha": [0.0] * 12}, "3 numbers in each row of alpha"),
        ({"alpha": [["x"] * 3] * 12}, "need alpha\\[0\\]\\[0\\] as a number"),
        ({"alpha": 1.0}, "12 rows in alpha"),
        ({"coef": [[0.0]] * 3}, "2 numbers in each row of coef"),
        ({"alpha": [[0.0] * 3] * 12, "classes": ["a", "b"]}, "labels"),
        ({"alpha": [[0.0] * 3] * 12, "classes": ["a", "b", "d"]}, "labels"),
    ],
)
def test_an_answer_that_cannot_be_judged_is_refused_saying_what_is_needed(fitted, complaint):
    """Shapes, labels and numbers that do not fit, naming the row  [MC-CS-DUAL]."""
    with pytest.raises(InvalidInput, match=complaint):
        verdict(P, fitted)


def test_nothing_is_solved_to_judge(monkeypatch):
    """The judge never trains  [MC-CS-DUAL]."""
    monkeypatch.setattr(fit, "train", None)
    assert verdict(P, {"alpha": BEST.alpha_})["accepted"]


def test_a_hard_margin_that_does_not_exist_is_answered_with_its_witness():
    """The refusal is the answer, weights included  [ISML-27.5-hard] [RC-31]."""
    text = '{"method": "crammer_singer", "parameters": {"C": "inf"}, "x": [[1], [2]], "y": ["a", "b"]}'
    reported = answer.answer(problem.read(text, "p.json"))["refusal"]
    assert reported["type"] == "NoAnswer" and reported["witness"]["weights"] == [["0", "2/3"], ["1/3", "0"]]


@pytest.mark.parametrize("places", [9, 12, 15])
def test_multipliers_that_are_noise_have_the_digits_of_the_largest(places):
    """Every multiplier off by some 10^-places, those that are zero too: their sums are zero to places beside the
    largest multiplier, not beside their own sizes, and the answer is refuted only for more digits than it has."""
    rng = Random(places)
    noisy = [[float(v) + 10.0**-places * rng.gauss(0, 1) for v in row] for row in BEST.alpha_]
    assert verdict(P, {"alpha": noisy}, digits=places - 3)["accepted"]
    assert not verdict(P, {"alpha": noisy}, digits=places + 2)["accepted"]
