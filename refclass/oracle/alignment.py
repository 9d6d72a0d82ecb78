"""What is reported, brought into the order of classes, the base class and the signs of axes that the right answer has.

Scores and coefficients of the classes are determined up to a shift common to all: their differences to the first class
are judged. Axes are determined up to their signs, and within equal eigenvalues up to a rotation.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.number import text
from refclass.number.field import rational

# Methods whose scores, a number for each class, are determined up to a common shift.
SHIFTED = ("lda", "qda", "rda", "fisher", "fda", "pda", "scoring", "mda", "bayes", "logistic")
BY_CLASS = ("coef", "intercept", "decision")
AXES: dict[str, tuple[tuple[str, ...], ...]] = {
    "lda": (("scalings",),),
    "fisher": (("scalings",),),
    "mda": (("scalings",),),
    "pda": (("scalings",), ("scores", "centroids")),
    "fda": (("scores", "centroids"),),
    "scoring": (("scores", "centroids", "coef", "intercept"),),
}
ROWS = ("coef", "intercept")  # what has a row, or a number, for each axis; the others have a column
PER_CLASS = (
    "priors",
    "means",
    "covariances",
    "log_determinants",
    "scores",
    "centroids",
    "subclasses",
    "coef",
    "intercept",
    "output_coef",
)
PER_COLUMN = ("decision", "posterior", "votes")
JOINT = ("crammer_singer", "lee_lin_wahba")  # a function for each class, for two classes too
SIGNED = ("coef", "intercept", "decision", "dual_coef")
OWN_CLASSES = {"mda": ("weights",), "logistic": ("standard_errors",)}  # an entry for each class in one method only
OWN_SIGNS = {  # what has the sign of the one function in one method only
    "svm_path": ("intercepts",),
    "kernel_classifier": ("alpha",),
    "semiparametric_classifier": ("coefficients", "polynomial"),
}


def same(got: Any, want: Any) -> bool:
    """Return whether two labels are the same: 1, 1.0 and the text of a number are."""
    if type(got) is type(want) or isinstance(got, bool) or isinstance(want, bool):
        return bool(got == want)
    a, b = (text.read(v) if isinstance(v, str) else v for v in (got, want))
    if not all(isinstance(v, (numbers.Real, Decimal)) for v in (a, b)):
        return bool(got == want)
    return bool(a == b or text.approximate(a) == text.approximate(b))


def order(reported: Any, classes: Sequence[Any]) -> list[int]:
    """Return where in what is reported each class stands; empty if these are not the classes."""
    if not isinstance(reported, list) or len(reported) != len(classes):
        return []
    found = [next((i for i, got in enumerate(reported) if same(got, want)), -1) for want in classes]
    return found if sorted(found) == list(range(len(classes))) else []


def reordered(values: Mapping[str, Any], places: Sequence[int], method: str) -> dict[str, Any]:
    """Return values by name with the classes in another order; of two classes separated by one function signs turn."""
    if list(places) == sorted(places):
        return dict(values)
    return {name: _reordered(name, value, places, method) for name, value in values.items()}


def _reordered(name: str, value: Any, places: Sequence[int], method: str) -> Any:
    K, joint = len(places), method in JOINT
    signed = K == 2 and not joint and name in (*SIGNED, *OWN_SIGNS.get(method, ()))
    if method == "scoring" and name in ROWS:
        return value
    if not isinstance(value, list):
        return negated(value) if signed else value
    if name == "intercept_interval" and not joint:
        return negated(value)[::-1] if K == 2 else value
    by_class = name in (*PER_CLASS, *OWN_CLASSES.get(method, ())) or (joint and name == "intercept_interval")
    if by_class and len(value) == K:
        return [value[i] for i in places]
    wide = all(isinstance(v, list) and len(v) == K for v in value)
    if wide and (name in PER_COLUMN or (joint and name in ("alpha", "coefficients"))):
        return [[row[i] for i in places] for row in value]
    return negated(value) if signed else value


def negated(value: Any) -> Any:
    """Return the numbers with the other sign."""
    if isinstance(value, list):
        return [negated(v) for v in value]
    if isinstance(value, Mapping):
        raise InvalidInput("answer", need="numbers, or lists of them", got=quoted(value))
    return value if value is None or isinstance(value, (str, bool)) else -value


def require_as_many(method: str, fitted: Mapping[str, Any]) -> None:
    """Refuse as many intercepts as there are classes beside coefficients of one less, or the other way round.

    Raises    InvalidInput
    """
    rows, intercepts = fitted.get("coef"), fitted.get("intercept")
    if method not in SHIFTED or method == "scoring" or not (isinstance(rows, list) and isinstance(intercepts, list)):
        return  # of scoring they are those of axes
    if rows and isinstance(rows[0], list) and len(rows) != len(intercepts):
        raise InvalidInput("verify", need=f"{len(rows)} in intercept, as in coef", got=len(intercepts))


def shifted(name: str, got: Any, want: Any, K: int) -> tuple[Any, Any]:
    """Return what is reported and what is right of a score of each class, as differences to the first class.

    K − 1 rows are those of all classes but the first; two rows where one is right are its terms.
    """
    if name == "decision":
        return _by_point(got, want, K)
    if not isinstance(got, list) or not isinstance(want, list):
        return got, want
    if K == 2 and len(got) == 2 and len(want) == 1:
        return [minus(got[1], got[0])], want
    if K > 2 and len(got) == K - 1 and len(want) == K:
        got = [minus(got[0], got[0]), *got]
    if K > 2 and len(got) == len(want) == K:
        return [minus(v, got[0]) for v in got[1:]], [minus(v, want[0]) for v in want[1:]]
    return got, want


def _by_point(got: Any, want: Any, K: int) -> tuple[Any, Any]:
    if not isinstance(got, list) or len(got) != len(want) or not got:
        return got, want
    if K == 2 and all(isinstance(v, list) and len(v) == 2 for v in got) and not isinstance(want[0], (list, tuple)):
        return [minus(b, a) for a, b in got], want
    pairs = list(zip(got, want))
    if K > 2 and all(isinstance(g, list) and len(g) == len(w) == K for g, w in pairs):
        return [[minus(v, g[0]) for v in g[1:]] for g, _ in pairs], [[minus(v, w[0]) for v in w[1:]] for _, w in pairs]
    return got, want


def minus(a: Any, b: Any) -> Any:
    """Return the difference of two numbers, or of two lists of them; what is no number as it is."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return [minus(v, w) for v, w in zip(a, b)] if len(a) == len(b) else a
    if any(v is None or isinstance(v, (str, bool, list, tuple)) for v in (a, b)):
        return a
    return rational(a) - rational(b)


