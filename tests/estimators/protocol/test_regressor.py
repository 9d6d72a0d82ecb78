"""What every regression estimator owes, for the flexible ones."""

import copy
import json
import pickle
from fractions import Fraction

import pytest

import refclass
from refclass import BRUTO, MARS, PolynomialRegression, SmoothingSpline
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field
from refclass.oracle import stored
from refclass.sample import data

X = [[k / 4, (k * 7) % 11] for k in range(24)]
Y = [(k * 5) % 8 + k / 3 for k in range(24)]
MAKERS = [
    lambda: PolynomialRegression(degree=2),
    lambda: SmoothingSpline(penalty=0.5),
    lambda: BRUTO(),
    lambda: MARS(degree=2, max_terms=7),
]
EACH = pytest.mark.parametrize("make", MAKERS, ids=lambda make: type(make()).__name__)


@EACH
def test_it_is_part_of_the_public_face(make):
    """The class is found under refclass, and among its methods with its equations and parameters."""
    kind = type(make())
    assert getattr(refclass, kind.__name__) is kind
    (entry,) = [m for m in refclass.methods() if m["class"] == kind.__name__]
    assert entry["equations"] and entry["parameters"] == kind.parameters()


@EACH
def test_fit_returns_the_estimator_with_everything_it_promises(make):
    """fit(X, y) is the estimator, and every attribute named in `fitted` is set."""
    model = make()
    assert model.fit(X, Y) is model
    assert all(hasattr(model, name) for name in model.fitted)


@EACH
def test_predictions_have_the_shape_of_y(make):
    """Numbers for numbers, rows for rows, also for rows of one; at the sample they are fitted_values_."""
    flat = make().fit(X, Y)
    assert flat.predict(X) == flat.fitted_values_ and all(type(v) is float for v in flat.fitted_values_)
    column = make().fit(X, [[v] for v in Y])
    assert column.predict(X) == [[v] for v in flat.fitted_values_]
    both = make().fit(X, [(v, v * v) for v in Y])
    assert [len(row) for row in both.predict(X[:3])] == [2, 2, 2]


@EACH
def test_results_are_plain_lists_and_numbers(make):
    """Everything that fit sets is written as JSON by the standard library."""
    model = make().fit(X, Y)
    json.dumps({name: getattr(model, name) for name in model.fitted}, allow_nan=True)


@EACH
def test_fitted_estimators_travel(make):
    """A fitted estimator survives copying and pickling with its predictions."""
    model = make().fit(X, Y)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.predict(X) == model.fitted_values_


@EACH
def test_fitted_models_come_back_from_json(make):
    """The model is made of the project's frozen records: written as JSON and read again it predicts the same."""
    model = make().fit(X, Y)
    again = stored.decode(json.loads(json.dumps(stored.encode(model._model))))
    assert again == model._model and again.predict(model._given[0]) == model._model.fitted


@EACH
def test_the_certificate_is_made_when_asked_for(make):
    """The proof beside the fit says what is proven, with violations of roundoff; a new fit has a new proof."""
    model = make().fit(X, Y)
    proof = model.certificate_
    assert proof.status in ("optimal", "stationary") and proof.worst_violation < Fraction(1, 10**4)
    assert model.certificate_ is proof and model.fit(X, Y[::-1]).certificate_ is not proof
    assert bool(proof.premise) == (type(model) in (BRUTO, MARS))


@EACH
def test_a_fitted_regression_serves_several_responses_at_once(make):
    """regress(F, X, Y) on matrices: predict, fitted and degrees_of_freedom, which is what FDA stands on."""
    rows, responses = data.matrix(BINARY64, X), data.matrix(BINARY64, [[v, -v, v * v] for v in Y])
    model = make().regress(BINARY64, rows, responses)
    assert model.fitted.shape == (24, 3) and model.predict(rows) == model.fitted
    assert 1 <= model.degrees_of_freedom <= 24
    weighted = make().regress(BINARY64, rows, responses, data.weight_vector(BINARY64, [1.0] * 24, 24))
    assert weighted.fitted == model.fitted


