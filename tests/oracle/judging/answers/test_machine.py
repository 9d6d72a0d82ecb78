"""Hyperplanes alone at hard margins: where a margin is missed, by how much, and what is made up by scaling."""

import json
from fractions import Fraction
from random import Random

import pytest

from refclass import SVC
from refclass.certificate import Certificate
from refclass.linear.vector import Vector
from refclass.oracle import answer, judge, problem
from refclass.oracle.judging.answers import machine
from tests.profiles import thorough

HARD = {"method": "svc", "parameters": {"C": "inf"}, "x": [[0], [2], [3]], "y": [0, 1, 1]}  # the optimum is x − 1

PROVEN = Certificate("optimal", Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(0), "", {})


def verdict(coef, intercept, digits=6, given=HARD):
    """Return the verdict on a hyperplane in fractions."""
    reported = {"arithmetic": "exact", "fitted": {"coef": [coef], "intercept": [intercept]}}
    return judge.verify(problem.read(json.dumps(given), "P.json"), judge.read(json.dumps(reported), "A.json"), digits)


@pytest.mark.parametrize(
    ("coef", "intercept", "where", "least"),
    [
        ("1/2", "-1/2", "point 0: y·f is 0.5, and no slack is allowed", "1/2"),
        ("1/2", "-3/4", "point 1: y·f is 0.25, and no slack is allowed", "3/4"),
        ("1", "-2", "point 1: y·f is 0, and no slack is allowed", "1"),
        ("-1", "1", "point 2: y·f is -2, and no slack is allowed", "3"),
    ],
)
@pytest.mark.parametrize("digits", [0, 6])
def test_the_least_margin_is_named_with_what_it_misses(coef, intercept, where, least, digits):
    """The point of the least y·f, and 1 less it, exactly  [ESL-12.10]; where 0 digits are asked for, f
    above zero everywhere is enough."""
    found = verdict([coef], intercept, digits)
    if digits == 0 and least in ("1/2", "3/4"):
        assert found["accepted"] and found["certificate"]["dual"] == "1/2"
        return
    assert found["verdict"].startswith("infeasible") and where in found["reason"]
    assert (found["certificate"]["worst_violation"], found["certificate"]["dual"]) == (least, "1/2")


def test_a_margin_missed_by_the_digits_asked_is_made_up_by_scaling():
    """0.999 (x − 1) misses by 1/1000, three digits; scaled up it is the optimum itself; asked for more, it fails."""
    found = verdict(["999/1000"], "-999/1000", 3)
    assert found["accepted"] and (found["certificate"]["primal"], found["certificate"]["gap"]) == ("1/2", "0")
    assert verdict(["999/1000"], "-999/1000", 3.2)["verdict"].startswith("infeasible")


def test_margins_above_one_are_feasible_and_suboptimal():
    """1.5 (x − 1) and 2 (x − 1) keep every margin and cost 2.25 and 4 times as much; 1000 (x − 1) a million times."""
    for coef, intercept, primal, share in (
        ("2", "-2", "2", 75),
        ("3/2", "-3/2", "9/8", 56),
        ("1000", "-1000", "500000", 100),
    ):
        found = verdict([coef], intercept)
        assert not found["accepted"] and found["verdict"] == f"suboptimal by at most {share} % of its objective"
        assert (found["certificate"]["primal"], found["certificate"]["dual"]) == (primal, "1/2")
    assert verdict(["1"], "-1")["certificate"]["gap"] == "0"


@pytest.mark.parametrize(
    ("ends", "wrong"),
    [([-0.5, 0.5], None), ([-0.75, 0.5], 0), ([-0.5, 1], 1), ([None, 0.5], None)],
)
def test_the_ends_of_the_intercepts_are_intercepts_of_an_optimum(ends, wrong):
    """x = ±1 with C = ¼: α = ¼ each, f = x/2 + b is optimal for −½ ≤ b ≤ ½; an end beyond costs more  [KIM-3.49]."""
    given = {"method": "svc", "parameters": {"C": "1/4"}, "x": [[-1], [1]], "y": [0, 1]}
    reported = {
        "arithmetic": "float",
        "fitted": {"alpha": [0.25, 0.25], "intercept": [0.0], "intercept_interval": ends},
    }
    found = judge.verify(problem.read(json.dumps(given), "P.json"), judge.read(json.dumps(reported), "A.json"), 6)
    assert found["accepted"] == (wrong is None)
    assert wrong is None or found["verdict"].startswith(f"wrong: intercept_interval[{wrong}]: with the intercept")


