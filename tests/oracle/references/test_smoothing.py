"""Smoothing parameters found by GCV are judged by their GCV, and all else at the reported parameter."""

import json
import random
from fractions import Fraction as Q

import pytest

from refclass.oracle import answer, judge, problem
from tests.hunt.own_and_changed import own as hunted
from tests.hunt.smoothing import KINDS, responses
from tests.oracle import refits
from tests.profiles import thorough

METHODS = {
    "smoothing_spline": {"method": "smoothing_spline"},
    "bruto": {"method": "bruto"},
    "fda": {"method": "fda", "parameters": {"regression": "bruto"}},
    "regression_classifier": {"method": "regression_classifier"},
}
SEEDS = range(20 if thorough() else 1)


def drawn(method, seed):
    """Return a noisy parabola, or the classes that one separates, with pure noise in the last of several columns."""
    r = random.Random(f"{method} {seed}")
    p = 1 if method == "smoothing_spline" else r.choice([1, 2, 3])
    x = [[round(r.uniform(0, 10), 3) for _ in range(p)] for _ in range(r.choice([8, 10, 12]))]
    y = [round((row[0] - 4) ** 2 / 5 + r.gauss(0, 1), 3) for row in x]
    if method in ("fda", "regression_classifier"):
        y = ["ab"[v > sorted(y)[len(y) // 2]] for v in y]
    return problem.read(json.dumps({**METHODS[method], "x": x, "y": y, "query": x[:2]}), "P.json")


def answered(asked):
    """Return the answer as a file brings it back."""
    return judge.read(json.dumps(answer.answer(asked)), "A.json")


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_own_answers_are_accepted_and_perturbed_ones_refuted(method, seed):
    """Whatever the digits to which λ itself is known."""
    with refits.kept():
        asked = drawn(method, seed)
        reported = answered(asked)
        assert judge.verify(asked, reported)["accepted"]
        for name in ("fitted_values", "degrees_of_freedom", "gcv", "intercept", "eigenvalues", "centroids"):
            value = reported["fitted"].get(name)
            if value in (None, [], 0) or (isinstance(value, list) and not any(map(bool, value))):
                continue
            wrong = json.loads(json.dumps(value, default=float))
            if isinstance(wrong, list):
                holder = wrong[0] if isinstance(wrong[0], list) else wrong
                place = max(range(len(holder)), key=lambda i: abs(holder[i]))
                holder[place] *= 1.0001
            else:
                wrong *= 1.0001
            found = judge.verify(asked, {**reported, "fitted": {**reported["fitted"], name: wrong}})
            assert not found["accepted"], name


def at(asked, share):
    """Return the answer at the λ of lowest GCV, moved by a share of itself."""
    found = answered(asked)["fitted"]["penalty"]
    return Q(found) * (1 + share)


@pytest.mark.long
@pytest.mark.parametrize("share", [Q(1, 10**5), Q(-1, 10**4)])
def test_another_penalty_whose_score_is_the_lowest_to_the_digits_asked_for_is_right(share):
    """λ may differ where GCV agrees to nine digits; the curve is that of the reported λ  [ESL-12.3.3-additive]."""
    asked = drawn("smoothing_spline", 1)
    own = problem.make("smoothing_spline", {"penalty": at(asked, share)}, "exact").fit(asked.x, asked.y)
    fitted = {name: v for name, v in answer.tree(answer.fitted(own)).items() if v is not None}
    found = judge.verify(asked, {"fitted": fitted, "arithmetic": "exact"}, 9)
    assert found["accepted"], found["reason"]
    old = answered(asked)["fitted"]["fitted_values"]
    mixed = {"penalty": at(asked, share), "fitted_values": old}
    assert not judge.verify(asked, {"fitted": mixed, "arithmetic": "exact"}, 9)["accepted"]


@pytest.mark.slow
def test_a_penalty_whose_score_is_higher_is_refuted():
    """A tenth more costs in the third digit of GCV."""
    asked = drawn("smoothing_spline", 1)
    found = judge.verify(asked, {"fitted": {"penalty": at(asked, Q(1, 10))}, "arithmetic": "exact"})
    assert not found["accepted"] and found["wrong"]["attribute"] == "penalty"


def curve(seed):
    """Return the problem of a curve whose λ is chosen by GCV, on a hard table, its degrees limited or not."""
    r = random.Random(f"curve {seed}")
    x = r.choice(KINDS)(r, r.choice([5, 8, 12]), 1)
    parameters = r.choice([{}, {}, {"cost": 2}, {"max_degrees_of_freedom": 3}])
    given = {"method": "smoothing_spline", "parameters": parameters, "x": x, "y": responses(r, x)}
    return {**given, "arithmetic": r.choice(["float", "decimal:30"])}


@pytest.mark.parametrize(
    "seeds", [pytest.param(range(2), marks=pytest.mark.slow), pytest.param(range(150), marks=pytest.mark.thorough)]
)
def test_a_penalty_is_right_to_the_digits_that_are_said_of_it(seeds):
    """Moved in the last digit that GCV determines it is refuted, also where all else is as it was."""
    for seed in seeds:
        asked, reported = hunted(curve(seed))
        found = judge.verify(asked, reported)
        assert found["accepted"], (seed, found["reason"])
        lam, left = reported.get("fitted", {}).get("penalty"), found["not_judged"].get("penalty", "")
        assert left or lam in (None, "inf") or Q(lam) == 0, seed
        known = int(left.split()[2].rstrip(":")) if left else 0
        for share in (1 + Q(1, 10**known), 1 / (1 + Q(1, 10**known))) if known else ():
            moved = {**reported["fitted"], "penalty": Q(lam) * share}
            assert not judge.verify(asked, {**reported, "fitted": moved})["accepted"], (seed, known)


def test_a_variable_left_out_that_would_lower_the_score_is_refuted():
    """The parabola's own variable, excluded."""
    asked = drawn("bruto", 0)
    reported = {"penalty": [None] * len(asked.x[0])}
    assert not judge.verify(asked, {"fitted": reported})["accepted"]
