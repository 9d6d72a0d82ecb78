"""The laws that a class claims: the Laws section of its docstring, read as a list."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
from fractions import Fraction


def claims(kind):
    """The laws named in the docstring of a class, as a list of phrases."""
    found = re.search(r"^ *Laws +(.*?)(?=\n\s*\n|\n    \w|\Z)", kind.__doc__, re.S | re.M)
    return [" ".join(phrase.split()) for phrase in found[1].split(",")] if found else []


def members(package, family):
    """Every public class of that family in a package's modules that says Laws in its docstring."""
    modules = [
        importlib.import_module(f"{package.__name__}.{module.name}")
        for module in pkgutil.iter_modules(package.__path__)
    ]
    kinds = [
        k
        for module in modules
        for _, k in inspect.getmembers(module, inspect.isclass)
        if k.__module__ == module.__name__
    ]
    return [k for k in kinds if issubclass(k, family) and claims(k)]


def example(kind):
    """An instance with plain parameters: ½ for a number, 2 for a whole number, defaults as they are."""
    plain = {"Number": Fraction(1, 2), "int": 2}
    given = {f.name: plain[f.type] for f in dataclasses.fields(kind) if f.type in plain}
    return kind(**given)


def tried(listed, kinds):
    """The listed members of a family, and an example of each kind that none of them is."""
    return [*listed, *(example(kind) for kind in kinds if kind not in set(map(type, listed)))]
