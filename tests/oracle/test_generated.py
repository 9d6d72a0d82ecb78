"""Solve, then verify: answers of the package are accepted in every method and arithmetic, changed ones refuted."""

import json
import random
from fractions import Fraction as Q
from inspect import signature
from itertools import product

import pytest

import refclass
from refclass.errors import InvalidInput
from refclass.oracle import answer, judge, problem
from refclass.oracle.problem import kind_of

SLACKS = ("epsilon_insensitive", "squared_epsilon_insensitive", "quadratic_epsilon_insensitive")
LOSSES = ("hinge", "squared_hinge", "huberised", "deviance", "squared", "ramp", "squared_ramp")
METHODS = [kind.method for kind in refclass.estimator_classes() if kind.method != "bayes"]
TWO = ("svm_path", "perceptron", "regression_classifier")  # methods for two classes only
GAUSSIAN = {"name": "gaussian", "gamma": "1/3"}
CUBIC = {"name": "polynomial", "degree": 3, "c": 1}
SQUARE = {"name": "polynomial", "degree": 2}
COSTS = "costs"  # stands for a matrix of K × K costs, and PRIORS for K priors
PRIORS = "priors"
MACHINES = [{"kernel": GAUSSIAN}, {"kernel": CUBIC}, {"kernel": {"name": "laplacian", "sigma": 2}}]
OPTIONS = {
    "smoothing_spline": [{"penalty": 1}, {}, {"degrees_of_freedom": 3}, {"penalty": "1/1000"}],
    "network": [{"hidden": 2, "penalty": 1}, {"hidden": 3, "penalty": "1/10", "seed": 4}],
    "mda": [{"subclasses": 2}, {"subclasses": 2, "n_components": 1}, {"subclasses": 1}, {"subclasses": 2, PRIORS: 0}],
    "svc": [
        *[{**own, "C": C} for own in ({}, *MACHINES) for C in ("1/10", 1, 100)],
        {"C": "inf"},
        {"C": "inf", "kernel": GAUSSIAN},
        {"loss": "squared_hinge"},
        {"loss": "squared_hinge", "kernel": GAUSSIAN, "C": 10},
        {"kernel": {"name": "gaussian", "gamma": "scale"}},
        {"kernel": {"name": "sigmoid", "a": "1/10", "b": 0}},
        {"kernel": {"name": "thin_plate", "sigma": 1}},
        {"intercept": False},
        {"class_weight": "balanced"},
        {"multiclass": "ovr"},
        {"multiclass": "ovr", "kernel": GAUSSIAN},
        {"solver": "smo"},
        {"solver": "active_set", "kernel": GAUSSIAN},
    ],
    "svm_path": [{}, *MACHINES, {"solver": "hastie"}],
    "svr": [
        *[{**own, "loss": loss} for own in ({}, *MACHINES[:1]) for loss in SLACKS],
        {"epsilon": "1/10", "C": 3},
        {"epsilon": 0},
        {"intercept": False},
        {"C": 1000, "kernel": CUBIC},
    ],
    "lda": [{}, {"divisor": "n"}, {"n_components": 1}, {PRIORS: 0}, {COSTS: 0}, {"cutpoint": "empirical"}],
    "qda": [{}, {"divisor": "n"}, {PRIORS: 0}, {COSTS: 0}, {"pseudo_inverse": True}],
    "rda": [{}, {"alpha": "1/2", "gamma": "1/3"}, {"alpha": 0}, {"alpha": 1, PRIORS: 0}, {"gamma": 0, COSTS: 0}],
    "fisher": [{}, {"between": "centroids"}, {"n_components": 1}, {"pseudo_inverse": True}],
    "least_squares": [{}, {"coding": ["-1", "3"]}, {"penalty": 1}, {"cutpoint": "empirical"}],
    "logistic": [{"penalty": 1}, {}, {"penalty": "1/100"}],
    "scoring": [{}, {"n_components": 1}, {PRIORS: 0}, {"intercept": False}],
    "fda": [
        {},
        {"regression": SQUARE},
        {"regression": "ridge"},
        {"n_components": 1},
        {PRIORS: 0},
        {"regression": "mars"},
    ],
    "pda": [{}, {"penalty": 0}, {"omega": "identity", "n_components": 1}, {PRIORS: 0}, {"penalty": 100}],
    "nearest_neighbors": [{}, {"n_neighbors": 3}],
    "tree": [{}, {"max_depth": 2}, {"min_leaf": 2}, {"ccp_alpha": "1/2"}, {"combinations": True}],
    "gaussian_nodes": [{}, {"gamma": "1/4", "penalty": 1}],
    "ridge": [{}, {"intercept": False, "penalty": "1/10"}, {"penalty": 0}],
    "linear_regression": [{}, {"intercept": False}],
    "kernel_ridge": [
        {"penalty": "1/10"},
        {"kernel": GAUSSIAN},
        {"kernel": CUBIC, "intercept": False},
        {"penalty": 1000},
    ],
    "huber": [{}, {"c": 1, "kernel": GAUSSIAN}, {"penalty": 10, "intercept": False}, {"kernel": CUBIC}],
    "kernel_classifier": [
        *[{"loss": loss, **own} for loss in LOSSES for own in ({}, {"kernel": GAUSSIAN, "penalty": "1/10"})],
        {"norm": "coefficients", "kernel": GAUSSIAN},
        {"intercept": False},
    ],
    "crammer_singer": [{}, {"C": "1/4"}, *MACHINES, {"C": "inf"}],
    "lee_lin_wahba": [{}, {"penalty": "1/10"}, *MACHINES[:2], {COSTS: 0}],
    "one_vs_one": [
        {},
        {"estimator": "lda"},
        {"estimator": {"name": "svc", "kernel": GAUSSIAN}},
        {"estimator": "logistic"},
    ],
    "one_vs_rest": [{}, {"estimator": "lda"}, {"estimator": {"name": "svc", "C": 10}}],
    "polynomial": [{"degree": 2}, {}, {"degree": 0}, {"degree": 3}],
    "regression_classifier": [{}, {"regression": SQUARE}, {"regression": "mars"}, {"regression": "linear_regression"}],
    "bruto": [{}, {"cost": 1}],
    "mars": [{}, {"degree": 2}, {"max_terms": 3}],
}
WEIGHTED = [k.method for k in refclass.estimator_classes() if "sample_weight" in signature(k.fit).parameters]
RUNS = [
    *product(("float", "exact", "decimal:30"), (0,)),
    ("float", 3),
    *(pytest.param(arithmetic, 4, marks=pytest.mark.thorough) for arithmetic in ("float", "exact", "decimal:30")),
    *(pytest.param(arithmetic, 3, marks=pytest.mark.thorough) for arithmetic in ("exact", "decimal:30")),
]


