"""Answers of linear machines on columns far from the origin: accepted, in words that say no more than all of it has.

Multipliers of such columns cancel in Σ aᵢxᵢ: they may prove the objective to 16 digits, and coefficients a tenth off
have 9 of it. Rounded multipliers and rounded coefficients have other best intercepts, of which an answer has one.
"""

import random
from fractions import Fraction as Q

import pytest

from refclass.oracle import kernel
from refclass.oracle.judging import objectives, trusted
from tests.hunt import own_and_changed

METHODS = {
    "huber": {"c": [0.1, 1, 1.345]},
    "svr": {"loss": ["squared_epsilon_insensitive", "epsilon_insensitive"], "epsilon": [0, 0.01]},
    "kernel_classifier": {"loss": ["hinge", "squared", "squared_hinge"]},
}


def case(seed):
    """Return a linear machine with penalty 10⁻¹² to 10⁶ on a few points 10⁶ to 10⁹ from the origin."""
    r = random.Random(f"far columns {seed}")
    method = list(METHODS)[seed % len(METHODS)]
    parameters = {name: r.choice(values) for name, values in METHODS[method].items()}
    weight = 10.0 ** r.uniform(-12, 6)
    parameters["C" if method == "svr" else "penalty"] = weight
    n, p, far = r.randint(2, 10), r.choice([1, 2, 3]), 10.0 ** r.uniform(6, 9)
    x = [[far * r.uniform(0.5, 1.5) if seed % 2 else far + r.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    y = [i % 2 for i in range(n)] if method == "kernel_classifier" else [far * r.gauss(0, 1) for _ in x]
    return {"method": method, "parameters": parameters, "x": x, "y": y}


def headline(found):
    """Return the digits in the words of a verdict."""
    words = found["verdict"].split(";")[0]
    return float(words.split(" to ")[1].split()[0]) if " to " in words else float("inf")


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [*range(6), 83, *[pytest.param(k, marks=pytest.mark.thorough) for k in range(6, 300) if k != 83]]
)
def test_words_claim_no_more_digits_of_the_objective_than_coefficients_have(seed):
    """Own answers are accepted; of a coefficient a tenth off the words say no more than its own objective does."""
    asked, said = own_and_changed.own(case(seed))
    if "refusal" in said:
        assert said["refusal"]["type"] == "NotConverged"
        return
    found = own_and_changed.verdict(asked, said)
    assert found["accepted"], found["reason"]
    row = said["fitted"]["coef"]
    row = row[0] if isinstance(row[0], list) else row
    j = max(range(len(row)), key=lambda j: abs(row[j]))
    row[j] *= 1.1
    found = own_and_changed.verdict(asked, said)
    held = objectives.digits(kernel.Problem(trusted.asking(asked)), said["fitted"], Q(found["certificate"]["dual"]))
    assert not found["accepted"] or headline(found) <= held
