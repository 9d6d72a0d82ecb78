"""Refusals of an optimum that doubles do not hold: judged by the ceiling, which is computed."""

import json
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.kernels import combine
from refclass.oracle import answer, judge, problem, reading
from refclass.oracle.judging import refused
from tests.laws.far import MACHINES, posed, rows


def asked(name, offset, n=9):
    """The problem of a machine on rows about an offset."""
    method, parameters, classes = MACHINES[name]
    x, y = rows(3, offset, classes, n=n)
    return posed(method, parameters, x, y)


def test_a_refusal_is_right_where_the_exact_optimum_rounded_has_no_digit():
    """At 10⁹, of a polynomial kernel."""
    given = asked("polynomial kernel", 1e9)
    own = json.loads(json.dumps(answer.answer(given)))
    assert own["refusal"]["type"] == "NotConverged" and refused._ceiling(given) < refused.LEAST
    assert judge.verify(given, reading.read(json.dumps(own), "A.json"))["accepted"]


@pytest.mark.parametrize("name", ["Crammer-Singer", "hinge", "tube", "Huberised"])
def test_a_refusal_is_wrong_where_doubles_hold_the_optimum_of_unequal_numbers(name, monkeypatch):
    """At 10⁶ the rows are a million times their spread; the optimum in doubles has digits all the same."""
    given = asked(name, 1e6)
    assert refused._unscaled(given) and refused._ceiling(given) > refused.LEAST
    monkeypatch.setattr(refused, "_not_converged", lambda problem: pytest.fail("the ceiling decides before a fit"))
    said = judge.verify(given, {"arithmetic": "float", "refusal": {"type": "NotConverged", "message": "no digit"}})
    assert not said["accepted"] and "there is an answer" in said["reason"]


def test_one_machine_that_doubles_do_not_hold_stands_beside_one_without_answer():
    """Pairs of hard margins without an intercept at 10⁸: of the first no digit is held, the second is not separable."""
    x = [[round(1e8 + v / 100, 2) for v in a] for a in ((-1, -2), (-3, -2), (-2, 1), (-1, -1), (0, 3), (2, 1))]
    given = posed("svc", {"C": "inf", "loss": "squared_hinge", "intercept": False}, x, [0, 1, 2] * 2)
    own = json.loads(json.dumps(answer.answer(given)))
    assert own["refusal"]["type"] == "NotConverged"
    assert judge.verify(given, reading.read(json.dumps(own), "A.json"))["accepted"]


def test_a_refusal_is_right_where_functions_of_several_classes_vanish_beside_their_intercepts():
    """A point of 10⁹ beside three of one: constants have the objective to all digits, and doubles no function.

    Bounds of that refusal are those of the optimum, or it is refuted; so is one of a problem that has an answer. The
    points are such that sums that are compensated, as of Python 3.12, leave nothing either.
    """
    x, y = [[1e9], [-1.0518734664608622], [0.5800402486854561], [-0.16717380047128616]], [0, 1, 2, 0]
    parameters = {"kernel": {"name": "gaussian", "gamma": "scale"}, "penalty": "1/10"}
    given = posed("lee_lin_wahba", parameters, x, y)
    own = reading.read(json.dumps(answer.answer(given)), "A.json")
    assert own["refusal"]["type"] == "NotConverged"
    said = judge.verify(given, own)
    assert said["accepted"] and not said["not_judged"]
    for name, factor in (("primal", Fraction(99, 100)), ("dual", Fraction(101, 100))):
        witness = {**own["refusal"]["witness"], name: str(Fraction(own["refusal"]["witness"][name]) * factor)}
        other = {**own, "refusal": {**own["refusal"], "witness": witness}}
        assert "no optimum between" in judge.verify(given, other)["reason"]
    near = posed("lee_lin_wahba", parameters, [[2.0], *x[1:]], y)
    assert "there is an answer" in judge.verify(near, own)["reason"]


