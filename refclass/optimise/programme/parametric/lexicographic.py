"""Symbolic shifts that decide ties of the parametric method (Charnes 1952; Dantzig, Orden and Wolfe 1955).

Each constraint k, a variable's bounds or a row with the vector aₖ, has three symbols: with one q¹ moves by aₖ, with the
others its lower and its upper side move outwards. They are powers of an ε that is positive and smaller than every
number, in an order of their own: a number comes first, then the symbols in turn. A margin of the working set, the
multiplier of an active constraint or the slack of another one, is α + τβ with β = number + Σ coefficient · symbol.

No two margins tie. Where k is active, q¹ + εaₖ changes its multiplier by −ε and no other margin; where it is not, a
side that moves by ε changes its own slack by ε and no other margin. Each β therefore has a symbol that no other has,
and no combination of two of them is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refclass.number.rational import ONE, ZERO
from refclass.optimise.programme.parametric.working_set import Equations
from refclass.optimise.programme.problem import Programme, times, transposed_times

Symbols = dict[int, Fraction]  # 3k: of q¹; 3k + 1, 3k + 2: of the lower and of the upper side of constraint k


def symbols(p: Programme, equations: Equations, side: Sequence[int], k: int, s: int) -> Symbols:
    """Return the coefficients of the symbols in β of a margin.

    s         0 for the multiplier of the active constraint k, at its side; else the side of an inactive one
    Cost      that of `Equations.solve`, and of `times` for P and for A
    """
    # Proof: the equations are symmetric, so that the solution U for the margin's own coefficients as right sides gives
    # its derivatives: −U in q, U of a row in its side, and what stationarity lacks at U in the bound of a variable.
    if s and side[k]:  # the other side of an active one: nothing moves it but the two
        return {_of_side(k, -1): ONE, _of_side(k, 1): ONE}
    n, sign = p.n, side[k] if s == 0 else -s
    right_x, right_y, own_x, own_y = {}, {}, {}, {}
    if k >= n and s == 0:
        right_y = {k - n: Fraction(sign)}
    elif k >= n:
        right_x, own_y = {j: sign * a for j, a in p.A[k - n].items()}, {k - n: Fraction(-sign)}
    elif s == 0:
        own_x = {k: Fraction(sign)}
        right_x = {j: -sign * v for j, v in p.P[k].items()}
        right_y = {i: -sign * p.A[i][k] for i in equations.active if k in p.A[i]}
    else:
        right_x = {k: Fraction(sign)}
    found = equations.solve(right_x, right_y)
    x = [own_x.get(j, found.x.get(j, ZERO)) for j in range(n)]
    y = [own_y.get(i, found.y.get(i, ZERO)) for i in range(p.m)]
    lacking = [-(a + b) for a, b in zip(times(p.P, x), transposed_times(p.A, y, n))]
    changes = {3 * i: -v for i, v in enumerate([*x, *times(p.A, x)]) if v}
    for i, v in enumerate([*lacking, *y]):
        if v and side[i] in (1, -1):
            changes[_of_side(i, side[i])] = side[i] * v
    if s:
        changes[_of_side(k, s)] = ONE
    return changes


def _of_side(k: int, s: int) -> int:
    return 3 * k + (1 if s < 0 else 2)


def least(values: Sequence[Symbols]) -> int:
    """Return the place of the lexicographically least of several sums of symbols.

    Example
        >>> least([{4: Fraction(1)}, {5: Fraction(-1)}, {4: Fraction(1), 7: Fraction(-2)}])
        1
    """
    places = sorted(set().union(*values))
    return min(range(len(values)), key=lambda c: [values[c].get(i, ZERO) for i in places])


def combined(terms: Sequence[tuple[Fraction, Symbols]]) -> Symbols:
    """Return Σ factor · sum, other than zeros."""
    total: Symbols = {}
    for f, own in terms:
        for i, v in own.items():
            total[i] = total.get(i, ZERO) + f * v
    return {i: v for i, v in total.items() if v}
