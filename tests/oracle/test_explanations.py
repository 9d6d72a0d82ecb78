"""What explains a difference: a convention that makes the one answer into the other, where the two differ without it.

Drawn are problems on which conventions change nothing: separable points at a large C, data symmetric about zero, n = 2.
The answers are those under a convention drawn, or perturbed ones that none explains.
"""

import json
import random

import pytest

from refclass.oracle import agreement, answer, judge, problem
from tests.profiles import examples

METHODS = ("svc", "svc", "gaussian", "squared_hinge", "lda", "qda", "logistic", "ridge")
TOLD = {"qda": ("covariances",), "gaussian": ("alpha", "intercept")}


def drawn(seed):
    """Return a problem: random, symmetric or separable points, C from 1/100 to 10⁶, up to nine points."""
    r = random.Random(seed)
    method, form = METHODS[seed % len(METHODS)], r.choice(["random", "symmetric", "separable"])
    half = r.choice([1, 3, 4]) if method in ("svc", "squared_hinge", "gaussian") else 4
    rows = [[round(r.gauss(0, 1), 1), round(r.gauss(0, 1), 1)] for _ in range(half)]
    if form == "symmetric":
        x = [*rows, *[[-v for v in row] for row in rows]]
    else:
        far = 6 if form == "separable" else 1
        x = [*rows, *[[round(r.gauss(far, 1), 1), round(r.gauss(0, 1), 1)] for _ in range(half)]]
    y = [int(i >= half) for i in range(2 * half)]
    parameters = {"C": r.choice(["1/100", 1, 3, 100, 10**6])}
    if method == "gaussian":
        parameters["kernel"] = {"name": "gaussian", "gamma": r.choice(["1/2", 2])}
    elif method == "squared_hinge":
        parameters["loss"] = method
    elif method in ("logistic", "ridge"):
        parameters = {"penalty": r.choice([1, 3])}
        y = [v + round(r.gauss(0, 1), 1) for v in y] if method == "ridge" else y
    elif method in ("lda", "qda"):
        parameters = {}
    kind = "svc" if method in ("gaussian", "squared_hinge") else method
    given = {"method": kind, "x": x, "y": y, "parameters": parameters}
    return problem.read(json.dumps(given), "P.json"), TOLD.get(method, ("coef", "intercept"))


def right(asked, names):
    """Return the right answer to a problem, reported in doubles; None where there is none."""
    own = answer.answer(asked)
    if "fitted" not in own:
        return None
    return {"arithmetic": "float", "fitted": {name: own["fitted"][name] for name in names}}


def under(asked, reported, name):
    """Return the problem and the answer under a convention."""
    return next((p, t) for said, p, t in agreement.variants(asked, reported) if said == name)


@pytest.mark.many
@pytest.mark.parametrize("seed", range(examples(40)))
def test_a_convention_is_named_only_where_it_makes_one_answer_into_the_other(seed):
    """The answer under a convention drawn, and what is named: right under each, and the right answer is not."""
    asked, names = drawn(seed)
    own = right(asked, names)
    if own is None:
        return
    chosen = random.Random(seed).choice(list(agreement.variants(asked, own)))
    # An answer's own convention is put on the right answer; a problem's is solved.
    reported = chosen[2] if chosen[1] is asked else right(chosen[1], names[:1] if len(chosen[1].x[0]) > 2 else names)
    if reported is None:
        return
    if len(chosen[1].x[0]) > len(asked.x[0]):
        (w,) = reported["fitted"]["coef"]
        reported["fitted"] = {"coef": [w[:-1]], "intercept": [w[-1]]}
    reported = {"arithmetic": "float", "fitted": reported["fitted"]}
    found = agreement.compare(asked, own, reported)["answers"]["B"]
    if found["convention"] == agreement.SAME:
        assert judge.verify(asked, reported)["accepted"]
        return
    assert not judge.verify(asked, reported)["accepted"]
    assert chosen[0] in found["conventions"] or not changes(asked, own, chosen[0])
    for name in found["conventions"]:
        assert judge.verify(*under(asked, reported, name))["accepted"]
        assert changes(asked, own, name)


def changes(asked, own, name):
    """Return whether the right answer to a problem is wrong under a convention."""
    return not judge.verify(*under(asked, own, name))["accepted"]


@pytest.mark.parametrize("seed", range(examples(20)))
def test_nothing_explains_an_answer_that_is_merely_wrong(seed):
    """The largest coefficient moved by a thirteenth, on the same problems, where its objective has lost six digits."""
    asked, names = drawn(seed)
    own = right(asked, names)
    if own is None:
        return
    reported = json.loads(json.dumps(own))
    value = reported["fitted"][names[0]]
    while isinstance(value[0], list):
        value = value[0]
    place = max(range(len(value)), key=lambda i: abs(value[i]))
    value[place] *= 14 / 13
    if value[place] and not judge.verify(asked, reported)["accepted"]:
        assert agreement.compare(asked, own, reported)["answers"]["B"]["convention"] is None


@pytest.mark.parametrize(
    ("given", "theirs"),
    [
        ({"C": 4}, {"C": 10**6}),  # separable: every C from the largest multiplier on has the same machine
        ({"C": 10**6}, {"C": 10**6}),
    ],
)
def test_at_a_large_cost_several_readings_explain_or_none(given, theirs):
    """Points that are separated by the hard margin: no reading of C is named alone."""
    x, y = [[0], [0.5], [2], [3]], [0, 0, 1, 1]
    asked = problem.read(json.dumps({"method": "svc", "x": x, "y": y, "parameters": {**given, "C": 1}}), "P.json")
    other = problem.read(json.dumps({"method": "svc", "x": x, "y": y, "parameters": theirs}), "Q.json")
    reported = right(other, ("coef", "intercept"))
    found = agreement.compare(asked, right(asked, ("coef", "intercept")), reported)["answers"]["B"]
    assert found["convention"] == agreement.SAME or len(found["conventions"]) != 1
    assert " or " in agreement.compare(asked, reported, reported)["verdict"] or len(found["conventions"]) < 2


@pytest.mark.slow
def test_an_intercept_of_zero_has_no_other_sign():
    """Points symmetric about zero: a wrong slope is not explained by the sign of an intercept that is zero."""
    x, y = [[-2], [-1], [1], [2]], [0, 0, 1, 1]
    asked = problem.read(json.dumps({"method": "svc", "x": x, "y": y}), "P.json")
    for b in (0.0, -1e-9):
        reported = {"arithmetic": "float", "fitted": {"coef": [[1.01]], "intercept": [b]}}
        found = agreement.explained(asked, reported, judge.verify(asked, reported))
        assert "convention" not in found
