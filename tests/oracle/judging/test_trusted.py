"""The second opinion of the kernel of trust: multipliers of both sides of a tube, degrees of freedom by hand."""

import json
from fractions import Fraction as Q

import pytest

from refclass.oracle import judge, kernel, problem, reading
from refclass.oracle.answer import answer
from refclass.oracle.judging import trusted
from refclass.oracle.references import ridge_trace
from tests.hunt.extreme_tables import table
from tests.oracle import planting

TUBE = {
    "method": "svr",
    "parameters": {"C": 10000, "epsilon": 100},
    "arithmetic": "exact",
    "x": [[0], [1], [2]],
    "y": [0, 2000, 4100],
}


def read(given):
    """Return a problem."""
    return problem.read(json.dumps(given), "P.json")


def dissent(given, fitted, digits):
    """Return what the second opinion says of an answer that holds so many digits."""
    return trusted.dissent(read(given), {"fitted": fitted}, digits + trusted.BESIDE, digits + trusted.BESIDE)


@pytest.fixture(scope="module")
def tube():
    """Return the exact answer of the tube."""
    return json.loads(json.dumps(answer(read(TUBE))))["fitted"]


def test_both_multipliers_of_a_response_are_held_to_its_coefficient(tube):
    """One coefficient is 0 and the largest near 1000: multipliers off by a millionth of it have six digits, no more
    [ESL-12.37]."""
    sizes = sorted(abs(Q(v)) for v in tube["coefficients"])
    assert sizes[0] == 0 and sizes[-1] > 900 and not dissent(TUBE, tube, 12)
    i = next(i for i, v in enumerate(tube["alpha_star"]) if Q(v))
    off = list(tube["alpha_star"])
    off[i] = str(Q(off[i]) + sizes[-1] / 10**6)
    assert dissent(TUBE, {**tube, "alpha_star": off}, 6) is None
    assert dissent(TUBE, {**tube, "alpha_star": off}, 7).startswith(f"alpha[{i}]: alpha_star less alpha is not")


def test_coefficients_alone_have_no_sides(tube):
    """Without alpha or without alpha_star there is nothing to compare; with both negative there is."""
    for name in ("alpha", "alpha_star"):
        assert dissent(TUBE, {k: v for k, v in tube.items() if k != name}, 9) is None
    both = {name: [str(Q(v) - 1) for v in tube[name]] for name in ("alpha", "alpha_star")}
    assert dissent(TUBE, {**tube, **both}, 9).startswith("alpha[0]")


def test_a_tube_of_a_constant_has_multipliers_of_zero():
    """All coefficients are 0, and so are both multipliers; 1 each is refuted."""
    given = {**TUBE, "y": [5, 5, 5]}
    fitted = {"coefficients": [0, 0, 0], "intercept": [5], "alpha": [0, 0, 0], "alpha_star": [0, 0, 0]}
    assert dissent(given, fitted, 9) is None
    assert dissent(given, {**fitted, "alpha": [0, 1, 0], "alpha_star": [0, 1, 0]}, 9).startswith("alpha[1]")


RIDGE = {
    "method": "kernel_ridge",
    "parameters": {"penalty": 3, "intercept": False},
    "x": [[1, 0], [0, 1]],
    "y": [4, 8],
}


@pytest.mark.parametrize(
    ("weights", "coefficients", "freedom"),
    [([1, 1], [1, 2], Q(1, 2)), ([1, 2], [1, "16/5"], Q(1, 4) + Q(2, 5)), ([1, 0], [1, 0], None)],
)
def test_the_degrees_of_freedom_are_judged_by_the_trace(weights, coefficients, freedom):
    """Σ 1/(1 + λ/wᵢ) for two orthogonal points; below 1 the scale is 1; a weight of zero is not judged  [ESL-12.35]."""
    given = {**RIDGE, "weights": weights}
    fitted = {"coefficients": coefficients}
    if freedom is None:
        assert dissent(given, {**fitted, "degrees_of_freedom": 77}, 9) is None
        return
    assert dissent(given, {**fitted, "degrees_of_freedom": str(freedom)}, 12) is None
    near = {**fitted, "degrees_of_freedom": str(freedom + Q(1, 10**6))}
    assert dissent(given, near, 6 if freedom == Q(1, 2) else 5) is None
    assert dissent(given, near, 7).startswith("degrees_of_freedom: got")


def test_a_free_intercept_has_one_degree_of_freedom_of_its_own():
    """x = ∓1 about their mean 0, λ = 2: 1 + 2/(2 + 2)."""
    given = {"method": "kernel_ridge", "parameters": {"penalty": 2}, "x": [[-1], [1]], "y": [-2, 2]}
    fitted = {"coefficients": ["-1/2", "1/2"], "intercept": [0]}
    assert dissent(given, {**fitted, "degrees_of_freedom": "3/2"}, 12) is None
    assert dissent(given, {**fitted, "degrees_of_freedom": "5/4"}, 1).startswith("degrees_of_freedom")


