"""Preconditioned conjugate gradients for the Newton equations of all classes (Concus, Golub and O'Leary, 1976).

    λ z_k + Σ_l W_kl (K z_l + b_l 1) = r_k,    Σ_l 1ᵀW_kl (K z_l + b_l 1) = s_k,    W = w(diag(p) − ppᵀ) at a point

The operator is self-adjoint in the inner product Σ uᵀKv + bc of functions and intercepts. Where W is replaced by its
diagonal D_kk = w p_k(1 − p_k), the classes part, and the equations of each are solved by a Cholesky factor of
λ + D½KD½: the eigenvalues of D^−½ W D^−½ lie between 0 and the number of classes, however large K is against λ.
"""

from __future__ import annotations

import math
from operator import mul
from typing import Any, Optional

from refclass.linear.factorisations.lower_triangle import Cholesky
from refclass.number.binary64 import BINARY64
from refclass.optimise.multiclass.newton_equations import Columns, inner, moved

FAINT = 0.01  # dᵢKᵢᵢ, as part of λ, below which a point's curvature is left out of the preconditioner


class Intercepts:
    """The diagonal of the intercepts alone: functions stay as they are.

    scale    Σᵢ wᵢpᵢ(1 − pᵢ)/λ of each class
    """

    def __init__(self, d: Columns, lam: float) -> None:
        self.scale = [(sum(own) or 1.0) / lam for own in d]

    def __call__(self, r: Columns, u: Columns, s: list[float]) -> tuple[Columns, Optional[Columns], list[float]]:
        """Return z, Kz where it is known, and b; u is Kr."""
        return r, u, [v / c for v, c in zip(s, self.scale)]


class Classes:
    """The equations of each class alone.

    Cost      m³/6 multiplications for each class, m points of curvature, to make; 2m² to apply
    """

    def __init__(self, K: Any, d: Columns, lam: float, intercept: bool) -> None:
        self.lam = lam
        self.parts = [self._part(K, own, intercept) for own in d]

    def _part(self, K: Any, d: list[float], intercept: bool) -> Any:
        kept = [i for i, v in enumerate(d) if v * K[i][i] > FAINT * self.lam]
        roots = [math.sqrt(d[i]) for i in kept]
        lower = []
        for j, i in enumerate(kept):
            row, root = K[i], roots[j]
            lower.append([root * t * row[k] for k, t in zip(kept[: j + 1], roots)])
            lower[-1][j] += self.lam
        factor = Cholesky(BINARY64, lower, 0.0)
        ones = factor.solve([self.lam * t for t in roots]) if intercept and kept else []
        return kept, roots, factor, ones, sum(map(mul, roots, ones)) if ones else 0.0, sum(d) or 1.0

    def __call__(self, r: Columns, u: Columns, s: list[float]) -> tuple[Columns, Optional[Columns], list[float]]:
        """Return z, Kz where it is known, and b; u is Kr."""
        found, shifts = [], []
        for (kept, roots, factor, ones, bordered, total), own, values, missing in zip(self.parts, r, u, s):
            t = factor.solve([c * values[i] for i, c in zip(kept, roots)])
            b = missing / total
            if bordered > 0:
                b = (missing - sum(map(mul, roots, t))) / bordered
                t = [v + b * w for v, w in zip(t, ones)]
            z = list(own)
            for i, c, v in zip(kept, roots, t):
                z[i] -= c * v
            found.append([v / self.lam for v in z])
            shifts.append(b)
        return found, None, shifts


def solved(equations: Any, preconditioner: Any, r: Columns, s: list[float], closeness: float, most: int) -> Any:
    """Return z, Kz, b, the fall of the quadratic model, and whether the residual fell to `closeness` of itself.

    equations    with product(x) = Kx, curved(df) = W df, lam, and intercept, whether there are b
    """
    lam, product = equations.lam, equations.product
    zero = [[0.0] * len(own) for own in r]
    z, kz, b, fall = zero, zero, [0.0] * len(r), 0.0
    p, kp, pb = zero, zero, b
    first = old = 0.0
    for _ in range(most):
        step, kstep, sb = preconditioner(r, [product(own) for own in r], s)
        kstep = [product(own) for own in step] if kstep is None else kstep
        size = inner(r, kstep) + sum(map(mul, s, sb))
        first = first or size
        if not size > closeness * closeness * first:
            return z, kz, b, fall, True
        beta = size / old if old else 0.0
        old = size
        p, kp, pb = moved(step, beta, p), moved(kstep, beta, kp), [v + beta * w for v, w in zip(sb, pb)]
        W = equations.curved([[v + c for v in own] for own, c in zip(kp, pb)])
        q = [[lam * v + w for v, w in zip(*rows)] for rows in zip(p, W)]
        qb = [sum(own) * equations.intercept for own in W]
        curvature = inner(q, kp) + sum(map(mul, qb, pb))
        if not curvature > 0:
            return z, kz, b, fall, True
        t = size / curvature
        fall += t * size
        z, kz, r = moved(z, t, p), moved(kz, t, kp), moved(r, -t, q)
        b, s = [v + t * w for v, w in zip(b, pb)], [v - t * w for v, w in zip(s, qb)]
    return z, kz, b, fall, False
