"""One-sided Jacobi sweeps."""

import dataclasses

import pytest

from refclass.errors import NotConverged
from refclass.linear import residual
from refclass.linear.eigen import hestenes
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64
from tests.linear.matrices import ROUNDED, drawn, lifted


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "r"), [(1, 1), (3, 2), (5, 5), (10, 10)])
def test_rotated_columns_are_orthogonal_and_descend(F, m, r):
    """G W = H with orthogonal columns of H, longest first, and orthonormal W."""
    G = lifted(F, drawn(m, r))
    H, W = (Matrix(c).T for c in hestenes.orthogonal(F, G.T, Matrix.identity(r, F.kind)))
    lengths = [F.sqrt(x @ x) for x in H.T]
    assert lengths == sorted(lengths, reverse=True)
    assert residual.orthonormality(Matrix([x / h for x, h in zip(H.T, lengths)]).T) <= 30
    assert residual.orthonormality(W) <= 30 and residual.equality(G @ W, H, m) <= 30


def test_sweeps_that_do_not_end_are_refused():
    """In a field where nothing is small the sweeps do not end: after 100 sweeps the state is handed back."""
    F = dataclasses.replace(BINARY64, eps=-1e-300)  # its square is zero, and rounded products are not
    with pytest.raises(NotConverged, match="hestenes: need orthogonal columns after 100 sweeps") as refusal:
        hestenes.orthogonal(F, [[0.1, 0.7, 0.3], [0.7, 0.2, 0.9], [0.3, 0.9, 0.4]])
    assert len(refusal.value.witness["columns"]) == 3
