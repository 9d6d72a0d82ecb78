"""Verdicts on false claims, bad witnesses, odd forms and hyperplanes: words name the true cause, nothing crashes."""

import json
import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.oracle import agreement, answer, judge, problem, refinement
from refclass.oracle.judging import ceiling as highest
from refclass.oracle.judging.verdict import of_certificate

R = random.Random(1)
X = [[round(R.gauss(i % 2, 1), 3), round(R.gauss(0, 1), 3)] for i in range(20)]
Y = [i % 2 for i in range(20)]
SVC = {"method": "svc", "x": X, "y": Y, "query": X[:3]}
LDA = {"method": "lda", "x": X, "y": Y, "query": X[:3]}
THREE = {**SVC, "y": [i % 3 for i in range(20)]}
SINGULAR = {"method": "lda", "x": [[0, 0], [1, 1], [2, 2], [3, 3], [5, 5]], "y": [0, 1, 0, 1, 1]}
MIXED = {"method": "svc", "parameters": {"C": "inf"}, "x": [[0], [1], [2], [3]], "y": [0, 1, 0, 1]}


def read(given):
    return problem.read(given if isinstance(given, str) else json.dumps(given), "P.json")


def solved(given):
    return json.loads(json.dumps(answer.answer(read(given))))


def verdict(given, reported, digits=judge.DIGITS, **options):
    text = reported if isinstance(reported, str) else json.dumps(reported)
    return judge.verify(read(given), judge.read(text, "A.json"), digits, **options)


@pytest.mark.parametrize(
    ("given", "claim", "said"),
    [
        (LDA, {"method": "qda"}, "wrong: method"),
        (LDA, {"parameters": {"divisor": "n"}}, "wrong: parameters.divisor"),
        (LDA, {"parameters": {"divider": "n"}}, "wrong: parameters"),
        (SVC, {"certificate": {"gap": "99"}}, "wrong: certificate.gap"),
        (SVC, {"certificate": {"gap": "1"}}, "wrong: certificate.gap"),
        (SVC, {"certificate": {"primal": "1/3"}}, "wrong: certificate.primal"),
        (LDA, {"certificate": {"gap": "99"}}, "wrong: certificate.gap"),
        (THREE, {"predictions": {"votes": [[0, 0, 3]] * 3}}, "wrong: votes"),
        (THREE, {"predictions": {"unclassifiable": [True] * 3}}, "wrong: unclassifiable"),
    ],
)
def test_a_false_claim_beside_right_numbers_is_refuted(given, claim, said):
    """Method, parameters, certificate, votes, and which points no class wins; without the claim the answer is right."""
    right = solved(given)
    assert verdict(given, right)["accepted"]
    found = verdict(given, {**right, **claim})
    assert not found["accepted"] and found["verdict"].startswith(said)


@pytest.mark.parametrize(
    ("given", "witness", "accepted"),
    [
        (SINGULAR, {"null_vector": [1, -1]}, True),
        (SINGULAR, {"null_vector": [1, 1]}, False),
        (MIXED, {"weights": {"1": 1, "2": 1, "3": "1/3", "0": "1/3"}}, True),
        (MIXED, {"weights": [9, 9, 9, 9]}, False),
        (MIXED, {}, True),
        ({**MIXED, "y": [0, 0, 1, 1]}, {}, False),
    ],
)
def test_a_refusal_is_judged_by_its_witness(given, witness, accepted):
    """A null vector along which nothing varies, a point in both convex hulls; without one the problem is put anew."""
    found = verdict(given, {"refusal": {"type": "NoAnswer", "witness": witness}})
    assert found["accepted"] is accepted and (found["verdict"] == "refused") is accepted


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        (SVC, {"fitted": {"alpha": [True] * 20, "intercept": 0}}),
        (SVC, {"fitted": {"alpha": [[1]] * 20, "intercept": 0}}),
        (LDA, {"fitted": {"classes": [0, 1]}}),
        (LDA, {"fitted": {"coefs": [[1, 2]]}}),
        (LDA, {"predictions": {"lables": [0, 1, 0]}}),
        ({"method": "mda", "parameters": {"subclasses": 2}, "x": X, "y": Y}, {"fitted": {"means": 3}}),
        (LDA, '{"fitted": {"coef": [[1, 2]], "coef": [[2, 1]]}}'),
    ],
)
def test_what_has_no_form_of_an_answer_is_refused(given, reported):
    """Truth values and nested lists where numbers belong, unknown names, a name twice: never a bare error."""
    with pytest.raises(InvalidInput):
        verdict(given, reported)


