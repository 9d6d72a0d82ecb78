"""The kernel of trust for quadratic programmes: importing nothing of the package, it checks an answer in fractions.

`kernel.py` hands programmes over to this file; `python refclass/oracle/kernel.py PROBLEM.json ANSWER.json` judges both.

    minimise P(x) = ½xᵀPx + qᵀx   subject to   l ≤ Ax ≤ u

Of an answer x, y, where yᵢ > 0 presses against uᵢ and yᵢ < 0 against lᵢ:

    Px + q + Aᵀy = 0      l ≤ Ax ≤ u      P(x) ≥ min ≥ D(x, y) = −½xᵀPx − Σ yᵢ sideᵢ      (Dorn 1960)

for a P that is positive semidefinite where the equalities hold. Its digits are −log₁₀ of the largest error: of the gap,
none of its terms cancelled, beside P and D; of each row beside ‖a‖₁‖x‖∞ and its sides; of stationarity in each variable
beside its qⱼ and the norms of its rows of P and Aᵀ times ‖x‖∞ and ‖y‖∞. Of a refusal the witness is checked:

    y            Aᵀy = 0, Σ yᵢ sideᵢ < 0: 0 = yᵀAx ≤ Σ yᵢ sideᵢ holds for no x                       (Farkas 1902)
    ray r, x     l ≤ Ax ≤ u, rᵀPr ≤ 0, (Px + q)ᵀr < 0, and Ar leaves no side: the objective falls without end
    direction    dᵀPd < 0, ad = 0 for every equality a: no optimum is proven, P is not convex there
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Mapping, Optional, Sequence  # noqa: UP035

Numbers = list[Fraction]
Row = dict[int, Fraction]
Sides = list[Optional[Fraction]]
ZERO, NO_BOUND = Fraction(0), Fraction(10**20)  # sides of this size or more are none
NEARLY = [Fraction(1, 10**k) for k in (15, 14, 13, 12, 11, 10)]  # of the diagonal of P: roundoff, to answers in doubles


def need(holds: Any, words: str) -> None:
    """Raise ValueError unless the condition holds."""
    if not holds:
        raise ValueError(f"need {words}"[:300])


def vector(value: Any, n: int, name: str) -> Numbers:
    """Return n numbers, each exactly."""
    need(isinstance(value, list) and len(value) == n, f"a list of {n} numbers in {name}")
    for v in value:
        short = isinstance(v, str) and len(v) < 100_000 and len(v.lower().partition("e")[2]) < 6 and "_" not in v
        need(short or (isinstance(v, (int, float, Fraction)) and not isinstance(v, bool)), f"numbers in {name}")
        need(isinstance(v, str) or v - v == 0, f"finite numbers in {name}")
    return [Fraction(v) for v in value]


def rows(given: Any, m: int, n: int, name: str) -> list[Row]:
    """Return m rows of n numbers, sparse."""
    need(isinstance(given, list) and len(given) == m, f"{m} rows in {name}")
    return [{j: v for j, v in enumerate(vector(own, n, name)) if v} for own in given]


def triplets(given: Any, m: int, n: int, name: str) -> list[Row]:
    """Return m sparse rows of n numbers, reported as triplets (row, column, value)."""
    need(isinstance(given, list), f"triplets in {name}")
    found: list[Row] = [{} for _ in range(m)]
    for entry in given:
        *places, v = vector(entry, 3, name)
        need(all(type(k) is int for k in entry[:2]), f"whole numbers as places of {name}")
        i, j = map(int, places)
        need(0 <= i < m and 0 <= j < n, f"{name} of {m} rows, {n} columns")
        need(j not in found[i], f"each place of {name} once")
        found[i][j] = v
    return [{j: v for j, v in row.items() if v} for row in found]


def symmetric(M: Sequence[Row]) -> bool:
    """Return whether entries are equal to those on the other side of the diagonal."""
    return all(M[j].get(i) == v for i, row in enumerate(M) for j, v in row.items())


def matrix(given: Any, m: int, n: int, name: str) -> list[Row]:
    """Return P or A, given as {"rows": …} or {"triplets": …}, or as a list that is one of them, or as both the same."""
    ways = {"rows": rows, "triplets": triplets}
    if isinstance(given, Mapping):
        need(len(given) == 1 and set(given) <= set(ways), f"rows or triplets in {name}")
        ((form, given),) = given.items()
        ways = {form: ways[form]}
    found, refusal = [], ""
    for way in ways.values():
        try:
            M = way(given or [], m, n, name)
            need(name != "P" or symmetric(M), "a symmetric P")
            found.append(M)
        except ValueError as error:
            refusal = str(error)
    need(found, refusal.partition("need ")[2])
    need(found[0] == found[-1], f'{{"rows": …}} or {{"triplets": …}} for {name}: the list may be either')
    return found[0]


def times(M: Sequence[Row], x: Sequence[Fraction]) -> Numbers:
    """Return M x."""
    return [sum([v * x[j] for j, v in row.items()], ZERO) for row in M]


def dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    """Return Σ uᵢvᵢ."""
    return sum([a * b for a, b in zip(u, v)], ZERO)


def semidefinite(A: list[Numbers], equal: list[Numbers]) -> bool:
    """Return whether zᵀAz ≥ 0 for every z with eᵀz = 0 for each e of `equal`: no pivot of A = LDLᵀ is below 0.

    The pivots are those of integers, each the quotient of two leading minors, by elimination whose divisions leave no
    rest (Bareiss 1968).
    """
    while equal:
        e, *equal = equal
        k = next((j for j, v in enumerate(e) if v), None)
        if k is None:
            continue
        f = [v / e[k] for v in e]  # z_k is replaced by the others, fᵀz = 0: its row and column become zero
        equal = [[v - r[k] * t for v, t in zip(r, f)] for r in equal]
        A = [[v - r[k] * t - s * w + s * t * A[k][k] for v, t, w in zip(r, f, A[k])] for r, s in zip(A, f)]
    d, minor = math.lcm(*[v.denominator for row in A for v in row]), 1
    N = [[v.numerator * (d // v.denominator) for v in row[i:]] for i, row in enumerate(A)]  # the upper triangle
    g = math.gcd(*[v for row in N for v in row]) or 1
    N = [[v // g for v in row] for row in N]
    while N:
        (pivot, *rest), *below = N
        if pivot < 0 or (pivot == 0 and any(rest)):
            return False
        if pivot:
            each = enumerate(zip(below, rest))
            below = [[(pivot * v - r * w) // minor for v, w in zip(own, rest[i:])] for i, (own, r) in each]
            minor = pivot
        N = below
    return True


class Programme:
    """A programme as JSON holds it, in fractions; None for a side that is not there."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.q = vector(given.get("q"), len(given.get("q") or ()), "q")
        need(self.q, "a q of at least one number")
        low, high = ([None if v is None else v for v in given.get(name) or ()] for name in ("l", "u"))
        m = max(len(low), len(high))
        self.l, self.u = (self._sides(own, m, sign) for own, sign in ((low, -1), (high, 1)))
        need(all(a <= b for a, b in zip(self.l, self.u) if a is not None and b is not None), "l ≤ u in every row")
        n = len(self.q)
        self.P, self.A = matrix(given.get("P"), n, n, "P"), matrix(given.get("A"), m, n, "A")
        self.equal = [row for row, low, high in zip(self.A, self.l, self.u) if low is not None and low == high]

    @staticmethod
    def _sides(own: list[Any], m: int, sign: int) -> Sides:
        need(not own or len(own) == m, "as many l as u, or none")
        reported = [None if v is None else vector([v], 1, "sides")[0] for v in own or [None] * m]
        need(all(v is None or sign * v > -NO_BOUND for v in reported), "sides that a row can meet")
        return [None if v is None or sign * v >= NO_BOUND else v for v in reported]

    def excess(self, x: Numbers) -> Numbers:
        """Return by how much each row leaves its sides at x."""
        own = zip(times(self.A, x), self.l, self.u)
        return [max(ZERO if a is None else a - v, ZERO if b is None else v - b, ZERO) for v, a, b in own]

    def pressed(self, y: Numbers) -> list[tuple[Fraction, Optional[Fraction]]]:
        """Return each multiplier that is not zero with the side that it presses against."""
        return [(w, high if w > 0 else low) for w, low, high in zip(y, self.l, self.u) if w]

    def pull(self, y: Numbers) -> list[Numbers]:
        """Return the terms of Aᵀy, by column."""
        terms: list[Numbers] = [[] for _ in self.q]
        for row, w in zip(self.A, y):
            for j, v in row.items() if w else ():
                terms[j].append(v * w)
        return terms

    def is_convex(self, nearly: Fraction) -> bool:
        """Return whether P is positive semidefinite, on the whole space or where the equalities hold.

        nearly    by how much the diagonal may be longer for that: rounded products leave a little negative curvature
        """
        n = len(self.q)
        curved = [j for j in range(n) if self.P[j]]
        if semidefinite([[self.P[i].get(j, ZERO) * (1 + nearly * (i == j)) for j in curved] for i in curved], []):
            return True
        full, equal = ([[row.get(j, ZERO) for j in range(n)] for row in M] for M in (self.P, self.equal))
        return semidefinite(full, equal)


