"""Values of a kernel so nearly alike that doubles do not tell which score is the largest."""

from types import SimpleNamespace

import pytest

from refclass.errors import NotExact
from refclass.linear.matrix import Matrix
from refclass.margins.crammer_singer import vanishing
from refclass.margins.crammer_singer.problem import values


@pytest.mark.parametrize("near, hidden", [(2.0**-50, True), (2.0**-43, True), (2.0**-40, False), (0.0, False)])
def test_scores_that_vary_by_less_than_a_thousand_roundings_of_their_terms_are_refused(near, hidden):
    """Two points nearly alike have scores of ±near, of terms of size 2; the third class, always zero, hides nothing.

    Where nothing varies every label is a tie.
    """
    K = Matrix([[1.0, 1 - near, 0.125], [1 - near, 1.0, 0.125], [0.125, 0.125, 2.0**-6]])
    alpha = Matrix([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    machine = SimpleNamespace(K=K)
    try:
        vanishing._refuse_hidden(machine, alpha, values(K, alpha))
    except NotExact:
        assert hidden
    else:
        assert not hidden
