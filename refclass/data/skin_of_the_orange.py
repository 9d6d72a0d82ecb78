"""The skin of the orange: a ball of standard normal points, and the same given that they lie in a shell around it."""

from __future__ import annotations

from random import Random

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number

INNER, OUTER = 9, 16  # the squared radii of the shell, in four variables


def bayes_error(F: Field) -> Number:
    """Return the error rate of the Bayes rule where both classes are as likely  [ESL-12.3.4-orange].

        ½ Pr(9 ≤ ‖X‖² ≤ 16) = ½ (5½ e^(−9/2) − 9 e^(−8)),   Pr(‖X‖² > t) = (1 + t/2) e^(−t/2)

    Inside the shell the second class is the likelier one, outside it has no points: what errs is the first class
    inside. Noise variables, independent of the class, change nothing.

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> round(bayes_error(BINARY64), 7)
        0.0290402
    """
    inner, outer = ((1 + t / 2) * F.exp(-t / 2) for t in map(F.lift, (INNER, OUTER)))
    return (inner - outer) / 2


def points(F: Field, n: int, noise: int, rng: Random) -> tuple[Matrix, tuple[int, ...]]:
    """Return n points of each class with their labels, −1 for the ball and +1 for the shell: the data of [ESL-T12.2].

    Four standard normal variables; in class +1 conditioned on 9 ≤ ‖X‖² ≤ 16, not independent of one another there
    [YANG-curse-orange] [ERR-YANG-22]. Then as many standard normal noise variables as `noise` says, in both classes.

    Shapes    2n × (4 + noise) and 2n
    Raises    InvalidInput unless n ≥ 1 and noise ≥ 0
    """
    if n < 1 or noise < 0:
        raise InvalidInput("orange", need="n ≥ 1 and noise ≥ 0", got=f"{n} and {noise}")
    rows = []
    for shell in (False, True):
        for _ in range(n):
            x = _drawn(4, rng)
            while shell and not INNER <= sum(v * v for v in x) <= OUTER:
                x = _drawn(4, rng)
            rows.append(Vector(map(F.lift, x + _drawn(noise, rng))))
    return Matrix(rows), (-1,) * n + (1,) * n


def _drawn(p: int, rng: Random) -> list[float]:
    return [rng.gauss(0, 1) for _ in range(p)]
