"""The real roots of sums of Gaussian bumps with coefficients of either sign, all of them, by Rolle's theorem.

    g(x) = Σⱼ Pⱼ(x) exp(qⱼ(x)),    Pⱼ polynomials, qⱼ of degree two

Divided by exp(q₁), which moves no root, g has a derivative in which P₁ has lost a degree; after deg P₁ + 1 of them a
term is gone. Between two roots of the derivative g is monotone, and has one root if its signs at the ends differ, found
by bisection. So the roots of a sum of one term less lead, step by step, to those of g.
"""

from __future__ import annotations

from collections.abc import Sequence

from refclass.linear.vector import dot
from refclass.number.field import Field, Number

Polynomial = tuple[Number, ...]  # coefficients of 1, x, x² …, the last not zero
Term = tuple[Polynomial, Polynomial]  # P and q


def term(P: Sequence[Number], q: Sequence[Number]) -> Term:
    """Return the term P(x) exp(q(x)); q has three coefficients."""
    return _trimmed(P), tuple(q)


def roots(F: Field, terms: Sequence[Term]) -> list[Number]:
    """Return all real roots where the sum changes its sign, ascending, to the digits of F.

    Shapes    terms: pairs of P and q = (q₀, q₁, q₂)
    Cost      for K bumps of different widths, sums of up to 2ᴷ⁻¹ coefficients, each root by bisection

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> roots(BINARY64, [((1.0,), (0.0, 0.0, 0.0)), ((-1.0,), (0.0, 1.0, 0.0))])
        [0.0]
    """
    known = _gathered(F, terms)
    if not known:
        return []
    first = known[0][1]
    reduced = [(P, tuple([a - b for a, b in zip(q, first)])) for P, q in known]
    if len(reduced) == 1 and len(reduced[0][0]) == 1:
        return []
    turns = roots(F, [part for P, q in reduced for part in [(_derived(P, q), q)] if part[0]])
    return _changes(F, known, turns)


def _trimmed(P: Sequence[Number]) -> Polynomial:
    kept = list(P)
    while kept and kept[-1] == 0:
        kept.pop()
    return tuple(kept)


def _gathered(F: Field, terms: Sequence[Term]) -> list[Term]:
    """Return the terms, those of one exponent added up, and zeros left out; the shortest polynomial first.

    Exponents that differ by a constant are one, that of the largest: bumps far away are not lost below the range.
    """
    groups: dict[Polynomial, list[Term]] = {}
    for P, q in terms:
        groups.setdefault(q[1:], []).append((P, q))
    found = []
    for shape, own in groups.items():
        top, total = max(q[0] for _, q in own), list[Number]()
        for P, q in own:
            total += [0 * top] * (len(P) - len(total))
            for i, c in enumerate(P):
                total[i] = total[i] + c * F.exp(q[0] - top)
        found.append((_trimmed(total), (top, *shape)))
    return sorted([t for t in found if t[0]], key=lambda t: len(t[0]))


def _derived(P: Polynomial, q: Polynomial) -> Polynomial:
    """Return P′ + P q′."""
    found = [0 * P[0]] * (len(P) + 1)
    for i, c in enumerate(P):
        if i:
            found[i - 1] = found[i - 1] + i * c
        found[i] = found[i] + c * q[1]
        found[i + 1] = found[i + 1] + 2 * c * q[2]
    return _trimmed(found)


def _sign(F: Field, terms: Sequence[Term], x: Number) -> int:
    """Return the sign of the sum at x, the largest exponent taken out."""
    heights = [q[0] + x * (q[1] + x * q[2]) for _, q in terms]
    top = max(heights)
    powers = [x - x + 1]
    for _ in range(max(len(P) for P, _ in terms) - 1):
        powers.append(powers[-1] * x)
    total = sum([dot(P, powers[: len(P)]) * F.exp(h - top) for (P, _), h in zip(terms, heights)], F.kind(0))
    return int(total > 0) - int(total < 0)


def _sign_far(terms: Sequence[Term], side: int) -> int:
    """Return the sign of the sum towards −∞ (side −1) or +∞ (1): that of the term that outgrows all others."""
    P, _ = max(terms, key=lambda t: (t[1][2], side * t[1][1], len(t[0])))
    sign = int(P[-1] > 0) - int(P[-1] < 0)
    return sign if side > 0 or len(P) % 2 else -sign


def _changes(F: Field, terms: Sequence[Term], turns: Sequence[Number]) -> list[Number]:
    """Return where the sum changes its sign, monotone as it is between the turns."""
    one = F.kind(1)
    marks = list(turns) or [F.kind(0)]
    ends = [_far(F, terms, marks[0], -one), *marks, _far(F, terms, marks[-1], one)]
    found: list[Number] = []
    signs = [_sign_far(terms, -1), *[_sign(F, terms, x) for x in marks], _sign_far(terms, 1)]
    last, at = signs[0], ends[0]
    for x, s in zip(ends[1:], signs[1:]):
        if s == 0:  # a turn on the axis: the sign after it decides
            continue
        if s != last:
            found.append(_bisected(F, terms, at, x, s))
        last, at = s, x
    return found


def _far(F: Field, terms: Sequence[Term], start: Number, step: Number) -> Number:
    """Return a point beyond which the sum keeps the sign that it has at infinity."""
    want = _sign_far(terms, 1 if step > 0 else -1)
    while _sign(F, terms, start + step) != want:
        step = 2 * step
    return start + step


def _bisected(F: Field, terms: Sequence[Term], low: Number, high: Number, after: int) -> Number:
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return high if abs(_value(F, terms, high)) <= abs(_value(F, terms, low)) else low
        s = _sign(F, terms, middle)
        if s == 0:
            return middle
        low, high = (low, middle) if s == after else (middle, high)


def _value(F: Field, terms: Sequence[Term], x: Number) -> Number:
    heights = [q[0] + x * (q[1] + x * q[2]) for _, q in terms]
    top = max(heights)
    return sum(
        [sum([c * x**i for i, c in enumerate(P)]) * F.exp(h - top) for (P, _), h in zip(terms, heights)], F.kind(0)
    )
