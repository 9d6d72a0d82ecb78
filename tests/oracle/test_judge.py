"""The judge of strangers' answers: every planted mistake is refuted for the right reason, every optimum is accepted."""

import json
import math
from dataclasses import replace
from fractions import Fraction as Q

import pytest

import refclass
from refclass import SVC, LinearDiscriminantAnalysis
from refclass.errors import InvalidInput
from refclass.margins.svm import fit
from refclass.oracle import answer, judge
from refclass.oracle.problem import Problem
from tests.oracle import refits

X = [[0, 0], [2, 1], [1, 3], [4, 1], [3, 4], [5, 2], [2, 5], [1, 1], [4, 3], [0, 4], [3, 1], [5, 5], [-2, 0], [7, 7]]
X += [[0, -2], [3, 3], [2, 2]]
Y = [-1, -1, -1, -1, 1, 1, 1, -1, 1, 1, -1, 1, -1, 1, -1, -1, 1]
GAUSSIAN = {"name": "gaussian", "gamma": Q(1, 10)}


def problem(arithmetic="float", **parameters):
    return Problem("svc", X, Y, {"C": 1, "kernel": GAUSSIAN, **parameters}, arithmetic)


def optimum(p):
    m = p.fitted()
    fitted = {"alpha": list(m.alpha_), "intercept": m.intercept_}
    if hasattr(m, "coef_"):
        fitted["coef"] = m.coef_
    return fitted


def verdict(p, fitted, arithmetic="float"):
    digits = math.inf if arithmetic == "exact" else 12
    return judge.verify(p, {"fitted": fitted, "arithmetic": arithmetic}, digits)


P = problem()
TRUTH = optimum(P)
ALPHA, B = TRUTH["alpha"], TRUTH["intercept"][0]
FREE = [i for i, a in enumerate(ALPHA) if 1e-6 < a < 1 - 1e-6]
BOUND = [i for i, a in enumerate(ALPHA) if a == 1]
NONE = [i for i, a in enumerate(ALPHA) if a == 0]


def with_alpha(changes):
    return {"alpha": [changes.get(i, a) for i, a in enumerate(ALPHA)], "intercept": B}


def other(**parameters):
    return {k: v for k, v in optimum(problem(**parameters)).items() if k != "coef"}


def swapped(i, j):
    return with_alpha({i: ALPHA[j], j: ALPHA[i]})


SAME = [i for i in FREE if Y[i] == Y[FREE[0]]]

