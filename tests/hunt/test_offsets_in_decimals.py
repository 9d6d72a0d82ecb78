"""Machines in decimals on points far from the origin: doubles hold other points, and the kernel of trust has no say."""

import random
from fractions import Fraction

import pytest

from tests.hunt.own_and_changed import own, verdict

KERNELS = ({"name": "gaussian", "gamma": "1/2"}, {"name": "laplacian", "sigma": 2})


def offset(seed):
    """Return a machine on points about one apart, 10⁶ or 10⁹ from the origin."""
    r = random.Random(seed)
    n, far, K = r.choice([6, 9]), 10.0 ** r.choice([6, 9]), r.choice([2, 3])
    x = [[far + i % K * r.choice([0, 2]) + r.gauss(0, 1), far + r.gauss(0, 1)] for i in range(n)]
    method = r.choice(["svc", "crammer_singer", "svr"])
    y = [r.gauss(0, 1) if method == "svr" else i % K for i in range(n)]
    parameters = {"C": r.choice([1000, 1000000]), "kernel": r.choice(KERNELS)}
    given = {"method": method, "parameters": parameters, "x": x, "y": y, "query": x[:2]}
    return {**given, "arithmetic": r.choice(["decimal:20", "decimal:30"])}


def penalised(seed):
    """Return a machine with a penalty, of one or several classes or of numbers, on the same points."""
    given, r = offset(seed), random.Random(f"penalised {seed}")
    method, K = r.choice(["kernel_ridge", "huber", "kernel_classifier", "lee_lin_wahba"]), r.choice([2, 3])
    kinds = {"kernel_classifier": lambda i: i % 2, "lee_lin_wahba": lambda i: i % K}
    y = [kinds.get(method, lambda i: r.gauss(0, 1))(i) for i in range(len(given["x"]))]
    parameters = {"penalty": r.choice(["1/1000000", "1/1000", 1]), "kernel": given["parameters"]["kernel"]}
    return {**given, "method": method, "y": y, "parameters": parameters}


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(400), marks=pytest.mark.thorough)])
def test_machines_with_penalties_in_decimals_far_from_the_origin_are_accepted(seeds):
    """Small penalties make large coefficients of small multipliers: own answers are accepted."""
    for seed in seeds:
        found = verdict(*own(penalised(seed)))
        assert found["accepted"], (seed, found["verdict"])


@pytest.mark.parametrize("seeds", [[0, 1, 2, 3, 112, 288], pytest.param(range(600), marks=pytest.mark.thorough)])
def test_machines_in_decimals_far_from_the_origin_are_judged_on_the_points_that_were_read(seeds):
    """Own answers are accepted; with the largest intercept, or multiplier, a tenth off they are not."""
    for seed in seeds:
        asked, said = own(offset(seed))
        assert verdict(asked, said)["accepted"], (seed, verdict(asked, said)["verdict"])
        name = "intercept" if said["method"] == "svr" else "alpha"
        values = said["fitted"][name]
        rows = values if isinstance(values[0], list) else [values]
        row = max(rows, key=lambda own: max(abs(Fraction(v)) for v in own))
        place = max(range(len(row)), key=lambda i: abs(Fraction(row[i])))
        row[place] = str(float(row[place]) * 1.1)
        assert not verdict(asked, said)["accepted"], (seed, name)
