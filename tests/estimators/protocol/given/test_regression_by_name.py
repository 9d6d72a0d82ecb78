"""A regression by its name."""

import pytest

import refclass
from refclass.errors import InvalidInput
from refclass.estimators import names
from refclass.estimators.protocol.given import regression_by_name
from refclass.estimators.protocol.regressor import Regressor


@pytest.mark.parametrize("name", sorted(names.alone(Regressor)))
def test_every_name_is_that_of_an_estimator(name):
    """Each name is the method name of a regression of the public face, and makes one in the arithmetic asked for."""
    kinds = {kind.method: kind for kind in refclass.estimator_classes()}
    made = regression_by_name.named(name, "decimal:20")
    assert type(made) is kinds[name] and made.arithmetic == "decimal:20"


def test_parameters_stand_beside_the_name():
    """{"name": …, "degree": 3} sets the degree."""
    assert regression_by_name.named({"name": "polynomial", "degree": 3}, "float").degree == 3


def test_an_estimator_is_taken_as_it_is():
    """Unless it has an arithmetic of its own that is another one."""
    given = refclass.MARS(degree=2)
    assert regression_by_name.named(given, "decimal:20") is given
    assert regression_by_name.named(refclass.Ridge(arithmetic="exact"), "exact").arithmetic == "exact"
    with pytest.raises(InvalidInput, match="arithmetic"):
        regression_by_name.named(refclass.Ridge(arithmetic="exact"), "float")


@pytest.mark.parametrize("wrong", ["forest", 3, None, {"degree": 2}, {"name": "mars", "depth": 1},
                                   {"name": "mars", "arithmetic": "exact"}, refclass.SVC()])  # fmt: skip
def test_what_is_no_regression_is_refused(wrong):
    """Unknown names and parameters are refused, naming those that are known."""
    with pytest.raises(InvalidInput):
        regression_by_name.named(wrong, "float")
