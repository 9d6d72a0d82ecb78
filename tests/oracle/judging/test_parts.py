"""Parts of an answer: whatever is reported with whatever else, each part is judged, or named as not judged."""

import json
import random
from itertools import combinations

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import answer, judge, problem
from tests.oracle.test_planted import CASES, drawn
from tests.profiles import examples, spread, thorough

# What a machine is proven by: its digits are those of the objective.
PROVEN = {"alpha", "alpha_star", "coef", "coefficients", "dual_coef", "intercept", "support", "x", "y"}
WHOLE = sorted(case for case in CASES if not case.endswith(("predictions", "hyperplane")))
TRIED = WHOLE if thorough() else [WHOLE[i] for i in sorted(spread(len(WHOLE), 8))]


def verdict(asked, reported):
    return judge.verify(asked, judge.read(json.dumps(reported), "A.json"))


@pytest.mark.slow
@pytest.mark.parametrize("case", TRIED)
def test_no_part_is_passed_over(case):
    """One to three fitted values of an own answer, with its predictions: accepted, or too little; each is named."""
    asked = drawn(case)
    right = json.loads(json.dumps(answer.answer(asked)))
    fitted, told = right["fitted"], right.get("predictions", {})
    names = [name for name in fitted if name != "classes"]
    subsets = [own for size in (1, 2, 3) for own in combinations(names, size)]
    count = len(subsets) if thorough() else examples(10)
    for own in random.Random(case).sample(subsets, min(count, len(subsets))):
        part = {name: fitted[name] for name in (*own, "classes") if name in fitted}
        try:
            found = verdict(asked, {"arithmetic": "float", "fitted": part, "predictions": told})
        except InvalidInput:  # too little, such as an intercept without multipliers
            continue
        assert found["accepted"], (own, found["reason"])
        named = {*found["digits"], *(name.partition(",")[0] for name in found["not_judged"])}
        proven = PROVEN if "objective" in found["digits"] else set()
        assert {*own, *told} <= named | proven, (own, found)


ROWS = [[0, 0], [3, 0], [0, 4], [1, 0], [4, 1], [1, 5], [0, 1], [3, 2], [2, 4]]
SAID = {"crammer_singer": ("classes", "coef"), "lee_lin_wahba": ("classes", "coefficients", "intercept")}


@pytest.mark.parametrize("method", sorted(SAID))
@pytest.mark.parametrize("name", ["labels", "decision", "objective", "dual_objective"])
def test_what_follows_from_functions_without_multipliers_is_judged(method, name):
    """Linear functions of the classes, or coefficients of the points: predictions and objectives follow from them."""
    given = {"method": method, "x": ROWS, "y": list("abcabcabc"), "query": ROWS[:3]}
    asked = problem.read(json.dumps(given), "P.json")
    right = json.loads(json.dumps(answer.answer(asked)))
    fitted = {part: right["fitted"][part] for part in (*SAID[method], "objective", "dual_objective")}
    reported = {"arithmetic": "float", "fitted": fitted, "predictions": right["predictions"]}
    found = verdict(asked, reported)
    assert found["accepted"] and {"labels", "decision", "objective", "dual_objective"} <= set(found["digits"])
    part = "predictions" if name in right["predictions"] else "fitted"
    value = reported[part][name]
    if name == "labels":
        value = value[1:] + value[:1]
    else:
        value = [[1.01 * v for v in row] for row in value] if name == "decision" else 1.01 * value
    found = verdict(asked, {**reported, part: {**reported[part], name: value}})
    assert not found["accepted"] and found["verdict"].startswith(f"wrong: {name}")


@pytest.mark.parametrize("far", [0, 10**3, 10**6, 10**9])
@pytest.mark.parametrize("method", ["lda", "fisher", "qda", "pda"])
def test_far_from_the_origin_labels_are_judged_by_what_distinguishes_the_classes(method, far):
    """Scores of 10¹² have differences of one: on the scale of the scores any label was right to six digits."""
    r = random.Random(1)
    x = [[far + round(r.gauss(2 * (i % 3 == k), 1), 3) for k in (1, 2)] for i in range(24)]
    query = [[far + v, far + w] for v, w in ((0, 0), (3, 0), (0, 3))]
    given = {"method": method, "x": x, "y": ["a", "b", "c"] * 8, "query": query}
    asked = problem.read(json.dumps(given), "P.json")
    labels = answer.answer(asked)["predictions"]["labels"]
    assert labels == ["a", "b", "c"] and verdict(asked, {"predictions": {"labels": labels}})["accepted"]
    for i, other in enumerate("bca"):
        changed = [*labels[:i], other, *labels[i + 1 :]]
        found = verdict(asked, {"predictions": {"labels": changed}, "arithmetic": "float"})
        assert found["verdict"] == f"wrong: labels[{i}]: got '{other}', want '{labels[i]}'"
