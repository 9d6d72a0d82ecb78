"""The package's judge and the kernel of trust give the same verdict on generated problems, right and wrong answers.

The kernel bounds the objective at the nearest feasible point, and says how far that is; the judge refutes multipliers
that violate their constraints by more than the digits asked for allow, whatever the objective. No other difference is.
Of kernel ridge regression the kernel judges the equation of the intercept, too: the objective has twice its digits.
"""

import json
import random

import pytest

from refclass.oracle import answer, judge, kernel, problem
from tests.oracle.perturbing import places
from tests.profiles import thorough

GAUSSIAN = {"name": "gaussian", "gamma": "1/3"}
QUADRATIC = {"name": "polynomial", "degree": 2}
KINDS = {
    "svc": [{}, {"C": 10, "kernel": GAUSSIAN}, {"loss": "squared_hinge"}, {"kernel": QUADRATIC}, {"intercept": False}],
    "svr": [{}, {"epsilon": "1/10", "C": 3}, {"loss": "squared_epsilon_insensitive"}],
    "huber": [{}, {"kernel": GAUSSIAN}],
    "kernel_ridge": [{"penalty": "1/10"}, {"kernel": GAUSSIAN}, {"intercept": "penalised"}],
    "kernel_classifier": [{"loss": "squared_hinge"}, {"loss": "hinge", "kernel": GAUSSIAN}],
    "crammer_singer": [{}, {"C": "1/4"}],
    "lee_lin_wahba": [{}],
    "lda": [{}, {"divisor": "n"}],
    "qda": [{}, {"divisor": "n"}],
    "rda": [{"alpha": "1/2", "gamma": "1/3"}],
    "fisher": [{}, {"between": "centroids"}],
    "ridge": [{}, {"penalty": "1/10"}],
    "linear_regression": [{}],
    "least_squares": [{}],
    "scoring": [{}],
}
CONSTRAINTS = ("out of bounds", "do not sum to zero", "alpha", "the intercepts")
NUMBERS = ("svr", "huber", "kernel_ridge", "ridge", "linear_regression")
RULES = ("coef", "intercept", "means", "covariance", "covariances", "scalings", "eigenvalues")
JUDGED = {  # by the kernel: of a machine what its function is made of
    **dict.fromkeys(("svc", "kernel_classifier", "lee_lin_wahba"), ("alpha", "intercept")),
    **dict.fromkeys(("svr", "huber", "kernel_ridge"), ("coefficients", "intercept")),
    "crammer_singer": ("alpha",),
}


def drawn(method, seed):
    """Return a problem as JSON holds it."""
    r = random.Random(f"{method} {seed}")
    K = 2 if method in ("kernel_classifier", *NUMBERS) or seed % 2 else 3
    n, p = r.choice([8, 10, 12]) if K == 2 else 12, r.choice([1, 2])
    y = [i % K for i in range(n)]
    x = [[round(r.gauss(0, 1.5) + g, 2) for _ in range(p)] for g in y]
    if method in NUMBERS:
        y = [round(row[0] ** 2 - row[-1] + r.gauss(0, 1), 2) for row in x]
    return {"method": method, "parameters": r.choice(KINDS[method]), "x": x, "y": y}


def verdicts(raw, reported):
    """Return what the package's judge says, and the kernel alone."""
    asked = problem.read(json.dumps(raw), "P.json")
    exact = judge.reading.exact(asked, judge.read(json.dumps(reported, default=str), "A.json"))
    first = judge.verify(asked, judge.read(json.dumps(reported, default=str), "A.json"), 6)["accepted"]
    second = kernel.judge(raw, {"fitted": exact["fitted"]}, 6)
    infeasible = second["where"].endswith(CONSTRAINTS) and second["worst_violation"] > 1e-6
    return first, second["verdict"] == "accepted" and not infeasible


@pytest.mark.many
@pytest.mark.parametrize("seed", range(200 if thorough() else 7))
@pytest.mark.parametrize("method", sorted(KINDS))
def test_two_judges_agree(method, seed):
    """On the answer of `solve`, and on the same with one number a hundredth off."""
    raw = drawn(method, seed)
    reported = json.loads(json.dumps(answer.answer(problem.read(json.dumps(raw), "P.json"))))
    if "refusal" in reported:
        return
    reported = {"fitted": reported["fitted"], "arithmetic": "float"}
    assert verdicts(raw, reported) == (True, True)
    r = random.Random(seed)
    fixed = ("intercept",) if raw["parameters"].get("intercept", True) is not True else ()
    name = r.choice([n for n in JUDGED.get(method, RULES) if n in reported["fitted"] and n not in fixed])
    values = list(places(reported["fitted"][name]))
    holder, i = max(values, key=lambda place: abs(place[0][place[1]]))
    holder[i] += 0.01 * (abs(holder[i]) or 1)
    first, second = verdicts(raw, reported)
    assert first == second, name


def test_an_intercept_near_zero_that_is_a_hundredth_off_is_refuted_by_both():
    """The objective has six digits still, the intercept of the squared loss less than four of the data's scale."""
    raw = drawn("kernel_ridge", 13)
    fitted = json.loads(json.dumps(answer.answer(problem.read(json.dumps(raw), "P.json"))))["fitted"]
    moved = {**fitted, "intercept": [fitted["intercept"][0] * 1.01]}
    assert verdicts(raw, {"fitted": fitted, "arithmetic": "float"}) == (True, True)
    assert verdicts(raw, {"fitted": moved, "arithmetic": "float"}) == (False, False)
