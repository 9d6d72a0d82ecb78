"""Machines of many classes, judged one by one: mistakes are found in the machine they were made in."""

import json
import math
from fractions import Fraction as Q
from itertools import permutations

import pytest

from refclass import SVC, OneVersusOne, OneVersusRest
from refclass.errors import InvalidInput
from refclass.margins.svm import fit
from refclass.oracle import answer, judge
from refclass.oracle.problem import Problem, read

X = [[0, 0], [1, 0], [0, 2], [2, 2], [3, 1], [-1, 1], [5, 0], [4, 4], [1, 5], [6, 2], [2, 0], [4, 1]]
Y = ["no", "no", "yes", "yes", "yes", "no", "may", "may", "yes", "may", "yes", "no"]
NAMES = {
    "ovo": ["no against may", "yes against may", "yes against no"],
    "ovr": ["may against the rest", "no against the rest", "yes against the rest"],
}
BOTH = pytest.mark.parametrize("multiclass", NAMES)
POLYNOMIAL = {"name": "polynomial", "degree": 2, "c": 1, "scale": Q(1, 8)}
CURVED = {"kernel": POLYNOMIAL, "solver": "active_set"}


def problem(multiclass, arithmetic="exact", **parameters):
    return Problem("svc", X, Y, {"multiclass": multiclass, "C": Q(1, 2), **parameters}, arithmetic)


def truth(p):
    m = p.fitted()
    return {"alpha": m.alpha_, "intercept": m.intercept_}


def verdict(p, fitted, arithmetic=None):
    exact = p.arithmetic == "exact" and not arithmetic
    given = {"fitted": fitted, "arithmetic": arithmetic or p.arithmetic}
    return judge.verify(p, given, math.inf if exact else 11)


def changed(values, m, i, v):
    """The values with number i of machine m replaced by v(old), or, without i, the whole entry."""
    return [[v(a) if (k, j) == (m, i) else a for j, a in enumerate(row)] for k, row in enumerate(values)]


@BOTH
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
@pytest.mark.parametrize("options", [{}, CURVED, {"loss": "squared_hinge"}, {"class_weight": {"no": 3}}])
def test_our_own_answer_is_accepted(multiclass, arithmetic, options):
    """Every machine, in every arithmetic, and the proof of all together  [RC-23]."""
    p = problem(multiclass, arithmetic, **options)
    v = verdict(p, truth(p))
    assert v["accepted"] and v["reason"].startswith("optimal")
    assert [m["machine"] for m in v["machines"]] == NAMES[multiclass]
    assert v["certificate"]["status"] == "optimal" and (arithmetic != "exact" or v["certificate"]["gap"] == "0")


@BOTH
@pytest.mark.parametrize("m", [0, 1, 2])
def test_a_mistake_is_found_in_its_machine(multiclass, m):
    """An intercept, a multiplier, two machines exchanged, the signs of one turned round."""
    p = problem(multiclass, kernel=POLYNOMIAL)
    good = truth(p)
    used = next(i for i, a in enumerate(good["alpha"][m]) if a)
    off = Q(1, 10**12)
    ends = p.fitted().intercept_interval_
    shifted = [ends[k][1] + off if k == m else b for k, b in enumerate(good["intercept"])]
    turned = [-b - 1 if k == m else b for k, b in enumerate(good["intercept"])]
    wrong = [
        {**good, "intercept": shifted},
        {**good, "intercept": turned},
        {**good, "alpha": changed(good["alpha"], m, used, lambda a: a + off)},
        {**good, "alpha": changed(good["alpha"], m, used, lambda a: -a)},
    ]
    for fitted in wrong:
        v = verdict(p, fitted)
        assert not v["accepted"] and v["reason"].startswith(NAMES[multiclass][m] + ": ")
        assert [own["accepted"] for own in v["machines"]] == [k != m for k in range(3)]
        assert v["certificate"]["where"].startswith(NAMES[multiclass][m])


def test_a_multiplier_of_a_row_without_part_is_a_mistake():
    """The other machines are right, and so is this one on its own rows."""
    p = problem("ovo")
    good = truth(p)
    i = Y.index("yes")
    v = verdict(p, {**good, "alpha": changed(good["alpha"], 0, i, lambda a: Q(1, 3))})
    assert not v["accepted"] and v["reason"] == "no against may: alpha is 1/3 at row 2, which has no part in it"


@BOTH
@pytest.mark.parametrize(
    "options", [{"C": 1}, {"kernel": POLYNOMIAL}, {"class_weight": "balanced"}, {"loss": "squared_hinge"}], ids=str
)
def test_the_answer_to_another_problem_is_refuted(multiclass, options):
    """Another C, another kernel, other weights, another loss."""
    assert not verdict(problem(multiclass), truth(problem(multiclass, **options)))["accepted"]


def test_the_answer_of_one_rule_is_not_that_of_the_other():
    """For three classes both have three machines."""
    assert not verdict(problem("ovo"), truth(problem("ovr")))["accepted"]
    assert not verdict(problem("ovr"), truth(problem("ovo")))["accepted"]


@BOTH
@pytest.mark.parametrize("order", list(permutations(["may", "no", "yes"])), ids="-".join)
def test_any_order_of_the_classes_will_do(multiclass, order):
    """An answer whose classes stand in another order lists its machines, and turns its signs, accordingly."""
    p = problem(multiclass)
    other = SVC(C=Q(1, 2), multiclass=multiclass, arithmetic="exact").fit(X, [order.index(c) for c in Y])
    fitted = {"classes": list(order), "alpha": other.alpha_, "intercept": other.intercept_}
    assert verdict(p, fitted)["accepted"]
    assert verdict(p, {**fitted, "classes": ["may", "no", "yes"]})["accepted"] == (order == ("may", "no", "yes"))