def drawn(method, arithmetic, seed):
    """A small problem: balanced or not, symmetric about zero or not, exactly linear responses, doubled points."""
    R = random.Random(f"{method} {arithmetic} {seed}")
    labelled, symmetric = kind_of(method).takes_labels, seed % 2 == 1
    K = 2 if method in TWO or method == "kernel_classifier" else R.choice([2, 3, 3, 4])
    p, n = 1 if method == "smoothing_spline" else R.choice([1, 2]), 6 * (K if labelled else 2)
    half = [[R.randint(-5, 5) for _ in range(p)] for _ in range(n // 2)]
    x = [*half, *[[-v for v in row] for row in half]]
    if not symmetric:
        x = [[round(R.gauss(0, 2), 2) for _ in range(p)] for _ in range(n)]
    y = [i % K for i in range(n)]
    if labelled and not symmetric:
        x = [[row[0] + 2 * g, *row[1:]] for row, g in zip(x, y)]
    if not labelled:
        y = [3 * row[0] for row in x] if symmetric else [round(row[0] ** 2 - row[-1], 2) for row in x]
    options = dict(R.choice(OPTIONS.get(method, [{}])))
    if COSTS in options:
        options[COSTS] = [[0 if i == j else R.randint(1, 4) for j in range(K)] for i in range(K)]
    if PRIORS in options:
        options[PRIORS] = [f"{i + 1}/{K * (K + 1) // 2}" for i in range(K)]
    form, more = seed // 2 % 4, {}
    if form == 1:
        x = [*x, *x[: n // 3]]
        y = [*y, *y[: n // 3]]
    elif form == 2 and method in WEIGHTED:
        more["weights"] = [R.choice([1, 1, 2, 3, "1/2"]) for _ in y]
    elif form == 3:
        x = [[1000 + 100 * row[0], *[v / 1000 for v in row[1:]]] for row in x]
    given = {"method": method, "parameters": options, "arithmetic": arithmetic, "x": x, "y": y, **more}
    return problem.read(json.dumps({**given, "query": [x[0], [0] * p]}), "P.json")


def answered(asked):
    """The answer as a file brings it back; None where the method has no such arithmetic or requires other data."""
    try:
        return judge.read(json.dumps(answer.answer(asked)), "A.json")
    except InvalidInput:
        return None


@pytest.mark.many
@pytest.mark.parametrize(("arithmetic", "seed"), RUNS)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_what_solve_answers_verify_accepts(method, arithmetic, seed):
    """On balanced classes, on data symmetric about zero, on responses without an error: zero quantities among them."""
    asked = drawn(method, arithmetic, seed)
    reported = answered(asked)
    if reported is not None and not claims_fewer(reported):
        found = judge.verify(asked, reported)
        assert found["accepted"], found["reason"]


def test_a_smoothing_that_another_betters_only_with_the_others_held_is_accepted():
    """BRUTO, a λ four fifths of that of lowest GCV given the line of the other variable; twice of it is refuted."""
    asked = drawn("bruto", "float", 4)
    reported = answered(asked)
    assert "no lower once all are refitted" in reported["certificate"]["premise"]
    assert judge.verify(asked, reported)["accepted"]
    lam, line = reported["fitted"]["penalty"]
    found = judge.verify(asked, {"fitted": {"penalty": [2 * lam, line]}, "arithmetic": "float"})
    assert not found["accepted"] and found["reason"].startswith("penalty: got")


def claims_fewer(reported):
    """Return whether an answer's own certificate says that it has fewer than six digits."""
    proof = reported.get("certificate") or {}
    digits = proof.get("digits")
    few = digits not in (None, "inf") and Q(str(digits)) < 6 and str(proof.get("status")).endswith("digits")
    return few or proof.get("status") == "not converged"


JUDGED = ("coef", "intercept", "means", "priors", "covariance", "alpha", "objective", "eigenvalues", "scalings")


@pytest.mark.many
@pytest.mark.parametrize("seed", [0, 2])
@pytest.mark.parametrize("method", ["lda", "qda", "fisher", "ridge", "linear_regression", "logistic", "svc", "pda"])
def test_a_number_that_is_wrong_in_its_fourth_digit_is_refuted(method, seed):
    """The largest number of each attribute, one after another."""
    asked = drawn(method, "float", seed)
    reported = answered(asked)
    if reported is None or "refusal" in reported:
        return
    for name in [name for name in reported["fitted"] if name in JUDGED]:
        wrong = json.loads(json.dumps(reported["fitted"][name], default=float))
        if not changed(wrong):
            continue
        found = judge.verify(asked, {**reported, "fitted": {**reported["fitted"], name: wrong}})
        assert not found["accepted"], name
        assert found["verdict"].startswith(("wrong: ", "suboptimal", "infeasible", "refuted: ")), found["verdict"]


def changed(values):
    """Change the largest number of nested lists by a two-thousandth of itself, in place; whether there is one."""
    if not isinstance(values, list):
        return False
    places = list(numbers(values))
    holder, i = max(places, key=lambda place: abs(place[0][place[1]]), default=(None, 0))
    if holder is None or holder[i] == 0:
        return False
    holder[i] *= 1 + 1 / 2000
    return True


def numbers(values):
    """Each number of nested lists as its list and its place."""
    for i, v in enumerate(values):
        if isinstance(v, list):
            yield from numbers(v)
        elif isinstance(v, (int, float)) and not isinstance(v, bool):
            yield values, i


THREE = {
    "method": "lda",
    "x": [[0, 0], [1, 0], [0, 1], [3, 0], [4, 1], [3, 2], [0, 4], [1, 5], [2, 4]],
    "y": list("aaabbbccc"),
    "query": [[1, 1], [2, 3]],
}


def textbook():
    """δₖ as ESL (4.10) prints it, for balanced classes: Σ⁻¹μₖ, −½μₖᵀΣ⁻¹μₖ + log πₖ with the divisor n − K."""
    asked = problem.read(json.dumps(THREE), "P.json")
    X, labels = asked.x, asked.y
    own = [[x for x, g in zip(X, labels) if g == c] for c in "abc"]
    means = [[sum(v) / Q(3) for v in zip(*rows)] for rows in own]
    (a, b), (_, d) = [
        [sum((x[i] - m[i]) * (x[j] - m[j]) for rows, m in zip(own, means) for x in rows) / Q(6) for j in (0, 1)]
        for i in (0, 1)
    ]
    det = a * d - b * b
    coef = [[(d * m[0] - b * m[1]) / det, (a * m[1] - b * m[0]) / det] for m in means]
    return asked, coef, [-sum(u * v for u, v in zip(m, w)) / 2 - Q("1.0986122886681098") for m, w in zip(means, coef)]


@pytest.mark.parametrize("shift", [Q(0), Q(5, 3)])
def test_scores_are_judged_up_to_a_shift_common_to_all_classes(shift):
    """The textbook's formula, and the same with one linear function added to every class  [ESL-4.10]."""
    asked, coef, intercept = textbook()
    moved = {"coef": [[v + shift for v in row] for row in coef], "intercept": [v - shift for v in intercept]}
    assert judge.verify(asked, {"fitted": moved}, 12)["accepted"]
    moved["coef"][1][0] += Q(1, 1000)
    assert not judge.verify(asked, {"fitted": moved})["accepted"]


def test_multinomial_coefficients_with_a_base_class_are_accepted():
    """K − 1 rows against the first class, as other programs have them  [YANG-logistic-regression]."""
    asked = problem.read(json.dumps({**THREE, "method": "logistic", "parameters": {"penalty": 1}}), "P.json")
    fitted = answered(asked)["fitted"]
    rows = [[float(v) for v in row] for row in fitted["coef"]]
    base = {
        "coef": [[v - w for v, w in zip(row, rows[0])] for row in rows[1:]],
        "intercept": [float(v) - float(fitted["intercept"][0]) for v in fitted["intercept"][1:]],
    }
    assert judge.verify(asked, {"fitted": base}, 10)["accepted"]
    base["intercept"][0] += 1e-3
    assert not judge.verify(asked, {"fitted": base})["accepted"]
