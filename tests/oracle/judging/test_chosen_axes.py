"""Rules along some of several axes with the same eigenvalue: the plane is judged, and what follows from the axes."""

import json

import pytest

from refclass.oracle import answer, judge, problem, reading

# Three pairs of points, one pair for every two of three classes: the class means form an equilateral triangle in the
# metric of the covariance within the classes.
GIVEN = {
    "method": "lda",
    "parameters": {"n_components": 1},
    "x": [[1, 0], [1, 0], [2, 5], [2, 5], [-3, 1], [-3, 1]],
    "y": [0, 1, 2, 0, 1, 2],
    "query": [[1, 1], [-2, 4], [0, 3]],
}


def verdict(said):
    """Return whether an answer is accepted, and why."""
    found = judge.verify(problem.read(json.dumps(GIVEN), "the problem"), reading.read(json.dumps(said), "the answer"))
    return found["accepted"], found["reason"]


def told():
    """Return the package's own answer, without its certificate."""
    said = json.loads(json.dumps(answer.answer(problem.read(json.dumps(GIVEN), "the problem"))))
    return {name: value for name, value in said.items() if name != "certificate"}


def turned(said):
    """Return the answer along the first axis turned by the angle of the cosine 3/5 within the plane."""
    rows = [[0.6 * a - 0.8 * b, 0.8 * a + 0.6 * b] for a, b in said["fitted"]["scalings"]]
    means = said["fitted"]["means"]
    middle = [sum(column) / 3 for column in zip(*means)]
    axis = [row[0] for row in rows]
    heights = [sum(v * (a - m) for v, a, m in zip(axis, mu, middle)) for mu in means]
    coef = [[h * v for v in axis] for h in heights]
    intercept = [-h * h / 2 - sum(c * m for c, m in zip(row, middle)) for h, row in zip(heights, coef)]
    fitted = {**said["fitted"], "scalings": rows, "coef": coef, "intercept": intercept}
    return {**said, "fitted": fitted, "predictions": {}}


def test_eigenvalues_of_an_equilateral_triangle_are_equal_and_the_certificate_says_so():
    """The directions of a rule along one of two equal axes are not unique."""
    said = answer.answer(problem.read(json.dumps(GIVEN), "the problem"))
    assert said["fitted"]["eigenvalues"] == pytest.approx([1 / 6, 1 / 6])
    assert said["certificate"]["unique"] == {"directions": False}


def test_any_axis_of_the_plane_is_right_with_the_rule_that_follows_from_it():
    """The package's own, and another; without axes the rule is left open."""
    said = told()
    assert verdict(said)[0] and verdict(turned(said))[0]
    fitted = {name: value for name, value in said["fitted"].items() if name != "scalings"}
    assert verdict({**said, "fitted": fitted})[0]


@pytest.mark.parametrize("name", ["scalings", "coef", "intercept", "decision", "labels"])
def test_what_does_not_follow_from_the_axes_is_wrong(name):
    """One number by a tenth, or a label for another."""
    said = told()
    part = said["predictions"] if name in said["predictions"] else said["fitted"]
    rows = part[name]
    if name == "labels":
        rows[0] = (rows[0] + 1) % 3
    elif name == "intercept":
        rows[0] += 0.1
    else:
        rows[0][0] += 0.1
    accepted, reason = verdict(said)
    assert not accepted and name in reason


def test_an_axis_of_its_own_is_judged_beside_a_plane():
    """Four classes: one axis far apart, two with the same eigenvalue, of which a rule in two coordinates takes one."""
    means = [[9, 0, 0], [-3, 2, 0], [-3, 0, 2], [-3, -2, -2]]
    steps = [[s * v for v in step] for step in ([1, 0, 0], [0, 2, 1], [0, 1, 2], [0, 1, -1]) for s in (1, -1)]
    x = [[a + b for a, b in zip(mean, step)] for mean in means for step in steps]
    given = {**GIVEN, "parameters": {"n_components": 2}, "x": x, "y": [k for k in range(4) for _ in steps]}
    given["query"] = [[1, 2, 3]]
    asked = problem.read(json.dumps(given), "the problem")
    said = json.loads(json.dumps(answer.answer(asked)))
    said.pop("certificate")
    assert judge.verify(asked, reading.read(json.dumps(said), "the answer"))["accepted"]
    said["fitted"]["scalings"] = [[1.1 * row[0], *row[1:]] for row in said["fitted"]["scalings"]]
    found = judge.verify(asked, reading.read(json.dumps(said), "the answer"))
    assert not found["accepted"] and "scalings" in found["reason"]
