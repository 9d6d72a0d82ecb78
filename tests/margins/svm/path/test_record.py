"""A path without its Gram matrix."""

from dataclasses import replace
from fractions import Fraction as Q

import pytest

from refclass.errors import InvalidInput
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.path import fit, numbers, record
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL

Y = Vector([1.0, 1.0, -1.0, -1.0])
NEAR = ((0, 0), (2, 1), (1, 2), (3, 3))
FAR = tuple((a + 2**14, b) for a, b in NEAR)
LAMBDAS = (1e-3, 0.25, 1.0, 50.0)


def stores(points):
    """The Gram matrix of the points in doubles, and at its exact worth."""
    doubles = Matrix([[float(v) for v in x] for x in points])
    exact = Matrix([[Q(v) for v in x] for x in points])
    return Rows(BINARY64, Linear(), doubles), Rows(RATIONAL, Linear(), exact)


@pytest.mark.parametrize("points", [NEAR, FAR], ids=["near the origin", "far from it"])
def test_a_path_set_up_again_from_its_record_has_the_same_machines(points):
    """Break points, intercepts, events, and the machines between them, in doubles with ==  [OPT-PATH.P1]."""
    K, held = stores(points)
    found = fit.fit(K, Y, held)
    again = record.model(record.record(found), K, held)
    assert (found.moved is not None) == (points is FAR)
    for name in ("lambdas", "alphas", "intercepts", "events"):
        assert getattr(again, name) == getattr(found, name)
    assert [again.at(lam) for lam in LAMBDAS] == [found.at(lam) for lam in LAMBDAS]


def test_a_path_in_decimals_is_set_up_in_decimals():
    """Its answers are rounded as before."""
    K, held = stores(NEAR)
    problem = numbers.problem(K, Y, held, decimals=True, about=False)[0]
    found = replace(fit.fit(K, Y, held), path=fit.path.solve(problem))
    reported = record.record(found)
    again = record.model(reported, K, held)
    assert reported.decimal and type(again.path.problem.y[0]) is type(problem.y[0])
    assert [again.at(lam) for lam in LAMBDAS] == [found.at(lam) for lam in LAMBDAS]


def test_a_path_in_fractions_is_set_up_in_fractions():
    """One that decimals lose, its answers in doubles."""
    K, held = stores(NEAR)
    found = replace(fit.fit(K, Y, held), path=fit.path.solve(numbers.lifted_problem(held, Y, RATIONAL)))
    again = record.model(record.record(found), K, held)
    assert type(again.path.problem.y[0]) is Q
    assert [again.at(lam) for lam in LAMBDAS] == [found.at(lam) for lam in LAMBDAS]


@pytest.mark.parametrize("change", ["lambdas", "above", "start"])
def test_a_record_of_other_lengths_is_refused(change):
    """A break point without its sides, a point without its multiplier."""
    K, held = stores(NEAR)
    reported = record.record(fit.fit(K, Y, held))
    with pytest.raises(InvalidInput, match="path"):
        replace(reported, **{change: getattr(reported, change)[:-1]})