@pytest.mark.parametrize(
    "field", ['"x": [[true, 1], [2, 3]]', '"x": [[1], [2]], "x": [[2], [1]]', '"x": [[1], [2]], "w": 1']
)
def test_a_malformed_problem_is_refused(field):
    """true is no number, and each name stands once."""
    with pytest.raises(InvalidInput):
        read('{"method": "lda", "y": [0, 1], ' + field + "}")


def test_numbers_of_five_thousand_digits_are_read_and_written():
    """Python refuses to turn them into text at once; a verdict does not."""
    long = "1" + "0" * 5000
    given = '{"method": "lda", "arithmetic": "exact", "x": [[' + long + "], [2], [3], [4]], " + '"y": [0, 0, 1, 1]}'
    assert verdict(given, {"fitted": {"priors": [0.5, 0.5]}})["accepted"]
    reported = solved(given)
    assert len(reported["fitted"]["means"][0][0]) > 4999 and verdict(given, reported)["accepted"]


@pytest.mark.parametrize("margin", [0, -1, "inf"])
def test_a_margin_that_is_none_is_wrong(margin):
    """Zero, negative and infinite half-widths are no 1/‖f‖."""
    right = solved(SVC)
    found = verdict(SVC, {**right, "fitted": {**right["fitted"], "margin": margin}})
    assert not found["accepted"] and found["verdict"].startswith("wrong: margin")


def test_the_answer_does_not_choose_the_tolerance():
    """A negated coefficient is wrong in whatever arithmetic the answer claims to be."""
    coef = [[-float(v) for v in solved(LDA)["fitted"]["coef"][0]]]
    for name in ("decimal:2", "decimal:3", "float", "exact"):
        assert not verdict(LDA, {"arithmetic": name, "fitted": {"coef": coef}})["accepted"]


def test_doubles_may_be_written_in_hexadecimal():
    """And decimals in an answer of doubles are the doubles nearest to them."""
    fitted = solved(SVC)["fitted"]
    reported = {"alpha": [float(v).hex() for v in fitted["alpha"]], "intercept": float(fitted["intercept"][0]).hex()}
    exact = verdict(SVC, {"arithmetic": "binary64", "fitted": reported})["certificate"]["primal"]
    short = {"alpha": fitted["alpha"], "intercept": fitted["intercept"]}
    assert verdict(SVC, {"arithmetic": "float", "fitted": short})["certificate"]["primal"] == exact


def test_a_hyperplane_alone_is_measured_against_the_proven_optimum():
    """Off by one in ten thousand: so many digits, the primal and the optimum in words."""
    fitted = solved(SVC)["fitted"]
    off = {"coef": [[v * 1.0001 for v in fitted["coef"][0]]], "intercept": fitted["intercept"]}
    found = verdict(SVC, {"fitted": off})
    assert not found["accepted"] and "the proven optimum" in found["reason"]
    assert 3 < found["digits"]["objective"] < 6
    good = verdict(SVC, {"fitted": off}, 3)
    assert good["accepted"] and "solved for" in good["how"] and "nothing was fitted" not in good["how"]


def test_multipliers_beyond_their_box_are_infeasible():
    """The row, by how much; and the bounds that are printed are bounds all the same."""
    found = verdict(SVC, {"fitted": {"alpha": [2] * 20, "intercept": 0}})
    assert found["verdict"] == "infeasible: point 0: alpha 2 is outside [0, 1], by 1"


def test_multipliers_that_are_taken_for_the_function_have_no_more_digits_than_its_objective():
    """A multiplier a tenth larger costs a millionth of the losses where the penalty is a thousand: not all digits."""
    given = {**SVC, "method": "kernel_classifier", "parameters": {"penalty": 1000, "loss": "hinge"}}
    said = solved(given)
    said["fitted"]["alpha"][0] *= 1.1
    found = verdict(given, {"fitted": said["fitted"], "arithmetic": "float"}, 4)["digits"]
    assert found["alpha"] == found["objective"] < 9


def test_predictions_alone_are_judged():
    """Labels and decision values without fitted values."""
    right = solved(LDA)["predictions"]
    assert verdict(LDA, {"predictions": right})["accepted"]
    assert not verdict(LDA, {"predictions": {"labels": [1 - v for v in right["labels"]]}})["accepted"]


