"""Losses by name."""

from dataclasses import fields
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.losses.huber import Huber
from refclass.losses.loss import loss, losses
from refclass.number.rational import RATIONAL


@pytest.mark.parametrize("name", losses())
def test_every_name_stands_for_its_loss_with_its_parameters_lifted(name):
    """A name and a number for each parameter make the loss."""
    parameters = {f.name: 1.5 for f in fields(losses()[name])}
    made = loss(RATIONAL, name, **parameters)
    assert type(made) is losses()[name] and all(getattr(made, p) == Fraction(3, 2) for p in parameters)


@pytest.mark.parametrize("name", ["logistic", "", None, 3, ["hinge"]])
def test_unknown_names_are_refused_with_all_that_exist(name):
    """One line, listing every name."""
    with pytest.raises(InvalidInput, match="loss: need a name among " + ", ".join(losses())):
        loss(RATIONAL, name)


@pytest.mark.parametrize(
    "name, given, line",
    [
        ("hinge", {"c": 1}, "loss: need no parameters of hinge; got c"),
        ("huber", {}, "loss: need the parameters c of huber; got none"),
        ("huber", {"epsilon": 1}, "loss: need the parameters c of huber; got epsilon"),
        ("huber", {"c": 0}, "huber: need c > 0; got 0"),
    ],
)
def test_wrong_parameters_are_refused_in_one_line(name, given, line):
    """Unknown, missing, out of range: each is said in one line."""
    with pytest.raises(InvalidInput) as refusal:
        loss(RATIONAL, name, **given)
    assert str(refusal.value) == line


def test_parameters_may_be_text():
    """In exact arithmetic "3/2" is three halves."""
    assert loss(RATIONAL, "huber", c="3/2") == Huber(Fraction(3, 2))