WRONG = {
    "bias off by 1e-9": ({"alpha": ALPHA, "intercept": B + 1e-9}, "y·f − 1 is"),
    "bias off by one": ({"alpha": ALPHA, "intercept": B + 1}, "y·f − 1 is"),
    "bias of the other sign": ({"alpha": ALPHA, "intercept": -B}, "y·f − 1 is"),
    "no bias": ({"alpha": ALPHA, "intercept": 0}, "y·f − 1 is"),
    "a free multiplier off by 1e-9": (with_alpha({FREE[0]: ALPHA[FREE[0]] + 1e-9}), "sum of alpha·y is|y·f − 1 is"),
    "two multipliers off by 1e-9, balanced": (
        with_alpha({SAME[0]: ALPHA[SAME[0]] + 1e-9, SAME[1]: ALPHA[SAME[1]] - 1e-9}),
        "y·f − 1 is",
    ),
    "a multiplier above C": (with_alpha({BOUND[0]: 1.5}), "sum of alpha·y is|outside"),
    "a multiplier below zero": (with_alpha({NONE[0]: -0.25}), "sum of alpha·y is|outside"),
    "a support vector missing": (with_alpha({FREE[0]: 0.0}), "sum of alpha·y is|where alpha is 0"),
    "a bounded support vector missing": (with_alpha({BOUND[0]: 0.0}), "sum of alpha·y is|where alpha is 0"),
    "two multipliers exchanged": (swapped(SAME[0], SAME[1]), "y·f − 1 is"),
    "all multipliers doubled": ({"alpha": [2 * a for a in ALPHA], "intercept": B}, "outside|y·f − 1 is"),
    "all multipliers zero": ({"alpha": [0.0] * len(X), "intercept": B}, "where alpha is 0"),
    "all multipliers at C": ({"alpha": [1.0] * len(X), "intercept": B}, "y·f − 1 is|sum of alpha·y"),
    "signed multipliers as unsigned": (
        {"alpha": [a * t for a, t in zip(ALPHA, Y)], "intercept": B},
        "outside|sum of alpha·y is",
    ),
    "labels read the other way": ({"alpha": ALPHA, "intercept": B, "classes": [1, -1]}, "y·f − 1 is"),
    "C misread as 10": (other(C=10), "outside"),
    "C misread as 1/2": (other(C=Q(1, 2)), "y·f − 1 is"),
    "the path's scale, alpha·lambda": ({"alpha": [a / 2 for a in ALPHA], "intercept": B}, "y·f − 1 is"),
    "kernel width doubled": (other(kernel={"name": "gaussian", "gamma": Q(1, 40)}), "y·f − 1 is"),
    "gamma as 1/(2σ²) of the same letter": (other(kernel={"name": "gaussian", "gamma": Q(1, 5)}), "y·f − 1 is"),
    "another kernel": (other(kernel="linear"), "y·f − 1 is"),
    "squared slack": (other(loss="squared_hinge"), "y·f − 1 is|outside"),
    "no intercept in the model": (other(intercept=False), "sum of alpha·y is|y·f − 1 is"),
    "weights forgotten": (other(class_weight={1: 3}), "outside|y·f − 1 is"),
    "rows in another order": (
        {"alpha": ALPHA[1:] + ALPHA[:1], "intercept": B},
        "sum of alpha·y is|y·f − 1 is|where alpha is",
    ),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_planted_mistake_is_refuted_for_the_right_reason(mistake):
    """Wrong by as little as 1e-9 is seen, and the reason names the condition and the point."""
    fitted, reason = WRONG[mistake]
    v = verdict(P, fitted)
    assert not v["accepted"]
    assert any(part in v["reason"] for part in reason.split("|")), v["reason"]


LINEAR = problem(kernel="linear")
PLANE = optimum(LINEAR)
W, W0 = PLANE["coef"][0], PLANE["intercept"][0]


@pytest.mark.parametrize(
    "plane",
    [
        ([W[0] + 1e-9, W[1]], W0),
        (W, W0 + 1e-9),
        ([2 * v for v in W], 2 * W0),
        ([v / math.hypot(*W) for v in W], W0 / math.hypot(*W)),
        ([-v for v in W], -W0),
        ([0.0, 0.0], 0.0),
        (W[::-1], W0),
    ],
)
def test_a_wrong_hyperplane_is_refuted(plane):
    """Off by 1e-9, rescaled, of unit length, turned round, none at all: the gap is proven positive."""
    v = verdict(LINEAR, {"coef": [list(plane[0])], "intercept": [plane[1]]})
    assert not v["accepted"] and Q(v["certificate"]["gap"]) > 0


def test_the_right_hyperplane_is_accepted_whatever_its_form():
    """β and β₀ in doubles are within roundoff, and in fractions exact."""
    assert verdict(LINEAR, {"coef": PLANE["coef"], "intercept": PLANE["intercept"]})["accepted"]
    exact = optimum(problem("exact", kernel="linear"))
    v = verdict(LINEAR, {"coef": exact["coef"], "intercept": exact["intercept"]}, "exact")
    assert v["accepted"] and v["certificate"]["gap"] == "0"


DOUBLED = Problem("svc", X + X, Y + Y, {"C": Q(1, 2), "kernel": "linear"}, "exact")
HALVES = DOUBLED.fitted()


@pytest.mark.parametrize("part", [Q(k, 12) for k in range(13)])
def test_any_split_between_duplicates_is_accepted(part):
    """With every point twice, α may be shared between the copies as one likes, within the box."""
    n = len(X)
    total = [HALVES.alpha_[i] + HALVES.alpha_[i + n] for i in range(n)]
    first = [min(Q(1, 2), max(t - Q(1, 2), part * t)) for t in total]
    fitted = {"alpha": first + [t - a for t, a in zip(total, first)], "intercept": HALVES.intercept_}
    v = verdict(DOUBLED, fitted, "exact")
    assert v["accepted"] and v["certificate"]["gap"] == "0"


OPEN = Problem("svc", [[1], [-1]], [1, -1], {"C": Q(1, 4)}, "exact")


@pytest.mark.parametrize("beta0", [Q(k, 10) for k in range(-5, 6)])
def test_any_intercept_of_the_interval_is_accepted(beta0):
    """x = ±1 and C = ¼: every β₀ in [−½, ½] is optimal  [M-X1]."""
    assert verdict(OPEN, {"alpha": [Q(1, 4)] * 2, "intercept": beta0}, "exact")["accepted"]


@pytest.mark.parametrize("beta0", [Q(-51, 100), Q(1, 2) + Q(1, 10**12)])
def test_an_intercept_beyond_the_interval_is_refuted(beta0):
    """One part in 10¹² beyond its end is seen."""
    assert not verdict(OPEN, {"alpha": [Q(1, 4)] * 2, "intercept": beta0}, "exact")["accepted"]


def test_the_form_that_other_programs_write_is_accepted():
    """dual_coef with support, in one row as scikit-learn has it; and classes in the other order, signs turned."""
    m = P.fitted()
    assert verdict(P, {"dual_coef": m.dual_coef_, "support": m.support_, "intercept": m.intercept_})["accepted"]
    turned = {"dual_coef": [[-v for v in m.dual_coef_[0]]], "support": m.support_, "intercept": [-m.intercept_[0]]}
    assert verdict(P, {**turned, "classes": [1, -1]})["accepted"]
    assert not verdict(P, turned)["accepted"]


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
@pytest.mark.parametrize(
    "options", [{}, {"loss": "squared_hinge"}, {"intercept": False}, {"C": 100}, {"kernel": "linear"}]
)
def test_our_own_answers_are_accepted(arithmetic, options):
    """Every arithmetic's own answer passes at that arithmetic's own roundoff."""
    p = problem(arithmetic, **options)
    fitted = {k: v for k, v in optimum(p).items() if k != "coef"}
    assert verdict(p, fitted, arithmetic)["accepted"]


@pytest.mark.parametrize(
    ("fitted", "complaint"),
    [
        ({"intercept": 1}, "need alpha and intercept, dual_coef with support"),
        ({"alpha": [1, 2], "intercept": 0}, "need 17 multipliers in alpha"),
        ({"alpha": ALPHA}, "need intercept as a finite number"),
        ({"alpha": ["x"] * 17, "intercept": 0}, r"need alpha\[0\] as a number; got"),
        ({"dual_coef": [1.0], "support": [99], "intercept": 0}, "need row numbers from 0 to 16 in support; got 99"),
        ({"dual_coef": [1.0, 2.0], "support": [1], "intercept": 0}, "need support, 2 different row numbers"),
        ({"coef": [1.0, 2.0], "intercept": 0}, "need a linear kernel to judge a hyperplane"),
    ],
)
def test_an_answer_that_cannot_be_judged_is_refused_saying_what_is_needed(fitted, complaint):
    """What is missing or of another form has its line."""
    with pytest.raises(InvalidInput, match=complaint):
        verdict(P, fitted)


def test_a_formula_is_judged_by_computing_it_anew():
    """Discriminants: an attribute is accepted within roundoff of the exact value, and refuted beyond it."""
    p = Problem("lda", X, Y)
    m = LinearDiscriminantAnalysis().fit(X, Y)
    good = {"means": m.means_, "covariance": m.covariance_, "coef": m.coef_}
    assert verdict(p, good)["accepted"]
    wrong = [[v * (1 + 1e-9) for v in row] for row in m.coef_]
    v = verdict(p, {**good, "coef": wrong})
    assert not v["accepted"] and v["reason"].startswith("coef[")


SMALL = [kind.method for kind in refclass.estimator_classes() if kind.method not in ("svm_path", "bayes")]
NEEDS = {"smoothing_spline": {"penalty": 1}, "network": {"hidden": 2, "penalty": 1}, "mda": {"subclasses": 2}}
ROWS = [[Q(i * i % 7, 2), Q(3 * i % 5, 4)] for i in range(14)]
SIDES = [0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0]


def asked(method, arithmetic):
    rows = [[x] for x, _ in ROWS] if method == "smoothing_spline" else ROWS
    return Problem(method, rows, SIDES, NEEDS.get(method, {}), arithmetic, None, rows[:3])


def reported(p):
    """The oracle's answer as it comes back from JSON; None if it is a refusal."""
    try:
        given = answer.answer(p)
    except InvalidInput as refusal:
        assert "arithmetic" in str(refusal)
        return None
    return None if "refusal" in given else judge.read(json.dumps(given), "answer.json")


@pytest.mark.many
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
@pytest.mark.parametrize("method", sorted(SMALL))
def test_the_oracles_own_answers_are_accepted_and_every_number_of_them_counts(method, arithmetic):
    """In every method and arithmetic: as it stands it is accepted; with one number of one attribute changed, it is not.

    What describes the way to the answer only is left, and says so; so is the interval of intercepts of rounded numbers.
    """
    with refits.kept():
        judged_whole(asked(method, arithmetic), arithmetic)


@pytest.mark.many
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("svc", {"multiclass": "ovo", "kernel": GAUSSIAN}),
        ("svc", {"multiclass": "ovr"}),
        ("one_vs_one", {"estimator": "lda"}),
        ("one_vs_rest", {"estimator": {"name": "svc", "C": 10}}),
        ("crammer_singer", {"C": 2}),
        ("lee_lin_wahba", {"penalty": Q(1, 10), "kernel": GAUSSIAN}),
        ("kernel_classifier", {"loss": "deviance", "penalty": 2, "kernel": GAUSSIAN}),
        ("lda", {"priors": [Q(1, 2), Q(1, 4), Q(1, 4)]}),
    ],
)
def test_answers_for_three_classes_are_judged_whole(method, parameters, arithmetic):
    """The same for machines of many classes, one by one and together."""
    labels = ["c" if x > 1 else "b" if z < Q(1, 2) or i == 3 else "a" for i, (x, z) in enumerate(ROWS)]
    with refits.kept():
        judged_whole(Problem(method, ROWS, labels, parameters, arithmetic, None, ROWS[:3]), arithmetic)


