"""The proof of a path: its machines, in doubles and in fractions, and what becomes of a path that is not one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest

from refclass import SVMPath
from refclass.margins.svm.path import certificate

X, Y = [[0, 0], [1, 2], [3, 1], [2, 2], [4, 5], [3, 0]], [0, 1, 0, 1, 1, 0]


def model(**parameters):
    """Return the model of a fitted path."""
    return SVMPath(**parameters).fit(X, Y)._model


def test_every_break_point_of_an_exact_path_is_optimal():
    """The sum of the machines at the break points has no gap, and nothing is sampled."""
    found = certificate.certify(model(arithmetic="exact"))
    assert (found.status, found.gap, found.worst_violation, found.digits, found.premise) == ("optimal", 0, 0, inf, "")


def test_a_path_in_doubles_is_proven_to_the_digits_asked():
    """Nine digits at the break point that has the fewest."""
    found = certificate.certify(model(kernel={"name": "gaussian", "gamma": 1}))
    assert found.status == "optimal" and found.digits >= 9


@pytest.mark.parametrize("part", ["alpha", "alpha0"])
def test_one_machine_off_its_optimum_is_noticed(part):
    """A multiplier or an intercept of one break point changed: the digits are those of its machine."""
    right = model(arithmetic="exact")
    k = len(right.path.states) // 2
    state = right.path.states[k]
    value = getattr(state, part)
    changed = replace(state, **{part: value + Fraction(1, 100) if part == "alpha0" else value * Fraction(99, 100)})
    states = (*right.path.states[:k], changed, *right.path.states[k + 1 :])
    found = certificate.certify(replace(right, path=replace(right.path, states=states)))
    assert found.digits < 9 and found.worst_violation > 0


def test_break_points_that_do_not_fall_are_refused():
    """Two break points in the wrong order: not a path."""
    right = model()
    states = right.path.states[1::-1] + right.path.states[2:]
    found = certificate.certify(replace(right, path=replace(right.path, states=states)))
    assert found.status == "not converged" and found.where.startswith("lambdas_[1] ")


def test_of_a_long_path_some_break_points_are_judged(monkeypatch):
    """Where the work is too much, the first and the last are among the few, and the premise says how many."""
    monkeypatch.setattr(certificate, "WORK", 1)
    monkeypatch.setattr(certificate, "LEAST", 2)
    right = model()
    found, count = certificate.certify(right), len(right.path.states)
    assert count > 2 and found.premise == f"2 of {count} break points are judged"


def test_a_path_without_break_points_is_judged_at_one():
    """Of equal points f is constant at every λ: the machine of λ = 1 is proven."""
    found = SVMPath(arithmetic="exact").fit([[0], [0], [0]], [0, 1, 1])._model
    assert not found.lambdas and certificate.certify(found).status == "optimal"
