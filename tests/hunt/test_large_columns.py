"""Linear machines on large columns with small penalties: doubles hold their multipliers only if rounded together.

Rounded each by itself they have no digit of the function: columns of 10⁸ with multipliers of 10⁷ have products of 10²³.
"""

import random

import pytest

from tests.hunt import kinds
from tests.hunt.ceilings import ASKED, Weighted, examined
from tests.profiles import examples

SQUARED = {
    "kernel_classifier": [{"loss": loss} for loss in ("squared", "squared_hinge")],
    "svc": [{"loss": "squared_hinge"}],
    "kernel_ridge": [{}],
    "svr": [{"loss": "squared_epsilon_insensitive", "epsilon": 0}],
}
STEP = 10


def around(r, n, p):
    """Columns of one order of magnitude, 10⁶ to 10⁹."""
    middle = 10.0 ** r.uniform(6, 9)
    return [[middle * r.uniform(0.5, 1.5) for _ in range(p)] for _ in range(n)]


def case(seed, sizes, columns):
    """Return the case that a seed stands for: quadratic losses, all or most multipliers free."""
    r = random.Random(f"large columns {seed}")
    rows, n, p, name = (
        r.choice([around, around, kinds.prices]),
        r.choice(sizes),
        r.choice(columns),
        r.choice([*SQUARED]),
    )
    own = {**r.choice(SQUARED[name]), "kernel": "linear", "intercept": r.random() < 0.8}
    penalty = 10.0 ** r.uniform(-9, 3)
    own.update({"C": 1 / penalty} if name in ("svc", "svr") else {"penalty": penalty})
    X = rows(r, n, p)
    y = kinds.labels(r, rows.__name__, X, 2) if name in ("svc", "kernel_classifier") else kinds.responses(r, X)
    return Weighted(rows.__name__, name, own, X, y, 0, (1.0,) * n)


def wrong(given):
    """Return what is wrong with a case that is to have nine digits, in words with the line that repeats it."""
    words, digits = examined(given)
    return f"{words} {digits}: {given.line()}" if words or digits is None or digits < ASKED else ""


def test_ten_rows_of_one_large_column():
    """The squared loss with a penalty of 1.7·10⁻⁷, from data near 6.5·10⁸, was refused with 0.16 digits."""
    r = random.Random(3)
    X = [[6.5e8 * r.uniform(0.5, 1.5)] for _ in range(10)]
    own = {"loss": "squared", "penalty": 1.7e-7, "kernel": "linear"}
    assert not wrong(Weighted("around", "kernel_classifier", own, X, [i % 2 for i in range(10)], 0, (1.0,) * 10))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, examples(20), STEP))
def test_four_times_as_many_points_as_sums_leave_room_for_nine_digits(first):
    """Of eight points of one column, twelve of two, judged beside the exact optimum."""
    found = [wrong(case(seed, (4 * p + 4,), (p,))) for p in (1, 2) for seed in range(first, first + STEP)]
    assert not any(found), "\n".join(["", *filter(None, found)])


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, examples(10), STEP))
def test_of_many_points_twenty_multipliers_take_up_what_the_others_miss(first):
    """Of 30 to 60 points of up to three columns."""
    found = [wrong(case(seed, (30, 45, 60), (1, 2, 3))) for seed in range(first, first + STEP)]
    assert not any(found), "\n".join(["", *filter(None, found)])