def turned(name: str, got: Any, want: Any, signs: dict[int, int], by_row: bool) -> Any:
    """Return what is right of axes, each on the side on which what is reported of it lies.

    signs      takes the side of each axis when it is first seen, and keeps it for all that belongs to the axis
    by_row     whether each axis has a row (or number) of its own, or a column
    """
    reported, right = axes(got, by_row), axes(want, by_row)
    if (
        reported is None
        or right is None
        or len(reported) != len(right)
        or any(len(a) != len(b) for a, b in zip(reported, right))
    ):
        return want
    for axis, (g, w) in enumerate(zip(reported, right)):
        product = sum((rational(a) * rational(b) for a, b in zip(g, w)), Fraction(0))
        if axis not in signs and product:
            signs[axis] = -1 if product < 0 else 1
    if by_row:
        return [_times(signs.get(axis, 1), row) for axis, row in enumerate(want)]
    return [[signs.get(axis, 1) * v for axis, v in enumerate(row)] for row in want]


def _times(sign: int, row: Any) -> Any:
    return [sign * v for v in row] if isinstance(row, (list, tuple)) else sign * row


def axes(value: Any, by_row: bool) -> Any:
    """Return the numbers of each axis, None for what has none."""
    if not isinstance(value, (list, tuple)) or not value:
        return None
    rows = [list(row) if isinstance(row, (list, tuple)) else [row] for row in value]
    if any(len(row) != len(rows[0]) or any(isinstance(v, (str, bool, list, type(None))) for v in row) for row in rows):
        return None
    return rows if by_row else [list(column) for column in zip(*rows)]


def blocks(eigenvalues: Sequence[Any], near: Fraction) -> list[list[int]]:
    """Return the axes in groups of eigenvalues that differ by less than `near` of the largest.

    Example
        >>> blocks([3, 3, 1], Fraction(1, 10))
        [[0, 1], [2]]
    """
    values = [rational(v) for v in eigenvalues]
    largest = max(map(abs, values), default=Fraction(0))
    out: list[list[int]] = []
    for i, v in enumerate(values):
        if out and abs(values[i - 1] - v) <= near * largest:
            out[-1].append(i)
        else:
            out.append([i])
    return out


def products(value: Any, block: Sequence[int], by_row: bool) -> Any:
    """Return V Vᵀ of the axes of a block: what a rotation among them leaves."""
    known = axes(value, by_row)
    if known is None or max(block) >= len(known):
        return value
    own = [[rational(v) for v in known[i]] for i in block]
    m = range(len(own[0]))
    return [[sum((axis[i] * axis[j] for axis in own), Fraction(0)) for j in m] for i in m]
