"""The kernel of trust: it imports nothing of the package, and checks anybody's answer in fractions.

`python refclass/oracle/kernel.py PROBLEM.json ANSWER.json [--digits 6]` writes its verdict as JSON; exit status 0:
accepted, 1: refuted, 2: bad input. Nothing is solved. Beside this file `kernel_gram.py` has the kernels, and
`kernel_qp.py` judges quadratic programmes. A machine minimises P = ½μ‖h‖² + Σ cᵢL(tᵢ) over f = h + b,
h = Σ aⱼK(xⱼ,·), tᵢ = yᵢ − f(xᵢ), or 1 − yᵢf(xᵢ) for two classes. By Fenchel's inequality slopes vᵢ of the cᵢL bound it
from below, for uᵢ = vᵢ, or yᵢvᵢ (Σ uᵢ = 0 where b is free):

    D = Σ vᵢ·targetᵢ − cᵢL*(vᵢ/cᵢ) − uᵀKu/(2μ) ≤ min P,   equal where u = μa is optimal  [ESL-12.13] [MMST-11.124]

P and D at the answer, its multipliers clipped and balanced exactly, prove −log₁₀((P − D)/max(|P|, |D|)) digits of the
objective. A linear-Gaussian rule has those of the worst residual of its equations. Predictions are not judged.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
from fractions import Fraction
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Sequence  # noqa: UP035

Numbers = list[Fraction]
Proof = tuple[Any, Any, list[Any], Fraction, bool]  # P, D, what fails by how much, P(0) where min P = 0, convex
KNOWN = {"C", "kernel", "loss", "intercept", "class_weight", "multiclass", "epsilon", "c", "penalty", "norm", "costs"}
KNOWN |= {"solver", "tol", "max_iter", "alpha", "gamma", "priors", "divisor", "between", "coding"}
MACHINES = ("svc", "svm_path", "kernel_classifier", "svr", "huber", "kernel_ridge", "crammer_singer", "lee_lin_wahba")
RULES, REGRESSIONS = ("lda", "qda", "rda", "fisher"), ("ridge", "linear_regression", "least_squares", "scoring")
ZERO, ONE, TINY = Fraction(0), Fraction(1), 2**1074  # every double is a whole multiple of 1/TINY


def need(holds: Any, words: str) -> None:
    """Raise ValueError unless the condition holds."""
    if not holds:
        raise ValueError(" ".join(f"need {words}".split())[:300])


def beside(name: str) -> Any:
    """Return the file `kernel_NAME.py` beside this one; like this one it imports nothing of the package."""
    folder = __file__.rpartition("kernel.py")[0]
    if not __package__ and folder not in sys.path:  # run alone
        sys.path.insert(0, folder)
    return importlib.import_module(f"{__package__}.kernel_{name}" if __package__ else f"kernel_{name}")


def number(value: Any) -> Fraction:
    """Return the rational number that a value denotes."""
    sound = isinstance(value, str) and len(value) < 100_000 and len(value.lower().partition("e")[2]) < 6
    finite = isinstance(value, (int, float, Fraction)) and not isinstance(value, bool) and value - value == 0
    need(finite or (sound and "_" not in value), f"finite numbers; got {str(value)[:40]!r}")
    return Fraction(value)


def numbers(value: Any, n: int) -> Numbers:
    """Return a list of n numbers; a list of one such list counts as it."""
    value = value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) else value
    need(isinstance(value, list) and len(value) == n, f"a list of {n} numbers; got {str(value)[:60]}")
    return list(map(number, value))


def dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    """Return Σ uᵢvᵢ."""
    return sum([p * q for p, q in zip(u, v)], ZERO)


class Problem:
    """A problem: its method and parameters, rows x, labels or responses y, weights w ≥ 0; class names and numbers."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        x, y, own, self.method = (given.get(name, {}) for name in ("x", "y", "parameters", "method"))
        need(isinstance(x, list) and x and isinstance(y, list) and len(y) == len(x), "rows x, and a y for each")
        need(all(isinstance(r, list) and r and len(r) == len(x[0]) for r in x), "rows of x of one length")
        need(isinstance(own, Mapping) and set(own) <= KNOWN, f"parameters among {sorted(KNOWN)}")
        self.get: Callable[[str, Any], Any] = lambda k, default: default if own.get(k) is None else own[k]
        self.n, self.p, self.x = len(x), len(x[0]), [numbers([r], len(r)) for r in x]
        self.w = [ONE] * self.n if given.get("weights") is None else numbers(given["weights"], self.n)
        self.y = [v if type(v) is str else number(v) for v in y]
        self.names = sorted(set(self.y)) if len(set(map(type, self.y))) == 1 else list(dict.fromkeys(self.y))
        self.label, self.lam = list(map(self.names.index, self.y)), number(self.get("penalty", 1))
        self.C: Any = None if self.get("C", 1) in ("inf", math.inf) else number(self.get("C", 1))
        need(min(self.w) >= 0 <= self.lam and (self.C is None or self.C > 0), "weights and penalty ≥ 0, and C > 0")


