"""Columns in standard units: against their definition in fractions, far from zero and at the ends of the doubles."""

from fractions import Fraction
from math import ulp

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass import (
    GridSearch,
    LinearDiscriminantAnalysis,
    NearestNeighbors,
    OneVersusOne,
    OneVersusRest,
    PairwiseCoupling,
    Standardized,
    Standardizer,
    leave_one_out,
)
from refclass.errors import InvalidInput, NotExact
from refclass.estimators.protocol.estimator import clone
from refclass.report import export, program

sizes = st.sampled_from([0.0, 1.0, 1e6, 1e9, 1e15, 1e-9, 1e-290, 1e290])
columns = st.lists(st.integers(-50, 50), min_size=2, max_size=8)


def units(column):
    """Return the squares of a column in standard units, in fractions, with the signs of its deviations."""
    mean = sum(column) / len(column)
    square = sum((v - mean) ** 2 for v in column) / len(column)
    return [(v - mean) * abs(v - mean) / square if square else v - mean for v in column]


@given(columns, sizes, st.sampled_from([1.0, 1e-7, 1e-300]), st.sampled_from(["float", "decimal:30"]))
def test_units_are_those_of_the_definition_far_from_zero_too(column, offset, unit, arithmetic):
    """To twelve digits of one deviation, whatever the mean is beside it."""
    values = [offset + unit * v for v in column]
    model = Standardizer(arithmetic=arithmetic)
    found = [Fraction(row[0]) for row in model.fit_transform([[v] for v in values])]
    for z, want in zip(found, units(list(map(Fraction, values)))):
        assert abs(z * abs(z) - want) <= Fraction(1, 10**12) * (1 + abs(want))


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=6), sizes)
def test_a_deviation_is_the_nearest_double(column, unit):
    """Its neighbours lie on the other side of the root, half-way to them: squares of fractions tell."""
    values = [v * (unit or 1.0) for v in column]
    mean = sum(map(Fraction, values)) / len(values)
    square = sum((Fraction(v) - mean) ** 2 for v in values) / len(values)
    assume(Fraction(1, 10**580) < square < 10**580)
    scale = Standardizer().fit([[v] for v in values]).scale_[0]
    half = Fraction(ulp(scale)) / 2
    assert (Fraction(scale) - half) ** 2 <= square <= (Fraction(scale) + half) ** 2


def test_numbers_that_doubles_round_keep_their_digits():
    """A column of 10⁹ with steps of a tenth, as fractions, is that of steps of a tenth."""
    steps = [Fraction(1, 10), Fraction(2, 10), Fraction(4, 10)]
    near = Standardizer().fit_transform([[v] for v in steps])
    far = Standardizer().fit_transform([[10**9 + v] for v in steps])
    assert all(abs(a[0] - b[0]) < 1e-15 for a, b in zip(near, far))


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30", "exact"])
def test_deviations_that_no_normal_double_holds_are_refused(arithmetic):
    """One of 5e-324 has no digits of its own."""
    with pytest.raises(InvalidInput, match="normal doubles.*column=1"):
        Standardizer(arithmetic=arithmetic).fit([[1, 0.0], [2, 5e-324], [4, 1e-323]])


@pytest.mark.parametrize(("X", "row"), [([[1e-300], [3e-300]], [1e15]), ([[0.0], [1e-20]], [-1e300])])
def test_a_row_that_no_double_holds_in_standard_units_is_refused_by_its_place(X, row):
    """No infinity is returned, for another estimator to complain of; forth and back."""
    made = Standardizer().fit(X)
    with pytest.raises(NotExact, match=r"rows within the range of doubles.*\(row=1, column=0\)"):
        made.transform([X[0], row])
    wide = Standardizer().fit([[1e300], [-1e300]])
    with pytest.raises(NotExact, match="rows within the range of doubles"):
        wide.inverse_transform([[1e10]])


def test_what_overflows_on_the_way_is_computed_anew():
    """A difference beyond the doubles of a row that is within them in standard units, and a product; to roundoff."""
    made = Standardizer().fit([[1.7e308], [0.0]])
    ((z,),) = made.transform([[-1.7e308]])
    assert abs(z + 3) <= 4 * ulp(3.0)
    ((back,),) = made.inverse_transform([[-3.0]])
    assert abs(back + 1.7e308) <= 4 * ulp(1.7e308)


def test_an_exported_model_standardises_alike():
    """Far from zero, where the mean is no double, by two steps; the steps are those of `transform`."""
    rows = [[1e9 + 0.1 * i * i, i % 3] for i in range(7)]
    model = Standardized(estimator=LinearDiscriminantAnalysis()).fit(rows, [i % 2 for i in range(7)])
    names = {"__name__": "exported"}
    exec(compile(export.export(program.program(model, ["a", "b"]), "python"), "exported", "exec"), names)
    for x, scores in zip(rows, model.decision_function(rows)):
        assert names["scores"](x)[-1] - names["scores"](x)[0] == pytest.approx(scores, rel=1e-9, abs=1e-9)
    steps = model.standardizer_.steps()
    assert len(steps) == 2 and any(steps[1][0]) and len(Standardizer().fit([[0], [1]]).steps()) == 1
    for x, z in zip(rows, model.standardizer_.transform(rows)):
        for center, scale in steps:
            x = [(v - m) / s for v, m, s in zip(x, center, scale)]
        assert x == pytest.approx(z, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("inner", [OneVersusRest("lda"), OneVersusOne("lda"), PairwiseCoupling("lda")])
@pytest.mark.parametrize("arithmetic", [None, "decimal:20"])
def test_estimators_made_of_others_are_standardised_in_their_arithmetic(inner, arithmetic):
    """The arithmetic of the parts, where none is given; labels are those of the same fit to rows in standard units."""
    X, y = [[0.0], [2.0], [1.0], [4.0], [3.0], [6.0]], list("aabbcc")
    inner = clone(inner).set_params(arithmetic=arithmetic)
    model, units = Standardized(estimator=inner).fit(X, y), Standardizer(arithmetic=arithmetic or "float").fit(X)
    assert model.predict(X) == clone(inner).fit(units.transform(X), y).predict(units.transform(X))


@pytest.mark.parametrize("made", [lambda e: Standardized(estimator=e), lambda e: GridSearch(estimator=e, grid={})])
def test_what_an_estimator_can_be_asked_is_known_before_it_is_fitted(made):
    """`hasattr` tells, as scikit-learn asks it; a call is refused; leaving one out needs no fit before."""
    model, X, y = made(LinearDiscriminantAnalysis()), [[0.0], [2.0], [1.0], [4.0]], list("abab")
    assert hasattr(model, "predict_proba") and not hasattr(made(NearestNeighbors()), "votes")
    with pytest.raises(InvalidInput, match="fit first"):
        model.predict_proba(X)
    if isinstance(model, Standardized):
        assert all(abs(sum(p) - 1) < 1e-12 for p in leave_one_out(model, X, y))