def test_a_trace_is_computed_up_to_so_many_rows(monkeypatch):
    """At as many rows as are allowed it is, at one more it is not."""
    fitted = {"coefficients": [1, 2], "degrees_of_freedom": 1}
    monkeypatch.setattr(ridge_trace, "SMALL", 2)
    assert dissent(RIDGE, fitted, 6)
    monkeypatch.setattr(ridge_trace, "SMALL", 1)
    assert dissent(RIDGE, fitted, 6) is None


def test_the_sides_are_measured_by_the_largest_coefficient_whatever_its_sign():
    """−9 and 4, 5: half a millionth of 9 leaves six digits, of 5 it would not; a difference counts on either side
    [ESL-12.37]."""
    own = kernel.Problem({"method": "svr", "x": [[0], [1], [2]], "y": [0, 1, 2], "parameters": {"epsilon": 1}})
    sides = {"alpha": [9, 0, 0], "alpha_star": [0, 4, 5]}
    for sign in (-1, 1):
        off = Q(sign * 8, 10**6)
        near = {**sides, "coefficients": [-9, 4 + off, 5]}
        assert trusted._sides(own, near, 6) is None
        assert trusted._sides(own, near, 6.1).startswith("alpha[1]")


def test_a_negative_trace_is_its_own_scale():
    """K = −9/10 and λ = 1: K/(K + λ) = −9, and 5·10⁻⁶ of it leave six digits  [ESL-12.35]."""
    given = {"method": "kernel_ridge", "x": [["-9/10"]], "y": [1]}
    given["parameters"] = {"kernel": "precomputed", "penalty": 1, "intercept": False}
    fitted = {"degrees_of_freedom": Q(-9) + Q(5, 10**6)}
    assert trusted._trace(kernel.Problem(given), fitted, 6) is None
    assert trusted._trace(kernel.Problem(given), fitted, 6.3).startswith("degrees_of_freedom: got -8.999995")


def test_digits_of_the_gram_matrix_beyond_doubles_are_left_to_the_proof():
    """Points 10⁻⁸ apart in different classes: in doubles their kernel values are 1, in 30 digits they are not."""
    given = {"method": "svc", "parameters": {"C": "inf", "kernel": {"name": "gaussian", "gamma": "1/3"}}}
    given = {**given, "arithmetic": "decimal:30", "x": [["0"], ["1/100000000"], ["1"], ["3"]], "y": [0, 1, 1, 0]}
    asked = problem.read(json.dumps(given), "P.json")
    reported = json.loads(json.dumps(answer(asked)))
    assert judge.verify(asked, reported)["accepted"]
    reported["fitted"]["alpha"][1] = "1" + reported["fitted"]["alpha"][1]
    assert not judge.verify(asked, reported)["accepted"]


def test_scores_whose_regression_doubles_cannot_hold_are_judged_by_the_exact_one():
    """Weights of 10^150 leave fits at heavy points no digit, whatever the rounding of β; β is known all the same."""
    given = table(20767)
    fitted = json.loads(json.dumps(answer(read(given))))["fitted"]
    assert dissent(given, fitted, 6) is None
    for name, k in (("coef", 0), ("intercept", 0), ("intercept", 1), ("scores", 1)):
        value = fitted[name][k]
        moved = [v * 1.0001 for v in value] if isinstance(value, list) else value * 1.0001
        spoiled = [moved if i == k else v for i, v in enumerate(fitted[name])]
        assert "0.0 digits" in dissent(given, {**fitted, name: spoiled}, 6)


@pytest.mark.parametrize("method, wrong", [("kernel_classifier", 1.03), ("kernel_ridge", 1.03)])
def test_coefficients_whose_terms_cancel_are_judged_by_their_objective(method, wrong):
    """Multipliers of 10⁶ at λ = 10⁻⁶ leave a coefficient of one no digit of their own: 10 % off had been accepted."""
    X = [[0.3, 1.1], [-0.7, 0.4], [1.9, -0.2], [0.1, -1.6], [-1.2, 0.8], [0.6, 0.5], [2.1, 1.3], [-0.4, -0.9]]
    y = [0, 1, 0, 0, 1, 1, 0, 1] if method == "kernel_classifier" else [0.1, 2.0, -1.0, 0.5, 3.0, 1.0, 0.7, -2.0]
    own = {"loss": "squared", "penalty": 1e-6} if method == "kernel_classifier" else {"penalty": 1e-6}
    asked = problem.read(json.dumps({"method": method, "parameters": own, "x": X, "y": y}), "the problem")
    said = json.loads(json.dumps(answer(asked)))["fitted"]
    assert judge.verify(asked, reading.read(json.dumps({"fitted": said}), "the answer"))["accepted"]
    row = said["coef"][0] if method == "kernel_classifier" else said["coef"]
    row[0] *= wrong
    found = judge.verify(asked, reading.read(json.dumps({"fitted": said}), "the answer"))
    assert not found["accepted"] and "coef" in found["reason"]


