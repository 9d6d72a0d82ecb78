"""The Gram matrices of the kernel of trust, exactly or as binary64 holds them: importing nothing of the package.

`kernel.py` reads problems and asks this file for rows of K. Kernels that need nothing but + − × ÷, and what is made of
them, are exact: integers over one denominator. Of all others each value is a double, and so is each value of the parts
they are made of, rounded operation by operation.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable, Mapping, NamedTuple, Sequence  # noqa: UP035

Row = Callable[[int], list[int]]
ZERO, ONE, TINY = Fraction(0), Fraction(1), 2**1074  # every double is a whole multiple of 1/TINY
PAIRS, OF_ONE = ("sum", "product"), ("scaled", "series", "normalised", "exponential")  # made of two kernels, of one
EXACT = ("linear", "polynomial", "spline", "interaction_spline", *PAIRS, *OF_ONE[:2])
ROUNDED = ("gaussian", "laplacian", "sigmoid", "thin_plate", *OF_ONE[2:])
INDEFINITE = ("sigmoid", "thin_plate", "precomputed")
PARAMETERS: dict[str, dict[str, Any]] = {  # of each kernel, with the value that it has if none is given
    "linear": {},
    "precomputed": {},
    "polynomial": {"degree": Fraction(3), "c": ONE, "scale": ONE},
    "spline": {"start": ZERO},
    "interaction_spline": {"start": ZERO, "order": Fraction(2)},
    "gaussian": {"gamma": None},
    "laplacian": {"sigma": None},
    "sigmoid": {"a": None, "b": None},
    "thin_plate": {"sigma": None},
    "sum": {"left": None, "right": None},
    "product": {"left": None, "right": None},
    "scaled": {"c": None, "kernel": None},
    "series": {"coefficients": None, "kernel": None},
    "normalised": {"kernel": None},
    "exponential": {"kernel": None},
}


class Table(NamedTuple):
    """Rows of a Gram matrix as integers over one denominator, its name, whether it is ≥ 0 by a theorem."""

    row: Row
    q: int
    words: str
    positive: bool


def need(holds: Any, words: str) -> None:
    """Raise ValueError unless the condition holds."""
    if not holds:
        raise ValueError(f"need {words}")


def described(given: Any, number: Callable[[Any], Fraction], whole: bool = True) -> dict[str, Any]:
    """Return the description of a kernel with all its parameters, each number as a fraction.

    number    what returns the number that a value denotes
    whole     whether it is the kernel itself, and none that another one is made of
    """
    own: Mapping[str, Any] = {"name": given} if isinstance(given, str) else given
    name = own.get("name") if isinstance(own, Mapping) else None
    need(isinstance(name, str) and name in PARAMETERS, f"a kernel among {', '.join(PARAMETERS)}")
    need(whole or name != "precomputed", "a Gram matrix alone, of which no kernel is made")
    known = PARAMETERS[str(name)]
    need(set(own) - {"name"} <= set(known), f"no other parameters of {name} than {', '.join(known) or 'none'}")
    found: dict[str, Any] = {"name": name}
    for key, default in known.items():
        value = own.get(key, default)
        need(value is not None, f"{key} of {name}")
        if key in ("left", "right", "kernel"):
            found[key] = described(value, number, False)
        elif key == "coefficients":
            need(isinstance(value, list) and value, "a list of coefficients")
            found[key] = list(map(number, value))
        else:
            found[key] = value if key == "gamma" and value == "scale" and whole else number(value)
    for key in ("degree", "order"):
        need(found.get(key, ONE).denominator == 1 <= found.get(key, ONE) < 100, f"{key} of {name} from 1 to 99, whole")
    for key in ("scale", "gamma", "sigma"):
        need(found.get(key, ONE) == "scale" or found.get(key, ONE) > 0, f"{key} > 0 of {name}")
    need(min([*found.get("coefficients", [ZERO]), found.get("c", ZERO)]) >= 0, f"c ≥ 0 of {name}")
    return found


def parts(own: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the kernels that one is made of."""
    return [own[key] for key in ("left", "right", "kernel") if key in own]


def is_exact(own: Mapping[str, Any]) -> bool:
    """Return whether the values of a kernel need nothing but + − × ÷."""
    return own["name"] in EXACT and all(map(is_exact, parts(own)))


