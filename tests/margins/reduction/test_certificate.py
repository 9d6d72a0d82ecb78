"""The proof of several machines as one problem."""

from fractions import Fraction as Q

import pytest

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.margins.reduction import certificate

GOOD = Certificate("optimal", Q(3), Q(3), Q(0), Q(0), "", {"f": True, "intercept": True})
NEAR = Certificate("optimal", Q(5), Q(4), Q(1), Q(1, 8), "point 2", {"f": True, "intercept": None}, "a premise")
OPEN = Certificate("optimal", Q(1), Q(1), Q(0), Q(0), "", {"f": True, "intercept": False}, "a premise")
FALSE = Certificate("not optimal", Q(9), Q(1), Q(8), Q(1, 16), "point 0", {"f": True, "intercept": None})


def test_objectives_bounds_and_gaps_add_up():
    """primal, dual and gap are sums, the worst violation is the largest, with its machine's name  [RC-23]."""
    c = certificate.certify([("a", GOOD), ("b", NEAR), ("c", OPEN)])
    assert (c.status, c.primal, c.dual, c.gap) == ("optimal", 9, 8, 1)
    assert (c.worst_violation, c.where, c.premise) == (Q(1, 8), "b: point 2", "a premise")
    assert c.unique == {"f": True, "intercept": False}


def test_one_machine_that_fails_is_named():
    """Its status is that of all, whichever violation is the largest  [RC-23]."""
    c = certificate.certify([("a", NEAR), ("b", FALSE), ("c", GOOD)])
    assert c.status == "not optimal" and c.where == "b: point 0" and c.worst_violation == Q(1, 8)


def test_what_is_undecided_for_one_is_undecided_for_all():
    """Neither unique nor not; a missing bound leaves the sum without one."""
    assert certificate.certify([("a", GOOD), ("b", NEAR)]).unique["intercept"] is None
    bare = Certificate("stationary", Q(1), None, None, Q(0), "")
    c = certificate.certify([("a", GOOD), ("b", bare)])
    assert (c.status, c.primal, c.dual, c.gap, c.where) == ("stationary", 4, None, None, "")


def test_no_machine_has_no_proof():
    """An empty list is refused."""
    with pytest.raises(InvalidInput, match="at least one machine"):
        certificate.certify([])