@pytest.mark.parametrize("value, right", [(2.0, True), (2.4, False)])
def test_the_objective_of_a_hard_margin_is_that_of_the_multiple_that_keeps_the_margins(value, right):
    """f = 2x(1 − δ) misses the margins by δ, and f/(1 − δ) costs 2: that is the objective, as `SVC` reports it."""
    given = {"method": "svc", "parameters": {"C": "inf", "kernel": {"name": "polynomial", "degree": 1, "c": 0}}}
    asked = problem.read(json.dumps({**given, "x": [[-0.5], [0.5]], "y": [-1, 1]}), "the problem")
    said = {"alpha": [1.998, 1.998], "intercept": [0], "objective": value}
    found = judge.verify(asked, reading.read(json.dumps({"fitted": said}), "the answer"), 5)
    assert found["accepted"] is right, found["reason"]


@pytest.mark.parametrize("method", ["svr", "huber", "kernel_ridge", "kernel_classifier"])
def test_predictions_alone_are_held_to_their_function(method):
    """The sign of the intercept is changed where linear functions are evaluated, solved and judged so: not accepted."""
    given = {"method": method, "parameters": {"intercept": True}, "query": [[1, 1]]}
    given.update(x=[[0, 1], [1, 3], [2, 0], [4, 1]], y=[0, 1, 0, 1] if method == "kernel_classifier" else [7, 9, 6, 8])
    module, name = "refclass.kernels.matrices.expansions", "linear"
    k = next(k for k, place in enumerate(planting.places(module, name)) if place[2] == "BinOp")
    with planting.planted(module, name, k) as words:
        own = json.loads(json.dumps(answer(read(given))))
        found = judge.verify(read(given), reading.formed({"predictions": own["predictions"]}, "A.json"))
    assert words.endswith("dot(beta, z) + b -> dot(beta, z) - b")
    assert "refuted: labels[0]" in found["reason"] or "refuted: decision[0]" in found["reason"]


LEVEL = [[2000, 75100], [2000, 58200], [2000, 57600], [2000, 97400]]
CANCELLED = [[2000, 75], [2001, 58], [2002, 57], [2001, 97], [2000, 75], [2001, 58]]


@pytest.mark.parametrize(
    ("method", "x", "y", "off"),
    [("crammer_singer", LEVEL, [0, 1, 0, 1], "9e-7"), ("lee_lin_wahba", CANCELLED, [0, 1, 2, 0, 1, 2], "1/10")],
)
@pytest.mark.parametrize("arithmetic", ["float", "exact"])
def test_coefficients_of_direct_machines_are_held_to_their_objective(method, x, y, off, arithmetic):
    """One entry off is nothing on the scale of its data, or of multipliers that cancel; to the objective it is."""
    parameters = {"penalty": "1e-9"} if method == "lee_lin_wahba" else {}
    given = read({"method": method, "parameters": parameters, "arithmetic": arithmetic, "x": x, "y": y})
    own = json.loads(json.dumps(answer(given)))
    assert judge.verify(given, reading.formed(own, "A.json"))["accepted"]
    own["fitted"]["coef"][0][0] = str(Q(own["fitted"]["coef"][0][0]) + Q(off))
    assert "coef: the objective of what they say" in judge.verify(given, reading.formed(own, "A.json"))["reason"]


def test_a_coefficient_of_a_deviance_that_its_multipliers_do_not_have_is_refuted():
    """Rows that differ by units in the last place: Σ aᵢxᵢ cancels, and one is not what it leaves."""
    x = [[1 + k * 2.0**-52] for k in (0, 1, 2, 3, 5, 8)]
    given = {"method": "kernel_classifier", "parameters": {"loss": "deviance"}, "x": x, "y": [0, 1, 0, 1, 1, 0]}
    asked = problem.read(json.dumps(given), "P.json")
    reported = json.loads(json.dumps(answer(asked)))
    assert judge.verify(asked, judge.read(json.dumps(reported), "A.json"))["accepted"]
    reported["fitted"]["coef"] = [[1.0]]
    found = judge.verify(asked, judge.read(json.dumps(reported), "A.json"))
    assert not found["accepted"] and "coef[0][0]: got 1, want" in found["reason"]


@pytest.mark.parametrize("penalty, weights", [(Q(1, 10**1000), [1, 1, 1]), (1, [1, 10**1000, 10**1000])])
def test_a_trace_has_as_many_digits_as_its_system_loses(penalty, weights):
    """K = 1 everywhere and λ/w of 10⁻¹⁰⁰⁰: tr S = Σw/(λ + Σw), from a system whose condition is 10¹⁰⁰⁰
    [ESL-12.35]."""
    given = {"method": "kernel_ridge", "x": [[1]] * 3, "y": [1, 2, 3], "weights": weights}
    own = kernel.Problem({**given, "parameters": {"penalty": str(penalty), "intercept": False}})
    right = sum(weights) / (penalty + Q(sum(weights)))
    assert trusted._trace(own, {"degrees_of_freedom": right}, 40) is None
    assert trusted._trace(own, {"degrees_of_freedom": right - Q(1, 10**30)}, 40).startswith("degrees_of_freedom")
