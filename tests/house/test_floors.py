"""Imports go down: the floors are a total order, rooms of a package are read in the order of their imports."""

from __future__ import annotations

import sys

import pytest

from tests.house.tree import block, floor_of, floors, imports, report, sources

FOR_TESTS = {"refclass.plugin": "", "refclass.testing": "hypothesis"}  # nothing of the package imports these


def own(name):
    """Return the path of a dotted name inside the package, or an empty list for a module of elsewhere."""
    parts = name.split(".")
    return parts[1:] if parts[0] == "refclass" else []


def packages():
    """Return the packages that exist."""
    return [name for name, (path, _, _) in sources().items() if path.name == "__init__.py" and name != "refclass"]


def test_every_package_stands_on_a_floor():
    """Each folder and file directly under refclass/ is named once in the floors of refclass/__init__.py."""
    named = [package for line in floors() for package in line]
    there = sorted({name.split(".")[1] for name in sources() if name != "refclass"})
    report([name for name in there if named.count(name) != 1], "not named once among the floors:")


def test_imports_go_down():
    """A room imports only from lower floors, or from its own package; neighbours on a floor never import each other."""
    faults = []
    for room, name, line in imports():
        here, there = own(room), own(name)
        if not there or room == "refclass" or here[0] == there[0]:
            continue
        if floor_of(there[0]) >= floor_of(here[0]):
            faults.append(f"{room}:{line} imports {name}")
    report(faults, "imports that do not go down:")


def test_nothing_imports_the_public_face():
    """No room imports `refclass` itself, except for its version: the face stands on top of the floors."""
    faults = [f"{room}:{line}" for room, name, line in imports() if name == "refclass" and floor_of(own(room)[0]) < 8]
    report(faults, "imports of the face from below:")


@pytest.mark.parametrize("package", packages())
def test_every_room_is_named_once_in_the_reading_order(package):
    """The Reading order of a package's docstring names every room once, and nothing else."""
    named = [room for line in order(package) for room in line]
    there = sorted(name[len(package) + 1 :] for name in sources() if name.startswith(package + "."))
    assert sorted(named) == there


@pytest.mark.parametrize("package", packages())
def test_the_reading_order_is_the_import_order(package):
    """A room imports only rooms listed on earlier lines; rooms joined by | on a line do not import each other."""
    place = {f"{package}.{room}": i for i, line in enumerate(order(package)) for room in line}
    faults = [
        f"{room}:{line} imports {name}"
        for room, name, line in imports()
        if room in place and name in place and place[name] >= place[room]
    ]
    report(faults, "imports against the reading order:")


def order(package):
    """Return the lines of a package's reading order."""
    docstring = sources()[package][2].body[0].value.value if sources()[package][2].body else ""
    return block(docstring, "Reading order")


def test_every_package_has_a_docstring_with_its_reading_order():
    """Every folder with rooms is a package whose docstring has a reading order."""
    folders = sorted({name.rpartition(".")[0] for name in sources() if name.count(".") == 2})
    report([f for f in folders if f not in sources() or not order(f)], "packages without a reading order:")


def test_nothing_imports_what_is_for_tests():
    """No room imports the modules that need pytest or Hypothesis."""
    assert [f"{room}:{line}" for room, name, line in imports() if name in FOR_TESTS] == []


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the list of standard modules exists from 3.10 on")
def test_run_time_imports_are_the_standard_library():
    """Every import of the package is a room of its own or a module of the standard library."""
    faults = [
        f"{room}:{line} imports {name}"
        for room, name, line in imports()
        if not own(name)
        and name != "refclass"
        and name.split(".")[0] not in sys.stdlib_module_names
        and FOR_TESTS.get(room) != name.split(".")[0]
    ]
    report(faults, "imports beyond the standard library:")