@BOTH
def test_the_other_forms_of_an_answer_are_accepted(multiclass):
    """Multipliers of the own rows only, signed ones of the support vectors, hyperplanes, a list of machines."""
    m = problem(multiclass).fitted()
    p, b = problem(multiclass), m.intercept_
    own = [e.alpha_ for e in m.estimators_]
    assert verdict(p, {"alpha": own, "intercept": b})["accepted"]
    assert verdict(p, {"dual_coef": m.dual_coef_, "support": m.support_, "intercept": b})["accepted"]
    assert verdict(p, {"coef": m.coef_, "intercept": b})["accepted"]
    several = [{"alpha": e.alpha_, "intercept": e.intercept_} for e in m.estimators_]
    assert verdict(p, {"estimators": several})["accepted"]
    if multiclass == "ovo":  # a machine may say that its classes stand the other way round
        turned = [
            {"classes": e.classes_[::-1], "alpha": e.alpha_, "intercept": [-e.intercept_[0]]} for e in m.estimators_
        ]
        assert verdict(p, {"estimators": turned})["accepted"]
    else:
        assert not verdict(p, {"estimators": several[::-1]})["accepted"]


@BOTH
def test_a_file_with_an_answer_comes_back(multiclass):
    """solve, through JSON text, verify; votes and what is unclassifiable stand beside the labels."""
    asked = {"method": "svc", "parameters": {"multiclass": multiclass, "C": "1/2"}, "arithmetic": "exact"}
    p = read(json.dumps({**asked, "x": X, "y": Y, "query": [[0, 1], [2, 3]]}), "P.json")
    said = json.loads(json.dumps(answer.answer(p)))
    assert len(said["fitted"]["alpha"]) == 3 and said["certificate"]["gap"] == "0"
    assert ("votes" in said["predictions"]) == (multiclass == "ovo") and "unclassifiable" in said["predictions"]
    assert judge.verify(p, judge.read(json.dumps(said), "A.json"))["accepted"]


def test_a_table_of_kernel_values_is_cut_for_each_machine():
    """A precomputed kernel."""
    gram = [[sum(a * b for a, b in zip(x, z)) for z in X] for x in X]
    p = Problem("svc", gram, Y, {"kernel": "precomputed"}, "exact")
    assert verdict(p, truth(p))["accepted"]


@pytest.mark.parametrize("rule", ["one_vs_one", "one_vs_rest"])
@pytest.mark.parametrize("estimator", [{"name": "svc", "C": 2}, "least_squares", "lda"], ids=str)
def test_estimators_of_any_kind_are_judged_one_by_one(rule, estimator):
    """Machines by their proofs, formulas by computing them anew; one number off is found."""
    p = read(json.dumps({"method": rule, "parameters": {"estimator": estimator}, "x": X, "y": Y}), "P.json")
    said = json.loads(json.dumps(answer.answer(p)))
    keep = ("alpha", "intercept") if isinstance(estimator, dict) else ("coef", "intercept")
    fitted = {"estimators": [{k: e[k] for k in keep} for e in said["fitted"]["estimators"]]}
    v = judge.verify(p, {"fitted": fitted})
    assert v["accepted"] and ("certificate" in v) == isinstance(estimator, dict)
    fitted["estimators"][1]["intercept"] = [fitted["estimators"][1]["intercept"][0] + 1e-6]
    v = judge.verify(p, {"fitted": fitted}, 9)
    assert [m["accepted"] for m in v["machines"]] == [True, False, True]


@pytest.mark.parametrize(
    ("fitted", "complaint"),
    [
        ({"alpha": [[0] * 12] * 2, "intercept": [0] * 3}, "need 3 entries in alpha, one for each machine; got 2"),
        ({"alpha": [[0] * 12] * 3, "intercept": [0] * 2}, "need 3 entries in intercept"),
        ({"alpha": [[0] * 11] * 3, "intercept": [0] * 3}, "need 7 multipliers in alpha"),
        ({"dual_coef": [[1]] * 3, "support": [[1]], "intercept": [0] * 3}, "need support, different row numbers"),
        ({"dual_coef": [[1]] * 3, "support": [1, 2], "intercept": [0] * 3}, "need in dual_coef a number for each row"),
        ({"estimators": [1, 2, 3]}, "need fitted values of each machine"),
        ({"estimators": []}, "need 3 entries in estimators"),
        ({"classes": ["a", "b", "c"], "alpha": [[0] * 12] * 3}, "need the labels"),
        ({"intercept": [0] * 3}, "need alpha and intercept"),
    ],
)
def test_an_answer_of_another_form_is_refused(fitted, complaint):
    """What is missing or does not fit has its line."""
    with pytest.raises(InvalidInput, match=complaint):
        verdict(problem("ovo"), fitted)


def test_nothing_is_solved_to_judge_machines(monkeypatch):
    """The solvers are not called."""
    p = problem("ovo")
    good = truth(p)
    monkeypatch.setattr(fit, "train", None)
    assert verdict(p, good)["accepted"]


def test_the_two_ways_to_ask_have_one_answer():
    """SVC(multiclass) and the rule over SVC."""
    for multiclass, kind in (("ovo", OneVersusOne), ("ovr", OneVersusRest)):
        m = kind(SVC(C=Q(1, 2), arithmetic="exact")).fit(X, Y)
        fitted = {"estimators": [{"alpha": e.alpha_, "intercept": e.intercept_} for e in m.estimators_]}
        assert verdict(problem(multiclass), fitted)["accepted"]
