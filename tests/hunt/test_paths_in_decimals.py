"""Paths of kernels that are not rational, in decimals: own answers are verified, on the matrix that the decimals hold.

Of points whose kernel values differ in their last digits the path of a matrix of 20 digits is another one than that of
60 digits, or of doubles, by which it had been judged.
"""

import random
from fractions import Fraction

import pytest

from tests.hunt.own_and_changed import own, verdict

SCALE = {"name": "gaussian", "gamma": "scale"}
KERNELS = (SCALE, SCALE, {"name": "gaussian", "gamma": "1/100"}, {"name": "laplacian", "sigma": 1000})


def path(seed):
    """Return a path of points near each other, beside one that may lie far away."""
    r = random.Random(seed)
    n, unit, far = r.choice([5, 6, 8]), 10.0 ** r.choice([0, -6, 4]), 10.0 ** r.choice([0, 6, 9])
    x = [[unit * r.gauss(0, 1), unit * r.gauss(0, 1)] for _ in range(n)]
    x[r.randrange(n)][0] *= far
    given = {"method": "svm_path", "parameters": {"kernel": r.choice(KERNELS)}, "x": x, "y": [i % 2 for i in range(n)]}
    return {**given, "arithmetic": r.choice(["decimal:20", "decimal:25"])}


@pytest.mark.parametrize(
    "seeds",
    [(12,), pytest.param((7, 18, 53), marks=pytest.mark.slow), pytest.param(range(200), marks=pytest.mark.thorough)],
)
def test_paths_in_decimals_are_judged_on_the_matrix_that_these_hold(seeds):
    """Own answers are accepted; with a λ or a multiplier a thousandth off they are not."""
    for seed in seeds:
        asked, said = own(path(seed))
        assert verdict(asked, said)["accepted"], (seed, verdict(asked, said)["verdict"])
        for name, value in (("lambdas", said["fitted"]["lambdas"]), ("alphas", said["fitted"]["alphas"][-1])):
            place = max(range(len(value)), key=lambda i: Fraction(value[i]) if Fraction(value[i]) < 1 else 0)
            kept = value[place]
            value[place] = str(float(kept) * 1.001)
            assert not verdict(asked, said)["accepted"] or not float(kept), (seed, name)
            value[place] = kept


def test_a_rounded_matrix_with_a_direction_of_negative_curvature_has_its_path_judged_point_by_point():
    """Columns of 10⁻⁷ leave kernel values few of their 20 digits; below some λ nothing is said."""
    x = [[v * 1e-7] for v in (1.3676620773222277, -0.7116707011690925, -4.158127884456249, -12.491355095281422)]
    x += [
        [v * 1e-7] for v in (7.761539678285734, 7.753608497316717, -12.90287714828788, -7.357009127320779, -0.6375148)
    ]
    given = {"method": "svm_path", "parameters": {"kernel": {"name": "gaussian", "gamma": "1/2"}}, "x": x}
    asked, said = own({**given, "y": [0, 1, 0, 1, 0, 1, 0, 1, 0], "arithmetic": "decimal:20"})
    assert Fraction(said["fitted"]["least_lambda"]) > 0
    assert verdict(asked, said)["accepted"], verdict(asked, said)["verdict"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *(pytest.param(s, marks=pytest.mark.thorough) for s in range(2, 12))])
def test_a_kernel_whose_values_differ_beyond_all_digits_has_the_path_of_fractions_or_none(seed):
    """Columns of 10⁻³²⁰ beside a constant of one: decimals of 200 digits had found machines that are all constant."""
    r = random.Random(seed)
    x = [[5e-320 * round(r.gauss(0, 9)) for _ in range(2)] for _ in range(5)]
    given = {"method": "svm_path", "x": x, "y": [i % 2 for i in range(5)]}
    for kernel in ("linear", {"name": "polynomial", "degree": 3, "c": 1}):
        for arithmetic in ("float", "decimal:20"):
            asked, said = own({**given, "parameters": {"kernel": kernel}, "arithmetic": arithmetic})
            assert verdict(asked, said)["accepted"], (seed, kernel, verdict(asked, said)["verdict"])
