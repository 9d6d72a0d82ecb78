"""Malformed answers: a verdict, or one line that says what was needed, what came, and where; nothing else."""

import json
import re

import pytest

from refclass.errors import InvalidInput, Refusal
from refclass.oracle import answer, judge, problem, reading
from refclass.oracle.readers import formats
from tests.oracle import malformed

FOREIGN = ("\n", "Error", "Fraction(", "Decimal(")  # no words of a refusal


def wrong(seed):
    """Return what is wrong with what is said of a malformed answer, in words; empty if nothing."""
    asked, text = malformed.case(seed)
    try:
        judge.verify(asked, formats.read(asked, text, "the answer"))
    except Refusal as refusal:
        words = str(refusal)
        sound = all(part in words for part in ("need ", "; got ")) and not any(part in words for part in FOREIGN)
        return "" if sound and len(words) < 500 else words
    except Exception as error:
        return f"bare {type(error).__name__}: {error}"[:300]
    return ""


def test_malformed_answers_are_refused_in_a_line():
    """Some of them by default."""
    assert not {seed: words for seed in range(6) if (words := wrong(seed))}


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 2000, 250))
def test_many_malformed_answers_are_refused_in_a_line(first):
    """Of every method, and models of LIBSVM and LIBLINEAR."""
    assert not {seed: words for seed in range(first, first + 250) if (words := wrong(seed))}


def wrong_about(seed):
    """Return what is wrong with what is said of a malformed problem, in words; empty if nothing."""
    text = malformed.problem_text(seed)
    try:
        asked = problem.read(text, "P.json")
        reported = json.loads(json.dumps(answer.answer(asked)))
        judge.verify(asked, reading.formed(reported, "A.json"))
    except Refusal as refusal:
        words = str(refusal)
        sound = all(part in words for part in ("need ", "; got ")) and not any(part in words for part in FOREIGN)
        return "" if sound else words
    except Exception as error:
        return f"bare {type(error).__name__}: {error}"[:300]
    return ""


@pytest.mark.parametrize("seed", range(8))
def test_malformed_problems_are_answered_or_refused_in_a_line(seed):
    """A part of the problem, its parameters, weights or query is another kind of JSON, or is dropped or repeated."""
    assert not wrong_about(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 3000, 250))
def test_many_malformed_problems_are_answered_or_refused_in_a_line(first):
    """Of every method."""
    assert not {seed: words for seed in range(first, first + 250) if (words := wrong_about(seed))}


ANSWER = {"alpha": [0] * 8, "intercept": 0}


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"intercept_interval": {}}, "need intercept_interval as numbers or lists of them; got {}"),
        ({"support": [0, {"a": 1}]}, "need support[1] as numbers or lists of them; got {'a': 1}"),
        ({"intercept_interval": [0, ["x"]]}, "need intercept_interval[1][0] as a number; got 'x'"),
        ({"certificate": {"digits": {}}}, "need certificate.digits as a number; got {}"),
        ({"certificate": {"status": [None]}}, "need certificate.status as text; got [None]"),
        ({"certificate": {"unique": "yes"}}, "need certificate.unique as an object of true, false or null; got 'yes'"),
        ({"arithmetic": ["float"]}, "need arithmetic as a name; got ['float']"),
    ],
)
def test_other_kinds_of_json_have_their_line(more, line):
    """An object was taken for an empty list, and any claim of a certificate for one."""
    with pytest.raises(InvalidInput) as refusal:
        reading.read(json.dumps({**ANSWER, **more}), "the answer")
    assert str(refusal.value) == f"the answer: {line}"


@pytest.mark.parametrize("active", [[[0]], [None], {}, [0.5]])
def test_active_rows_of_other_kinds_are_refused(active):
    """A list in the place of a row was an AttributeError."""
    given = {"method": "qp", "P": [[2, 0], [0, 2]], "q": [-2, -5], "A": [[1, 1]], "l": [None], "u": [1]}
    asked = problem.read(json.dumps(given), "P.json")
    own = json.loads(json.dumps(answer.answer(asked)))
    with pytest.raises(InvalidInput, match="active"):
        judge.verify(asked, reading.formed({**own, "fitted": {**own["fitted"], "active": active}}, "A.json"))


