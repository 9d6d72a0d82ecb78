"""Lee, Lin and Wahba's machine with costs that no double or decimal holds: it is answered, and its answers accepted."""

import json
from random import Random

import pytest

from refclass.oracle import judge, problem
from refclass.oracle.answer import answer
from tests.profiles import thorough

SEEDS = range(1000) if thorough() else (1, 2, 6, 10, 25, 51, 58, 124)


def drawn(seed):
    """Return a problem with costs such as 1/3, in doubles or decimals; of many the optimum is one constant a class."""
    r = Random(seed)
    K = r.choice([2, 3, 4])
    n, off, p = r.randint(K + 1, 10), r.choice([0, 0, 1000]), r.choice([1, 2])
    x = [[off + r.uniform(0, r.choice([0.01, 1, 1, 5])) for _ in range(p)] for _ in range(n)]
    costs = [[0 if j == k else r.choice([1, 2, 3, "1/3", "1/7", 0.1]) for k in range(K)] for j in range(K)]
    if r.random() < 0.5:
        costs = [[0 if j == k else costs[0][1] for k in range(K)] for j in range(K)]
    parameters = {"penalty": r.choice([1, "1/1000", "1/3", 8]), "costs": costs}
    arithmetic = r.choice(["float", "decimal:20", "decimal:30"])
    given = {"method": "lee_lin_wahba", "parameters": parameters, "x": x, "y": [i % K for i in range(n)]}
    return {**given, "arithmetic": arithmetic}


@pytest.mark.parametrize("seed", SEEDS)
def test_machines_with_costs_are_answered_and_accepted(seed):
    """A finite convex objective that grows without bound has a least value: the fit finds it, and it is right."""
    question = problem.read(json.dumps(drawn(seed)), "P.json")
    reported = json.loads(json.dumps(answer(question)))
    assert "fitted" in reported, reported["refusal"]
    found = judge.verify(question, judge.read(json.dumps(reported), "A.json"))
    assert found["accepted"], found["verdict"]
