"""Where residuals vanish but for roundoff, the package's own answers stand, their certificates included."""

import json
import random

import pytest

from refclass.oracle import answer, judge, problem
from refclass.oracle.readers import formats

REGRESSIONS = ("linear_regression", "ridge", "kernel_ridge", "huber", "svr", "polynomial", "bruto", "mars")


def drawn(seed):
    """Return rows of decimals and responses that are a line in them, exactly; or points symmetric about zero."""
    r = random.Random(seed)
    if seed % 3 == 2:
        half = [[round(r.uniform(0.1, 3), 1)] for _ in range(r.choice([2, 3, 5]))]
        X = [[-x] for (x,) in half] + half
        return X, [round(1.5 * x, 2) for (x,) in X]
    X = [[round(r.uniform(0.1, 1), 1)] for _ in range(r.choice([4, 6, 9]))]
    slope, height = r.choice([3, 0.7, -1.1]), r.choice([0, 0, 0.3])
    return X, [round(slope * x + height, 4) for (x,) in X]


@pytest.mark.long
@pytest.mark.parametrize("method", REGRESSIONS)
def test_own_answers_stand_where_nothing_is_left(method):
    """What `solve` answers, `verify` accepts, though an objective that should be 0 is the square of roundoff."""
    found = []
    for seed in range(24):
        X, y = drawn(seed)
        asked = problem.read(json.dumps({"method": method, "x": X, "y": y}), "P.json")
        text = json.dumps(answer.answer(asked))
        verdict = judge.verify(asked, formats.read(asked, text, "A.json"))
        if not verdict["accepted"] and "refusal" not in json.loads(text):
            found.append(f"seed {seed}: {verdict['reason']}")
    assert not found, found


@pytest.mark.parametrize("method", ["lda", "fisher", "scoring", "fda", "pda"])
def test_an_eigenvalue_of_an_axis_that_is_not_there_is_zero(method):
    """Four classes on a line have one axis: another is reported with an eigenvalue of roundoff, or it is wrong."""
    x = [[v] for v in (3, 11, 12, 8, 5, 11, 11, 15, 1, 11, 4, 13, 4, 10, 7, 9)]
    asked = problem.read(json.dumps({"method": method, "x": x, "y": [i % 4 for i in range(16)]}), "P.json")
    reported = json.loads(json.dumps(answer.answer(asked)))
    (value,) = reported["fitted"]["eigenvalues"]
    for extra, accepted in ((1e-12, True), (-1e-17, True), (1e-3, False), ("nan", False)):
        part = {"classes": reported["fitted"]["classes"], "eigenvalues": [value, extra]}
        found = judge.verify(asked, judge.read(json.dumps({"arithmetic": "float", "fitted": part}), "A.json"))
        assert found["accepted"] is accepted, found
        assert accepted or found["verdict"].startswith("wrong: eigenvalues[1]: got ")
