"""Linear functions moved a little, judged by what they cost: what is accepted has the digits that are said of it."""

import json
import math
from fractions import Fraction
from random import Random

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import judge, kernel, problem
from refclass.oracle.answer import answer
from tests.hunt import deviance
from tests.profiles import thorough

SEEDS = range(120) if thorough() else (13, 14)
ASKED, SLACK = 6, 0.02
LOSSES = ["deviance", "deviance", "deviance", "squared_hinge", "huberised", "huberised_hinge", "squared"]
MOVES = [("coef", 1e-3), ("coef", 1e-2), ("coef", 0.1), ("coef", -2.0), ("least", 0.1), ("swapped", 0)]
MOVES += [("intercept", 1e-3), ("intercept", 1e-2), ("reversed", 0), ("dropped", 0)]


def drawn(seed):
    """Return a problem with a linear function, or several, on columns of size 10^±6, many far from zero."""
    r = Random(seed)
    n, sizes = r.randint(5, 18), [10.0 ** r.randint(-6, 6) for _ in range(r.randint(1, 3))]
    off = r.choice([0, 0, 1, 1e3, 1e6, 1e9])
    x = [[str(Fraction(off + s * r.gauss(0, 1))) for s in sizes] for _ in range(n)]
    method = r.choice(["kernel_classifier"] * 5 + ["huber", "kernel_ridge", "svc"])
    loss, lam, name = r.choice(LOSSES), Fraction(10) ** r.randint(-8, 4), "float"
    K = r.choice([2, 2, 3, 4, 5]) if (method, loss) == ("kernel_classifier", "deviance") else 2
    y = [i % K for i in range(n)] if method in ("kernel_classifier", "svc") else [round(r.gauss(0, 2), 2) for _ in x]
    parameters = {"penalty": str(lam), "loss": loss}
    if method in ("huber", "kernel_ridge"):
        del parameters["loss"]
    if method == "svc":
        parameters = {"C": str(1 / lam), "loss": "squared_hinge"}
    if r.random() < 0.5:
        name = r.choice(
            ["decimal:20", "decimal:30"] if parameters.get("loss") == "deviance" else ["decimal:20", "exact"]
        )
    given = {"method": method, "parameters": parameters, "x": x, "y": y, "arithmetic": name}
    return {**given, "weights": [r.choice(["1/2", 1, 2, 3]) for _ in x]} if r.random() < 0.4 else given


def read(given):
    """Return the problem."""
    return problem.read(json.dumps(given), "P.json")


def functions(fitted):
    """Return a row of coefficients for each function, and the intercepts."""
    rows = fitted["coef"] if isinstance(fitted["coef"][0], list) else [fitted["coef"]]
    return [list(map(Fraction, row)) for row in rows], list(map(Fraction, fitted["intercept"]))


def cost(given, fitted):
    """Return the objective of the linear functions that are reported, in fractions, with logarithms of 80 digits."""
    own, (beta, b) = kernel.Problem(given), functions(fitted)
    if fitted.get("classes", own.names) != own.names:
        beta, b = (beta[::-1], b[::-1]) if len(b) > 1 else ([[-v for v in beta[0]]], [-b[0]])
    f = [[kernel.dot(row, x) + c for row, c in zip(beta, b)] for x in own.x]
    square, loss = sum(kernel.dot(row, row) for row in beta), own.get("loss", None)
    if loss == "deviance":
        with deviance.localcontext() as context:
            context.prec, context.Emax, context.Emin = deviance.PLACES, 10**9, -(10**9)
            rows = [[Fraction(0), *row] if len(row) == 1 else row for row in f]
            return own.lam * square / 2 + sum(w * deviance.losses(row, g) for w, row, g in zip(own.w, rows, own.label))
    if own.method == "svc":
        lam, C = Fraction(1), own.C
    else:
        lam, C = own.lam * (2 if own.method == "kernel_ridge" else 1), Fraction(1)
    if own.method in ("svc", "kernel_classifier"):
        t = [1 - (2 * g - 1) * v for g, (v,) in zip(own.label, f)]
        value = kernel.loss(loss)[0]
    else:
        t = [y - v for y, (v,) in zip(own.y, f)]
        value = kernel.loss(*(("huber", Fraction("1.345")) if own.method == "huber" else ("squared",)))[0]
    return lam * square / 2 + C * sum(w * value(v) for w, v in zip(own.w, t))


def moved(fitted, how, share):
    """Return the answer with one thing moved; None where it does not apply, or leaves it as it was."""
    rows, b = functions(fitted)
    places = sorted(((abs(v), k, j) for k, row in enumerate(rows) for j, v in enumerate(row)), reverse=True)
    (_, k, j), (_, m, i) = places[0], places[-1]
    if how == "intercept":
        b[0] += Fraction(share) * (b[0] or 1)
    elif how == "swapped":
        rows[k][j], rows[m][i] = rows[m][i], rows[k][j]
    elif how == "dropped":
        rows[k].pop()
    elif how == "reversed":
        return {**fitted, "classes": fitted["classes"][::-1]} if "classes" in fitted else None
    else:
        k, j = (k, j) if how == "coef" else (m, i)
        rows[k][j] *= 1 + Fraction(share)
    new = [list(map(str, row)) for row in rows]
    if (rows, b) == functions(fitted):
        return None
    return {**fitted, "coef": new if isinstance(fitted["coef"][0], list) else new[0], "intercept": list(map(str, b))}


def digits(value, least):
    """Return to how many digits an objective is the least one."""
    return kernel.digits(max(value - least, 0), max(value, least))


def examined(seed):
    """Yield what is wrong with the verdicts on a problem's own answer, and on the same moved."""
    given = drawn(seed)
    asked, said = read(given), json.loads(json.dumps(answer(read(given))))
    if "refusal" in said:
        return
    long = "exact" if given["parameters"].get("loss") != "deviance" else "decimal:100"
    best = json.loads(json.dumps(answer(read({**given, "arithmetic": long}))))
    least = cost(given, best["fitted"])
    found = judge.verify(asked, judge.read(json.dumps(said), "A.json"))
    if not found["accepted"]:
        yield f"own answer: {found['reason']}"
        return
    own, held = digits(cost(given, said["fitted"]), least), found["digits"]["objective"]
    held = math.inf if held == "all" else held
    for how, share in MOVES:
        fitted = moved(said["fitted"], how, share)
        if fitted is None:
            continue
        try:
            verdict = judge.verify(asked, judge.read(json.dumps({**said, "fitted": fitted}), "A.json"))
        except InvalidInput:
            if how != "dropped":
                raise
            continue
        if not verdict["accepted"]:
            continue
        if how == "dropped":
            yield "a coefficient left out: accepted"
            continue
        got, stated = digits(cost(given, fitted), least), verdict["digits"].get("coef", "all")
        if got + SLACK < min(ASKED, held - 1, max(1, own - 1)):
            yield f"{how} {share}: accepted with {got} digits, own {own}, proven {held}"
        elif got + SLACK < (math.inf if stated == "all" else stated):
            yield f"{how} {share}: {got} digits, said to be {stated}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_accepted_has_the_digits_that_are_said(seed):
    """The objective of moved coefficients or intercepts, in fractions; classes turned round, too; one left out is
    no answer."""
    assert not list(examined(seed))