def errors(p: Programme, x: Numbers, y: Numbers) -> tuple[list[tuple[Any, Any, str]], Fraction, Fraction]:
    """Return what the conditions lack as (error, scale, words), and P(x), D(x, y)."""
    Px, linear, sides = times(p.P, x), dot(p.q, x), p.pressed(y)
    supports = [w * s for w, s in sides if s is not None]
    curved = dot(x, Px)
    primal, dual = curved / 2 + linear, -curved / 2 - sum(supports, ZERO)
    terms = [[c, *[v * x[j] for j, v in row.items()], *own] for c, row, own in zip(p.q, p.P, p.pull(y))]
    scale, slacks = max(abs(primal), abs(dual)), zip(y, times(p.A, x), p.l, p.u)
    lacking = sum([abs(w * (v - s)) for w, v, low, high in slacks if (s := high if w > 0 else low) is not None], ZERO)
    lacking += sum([abs(v * sum(own, ZERO)) for v, own in zip(x, terms)], ZERO)
    if min(primal, dual) - lacking <= 0 <= max(primal, dual) + lacking:  # beside the terms of what may be zero
        scale = max(
            scale, abs(curved) / 2, sum([abs(c * v) for c, v in zip(p.q, x)], ZERO), sum(map(abs, supports), ZERO)
        )
    bounds = [max(abs(a or ZERO), abs(b or ZERO)) for a, b in zip(p.l, p.u)]
    far, steep = max(map(abs, x)), max(map(abs, y), default=ZERO)
    sizes = [b + sum(map(abs, row.values())) * far for b, row in zip(bounds, p.A)]
    along = [abs(c) + sum(map(abs, row.values())) * far for c, row in zip(p.q, p.P)]
    for row in p.A:
        for j, v in row.items():
            along[j] += abs(v) * steep
    return (
        [
            (lacking, scale, "the gap"),
            *[(v, size, f"row {i}: outside its sides") for i, (v, size) in enumerate(zip(p.excess(x), sizes))],
            *[(abs(sum(own)), s, f"variable {j}: stationarity") for j, (own, s) in enumerate(zip(terms, along))],
            *[(abs(w), max(map(abs, y)), "a multiplier of a side that is not there") for w, s in sides if s is None],
        ],
        primal,
        dual,
    )


