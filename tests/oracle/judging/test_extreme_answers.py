"""Answers that numbers of few digits hold hardly, or not: right ones accepted, changed ones refuted or left aside."""

import json

import pytest

from refclass.oracle import answer, judge, problem, reading
from tests.laws.far import posed

FAR = [[999999999999999.5, 3.0], [1000000000000001.5, 1.0], [1000000000000008.5, 2.0], [1000000000000007.0, 5.0]]
NODES = {"gamma": "1/100", "penalty": "1/10"}
HUGE = [[-3.5e29], [3.25e30], [2.25e30], [5.5e30]]


def own(given):
    """The package's own answer to a problem, as JSON holds it."""
    return json.loads(json.dumps(answer.answer(given)))


def verdict(given, said):
    """What verify says of an answer."""
    return judge.verify(given, reading.read(json.dumps(said), "A.json"))


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_values_at_rows_of_a_function_of_distances_are_judged(arithmetic):
    """A rounding of a point 10³⁰ away is farther than a bump reaches, but a row is rounded as it is."""
    given = posed("gaussian_nodes", NODES, HUGE, list("aabb"), arithmetic=arithmetic, query=HUGE[:3])
    said = own(given)
    assert verdict(given, said)["accepted"]
    said["predictions"]["decision"][0] = str(float(said["predictions"]["decision"][0]) * 1.05)
    assert not verdict(given, said)["accepted"]


def test_near_values_are_judged_beside_far_ones():
    """A point 10¹⁷ away has decision values that say nothing of the digits of others."""
    x = [[0, 1], [1, 0.5], [3.5, 2], [4, 1], [2, 2.5], [5, 3]]
    given = posed("lda", {}, x, list("ababab"), query=[[0.5, 0.5], [3e17, 1e17]])
    said = own(given)
    assert verdict(given, said)["accepted"]
    near = said["predictions"]["decision"][0]
    assert abs(said["predictions"]["decision"][1]) > 1e15
    said["predictions"]["decision"][0] = near * 1.01
    assert "decision[0]" in verdict(given, said)["reason"]


@pytest.mark.parametrize("name", ["decision", "posterior"])
def test_values_near_1e15_are_judged_to_a_digit_and_say_so(name):
    """A tenth off is within what roundings of coefficients move them by; twice that is not."""
    given = posed("lda", {"divisor": "n"}, FAR, list("aabb"), query=FAR[:3])
    said = own(given)
    assert verdict(given, said)["accepted"]
    for factor, accepted in ((0.95, True), (0.5, False)):
        other = json.loads(json.dumps(said))
        rows = other["predictions"][name]
        first = rows[0] if isinstance(rows[0], list) else rows
        first[0] *= factor
        found = verdict(given, other)
        places = [place for place in found["not_judged"] if place.startswith(f"{name}[0]")]
        assert (found["accepted"], bool(places)) in ((accepted, accepted), (False, False))


def test_what_rounding_hides_beyond_a_digit_is_named_as_not_judged():
    """A column 2x + 1 that only the digits beyond doubles separate: the values of a point are those digits'."""
    x = [
        [v, f"{2 * v + 1:.1f}{k}"]
        for v, k in ((0.7, "00000000000000003"), (0.3, "0000000000000001"), (1.7, "00000000000000005"))
    ]
    given = posed(
        "lda", {}, [*x, ["2.1", "5.2"], ["1.1", "3.2000000000000000002"]], list("aabbb"), query=[["0.71", "2.42"]]
    )
    said = own(given)
    assert "decision[0]" not in verdict(given, said)["not_judged"]
    near, far = ({**said, "predictions": {"decision": [t * said["predictions"]["decision"][0]]}} for t in (1.09, 2))
    found = verdict(given, near)
    assert found["accepted"] and "rounding" in found["not_judged"]["decision[0]"]
    assert not verdict(given, far)["accepted"]


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_the_objective_of_coefficients_that_no_number_holds_is_what_they_say(arithmetic):
    """Columns that nearly depend, as many rows as coefficients: 10¹⁷ in the sixteenth digit misses the responses."""
    x = [["0.3", "1.6000000000000000001"], ["1.7", "4.4"], ["2.9", "6.8"]]
    given = posed("linear_regression", {}, x, [1, 2, 4], arithmetic=arithmetic)
    said = own(given)
    if "refusal" in said:
        assert verdict(given, said)["accepted"]
        return
    assert verdict(given, said)["accepted"]
    wrong = {**said, "fitted": {**said["fitted"], "objective": 1.1 * float(said["fitted"]["objective"]) + 1}}
    assert not verdict(given, wrong)["accepted"]


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
@pytest.mark.parametrize("method, parameters", [("linear_regression", {}), ("ridge", {"penalty": "1/10"})])
def test_regressions_of_uneven_weights_are_answered_or_their_refusal_is_right(method, parameters, arithmetic):
    """Weights of 10^±100: numbers of few digits hold the exact fit, or nothing of it."""
    x = [[1e-30, 2e-30], [3e-30, -1e-30], [2e-30, 5e-30], [-1e-30, 1e-30], [4e-30, 3e-30]]
    for weights in ([1, 1e100, 1, 1e-100, 1], [1e100, 1e100, 1, 1, 1], [1, 1e-100, 1e-100, 1, 1]):
        given = posed(method, parameters, x, [1, 2, 4, 3, 7], arithmetic=arithmetic, weights=weights)
        said = own(given)
        assert verdict(given, said)["accepted"]
        if "refusal" in said:
            assert said["refusal"]["type"] == "NotConverged"