def judged_whole(p, arithmetic):
    """The oracle's answer is accepted, and refuted with one number changed in any of its attributes."""
    given = reported(p)
    if given is None:
        return
    v = judge.verify(p, given, 8)
    assert v["accepted"], v["reason"]
    left = {name.rstrip("_") for name in type(p.estimator()).history}
    for name, values in given["fitted"].items():
        wrong, changed = bumped(values)
        if not changed or name in left or (name == "intercept_interval" and arithmetic == "float"):
            continue
        try:
            v = judge.verify(p, {**given, "fitted": {**given["fitted"], name: wrong}}, 8)
        except InvalidInput:
            continue
        assert not v["accepted"], name


def bumped(values, changed=False):
    """Return the values with their first nonzero number larger by a two-thousandth, or by one; whether there is one."""
    if isinstance(values, dict):
        parts, changed = bumped(list(values.values()), changed)
        return dict(zip(values, parts)), changed
    if isinstance(values, (list, tuple)):
        out = []
        for v in values:
            v, changed = bumped(v, changed)
            out.append(v)
        return out, changed
    if changed or isinstance(values, (bool, type(None))):
        return values, changed
    if isinstance(values, str):
        try:
            values = Q(values)
        except ValueError:
            return values, False
    if values == 0:
        return values, False
    step = 1 if isinstance(values, int) else max(abs(values), type(values)(1)) / 2000
    return values + step, True


