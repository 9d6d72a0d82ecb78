"""The optimum of an irrational kernel lies in its enclosure: two points, whose optimum has a closed form."""

from decimal import Context, Decimal
from fractions import Fraction as Q

import pytest

from refclass.oracle.refinement import refine

LONG = Context(prec=60)
KERNELS = {  # of the points 0.1 and 1: the kernel, and t of k = e^(−t), or t² where t is irrational
    "gaussian": ({"name": "gaussian", "gamma": "1/3"}, Q(81, 300)),
    "scale": ({"name": "gaussian", "gamma": "scale"}, Q(81, 100) / Q(81, 400)),
    "laplacian": ({"name": "laplacian", "sigma": 2}, Q(9, 20)),
}


def refined(kernel, x=(["0.1"], [1]), **parameters):
    """Return what a refined answer says of the true kernel."""
    given = {"method": "svc", "parameters": {"kernel": kernel, **parameters}, "x": list(x), "y": [0, 1]}
    near = {"method": "svc", "fitted": {"alpha": [1, 1], "intercept": [0]}}
    return refine(given, near)["refined"].get("true_kernel")


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(
    ("parameters", "optimum"),
    [
        ({"C": "inf"}, lambda k: 1 / (1 - k)),
        ({"C": 100}, lambda k: 1 / (1 - k)),
        ({"C": "1/4"}, lambda k: Q(1, 2) - (1 - k) / 16),
        ({"C": 2, "loss": "squared_hinge"}, lambda k: 1 / (1 - k + Q(1, 4))),
    ],
)
def test_the_optimum_of_the_true_kernel_is_enclosed(name, parameters, optimum):
    """α = 1/(1 − k) where costs allow it, C where they do not, 1/(1 − k + 1/(2C)) where slack is squared; the
    digits are those of doubles, fewer by those of C, which a slack of one rounding costs  [ESL-12.13] [ESL-12.22]."""
    kernel, t = KERNELS[name]
    k = Q(LONG.exp(LONG.divide(Decimal(-t.numerator), Decimal(t.denominator))))
    found = refined(kernel, **parameters)
    low, high = map(Q, found["optimum"])
    assert low <= optimum(k) <= high and high - low < Q(1, 10**13) and found["digits"] > 13


def test_distances_beyond_doubles_and_other_kernels():
    """Points so far apart that k is below the grid: the optimum is 1. A rational kernel has no other than its own."""
    low, high = map(Q, refined({"name": "gaussian", "gamma": 1}, x=([0], [1000]), C=5)["optimum"])
    assert low <= 1 <= high < 1 + Q(1, 10**15)
    assert refined("linear") is None
