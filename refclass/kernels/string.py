"""The string kernel: weighted common subsequences by dynamic programming (Lodhi et al. 2002)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Callable, ClassVar, Optional

from refclass.errors import InvalidInput, NoAnswer, quoted
from refclass.kernels.kernel import Kernel
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class String(Kernel):
    """The gap-weighted subsequence kernel, on strings  [MMST-11.59], and normalised  [MMST-11.60].

        K(s, t) = Σ_u Σ_(i: u = s(i)) Σ_(j: u = t(j)) λ^(l(i) + l(j))        u any string of m letters exactly
        K*(s, t) = K(s, t) / √(K(s, s) K(t, t))

    m is `length`, λ is `decay`; l(i) is the length that the subsequence covers in its string, gaps included. Letters
    are compared as they are.

    Exact    yes; normalised where the root is rational
    Cost     at most 3m|s||t| multiplications; normalised, those of K(s, s) and K(t, t) once for each string
    Raises   InvalidInput unless m is an integer ≥ 1 and 0 < λ ≤ 1; normalised, NoAnswer for a string of fewer than m
             letters
    Laws     symmetric, positive semidefinite, Cauchy–Schwarz

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> String(length=2, decay=0.5)(BINARY64, "cat", "car")  # λ⁴ [MMST-11.3.4-cat]
        0.0625
    """

    length: int
    decay: Number
    normalised: bool = False
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(type(self.length) is int and self.length >= 1, "length an integer ≥ 1", self.length)
        self._need(0 < self.decay <= 1, "0 < decay ≤ 1", self.decay)
        self._need(type(self.normalised) is bool, "normalised True or False", self.normalised)

    def points(
        self, F: Field, X: Any, rows: Callable[..., Matrix], training: Optional[Sequence[Any]] = None
    ) -> Sequence[Any]:
        """Return the strings of X.  Raises InvalidInput, naming the row, unless all are strings, none empty."""
        if isinstance(X, (str, bytes)) or not isinstance(X, Iterable):
            raise InvalidInput("string", need="X as a sequence of strings", got=type(X).__name__)
        strings = tuple(X)
        for i, s in enumerate(strings):
            if not isinstance(s, str) or not s:
                raise InvalidInput("string", need="strings of at least one letter in X", got=quoted(s), row=i)
        if not strings:
            raise InvalidInput("string", need="at least one string in X", got="none")
        return strings

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return K(s, t), or K*(s, t), for every t in Z."""
        values = [shared(self.length, self.decay, x, t) for t in Z]
        if self.normalised:
            own = self._norm(x)
            values = [v / F.sqrt(own * self._norm(t)) for v, t in zip(values, Z)]
        return Vector.of(values)

    def _norm(self, s: str) -> Number:
        if len(s) < self.length:
            raise NoAnswer("string", need=f"strings of at least {self.length} letters to normalise", got=quoted(s))
        return _with_itself(self.length, self.decay, s)


def shared(length: int, decay: Number, s: str, t: str) -> Number:
    """Return K(s, t), by dynamic programming.

        A_k(i, j) = λ² S_(k−1)(i − 1, j − 1) if sᵢ = tⱼ, else 0        S_0 = 1
        S_k(i, j) = Σ_(i′ ≤ i, j′ ≤ j) λ^(i − i′ + j − j′) A_k(i′, j′)        K = Σᵢⱼ A_m(i, j)

    A_k(i, j) is the weight of the common subsequences of k letters that end at i in s and at j in t, S_k(i, j) the
    weight of those that end no later, extended to i and j.
    """
    zero, one = type(decay)(0), type(decay)(1)
    S = [[one] * (len(t) + 1)] * (len(s) + 1)
    for _ in range(length - 1):
        S = _extended(decay, zero, _ends(decay, zero, S, s, t))
    return sum((sum(row, zero) for row in _ends(decay, zero, S, s, t)), zero)


def _ends(decay: Number, zero: Number, S: list[list[Number]], s: str, t: str) -> list[list[Number]]:
    square = decay * decay
    return [[square * w if a == b else zero for b, w in zip(t, above)] for a, above in zip(s, S)]


def _extended(decay: Number, zero: Number, A: list[list[Number]]) -> list[list[Number]]:
    S = [[zero] * (len(A[0]) + 1)]
    for row in A:
        run, above, new = zero, S[-1], [zero]
        for j, a in enumerate(row, 1):
            run = decay * run + a
            new.append(decay * above[j] + run)
        S.append(new)
    return S


@lru_cache(maxsize=10_000, typed=True)
def _with_itself(length: int, decay: Number, s: str) -> Number:
    return shared(length, decay, s, s)