def test_a_count_of_digits_beyond_doubles_is_wrong():
    """10⁴⁰⁰ digits were an OverflowError."""
    given = {"method": "lee_lin_wahba", "x": malformed.X, "y": [i % 2 for i in range(8)]}
    asked = problem.read(json.dumps(given), "P.json")
    own = json.loads(json.dumps(answer.answer(asked)))
    own["certificate"]["digits"] = 10**400
    assert "certificate.digits" in judge.verify(asked, reading.formed(own, "A.json"))["verdict"]


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
@pytest.mark.parametrize(
    "more",
    [
        {"method": "kernel_ridge", "x": [[0, 1], [1e308, 2], *malformed.X[2:]], "y": malformed.RESPONSES},
        {"method": "ridge", "x": [[0, 1], [1e308, 2], *malformed.X[2:]], "y": malformed.RESPONSES},
    ],
)
def test_numbers_beyond_doubles_are_answered_or_refused(more, arithmetic):
    """A diagonal of K beyond the doubles was an OverflowError."""
    given = {"x": malformed.X, "y": [i % 2 for i in range(8)], "arithmetic": arithmetic, **more}
    try:
        asked = problem.read(json.dumps(given), "P.json")
        assert judge.verify(asked, answer.answer(asked))["accepted"]
    except Refusal as refusal:
        assert "\n" not in str(refusal)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("nr_class 2", "nr_class inf", "need nr_class as an integer ≥ 2; got 'inf'"),
        ("nr_class 2", "nr_class 99999999999", "need nr_class as an integer ≥ 2; got '99999999999'"),
        ("nr_class 2\n", "", "need nr_class with 1 entries; got no nr_class"),
        ("nr_sv 1 1", "nr_sv -1 3", "need nr_sv as an integer ≥ 0; got '-1'"),
        ("nr_sv 1 1", "nr_sv 2 1", "need 3 support vectors, as nr_sv says; got 2"),
        ("total_sv 2", "total_sv 3", "need 3 support vectors, as total_sv says; got 2"),
        ("rho -0.5", "rho nan", "need rho as a finite number; got 'nan'"),
        ("label 1 0", "label 1", "need label with 2 entries; got 1"),
        ("label 1 0", "label 1 x", "need a label that is a number; got 'x'"),
        ("\n0.5 1:2", "\ninf 1:2", "need a coefficient as a finite number; got 'inf'"),
        ("\n0.5 1:2", "\n0.5 0.5 1:2", "need coefficients of each support vector, 1; got 2 (vector=1)"),
        ("svm_type c_svc", "svm_type", "need svm_type among c_svc, nu_svc, epsilon_svr, nu_svr; got ''"),
    ],
)
def test_an_entry_of_a_libsvm_model_has_its_line(old, new, line):
    """Counts that are none, NaN, what is missing: by name, before anything is computed from them."""
    asked = problem.read(json.dumps({"method": "svc", "x": malformed.X, "y": [i % 2 for i in range(8)]}), "p")
    assert old in malformed.LIBSVM
    with pytest.raises(InvalidInput) as refusal:
        formats.read(asked, malformed.LIBSVM.replace(old, new), "m")
    assert str(refusal.value) == f"m: {line}"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("nr_class 2", "nr_class inf", "need nr_class as an integer ≥ 2; got 'inf'"),
        ("nr_feature 2", "nr_feature -2", "need nr_feature as an integer ≥ 1; got '-2'"),
        ("nr_feature 2", "nr_feature 3", "need 4 rows of weights, as nr_feature and bias say; got 3"),
        ("bias 1", "bias x", "need bias as a finite number; got 'x'"),
        ("-0.25", "nan", "need a weight as a finite number; got 'nan'"),
        ("-0.25", "1 2", "need 1 weights in each row; got 2 (row=2)"),
    ],
)
def test_an_entry_of_a_liblinear_model_has_its_line(old, new, line):
    """A bias that is no number was a TypeError."""
    asked = problem.read(json.dumps({"method": "svc", "x": malformed.X, "y": [i % 2 for i in range(8)]}), "p")
    with pytest.raises(InvalidInput) as refusal:
        formats.read(asked, malformed.LIBLINEAR.replace(old, new), "m")
    assert str(refusal.value) == f"m: {line}"


RIDGE = {"method": "ridge", "x": [[0], [1], [2], [4]], "y": [1, 2, 2, 5]}


@pytest.mark.parametrize(
    ("part", "value", "where"),
    [
        ("x", [["1/0"], [1], [2], [3]], "(row=0, column=0)"),
        ("y", [1, 2, "3/0", 4], "in y"),
        ("weights", [1, 1, 1, "1/00"], "(row=3)"),
        ("parameters", {"penalty": "1/0"}, "penalty"),
    ],
)
def test_what_divides_by_zero_is_refused_with_its_place(part, value, where):
    """As no number, by those who know where it stands; the reader of numbers does not."""
    with pytest.raises(InvalidInput) as refusal:
        problem.read(json.dumps({**RIDGE, part: value}), "P.json").fitted()
    assert where in str(refusal.value) and "/0" in str(refusal.value)


@pytest.mark.parametrize(
    ("more", "where"), [({"coef": ["1/0"]}, "coef[0]"), ({"certificate": {"gap": "1/0"}}, "certificate.gap")]
)
def test_an_answer_that_divides_by_zero_is_refused_with_its_place(more, where):
    """A fitted value, a bound of a certificate."""
    with pytest.raises(InvalidInput, match=re.escape(f"the answer: need {where} as a number; got '1/0'")):
        reading.read(json.dumps({"coef": [1], **more}), "the answer")


def test_exponents_beyond_four_digits_are_refused_by_the_name_of_the_file():
    """Where they stand in JSON; 10⁻⁹⁹⁹⁹ is read."""
    with pytest.raises(InvalidInput, match="P.json: need exponents of at most four digits; got '1e-99999'"):
        problem.decode("[1e-99999]", "P.json")
    assert problem.decode("[1e-9999]", "P.json")[0] > 0
