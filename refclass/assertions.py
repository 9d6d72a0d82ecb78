"""Assertions for tests of other programs: an answer is proven, functions decide alike, axes span one space.

    from refclass.assertions import assert_optimal
    assert_optimal({"method": "svc", "x": X, "y": y, "parameters": {"C": 1}}, model, digits=9)

A problem is a mapping as `solve` reads it, or its JSON text; an answer a mapping, the text of a model file, or a fitted
estimator. Each assertion fails with an AssertionError that says how many digits are right, what is wrong, and where.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Union

from refclass.certificate import digits as digits_of
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle import agreement, answer, judge, problem, reading
from refclass.oracle.problem import Problem
from refclass.oracle.readers import formats
from refclass.oracle.vectors.case import Case

Question = Union[Problem, Case, Mapping[str, Any], str]


def question(given: Question) -> Problem:
    """Return a problem from a mapping, JSON text, or a conformance case.  Raises InvalidInput for another form."""
    if isinstance(given, Problem):
        return given
    if isinstance(given, Case):
        return problem.read(given.text, given.id)
    return problem.read(given if isinstance(given, str) else json.dumps(answer.tree(given)), "problem")


def reported(asked: Problem, given: Any) -> dict[str, Any]:
    """Return an answer from a mapping, the text of an answer or a model, or a fitted estimator."""
    if isinstance(given, Mapping):
        plain = json.dumps(answer.tree(given))
        return reading.read(plain, "answer")
    return formats.read(asked, given, "answer") if isinstance(given, str) else formats.estimator(asked, given)


def assert_optimal(given: Question, found: Any, digits: float = 9) -> dict[str, Any]:
    """Assert that an answer is proven to as many digits; return the verdict.

    Raises    AssertionError with the verdict, and the convention under which the answer is right if there is one;
              InvalidInput if the answer does not fit the problem
    """
    __tracebackhide__ = True
    asked = question(given)
    stated = reported(asked, found)
    verdict = judge.verify(asked, stated, digits)
    if not verdict["accepted"]:
        verdict = agreement.explained(asked, stated, verdict, digits)
        raise AssertionError(f"{verdict['verdict']}\n{verdict['reason']}\ndigits asked for: {digits}")
    return verdict


def assert_digits(got: Any, want: Any, digits: float = 9, scale: Any = None) -> None:
    """Assert that numbers, or lists of them of one shape, agree to as many digits on a scale.

    scale     what a digit is counted from: a number; the largest wanted number if it is None

    Raises    AssertionError that names the first place where they do not
    """
    __tracebackhide__ = True
    wanted = dict(_numbers(want))
    largest = max((abs(v) for v in wanted.values()), default=Fraction(0)) if scale is None else rational(scale)
    have = dict(_numbers(got))
    if have.keys() != wanted.keys():
        raise AssertionError(f"of another shape: {len(have)} numbers in place of {len(wanted)}")
    for place, want_one in wanted.items():
        right = digits_of(have[place] - want_one, largest or 1)
        if right < digits:
            numbers = f"got {text.approximate(have[place])!r}, want {text.approximate(want_one)!r}"
            raise AssertionError(
                f"{place or 'the number'}: {numbers}: {math.floor(10 * right) / 10} of {digits} digits"
            )


def _numbers(value: Any, place: str = "") -> list[tuple[str, Fraction]]:
    """Return the numbers of nested lists, each with its place."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, Vector, Matrix)):
        return [pair for i, v in enumerate(value) for pair in _numbers(v, f"{place}[{i}]")]
    number = text.read(value)
    if isinstance(number, str) or number is None or (isinstance(number, float) and number - number != 0):
        raise AssertionError(f"{place or 'the number'}: got {value!r}, want a number")
    return [(place, rational(number))]


def assert_same_decision(first: Any, second: Any, rows: Any, digits: float = 9, tie: float = 0) -> None:
    """Assert that two functions, or fitted estimators, decide alike at rows.

    Where both have decision values of one shape these agree to as many digits on the scale of the largest, and the
    labels must be the same but where a value is nearer to zero than `tie`; else the labels must be the same.
    Raises    AssertionError that names the row
    """
    __tracebackhide__ = True
    points = list(rows)
    values = [_called(f, "decision_function", points) for f in (first, second)]
    labels = [_called(f, "predict", points) for f in (first, second)]
    near: set[int] = set()
    if all(v is not None for v in values):
        assert_digits(values[0], values[1], digits)
        near = {i for i, v in enumerate(values[0]) if not isinstance(v, (list, tuple)) and abs(v) <= tie}
    for i, (a, b) in enumerate(zip(*labels) if all(v is not None for v in labels) else ()):
        if a != b and str(a) != str(b) and i not in near:
            raise AssertionError(f"row {i}, {points[i]}: {a!r} and {b!r}")


def _called(f: Any, method: str, rows: Sequence[Any]) -> Any:
    """Return what a method, or a plain function in place of the decision values, gives; None where it is missing."""
    if callable(f) and not hasattr(f, "predict"):
        value = f(rows) if method == "decision_function" else None
    else:
        value = getattr(f, method)(rows) if hasattr(f, method) else None
    if value is None:
        return None
    return value.tolist() if hasattr(value, "tolist") else list(value)


def assert_same_subspace(first: Any, second: Any, digits: float = 9) -> None:
    """Assert that the columns of two matrices span one space, whatever their lengths, signs and order.

    Each column of the one is projected on the columns of the other, in fractions: what is left must have as many digits
    fewer than the column.
    Raises    AssertionError that names the column, and for columns that depend on each other
    """
    __tracebackhide__ = True
    A, B = (_columns(given) for given in (first, second))
    if len(A) != len(B) or len(A[0]) != len(B[0]):
        raise AssertionError(f"of another shape: {len(A[0])} × {len(A)} and {len(B[0])} × {len(B)}")
    for names, own, other in (("first", A, B), ("second", B, A)):
        G = Matrix.of([Vector.of([_dot(u, v) for v in other]) for u in other])
        if not fraction_free.determinant(G):
            raise AssertionError("columns that depend on each other span no space of their number")
        factor = fraction_free.factor(G)
        for j, column in enumerate(own):
            c = factor.solve(Vector.of([_dot(u, column) for u in other]))
            near = [sum((rational(s) * u[i] for s, u in zip(c, other)), Fraction(0)) for i in range(len(column))]
            left = max(abs(a - b) for a, b in zip(column, near))
            right = digits_of(left, max(map(abs, column)))
            if right < digits:
                shown = math.floor(10 * right) / 10
                raise AssertionError(f"column {j} of the {names} leaves the other's space: {shown} of {digits} digits")


def _columns(given: Any) -> list[list[Fraction]]:
    given = given.tolist() if hasattr(given, "tolist") else given
    return [[rational(text.read(v)) for v in column] for column in zip(*given)]


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((u * v for u, v in zip(a, b)), Fraction(0))