def ends(intercept, end, digits=6):
    """Return the verdict on f = x/2 + b at x = ±1 with C = ¼, and on b < ½ as an end of its intercepts."""
    given = {"method": "svc", "parameters": {"C": "1/4"}, "x": [[-1], [1]], "y": [0, 1]}
    told = {"alpha": [0.25, 0.25], "intercept": [intercept], "intercept_interval": [-0.5, end]}
    question = problem.read(json.dumps(given), "P.json")
    return judge.verify(question, judge.read(json.dumps({"arithmetic": "float", "fitted": told}), "A.json"), digits)


def test_an_end_needs_the_digits_asked_or_one_fewer_than_the_intercept():
    """An end 10⁻⁹ beyond is an intercept to nine digits; beside an intercept of d digits, d − 1 are enough, and as many
    as are asked for are enough."""
    assert ends(0.0, 0.5 + 1e-9)["accepted"]
    held = ends(0.5 + 2.0**-21, 0.5, 3)["certificate"]["digits"]
    assert 6 < float(Fraction(str(held))) < 7
    assert ends(0.5 + 2.0**-21, 0.5 + 2.0**-19)["accepted"]
    assert not ends(0.5 + 2.0**-21, 0.5 + 2.0**-17)["accepted"]
    digits = float(Fraction(str(ends(0.5 + 2.0**-12, 0.5, 1)["certificate"]["digits"])))
    assert ends(0.0, 0.5 + 2.0**-12, digits)["accepted"] and not ends(0.0, 0.5 + 2.0**-12, digits + 0.01)["accepted"]


@pytest.mark.parametrize(("low", "high", "wrong"), [(-0.25, 0.5, 0), (-0.5, 0.25, 1), (0.0, 0.0, 0), (-0.5, 0.4999, 1)])
def test_an_end_of_the_intercepts_that_is_too_far_in_is_refuted(low, high, wrong):
    """x = ±1 with C = ¼, as above: between an end that is reported and ±½ every intercept is as good  [KIM-3.49]."""
    given = {"method": "svc", "parameters": {"C": "1/4"}, "x": [[-1], [1]], "y": [0, 1]}
    told = {"alpha": [0.25, 0.25], "intercept": [0.0], "intercept_interval": [low, high]}
    question = problem.read(json.dumps(given), "P.json")
    found = judge.verify(question, judge.read(json.dumps({"arithmetic": "float", "fitted": told}), "A.json"))
    assert not found["accepted"] and found["verdict"].startswith(f"wrong: intercept_interval[{wrong}]: ")
    assert found["verdict"].endswith(f"is too far in: f is as good with every intercept to {(-0.5, 0.5)[wrong]}")


def test_ends_beyond_roundoff_of_a_poor_answer_are_left():
    """Multipliers a thousandth too small have a gap of 1e-4, within which the ends may lie: nothing is said of them."""
    given = {"method": "svc", "parameters": {"C": "1/4"}, "x": [[-1], [1]], "y": [0, 1]}
    told = {"alpha": [0.24975, 0.24975], "intercept": [0.0], "intercept_interval": [-0.5005, 0.5005]}
    question = problem.read(json.dumps(given), "P.json")
    found = judge.verify(question, judge.read(json.dumps({"arithmetic": "float", "fitted": told}), "A.json"), 3)
    assert found["accepted"] and "leaves the ends open by" in found["not_judged"]["intercept_interval"]


