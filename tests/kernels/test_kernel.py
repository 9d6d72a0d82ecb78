"""Kernels by name."""

import dataclasses
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.kernels.combine import Scaled, Series, Sum
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.kernel import Kernel, kernel, kernels
from refclass.kernels.linear import Linear
from refclass.kernels.polynomial import Polynomial
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL

FULL = {
    "linear": {},
    "polynomial": {"degree": 2, "c": 1, "scale": "1/2"},
    "gaussian": {"gamma": "1/2"},
    "laplacian": {"sigma": 3},
    "sigmoid": {"a": 1, "b": -1},
    "thin_plate": {"sigma": 2},
    "dirichlet": {"order": 2},
    "spline": {"start": 0},
    "string": {"length": 2, "decay": "1/2", "normalised": True},
    "precomputed": {},
}


@pytest.mark.parametrize("name", FULL)
def test_every_name_stands_for_its_kernel_with_all_its_parameters(name):
    """The parameters of a description are the fields of the kernel, lifted into the field."""
    k = kernel(RATIONAL, {"name": name, **FULL[name]})
    assert type(k) is kernels()[name] and [f.name for f in dataclasses.fields(k)] == list(FULL[name])
    assert all(type(getattr(k, f.name)) is Fraction for f in dataclasses.fields(k) if f.type == "Number")


def test_a_kernel_object_is_lifted_too():
    """An object with parameters of another kind is taken over into the field, parts included."""
    k = kernel(RATIONAL, Scaled(2, Gaussian(0.25)))
    assert k == Scaled(Fraction(2), Gaussian(Fraction(1, 4))) and type(k.kernel.gamma) is Fraction
    assert type(kernel(BINARY64, Polynomial(2, 1, 1)).c) is float


def test_a_name_alone_will_do_where_every_parameter_has_a_default():
    """Linear, polynomial (degree 3, c = 1, scale 1), spline and precomputed need none."""
    assert kernel(BINARY64, "linear") == Linear() and kernel(BINARY64, "polynomial") == Polynomial(3, 1.0, 1.0)


@pytest.mark.parametrize("wrong", ["rbf", {"name": "rbf"}, {}, {"gamma": 1}, None, 3, ["linear"], {"name": ["linear"]}])
def test_unknown_names_are_refused_with_all_that_exist(wrong):
    """One line, listing every name."""
    with pytest.raises(InvalidInput, match="kernel: need a name among " + ", ".join(kernels())) as refusal:
        kernel(BINARY64, wrong)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "wrong, line",
    [
        ({"name": "gaussian", "gama": 1}, "kernel: need parameters of gaussian among gamma; got 'gama'"),
        ({"name": "linear", "c": 1}, "kernel: need no parameters of linear; got 'c'"),
        ({"name": "gaussian"}, "kernel: need the parameter gamma of gaussian; got none"),
        ({"name": "gaussian", "gamma": "x"}, "kernel: need gamma of gaussian a finite number; got 'x'"),
        ({"name": "gaussian", "gamma": float("inf")}, "kernel: need gamma of gaussian a finite number; got inf"),
        ({"name": "gaussian", "gamma": None}, "kernel: need gamma of gaussian a finite number; got None"),
        ({"name": "gaussian", "gamma": -1}, "gaussian: need gamma > 0; got -1.0"),
        ({"name": "polynomial", "degree": "2"}, "polynomial: need degree an integer ≥ 1; got '2'"),
    ],
)
def test_wrong_parameters_are_refused_in_one_line(wrong, line):
    """Unknown, missing, no number, or out of range: each is reported in one line with what exists."""
    with pytest.raises(InvalidInput) as refusal:
        kernel(BINARY64, wrong)
    assert str(refusal.value) == line


def test_an_object_with_a_parameter_that_is_no_number_is_refused():
    """Also an object's parameters are numbers of the field."""
    with pytest.raises(InvalidInput, match="gaussian: need gamma a finite number; got inf"):
        kernel(BINARY64, Gaussian(float("inf")))


def test_decimal_parameters_are_of_their_precision():
    """In decimal:30 the parameter 1/3 has thirty digits."""
    D = decimal(30)
    k = kernel(D, {"name": "gaussian", "gamma": "1/3"})
    assert str(k.gamma) == "0." + "3" * 30


def test_a_kernel_of_ones_own_is_taken():
    """A class with a row and a statement of exactness is a kernel."""

    @dataclasses.dataclass(frozen=True)
    class Constant(Kernel):
        value: "Number"  # noqa: F821
        exact = True

        def row(self, F, x, Z):
            return Vector.of([self.value] * len(Z))

    k = kernel(RATIONAL, Constant("1/2"))
    assert k(RATIONAL, None, None) == Fraction(1, 2)


@pytest.mark.parametrize("F", [RATIONAL, BINARY64, decimal(20)], ids=lambda F: F.name)
def test_a_parameter_may_be_text_in_every_arithmetic(F):
    """Half is "1/2", rounded where the field rounds; what is no number is refused by name."""
    assert kernel(F, {"name": "gaussian", "gamma": "1/2"}) == Gaussian(F.lift(Fraction(1, 2)))
    with pytest.raises(InvalidInput, match="gamma of gaussian a finite number"):
        kernel(F, {"name": "gaussian", "gamma": "half"})


def test_a_kernel_made_of_kernels_is_described_by_theirs():
    """Sums, products, multiples, series and exponentials take descriptions of their parts."""
    gaussian = {"name": "gaussian", "gamma": "1/2"}
    k = kernel(RATIONAL, {"name": "sum", "left": "linear", "right": {"name": "scaled", "c": 2, "kernel": gaussian}})
    assert k == Sum(Linear(), Scaled(Fraction(2), Gaussian(Fraction(1, 2))))
    k = kernel(RATIONAL, {"name": "series", "coefficients": [1, "1/2"], "kernel": "linear"})
    assert k == Series((Fraction(1), Fraction(1, 2)), Linear())


def test_a_combination_is_positive_if_its_parts_are():
    """A sum with a kernel that is not positive semidefinite by law has no such law either."""
    sigmoid = {"name": "sigmoid", "a": 1, "b": 0}
    assert kernel(RATIONAL, {"name": "sum", "left": "linear", "right": "linear"}).positive
    assert not kernel(RATIONAL, {"name": "sum", "left": "linear", "right": sigmoid}).positive


def test_a_kernel_over_doubles_keeps_the_parameters_that_these_round():
    """One third in doubles is one third again in fractions and decimals, and only what doubles round is kept."""
    third = Gaussian(Fraction(1, 3))
    for k in (third, Sum(third, Polynomial(2, Fraction(1), Fraction(2, 3)))):
        near = k.over(BINARY64)
        assert near.over(RATIONAL) == k != near
        assert near.over(decimal(30)) == k.over(decimal(30)) == near.over(BINARY64).over(decimal(30))
    assert set(vars(Gaussian(0.25).over(BINARY64))) == {"gamma"}
