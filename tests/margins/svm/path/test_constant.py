"""Paths whose machines are all constant have no break points, and that is proven, not followed."""

from fractions import Fraction
from random import Random

import pytest

from refclass import SVMPath
from refclass.margins.svm.path import record
from tests.hunt import test_paths as paths
from tests.profiles import thorough

SEEDS = range(40 if thorough() else 4)


def inside(seed):
    """A few points of one class in the middle of many of the other; kernels of low rank."""
    r = Random(seed)
    few, p = r.choice([2, 5, 8]), r.choice([1, 2, 3])
    X = [[r.gauss(0, 1) for _ in range(p)] for _ in range(5 * few)] + [[r.gauss(0, 0.1) for _ in range(p)]] * few
    kernel = r.choice(["linear", {"name": "polynomial", "degree": 2, "c": 0}]) if p == 1 else "linear"
    middle = 10.0 ** r.choice([0, 3, 6]) if kernel == "linear" else 0
    return kernel, [[middle + v for v in x] for x in X], [0] * (5 * few) + [1] * few


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
def test_a_path_of_constant_machines_is_proven_in_fractions_whatever_the_arithmetic(arithmetic):
    """The multipliers that doubles come near to are corrected; every machine votes for the larger class."""
    proven = 0
    for seed in SEEDS:
        kernel, X, y = inside(seed)
        path = SVMPath(kernel=kernel, arithmetic=arithmetic).fit(X, y)
        if path.lambdas_:
            continue
        proven += path._model.path.problem.y.kind is Fraction
        assert path.least_lambda_ == 0 and path.certificate_.digits >= 9
        machine = path.at(1)
        assert set(machine.predict(X)) == {0} and machine.certificate_.digits >= 9
        again = record.model(record.record(path._model), path._model.K, path._model.held)
        assert again.at(machine.field().lift(2)) == path._model.at(machine.field().lift(2))
    assert proven >= len(SEEDS) // 2


def test_equal_classes_about_one_mean_have_no_break_points():
    """α = 1 everywhere, f = 0 and an intercept that is free from −1 to 1."""
    path = SVMPath(arithmetic="exact").fit([[-1, 1], [1, -1], [2, 2], [-2, -2]], [0, 0, 1, 1])
    assert path.lambdas_ == [] and path.at(1).intercept_interval_ == (-1, 1)


@pytest.mark.slow
def test_a_kernel_that_rounding_leaves_indefinite_is_followed_as_far_as_its_machines_are_proven():
    """Of 160 points on a line, a Gaussian of γ = 10⁻⁸ in doubles: constant but for roundoff; was NotConverged."""
    kernel, X, y = paths.path(228, (30, 60, 100, 160))
    path = SVMPath(kernel=kernel).fit(X, y)
    assert path.lambdas_ == [] and 0 < path.least_lambda_ < 1e-5 and "below lambda" in path.certificate_.premise
    assert all(path.at(lam).certificate_.digits >= 9 for lam in (path.least_lambda_, 1e-3, 1))