def balanced(seed):
    """Return an SVC of overlapping classes of 4 and 3 points with balanced weights, all multipliers at their bounds."""
    r = Random(seed)
    x = [[1000 + r.uniform(0, 0.01)] for _ in range(7)]
    arithmetic = r.choice(["float", "decimal:20", "exact"])
    parameters = {"C": r.choice([1, 0.1, "1/3"]), "class_weight": "balanced"}
    return {"method": "svc", "parameters": parameters, "x": x, "y": [0, 1, 0, 1, 0, 1, 0], "arithmetic": arithmetic}


@pytest.mark.parametrize("seed", range(300 if thorough() else 12))
def test_ends_of_costs_that_rounding_leaves_unbalanced_are_accepted(seed):
    """4·7/8 = 3·7/6, of which doubles hold only the first: one end, or both, are right, no intercept between them."""
    question = problem.read(json.dumps(balanced(seed)), "P.json")
    exact = answer.answer(problem.read(json.dumps({**balanced(seed), "arithmetic": "exact"}), "P.json"))
    low, high = map(float, map(Fraction, exact["fitted"]["intercept_interval"]))
    assert low < high
    reported = json.loads(json.dumps(answer.answer(question)))
    verdicts = [judge.verify(question, judge.read(json.dumps(reported), "A.json"))]
    reported["arithmetic"] = "float"
    for ends in ([low, high], [low, low], [high, high], [(low + high) / 2] * 2, [low, (low + high) / 2]):
        fitted = {"alpha": reported["fitted"]["alpha"], "intercept": [ends[0]], "intercept_interval": ends}
        verdicts.append(judge.verify(question, judge.read(json.dumps({**reported, "fitted": fitted}), "A.json")))
    assert [v["accepted"] for v in verdicts] == [True] * 4 + [False] * 2, [v["verdict"] for v in verdicts]


def test_a_multiplier_of_roundoff_does_not_fix_the_intercept():
    """A multiplier of 10⁻³⁵ beside others of 3 is zero, and leaves an interval of a quarter."""
    x = [[345, 4], [612, 4], [870, 490], [846, 6], [666, 1000], [273, 852], [517, 609]]
    given = {"method": "kernel_classifier", "parameters": {"penalty": "1/3", "loss": "hinge"}}
    given.update(x=[[1000 + v / 1000 for v in row] for row in x], y=[0, 1, 0, 1, 0, 1, 0])
    wide = [answer.answer(problem.read(json.dumps({**given, "arithmetic": F}), "P.json")) for F in ("float", "exact")]
    (low, high), (least, most) = (tuple(map(Fraction, v["fitted"]["intercept_interval"])) for v in wide)
    assert most - least > Fraction(1, 4) and max(abs(low - least), abs(high - most)) < Fraction(1, 10**8)


@pytest.mark.parametrize("method", ["svr", "huber", "kernel_classifier"])
def test_ends_of_regressions_and_other_losses_are_judged_too(method):
    """Two points whose multipliers are all at their bounds leave an interval; half of it is refuted  [MMST-11.126]."""
    labels = [0, 1] if method == "kernel_classifier" else [-5, 5]
    parameters = {"svr": {"C": 1, "epsilon": 0}, "huber": {"penalty": 1, "c": 1}, "kernel_classifier": {"penalty": 8}}
    given = {"method": method, "parameters": parameters[method], "x": [[-1], [1]], "y": labels}
    question = problem.read(json.dumps(given), "P.json")
    reported = json.loads(json.dumps(answer.answer(question)))
    low, high = reported["fitted"]["intercept_interval"]
    assert low < high
    found = judge.verify(question, judge.read(json.dumps(reported), "A.json"))
    assert found["accepted"] and "intercept_interval" in found["digits"]
    for end, way in (((low + high) / 2, "too far in"), (high + (high - low) / 1000, "too far out")):
        reported["fitted"]["intercept_interval"] = [low, end]
        found = judge.verify(question, judge.read(json.dumps(reported), "A.json"))
        assert not found["accepted"] and "intercept_interval[1]" in found["verdict"] and way in found["verdict"]