def fault(p: Programme, witness: Mapping[str, Any]) -> str:
    """Return why a witness does not prove its refusal; "" if it does."""
    n = len(p.q)
    if "y" in witness:
        y = vector(witness["y"], len(p.A), "y")
        sides = p.pressed(y)
        if any(s is None for _, s in sides) or any(sum(own, ZERO) for own in p.pull(y)):
            return "the multipliers do not cancel, or press against a side that is not there"
        return "" if sum([w * s for w, s in sides if s is not None], ZERO) < 0 else "the rows do not contradict"
    if "ray" in witness:
        ray, x = vector(witness["ray"], n, "ray"), vector(witness.get("x"), n, "x")
        leaves = [(v > 0 and b is not None) or (v < 0 and a is not None) for v, a, b in zip(times(p.A, ray), p.l, p.u)]
        if any(p.excess(x)) or any(leaves):
            return "the point or the ray leaves the rows"
        falls = dot(ray, times(p.P, ray)) <= 0 and dot(p.q, ray) + dot(ray, times(p.P, x)) < 0
        return "" if falls else "the objective does not fall along the ray without end"
    d = vector(witness.get("direction"), n, "y, ray or direction")
    if any(times(p.equal, d)):
        return "the direction leaves an equality"
    return "" if dot(d, times(p.P, d)) < 0 else "the curvature along the direction is not negative"


def digits(error: Any, scale: Any) -> float:
    """Return −log₁₀(|error|/scale), rounded down to hundredths, never below 0; infinite for no error."""
    if error == 0 or abs(error) >= scale:
        return 0 if error else math.inf
    ratio = Fraction(scale) / abs(error)
    return max(0, math.floor(100 * (math.log10(ratio.numerator) - math.log10(ratio.denominator)))) / 100


def judge(given: Mapping[str, Any], answer: Mapping[str, Any], asked: float = 6) -> dict[str, Any]:
    """Return the verdict on an answer to a quadratic programme, both as JSON holds them."""
    p = Programme(given)
    if "refusal" in answer:
        witness = answer["refusal"].get("witness")
        need(isinstance(witness, Mapping), "a witness of the refusal")
        reason = fault(p, witness)
        return {"verdict": "refuted" if reason else "accepted", "status": "refused", "where": reason, "asked": asked}
    fitted = answer.get("fitted", answer)
    x, y = (vector(fitted.get(name), n, name) for name, n in (("x", len(p.q)), ("y", len(p.A))))
    lacking, primal, dual = errors(p, x, y)
    parts = [ZERO, *(NEARLY if answer.get("arithmetic") == "float" else ())]
    negative = next((part for part in parts if p.is_convex(part)), None)
    convex = negative is not None
    if negative:  # what is proven is proven for the longer diagonal
        longer = negative * sum([row.get(j, ZERO) * x[j] * x[j] for j, row in enumerate(p.P)], ZERO)
        lacking.append((longer, lacking[0][1], "the curvature of P, negative by roundoff"))
    proven = min([digits(error, scale) for error, scale, _ in lacking])
    if "objective" in fitted:
        claimed = vector([fitted["objective"]], 1, "objective")[0]
        if abs(claimed - primal) > abs(primal - dual):
            proven = min(proven, digits(claimed - primal, abs(primal)))
    worst = max(lacking, key=lambda own: abs(own[0]))
    return {
        "verdict": "accepted" if convex and proven >= asked else "refuted",
        "status": ("optimal" if proven >= asked else f"{proven} digits") if convex else "not convex",
        "primal": primal,
        "dual": dual,
        "gap": primal - dual,
        "digits": proven,
        "asked": asked,
        "worst_violation": abs(worst[0]),
        "where": worst[2] if worst[0] else "",
    }
