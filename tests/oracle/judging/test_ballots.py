"""What direct machines of several classes predict, by the kernel of trust: shared mistakes of solver and judge show."""

import itertools
import json
from fractions import Fraction

import pytest

from refclass.linear.vector import dot
from refclass.margins.crammer_singer import problem as crammer_singer
from refclass.margins.lee_lin_wahba import decision, simplex
from refclass.oracle import answer, judge, problem, reading
from refclass.oracle.judging import ballots, refused
from tests.oracle import test_planted

X = [[0, 0], [1, 0], [4, 1], [5, 0], [2, 5], [2, 4]]
DIRECT = ["crammer_singer", "lee_lin_wahba"]


def asked(method):
    """Return a problem of three classes with two query points."""
    given = {"method": method, "arithmetic": "exact", "x": X, "y": [0, 0, 1, 1, 2, 2], "query": [[1, 1], [4, 0]]}
    return problem.read(json.dumps(given), "P.json")


def reported(given):
    """Return the package's answer, as it is read, its numbers exact."""
    return reading.exact(given, judge.read(json.dumps(answer.answer(given)), "A.json"))


@pytest.mark.parametrize("method", DIRECT)
def test_predictions_follow_from_the_multipliers_and_others_are_named(method):
    """A decision value or a label that is another is named with its place; what the kernel cannot read is left alone
    [MMST-11.108] [MMST-11.109]."""
    given = asked(method)
    own = reported(given)
    assert ballots.direct(given, own, 6) is None
    values, labels = own["predictions"]["decision"], own["predictions"]["labels"]
    moved = [values[0], [values[1][0], values[1][1] + Fraction(1, 1000), values[1][2]]]
    found = ballots.direct(given, {**own, "predictions": {"decision": moved}}, 6)
    assert found is not None and found.startswith("decision[1][1]: got")
    wrong = [labels[0], (labels[1] + 1) % 3]
    found = ballots.direct(given, {**own, "predictions": {"labels": wrong}}, 6)
    assert found == f"labels[1]: got {wrong[1]}, want {labels[1]}"
    assert ballots.direct(given, {**own, "predictions": {"labels": wrong[:1]}}, 6) is None
    assert ballots.direct(given, {**own, "fitted": {**own["fitted"], "alpha": [["x"]]}}, 6) is None


def test_of_classes_that_are_equal_to_the_digits_asked_for_either_label_is_right():
    """Two points of two classes, symmetric: between them the values are equal."""
    given = {"method": "crammer_singer", "arithmetic": "exact", "x": [[-1], [1]], "y": [0, 1], "query": [[0]]}
    p = problem.read(json.dumps(given), "P.json")
    own = reported(p)
    for label, right in ((0, True), (1, True)):
        found = ballots.direct(p, {**own, "predictions": {"labels": [label]}}, 6)
        assert (found is None) is right


@pytest.mark.parametrize("form", ["whole", "predictions"])
def test_a_mistake_in_the_class_of_the_largest_value_is_not_hidden(form, monkeypatch):
    """The class of the least: solver and judge have it from one function, the kernel of trust has not."""
    monkeypatch.setattr(simplex, "decoded", lambda v: list(v).index(min(v)))
    given = asked("lee_lin_wahba")
    own = reported(given)
    if form == "predictions":
        own = {name: own[name] for name in ("predictions", "arithmetic")} | {"fitted": {}}
    found = judge.verify(given, own)
    assert not found["accepted"] and "labels[0]" in found["reason"]


def test_a_mistake_in_the_intercepts_of_decision_values_is_not_hidden(monkeypatch):
    """f_k less its intercept, not with it."""

    def scores(model, Z):
        rows = [[dot(w, z) - b for w, b in zip(model.weights, model.beta0)] for z in Z]
        return [type(model.beta0).of(row) for row in rows]

    monkeypatch.setattr(decision.Model, "scores", scores)
    given = asked("lee_lin_wahba")
    assert "decision[0]" in judge.verify(given, reported(given))["reason"]


