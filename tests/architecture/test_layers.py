"""Imports go down: the layers are a total order, modules of a package are read in the order of their imports."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.architecture.tree import ROOT, block, files, imports, layer_of, layers, report, sources

FOR_TESTS = {"refclass.plugin": "", "refclass.testing": "hypothesis"}  # nothing of the package imports these
OPTIONAL = "refclass.sklearn"  # it adapts the estimators to another program, and imports that; nothing imports it


def own(name):
    """Return the path of a dotted name inside the package, or an empty list for a module of elsewhere."""
    parts = name.split(".")
    return parts[1:] if parts[0] == "refclass" else []


def packages():
    """Return the packages that exist, those within packages too."""
    return [name for name, path in files().items() if path.name == "__init__.py" and name != "refclass"]


def test_every_package_stands_on_a_layer():
    """Each folder and file directly under refclass/ is named once in the layers of refclass/__init__.py."""
    named = [package for line in layers() for package in line]
    there = sorted({name.split(".")[1] for name in sources() if name != "refclass"})
    report([name for name in there if named.count(name) != 1], "not named once among the layers:")


def test_imports_go_down():
    """A module imports only from lower layers, or from its own package; neighbours on a layer never import each
    other.
    """
    faults = []
    for module, name, line in imports():
        here, there = own(module), own(name)
        if not there or module == "refclass" or here[0] == there[0]:
            continue
        if layer_of(there[0]) >= layer_of(here[0]):
            faults.append(f"{module}:{line} imports {name}")
    report(faults, "imports that do not go down:")


def test_nothing_imports_the_public_face():
    """No module imports `refclass` itself, except for its version: the face stands on top of the layers."""
    faults = [
        f"{module}:{line}" for module, name, line in imports() if name == "refclass" and layer_of(own(module)[0]) < 9
    ]
    report(faults, "imports of the face from below:")


def child(package, name):
    """Return the name of the direct member of a package that a dotted name belongs to, or None."""
    return name[len(package) + 1 :].split(".")[0] if name.startswith(package + ".") else None


@pytest.mark.parametrize("package", packages())
def test_every_member_is_named_once_in_the_reading_order(package):
    """The Reading order of a package's docstring names its modules and sub-packages once, and nothing else."""
    named = [member for line in order(package) for member in line]
    there = sorted({child(package, name) for name in sources() if child(package, name)})
    assert sorted(named) == there


@pytest.mark.parametrize("package", packages())
def test_the_reading_order_is_the_import_order(package):
    """A member imports only members on earlier lines; members joined by | on a line do not import each other."""
    place = {member: i for i, line in enumerate(order(package)) for member in line}
    faults = [
        f"{module}:{line} imports {name}"
        for module, name, line in imports()
        for here, there in [(child(package, module), child(package, name))]
        if here and there and here != there and place[there] >= place[here]
    ]
    report(faults, "imports against the reading order:")


def order(package):
    """Return the lines of a package's reading order."""
    docstring = sources()[package][2].body[0].value.value if sources()[package][2].body else ""
    return block(docstring, "Reading order")


def test_every_package_has_a_docstring_with_its_reading_order():
    """Every folder with modules is a package whose docstring has a reading order."""
    folders = sorted({name.rpartition(".")[0] for name in sources() if name.count(".") >= 2})
    report([f for f in folders if f not in sources() or not order(f)], "packages without a reading order:")


def test_nothing_imports_what_is_for_tests():
    """No module imports those that are for tests: pytest and Hypothesis are never needed otherwise."""
    assert [f"{module}:{line}" for module, name, line in imports() if name in FOR_TESTS] == []


def test_nothing_imports_what_needs_other_programs():
    """No module imports the optional one: scikit-learn and NumPy are never needed otherwise."""
    faults = [(module, name) for module, name, _ in imports() if name.startswith(OPTIONAL) and module != OPTIONAL]
    assert [fault for fault in faults if not fault[0].startswith(OPTIONAL)] == []


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the list of standard modules exists from 3.10 on")
def test_run_time_imports_are_the_standard_library():
    """Every import of the package is a module of its own or a module of the standard library."""
    faults = [
        f"{module}:{line} imports {name}"
        for module, name, line in imports()
        if not own(name)
        and name != "refclass"
        and name.split(".")[0] not in sys.stdlib_module_names
        and FOR_TESTS.get(module) != name.split(".")[0]
        and not (module.startswith(OPTIONAL) and name.split(".")[0] in ("numpy", "sklearn"))
    ]
    report(faults, "imports beyond the standard library:")


def test_a_discriminant_loads_no_machine():
    """Linear discriminant analysis is loaded without an optimisation solver, a kernel or a certificate."""
    text = "import sys, refclass.estimators.discriminants.lda; print(*[m for m in sys.modules if m[:8] == 'refclass'])"
    ran = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert "refclass.discriminants.gaussian.lda" in loaded and len(loaded) <= 50
    report([m for m in loaded if {"optimise", "regress", "kernels", "margins"} & set(own(m))], "loaded by LDA:")