@EACH
def test_integer_weights_are_copies(make):
    """sample_weight 2 counts a row twice, 0 not at all: the same predictions as from repeated rows."""
    w = [(1, 2, 0)[k % 3] for k in range(24)]
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    once = make().fit(X, Y, sample_weight=w)
    many = make().fit([X[i] for i in copies], [Y[i] for i in copies])
    assert all(abs(a - b) < 1e-4 for a, b in zip(once.predict(X), many.predict(X)))


@EACH
def test_the_score_is_the_share_of_squares_explained(make):
    """score = 1 − Σ(y − f)²/Σ(y − ȳ)²; responses that do not vary have none."""
    model = make().fit(X, Y)
    mean = sum(Y) / 24
    want = 1 - sum((a - b) ** 2 for a, b in zip(Y, model.fitted_values_)) / sum((v - mean) ** 2 for v in Y)
    assert abs(model.score(X, Y) - want) < 1e-12
    with pytest.raises(NoAnswer):
        model.score(X, [1] * 24)


@EACH
def test_bad_data_are_refused_with_their_place(make):
    """Text, NaN, ragged rows, other lengths, negative weights, new rows of another width; asking before fit."""
    for rows, y, weights in (
        ([[1, "a"], [2, 3]], [1, 2], None),
        ([[1, float("nan")], [2, 3]], [1, 2], None),
        ([[1, 2], [3]], [1, 2], None),
        ([[1, 2], [3, 4]], [1], None),
        ([[1, 2], [3, 4]], [[1], [2, 3]], None),
        ([[1, 2], [3, 4]], "ab", None),
        ([[1, 2], [3, 4]], [1, 2], [1, -1]),
        ([[1, 2], [3, 4]], [1, 2], [0, 0]),
    ):
        with pytest.raises(InvalidInput):
            make().fit(rows, y, sample_weight=weights)
    with pytest.raises(InvalidInput):
        make().fit(X, Y).predict([[1]])
    with pytest.raises(InvalidInput):
        make().predict(X)


@EACH
def test_parameters_are_kept_as_they_were_given(make):
    """get_params returns what the constructor got; set_params refuses names it does not know."""
    model = make()
    assert type(model)(**model.get_params()).get_params() == model.get_params()
    with pytest.raises(InvalidInput):
        model.set_params(depth=3)


@pytest.mark.parametrize("make", [MAKERS[0], MAKERS[3]], ids=["PolynomialRegression", "MARS"])
def test_exact_arithmetic_gives_fractions(make):
    """arithmetic="exact": predictions are fractions."""
    model = make().set_params(arithmetic="exact").fit([[Fraction(a), b] for a, b in X], [Fraction(v) for v in Y])
    assert all(type(v) is Fraction for v in model.predict(X[:2]))


@EACH
def test_decimals_give_decimals(make):
    """arithmetic="decimal:20": predictions carry 20 digits, and agree with doubles."""
    fine = make().set_params(arithmetic="decimal:20").fit(X[:12], Y[:12])
    rough = make().fit(X[:12], Y[:12])
    assert isinstance(fine._field, Field) and type(fine.predict(X)[0]).__name__ == "Digits20"
    assert all(abs(float(a) - b) < 1e-3 for a, b in zip(fine.fitted_values_, rough.fitted_values_))


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
@pytest.mark.parametrize("kind", [refclass.LinearRegression, refclass.Lasso, MARS, BRUTO, PolynomialRegression])
def test_what_the_numbers_read_no_longer_tell_apart_is_fitted_to_nine_digits_or_refused(kind, arithmetic):
    """Integers of 31 digits that differ in their last: doubles and twenty decimals hold them as equal."""
    x, y = [[10**30 + t] for t in (3, -4, 8, 1, 0, 5)], [10**30 + t for t in (1, 7, 5, 3, 8, 2)]
    try:
        found = kind(arithmetic=arithmetic).fit(x, y).certificate_
    except (NoAnswer, NotConverged, NotExact):
        return
    assert found.digits >= 9
