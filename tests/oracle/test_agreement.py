"""Two answers side by side: conventions that explain a difference, one by one and those of a program together."""

import json

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import agreement, answer, judge, problem
from refclass.oracle.conventions import presets

X = [[0, 0], [1, 0.5], [0.5, 2], [2, 1], [3, 2], [2, 3.5], [1, 1.5], [4, 2.5], [2, 2]]
Y = [0, 0, 0, 0, 1, 1, 1, 1, 1]
SQUARED = {"loss": "squared_hinge"}
R = [0, 1, 0.5, 2, 2.5, 2, 1, 4, 3]


def solved(method, conventions=None, y=Y, x=X, **parameters):
    """A problem and our answer to it, without claims."""
    given = {"method": method, "x": x, "y": y, "parameters": parameters, "conventions": conventions or {}}
    asked = problem.read(json.dumps(given), "P.json")
    return asked, {"arithmetic": "float", "fitted": answer.answer(asked)["fitted"]}


def compared(asked, reported, **options):
    """The convention under which an answer is right."""
    return agreement.compare(asked, reported, reported, **options)["answers"]["A"]["convention"]


def picked(reported, *names):
    """Some of the fitted values of an answer."""
    return {**reported, "fitted": {name: reported["fitted"][name] for name in names}}


@pytest.mark.parametrize(
    "method, ours, theirs, names, said",
    [
        ("lda", {}, {"divisor": "n"}, ("coef", "intercept"), "divisor n of the covariance"),
        ("qda", {}, {"divisor": "n"}, ("covariances",), "divisor n of the covariance"),
        ("svc", {"C": 3}, {"C": "1/3"}, ("alpha", "intercept"), "C/n in place of C or 1/C in place of C"),
        ("svc", {}, {"C": 9}, ("alpha", "intercept"), "C n in place of C"),
        ("svc", {"C": 4}, {"C": "1/4"}, ("alpha", "intercept"), "1/C in place of C"),
        ("svc", {"C": 4}, {"C": "1/36"}, ("alpha", "intercept"), "1/(C n) in place of C"),
        ("svc", {"C": 4}, {"C": "1/72"}, ("alpha", "intercept"), "1/(2 C n) in place of C"),
        pytest.param(
            *("svc", SQUARED, {**SQUARED, "C": "1/2"}, ("coef", "intercept"), "C/2 in place of C"),
            marks=pytest.mark.slow,
        ),
        ("svc", {"loss": "squared_hinge"}, {}, ("alpha", "intercept"), "the other power of the slack"),
        ("svc", {}, {"intercept": False}, ("coef", "intercept"), "no intercept"),
        ("logistic", {"penalty": 1}, {"penalty": 2}, ("coef", "intercept"), "2 penalty in place of penalty"),
    ],
)  # fmt: skip
def test_a_parameter_of_another_convention_is_named(method, ours, theirs, names, said):
    """The divisor, the scale of C or λ, the power of the slack, the intercept: each explains its difference."""
    asked, _ = solved(method, **ours)
    _, reported = solved(method, **theirs)
    assert compared(asked, picked(reported, *names)) == said


@pytest.mark.slow
def test_the_width_of_a_gaussian_is_named():
    """γ given as σ: 1/(2σ²)."""
    asked, _ = solved("svc", kernel={"name": "gaussian", "gamma": 2})
    _, reported = solved("svc", kernel={"name": "gaussian", "gamma": "1/8"})
    assert compared(asked, picked(reported, "alpha", "intercept")) == "1/(2γ²) in place of γ"


@pytest.mark.long
def test_signs_and_the_order_of_classes_are_named():
    """A negative intercept, both classes exchanged, multipliers with the sign of their class."""
    asked, reported = solved("svc")
    b, w = reported["fitted"]["intercept"], reported["fitted"]["coef"]
    turned = {**picked(reported, "coef"), "fitted": {"coef": w, "intercept": [-b[0]]}}
    assert compared(asked, turned) == presets.RHO
    turned["fitted"] = {"coef": [[-v for v in w[0]]], "intercept": [-b[0]]}
    assert compared(asked, turned) == presets.TURNED
    alpha = [a * (2 * t - 1) for a, t in zip(reported["fitted"]["alpha"], Y)]
    assert compared(asked, {"fitted": {"alpha": alpha, "intercept": b}}) == presets.SIGNED


