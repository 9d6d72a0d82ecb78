"""The Cost of a value of a kernel, counted: multiplications, divisions and the functions called, for p variables."""

import dataclasses
from collections import Counter

import pytest

from refclass.kernels.gaussian import Gaussian
from refclass.kernels.laplacian import Laplacian
from refclass.kernels.linear import Linear
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.sigmoid import Sigmoid
from refclass.kernels.thin_plate import ThinPlate
from refclass.linear.vector import Vector
from tests.numbers import COUNTED, Counted, counting

FUNCTIONS = ("sqrt", "exp", "log", "tanh", "sin", "cos")
ONE = Counted(1)

# kernel -> what its Cost says for p variables
STATED = {
    Linear(): lambda p: {"multiply": p},
    Polynomial(2, ONE, ONE): lambda p: {"multiply": p + 1 + 1},  # a square for the power
    Gaussian(ONE): lambda p: {"multiply": p + 1, "exp": 1},
    Laplacian(ONE): lambda p: {"multiply": p, "divide": 1, "sqrt": 1, "exp": 1},
    Sigmoid(ONE, ONE): lambda p: {"multiply": p + 1, "tanh": 1},
    ThinPlate(ONE): lambda p: {"multiply": p + 1, "divide": 2, "log": 1},
}


def counted(kernel, p):
    """Return what one more point costs: two rows against one, what is computed once a row left out."""
    called = []

    def noted(name):
        return lambda x: called.append(name) or Counted(2)

    F = dataclasses.replace(COUNTED, **{name: noted(name) for name in FUNCTIONS})
    x, z = Vector([Counted(i + 3) for i in range(p)]), Vector([Counted(i * i + 1) for i in range(p)])
    found = []
    for rows in ([z], [z, z]):
        called.clear()
        with counting() as c:
            kernel.row(F, x, rows)
        found.append(Counter(multiply=c.multiply, divide=c.divide, **Counter(called)))
    return dict(found[1] - found[0])


@pytest.mark.parametrize("p", [1, 2, 5])
@pytest.mark.parametrize("kernel", STATED, ids=lambda k: type(k).__name__)
def test_a_value_of_a_kernel_costs_what_is_stated(kernel, p):
    """One more point of p variables in a row: no more, no less."""
    assert counted(kernel, p) == STATED[kernel](p)
