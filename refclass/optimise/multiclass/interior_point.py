"""Mehrotra's predictor-corrector method for machines of several classes (Mehrotra 1992; Nocedal and Wright 16.6).

    minimise ½λ Σ_k ‖v_k‖² + Σ (cost × the largest of a few scores)      scores affine in f_ik = z_iᵀv_k + b_k

    Simplex    the largest of t_ik + f_ik less f_i,yᵢ, for each point: multipliers η_ik ≥ 0, Σ_k η_ik = Cᵢ
               (Crammer and Singer); no intercepts
    Box        the larger of 0 and f_ik − y_ik, for each point and class: 0 ≤ α_ik ≤ L_ik (Lee, Lin and Wahba);
               with intercepts, and Σ_k (v_k, b_k) = 0

The largest is written ξ ≥ score: s = ξ − score > 0 with its multiplier, whose product goes to zero for all alike. A
step factors the equations of `newton_equations` once and solves them twice; the number of steps hardly depends on the
data (20 to 40), and the cost of each is linear in the number of points. The duality gap says how near the end is. In
decimals the method goes on where doubles have no digits left, to any gap that is asked for. It takes any machine that
linearises its own central path, as `Simplex` and `Box` do: so does a kernel machine (`regress.kernel.newton`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refclass.errors import Refusal
from refclass.number.field import Number
from refclass.optimise.limits import NEWTON_STEPS, PATIENCE, TO_BOUNDARY
from refclass.optimise.multiclass.newton_equations import Columns, inner, moved

FAR = 10  # 1 / the relative gap above which it may rise
CLOSE = 1e-15  # relative gap at which it ends


def steps(machine: Any) -> Iterator[Any]:
    """Yield the iterates; the last is not worse by its gap than any before, but for roundoff."""
    state = machine.state()
    yield state
    for _ in range(NEWTON_STEPS):
        pairs = machine.pairs()
        count = sum(sum(1 for e in own if e > 0) for _, rows in pairs for own in rows)
        mu = complementarity(pairs) / count
        try:
            machine.linearise()
            plain = machine.direction([[[-a * b for a, b in zip(*rows)] for rows in zip(s, e)] for s, e in pairs])
            t = longest(pairs, plain[2])
            ahead = complementarity([(moved(s, t, ds), moved(e, t, de)) for (s, e), (ds, de) in zip(pairs, plain[2])])
            centre = mu * (ahead / (count * mu)) ** 3
            rc = [
                [[centre - a * b - c * d for a, b, c, d in zip(*rows)] for rows in zip(s, e, ds, de)]
                for (s, e), (ds, de) in zip(pairs, plain[2])
            ]
            step = machine.direction(rc)
            # Method: nearer to the boundary the more of the products the plain step takes away, so that the gap falls
            # ever faster (Wright 1997, chapter 7). A step that a few pairs stop early leaves them centred.
            short = max(machine.kind(TO_BOUNDARY), 1 - ahead / (count * mu))
            machine.move(min(1, short * longest(pairs, step[2], 2)), step)
            state = machine.state()
        except (ArithmeticError, ValueError, Refusal):
            return
        if (state.primal - state.dual) * 0 != 0:  # one of them is infinite, or no number
            return
        yield state


def complementarity(pairs: list[tuple[Columns, Columns]]) -> Number:
    """Return the sum of the products of slacks and multipliers."""
    return sum(inner(s, e) for s, e in pairs)


def longest(pairs: list[tuple[Columns, Columns]], steps: Any, most: Number = 1) -> Number:
    """Return how far a step may go until a slack or multiplier is zero, at most so far."""
    for both, moves in zip(pairs, steps):
        for x, d in zip(both, moves):
            for own, step in zip(x, d):
                most = min([most, *[-a / b for a, b in zip(own, step) if b < 0 < a]])
    return most


def solve(machine: Any, close: Number = CLOSE, patience: int = PATIENCE) -> Any:
    """Return the iterate of the least gap, the first whose relative gap is so close, or before `patience` without gain.

    Cost      a step: the factor of `newton_equations`, and 12nKq multiplications for q parameters of each of K classes
    """
    best, idle = None, 0
    for state in steps(machine):
        idle = 0 if best is None or state.gap < best.gap or best.gap * FAR > 1 else idle + 1
        best = state if best is None or state.gap < best.gap else best
        if best.gap <= close or idle >= patience:
            break
    assert best is not None
    return best
