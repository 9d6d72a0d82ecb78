"""The registry finds the classes that modules define."""

import pytest

from refclass import registry
from refclass.kernels.combine import Weighted
from refclass.kernels.kernel import Kernel
from refclass.kernels.thin_plate import ThinPlate
from refclass.losses.insensitive import SquaredInsensitive
from refclass.losses.loss import Loss


@pytest.mark.parametrize(
    ("kind", "name"),
    [(ThinPlate, "thin_plate"), (SquaredInsensitive, "squared_epsilon_insensitive"), (Weighted, ""), (Kernel, "")],
)
def test_a_class_is_called_as_it_says_or_as_it_is_spelt(kind, name):
    """An attribute `name` comes first; an empty one leaves the class out."""
    assert registry.named(kind) == name


@pytest.mark.parametrize(("package", "family"), [("refclass.kernels", Kernel), ("refclass.losses", Loss)])
def test_names_stand_for_one_class_each(package, family):
    """No two classes of a family have one name, and neither bases nor imported classes are listed."""
    found = registry.classes(package, family)
    assert family not in found.values() and len(set(found.values())) == len(found)
    assert all(kind.__module__.startswith(package + ".") for kind in found.values())