def test_predictions_are_judged_too():
    """A wrong label, a wrong decision value, and query points that the problem does not have."""
    p = asked("svc", "exact")
    given = reported(p)
    labels = given["predictions"]["labels"]
    flipped = {**given["predictions"], "labels": [1 - labels[0], *labels[1:]]}
    v = judge.verify(p, {**given, "predictions": flipped})
    assert not v["accepted"] and "labels[0]" in v["reason"]
    values = given["predictions"]["decision"]
    v = judge.verify(p, {**given, "predictions": {"decision": [Q(values[0]) + Q(1, 10**9), *values[1:]]}}, 12)
    assert not v["accepted"] and "decision[0]" in v["reason"]
    with pytest.raises(InvalidInput, match="need query points in the problem, for predictions"):
        judge.verify(replace(p, query=None), given)
    with pytest.raises(InvalidInput, match=f"need {len(values)} values in decision; got 1 × {len(values)} values"):
        judge.verify(p, {**given, "predictions": {"decision": [values]}})


def test_a_refusal_is_an_answer_and_judged():
    """No plane separates these classes; the same words about those that one separates are wrong."""
    mixed = Problem("svc", [[0], [1], [2], [3]], [0, 1, 0, 1], {"C": math.inf}, "exact")
    given = judge.read(json.dumps(answer.answer(mixed)), "answer.json")
    assert judge.verify(mixed, given)["accepted"]
    apart = replace(mixed, y=[0, 0, 1, 1])
    assert judge.verify(apart, {"refusal": {"type": "NoAnswer"}})["verdict"] == "wrong: there is an answer"
    other = {**given, "refusal": {**given["refusal"], "type": "NotConverged"}}
    assert "got NotConverged, want NoAnswer" in judge.verify(mixed, other)["reason"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{"fitted": {"alpha": [1]}, "predictions": [1]}', "need predictions as an object"),
        ('{"fitted": {"alpha": [1], "classes": 3}}', "need classes as a list of labels; got 3"),
        ('{"fitted": {}}', "need fitted values; got none"),
        ("[1]", "need a JSON object with fitted values; got list"),
    ],
)
def test_an_answer_of_another_form_is_refused_at_the_door(content, complaint):
    """What is no object, or holds none where one belongs, is named."""
    with pytest.raises(InvalidInput, match=complaint):
        judge.read(content, "answer.json")


