"""A certificate judges the numbers that a regression keeps beside its coefficients, not only whether they are shown."""

from copy import copy
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction

import pytest

import refclass
from refclass.errors import NotExact
from refclass.estimators.protocol.regressor import Regressor
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector

REGRESSIONS = [kind for kind in refclass.estimator_classes() if issubclass(kind, Regressor)]
X = [[k / 4, (k * k % 11) / 2] for k in range(12)]
Y = [k * k % 7 + k / 8 + x[1] for k, x in enumerate(X)]
# the trace of a ridge regression stands on the inverse of its matrix, which the certificate does not compute
UNJUDGED = {("Ridge", "constant"), ("Ridge", "gram")}


def off(value):
    """Return a value of a record with its largest number 1.001 times as large; None where it holds none."""
    if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool) and abs(value) < float("inf"):
        return value * type(value)(1001) / 1000 if value and not isinstance(value, int) else value + 1
    if isinstance(value, Matrix):
        return Matrix.of([off(value[0]), *value[1:]])
    if isinstance(value, (Vector, tuple)) and value:
        k = max(range(len(value)), key=lambda i: abs(value[i]) if isinstance(value[i], (float, Fraction)) else 0)
        own = off(value[k])
        changed = [*value[:k], own, *value[k + 1 :]]
        return None if own is None else Vector.of(changed) if isinstance(value, Vector) else tuple(changed)
    return None


def shown(model):
    """Return what is shown of a model."""
    return {name: getattr(model, name, None) for name in model.fitted}


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
@pytest.mark.parametrize("kind", REGRESSIONS, ids=lambda kind: kind.__name__)
def test_an_error_of_a_thousandth_in_the_record_is_noticed(kind, arithmetic):
    """What the record holds is compared with the data, so that an attribute read off a wrong record is not proven."""
    options = {"penalty": Fraction(1, 10)} if kind.__name__ == "SmoothingSpline" else {}
    rows = [x[:1] for x in X] if kind.__name__ in ("BRUTO", "SmoothingSpline") else X
    try:
        model = kind(**options, arithmetic=arithmetic).fit(rows, Y)
    except NotExact:
        return  # a search by GCV
    right, before, tried = model.certificate_, shown(model), 0
    assert right.digits >= 9 and is_dataclass(model._model)
    for field in fields(model._model):
        changed = off(getattr(model._model, field.name))
        if changed is None or (kind.__name__, field.name) in UNJUDGED:
            continue
        other = copy(model)
        del other.__dict__["certificate_"]
        other._model = replace(model._model, **{field.name: changed})
        other = other.restated()
        if shown(other) != before:
            tried += 1
            found = other.certificate_
            assert found.status != right.status and found.digits < 9, (field.name, found)
    assert tried >= 2
