"""No certificate claims more digits than are true, on data that are hard to hold in doubles.

What is true comes from elsewhere: from the kernel of trust's own bounds in fractions, from the exact optimum beside the
objective of the answer, from the normal equations in fractions, from sums of exponentials in decimals of 60 digits.
"""

import json
import math
import random
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from refclass.certificate import digits
from refclass.oracle import answer, judge, kernel, reading
from refclass.oracle.judging import trusted
from refclass.oracle.references import textbook
from tests.laws.far import MACHINES, RULES, posed, rows

EVERY = {**MACHINES, **RULES}
TRUSTED = [name for name in EVERY if EVERY[name][0] in (*kernel.MACHINES, *kernel.RULES, "least_squares")]
TRUSTED = [name for name in TRUSTED if "deviance" not in name]
ROUNDED = 0.02  # hundredths that two roundings down may differ by
NORMED = 1.0  # digits by which two norms of the residual of equations may differ


def hard(kind, seed, classes, n):
    """Rows and responses of a kind: offsets, mixed scales, copies, small numbers, an exact fit."""
    offset = {"10^3": 1e3, "10^6": 1e6, "10^9": 1e9, "exact": 1e6}.get(kind, 0)
    x, y = rows(seed, offset, classes, n=n)
    if kind == "scales":
        x = [[a * 1e6, b * 1e-6] for a, b in x]
    if kind == "small":
        x = [[a * 1e-8, b * 1e-8] for a, b in x]
    if kind == "copies":
        x = [x[i - 1] if i % 4 == 1 else row for i, row in enumerate(x)]
    if kind == "exact":
        x = [[round(v, 3) for v in row] for row in x]
        y = y if classes else [round(3 * row[0], 6) for row in x]
    return x, y


KINDS = ("10^3", "10^6", "10^9", "scales", "small", "copies", "exact")


def solved(asked):
    """The answer of `solve`, the digits that it claims, and its fitted values at their exact worth."""
    found = json.loads(json.dumps(answer.answer(asked)))
    claimed = found.get("certificate", {}).get("digits")
    if claimed is None:
        return 0, {}
    return float(claimed), reading.exact(asked, found)["fitted"]


def least(asked):
    """The exact optimum's objective, of several machines the sum."""
    value = replace(asked, arithmetic="exact").fitted().objective_
    return sum(value, Fraction(0)) if isinstance(value, list) else Fraction(value)


def true_of_machine(asked, fitted):
    """The digits that the kernel of trust proves, or those that the answer's objective has of the exact one's."""
    question = trusted.asking(asked)
    found = kernel.judge(question, {"fitted": trusted._formed(kernel.Problem(question), fitted)}, 0)
    if asked.method in kernel.RULES or asked.method == "least_squares":
        return found["digits"] + NORMED
    if asked.method == "svm_path":
        return found["digits"]
    return max(found["digits"], digits(max(found["primal"] - least(asked), 0), found["primal"]))


def check(name, kind, seed, n, true):
    """That the answer to a problem claims no more digits than are true."""
    method, parameters, classes = EVERY[name]
    asked = posed(method, parameters, *hard(kind, seed, classes, n))
    claimed, fitted = solved(asked)
    if claimed:
        assert claimed <= true(asked, fitted) + ROUNDED, (name, kind, seed)


@pytest.mark.many
@pytest.mark.parametrize("place", range(len(TRUSTED)))
def test_machines_and_rules_claim_no_more_than_is_true(place):
    """Each method on two kinds of data."""
    for k in (0, 3):
        check(TRUSTED[place], KINDS[(place + k) % len(KINDS)], place, 6, true_of_machine)


def true_of_squares(asked, fitted):
    """The digits of Σ(y − xβ − b)² + λ‖β‖², or + λ|β|, beside the least value; of an exact fit beside the spread."""
    X, y = ([list(map(Fraction, row)) for row in asked.x], list(map(Fraction, asked.y)))
    beta, lam = fitted["coef"], Fraction(asked.parameters.get("penalty", 0))
    b = fitted["intercept"][0] if "intercept" in fitted else 0
    power = 1 if asked.method == "lasso" else 2
    value = sum((t - b - sum(map(Fraction.__mul__, beta, row))) ** 2 for t, row in zip(y, X))
    value += lam * sum(abs(v) ** power for v in beta)
    best = least(asked) if asked.method == "lasso" else textbook.reference(asked).squares_
    mean = sum(y) / len(y) if "intercept" in fitted else 0
    return digits(value - best, max(value, 0 if best else sum((v - mean) ** 2 for v in y)))


