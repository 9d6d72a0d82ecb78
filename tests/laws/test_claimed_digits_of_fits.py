"""No certificate of a discriminant, a mixture, a spline or an additive model claims more digits than are true.

What is true is computed here, from the data as they are said: residuals of defining equations in fractions, sums of
exponentials and an EM step in decimals of 60 digits, the least criterion of a spline from dense matrices in fractions.
"""

import json
import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from refclass import BRUTO, MixtureDiscriminantAnalysis, SmoothingSpline
from refclass.certificate import digits
from refclass.oracle import answer, reading
from refclass.oracle.references.rows import solve
from tests.laws.far import posed
from tests.laws.test_claimed_digits import KINDS, NORMED, ROUNDED, decimal, hard

METHODS = {
    "logistic, two classes": ("logistic", {"penalty": "1/10"}, 2),
    "logistic": ("logistic", {"penalty": "1/10"}, 3),
    "penalised": ("pda", {"penalty": 1}, 3),
    "penalised, two classes": ("pda", {"penalty": "1/100"}, 2),
    "flexible": ("fda", {}, 3),
}


def dot(u, v):
    return sum((a * b for a, b in zip(u, v)), Fraction(0))


def minus(u, v):
    return [a - b for a, b in zip(u, v)]


def relative(terms):
    """The sum of some terms over the sum of their sizes."""
    size = sum(map(abs, terms))
    return abs(sum(terms)) / size if size else 0


def spreads(rows):
    """√ of the mean square of each column about its mean, roughly, and the rows about it."""
    means = [sum(c) / len(rows) for c in zip(*rows)]
    away = [[v - m for v, m in zip(row, means)] for row in rows]
    return means, away


def true_of_logistic(asked, fitted):
    """The digits of Σ(I(g(i) = k) − pᵢₖ)(1, xᵢ − x̄) = λ(0, βₖ), exponentials in 60 digits."""
    rows, names = [list(map(Fraction, x)) for x in asked.x], sorted(set(asked.y))
    B, b = fitted["coef"], fitted["intercept"]
    if len(names) == 2:
        B, b = [[-v / 2 for v in B[0]], [v / 2 for v in B[0]]], [-b[0] / 2, b[0] / 2]
    lam, (_, away) = Fraction(asked.parameters["penalty"]), spreads(rows)
    with localcontext() as context:
        context.prec = 60
        f = [[decimal(dot(beta, x) + c) for beta, c in zip(B, b)] for x in rows]
        powers = [[(v - max(own)).exp() for v in own] for own in f]
        P = [[Fraction(v / sum(own)) for v in own] for own in powers]
    worst = Fraction(0)
    for k, beta in enumerate(B):
        missed = [(y == names[k]) - p[k] for y, p in zip(asked.y, P)]
        worst = max(worst, relative(missed))
        for j, v in enumerate(beta):
            worst = max(worst, relative([*[m * x[j] for m, x in zip(missed, away)], -lam * v]))
    return digits(worst, 1)


def moments(asked):
    """Shares, the class means about the mean, the total scatter over n, of rows in fractions."""
    _, away = spreads([list(map(Fraction, x)) for x in asked.x])
    names, n = sorted(set(asked.y)), len(asked.x)
    groups = [[x for x, y in zip(away, asked.y) if y == name] for name in names]
    means = [[sum(c) / len(own) for c in zip(*own)] for own in groups]
    p = range(len(away[0]))
    total = [[sum(x[i] * x[j] for x in away) / n for j in p] for i in p]
    return [Fraction(len(own), n) for own in groups], means, total


