"""From anybody's approximate answer to the exact optimum, with its proof.

What is reported says which multipliers lie at their bounds; the equations of the others are solved exactly, and the
conditions of optimality are checked exactly; where a sign is wrong, the exact active-set method goes on from there. The
optimum is that of the matrix named in the premise: of a kernel that is not rational, of its binary64 values. For a
Gaussian or Laplacian kernel "true_kernel" encloses the optimum of the kernel itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from refclass.errors import Refusal
from refclass.estimators.margins import svc
from refclass.margins.svm import fit
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import crossover
from refclass.oracle import answer, judge, problem, reading, true_kernel
from refclass.oracle.judging import quadratic
from refclass.oracle.judging.answers import machine
from refclass.oracle.problem import Problem
from refclass.regress.kernel import fitted_machine
from refclass.sample import data


def refine(asked: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the exact answer to a problem, found from an approximate one where that says where to begin.

    Parameters
    ----------
    asked : problem, or dict
        A problem, or its JSON as Python holds it.
    given : dict
        An answer in the same form.

    Returns
    -------
    dict
        The exact answer, in the form of an answer: fitted values, predictions, certificate.

    Raises
    ------
    InvalidInput
        For a bad problem or answer.
    NoAnswer
        With a witness where there is no optimum.

    See Also
    --------
    SVC : the classifier that is fitted

    Examples
    --------
    >>> asked = {"method": "svc", "x": [[0], [1], [3], [4]], "y": ["a", "a", "b", "b"], "arithmetic": "exact"}
    >>> near = {"method": "svc", "fitted": {"alpha": [0, 0.49999, 0.5, 0], "intercept": [-2.0]}}
    >>> found = refine(asked, near)
    >>> found["fitted"]["alpha"], found["certificate"]["gap"]
    (['0', '1/2', '1/2', '0'], '0')
    """
    asked = asked if isinstance(asked, Problem) else problem.made(asked, "problem")
    if asked.programme is not None:
        return quadratic.refine(asked, given)
    reported = reading.exact(asked, reading.formed(dict(given), "answer"))
    exact = replace(asked, arithmetic="exact")
    start: Any = None
    try:
        start = judge.verify(asked, given)
    except Refusal as refusal:
        start = {"verdict": f"not judged: {refusal}", "digits": {}}
    found = _machine(exact, reported) if asked.method == "svc" else None
    how = "the multipliers that are reported" if found is not None else "a fit of the package's own"
    try:
        found = exact.fitted() if found is None else found
        out, true = answer.of(exact, found), true_kernel.enclosed(exact, found)
    except Refusal as refusal:
        if isinstance(refusal, ValueError):
            raise
        out, true = answer.refusal_to(exact, refusal), None
    out["refined"] = {"from": how, "verdict": start["verdict"], "digits": start.get("digits", {})}
    if true is not None:
        out["refined"]["true_kernel"] = true
    return out


def _machine(asked: Problem, reported: Mapping[str, Any]) -> Any:
    """Return the estimator at the exact optimum found from multipliers; None for what is no two-class machine."""
    fitted = reported["fitted"]
    if len(data.labels(asked.y)[0]) != 2 or not ("alpha" in fitted or "dual_coef" in fitted):
        return None
    estimator: Any = asked.estimator()
    assert isinstance(estimator, svc.SVC)
    given = estimator.given(asked.x)
    own, classes = estimator.machine(given, asked.y, asked.weights)
    exact = fit.of_dual(own, RATIONAL, own.dual().over(RATIONAL))
    start = machine.multipliers(exact, fitted).times(exact.y)
    best = crossover.solve(exact.dual().problem(), start, convex=exact.positive)
    optimum = fitted_machine.fitted(exact.dual(), best, afresh=False)
    return estimator.hold(given, classes, own, optimum)
