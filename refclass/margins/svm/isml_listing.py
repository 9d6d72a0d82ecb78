"""ISML's program for the machine with a Gaussian kernel, in letters: what it solves, and what its text requires.

The printed letters and digits are mistaken for each other in places; what is here is what they stand for [ERR-ISML-11].
"""

from __future__ import annotations

from typing import Any

from refclass.linear.vector import Vector
from refclass.margins.svm.soft import Machine, ridged
from refclass.number.field import Number


def printed(K: Any, y: Vector, lam: Number, delta: Number) -> Machine:
    """Return the machine that the program solves: a ridge, no intercept, the box of half the cost  [ISML-27.4-listing].

        minimise ½ αᵀ((yyᵀ)∘K + δI)α − 1ᵀα   subject to   0 ≤ αᵢ ≤ 1/(2λ)

    There is no Σ αᵢyᵢ = 0, because there is no intercept  [ISML-27.2-no-intercept] [ERR-ISML-12].

    Shapes    K: n × n, or a store of rows; y: n
    Exact     yes
    """
    return _bounded(K, y, 1 / (2 * lam), delta)


def meant(K: Any, y: Vector, lam: Number, delta: Number) -> Machine:
    """Return the same machine with the box that Σ [1 − yᵢf(xᵢ)]₊ + (λ/2)‖f‖² has  [ISML-27.4-listing] [ERR-ISML-02].

        0 ≤ αᵢ ≤ 1/λ

    Shapes    K: n × n, or a store of rows; y: n
    Exact     yes
    """
    return _bounded(K, y, 1 / lam, delta)


def _bounded(K: Any, y: Vector, cost: Number, delta: Number) -> Machine:
    return ridged(Machine(K, y, (cost,) * len(y), intercept=False), delta)