def test_responses_are_the_rationals_that_they_say():
    """y = 3x in tenths has the slope 3, exactly."""
    given = {"method": "linear_regression", "x": [[0.1], [0.2], [0.3], [0.7]], "y": [0.3, 0.6, 0.9, 2.1]}
    found = verdict(given, {"arithmetic": "exact", "fitted": {"coef": [3], "intercept": 0, "objective": 0}}, math.inf)
    assert found["accepted"] and found["verdict"] == "right"


def test_a_path_is_solved_with_query_points():
    """It has no predictions; it is answered all the same."""
    assert solved({**SVC, "method": "svm_path"})["fitted"]["lambdas"]


@pytest.mark.parametrize("kernel", [{"name": "thin_plate", "sigma": 1}, {"name": "sigmoid", "a": 1, "b": -1}])
def test_kernels_that_are_not_positive_are_solved(kernel):
    """With what the arithmetic does not have left out by name, or a refusal."""
    reported = solved({**SVC, "parameters": {"kernel": kernel}})
    assert "fitted" in reported or "refusal" in reported


def test_the_ceiling_is_named_when_asked_for():
    """The exact optimum rounded to doubles has some fifteen digits."""
    found = verdict(SVC, solved(SVC), ceiling=True)
    assert found["accepted"] and found["ceiling"] > 13


@pytest.mark.parametrize(
    ("method", "parameters", "other", "convention"),
    [
        ("lda", {}, {"divisor": "n"}, "divisor n of the covariance"),
        ("svc", {"C": 2}, {"C": 1}, "C/2 in place of C"),
        ("ridge", {"penalty": 2}, {"penalty": 40}, "penalty n in place of penalty"),
        (
            "svc",
            {"kernel": {"name": "gaussian", "gamma": 1}},
            {"kernel": {"name": "gaussian", "gamma": "1/2"}},
            "1/(2γ²)",
        ),
    ],
)
def test_the_convention_that_explains_a_difference_is_named(method, parameters, other, convention):
    """Two right answers to two readings of one problem."""
    given = {"method": method, "parameters": parameters, "x": X, "y": Y}
    both = [solved(given), solved({**given, "parameters": other})]
    found = agreement.compare(read(given), *both)
    assert not found["accepted"] and found["answers"]["A"]["convention"] == "as asked"
    assert found["answers"]["B"]["convention"].startswith(convention)
    assert agreement.compare(read(given), both[0], both[0])["accepted"]


def test_conventions_of_a_problem_are_translated():
    """A penalised intercept, C/n, and half the squared slack, each against the same problem written out."""
    plain = {"method": "svc", "x": [[*x, 1] for x in X], "y": Y, "parameters": {"intercept": False}}
    w = solved(plain)["fitted"]["coef"][0]
    reported = {"fitted": {"coef": [w[:2]], "intercept": w[2]}}
    assert verdict({"method": "svc", "x": X, "y": Y, "conventions": {"intercept": "penalised"}}, reported)["accepted"]
    shared = {**SVC, "parameters": {"C": 20}, "conventions": {"cost": "C/n"}}
    assert verdict(shared, {"fitted": solved(SVC)["fitted"]})["accepted"]
    half = {**SVC, "parameters": {"C": 2, "loss": "squared_hinge"}, "conventions": {"slack": "half"}}
    one = solved({**SVC, "parameters": {"loss": "squared_hinge"}})
    assert verdict(half, {"fitted": one["fitted"]})["accepted"]


def test_an_approximate_answer_is_refined_to_the_exact_optimum():
    """From two digits of the multipliers to a gap of zero."""
    given = {**SVC, "parameters": {"kernel": {"name": "gaussian", "gamma": 1}}}
    fitted = solved(given)["fitted"]
    rough = {"fitted": {"alpha": [round(v, 2) for v in fitted["alpha"]], "intercept": fitted["intercept"]}}
    found = refinement.refine(given, rough)
    assert found["certificate"]["gap"] == "0" and found["refined"]["from"] == "the multipliers that are reported"
    assert verdict(given, found, math.inf)["accepted"]


@pytest.mark.parametrize(
    "method", ["lda", "qda", "fisher", "rda", "ridge", "linear_regression", "logistic", "svc", "svr"]
)
def test_nothing_is_fitted_to_judge_what_equations_or_multipliers_define(monkeypatch, method):
    """The package's own fits are taken away; the verdict says where it comes from."""
    options = {"penalty": 1} if method == "logistic" else {}
    given = {"method": method, "parameters": options, "x": X, "y": Y, "query": X[:3]}
    right = solved(given)
    monkeypatch.setattr(problem.kind_of(method), "fit", None)
    monkeypatch.setattr(problem.kind_of(method), "iteration", None, raising=False)
    right.pop("certificate", None)
    found = verdict(given, right)
    assert found["accepted"], found["reason"]
    assert "nothing was fitted" in found["how"]