@pytest.mark.slow
def test_a_penalised_intercept_and_pooled_priors_are_named():
    """LIBLINEAR's intercept; the covariance of scikit-learn's solver lsqr with given priors."""
    asked, _ = solved("svc")
    _, reported = solved("svc", {"intercept": "penalised"})
    w = reported["fitted"]["coef"][0]
    assert (
        compared(asked, {"arithmetic": "float", "fitted": {"coef": [w[:2]], "intercept": [w[2]]}}) == presets.PENALISED
    )
    asked, _ = solved("lda", priors=["1/4", "3/4"])
    _, reported = solved("lda", {"covariance": "pooled by priors"}, priors=["1/4", "3/4"])
    assert compared(asked, picked(reported, "coef", "intercept")) == presets.POOLED


@pytest.mark.long
def test_conventions_of_a_program_are_tried_together():
    """Scaled inputs and a negative intercept, which no convention alone explains, are e1071's."""
    asked, _ = solved("svc", kernel={"name": "gaussian", "gamma": "1/2"})
    scaled = agreement._scaled(asked)
    own = scaled.fitted()
    reported = {
        "arithmetic": "float",
        "fitted": {"alpha": [float(a) for a in own.alpha_], "intercept": [-own.intercept_[0]]},
    }
    assert compared(asked, reported) is None
    found = compared(asked, reported, programs=("e1071", "e1071"))
    # Unsigned multipliers are the same for both orders of the classes: two readings explain the intercept.
    assert found == f"{presets.SCALED} and {presets.RHO} or {presets.SCALED} and {presets.TURNED}"
    with pytest.raises(InvalidInput, match="a program among"):
        compared(asked, reported, programs=("weka", None))


def test_axes_of_another_length_are_reported():
    """Divisor n makes axes longer, each by the same factor: the lengths are reported, and signs do not matter."""
    asked, ours = solved("lda")
    _, theirs = solved("lda", divisor="n")
    theirs["fitted"]["scalings"] = [[-v for v in row] for row in theirs["fitted"]["scalings"]]
    found = agreement.compare(asked, picked(ours, "scalings"), picked(theirs, "scalings"))
    assert found["axes"].startswith("the same but") and found["lengths"] == [pytest.approx(-((9 / 7) ** 0.5))]


@pytest.mark.slow
def test_a_verdict_is_explained_only_where_it_refutes():
    """An accepted verdict, a refusal and an answer that nothing explains stay as they are."""
    asked, reported = solved("svc")
    fine = judge.verify(asked, reported)
    assert agreement.explained(asked, reported, fine) is fine
    odd = {"fitted": {"coef": [[7, 7]], "intercept": [1]}}
    bad = judge.verify(asked, odd)
    assert agreement.explained(asked, odd, bad) is bad


def test_presets_name_conventions_that_are_tried():
    """Every convention of a program is one that compare yields for some problem of the method."""
    problems = {
        "lda": [solved("lda", priors=["1/4", "3/4"])],
        "qda": [solved("qda"), solved("qda", divisor="n")],
        "logistic": [solved("logistic", penalty=1)],
        "svc": [solved("svc"), solved("svc", kernel={"name": "gaussian", "gamma": "1/2"})],
        "svr": [solved("svr", y=R), solved("svr", y=R, kernel={"name": "gaussian", "gamma": "1/2"})],
    }
    for program, table in presets.PRESETS.items():
        for method, names in table.items():
            there = {name for asked, reported in problems[method] for name, _, _ in agreement.variants(asked, reported)}
            assert set(names) <= there, (program, method)
