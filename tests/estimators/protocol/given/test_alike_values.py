"""Kernels whose values rounding leaves alike at points that differ."""

import json

import pytest

import refclass
from refclass.errors import NotExact
from refclass.oracle import answer, judge, reading
from tests.laws.far import posed

X = [[0.0, 1.0], [1.0, 0.5], [3.5, 2.0], [4.0, 1.0], [2.0, 2.0], [5.0, 3.0]]
GAUSSIAN = {"name": "gaussian", "gamma": 0.5}
TWO, THREE, NUMBERS = [0, 0, 1, 1, 0, 1], [0, 1, 2, 0, 1, 2], [1.0, 2, 4, 3, 3, 6]
MACHINES = [
    ("SVC", {}, TWO),
    ("SVC", {"C": "inf"}, TWO),
    ("SVMPath", {}, TWO),
    ("KernelClassifier", {"loss": "deviance"}, TWO),
    ("SemiparametricClassifier", {}, TWO),
    ("CrammerSingerSVC", {}, THREE),
    ("LeeLinWahbaSVC", {}, THREE),
    ("KernelClassifier", {"loss": "deviance"}, THREE),
    ("SVR", {}, NUMBERS),
    ("HuberRegression", {}, NUMBERS),
    ("KernelRidge", {}, NUMBERS),
    ("SemiparametricRegression", {}, NUMBERS),
]


@pytest.mark.parametrize("kernel", [GAUSSIAN, {"name": "laplacian", "sigma": 2}])
@pytest.mark.parametrize("name, given, y", MACHINES)
def test_every_machine_refuses_a_kernel_that_is_constant_in_its_numbers(name, given, y, kernel):
    """Columns of 10⁻¹²⁰: labels were those of one class, with all digits of the optimum of a kernel of ones."""
    tiny = [[v * 1e-120 for v in x] for x in X]
    for arithmetic in ("float", "decimal:20"):
        with pytest.raises(NotExact, match="tell apart at points that differ"):
            getattr(refclass, name)(**given, kernel=kernel, arithmetic=arithmetic).fit(tiny, y)


@pytest.mark.parametrize("name, given, y", MACHINES[:1] + MACHINES[8:9])
def test_points_that_are_one_point_have_one_value(name, given, y):
    """Rows that do not differ are no rows that rounding makes one."""
    getattr(refclass, name)(**given, kernel=GAUSSIAN).fit([X[1]] * len(y), y)


def test_longer_decimals_tell_the_points_apart():
    """The labels that the refused fit has in decimals of 300 digits."""
    tiny = [[v * 1e-120 for v in x] for x in X]
    assert refclass.SVC(kernel=GAUSSIAN, arithmetic="decimal:300").fit(tiny, TWO).predict(tiny) == TWO


@pytest.mark.parametrize("method, y, named", [("svc", TWO, "alpha"), ("svr", NUMBERS, "coefficients")])
def test_the_refusal_is_judged(method, y, named):
    """It is accepted; an answer of that kernel is not judged, and the verdict says why."""
    given = posed(method, {"kernel": {"name": "gaussian", "gamma": "1/2"}}, [[v * 1e-120 for v in x] for x in X], y)
    said = json.loads(json.dumps(answer.answer(given)))
    assert said["refusal"]["type"] == "NotExact"
    assert judge.verify(given, reading.read(json.dumps(said), "A.json"))["accepted"]
    other = {"fitted": {named: [0] * 6, "intercept": [1]}}
    found = judge.verify(given, reading.read(json.dumps(other), "A.json"))
    assert found["verdict"] == "not judged" and "tell apart at points that differ" in found["reason"]