def test_the_witness_of_an_answer_in_doubles_counts_at_its_doubles():
    """A text of 17 digits stands for the double nearest to it: far from the origin the text itself has other digits."""
    given = asked("Crammer-Singer", 1e7)
    alpha = given.fitted().alpha_
    texts = [[Fraction(repr(v)) for v in row] for row in alpha]
    assert any(map(Fraction.__ne__, *[[Fraction(v) for row in table for v in row] for table in (texts, alpha)]))
    assert refused._proven(given, {"alpha": texts}) == refused._proven(given, {"alpha": alpha}) > 1


@pytest.mark.parametrize("method, parameters", [("lda", {}), ("fisher", {}), ("rda", {"alpha": 1, "gamma": 1})])
def test_a_null_vector_is_judged_with_the_weights_of_the_rows(method, parameters):
    """Rows of weight zero vary along it, and have no say; a class's own covariance is judged by its own rows."""
    x, y = [[0, 1], [1, 1], [2, 1], [5, 2], [6, 2], [7, 2], [1, 7], [4, 9]], list("aaabbbab")
    given = posed(method, parameters, x, y, weights=[1] * 6 + [0, 0])
    own = json.loads(json.dumps(answer.answer(given)))
    assert own["refusal"]["type"] == "NoAnswer" and own["refusal"]["witness"]["null_vector"]
    said = judge.verify(given, reading.read(json.dumps(own), "A.json"))
    assert said["accepted"] and "its witness proves" in said["reason"]
    wrong = {**own, "refusal": {**own["refusal"], "witness": {"null_vector": [1, 0]}}}
    assert not judge.verify(given, reading.read(json.dumps(wrong), "A.json"))["accepted"]


@pytest.mark.parametrize("kind", ["InvalidInput", "NotExact", "NoAnswer"])
@pytest.mark.parametrize("method", [name for name in refused.EXISTING if name != "kernel_ridge"])
def test_a_refusal_of_the_usual_problem_is_wrong_whoever_refuses_it(method, kind, monkeypatch):
    """By a theorem, not by a fit, which might share the mistake: positive costs, moderate numbers, classes enough."""

    def mistaken(own):
        raise InvalidInput(method, need="C a finite number > 1", got=1)

    monkeypatch.setattr(problem.Problem, "fitted", mistaken)
    given = {"method": method, "x": [[0, 1], [2, 1], [3, 5]], "y": [0, 1, 1]}
    found = judge.verify(problem.read(json.dumps(given), "P.json"), {"fitted": {}, "refusal": {"type": kind}})
    assert found["verdict"].startswith("wrong: there is an answer")


@pytest.mark.parametrize(
    ("method", "parameters", "y"),
    [("svr", {"C": -1}, [1, 2, 3]), ("huber", {"penalty": 0}, [1, 2, 4]), ("svm_path", {}, [1, 2, 3])],
)
def test_no_theorem_says_that_an_invalid_problem_has_an_answer(method, parameters, y):
    """Costs below zero, no penalty, a path of three classes: the refusal is right, one of another kind is not."""
    given = {"method": method, "parameters": parameters, "x": [[0, 1], [2, 1], [3, 5]], "y": y}
    asked = problem.read(json.dumps(given), "P.json")
    assert judge.verify(asked, {"fitted": {}, "refusal": {"type": "InvalidInput"}})["accepted"]
    assert "InvalidInput" in judge.verify(asked, {"fitted": {}, "refusal": {"type": "NoAnswer"}})["reason"]


def test_a_refusal_that_rests_on_wrong_values_of_a_kernel_is_wrong(monkeypatch):
    """What the package takes for an indefinite kernel it refuses, and judges alike: values are computed anew."""
    given = {"kernel": {"name": "series", "coefficients": [1, 2], "kernel": "linear"}}
    asked = posed("kernel_ridge", given, [[1.0, 0.5], [2.0, 1.5], [0.5, 3.0]], [1.0, 2.0, 4.0])
    row = combine.Series.row
    monkeypatch.setattr(combine.Series, "row", lambda *given: -row(*given))
    own = reading.read(json.dumps(answer.answer(asked)), "A.json")
    found = judge.verify(asked, own)
    assert own["refusal"]["type"] == "NotConverged" and not found["accepted"]
    assert found["reason"] == "K(0, 0): -3.5 is used, a second computation finds 3.5"
