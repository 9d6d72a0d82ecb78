"""The kernel that another program's model says it has: a claim, which is judged where it is not that of the problem.

A model's multipliers belong to its kernel. The numbers of a kernel are compared to six digits, as programs write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Optional

from refclass.estimators.protocol.given.kernel_input import kernel_at
from refclass.kernels.kernel import Kernel
from refclass.kernels.kernel import kernel as kernel_by_name
from refclass.number.binary64 import BINARY64
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle.problem import Problem

WRITTEN = "{:.6g}"  # of C's printf without a precision: six digits


def described(name: str, gamma: Any, constant: Any, degree: Any) -> Optional[dict[str, Any]]:
    """Return LIBSVM's kernel in this package's letters; None for a name that is none of its kernels of rows.

    Example
        >>> described("polynomial", 2, 1, 3)
        {'name': 'polynomial', 'degree': 3, 'scale': 2, 'c': 1}
    """
    return {
        "linear": {"name": "linear"},
        "rbf": {"name": "gaussian", "gamma": gamma},
        "polynomial": {"name": "polynomial", "degree": degree, "scale": gamma, "c": constant},
        "sigmoid": {"name": "sigmoid", "a": gamma, "b": constant},
    }.get(name)


def claim(problem: Problem, told: Optional[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a model's kernel as a claimed parameter of an answer, where it is not that of the problem; else nothing.

    Raises    InvalidInput for numbers that no kernel of that name has
    """
    own = getattr(problem.estimator(), "kernel", None)
    if own is None or not told or None in told.values():
        return {}
    theirs, ours = kernel_by_name(BINARY64, dict(told)), kernel_at(BINARY64, own, problem.x)[0]
    return {} if _written(theirs) == _written(ours) else {"parameters": {"kernel": dict(told)}}


def _written(kernel: Kernel) -> tuple[Any, ...]:
    """Return the name of a kernel and its numbers to six digits; ⟨x, z⟩ has two names."""
    name = type(kernel).__name__
    own = [getattr(kernel, f.name) for f in fields(kernel)]
    if name == "Polynomial" and own == [1, 0, 1]:
        name, own = "Linear", []
    return name, *[WRITTEN.format(approximate(rational(v))) if not isinstance(v, (Kernel, str)) else v for v in own]