def true_of_scores(asked, fitted):
    """The digits of N θ = μ D θ, N = DM(T + λI/n)⁻¹MᵀD from the data, and of the directions of the classes."""
    pi, means, T = moments(asked)
    lam, n, K = Fraction(asked.parameters.get("penalty", 0)), len(asked.x), len(pi)
    A = [[v + lam / n * (i == j) for j, v in enumerate(row)] for i, row in enumerate(T)]
    reached = solve(A, means)
    N = [[pi[k] * pi[m] * dot(means[k], reached[m]) for m in range(K)] for k in range(K)]
    worst = Fraction(0)
    largest = max(N[k][k] / pi[k] for k in range(K))
    for mu, theta in zip(fitted["eigenvalues"], zip(*fitted["scores"])):
        for k in range(K):
            terms = [N[k][m] * theta[m] for m in range(K)]
            size = sum(map(abs, terms)) + largest * pi[k] * max(map(abs, theta))
            worst = max(worst, abs(sum(terms) - mu * pi[k] * theta[k]) / size)
        worst = max(worst, abs(sum(p * t * t for p, t in zip(pi, theta)) - 1) / 2)
    if "coef" in fitted:
        between = [[sum(p * m[i] * m[j] for p, m in zip(pi, means)) for j in range(len(T))] for i in range(len(T))]
        W = [[a - b for a, b in zip(*rows)] for rows in zip(A, between)]
        wanted = [[b - a for a, b in zip(*means)]] if K == 2 else means
        roots = [Fraction(math.sqrt(T[j][j])) for j in range(len(T))]
        for d, want in zip(fitted["coef"], wanted):
            for row, v, spread in zip(W, want, roots):
                size = sum(abs(a * b) for a, b in zip(row, d)) + max(abs(v), spread)
                worst = max(worst, abs(dot(row, d) - v) / size)
    return digits(worst, 1)


def check(name, kind, seed, n):
    """That an answer of a discriminant claims no more digits than its equations have."""
    method, parameters, classes = METHODS[name]
    asked = posed(method, parameters, *hard(kind, seed, classes, n))
    found = json.loads(json.dumps(answer.answer(asked)))
    if "fitted" not in found:
        return
    claimed, fitted = found["certificate"]["digits"], reading.exact(asked, found)["fitted"]
    true = true_of_logistic if method == "logistic" else true_of_scores
    if isinstance(claimed, (int, float)):
        assert claimed <= true(asked, fitted) + NORMED, (name, kind, seed)


@pytest.mark.parametrize("place", range(len(METHODS)))
def test_discriminants_claim_no_more_than_is_true(place):
    """Each method on three kinds of data."""
    for k in range(3):
        check(list(METHODS)[place], KINDS[(place + 2 * k) % len(KINDS)], place, 9)


def as_said(rows):
    """The rows as the decimals that they are written as."""
    return [[Fraction(repr(v)) for v in row] for row in rows]


def step(X, y, model):
    """How far an EM step moves the mixture: shares, means in standard deviations, covariance; in 60 digits."""
    with localcontext() as context:
        context.prec = 60
        rows, p = [list(map(decimal, x)) for x in X], len(X[0])
        sigma = [[decimal(Fraction(v)) for v in row] for row in model.covariance_]
        inverse = _inverse(sigma)
        moved, scatter = Decimal(0), [[Decimal(0)] * p for _ in range(p)]
        for k, name in enumerate(model.classes_):
            own = [x for x, label in zip(rows, y) if label == name]
            means = [[decimal(Fraction(v)) for v in mu] for mu in model.means_[k]]
            weights = [decimal(Fraction(v)) for v in model.weights_[k]]
            shares = []
            for x in own:
                away = [[a - b for a, b in zip(x, mu)] for mu in means]
                logs = [w.ln() - _form(inverse, d) / 2 for w, d in zip(weights, away)]
                parts = [(v - max(logs)).exp() for v in logs]
                shares.append([v / sum(parts) for v in parts])
            for r, (w, mu) in enumerate(zip(weights, means)):
                mass = sum(s[r] for s in shares)
                new = [sum(s[r] * (x[j] - mu[j]) for s, x in zip(shares, own)) / mass for j in range(p)]
                moved = max(moved, abs(mass / len(own) - w), _form(inverse, new).sqrt())
                for s, x in zip(shares, own):
                    d = [a - b - c for a, b, c in zip(x, mu, new)]
                    for i in range(p):
                        for j in range(p):
                            scatter[i][j] += s[r] * d[i] * d[j]
        change = [[v / len(rows) - w for v, w in zip(*two)] for two in zip(scatter, sigma)]
        T = [[sum(a * b for a, b in zip(row, column)) for column in zip(*change)] for row in inverse]
        trace = sum(T[i][j] * T[j][i] for i in range(p) for j in range(p))
        return Fraction(max(moved, abs(trace).sqrt()))


