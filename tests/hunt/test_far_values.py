"""Logistic regressions with one value far from all others: the maximum, proven, or a refusal in words.

Where the others pull the other way, the margin of that row is near the logarithm of its distance, and coefficients are
as small; else its posterior is one, and the others decide. Either is found by steps of Newton's method that are doubled
while the likelihood rises.
"""

from random import Random

import pytest

from refclass import LogisticRegression
from refclass.certificate import ASKED
from refclass.errors import NoAnswer, NotConverged

SEEDS = range(2000, 2200)


def far_value(seed):
    """Return rows of which one value is 10³⁰ to 10¹⁰⁰, labels, and a penalty."""
    r = Random(seed)
    n, p, K = r.choice([8, 12]), r.choice([1, 2]), r.choice([2, 2, 2, 3])
    X, y = [[r.gauss(0, 1) for _ in range(p)] for _ in range(n)], [r.randrange(K) for _ in range(n)]
    y[:K] = range(K)
    X[r.randrange(n)][r.randrange(p)] = r.choice([-1, 1]) * 10.0 ** r.choice([30, 60, 80, 100])
    return X, y, r.choice([0, 0, 1, "1/100"])


def examine(seed):
    """Return "fitted" or the kind of the refusal, having checked that all that is fitted is proven.

    Of three classes coefficients that sum to zero may hide their differences, of 10⁻³⁰ beside one, and Newton's step
    for one of them may leave the other where nothing but a margin of 10³⁰ is near.
    """
    X, y, penalty = far_value(seed)
    try:
        found = LogisticRegression(penalty=penalty).fit(X, y).certificate_
    except NoAnswer as refusal:
        assert penalty == 0 and ("separated" in str(refusal) or "null_vector" in refusal.witness), refusal
        return "none"
    except NotConverged as refusal:
        assert len(set(y)) > 2 and ("its equations" in str(refusal) or "gradient" in refusal.witness), refusal
        return "refused"
    assert found.digits >= ASKED or (len(set(y)) > 2 and found.ceiling <= found.digits + 1), found
    return "fitted"


@pytest.mark.parametrize("seed", [2000, pytest.param(2001, marks=pytest.mark.slow)])
def test_one_value_far_from_all_others_leaves_a_maximum(seed):
    """Some had been refused as singular or unfinished, and coefficients of 10⁻⁶⁰ had been returned with two digits."""
    examine(seed)


@pytest.mark.thorough
def test_many_tables_with_one_value_far_from_all_others():
    """Two hundred, most of them fitted."""
    found = [examine(seed) for seed in SEEDS]
    assert found.count("fitted") > len(found) // 2 and found.count("refused") < len(found) // 20


def test_the_row_far_away_decides_its_own_coefficient_or_none():
    """A value of 10⁶⁰ that others agree with changes nothing but itself; one that they do not, has margin log 10⁶⁰."""
    X, y = [[-2], [-1], [1], [0], [2], [3]], [0, 1, 0, 1, 0, 1]
    alone = LogisticRegression().fit(X, y)
    agreed = LogisticRegression().fit([*X, [1e60]], [*y, 1])
    against = LogisticRegression().fit([*X, [1e60]], [*y, 0])
    assert alone.coef_[0][0] > 0 and abs(agreed.coef_[0][0] - alone.coef_[0][0]) < 1e-12
    assert -200 < against.coef_[0][0] * 1e60 < -100
    assert min(m.certificate_.digits for m in (agreed, against)) > 14