def test_the_ends_of_the_intercepts_of_a_proven_answer_have_digits():
    """In doubles as in fractions: what is proven leaves no room for others."""
    given = {"method": "svc", "parameters": {"C": "1/8"}, "x": [[0], [1], [2], [3]], "y": [0, 0, 1, 1]}
    asked = problem.read(json.dumps(given), "P.json")
    reported = {"alpha": ["1/8"] * 4, "intercept": "-3/4", "intercept_interval": ["-1", "-1/2"]}
    found = judge.verify(asked, {"fitted": reported})
    assert found["accepted"] and found["digits"]["intercept_interval"] == "all"
    assert judge.verify(asked, {"arithmetic": "exact", "fitted": reported})["digits"]["intercept_interval"] == "all"


def test_costs_move_the_boundary_of_two_classes():
    """The rule of least expected cost is right for both checks: its direction is judged by the second one, too."""
    given = {
        "method": "lda",
        "parameters": {"costs": [[0, 1], [4, 0]]},
        "x": [[0], [1], [3], [5], [6]],
        "y": [0, 0, 0, 1, 1],
    }
    asked = problem.read(json.dumps(given), "P.json")
    reported = {"fitted": answer.answer(asked)["fitted"], "arithmetic": "float"}
    assert judge.verify(asked, reported)["accepted"]
    reported["fitted"]["coef"] = [[2 * reported["fitted"]["coef"][0][0]]]
    assert not judge.verify(asked, reported)["accepted"]


def test_the_certificate_of_a_path_is_of_one_breakpoint():
    """In doubles it is another breakpoint than in fractions: its bounds are not compared, and the verdict says so."""
    given = {"method": "svm_path", "x": [[0, 0], [1, 0.5], [2, 1], [1.5, 0], [3, 2], [1, 1.5]], "y": [0, 0, 0, 1, 1, 1]}
    asked = problem.read(json.dumps(given), "P.json")
    found = judge.verify(asked, judge.read(json.dumps(answer.answer(asked)), "A.json"))
    assert found["accepted"] and "breakpoint" in found["not_judged"]["certificate"]