def _form(A, v):
    return sum(v[i] * A[i][j] * v[j] for i in range(len(v)) for j in range(len(v)))


def _inverse(A):
    (a, b), (c, d) = A
    det = a * d - b * c
    return [[d / det, -b / det], [-c / det, a / det]]


def check_mixture(kind, seed, n):
    """That a mixture claims no more digits than a step in long decimals leaves of it."""
    x, y = hard(kind, seed, 2, n)
    rows = as_said(x)
    model = MixtureDiscriminantAnalysis(subclasses=2).fit(rows, y)
    claimed = model.certificate_.digits
    if claimed is not None:
        assert claimed <= digits(step(rows, y, model), 1) + ROUNDED + 0.2, (kind, seed)


@pytest.mark.parametrize("kind", ["10^6", "scales", "copies"])
def test_mixtures_claim_no_more_than_is_true(kind):
    """Two subclasses of each of two classes."""
    check_mixture(kind, 1, 16)


def penalty_matrix(knots):
    """K = QR⁻¹Qᵀ for knots in fractions: gᵀKg is the roughness of the natural spline through g."""
    m = len(knots)
    h = [b - a for a, b in zip(knots, knots[1:])]
    Q = [[Fraction(0)] * m for _ in range(m - 2)]
    R = [[Fraction(0)] * (m - 2) for _ in range(m - 2)]
    for j in range(m - 2):
        Q[j][j], Q[j][j + 1], Q[j][j + 2] = 1 / h[j], -1 / h[j] - 1 / h[j + 1], 1 / h[j + 1]
        R[j][j] = (h[j] + h[j + 1]) / 3
        if j + 1 < m - 2:
            R[j][j + 1] = R[j + 1][j] = h[j + 1] / 6
    solved = solve(R, [list(c) for c in zip(*Q)])  # one row for each knot: R⁻¹ times that column of Qᵀ
    return [[dot([row[i] for row in Q], solved[j]) for j in range(m)] for i in range(m)]


def bent(knots, seconds, counts, values):
    """The values of the natural spline with these second derivatives, and the line that brings it nearest to values."""
    h = [b - a for a, b in zip(knots, knots[1:])]
    heights, slope = [Fraction(0), Fraction(0)], Fraction(0)
    for i in range(1, len(h)):
        slope += (h[i - 1] * (seconds[i - 1] + 2 * seconds[i]) + h[i] * (2 * seconds[i] + seconds[i + 1])) / 6
        heights.append(heights[-1] + h[i] * slope)
    left = [g - v for g, v in zip(values, heights)]
    middle, mean = [dot(counts, v) / sum(counts) for v in (knots, left)]
    apart = [x - middle for x in knots]
    steep = dot(counts, [a * v for a, v in zip(apart, left)]) / dot(counts, [a * a for a in apart])
    return [v + mean + steep * a for v, a in zip(heights, apart)]


