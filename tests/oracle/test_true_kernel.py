"""The optimum of an irrational kernel lies in its enclosure: two points, whose optimum has a closed form."""

from decimal import Context, Decimal
from fractions import Fraction as Q

import pytest

from refclass.oracle import answer, problem
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


POINTS = [["0.1", 0], [1, "0.3"], ["1.7", "-0.4"], ["0.5", "1.1"], ["2.2", "0.6"], ["1.3", "1.9"]]
OTHERS = {
    "svr": ({"C": 2, "epsilon": "1/10"}, ["0.3", 1, "-0.7", 2, "0.1", 1]),
    "huber": ({"c": "1/2"}, ["0.3", 1, "-0.7", 2, "0.1", 1]),
    "kernel_ridge": ({"penalty": "1/10"}, ["0.3", 1, "-0.7", 2, "0.1", 1]),
    "kernel_classifier": ({"loss": "huberised"}, [0, 1, 0, 1, 1, 0]),
    "svc": ({"C": 3}, [0, 1, 2, 0, 1, 2]),
    "one_vs_rest": ({"estimator": {"name": "svc", "C": 3}}, [0, 1, 2, 0, 1, 2]),
    "crammer_singer": ({"C": 3}, [0, 1, 2, 0, 1, 2]),
    "lee_lin_wahba": ({"penalty": "1/10"}, [0, 1, 2, 0, 1, 2]),
}


@pytest.mark.parametrize("name", ["gaussian", "laplacian"])
@pytest.mark.parametrize("method", sorted(OTHERS))
def test_other_machines_of_an_irrational_kernel_are_enclosed(method, name):
    """The optimum in decimals of 30 digits, whose kernel has as many, lies between the ends, at least 13 digits apart
    [ESL-12.22] [MMST-11.113] [MMST-11.77]."""
    parameters, y = OTHERS[method]
    kernel = {"kernel": KERNELS[name][0]}
    parameters = (
        {"estimator": {**parameters["estimator"], **kernel}} if "estimator" in parameters else {**parameters, **kernel}
    )
    given = {"method": method, "parameters": parameters, "x": POINTS, "y": y, "weights": [1, 2, 1, 1, 1, 3]}
    decimals = answer.answer(problem.made({**given, "arithmetic": "decimal:30"}, "P"))
    found = refine(given, {"predictions": {"labels": y[:1]}})["refined"]["true_kernel"]
    low, high = map(Q, found["optimum"])
    assert low <= Q(str(decimals["certificate"]["primal"])) <= high and found["digits"] > 13


@pytest.mark.parametrize("C", ["inf", 3])
def test_hard_margins_of_many_classes_are_scaled_until_they_are_kept(C):
    """Crammer and Singer's machine without slack: the primal's end is that of a multiple of f  [ISML-27.5-soft]."""
    kernel = {"name": "gaussian", "gamma": 3}
    given = {"method": "crammer_singer", "parameters": {"C": C, "kernel": kernel}, "x": POINTS, "y": [0, 1, 2, 0, 1, 2]}
    decimals = answer.answer(problem.made({**given, "arithmetic": "decimal:30"}, "P"))
    low, high = map(Q, refine(given, {"predictions": {"labels": [0]}})["refined"]["true_kernel"]["optimum"])
    assert low <= Q(str(decimals["certificate"]["primal"])) <= high < low * (1 + Q(1, 10**12))


@pytest.mark.parametrize("parameters", [{"loss": "deviance"}, {"loss": "ramp"}, {"norm": "coefficients"}])
def test_losses_without_pieces_and_other_norms_are_not_enclosed(parameters):
    """What the page of `true_kernel` says is left."""
    given = {"method": "kernel_classifier", "parameters": {**parameters, "kernel": KERNELS["gaussian"][0]}}
    given = {**given, "x": POINTS, "y": [0, 1, 0, 1, 1, 0]}
    assert "true_kernel" not in refine(given, {"predictions": {"labels": [0]}})["refined"]