@pytest.mark.parametrize("name", ["linear regression", "ridge", "lasso"])
def test_regressions_claim_no_more_than_is_true(name):
    """Every kind of data, y = 3x among them: an objective that is zero counts on the scale of the best constant's."""
    for k, kind in enumerate(KINDS):
        check(name, kind, k, 6, true_of_squares)


def deviance(asked, fitted):
    """The objective of a deviance in 60 digits: Σ log(1 + Σ e^(f_k − f_g)) + ½λ Σ‖f_k‖², of a linear kernel."""
    X, names = [list(map(Fraction, row)) for row in asked.x], sorted(set(asked.y))
    alpha = fitted["alpha"] if isinstance(fitted["alpha"][0], list) else [[a] for a in fitted["alpha"]]
    with localcontext() as context:
        context.prec = 60
        functions = []
        for own, b in zip(zip(*alpha), fitted["intercept"]):
            beta = [sum(map(Fraction.__mul__, own, column)) for column in zip(*X)]
            f = [sum(map(Fraction.__mul__, beta, row)) + b for row in X]
            functions.append((f, sum(v * v for v in beta)))
        squares, f = sum(s for _, s in functions), [list(map(decimal, row)) for row in zip(*[f for f, _ in functions])]
        f = [[0, row[0]] if len(row) == 1 else row for row in f]
        lost = sum(
            (sum((v - row[names.index(g)]).exp() if v != row[names.index(g)] else 1 for v in map(Decimal, row))).ln()
            for row, g in zip(f, asked.y)
        )
        return lost + decimal(Fraction(asked.parameters["penalty"]) * squares / 2)


def decimal(value):
    """A fraction in decimals of the context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def true_of_deviance(asked, fitted):
    """The digits of the objective beside that of the fit in decimals of 50 digits."""
    best = replace(asked, arithmetic="decimal:50").fitted().objective_
    value = Fraction(deviance(asked, fitted))
    return digits(max(value - Fraction(best), 0), value)


@pytest.mark.parametrize("name", ["deviance", "multinomial deviance"])
def test_deviances_claim_no_more_than_is_true(name):
    """The objective of the functions in decimals of 60 digits, beside the least."""
    for k, kind in enumerate(("10^6", "copies")):
        check(name, kind, k, 6, true_of_deviance)


def test_votes_of_neighbours_are_counted_without_an_error():
    """Distances at 10⁹ compared in fractions: the certificate is without an error, and no other vote is nearer."""
    x, y = hard("10^9", 5, 3, 12)
    query = [[a + 0.37, b - 0.19] for a, b in x]
    asked = posed("nearest_neighbors", {}, x, y, query=query)
    found = json.loads(json.dumps(answer.answer(asked)))
    nearest = [
        min(range(len(x)), key=lambda j: sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(z, x[j]))) for z in query
    ]
    assert found["predictions"]["labels"] == [y[j] for j in nearest]
    assert found["certificate"]["worst_violation"] in (0, "0")


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*TRUSTED, "linear regression", "ridge", "lasso", "deviance", "multinomial deviance"])
def test_no_certificate_claims_more_than_is_true(name):
    """Every kind of data, sizes from 6 to 20."""
    true = true_of_squares if EVERY[name][0] in ("linear_regression", "ridge", "lasso") else true_of_machine
    true = true_of_deviance if "deviance" in name else true
    for kind in KINDS:
        for seed in range(4):
            check(name, kind, 10 + seed, random.Random(seed).choice([6, 9, 12, 20]), true)


LARGE = "10000000000"  # costs beside which the objective is small
UNBALANCED = [
    ("svc", {"C": LARGE}, [0, 1]),
    ("svc", {"C": LARGE, "loss": "squared_hinge"}, [0, 1]),
    ("kernel_classifier", {"loss": "huberised", "penalty": "1e-10"}, [0, 1]),
    ("huber", {"penalty": "1e-10"}, [0, 1]),
]


@pytest.mark.parametrize("method, parameters, y", UNBALANCED)
def test_multipliers_that_do_not_balance_prove_nothing(method, parameters, y):
    """That of a point at the origin changes no f: without it none is left to bound the objective, whatever it costs."""
    asked = posed(method, parameters, [[0], [1]], y, arithmetic="exact")
    fitted = reading.exact(asked, json.loads(json.dumps(answer.answer(asked))))["fitted"]
    name = "alpha" if "alpha" in fitted else "coefficients"
    found = {"fitted": {name: [0, fitted[name][1]], "intercept": fitted["intercept"]}}
    question = trusted.asking(asked)
    assert kernel.judge(question, {"fitted": fitted})["digits"] == math.inf
    assert kernel.judge(question, found)["digits"] == 0
    verdict = judge.verify(asked, found)
    assert not verdict["accepted"] and verdict["digits"]["objective"] == 0