def taken(alpha, beta0, **options):
    """What follows from multipliers of two points on a line."""
    given = {"method": "svc", "parameters": options, "arithmetic": "exact", "x": [[-1], [1]], "y": [0, 1]}
    asked = problem.read(json.dumps(given), "P.json")
    alpha = Vector([Fraction(v) for v in alpha])
    return machine.take(SVC(**options), "exact", asked, machine.Judged(None, None, alpha, Fraction(beta0)))


def test_what_follows_from_multipliers_and_an_intercept_is_that_by_hand():
    """α = (½, ½) of x = ±1: β = 1, f(z) = z + β₀, both points on the margin; zero is of the second class and a tie
    [ESL-12.20]."""
    found = taken(["1/2", "1/2"], 0)
    assert found.coef_ == [[1]] and found.support_ == [0, 1] and found.dual_coef_ == [[-Fraction(1, 2), Fraction(1, 2)]]
    assert found.decision_function([[2], [0], [-3]]) == [2, 0, -3]
    assert found.predict([[2], [0], [-3]]) == [1, 1, 0] and found.ties([[2], [0], [-3]]) == [[1], [0, 1], [0]]
    assert found.objective_ == found.dual_objective_ == Fraction(1, 2) and found.intercept_interval_ == (0, 0)
    moved = taken(["1/4", "1/4"], "1/3", C="1/4")
    assert moved.decision_function([[2]]) == [Fraction(4, 3)] and moved.intercept_interval_ == (
        -Fraction(1, 2),
        Fraction(1, 2),
    )
    assert taken(["1/2", "1/2"], 0, intercept=False).intercept_interval_ == (0, 0)


def test_without_multipliers_every_value_is_the_intercept():
    """α = 0: β = 0, and no support vectors."""
    found = taken([0, 0], "-1/2")
    assert found.coef_ == [[0]] and found.support_ == [] and found.decision_function([[7]]) == [-Fraction(1, 2)]
    assert found.predict([[7]]) == [0]


def test_what_follows_from_a_hyperplane_is_that_by_hand():
    """w = (3, −1), b = ½: w·x + b, its square 10; zero is of the second class and a tie  [ESL-12.2]."""

    class Proven:
        primal = dual = Fraction(5)

    found = machine.Plane(["a", "b"], {"coef": [[3, -1]], "intercept": [Fraction(1, 2)]}, Proven)
    X = [[1, 1], [Fraction(-1, 6), 0], [-1, 0]]
    assert found.decision_function(X) == [Fraction(5, 2), 0, Fraction(-5, 2)] and found._trained.square == 10
    assert found.predict(X) == ["b", "b", "a"] and found.ties(X) == [["b"], ["a", "b"], ["a"]]


def test_a_plane_without_an_intercept_has_labels_and_ties_by_the_sign():
    """f = x: labels at −¼, 0, ¼ and what ties at 0 alone  [ESL-12.2]."""
    plane = machine.Plane(["a", "b"], {"coef": [1]}, PROVEN)
    points = [[Fraction(-1, 4)], [0], [Fraction(1, 4)]]
    assert plane.decision_function(points) == [Fraction(-1, 4), 0, Fraction(1, 4)]
    assert plane.predict(points) == ["a", "b", "b"] and plane.ties(points) == [["a"], ["a", "b"], ["b"]]


def test_multipliers_that_are_taken_have_ties_and_a_solved_machine():
    """α = ½ each at x = 0 and 2: f = x − 1, with labels and ties by its sign, and the intercept −1  [ESL-12.20]."""
    asked = problem.read(json.dumps({**HARD, "x": [[0], [2]], "y": [0, 1]}), "P.json")
    reported = machine.Judged(PROVEN, None, Vector([Fraction(1, 2)] * 2), Fraction(-1))
    taken = machine.take(SVC(C="inf"), "exact", asked, reported)
    points = [[Fraction(3, 4)], [1], [Fraction(5, 4)]]
    assert taken.ties(points) == [[0], [0, 1], [1]] and taken.coef_ == [[1]]
    (solved,) = taken.solved()
    assert (solved.beta0, solved.a) == (-1, Vector([Fraction(-1, 2), Fraction(1, 2)]))
