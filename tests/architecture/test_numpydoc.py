"""Docstrings of the public names, as numpydoc has them: every parameter, every fitted attribute, examples that run."""

from __future__ import annotations

import inspect
import re

import pytest

import refclass
from refclass.errors import Refusal
from refclass.estimators.names import PUBLIC

FUNCTIONS = [name for name in PUBLIC if not isinstance(getattr(refclass, name), type)]
CLASSES = [name for name in PUBLIC if name not in FUNCTIONS]
SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n(-+)\n((?:(?!^[A-Z][A-Za-z ]+\n-+\n).*\n?)*)", re.M)

X = [[0.0, 0.2], [1.0, 0.0], [0.3, 2.0], [2.0, 2.5], [3.0, 1.0], [3.3, 4.1], [5.0, 2.0], [4.2, 4.0], [6.0, 5.5]]
X += [[7.0, 5.0], [6.5, 7.0], [8.0, 6.2]]
TWO, THREE = list("aabababbbabb"), list("aabbabccbccc")
GIVEN = {
    "GaussianBayesRule": {"means": [0, 4], "covariances": [1, 9]},
    "GridSearch": {"estimator": "named below", "grid": {"n_neighbors": [1, 3]}, "folds": 3},
    "Standardized": {"estimator": "named below"},
}


def sections(thing):
    """Return the sections of a docstring, title: text; an underline must be as long as its title."""
    found = {}
    for title, line, text in SECTION.findall(inspect.getdoc(thing) + "\n"):
        assert len(title) == len(line), title
        found[title] = text
    return found


def entries(text):
    """Return the names of a section's entries with their descriptions."""
    heads = re.split(r"^(?=\S)", text, flags=re.M)
    pairs = [head.partition("\n")[::2] for head in heads if head.strip()]
    named = [(name.partition(" : ")[0].strip(), body.strip()) for name, body in pairs]
    return {name: body for names, body in named for name in names.split(", ")}


def fits(name):
    """Return fitted estimators of a class: of two classes and of three, or of numbers."""
    kind = getattr(refclass, name)
    options = dict(GIVEN.get(name, {}))
    if "estimator" in options:
        options["estimator"] = refclass.NearestNeighbors()
    if getattr(kind, "_estimator_type", None) == "regressor":
        rows = [[x[0]] for x in X] if name == "SmoothingSpline" else X
        return [kind(**options).fit(rows, [x[0] + x[-1] ** 2 / 3 for x in X])]
    if name == "GaussianBayesRule":
        return [kind(**options).fit()]
    found = []
    for y in (TWO, THREE):
        try:
            found.append(kind(**options).fit(X, y))
        except Refusal:
            assert found  # three classes are more than some take
    return found


@pytest.mark.parametrize("name", [*CLASSES, *FUNCTIONS])
def test_every_parameter_is_documented(name):
    """The entries of Parameters are the parameters of the signature, in its order, each with a type and a text."""
    thing = getattr(refclass, name)
    found = entries(sections(thing)["Parameters"])
    assert list(found) == list(inspect.signature(thing).parameters)
    assert all(found.values())


@pytest.mark.parametrize("name", CLASSES)
def test_every_fitted_attribute_is_documented(name):
    """The entries of Attributes are the attributes that a fit sets, with their texts, and nothing else."""
    found = entries(sections(getattr(refclass, name))["Attributes"])
    there = {a for model in fits(name) for a in dir(model) if re.fullmatch(r"[a-z]\w*_", a)}
    assert set(found) == there
    assert all(found.values())


@pytest.mark.parametrize("name", [*CLASSES, *FUNCTIONS])
def test_every_public_name_has_an_example_and_says_what_it_raises(name):
    """A docstring has Raises and Examples; a function has Returns, a class its References."""
    found = sections(getattr(refclass, name))
    wanted = {"Raises", "Examples", "Returns" if name in FUNCTIONS else "References"}
    assert wanted <= set(found)
    assert ">>>" in found["Examples"]
