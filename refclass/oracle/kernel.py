"""The kernel of trust: one file, importing nothing of the package, that checks anybody's answer in fractions.

    python refclass/oracle/kernel.py PROBLEM.json ANSWER.json [--digits 6]

writes its verdict as one JSON object; exit status 0: accepted, 1: refuted, 2: bad input. Nothing is solved. A machine
minimises P = ½μ‖h‖² + Σ cᵢL(tᵢ) over f = h + b, h = Σ aⱼK(xⱼ,·), with tᵢ = yᵢ − f(xᵢ), or 1 − yᵢf(xᵢ) for two classes.
By Fenchel's inequality any slopes vᵢ of the losses cᵢL bound it from below (Σ uᵢ = 0 where b is free):

    D = Σ vᵢ·targetᵢ − cᵢL*(vᵢ/cᵢ) − uᵀKu/(2μ) ≤ min P,   uᵢ = vᵢ, or yᵢvᵢ;  equal where u = μa is optimal  [ESL-12.13]

so that P at the answer and D at its multipliers, clipped and balanced exactly, prove −log₁₀((P − D)/max(|P|, |D|))
digits of the objective. A linear-Gaussian rule has defining equations: its digits are those of the worst residual.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Optional

Numbers = list[Fraction]
Failure = tuple[Fraction, str]  # by how much a condition fails, and which
Equation = tuple[Any, Any, str]  # an error, the size of the terms that it is the sum of, a name
Read = Callable[..., Numbers]  # from a name, or a list, and n to the n numbers that are told
Proof = tuple[Optional[Fraction], Fraction, list[Failure], Fraction, bool]  # P, D, failures, scale of P = 0, convex
MACHINES = ("svc", "svm_path", "kernel_classifier", "svr", "huber", "kernel_ridge", "crammer_singer", "lee_lin_wahba")
RULES, REGRESSIONS = ("lda", "qda", "rda", "fisher"), ("ridge", "linear_regression", "least_squares", "scoring")
ZERO, ONE, TINY = Fraction(0), Fraction(1), 2**1074  # every double is a whole multiple of 1/TINY


def need(holds: Any, words: str) -> None:
    """Raise ValueError unless the condition holds."""
    if not holds:
        raise ValueError(" ".join(f"need {words}".split())[:300])


def number(value: Any) -> Fraction:
    """Return the rational number that a value denotes."""
    if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool):
        need(value - value == 0, "finite numbers")
        return Fraction(value)
    sound = isinstance(value, str) and len(value) < 100_000 and len(value.lower().partition("e")[2]) < 6
    need(sound and "_" not in value, f"a number; got {str(value)[:40]!r}")
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
        """Read a JSON object."""
        x, y, self.given, self.method = given.get("x"), given.get("y"), given.get("parameters", {}), given.get("method")
        need(
            set(given) <= {"method", "parameters", "arithmetic", "x", "y", "weights", "query"},
            "the fields of a problem",
        )
        need(isinstance(x, list) and x and isinstance(y, list) and len(y) == len(x), "rows x, and a y for each")
        need(all(isinstance(r, list) and r and len(r) == len(x[0]) for r in x), "rows of x of one length")
        self.n, self.p, self.x = len(x), len(x[0]), [numbers([r], len(r)) for r in x]
        self.w = [ONE] * self.n if given.get("weights") is None else numbers(given["weights"], self.n)
        self.y = [v if type(v) is str else number(v) for v in y]
        self.names = sorted(set(self.y)) if len(set(map(type, self.y))) == 1 else list(dict.fromkeys(self.y))
        self.label = list(map(self.names.index, self.y))
        need(min(self.w) >= 0, "weights ≥ 0")

    def get(self, name: str, default: Any) -> Any:
        """Return a parameter, its default where it is not given."""
        return default if self.given.get(name) is None else self.given[name]

    def number(self, name: str, default: Any) -> Fraction:
        """Return a parameter that is a number > 0, or equal to its default."""
        value = number(self.get(name, default))
        need(value > 0 or value == number(default), f"{name} > 0")
        return value


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
        """Return whether zᵀKz ≥ 0 for every z on the rows, of sum zero if balanced: no pivot of K = LDLᵀ is below 0."""
        A = [] if self.positive else [[Fraction(self.row(i)[j]) for j in rows] for i in rows]
        if balanced:  # zᵀKz over the moves from the first row to another
            A = [[r[j] - r[0] - A[0][j] + A[0][0] for j in range(1, len(r))] for r in A[1:]]
        while A:
            pivot, *rest = A[0]
            if pivot < 0 or (pivot == 0 and any(rest)):
                return False
            A = [[v - (own[0] * r / pivot if pivot else 0) for v, r in zip(own[1:], rest)] for own in A[1:]]
        return True


def gram(p: Problem, one: int = 0) -> Gram:
    """Return the Gram matrix of the problem's kernel, plus `one`  [ESL-12.22] [MMST-T11.1]."""
    told, d = p.get("kernel", "linear"), math.lcm(*[v.denominator for x in p.x for v in x])
    own: Mapping[str, Any] = {"name": told} if isinstance(told, str) else told
    name, N = own.get("name"), [[v.numerator * (d // v.denominator) for v in x] for x in p.x]
    if name in ("gaussian", "laplacian"):
        K, words = doubles(own, [list(map(float, x)) for x in p.x]), f"the {name} Gram matrix as binary64 holds it"
        ratios = [[v.as_integer_ratio() for v in row] for row in K]
        return Gram(lambda j: [(u + one * v) * (TINY // v) for u, v in ratios[j]], TINY, p.n, words)
    if name == "precomputed":
        need([list(column) for column in zip(*N)] == N, "a symmetric Gram matrix")
        return Gram(lambda j: [v + one * d for v in N[j]], d, p.n, "the Gram matrix as given", False)
    need(name in ("linear", "polynomial"), "a kernel linear, polynomial, gaussian, laplacian or precomputed")
    told = (1, 0, 1) if name == "linear" else (own.get("degree", 3), own.get("c", 1), own.get("scale", 1))
    degree, c, s = map(number, told)
    need(degree.denominator == 1 <= degree < 100 and c >= 0 and s > 0, "degree ≥ 1, c ≥ 0 and scale > 0")
    q, m = math.lcm(s.denominator * d * d, c.denominator), int(degree)  # K = ((up·NNᵀ + add)/q)^m
    up, add = s.numerator * (q // (s.denominator * d * d)), c.numerator * (q // c.denominator)
    inner: Callable[[int], Any] = lambda j: [sum([u * v for u, v in zip(N[j], x)]) for x in N]  # noqa: E731
    return Gram(lambda j: [(up * t + add) ** m + one * q**m for t in inner(j)], q**m, p.n)


def doubles(own: Mapping[str, Any], F: list[list[float]]) -> list[list[float]]:
    """Return exp(−γ‖x − z‖²) or exp(−‖x − z‖/σ), rounded operation by operation; γ = "scale" is 1/(p · var X)."""
    if own["name"] == "laplacian":
        return [[math.exp(-math.dist(x, z) / float(number(own.get("sigma")))) for z in F] for x in F]
    entries, gamma = [v for x in F for v in x], own.get("gamma")
    mean = sum(entries) / len(entries)
    spread = len(F[0]) * (sum([(v - mean) * (v - mean) for v in entries]) / len(entries))
    g = float(number(gamma)) if gamma != "scale" else 1 / spread if spread else float(1)
    if len(F[0]) == 2:
        return [[math.exp(-g * ((s := u - x[0]) * s + (t := v - x[1]) * t)) for u, v in F] for x in F]
    return [[math.exp(-g * d * d) for d in (math.dist(x, z) for z in F)] for x in F]


class Loss(NamedTuple):
    """A loss L(t), its conjugate L*(p) = sup pt − L(t), and the ends of its slopes p; None: no end."""

    value: Callable[[Any], Any]
    conjugate: Callable[[Any], Any]
    low: Optional[Fraction] = None
    high: Optional[Fraction] = None


def loss(name: str, e: Fraction = ZERO) -> Loss:
    """Return a loss; e is the tube's ε, or Huber's constant  [ESL-T12.1] [ESL-12.36] [ESL-12.38] [MMST-Ex11.2]."""
    square = e.numerator * e.denominator << 400
    root = math.isqrt(square) + (math.isqrt(square) ** 2 < square)
    s = Fraction(root, e.denominator << 200)  # √ε, or a little above it, so that L* is not below, and D is a bound
    hub: Callable[[Any, Any], Any] = lambda z, c: z * z / 2 if z < c else c * z - c * c / 2  # noqa: E731
    table = {
        "hinge": Loss(lambda t: max(t, ZERO), lambda p: ZERO, ZERO, ONE),
        "squared_hinge": Loss(lambda t: max(t, ZERO) ** 2, lambda p: p * p / 4, ZERO),
        "huberised": Loss(lambda t: 2 * hub(max(t, ZERO), 2 * ONE), lambda p: p * p / 4, ZERO, Fraction(4)),
        "huberised_hinge": Loss(lambda t: hub(max(t, ZERO), ONE), lambda p: p * p / 2, ZERO, ONE),
        "squared": Loss(lambda t: t * t, lambda p: p * p / 4),
        "huber": Loss(lambda t: hub(abs(t), e), lambda p: p * p / 2, -e, e),
        "epsilon_insensitive": Loss(lambda t: max(abs(t) - e, ZERO), lambda p: e * abs(p), -ONE, ONE),
        "squared_epsilon_insensitive": Loss(lambda t: max(abs(t) - e, ZERO) ** 2, lambda p: e * abs(p) + p * p / 4),
        "quadratic_epsilon_insensitive": Loss(
            lambda t: max(t * t - e, ZERO), lambda p: s * abs(p) if p * p < 4 * e else p * p / 4 + e
        ),
    }
    need(name in table, f"a loss among {', '.join(table)}")
    return table[name]


class Machine(NamedTuple):
    """½μ‖h‖² + Σ cᵢL(targetᵢ − signᵢf(xᵢ)). A cost of None allows no t > 0. balanced: b is free, and Σ uᵢ = 0."""

    K: Gram
    loss: Loss
    sign: Sequence[Any]
    target: Sequence[Any]
    cost: Sequence[Optional[Fraction]]
    mu: Fraction = ONE
    balanced: bool = True

    def primal(self, square: Fraction, f: Sequence[Fraction]) -> Optional[Fraction]:
        """Return P; a function that misses hard margins by m < 1 is scaled up until it keeps them; None if m ≥ 1."""
        own = list(zip(self.target, self.sign, f, self.cost))
        missed = max([t - s * v for t, s, v, c in own if c is None], default=ZERO)
        r = 1 / (1 - max(missed, ZERO)) if missed < 1 else ZERO
        paid = sum([c * self.loss.value(t - s * r * v) for t, s, v, c in own if c], ZERO)
        return self.mu * square * r * r / 2 + paid if r else None

    def clipped(self, v: Fraction, c: Optional[Fraction]) -> Fraction:
        """Return the slope of cL that is nearest to v."""
        low, high = (ZERO, None) if c is None else (self.loss.low, self.loss.high) if c else (ZERO, ZERO)
        v = v if low is None else max(v, (c or ONE) * low)
        return v if high is None else min(v, (c or ONE) * high)

    def proof(self, a: Numbers, b: Fraction) -> Proof:
        """Return the proof of f = Σ aⱼK(xⱼ,·) + b  [ESL-12.14] [ESL-12.15] [ESL-12.16] [MMST-11.124] [KIM-3.46]."""
        u = [s * self.clipped(s * self.mu * v, c) for s, v, c in zip(self.sign, a, self.cost)]
        failures = [
            (abs(w - self.mu * v), f"point {i}: multiplier out of bounds") for i, (w, v) in enumerate(zip(u, a))
        ]
        if self.balanced:  # those of the sign that weighs more are scaled down
            failures.append((self.mu * abs(sum(a, ZERO)), "the multipliers do not sum to zero"))
            up, down = (abs(sum([w for w in u if s * w > 0], ZERO)) for s in (1, -1))
            u = [w * min(up, down) / (up if w > 0 else down) if w else w for w in u]
        h = self.K.times(a)
        D = -dot(u, h if u == [self.mu * v for v in a] else self.K.times([v / self.mu for v in u])) / 2
        for i, (w, t, s, v, c) in enumerate(zip(u, self.target, self.sign, h, self.cost)):
            star, r = c * self.loss.conjugate(s * w / c) if c else ZERO, t - s * (v + b)
            D += s * w * t - star
            slack = (c * self.loss.value(r) if c else max(r, ZERO) if c is None else ZERO) + star - s * w * r
            failures.append((abs(slack), f"point {i}: its multiplier is no slope of the loss"))
        constants = {s * t for s, t in zip(self.sign, self.target)} if self.balanced and not D else [ZERO]
        best = min([self.primal(ZERO, [v] * self.K.n) or ZERO for v in constants])
        convex = self.K.convex([i for i, c in enumerate(self.cost) if c != 0], self.balanced)
        return self.primal(dot(a, h), [v + b for v in h]), D, failures, best, convex


def machines(p: Problem, told: Mapping[str, Any], read: Read) -> Iterator[tuple[Machine, Numbers, Fraction]]:
    """Yield each machine asked for, with the a and b told of it  [ESL-12.8] [ESL-12.25] [ESL-12.33] [ESL-12.36]."""
    C, free, lam, weigh = p.get("C", 1), p.get("intercept", True), p.number("penalty", 1), p.get("class_weight", {})
    need(p.get("norm", "function") == "function", "the norm of functions: that of coefficients tells no multipliers")
    hard, m, svc, on_path = C in ("inf", math.inf), len(p.names), p.method == "svc", p.method == "svm_path"
    if p.method in ("svr", "huber", "kernel_ridge"):
        kind, c, mu = loss("squared"), ONE, 2 * lam
        if p.method == "svr":
            kind, c, mu = loss(p.get("loss", "epsilon_insensitive"), p.number("epsilon", "1/10")), number(C), ONE
        elif p.method == "huber":
            kind, mu = loss("huber", p.number("c", "1.345")), lam
        K, y, cost = gram(p, isinstance(free, str)), list(map(number, p.y)), [c * v for v in p.w]
        b = read("intercept", 1)[0] if free is True else ZERO
        yield Machine(K, kind, [1] * p.n, y, cost, mu, free is True), read("coefficients", p.n), b
        return
    need(m > 1 and (m == 2 or svc), "two classes")
    sides = [[(g == k) - (g == j) for g in p.label] for j in range(m) for k in range(j + 1, m)]
    if m > 2 and p.get("multiclass", "ovo") == "ovr":
        sides = [[1 if g == k else -1 for g in p.label] for k in range(m)]
    share = [Fraction(p.n, m * p.y.count(v)) if weigh == "balanced" else number(weigh.get(str(v), 1)) for v in p.names]
    alphas = told["alphas"] if on_path else told["alpha"] if m > 2 else [told["alpha"]]
    lams = read("lambdas", len(alphas)) if on_path else [ONE if svc else lam] * len(alphas)
    need(len(alphas) == len(sides) or on_path, f"{len(sides)} machines")
    turn, K, kind = -1 if m == 2 and told.get("classes") == p.names[::-1] else 1, gram(p), loss(p.get("loss", "hinge"))
    for i, (alpha, b, mu) in enumerate(zip(alphas, read("intercepts" if on_path else "intercept", len(alphas)), lams)):
        side, a = sides[i % len(sides)], read(alpha, p.n)
        w = [v * share[g] * abs(s) for v, g, s in zip(p.w, p.label, side)]
        cost = [v if not svc else (v and None) if hard else v * number(C) for v in w]
        a = [turn * v if p.method == "kernel_classifier" else turn * s * v / mu for s, v in zip(side, a)]
        yield Machine(K, kind, [s or 1 for s in side], [ONE] * p.n, cost, mu, free), a, turn * b


def crammer_singer(p: Problem, alpha: list[Numbers]) -> Proof:
    """Return the proof of w_k = Σ αᵢₖh(xᵢ), scaled up where that keeps hard margins  [ISML-27.5-soft] [ISML-27.5-dual].

    P = ½ Σ ‖w_k‖² + Σ Cᵢξᵢ,  D = Σ αᵢ,ᵧᵢ − ½ Σ ‖w_k‖²,  αᵢₖ ≤ Cᵢ[k = yᵢ],  Σ_k αᵢₖ = 0
    """
    K, C, Z = gram(p), p.get("C", 1), []
    c = [(v and None) if C in ("inf", math.inf) else v * number(C) for v in p.w]
    for row, g, top in zip(alpha, p.label, c):
        others = [ZERO if k == g else max(-v, ZERO) for k, v in enumerate(row)]
        r = ONE if top is None or sum(others) <= top else top / sum(others)
        Z.append([r * (sum(others) if k == g else -v) for k, v in enumerate(others)])
    f = list(zip(*[K.times(a) for a in zip(*alpha)]))
    miss = [max([v + (k != g) for k, v in enumerate(row)]) - row[g] for row, g in zip(f, p.label)]
    missed = max([s for s, v in zip(miss, c) if v is None], default=ZERO)
    r = 1 - missed if missed < 1 else ONE
    paid = [v * max([(s - row[g]) / r + (k != g) for k, s in enumerate(row)]) for v, row, g in zip(c, f, p.label) if v]
    P, D = (sum([dot(a, K.times(a)) for a in zip(*A)], ZERO) / 2 for A in (alpha, Z))
    failures = [(max(abs(v - z) for v, z in zip(*own)), f"point {i}: alpha") for i, own in enumerate(zip(alpha, Z))]
    D = sum([z[g] for z, g in zip(Z, p.label)], ZERO) - D
    P = P / r / r + sum(paid) if missed < 1 else None
    return P, D, [*failures, (missed, "a margin")], ZERO, K.convex(range(p.n), False)


def lee_lin_wahba(p: Problem, alpha: list[Numbers], b: Numbers) -> Proof:
    """Return the proof of β_k = −(α_k − ᾱ)/(Nλ) and b_k less their mean, N = Σ wᵢ  [MMST-11.77] [MMST-11.104].

    P = (1/N) Σ Lᵢₖ[f_k(xᵢ) + 1/(m − 1)]₊ + (λ/2) Σ ‖h_k‖²,  D = −(1/N) Σ αᵢₖyᵢₖ − (λ/2) Σ ‖h_k‖²,  0 ≤ αᵢₖ ≤ Lᵢₖ
    """
    K, m, told, N, lam = gram(p), len(p.names), p.get("costs", None), sum(p.w, ZERO), p.number("penalty", 1)
    table = [told[str(v)] for v in p.names] if isinstance(told, Mapping) else told or [[1] * m] * m
    L = [[w * number(table[g][k]) * (k != g) for k in range(m)] for w, g in zip(p.w, p.label)]
    Z = [[min(max(v, ZERO), t) for v, t in zip(*rows)] for rows in zip(alpha, L)]
    totals = [sum(column, ZERO) for column in zip(*Z)]  # of classes: the larger are scaled down to the least
    Z = [[v * min(totals) / t if t else v for v, t in zip(row, totals)] for row in Z]
    beta = [[[(sum(row) / m - row[k]) / (N * lam) for row in A] for k in range(m)] for A in (alpha, Z)]
    h, z = ([K.times(own) for own in side] for side in beta)
    P, D = (lam / 2 * sum(map(dot, side, own), ZERO) for side, own in zip(beta, (h, z)))
    slack = [[max(v + c - sum(b) / m + Fraction(1, m - 1), ZERO) for v in own] for own, c in zip(h, b)]
    P += sum([dot(row, own) for row, own in zip(L, zip(*slack))], ZERO) / N
    failures = [(max(abs(v - w) for v, w in zip(*own)), f"point {i}: alpha") for i, own in enumerate(zip(alpha, Z))]
    D = sum([sum(row) for row in Z], ZERO) / (m - 1) / N - D
    return P, D, [*failures, (abs(sum(b)), "the intercepts")], ZERO, K.convex(range(p.n), True)


def normal(p: Problem, y: Numbers, beta: Numbers, b: Fraction, lam: Fraction, free: bool) -> Iterator[Equation]:
    """Yield the normal equations of Σ wᵢ(yᵢ − b − βᵀxᵢ)² + λ‖β‖², about the means where b is free  [ESL-12.45]."""
    mean = [dot(p.w, v) / sum(p.w) * free for v in zip(*p.x, y)]
    left = [[t - mean[-1], *[(m - v) * c for v, m, c in zip(x, mean, beta)]] for t, x in zip(y, p.x)]
    for j, c in enumerate(beta):
        terms = [-lam * c, *[w * (x[j] - mean[j]) * v for w, x, r in zip(p.w, p.x, left) for v in r]]
        yield sum(terms), sum(map(abs, terms)), f"normal equation {j}"
    terms = [b, -mean[-1], *[m * c for m, c in zip(mean, beta)]]
    yield sum(terms), sum(map(abs, terms)), "the intercept"


def regressions(p: Problem, told: Mapping[str, Any], read: Read) -> Iterator[Equation]:
    """Yield the equations of ridge regression, least squares on codes, optimal scores  [YANG-optimal-scoring]."""
    m, codes, ridge = len(p.names), p.get("coding", "indicator"), p.method == "ridge"
    theta = [read(list(column), m) for column in zip(*told.get("scores", ()))]
    Y = [[t[g] for g in p.label] for t in theta] or [list(map(number, p.y))]
    if p.method == "least_squares" and codes == "indicator":
        Y = [[Fraction((g == k) - (m == 2 and g == 0)) for g in p.label] for k in range(m == 2, m)]
    elif p.method == "least_squares":
        Y = [[number(codes[g]) for g in p.label]]
    B, free = (
        [read(v, p.p) for v in (told["coef"] if len(Y) > 1 else [told["coef"]])],
        p.get("intercept", True) or theta,
    )
    b = read("intercept", len(Y)) if free else [ZERO]
    for y, beta, c in zip(Y, B, b):
        yield from normal(p, y, beta, c, p.number("penalty", int(ridge)), bool(free))
    for r, t in enumerate(theta):  # Σ θ = 0 and Σ θθ' = N or 0 over the rows; a fit has class means μθ
        yield dot(p.w, Y[r]), dot(p.w, list(map(abs, Y[r]))), f"score {r} is not centred"
        yield from [
            (dot(p.w, [u * v for u, v in zip(Y[r], y)]) - sum(p.w) * (y is Y[r]), sum(p.w), f"score {r}") for y in Y
        ]
        for k, v in enumerate(t):
            mu, own = read("eigenvalues", len(theta))[r], [(w, x) for w, x, g in zip(p.w, p.x, p.label) if g == k]
            terms = [w * (dot(x, B[r]) + b[r] - mu * v) for w, x in own]
            yield sum(terms), sum([w * abs(v) for w, _ in own]), f"the fit of score {r} in class {k}"


def gaussian(p: Problem, told: Mapping[str, Any], read: Read) -> Iterator[Equation]:
    """Yield the equations of LDA, QDA, RDA and Fisher's rule  [ESL-4.10] [ESL-4.12] [ESL-4.13] [ESL-4.15]."""
    m, J, N, own, shrunk = len(p.names), range(p.p), sum(p.w, ZERO), p.get("divisor", ""), p.method == "rda"
    part = [[(w, x) for w, x, g in zip(p.w, p.x, p.label) if g == k] for k in range(m)]
    size = [sum([w for w, _ in rows], ZERO) for rows in part]
    mean = [[sum([w * x[j] for w, x in rows], ZERO) / c for j in J] for rows, c in zip(part, size)]
    D = [(w, g, [v - c for v, c in zip(x, mean[g])]) for w, x, g in zip(p.w, p.x, p.label)]
    W = [[[sum([w * d[i] * d[j] for w, g, d in D if g == k], ZERO) for j in J] for i in J] for k in range(m)]
    A = [[sum([w * abs(d[i] * d[j]) for w, g, d in D]) / N for j in J] for i in J]
    S = [[sum([w[i][j] for w in W]) / (N - m * (own != "n" or p.method != "lda")) for j in J] for i in J]
    alpha, gamma = number(p.get("alpha", "1/2") if shrunk else 1), number(p.get("gamma", 1))
    T = [[gamma * S[i][j] + (1 - gamma) * sum([S[k][k] for k in J]) / p.p * (i == j) for j in J] for i in J]
    for k, rows in enumerate(part):
        for j, v in enumerate(read(told["means"][k], p.p)):
            yield v - mean[k][j], sum([w * abs(x[j]) for w, x in rows]) / size[k], f"the mean of class {k}"
        for i, j in [(i, j) for i in J for j in J] if "covariances" in told else ():
            want = alpha * W[k][i][j] / (size[k] - (own != "n" or shrunk)) + (1 - alpha) * T[i][j]
            yield read(told["covariances"][k][i], p.p)[j] - want, A[i][j], f"the covariance of class {k}"
    for i, row in enumerate(told.get("covariance", ())):
        yield from [(v - S[i][j], A[i][j], "the covariance") for j, v in enumerate(read(row, p.p))]
    pi = read("priors", m) if "priors" in told else []
    yield from [(v - w / N, ONE, "a prior") for v, w in zip(pi, size) if p.get("priors", None) is None]
    c, b = [read(row, p.p) for row in told.get("coef", ())], read("intercept", len(told.get("coef", ())))
    for k in range(1, m) if c else ():
        beta, b0 = (c[0], b[0]) if m == 2 else ([u - v for u, v in zip(c[k], c[0])], b[k] - b[0])
        lines = [[*[S[i][l] * beta[l] for l in J], mean[0][i] - mean[k][i]] for i in J]
        lines.append(
            [b0, Fraction(-math.log(pi[k] / pi[0])), *[v * (s + t) / 2 for v, s, t in zip(beta, mean[0], mean[k])]]
        )
        yield from [(sum(terms), sum(map(abs, terms)), f"the boundary of classes 0 and {k}") for terms in lines]
    q = [w / N for w in size] if p.method == "fisher" else pi
    q = [ONE / (m - 1)] * m if p.get("between", "weighted") == "centroids" else q
    centre = [sum([w * u[j] for w, u in zip(q, mean)]) / sum(q) for j in J]
    B = [[sum([w * (u[i] - centre[i]) * (u[j] - centre[j]) for w, u in zip(q, mean)]) for j in J] for i in J]
    for a, d in zip(zip(*told.get("scalings", ())), read("eigenvalues", len(told.get("eigenvalues", ())))):
        a = read(list(a), p.p)
        lines = [[v for j in J for v in (B[i][j] * a[j], -d * S[i][j] * a[j])] for i in J]
        lines.append([-ONE, *[a[i] * S[i][j] * a[j] for i in J for j in J]])
        yield from [(sum(terms), sum(map(abs, terms)), "a canonical variate") for terms in lines]


def digits(error: Any, scale: Any) -> float:
    """Return −log₁₀(|error|/scale), rounded down to hundredths, never below 0; infinite for no error."""
    if error == 0 or abs(error) >= scale:
        return 0 if error else math.inf
    ratio = Fraction(scale) / abs(error)
    return max(0, math.floor(100 * (math.log10(ratio.numerator) - math.log10(ratio.denominator)))) / 100


def judge(given: Mapping[str, Any], answer: Mapping[str, Any], asked: float = 6) -> dict[str, Any]:
    """Return the verdict on an answer to a problem, both as JSON holds them."""
    p, told = Problem(given), answer.get("fitted", answer)
    need(isinstance(told, Mapping) and "refusal" not in answer, "an answer with fitted values")
    read: Read = lambda name, n: numbers(told.get(name) if isinstance(name, str) else name, n)  # noqa: E731
    rule, m = {**dict.fromkeys(RULES, gaussian), **dict.fromkeys(REGRESSIONS, regressions)}.get(p.method), len(p.names)
    if rule is not None:
        failures = [(Fraction(abs(e) / s if s else e != 0), words) for e, s, words in rule(p, told, read)]
        found, verdict = digits(max(failures)[0], ONE), {"status": "solved"}
    else:
        need(p.method in MACHINES, f"a method among {', '.join((*MACHINES, *RULES, *REGRESSIONS))}")
        if p.method in MACHINES[-2:]:
            need(
                told.get("classes", p.names) == p.names and len(told["alpha"]) == p.n,
                "classes in order, n rows of alpha",
            )
            alpha = [read(row, m) for row in told["alpha"]]
            each = [
                crammer_singer(p, alpha) if p.method == MACHINES[-2] else lee_lin_wahba(p, alpha, read("intercept", m))
            ]
        else:
            each = [own.proof(a, b) for own, a, b in machines(p, told, read)]
        failures = [f for own in each for f in own[2]]
        found = min(
            [digits(P - D, max(abs(P), abs(D), ZERO if D else c)) if P is not None else 0 for P, D, _, c, _ in each]
        )
        P, D = (
            None if None in [own[0] for own in each] else sum([own[0] or ZERO for own in each]),
            sum([own[1] for own in each]),
        )
        verdict = {
            "status": "optimal",
            "matrix": gram(p).words,
            "primal": P,
            "dual": D,
            "gap": None if P is None else P - D,
        }
        if not all(own[4] for own in each):  # K is not positive semidefinite: D bounds nothing
            verdict.update(status="stationary", dual=None, gap=None)
        if P is not None and "objective" in told:
            value = told["objective"] if isinstance(told["objective"], list) else [told["objective"]]
            found = min(found, digits(sum(map(number, value)) - P, P))
    worst, where = max(failures)
    reached = verdict["status"] if found >= asked else f"{found} digits" if found >= 1 else "not converged"
    verdict.update(digits=found, asked=asked, worst_violation=worst, where=where if worst else "", status=reached)
    return {"verdict": "accepted" if found >= asked else "refuted", **verdict}


def main(arguments: list[str]) -> int:
    """Judge the answer in the second file to the problem in the first; return the exit status."""
    getattr(sys, "set_int_max_str_digits", int)(0)
    try:
        need(len(arguments) in (2, 4) and arguments[2:3] in ([], ["--digits"]), "PROBLEM.json ANSWER.json [--digits N]")
        texts = [open(name, encoding="utf-8").read() for name in arguments[:2]]  # noqa: SIM115
        given, answer = [json.loads(text, parse_float=number, parse_int=number, parse_constant=str) for text in texts]
        need(isinstance(given, dict) and isinstance(answer, dict), "JSON objects")
        if answer.get("arithmetic", "float") == "float":  # its decimals show doubles
            answer = json.loads(texts[1], parse_int=number)
        verdict = judge(given, answer, float(number((arguments[3:] or ["6"])[0])))
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        OSError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        print(json.dumps({"verdict": "bad input", "reason": " ".join(str(error).split())[:300]}, ensure_ascii=False))
        return 2
    show = {
        k: v if v is None or isinstance(v, str) else v if isinstance(v, float) and v < math.inf else str(v)
        for k, v in verdict.items()
    }
    print(json.dumps(show, ensure_ascii=False))
    return 0 if verdict["verdict"] == "accepted" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
