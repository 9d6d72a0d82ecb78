"""Ceilings in decimals: an answer of as many digits as decimals hold is right, one of fewer is wrong."""

import json
from random import Random

import pytest

from refclass.oracle import answer, judge, problem
from tests.profiles import thorough

SEEDS = range(40) if thorough() else (1, 4, 11)


def drawn(method, seed):
    """Return a machine with a polynomial kernel on rows far from zero, in twenty decimals."""
    r = Random(seed)
    size = 10.0 ** r.randint(1, 4)
    x = [[size * r.randint(1, 9) + r.randint(-3, 3), r.randint(1, 5) / 10.0 ** r.randint(0, 4)] for _ in range(6)]
    y = [round(r.gauss(0, 1), 2) for _ in x]
    kernel, C = {"name": "polynomial", "degree": r.randint(2, 4)}, 10.0 ** r.randint(0, 6)
    cost = {"penalty": 1 / C} if method == "semiparametric_regression" else {"C": C}
    labels = list("ababba") if method == "svc" else y
    given = {
        "method": method,
        "parameters": {"kernel": kernel, **cost},
        "arithmetic": "decimal:20",
        "x": x,
        "y": labels,
    }
    return problem.read(json.dumps(given), "P.json")


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", ["svc", "svr", "semiparametric_regression"])
def test_an_answer_at_the_ceiling_of_decimals_is_right_and_one_far_below_is_wrong(method, seed):
    """As solved, and with the multipliers cut to four digits."""
    asked = drawn(method, seed)
    reported = json.loads(json.dumps(answer.answer(asked)))
    if "refusal" in reported:
        return
    digits = float(reported["certificate"]["digits"])
    found = judge.verify(asked, judge.read(json.dumps(reported), "A.json"))
    assert found["accepted"], found["reason"]
    assert digits >= 6 or (abs(found["ceiling"] - digits) < 1 and "rounded to decimals of 20 digits" in found["reason"])
    for name in ("alpha", "alpha_star", "coefficients"):
        values = reported["fitted"].get(name, [])
        reported["fitted"][name] = [f"{float(v):.3e}" for v in values]
        if values == []:
            del reported["fitted"][name]
    assert not judge.verify(asked, judge.read(json.dumps(reported), "A.json"))["accepted"]


@pytest.mark.slow
@pytest.mark.parametrize("own", ["float", "decimal:3", "decimal:7"] if thorough() else ["decimal:3"])
@pytest.mark.parametrize("classes", ["ab", "abc"] if thorough() else ["ab"])
def test_ends_of_intercepts_are_refuted_however_few_digits_an_arithmetic_holds(classes, own):
    """Columns of 10⁵ to 2·10⁶: few decimals hold nothing of the multipliers, which excuses no end that is 1 off."""
    found = []
    for seed in range(12 if thorough() else 1):
        r = Random(f"ends {seed}")
        x = [[round(r.uniform(1e5, 2e6), 2) for _ in range(2)] for _ in range(6)]
        y = [classes[i % len(classes)] for i in range(6)]
        given = problem.made({"method": "svc", "x": x, "y": y, "parameters": {"multiclass": "ovr"}}, "P")
        told = answer.answer(given)["fitted"]
        several = isinstance(told["intercept_interval"][0], list)
        for moved in (0, 1, -100):
            ends = [list(v) for v in (told["intercept_interval"] if several else [told["intercept_interval"]])]
            ends[-1][1] += moved
            fitted = {**told, "intercept_interval": ends if several else ends[0]}
            accepted = judge.verify(given, {"fitted": fitted, "arithmetic": own})["accepted"]
            if accepted != (not moved):
                found.append(f"seed {seed}: moved by {moved}, accepted: {accepted}")
    assert not found, "\n".join(["", *found])