@pytest.mark.parametrize("method", ["lee_lin_wahba", "huber"])
def test_numbers_of_thousands_of_digits_are_judged_or_refused_at_once(method):
    """Data beyond the doubles are refused where doubles are asked for; in fractions the answer is judged."""
    kernel = {"name": "polynomial", "degree": 2, "c": 1}
    parameters = {"penalty": 1} if method == "lee_lin_wahba" else {"kernel": kernel}
    x, y = [[0, 1], [1, 0], [2, 2], [3, 1], [0, 3], [2, 0]], [0, 1, 2, 0, 1, 2]
    fitted = {"coefficients": [1] * 6, "intercept": [0]}
    if method == "lee_lin_wahba":
        fitted = {"alpha": [[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 2, "intercept": [0, 0, 0]}
    given = {"method": method, "parameters": parameters, "x": [["1e5000", 1], *x[1:]], "y": y}
    with pytest.raises(InvalidInput, match="within the range of doubles"):
        judge.verify(problem.read(json.dumps(given), "P.json"), {"fitted": fitted})
    found = judge.verify(problem.read(json.dumps({**given, "arithmetic": "exact"}), "P.json"), {"fitted": fitted})
    assert not found["accepted"] and "ceiling" not in found


def test_greedy_methods_may_claim_the_bounds_of_the_terms_that_doubles_choose():
    """MARS breaks ties of knots by roundoff: in fractions it goes on to eight terms that interpolate, in doubles it
    stops; the certificate of either is that of its own terms."""
    x = [[v] for v in (-0.86, 3.59, 1.38, 6.41, 0.02, 0.8200000000000001, -1.01, -0.8599999999999999, -3.87)]
    x = [*x, [-0.16000000000000014], [-3.77], [3.26], *x[:4]]
    given = {"method": "regression_classifier", "parameters": {"regression": "mars"}, "x": x, "y": [0, 1] * 8}
    asked = problem.read(json.dumps(given), "P.json")
    reported = json.loads(json.dumps(answer.answer(asked)))
    assert judge.verify(asked, judge.read(json.dumps(reported), "A.json"))["accepted"]
    reported["certificate"]["primal"] = "1/3"
    assert not judge.verify(asked, judge.read(json.dumps(reported), "A.json"))["accepted"]


@pytest.mark.parametrize(
    ("changes", "fitted", "need"),
    [
        ({"x": [[0, 0], [1], [0, 1], [2, 2]]}, {}, "need a row of 2 numbers in x.*got 1 of them .row=1"),
        ({"x": [[0, 0], [1, 2], "ab", [2, 2]]}, {}, "need a row of 2 numbers in x.*row=2"),
        ({"query": [5]}, {}, "need a row of 2 numbers in query.*row=0"),
        ({"y": ["a", "b"]}, {}, "need 4 values in y, one a row; got 2"),
        ({"weights": [1] * 5}, {}, "need 4 values in weights, one a row; got 5"),
        ({}, {"means": 0}, "need 2 × 2 values in means; got one value"),
        ({}, {"means": [[0, 0], None]}, "means"),
    ],
)
def test_a_form_that_does_not_fit_is_named_not_the_exception_that_it_leads_to(changes, fitted, need):
    """Rows of other lengths, a query that is no row, a number for a list: one line, without the words of Python."""
    given = {"method": "lda", "x": [[0, 0], [1, 3], [0, 1], [2, 2]], "y": ["a", "a", "b", "b"], **changes}
    told = {"means": [[0.5, 1.5], [1, 1.5]], **fitted}
    with pytest.raises(InvalidInput, match=need) as refused:
        judge.verify(problem.read(json.dumps(given), "P.json"), {"fitted": told, "predictions": {"decision": [0]}})
    assert "Error" not in str(refused.value) and "\n" not in str(refused.value)


def test_classes_that_the_problem_leaves_unclear_are_refused_in_a_line():
    """A row of text among rows of numbers, and labels that read alike."""
    given = {"method": "svc", "x": [[0], [1], [2]], "y": [0, 1, " 1 "]}
    with pytest.raises(InvalidInput):
        judge.verify(problem.read(json.dumps(given), "P.json"), {"fitted": {"alpha": [1, 1], "intercept": 0}})


@pytest.mark.parametrize("odd", [None, "1_0", [[1, 2]]])
def test_axes_in_no_form_are_refused_by_compare(odd):
    """A row of the scalings that is null, text, or a list within a list."""
    x, y = [[0, 0], [1, 0], [0, 1], [3, 0], [4, 1], [3, 2]], list("aaabbb")
    asked = problem.read(json.dumps({"method": "fisher", "x": x, "y": y}), "P.json")
    told = {"fitted": {"scalings": [[1.0], odd], "eigenvalues": [2.0]}}
    with pytest.raises(InvalidInput):
        agreement.compare(asked, told, told)


def test_an_object_where_numbers_belong_is_refused_by_compare():
    """Multipliers that hold an object, turned to the other sign where conventions are tried."""
    asked = problem.read(json.dumps({"method": "svc", "x": [[0], [2]], "y": [0, 1]}), "P.json")
    told = {"fitted": {"dual_coef": [[-0.5, {}]], "support": [0, 1], "intercept": [-1]}}
    with pytest.raises(InvalidInput):
        agreement.compare(asked, told, told)


def test_a_refuted_answer_takes_no_exact_optimum_where_doubles_have_the_digits(monkeypatch):
    """The ceiling is that of the package's own answer in doubles, unless it has fewer digits than are asked for."""
    monkeypatch.setattr(highest, "_of_optimum", lambda *given: pytest.fail("solved in fractions"))
    own = solved(SVC)
    spoiled = [v * 1.01 for v in own["fitted"]["alpha"]]
    found = verdict(SVC, {"arithmetic": "float", "fitted": {"alpha": spoiled, "intercept": own["fitted"]["intercept"]}})
    assert not found["accepted"] and found["ceiling"] > 13


def test_bounds_that_contradict_each_other_prove_nothing():
    """A dual bound above the primal, by more than the digits asked for hide: no digits are counted, nor a ceiling."""
    gap = Fraction(1, 10**28)
    right = Certificate("optimal", Fraction(13), 13 - gap, gap, 0, "", digits=29)
    assert of_certificate(right, 6)["accepted"]
    rounded = replace(right, gap=-right.gap, dual=right.primal + right.gap)
    assert of_certificate(rounded, 6)["accepted"]
    above = replace(right, gap=Fraction(-1, 10**6), dual=right.primal + Fraction(1, 10**6), digits=7.1)
    for found in (of_certificate(above, 9), of_certificate(above, 9, None, 7.5)):
        assert not found["accepted"] and found["verdict"] == "not judged" and "contradict" in found["reason"]
