"""A number of coordinates that cuts through equal eigenvalues: the plane is open, what follows from it is not.

The class means of the tables form squares, crosses and regular simplices in the metric within the classes, so that
all eigenvalues are equal, or all but the first.
"""

import json
import math
from fractions import Fraction
from itertools import product

import pytest

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.oracle import answer, judge, problem, reading
from refclass.oracle.leaves import leaves


def table(centres, steps):
    """Return points around class centres, and their labels."""
    x = [[a + b for a, b in zip(centre, step)] for centre in centres for step in steps]
    return x, [k for k in range(len(centres)) for _ in steps]


CROSS = [[1, 0], [-1, 0], [0, 1], [0, -1]]
SQUARE = [[a, b] for a, b in product([1, -1], repeat=2)]
AXES = [[s * (i == j) for j in range(3)] for i in range(3) for s in (1, -1)]
ROOT = math.sqrt(3) / 2
TABLES = {
    "squares": table([[5 * a, 5 * b] for a, b in SQUARE], SQUARE),
    "crosses": table([[4 * a, 4 * b] for a, b in CROSS], CROSS),
    "triangle": table([[4, 0], [-2, 4 * ROOT], [-2, -4 * ROOT]], CROSS),
    "simplex": table([[3 * (i == j) for j in range(3)] for i in range(3)], AXES),
    "one apart": table([[9, 0, 0], [-3, 2, 0], [-3, -1, 3], [-3, -1, -3]], [*AXES, *AXES[4:], *AXES[4:]]),
}
RULES = {
    "lda": {"divisor": "n"},
    "fisher": {},
    "scoring": {},
    "fda": {},
    "fda on a polynomial": {"regression": {"name": "polynomial", "degree": 2}},
    "pda": {"penalty": 1},
    "pda without a penalty": {"penalty": 0},
    "mda": {"subclasses": 1},
}

BOUND = ("fda on a polynomial", "pda")  # to units, or to angles
EVEN = ("squares", "crosses", "simplex")  # tables whose eigenvalues are equal for these, too


def posed(rule, name, arithmetic="float"):
    """Return the problem of a rule that cuts the equal eigenvalues of a table."""
    x, y = TABLES[name]
    parameters = {**RULES[rule], "n_components": 2 if name == "one apart" else 1}
    query = [x[0], [v + 0.25 for v in x[1]]]
    method = rule.split()[0]
    given = {"method": method, "parameters": parameters, "x": x, "y": y, "query": query, "arithmetic": arithmetic}
    return problem.read(json.dumps(given), "the problem")


def verdict(asked, said):
    """Return the verdict on an answer, as JSON carries it."""
    return judge.verify(asked, reading.read(json.dumps(answer.tree(said)), "the answer"))


@pytest.mark.many
@pytest.mark.parametrize("arithmetic", ["float", "decimal:30", "exact"])
@pytest.mark.parametrize("rule", RULES)
def test_what_is_answered_is_verified_and_the_certificate_says_that_the_plane_is_open(rule, arithmetic):
    """In doubles and decimals; in fractions it is the same, or the roots are refused."""
    for name in TABLES if arithmetic == "float" else ["squares"]:
        if rule in BOUND and name not in EVEN:
            continue
        asked = posed(rule, name, arithmetic)
        said = json.loads(json.dumps(answer.answer(asked)))
        if "refusal" in said:
            assert arithmetic == "exact" and said["refusal"]["type"] == "NotExact"
            continue
        found = verdict(asked, said)
        assert found["accepted"], (name, found["reason"])
        assert said["certificate"]["unique"]["directions"] is False, name
        assert float(said["certificate"]["digits"]) > 9, name


def test_rational_planes_are_answered_in_fractions():
    """The squares have rational variates."""
    said = answer.answer(posed("lda", "squares", "exact"))
    assert said["certificate"]["status"] == "optimal" and said["certificate"]["unique"] == {"directions": False}


TURN = [[Fraction(3, 5), Fraction(-4, 5)], [Fraction(4, 5), Fraction(3, 5)]]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "mda"])
def test_any_other_axes_of_the_plane_are_right_with_all_that_follows_from_them(rule):
    """Those turned by the angle of the cosine 3/5."""
    for name in ("crosses", "simplex"):
        asked = posed(rule, name)
        model = asked.fitted()
        count, kept = len(model.whole().eigenvalues_), 2 if rule in ("lda", "fisher") else 1
        columns = [Vector.of([float(v) for v in (*row, *[0] * (count - 2))]) for row in list(zip(*TURN))[:kept]]
        turned = model.along(Matrix.of(columns).T)
        said = {"fitted": answer.fitted(turned), "predictions": answer.predictions(turned, asked.query)}
        found = verdict(asked, said)
        assert found["accepted"], (name, found["reason"])
        assert turned.scores_ != model.scores_ if hasattr(turned, "scores_") else turned.scalings_ != model.scalings_


@pytest.mark.slow
@pytest.mark.parametrize("rule", [rule for rule in RULES if " " not in rule])
def test_one_number_that_does_not_follow_is_noticed(rule):
    """Of each attribute and prediction the largest number, by a tenth; or a label for another."""
    asked = posed(rule, "simplex" if rule in BOUND else "one apart")
    said = json.loads(json.dumps(answer.answer(asked)))
    said.pop("certificate")
    history = [name.rstrip("_") for name in type(asked.estimator()).history]
    for part in ("fitted", "predictions"):
        for name, value in said[part].items():
            if name in ("classes", "subclasses", *history) or changed(value) == value:
                continue
            found = verdict(asked, {**said, part: {**said[part], name: changed(value)}})
            assert not found["accepted"], name
            assert name == "posterior" or name in found["reason"] or rule == "mda", (name, found["reason"])


def changed(value):
    """Return numbers with the largest of them changed by a tenth, or labels with the first changed."""
    if isinstance(value, list) and all(type(v) is int for v in value):
        return [(value[0] + 1) % 3, *value[1:]]
    largest = max(map(abs, leaves(value)))

    def times(v):
        return [times(w) for w in v] if isinstance(v, list) else v * 1.1 if abs(v) == largest > 1e-9 else v

    return times(value)