class Gram(NamedTuple):
    """A Gram matrix: its rows as integers over one denominator, its size, its name, whether it is ≥ 0 by a theorem."""

    row: Callable[[int], list[int]]
    q: int
    n: int
    words: str = "the exact Gram matrix of the kernel"
    positive: bool = True

    def times(self, a: Sequence[Fraction]) -> Numbers:
        """Return K a."""
        d, total = math.lcm(*[v.denominator for v in a]), [0] * self.n
        for j, c in enumerate([v.numerator * (d // v.denominator) for v in a]):
            total = [t + c * k for t, k in zip(total, self.row(j))] if c else total
        return [Fraction(t, d * self.q) for t in total]

    def convex(self, rows: Sequence[int], balanced: bool) -> bool:
        """Return whether zᵀKz ≥ 0 for every z on the rows, of sum zero if balanced."""
        A = [] if self.positive else [[Fraction(self.row(i)[j]) for j in rows] for i in rows]
        return bool(beside("qp").semidefinite(A, [[ONE] * len(A)] if balanced else []))


def gram(p: Problem, one: int = 0) -> Gram:
    """Return the Gram matrix of the problem's kernel, plus `one`."""
    file = beside("gram")
    row, q, words, positive = file.table(file.described(p.get("kernel", "linear"), number), p.x)
    return Gram(lambda j: [v + one * q for v in row(j)], q, p.n, words, positive)


def loss(name: str, e: Fraction = ZERO) -> Any:
    """Return a loss; e is the tube's ε, or Huber's constant  [ESL-T12.1] [ESL-12.36] [ESL-12.38] [MMST-Ex11.2]."""
    root = math.isqrt(e.numerator * e.denominator << 400)  # s is √ε, or above it: D is a bound
    s = Fraction(root + (root**2 < e.numerator * e.denominator << 400), e.denominator << 200)
    hub: Callable[[Any, Any], Any] = lambda z, c: z * z / 2 if z < c else c * z - c * c / 2  # noqa: E731
    both, star = lambda p: e * abs(p) + p * p / 4, lambda p: s * abs(p) if p * p < 4 * e else p * p / 4 + e
    table: dict[str, Any] = {
        "hinge": (lambda t: max(t, ZERO), lambda p: ZERO, ZERO, ONE),
        "squared_hinge": (lambda t: max(t, ZERO) ** 2, lambda p: p * p / 4, ZERO, None),
        "huberised": (lambda t: 2 * hub(max(t, ZERO), Fraction(2)), lambda p: p * p / 4, ZERO, 4),
        "huberised_hinge": (lambda t: hub(max(t, ZERO), ONE), lambda p: p * p / 2, ZERO, ONE),
        "squared": (lambda t: t * t, lambda p: p * p / 4, None, None),
        "huber": (lambda t: hub(abs(t), e), lambda p: p * p / 2, -e, e),
        "epsilon_insensitive": (lambda t: max(abs(t) - e, ZERO), lambda p: e * abs(p), -1, ONE),
        "squared_epsilon_insensitive": (lambda t: max(abs(t) - e, ZERO) ** 2, both, None, None),
        "quadratic_epsilon_insensitive": (lambda t: max(t * t - e, ZERO), star, None, None),
    }
    need(name in table, f"a loss among {', '.join(table)}")
    return table[name]


class Machine(NamedTuple):
    """½μ‖h‖² + Σ cᵢL(targetᵢ − signᵢf(xᵢ)). A cost of None allows no t > 0. balanced: b is free, and Σ uᵢ = 0."""

    K: Gram
    loss: Any  # L(t), L*(p) = sup pt − L(t), the ends of the slopes p
    sign: Sequence[Any]
    target: Sequence[Any]
    cost: Sequence[Any]
    mu: Fraction = ONE
    balanced: bool = True

    def primal(self, square: Fraction, f: Sequence[Fraction]) -> Any:
        """Return P; a function that misses hard margins by m < 1 is scaled up until it keeps them; None if m ≥ 1."""
        own = list(zip(self.target, self.sign, f, self.cost))
        missed = max([t - s * v for t, s, v, c in own if c is None], default=ZERO)
        r = 1 / (1 - max(missed, ZERO)) if missed < 1 else ZERO
        paid = sum([c * self.loss[0](t - s * r * v) for t, s, v, c in own if c], ZERO)
        return self.mu * square * r * r / 2 + paid if r else None

    def proof(self, a: Numbers, b: Fraction) -> Proof:
        """Return the proof of f = Σ aⱼK(xⱼ,·) + b  [ESL-12.14] [ESL-12.15] [ESL-12.16] [MMST-11.124] [KIM-3.46]."""
        u = []
        for s, w, c in zip(self.sign, a, self.cost):  # the slope of cL that is nearest
            low, high = (ZERO, None) if c is None else self.loss[2:] if c else (ZERO, ZERO)
            v = s * self.mu * w if low is None else max(s * self.mu * w, (c or ONE) * low)
            u.append(s * (v if high is None else min(v, (c or ONE) * high)))
        failures = [(abs(w - self.mu * v), f"point {i}: out of bounds") for i, (w, v) in enumerate(zip(u, a))]
        if self.balanced:  # those of the sign that weighs more are scaled down
            failures.append((self.mu * abs(sum(a, ZERO)), "the multipliers do not sum to zero"))
            up, down = sum([max(w, ZERO) for w in u]), sum([max(-w, ZERO) for w in u])
            u = [w * min(up, down) / (up if w > 0 else down) if w else w for w in u]
        h = self.K.times(a)
        D = -dot(u, h if u == [self.mu * v for v in a] else self.K.times([v / self.mu for v in u])) / 2
        for i, (w, t, s, v, c) in enumerate(zip(u, self.target, self.sign, h, self.cost)):
            star, r = c * self.loss[1](s * w / c) if c else ZERO, t - s * (v + b)
            D += s * w * t - star
            slack = (c * self.loss[0](r) if c else max(r, ZERO) if c is None else ZERO) + star - s * w * r
            failures.append((abs(slack), f"point {i}: its multiplier is no slope of the loss"))
        ends = [s * t for s, t in zip(self.sign, self.target)] if self.balanced and not D else [ZERO]
        zero, *tried = [self.primal(ZERO, [v] * self.K.n) for v in (ZERO, *{*ends, (min(ends) + max(ends)) / 2})]
        convex = self.K.convex([i for i, c in enumerate(self.cost) if c != 0], self.balanced)
        return self.primal(dot(a, h), [v + b for v in h]), D, failures, (ZERO in tried and zero) or ZERO, convex


def proofs(p: Problem, fitted: Mapping[str, Any], got: Any) -> Iterator[Proof]:
    """Yield the proof of each machine that is delivered  [ESL-12.8] [ESL-12.25] [ESL-12.33] [ESL-12.36] [ESL-12.45]."""
    m, svc, on_path, free = len(p.names), p.method == "svc", p.method == "svm_path", p.get("intercept", True)
    need(p.get("norm", "function") == "function", "the norm of functions: that of coefficients gives no multipliers")
    if p.method in MACHINES[3:6]:
        tube = loss(p.get("loss", "epsilon_insensitive"), number(p.get("epsilon", "1/10")))
        hub, ridge = loss("huber", number(p.get("c", "1.345"))), (loss("squared"), ONE, 2 * p.lam)
        kind, c, mu = {"svr": (tube, p.C, ONE), "huber": (hub, ONE, p.lam), "kernel_ridge": ridge}[p.method]
        own = Machine(gram(p, isinstance(free, str)), kind, [1] * p.n, list(map(number, p.y)), [c * v for v in p.w], mu)
        b = got("intercept", 1)[0] if free is True else ZERO
        return (yield own._replace(balanced=free is True).proof(got("coefficients", p.n), b))
    need(m > 1 and (m == 2 or p.method in ("svc", *MACHINES[6:])), "two classes")
    if p.method in MACHINES[6:]:
        need(fitted.get("classes", p.names) == p.names and len(fitted["alpha"]) == p.n, "the classes in order, n rows")
        A, b = [got(row, m) for row in fitted["alpha"]], got("intercept", m) if p.method[0] == "l" else []
        return (yield lee_lin_wahba(p, A, b, fitted) if b else crammer_singer(p, A, fitted))
    sides = [[(g == k) - (g == j) for g in p.label] for j in range(m) for k in range(j + 1, m)]
    if m > 2 and p.get("multiclass", "ovo") == "ovr":
        sides = [[2 * (g == k) - 1 for g in p.label] for k in range(m)]
    weigh = p.get("class_weight", {})
    share = [Fraction(p.n, m * p.y.count(v)) if weigh == "balanced" else number(weigh.get(str(v), 1)) for v in p.names]
    alphas = fitted["alphas"] if on_path else fitted["alpha"] if m > 2 else [fitted["alpha"]]
    need(len(alphas) == len(sides) or (on_path and alphas), f"{len(sides)} machines; got {len(alphas)}")
    lams = got("lambdas", len(alphas)) if on_path else [ONE if svc else p.lam] * len(alphas)
    K, kind, turn = gram(p), loss(p.get("loss", "hinge")), 1 - 2 * (m == 2 and fitted.get("classes") == p.names[::-1])
    for i, (alpha, b, mu) in enumerate(zip(alphas, got("intercepts" if on_path else "intercept", len(alphas)), lams)):
        side, a = sides[i % len(sides)], got(alpha, p.n)
        w = [v * share[g] * abs(s) for v, g, s in zip(p.w, p.label, side)]
        cost = [v if not svc else v * p.C if p.C else v and None for v in w]
        a = [turn * v if p.method == "kernel_classifier" else s * v / mu for s, v in zip(side, a)]
        yield Machine(K, kind, side, [ONE] * p.n, cost, mu, free).proof(a, turn * b)


def functions(p: Problem, fitted: Mapping[str, Any], beta: Any, m: int = 0) -> tuple[list[Numbers], Fraction]:
    """Return the values and Σ ‖h_k‖² of the functions delivered, by coefficients or else by β, less the mean of m."""
    K, flat = gram(p), p.get("kernel", "linear") in ("linear", {"name": "linear"})
    given = fitted.get("coef") if flat else list(map(list, zip(*fitted.get("coefficients", []))))
    rows = [numbers([v], p.p if flat else p.n) for v in given] if given else beta
    need(len(rows) == len(p.names), "a function for each class")
    rows = [[v - sum(c, ZERO) / m for v, c in zip(w, zip(*rows))] for w in rows] if m else rows
    h = [[dot(w, x) for x in p.x] if flat and given else K.times(w) for w in rows]
    return h, sum([dot(w, w if flat and given else own) for w, own in zip(rows, h)], ZERO)


def crammer_singer(p: Problem, alpha: list[Numbers], fitted: Mapping[str, Any]) -> Proof:
    """Return the proof of w_k = Σ αᵢₖh(xᵢ), scaled up to keep hard margins  [ISML-27.5-soft] [ISML-27.5-dual]."""
    # P = ½ Σ ‖w_k‖² + Σ Cᵢξᵢ,  D = Σ αᵢ,ᵧᵢ − ½ Σ ‖w_k‖²,  αᵢₖ ≤ Cᵢ[k = yᵢ],  Σ_k αᵢₖ = 0
    K, Z, c = gram(p), [], [v * p.C if p.C else v and None for v in p.w]
    for row, g, top in zip(alpha, p.label, c):
        others = [ZERO if k == g else max(-v, ZERO) for k, v in enumerate(row)]
        r = ONE if top is None or sum(others) <= top else top / sum(others)
        Z.append([r * (sum(others) if k == g else -v) for k, v in enumerate(others)])
    h, square = functions(p, fitted, list(zip(*alpha)))
    f = list(zip(*h))
    over = [max([v + (k != g) for k, v in enumerate(row)]) - row[g] for row, g in zip(f, p.label)]
    missed = max([ZERO, *[v for v, top in zip(over, c) if top is None]])
    r = 1 - missed if missed < 1 else ONE
    paid = [v * max([(s - row[g]) / r + (k != g) for k, s in enumerate(row)]) for v, row, g in zip(c, f, p.label) if v]
    own = sum([dot(a, K.times(a)) for a in zip(*Z)], ZERO) / 2
    failures = [(max(abs(v - z) for v, z in zip(*own)), f"point {i}: alpha") for i, own in enumerate(zip(alpha, Z))]
    P, D = square / r / r / 2 + sum(paid) if missed < 1 else None, sum([z[g] for z, g in zip(Z, p.label)], ZERO) - own
    return P, D, [*failures, (missed, "a margin")], ZERO, K.convex(range(p.n), False)


def lee_lin_wahba(p: Problem, alpha: list[Numbers], b: Numbers, fitted: Mapping[str, Any]) -> Proof:
    """Return the proof of β_k = −(α_k − ᾱ)/(Nλ) and b_k less their mean, N = Σ wᵢ  [MMST-11.77] [MMST-11.104]."""
    # P = (1/N) Σ Lᵢₖ[f_k(xᵢ) + 1/(m − 1)]₊ + (λ/2) Σ ‖h_k‖²,  D = −(1/N) Σ αᵢₖyᵢₖ − (λ/2) Σ ‖h_k‖²,  0 ≤ αᵢₖ ≤ Lᵢₖ
    K, m, got, N = gram(p), len(p.names), p.get("costs", None), sum(p.w, ZERO)
    table = [got[str(v)] for v in p.names] if isinstance(got, Mapping) else got or [[1] * m] * m
    L = [[w * number(table[g][k]) * (k != g) for k in range(m)] for w, g in zip(p.w, p.label)]
    Z = [[min(max(v, ZERO), t) for v, t in zip(*rows)] for rows in zip(alpha, L)]
    totals: Numbers = [sum(column, ZERO) for column in zip(*Z)]  # of classes: the larger are scaled down to the least
    Z = [[v * min(totals) / t if t else v for v, t in zip(row, totals)] for row in Z]
    beta = [[[(sum(row, ZERO) / m - row[k]) / (N * p.lam) for row in A] for k in range(m)] for A in (alpha, Z)]
    h, square = functions(p, fitted, beta[0], m)
    P, D = p.lam / 2 * square, p.lam / 2 * sum([dot(own, K.times(own)) for own in beta[1]], ZERO)
    slack = [[max(v + c - sum(b, ZERO) / m + Fraction(1, m - 1), ZERO) for v in own] for own, c in zip(h, b)]
    P += sum([dot(row, own) for row, own in zip(L, zip(*slack))], ZERO) / N
    failures = [(max(abs(v - w) for v, w in zip(*own)), f"point {i}: alpha") for i, own in enumerate(zip(alpha, Z))]
    D = sum([sum(row, ZERO) for row in Z], ZERO) / (m - 1) / N - D
    return P, D, [*failures, (abs(sum(b)), "the intercepts")], ZERO, K.convex(range(p.n), True)


def regressions(p: Problem, fitted: Mapping[str, Any], got: Any) -> Iterator[Any]:
    """Yield the equations of ridge regression, least squares on codes, optimal scores  [YANG-optimal-scoring]."""
    m, codes, lam = len(p.names), p.get("coding", "indicator"), p.lam if p.method == "ridge" else ZERO
    theta = [got(list(column), m) for column in zip(*fitted.get("scores", ()))]
    Y, free = [[t[g] for g in p.label] for t in theta], bool(theta or p.get("intercept", True))
    if p.method == "least_squares":
        Y = [[Fraction((g == k) - (m == 2 and g == 0)) for g in p.label] for k in range(m == 2, m)]
        Y, lam = Y if codes == "indicator" else [[number(codes[g]) for g in p.label]], number(p.get("penalty", 0))
    Y = Y or [list(map(number, p.y))]
    B = [got(v, p.p) for v in fitted["coef"][: len(Y)]] if Y[1:] else [got("coef", p.p)]
    for y, beta, c in zip(Y, B, b := got("intercept", len(Y)) if free else [ZERO]):  # about means where it is free
        mean = [dot(p.w, v) / sum(p.w) * free for v in (*zip(*p.x), y)]
        left = [[t - mean[-1], *[(m - v) * d for v, m, d in zip(x, mean, beta)]] for t, x in zip(y, p.x)]
        for j, d in enumerate(beta):
            yield [-lam * d, *[w * (x[j] - mean[j]) * v for w, x, r in zip(p.w, p.x, left) for v in r]], f"gradient {j}"
        terms = [w * v for w, x, t in zip(p.w, p.x, y) for v in (*[u * d for u, d in zip(x, beta)], c, -t)]
        yield terms if free else [ZERO], "the intercept"
    for t, y, beta, c, mu in zip(theta, Y, B, b, got("eigenvalues", len(theta)) if theta else ()):
        yield [u * v for u, v in zip(p.w, y)], "the scores' sum"
        yield from [([-sum(p.w) * (y is z), *[w * u * v for w, u, v in zip(p.w, y, z)]], "their metric") for z in Y]
        for k, v in enumerate(t):  # the class means of a fit are μθ, measured by the size of the scores
            own = [(w, dot(x, beta) + c) for w, x, g in zip(p.w, p.x, p.label) if g == k]
            yield [w * u for w, f in own for u in (f, -mu * v, mu / 2, -mu / 2)], "a fit"


def gaussian(p: Problem, fitted: Mapping[str, Any], got: Any) -> Iterator[Any]:
    """Yield the equations of LDA, QDA, RDA and Fisher's rule  [ESL-4.10] [ESL-4.12] [ESL-4.13] [ESL-4.15]."""
    m, J, N, less = len(p.names), range(p.p), sum(p.w, ZERO), int(p.get("divisor", "") != "n")
    part = [[(w, x) for w, x, g in zip(p.w, p.x, p.label) if g == k] for k in range(m)]
    size = [sum([w for w, _ in rows], ZERO) for rows in part]
    mean = [[sum([w * x[j] for w, x in rows], ZERO) / n for j in J] for rows, n in zip(part, size)]
    D = [(w, g, [v - c for v, c in zip(x, mean[g])]) for w, x, g in zip(p.w, p.x, p.label)]
    far = [(s := sum([w * abs(d[j]) for w, _, d in D]) / N / 2, -s) for j in J]  # what equal means are measured by
    W = [[[[w * d[i] * d[j] for w, g, d in D if g == k] for j in J] for i in J] for k in range(m)]  # terms of each sum
    T = [[[-t for w in W for t in w[i][j]] for j in J] for i in J]  # those of the pooled sums, times −1
    S = [[-sum(t) / (N - m * less) for t in row] for row in T]
    al, ga = number(p.get("alpha", "1/2") if p.method == "rda" else 1), number(p.get("gamma", 1))
    tr = (1 - ga) * sum([S[j][j] for j in J], ZERO) / p.p
    for k, rows in enumerate(part):
        for j, v in enumerate(got(fitted["means"][k], p.p) if "means" in fitted else ()):
            yield [v * size[k], *[-w * x[j] for w, x in rows]], f"the mean of class {k}"
        for i, row in enumerate(fitted.get("covariances", [()] * m)[k]):
            for j, v in enumerate(got(row, p.p)):
                own = [-al * t / (size[k] - less) for t in W[k][i][j]]
                yield [v, (al - 1) * (ga * S[i][j] + tr * (i == j)), *own], f"the covariance of class {k}"
    for row, less_terms in zip(fitted.get("covariance", ()), T):
        yield from [([v * (N - m * less), *t], "the pooled covariance") for v, t in zip(got(row, p.p), less_terms)]
    right = numbers(p.get("priors", None) or [n / N for n in size], m)
    pi, cost = got("priors", m) if "priors" in fitted else right, p.get("costs", None) if m == 2 else None
    yield from [([v, -n], "a prior") for v, n in zip(pi, right)]
    odds = [v / pi[0] * (number(cost[0][1]) / number(cost[1][0]) if cost else 1) for v in pi]  # [KIM-2.27]
    c = [got(row, p.p) for row in fitted.get("coef", ())]
    b = got("intercept", len(c)) if "intercept" in fitted else [ZERO] * len(c)
    for k in range(1, m) if c else ():
        beta, b0 = (c[0], b[0]) if m == 2 else ([u - v for u, v in zip(c[k], c[0])], b[k] - b[0])
        for r, s, t, e in zip(S, mean[0], mean[k], far):
            yield [*[u * v for u, v in zip(r, beta)], s - t, *e], "a direction"
        middle = [v * (s + t) / 2 for v, s, t in zip(beta, mean[0], mean[k])]
        yield [b0, *middle, Fraction(-math.log(odds[k])), ONE, -ONE] if "intercept" in fitted else [ZERO], "a boundary"
    q = [ONE / (m - 1)] * m if p.get("between", "weighted") == "centroids" else pi
    centre = [dot(q, column) / sum(q) for column in zip(*mean)]
    B = [[(N - m * less) * sum([w * u[i] * (u[j] - centre[j]) for w, u in zip(q, mean)]) for j in J] for i in J]
    axes = [got(list(column), p.p) for column in zip(*fitted.get("scalings", ()))]
    for a, d in zip(axes, got("eigenvalues", len(axes)) if axes else ()):
        yield from [([c * v for c, b, t in zip(a, *r) for v in (b, *[d * s for s in t])], "an axis") for r in zip(B, T)]
        yield [-ONE, *[a[i] * S[i][j] * a[j] for i in J for j in J]], "the length of an axis"


def digits(error: Any, scale: Any) -> float:
    """Return −log₁₀(|error|/scale), rounded down to hundredths, never below 0; infinite for no error."""
    if error == 0 or abs(error) >= scale:
        return 0 if error else math.inf
    ratio = Fraction(scale) / abs(error)
    return max(0, math.floor(100 * (math.log10(ratio.numerator) - math.log10(ratio.denominator)))) / 100


def judge(given: Mapping[str, Any], answer: Mapping[str, Any], asked: float = 6) -> dict[str, Any]:
    """Return the verdict on an answer to a problem, both as JSON holds them."""
    if given.get("method") == "qp":
        return dict(beside("qp").judge(given, answer, asked))
    p, fitted, found, verdict = Problem(given), answer.get("fitted", answer), math.inf, dict[str, Any](status="solved")
    known = p.method in MACHINES + RULES + REGRESSIONS and isinstance(fitted, Mapping) and "refusal" not in answer
    need(known, f"fitted values, of a method among {MACHINES + RULES + REGRESSIONS}")
    got: Any = lambda name, n: numbers(fitted.get(name) if isinstance(name, str) else name, n)  # noqa: E731
    if p.method not in MACHINES:
        own = (gaussian if p.method in RULES else regressions)(p, fitted, got)
        failures = [(abs(sum(terms, ZERO)) / (sum(map(abs, terms)) or 1), words) for terms, words in own]
        found = digits(max(failures)[0], ONE)
    else:
        each, least = list(proofs(p, fitted, got)), Fraction(answer.get("arithmetic", "float") == "float", TINY)
        found = min([0 if P is None else digits(P - D, max(abs(P), abs(D), D == 0 and s)) for P, D, _, s, _ in each])
        failures, convex = [f for own in each for f in own[2]], all(own[4] for own in each)
        verdict.update(status="optimal" if convex else "stationary", matrix=gram(p).words)
        if None not in [own[0] for own in each]:
            P, D, value = sum([own[0] or ZERO for own in each]), sum([own[1] for own in each]), fitted.get("objective")
            verdict.update({"primal": P, "dual": D, "gap": P - D} if convex else {"primal": P})
            claimed = P if value is None else sum(map(number, value if isinstance(value, list) else [value]))
            found = min(found, digits(max(abs(claimed - P) - least, ZERO), P))
        if p.method == "kernel_ridge" and p.get("intercept", True) is True:  # Σ wᵢ(yᵢ − f(xᵢ)) = 0 determines b
            values = [*map(number, p.y), *(-v for v in got("intercept", 1) + got("coefficients", p.n))]
            terms = [w * v for w, v in zip([*p.w, sum(p.w), *gram(p).times(p.w)], values)]
            found = min(found, digits(sum(terms), sum(map(abs, terms))))
    worst, where = max(failures)
    verdict.update(digits=found, asked=asked, worst_violation=worst, where=where if worst else "")
    verdict["status"] = verdict["status"] if found >= asked else f"{found} digits" if found >= 1 else "not converged"
    return {"verdict": "accepted" if found >= asked else "refuted", **verdict}


def main(arguments: list[str]) -> int:
    """Judge the answer in the second file to the problem in the first; return the exit status."""
    try:
        need(len(arguments) in (2, 4) and arguments[2:3] in ([], ["--digits"]), "PROBLEM.json ANSWER.json [--digits N]")
        with open(arguments[0], encoding="utf-8") as first, open(arguments[1], encoding="utf-8") as second:
            texts = [first.read(), second.read()]
        given, answer = [json.loads(text, parse_float=number, parse_int=number, parse_constant=str) for text in texts]
        answer = json.loads(texts[1], parse_int=number) if answer.get("arithmetic", "float") == "float" else answer
        verdict = judge(given, answer, float((arguments[3:] or ["6"])[0]))
    except Exception as error:
        verdict = {"verdict": "bad input", "reason": " ".join(str(error).split())[:300]}
    print(json.dumps(verdict, ensure_ascii=False, default=str).replace("Infinity", '"inf"'))
    return {"accepted": 0, "refuted": 1}.get(verdict["verdict"], 2)


if __name__ == "__main__":
    getattr(sys, "set_int_max_str_digits", int)(0)
    sys.exit(main(sys.argv[1:]))