def test_the_comparator_without_fitted_values_is_judged_by_its_predictions():
    """Nearest neighbours: the labels are all that there is to say."""
    p = asked("nearest_neighbors", "float")
    given = reported(p)
    assert judge.verify(p, {"fitted": {"classes": [0, 1]}, "predictions": given["predictions"]})["accepted"]
    wrong = {"labels": [1 - v for v in given["predictions"]["labels"]]}
    assert not judge.verify(p, {"fitted": {"classes": [0, 1]}, "predictions": wrong})["accepted"]


COPIES = Problem("kernel_classifier", ROWS[:8] * 2, SIDES[:8] * 2, {"penalty": Q(1, 1000), "kernel": GAUSSIAN}, "float")


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "huberised", "deviance", "squared", "ramp", "squared_ramp"])
def test_a_coefficient_off_by_1e_4_is_seen_for_every_loss(loss):
    """The proof of the loss's own kind judges the coefficients: optimal, or stationary, and not with one changed."""
    p = replace(COPIES, parameters={**COPIES.parameters, "loss": loss})
    m = p.fitted()
    fitted = {"alpha": m.alpha_, "intercept": m.intercept_}
    v = judge.verify(p, {"fitted": fitted})
    assert v["accepted"] and v["reason"].startswith("stationary" if "ramp" in loss else "optimal")
    place = max(range(16), key=lambda i: abs(m.alpha_[i]))
    off = [a + 1e-4 * (i == place) for i, a in enumerate(m.alpha_)]
    assert not judge.verify(p, {"fitted": {**fitted, "alpha": off}}, 12)["accepted"]


def test_a_ramp_with_few_digits_is_called_stationary_to_so_many():
    """With a coefficient off by 10⁻⁷ of it, a ramp is accepted to three digits, as stationary, never as optimal."""
    p = replace(COPIES, parameters={**COPIES.parameters, "loss": "squared_ramp"})
    m = p.fitted()
    off = [a * (1 + 1e-7 * (i == 0)) for i, a in enumerate(m.alpha_)]
    v = judge.verify(p, {"fitted": {"alpha": off, "intercept": m.intercept_}}, 3)
    assert v["accepted"] and v["verdict"].startswith("stationary to ")


def test_coefficients_shared_otherwise_between_copies_are_accepted_for_the_hinge():
    """Every point twice: within the box a part of the coefficient may move to the copy."""
    m = COPIES.fitted()
    total = [a + b for a, b in zip(m.alpha_, m.alpha_[8:])]
    bound = 1000.0
    share = [min(abs(t), bound) if i % 2 else max(abs(t) - bound, 0.0) for i, t in enumerate(total)]
    first = [math.copysign(v, t) for v, t in zip(share, total)]
    other = first + [t - v for t, v in zip(total, first)]
    assert any(abs(v - a) > 1 for v, a in zip(other, m.alpha_))
    v = judge.verify(COPIES, {"fitted": {"alpha": other, "intercept": m.intercept_}})
    assert v["accepted"], v["reason"]


def test_nothing_is_solved_to_judge(monkeypatch):
    """The solvers are not called."""
    monkeypatch.setattr(fit, "train", None)
    assert verdict(P, {"alpha": ALPHA, "intercept": B})["accepted"]
    with pytest.raises(TypeError):
        SVC().fit(X, Y)


def test_a_defect_of_the_judge_is_no_bad_input(monkeypatch):
    """A bare error that the package's own answer meets, too, surfaces; one of an answer's form is refused."""
    asked = Problem("lda", [[0], [1], [3], [4]], [0, 0, 1, 1])
    odd = {"fitted": {"means": {"a": 1}, "coef": [[1]]}}
    with pytest.raises(InvalidInput):
        judge.verify(asked, odd)

    def broken(*given):
        raise TypeError("a defect")

    monkeypatch.setattr(judge, "_compared", broken)
    with pytest.raises(TypeError, match="a defect"):
        judge.verify(asked, {"fitted": {"means": [[0.5], [3.5]]}})