def check_spline(kind, seed, n, **parameters):
    """That a smoothing spline claims no more digits than its criterion has beside the least.

    By its values; or by its second derivatives, to the digits that its values are those of these.
    """
    x, y = hard(kind, seed, 0, n)
    rows, t = as_said([row[:1] for row in x]), [Fraction(repr(v)) for v in y]
    model = SmoothingSpline(**parameters).fit(rows, t)
    found, knots = model.certificate_, sorted({row[0] for row in rows})
    if len(knots) < 3 or model.penalty_ == math.inf:
        return
    K, lam = penalty_matrix(knots), Fraction(model.penalty_)
    places = [knots.index(row[0]) for row in rows]
    g = [Fraction(v) for v in model._model.curve.values[0]]

    def criterion(values):
        rough = sum(a * dot(row, values) for a, row in zip(values, K))
        return sum((v - values[k]) ** 2 for v, k in zip(t, places)) + lam * rough

    W = [[places.count(i) * (i == j) + lam * v for j, v in enumerate(row)] for i, row in enumerate(K)]
    (best,) = solve(W, [[sum(v for v, k in zip(t, places) if k == i) for i in range(len(knots))]])
    least, mean = criterion(best), sum(t) / len(t)
    constant = sum((v - mean) ** 2 for v in t)
    counts = [places.count(k) for k in range(len(knots))]
    smooth = bent(knots, [Fraction(v) for v in model._model.curve.seconds[0]], counts, g)
    size = max(max(map(abs, g)), max(abs(v - mean) for v in t))
    true = 0
    for value, agreed in ((criterion(g), math.inf), (criterion(smooth), digits(max(map(abs, minus(g, smooth))), size))):
        held = digits(value - least, value)
        if found.premise or least * 10**20 < constant:
            held = max(held, digits(value - least, constant))
        true = max(true, min(held, agreed))
    assert found.digits <= true + ROUNDED, (kind, seed, parameters)


@pytest.mark.parametrize("place", range(len(KINDS)))
def test_splines_claim_no_more_than_is_true(place):
    """A λ that is given, degrees of freedom just above two, and a search by GCV."""
    given = ({"penalty": Fraction(1, 10)}, {"degrees_of_freedom": 2.0001}, {})[place % 3]
    check_spline(KINDS[place], place, 7, **given)


def check_additive(kind, seed, n):
    """That a BRUTO fit claims no more digits than the equations of its functions have, beside the responses."""
    x, y = hard(kind, seed, 0, n)
    rows, t = as_said(x), [Fraction(repr(v)) for v in y]
    model = BRUTO().fit(rows, t)
    curves, lams = model._model.curves, model._model.smoothing
    used = [j for j, c in enumerate(curves) if c is not None]
    knots = {j: sorted({row[j] for row in rows}) for j in used}
    values = {j: [Fraction(v) for v in curves[j].values[0]] for j in used}
    left = [v - Fraction(model.intercept_) for v in t]
    for j in used:
        left = [v - values[j][knots[j].index(row[j])] for v, row in zip(left, rows)]
    mean = sum(t) / len(t)
    spread, worst = max(abs(v - mean) for v in t), Fraction(0)
    for j in used:
        if lams[j] == math.inf or len(knots[j]) < 3:
            continue
        K, lam = penalty_matrix(knots[j]), Fraction(lams[j])
        pulled = [sum((v for v, row in zip(left, rows) if row[j] == s), Fraction(0)) for s in knots[j]]
        sizes = [dot(map(abs, row), map(abs, values[j])) for row in K]
        for pull, row, size in zip(pulled, K, sizes):
            worst = max(worst, abs(lam * dot(row, values[j]) - pull) / (lam * size + spread))
    claimed = model.certificate_.digits
    # Premise: the certificate has an equation for values and one for second derivatives, each with a norm of its own.
    assert claimed is None or claimed <= digits(worst, 1) + 2 * NORMED, (kind, seed)


@pytest.mark.parametrize("kind", ["10^3", "10^6", "scales", "exact"])
def test_additive_models_claim_no_more_than_is_true(kind):
    """Two variables; of an exact fit, too."""
    check_additive(kind, 3, 12)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_no_fit_claims_more_than_is_true(kind):
    """Every kind of data, sizes from 9 to 15."""
    for seed in range(3):
        n = random.Random(seed).choice([9, 12, 15])
        for name in METHODS:
            check(name, kind, 10 + seed, n)
        check_mixture(kind, 20 + seed, n + 10)
        for given in ({"penalty": 1}, {"penalty": Fraction(1, 1000)}, {"degrees_of_freedom": 2.001}, {}):
            check_spline(kind, seed, n, **given)
        check_additive(kind, seed, n)