@pytest.mark.parametrize("scale", [1e150, 1e60])
def test_a_penalty_that_hardly_counts_keeps_columns_apart(scale):
    """Ridge regression of more columns than rows, λ = 1 beside 10³⁰⁰: there is an answer, and it is judged."""
    x = [[-4.25 * scale, 2.5 * scale, scale], [2.5 * scale, scale, 3 * scale]]
    given = posed("ridge", {}, x, [1, 2])
    said = own(given)
    assert "refusal" not in said and verdict(given, said)["accepted"]
    assert abs(said["fitted"]["degrees_of_freedom"] - 2) < 1e-9


@pytest.mark.parametrize(
    "name, asked",
    [("semiparametric_regression", {}), ("linear_regression", {}), ("ridge", {"penalty": "1/1000000000"})],
)
def test_a_small_objective_of_large_responses_has_its_sign_and_its_digits(name, asked):
    """Residuals of a millionth of the responses leave an objective of 10⁻¹² of their squares: what is reported follows
    from the coefficients that are, so that its negative, or a tenth more, is wrong.
    """
    x = [[v] for v in (0.25, -1.5, 0.75, 1.125, -0.375, 2.0, -0.625)]
    y = [1e6 * (1 + 2 * v) + e for (v,), e in zip(x, (0.5, -0.25, 0.125, -0.75, 1.0, 0.0, 0.25))]
    given = posed(name, asked, x, y, arithmetic="float")
    said = own(given)
    assert verdict(given, said)["accepted"]
    for factor in (-1, 1.1):
        fitted = {**said["fitted"], "objective": said["fitted"]["objective"] * factor}
        assert not verdict(given, {**said, "fitted": fitted})["accepted"]


def test_a_margin_whose_terms_cancel_to_all_digits_of_the_reference_is_judged_on_the_scale_of_the_objective():
    """Points 10⁻¹⁵⁵ from zero: ‖f‖² is some 10⁻³⁰⁹, of terms of one; a margin of 100 would make it 10⁻⁴."""
    x = [[v * 1e-155] for v in (0.4, 1.3, -0.5, 0.9, 0.2, 2.1)]
    given = {"method": "svc", "parameters": {"kernel": {"name": "polynomial", "degree": 3, "c": 1}}, "x": x}
    asked = problem.read(json.dumps({**given, "y": [0, 1] * 3, "arithmetic": "decimal:30"}), "P.json")
    said = own(asked)
    assert verdict(asked, said)["accepted"]
    said["fitted"]["margin"] = "100"
    found = verdict(asked, said)
    assert not found["accepted"] and found["reason"].endswith("margin: got 100, want none")


FEW = {
    "method": "svc",
    "parameters": {"C": 1e6, "intercept": False},
    "x": [[1e8 + v / 100 for v in a] for a in ((1, 1), (-1, -2), (1, -2), (2, -2), (1, 0))],
    "y": [0, 1, 0, 1, 0],
    "weights": [2, 1, 1, 1, 1],
    "query": [[1e8 + 0.01, 1e8 + 0.01], [1.5e8 + 0.015, 1.5e8], [1e8 - 0.01, 1e8 - 0.02]],
}


@pytest.mark.parametrize("change", ["", "coef", "decision", "labels"])
def test_coefficients_that_are_proven_need_not_follow_from_multipliers_of_few_digits(change):
    """Multipliers of the optimum, rounded so that four digits of the objective are left, and β of it, rounded."""
    asked = problem.read(json.dumps(FEW), "P.json")
    signed = [0, 1e6, -1e6, 671109.9782448199, -671109.9781112644]
    beta = [66.66666665555556, -66.66666667222222]
    values = [-1.666666094191216, -1.4999978078701575, -0.9999994271356605]
    fitted = {"alpha": list(map(abs, signed)), "intercept": [0.0], "coef": [beta]}
    told = {"labels": [0, 0, 0], "decision": values}
    if change == "coef":
        fitted["coef"] = [[1.01 * beta[0], beta[1]]]
    elif change:
        told[change] = [1, 0, 0] if change == "labels" else [1.01 * values[0], *values[1:]]
    found = verdict(asked, {"arithmetic": "float", "fitted": fitted, "predictions": told})
    assert found["accepted"] == (not change), found
