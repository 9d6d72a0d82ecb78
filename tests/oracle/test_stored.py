"""Models as JSON: everything that goes out comes back, and nothing else comes in."""

import json
import math
from fractions import Fraction as Q

import pytest

from refclass import SVC, OneVersusOne
from refclass.errors import InvalidInput
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.precomputed import Similarities
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.margins.svm.fit import Model
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.oracle import stored

F = decimal(30)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        "text",
        0.1,
        float("inf"),
        Q(1, 3),
        F.lift("1/3"),
        Vector([Q(1), Q(1, 2)]),
        Matrix([[0.5, 1.0], [2.0, 3.0]]),
        (1, (2.0, "x")),
        [1, None],
        {"a": 1, 2: Q(1, 7)},
        Model(BINARY64, BINARY64, Gaussian(0.5), ((1.0, 2.0),), Vector([0.25]), 1.0, None),
    ],
)
def test_what_is_stored_comes_back(value):
    """decode(encode(v)) is v, through JSON text, kinds included."""
    back = stored.decode(json.loads(json.dumps(stored.encode(value))))
    assert back == value and type(back) is type(value)


def test_fields_come_back_as_the_same_objects():
    """A field is its name."""
    for field in (RATIONAL, BINARY64, F):
        assert stored.decode(stored.encode(field)) is field


@pytest.mark.parametrize(
    "value",
    [
        {"record": "os:system", "fields": {}},
        {"record": "refclass.errors:Refusal", "fields": {}},
        {"record": "refclass.nowhere:Model", "fields": {}},
        {"record": "refclass.kernels.gaussian:Gaussian", "fields": {"width": 1}},
        {"unknown": 1},
        {"a": 1, "b": 2},
    ],
)
def test_nothing_but_the_houses_own_records_comes_in(value):
    """A stored model cannot name other code, or fields that the record does not have."""
    with pytest.raises(InvalidInput):
        stored.decode(value)


def test_a_kind_that_no_model_has_is_refused():
    """An open file, a function, a set: not data of a model."""
    with pytest.raises(InvalidInput, match="records, numbers and text"):
        stored.encode(len)


def test_an_estimator_inside_another_comes_back():
    """Fitted, with its parameters, its classes and what it predicts by; not fitted, with its parameters."""
    X, y = [[0, 0], [1, 0], [0, 2], [2, 2], [5, 0], [4, 4]], list("aabbcc")
    m = OneVersusOne(SVC(C=math.inf, kernel=Gaussian(Q(1, 2)), arithmetic="decimal:20")).fit(X, y)
    back = stored.decode(json.loads(json.dumps(stored.encode(m))))
    assert back.get_params(deep=False)["arithmetic"] is None and math.inf == back.estimator.C
    assert back.predict(X) == m.predict(X) and back.decision_function(X) == m.decision_function(X)
    assert [e.classes_ for e in back.estimators_] == [e.classes_ for e in m.estimators_]
    bare = stored.decode(json.loads(json.dumps(stored.encode(SVC(C=Q(1, 3))))))
    assert Q(1, 3) == bare.C and not hasattr(bare, "classes_")


@pytest.mark.parametrize(
    "change", [{"estimator": "svm"}, {"parameters": {"pairs": [["width", 1]]}}, {"state": {"fit": 1}}, {"state": []}]
)
def test_an_estimator_that_could_not_have_been_stored_is_refused(change):
    """An unknown method or parameter, a state that is not one."""
    with pytest.raises(InvalidInput):
        stored.decode({**stored.encode(SVC()), **change})


SIMILAR = {"similarities": [2.0, 1.0], "place": 0}


@pytest.mark.parametrize(
    "value",
    [
        {**SIMILAR, "place": -1},
        {**SIMILAR, "place": 2},
        {**SIMILAR, "place": "0"},
        {**SIMILAR, "place": True},
        {**SIMILAR, "place": None},
        {"similarities": [2.0, 1.0]},
        {**SIMILAR, "similarities": []},
        {**SIMILAR, "similarities": 2.0},
        {**SIMILAR, "similarities": "21"},
        {**SIMILAR, "similarities": [2.0, None]},
        {"tuple": [SIMILAR, {"similarities": [1.0, 2.0, 3.0], "place": 1}]},
        {"vector": 1.0},
        {"matrix": [1.0]},
        {"pairs": [[1]]},
        {"pairs": [[[1], 2]]},
        {"tuple": 3},
        {"fraction": 3},
        {"float": "wide"},
        {"field": "decimal:many"},
        {"decimal": [1], "digits": 30},
        {"decimal": "1/0", "digits": 30},
    ],
)
def test_malformed_parts_are_refused_in_one_line(value):
    """A place that is no training point's, rows of different lengths, entries that are not what their name says."""
    with pytest.raises(InvalidInput) as refusal:
        stored.decode(json.loads(json.dumps(value)))
    assert len(str(refusal.value)) <= 400 and "\n" not in str(refusal.value)


def test_numbers_that_were_rounded_come_back_with_what_was_given():
    """A machine of fractions in doubles proves the same after it was stored; points by their similarities, too."""
    row = Rounded.from_given([0.5, 1 / 3], [Q(1, 2), Q(1, 3)])
    for value in (row, Matrix.of([row, row])):
        back = stored.decode(json.loads(json.dumps(stored.encode(value))))
        assert back == value and type(back) is type(value) and back.exactly() == value.exactly()
    point = Similarities.numbered(row, 1)
    back = stored.decode(json.loads(json.dumps(stored.encode(point))))
    assert back.place == 1 and back.exactly() == point.exactly() == row.given
    with pytest.raises(InvalidInput, match="a fraction for each number"):
        stored.decode({"rounded": [0.5], "given": [0.5]})