def is_positive(own: Mapping[str, Any]) -> bool:
    """Return whether Gram matrices of a kernel are positive semidefinite by a theorem  [KIM-Thm3.4.4]."""
    return own["name"] not in INDEFINITE and all(map(is_positive, parts(own)))


def table(own: Mapping[str, Any], X: Sequence[Sequence[Fraction]]) -> Table:
    """Return the Gram matrix of points by a kernel that is described with fractions  [ESL-12.22] [MMST-T11.1]."""
    name, d = own["name"], math.lcm(*[v.denominator for x in X for v in x])
    N = [[v.numerator * (d // v.denominator) for v in x] for x in X]
    if name == "precomputed":
        need([list(column) for column in zip(*N)] == N, "a symmetric Gram matrix")
        return Table(lambda j: N[j], d, "the Gram matrix as given", False)
    if is_exact(own):
        return Table(*exact(own, N, d), "the exact Gram matrix of the kernel", is_positive(own))
    most = max(abs(v) for x in X for v in x)
    e = (most.numerator.bit_length() - most.denominator.bit_length()) * (own.get("gamma") == "scale")
    F = [[float(v / Fraction(2) ** e) for v in x] for x in X]  # a power of two keeps squares in range for "scale"
    values = doubles({**own, "gamma": rate(F)} if own.get("gamma") == "scale" else own, F)
    ratios = [[v.as_integer_ratio() for v in row] for row in values]
    words = f"the {name} Gram matrix as binary64 holds it"
    return Table(lambda j: [u * (TINY // v) for u, v in ratios[j]], TINY, words, is_positive(own))


def exact(own: Mapping[str, Any], N: Sequence[Sequence[int]], d: int) -> tuple[Row, int]:
    """Return the rows of an exact kernel on the points N/d, and their denominator."""
    name, made = own["name"], [exact(part, N, d) for part in parts(own)]
    if name in PAIRS:
        (u, q), (v, r) = made
        if name == "sum":
            return lambda j: [s * r + t * q for s, t in zip(u(j), v(j))], q * r
        return lambda j: [s * t for s, t in zip(u(j), v(j))], q * r
    if name == "scaled":
        ((u, q),) = made
        return lambda j: [own["c"].numerator * s for s in u(j)], q * own["c"].denominator
    if name == "series":
        return series(own["coefficients"], *made[0])
    if name in ("spline", "interaction_spline"):
        return splines(own, N, d)
    c, s, m = (ZERO, ONE, 1) if name == "linear" else (own["c"], own["scale"], int(own["degree"]))
    q = math.lcm(s.denominator * d * d, c.denominator)  # K = ((up·NNᵀ + add)/q)^m
    up, add = s.numerator * (q // (s.denominator * d * d)), c.numerator * (q // c.denominator)
    return lambda j: [(up * sum([u * v for u, v in zip(N[j], x)]) + add) ** m for x in N], q**m


def series(c: Sequence[Fraction], row: Row, q: int) -> tuple[Row, int]:
    """Return c₀ + c₁K + c₂K² + … for K of that row and denominator  [KIM-3.66]."""
    e, m = math.lcm(*[v.denominator for v in c]), len(c) - 1
    whole = [v.numerator * (e // v.denominator) * q ** (m - k) for k, v in enumerate(c)]
    return lambda j: [sum([v * s**k for k, v in enumerate(whole)]) for s in row(j)], e * q**m


def splines(own: Mapping[str, Any], N: Sequence[Sequence[int]], d: int) -> tuple[Row, int]:
    """Return Σ_j k(x_j − a, z_j − a), or Σ over up to so many variables of Π_j (uv + k)  [ESL-12.3.3-interaction]."""
    a = own["start"]
    e = math.lcm(d, a.denominator)
    M = [[v * (e // d) - a.numerator * (e // a.denominator) for v in x] for x in N]
    if own["name"] == "spline":
        return lambda j: [sum(map(bent, M[j], x)) for x in M], 6 * e**3
    q, most = 6 * e**3, int(own["order"])

    def value(x: Sequence[int], z: Sequence[int]) -> int:
        sums = [1, *[0] * most]  # of products of r variables, over qʳ
        for s, t in zip(x, z):
            v = 6 * e * s * t + bent(s, t)
            sums = [1, *[sums[r] + v * sums[r - 1] for r in range(1, most + 1)]]
        return int(sum([v * q ** (most - r) for r, v in enumerate(sums) if r]))

    return lambda j: [value(M[j], x) for x in M], q**most


def bent(s: Any, t: Any) -> Any:
    """Return 6 ∫ (s − u)₊ (t − u)₊ du over u ≥ 0: m²(3M − m), m the smaller, 0 if that is below 0."""
    low, high = min(s, t), max(s, t)
    return low * low * (3 * high - low) if low > 0 else 0


def doubles(own: Mapping[str, Any], F: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the Gram matrix of a kernel, rounded operation by operation."""
    name, K = own["name"], [doubles(part, F) for part in parts(own)]
    if name == "sum":
        return [[s + t for s, t in zip(*rows)] for rows in zip(*K)]
    if name == "product":
        return [[s * t for s, t in zip(*rows)] for rows in zip(*K)]
    if name == "scaled":
        c = float(own["c"])
        return [[c * s for s in row] for row in K[0]]
    if name == "series":
        return [[horner(list(map(float, own["coefficients"])), s) for s in row] for row in K[0]]
    if name == "normalised":  # k(x, z)/√(k(x, x)k(z, z))  [MMST-11.60]
        squares = [row[i] for i, row in enumerate(K[0])]
        need(min(squares) > 0, "points with k(x, x) > 0")
        return [[v / math.sqrt(s * t) for v, t in zip(row, squares)] for row, s in zip(K[0], squares)]
    if name == "exponential":
        return [[math.exp(v) for v in row] for row in K[0]]
    return [one_by_one(own, x, F) for x in F]


def horner(c: Sequence[float], v: float) -> float:
    """Return c₀ + c₁v + c₂v² + … by Horner's rule."""
    total = float(0)
    for w in reversed(c):
        total = total * v + w
    return total


def one_by_one(own: Mapping[str, Any], x: Sequence[float], F: Sequence[Sequence[float]]) -> list[float]:
    """Return the values of a kernel that is made of no other at one point and many."""
    name = own["name"]
    if name == "laplacian":  # exp(−‖x − z‖/σ)
        return [math.exp(-math.dist(x, z) / float(own["sigma"])) for z in F]
    if name == "gaussian":  # exp(−γ‖x − z‖²)
        g = float(own["gamma"])
        if len(x) == 2:
            return [math.exp(-g * ((s := u - x[0]) * s + (t := v - x[1]) * t)) for u, v in F]
        return [math.exp(-g * d * d) for d in (math.dist(x, z) for z in F)]
    if name == "thin_plate":  # (r/σ)² log(r/σ)
        square = float(own["sigma"]) * float(own["sigma"])
        near = [d * d / square for d in (math.dist(x, z) for z in F)]
        return [t * math.log(t) / 2 if t else t for t in near]
    if name in ("spline", "interaction_spline"):
        return bends(own, x, F)
    products = [inner(x, z) for z in F]
    if name == "sigmoid":  # tanh(a⟨x, z⟩ + b)
        return [math.tanh(float(own["a"]) * t + float(own["b"])) for t in products]
    if name == "linear":
        return products
    c, s = float(own["c"]), float(own["scale"])  # (s⟨x, z⟩ + c)^m
    return [(s * t + c) ** int(own["degree"]) for t in products]


def inner(x: Sequence[float], z: Sequence[float]) -> float:
    """Return ⟨x, z⟩."""
    total = x[0] * z[0]
    for s, t in zip(x[1:], z[1:]):
        total += s * t
    return total


def bends(own: Mapping[str, Any], x: Sequence[float], F: Sequence[Sequence[float]]) -> list[float]:
    """Return the values of a spline kernel in doubles."""
    a, found = float(own["start"]), []
    for z in F:
        pairs = [(s - a, t - a) for s, t in zip(x, z)]
        if own["name"] == "spline":
            found.append(sum([bent(s, t) for s, t in pairs]) / 6)
            continue
        sums = [float(1), *[float(0)] * int(own["order"])]
        for s, t in pairs:
            v = s * t + bent(s, t) / 6
            sums = [float(1), *[sums[r] + v * sums[r - 1] for r in range(1, len(sums))]]
        found.append(sum(sums[1:]))
    return found


def rate(F: Sequence[Sequence[float]]) -> float:
    """Return γ = "scale": 1/(p · var X)."""
    mean = sum(entries := [v - F[0][0] for x in F for v in x]) / len(entries)
    spread = len(F[0]) * (sum([(v - mean) * (v - mean) for v in entries]) / len(entries))
    return 1 / spread if spread else float(1)