@pytest.mark.slow
@pytest.mark.parametrize("method", DIRECT)
def test_a_refusal_whose_multipliers_are_proven_is_refuted(method, monkeypatch):
    """A mistake in the losses makes the bounds of an optimum lie apart, when it is judged, too: the machine is refused
    with its multipliers, and those of the optimum the kernel of trust proves."""
    p = test_planted.drawn(method)
    right = json.loads(json.dumps(answer.answer(p)))["fitted"]
    if method == "crammer_singer":
        monkeypatch.setattr(crammer_singer, "slack", lambda f, label: min(f) - f[label])
    else:
        monkeypatch.setattr(
            simplex, "loss", lambda f, y, costs: sum((c / (v - t) if v > t else 0) for v, t, c in zip(f, y, costs))
        )
    own = judge.read(json.dumps(answer.answer(p)), "A.json")
    assert own["refusal"]["type"] == "NotConverged"
    found = judge.verify(p, own)
    assert not found["accepted"] and "convex, finite and grows" in found["reason"]
    monkeypatch.setattr(refused, "_beyond_doubles", lambda problem: True)  # as if doubles held no digit of the optimum
    if method == "lee_lin_wahba":
        own["refusal"]["witness"]["alpha"] = [list(column) for column in zip(*right["alpha"])]
        own["refusal"]["witness"]["beta0"] = right["intercept"]
    found = judge.verify(p, own)
    assert not found["accepted"] and "the multipliers of its witness have" in found["reason"]


def test_decision_values_may_follow_from_the_coefficients():
    """At 10¹² those of the multipliers have other digits: the package's own answer was refuted by them."""
    x = [[999999999993, 100000006], [1000000000009, 100000009], [1000000000000, 100000002], [1000000000005, 100000009]]
    given = {"method": "lee_lin_wahba", "parameters": {"penalty": 1}, "x": x, "y": [0, 1, 2, 0], "query": x[:2]}
    far = problem.read(json.dumps(given), "P.json")
    own = judge.read(json.dumps(answer.answer(far)), "A.json")
    assert judge.verify(far, own)["accepted"]
    own["predictions"]["decision"][0][0] += 1
    assert not judge.verify(far, own)["accepted"]


def test_where_votes_jump_the_other_parts_of_decision_values_are_judged():
    """A point on the boundary of one pair of three: a decision value a tenth off was accepted with a Gram matrix."""
    K = [[135, 15, 43, 73], [15, 155, -13, 31], [43, -13, 79, 12], [73, 31, 12, 137]]
    given = {"method": "svc", "parameters": {"kernel": "precomputed"}, "x": K, "y": [0, 1, 2, 0]}
    asked = problem.read(json.dumps({**given, "arithmetic": "decimal:20", "query": [[146, 62, 24, 274]]}), "P")
    said = json.loads(json.dumps(answer.answer(asked)))
    assert judge.verify(asked, reading.read(json.dumps(said), "A"))["accepted"]
    said["predictions"]["decision"][0][2] = "-0.127"
    assert not judge.verify(asked, reading.read(json.dumps(said), "A"))["accepted"]


@pytest.mark.parametrize("multiclass", ["ovo", "ovr"])
def test_a_point_is_unclassifiable_only_if_zeros_can_make_it_so(multiclass):
    """Classes 1 and 2 have the same points, their machine is zero everywhere: where class 0 wins both of its pairs no
    zero makes the point unclassifiable; elsewhere, and by signs of classes against the rest, either may be said."""
    x, y = [[0], [1], [4], [5], [4], [5]], [0, 0, 1, 1, 2, 2]
    given = {"method": "svc", "parameters": {"multiclass": multiclass}, "x": x, "y": y, "query": [[0], [5]]}
    asked = problem.read(json.dumps({**given, "arithmetic": "exact"}), "P.json")
    said = json.loads(json.dumps(answer.answer(asked)))
    right = said["predictions"]["unclassifiable"]
    for told in itertools.product([False, True], repeat=2):
        said["predictions"]["unclassifiable"] = list(told)
        accepted = judge.verify(asked, said)["accepted"]
        assert accepted == (told[0] == right[0] and (multiclass == "ovo" or told[1] == right[1]))


def test_coupled_pairs_of_equal_means_are_counted_without_their_posteriors():
    """A point that a pair leaves open: its votes are one count of the pairs, its decision values posteriors."""
    x = [[2, 2, 2], [2, 2, 2], [1, 2, 2], [1, 2, 2], [2, 0, 1], [2, 2, 1], [1, 1, 2], [2, 2, 1], [1, 2, 1]]
    given = {"method": "coupling", "x": x, "y": [0, 1, 2] * 3, "query": [[2, 2, 2]]}
    asked = problem.read(json.dumps(given), "P.json")
    own = judge.read(json.dumps(answer.answer(asked)), "A.json")
    assert own["predictions"]["unclassifiable"] == [True] and judge.verify(asked, own)["accepted"]
    changed = {**own, "predictions": {**own["predictions"], "votes": [[0, 1, 2]]}}
    assert not judge.verify(asked, changed)["accepted"]
