"""Problem files: what they may say, and one line for what they may not."""

import json
import math
from fractions import Fraction as Q

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import problem

GOOD = {"method": "svc", "x": [[0, "1/3"], [1, 0.1]], "y": [-1, 1]}


def read(**changes):
    return problem.read(json.dumps({**GOOD, **changes}), "P.json")


def test_numbers_in_a_problem_are_exact():
    """0.1 is one tenth, and "1/3" a third, in the data and in parameters."""
    p = read(parameters={"C": "inf", "kernel": {"name": "gaussian", "gamma": 0.1}}, query=[["1/2", 1]])
    assert p.x == [[0, Q(1, 3)], [1, Q(1, 10)]] and p.query == [[Q(1, 2), 1]]
    assert p.parameters == {"C": math.inf, "kernel": {"name": "gaussian", "gamma": Q(1, 10)}}


def test_a_class_weight_finds_its_label():
    """JSON writes keys as text; the weight of the label 1 is found under "1"."""
    assert read(parameters={"class_weight": {"1": 2}}).parameters["class_weight"] == {1: 2}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", r"P.json: need JSON; got .* \(line=1, column=2\)"),
        ("[]", "need a JSON object with method, x and y; got list"),
        ('{"method": "svc", "x": [[1]]}', "need the field y; got none"),
        ('{"method": "svc", "x": [[1]], "y": [1], "z": 1}', "need fields among .*; got 'z'"),
        ('{"method": "svc", "x": [[NaN]], "y": [1]}', "need finite numbers; got NaN"),
        ('{"method": "svc", "x": 3, "y": [1]}', "need x as a list; got '3'|need x as a list; got 3"),
        ('{"method": "svc", "x": [[1]], "y": [1], "parameters": []}', "need parameters as an object"),
        ('{"method": "svc", "x": [[1]], "y": [1], "arithmetic": "single"}', 'need "float", "exact" or "decimal:n"'),
        ("[" * 100000, "need JSON, at most 200 brackets deep; got brackets too deep|need JSON; got Expecting value"),
        ("[" * 100000 + "]" * 100000, "need JSON, at most 200 brackets deep; got brackets too deep"),
        ("[" * 900 + "]" * 900, "need JSON, at most 200 brackets deep; got brackets too deep"),
    ],
)
def test_a_problem_that_cannot_be_read_is_refused_in_one_line(content, complaint):
    """Malformed JSON, missing and unknown fields, and fields of another form each have their line."""
    with pytest.raises(InvalidInput, match=complaint) as refusal:
        problem.read(content, "P.json")
    assert "\n" not in str(refusal.value)


def test_an_unknown_method_or_parameter_is_refused_naming_those_known():
    """The message lists what there is."""
    with pytest.raises(InvalidInput, match="need a method among .*svc.*; got 'svm'"):
        problem.make("svm", {})
    with pytest.raises(InvalidInput, match="svc: need a parameter among C, kernel, .*; got 'c'"):
        problem.make("svc", {"c": 1})
