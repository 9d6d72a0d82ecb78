"""Numbers as text: every parameter that is a number, or holds numbers, may be given as "3/2"."""

from __future__ import annotations

import inspect

import pytest

from refclass.errors import Refusal
from tests.hunt.bad_input import FEW, KINDS, NEEDED

PAIRS = (
    (1.5, "3/2"),
    ({0: 1.5}, {0: "3/2"}),
    ([0.25, 0.75], ["1/4", "3/4"]),
    ([[0, 1.5], [1, 0]], [[0, "3/2"], ["1", 0]]),
)
TABLES = {"SmoothingSpline": [[x] for x, _ in FEW]}


def outcome(name, parameter, value):
    """Return the fitted attributes of an estimator with the value for a parameter, or the kind of its refusal."""
    X, y = TABLES.get(name, FEW), [0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]
    try:
        given = {k: v for k, v in NEEDED.get(name, {}).items() if (k, parameter) != ("penalty", "degrees_of_freedom")}
        model = KINDS[name](**{**given, parameter: value}).fit(X, y)
        return [repr(getattr(model, attribute, None)) for attribute in getattr(model, "fitted", ())]
    except Refusal as refusal:
        return type(refusal)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_text_of_a_number_is_the_number(name):
    """A parameter given as text leads to the same attributes, or to the same kind of refusal, as the number does."""
    for parameter in inspect.signature(KINDS[name]).parameters:
        for number, text in PAIRS:
            assert outcome(name, parameter, text) == outcome(name, parameter, number), (parameter, text)
