"""LinearDiscriminantAnalysis."""

import math
from fractions import Fraction

import pytest

import refclass
from refclass import LinearDiscriminantAnalysis as LDA
from refclass.discriminants.gaussian import cutpoint
from refclass.errors import InvalidInput, NoAnswer, NotExact
from tests.discriminants.samples import PLANE

X, Y = PLANE
TWO = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 4], [1, 3], [2, 0], [5, 2]], list("aababbab")
ARITHMETICS = pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])


@ARITHMETICS
def test_labels_are_the_same_in_every_arithmetic(arithmetic):
    """Float, exact and decimal arithmetic predict alike, with unequal priors, too: the comparison of a rational with a
    logarithm is decided exactly  [ESL-4.10].
    """
    reference = LDA().fit(X, Y)
    model = LDA(arithmetic=arithmetic).fit(X, Y)
    assert model.predict(X) == reference.predict(X)
    assert model.classes_ == [0, 1, 2] and all(map(math.isclose, map(float, model.priors_), reference.priors_))
    tilted = [[0.2, 0.5, 0.3], ["1/5", "1/2", "3/10"]][arithmetic != "float"]
    even = LDA(priors=[0.2, 0.5, 0.3]).fit(X, Y).predict(X)
    assert LDA(priors=tilted, arithmetic=arithmetic).fit(X, Y).predict(X) == even


def test_exact_arithmetic_gives_fractions_and_refuses_roots():
    """Means, covariance, coefficients are fractions; axes, posteriors and logarithms of priors are refused when
    asked for,
    and nothing else is  [RC-21].
    """
    model = LDA(arithmetic="exact").fit(X, Y)
    for table in (model.means_, model.covariance_, model.coef_):
        assert all(type(v) is Fraction for row in table for v in row)
    assert type(model.condition_) is Fraction and model.condition_ >= 1
    for refused in (
        lambda: model.scalings_,
        lambda: model.eigenvalues_,
        lambda: model.intercept_,
        lambda: model.predict_proba(X),
        lambda: model.transform(X),
        lambda: model.decision_function(X),
    ):
        with pytest.raises(NotExact):
            refused()
    assert len(model.predict(X)) == len(X)
    assert model.certificate_.status == "optimal" and model.certificate_.worst_violation == 0


def test_equal_priors_make_exact_scores_rational():
    """With equal priors intercepts and decision values are fractions, and the eigenvalue of two classes is, too."""
    model = LDA(priors=["1/2", "1/2"], arithmetic="exact").fit(*TWO)
    (value,) = model.decision_function([[2, 2]])
    assert type(value) is Fraction and type(model.intercept_[0]) is Fraction
    assert value == model.coef_[0][0] * 2 + model.coef_[0][1] * 2 + model.intercept_[0]
    assert type(model.eigenvalues_[0]) is Fraction
    three = LDA(priors=["1/3"] * 3, arithmetic="exact").fit(X, Y)
    assert all(type(v) is Fraction for row in three.decision_function(X) for v in row)


def test_posteriors_are_refused_in_exact_arithmetic_unless_rational():
    """Half-way between two classes with equal priors the posterior is ½, rational; elsewhere NotExact."""
    model = LDA(arithmetic="exact").fit([[0], [2], [6], [8]], list("aabb"))
    assert model.predict_proba([[4]]) == [[Fraction(1, 2), Fraction(1, 2)]]
    with pytest.raises(NotExact):
        model.predict_proba([[5]])


def test_coefficients_are_the_scores():
    """coef_ x + intercept_ differ from decision_function by nothing: K rows, or one for two classes."""
    for data, K in (((X, Y), 3), (TWO, 2)):
        model = LDA().fit(*data)
        assert len(model.coef_) == len(model.intercept_) == (3 if K == 3 else 1)
        for x, said in zip(data[0], model.decision_function(data[0])):
            got = [sum(a * v for a, v in zip(row, x)) + c for row, c in zip(model.coef_, model.intercept_)]
            assert all(abs(a - b) < 1e-12 * (1 + abs(b)) for a, b in zip(got, [said] if K == 2 else said))


def test_two_classes_have_log_odds():
    """The decision value is log p₁/p₀: positive for classes_[1]."""
    model = LDA().fit(*TWO)
    for (p, q), f, label in zip(model.predict_proba(TWO[0]), model.decision_function(TWO[0]), model.predict(TWO[0])):
        assert abs(math.log(q / p) - f) < 1e-12 and label == ("b" if f > 0 else "a")


def test_the_axes_have_unit_variance_within():
    """Columns of scalings_ have aᵀΣ̂a = 1; transform centres at Σ πₖμₖ; n_components keeps the leading ones
    [CANON-VAR.P1] [ESL-4.3.3-variates].
    """
    model = LDA().fit(X, Y)
    S, A = model.covariance_, model.scalings_
    assert len(A) == 2 and len(A[0]) == 2
    for k in range(2):
        a = [row[k] for row in A]
        assert abs(sum(a[i] * S[i][j] * a[j] for i in range(2) for j in range(2)) - 1) < 1e-12
    Z = model.transform(X)
    assert abs(sum(z[0] for z in Z)) < 1e-12 * len(X)
    one = LDA(n_components=1).fit(X, Y)
    assert [z[:1] for z in Z] == one.transform(X) and len(one.coef_) == 3
    for x, said in zip(X, one.decision_function(X)):
        got = [sum(a * v for a, v in zip(row, x)) + c for row, c in zip(one.coef_, one.intercept_)]
        shift = got[0] - said[0]
        assert all(abs(a - b - shift) < 1e-10 for a, b in zip(got, said))
    assert LDA(n_components=2).fit(X, Y).predict(X) == model.predict(X)


def test_the_divisor_changes_labels_only_beside_priors():
    """ "n" in place of "n-k" scales Σ̂: with equal priors labels stay."""
    a, b = (LDA(divisor=d, priors=[1 / 3] * 3).fit(X, Y) for d in ("n-k", "n"))
    assert a.predict(X) == b.predict(X)
    n = len(X)
    assert abs(a.covariance_[0][0] * (n - 3) - b.covariance_[0][0] * n) < 1e-9


def test_the_empirical_cut_has_the_fewest_training_errors():
    """It errs on no more rows than the Gaussian cut and least squares do, keeps the direction, and needs two classes
    without
    costs  [LDA-CUT.P1] [ESL-4.3-cutpoint].
    """
    best, plain = LDA(cutpoint="empirical").fit(*TWO), LDA().fit(*TWO)
    errors = [sum(a != b for a, b in zip(m.predict(TWO[0]), TWO[1])) for m in (best, plain)]
    other = refclass.LeastSquaresClassifier(coding=(0, 1)).fit(*TWO)
    assert errors[0] <= min(errors[1], sum(a != b for a, b in zip(other.predict(TWO[0]), TWO[1])))
    assert best.coef_ == plain.coef_
    for x, f, label in zip(TWO[0], best.decision_function(TWO[0]), best.predict(TWO[0])):
        assert label == ("b" if f > 0 else "a")
        assert abs(f - sum(a * v for a, v in zip(best.coef_[0], x)) - best.intercept_[0]) < 1e-12
    cut = -best.intercept_[0] / best.coef_[0][0]
    assert best.ties([[0, 0], [5, 5]]) == [["a"], ["b"]] and cut == cut
    for options in ({"costs": [[0, 1], [2, 0]]}, {"n_components": 1}):
        with pytest.raises(InvalidInput, match="empirical"):
            LDA(cutpoint="empirical", **options).fit(*TWO)
    with pytest.raises(InvalidInput, match="empirical"):
        LDA(cutpoint="empirical").fit(X, Y)


@ARITHMETICS
def test_costs_move_the_two_class_threshold(arithmetic):
    """Missing "b" at cost 5 shifts the log-odds by log 5: decision values and labels agree
    [COST-RATIO.P2] [KIM-2.27].
    """
    plain, costly = (LDA(costs=c, arithmetic=arithmetic).fit(*TWO) for c in (None, [[0, 5], [1, 0]]))
    said = costly.predict(TWO[0])
    assert sum(s == "b" for s in said) >= sum(s == "b" for s in plain.predict(TWO[0]))
    if arithmetic != "exact":
        for f, g, label in zip(costly.decision_function(TWO[0]), plain.decision_function(TWO[0]), said):
            assert abs(float(f - g) - math.log(5)) < 1e-12 and label == ("b" if f > 0 else "a")
    assert LDA(costs=[[0, 1], [1, 0]], arithmetic=arithmetic).fit(*TWO).predict(TWO[0]) == plain.predict(TWO[0])


def test_ties_are_reported_as_ties():
    """Half-way between two classes both are named; predict gives the first."""
    model = LDA(arithmetic="exact").fit([[0], [2], [6], [8]], list("aabb"))
    assert model.ties([[4], [5]]) == [["a", "b"], ["b"]] and model.predict([[4]]) == ["a"]


def test_weights_are_copies():
    """sample_weight 2 is the row given twice."""
    a = LDA(arithmetic="exact").fit(X, Y, sample_weight=[1 + i % 2 for i in range(len(X))])
    rows = [i for i in range(len(X)) for _ in range(1 + i % 2)]
    b = LDA(arithmetic="exact").fit([X[i] for i in rows], [Y[i] for i in rows])
    assert (a.priors_, a.means_, a.covariance_, a.coef_) == (b.priors_, b.means_, b.covariance_, b.coef_)


def test_a_singular_covariance_is_refused_unless_a_remedy_is_given():
    """The refusal has a null vector; pseudo_inverse=True predicts all the same  [LDA-SPHERE.P3]."""
    line = [[0, 0], [1, 2], [5, 10], [7, 14]]
    with pytest.raises(NoAnswer) as refusal:
        LDA().fit(line, list("aabb"))
    assert len(refusal.value.witness["null_vector"]) == 2
    for arithmetic in ("float", "exact"):
        model = LDA(pseudo_inverse=True, arithmetic=arithmetic).fit(line, list("aabb"))
        assert model.predict(line) == list("aabb")


def test_the_condition_tells_of_near_singularity():
    """Columns that hardly differ have a large variance inflation, in any units."""
    near = [[a, a + 1e-6 * b] for a, b in X]
    scaled = [[1e9 * a, a + 1e-6 * b] for a, b in X]
    conditions = [LDA().fit(rows, Y).condition_ for rows in (X, near, scaled)]
    assert conditions[0] < 2 < 1e10 < conditions[1] and abs(conditions[2] / conditions[1] - 1) < 1e-2


def test_a_second_fit_forgets_the_first():
    """Axes and coefficients of an earlier fit are not left behind."""
    model = LDA().fit(X, Y)
    before = model.scalings_, model.coef_
    model.fit(*TWO)
    assert (model.scalings_, model.coef_) != before and len(model.coef_) == 1


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"priors": [0.5, 0.5]}, "priors"),
        ({"priors": [0.5, 0.5, 0.5]}, "sum is 1"),
        ({"costs": [[0, 1], [1, 0]]}, "costs"),
        ({"divisor": "n-1"}, "divisor"),
        ({"cutpoint": "median"}, "cutpoint"),
        ({"n_components": 3}, "n_components"),
        ({"n_components": 0}, "n_components"),
        ({"n_components": True}, "n_components"),
        ({"pseudo_inverse": 1}, "pseudo_inverse"),
        ({"arithmetic": "double"}, "arithmetic"),
    ],
)
def test_bad_parameters_are_refused(options, match):
    """One line says which parameter needed what."""
    with pytest.raises(InvalidInput, match=match):
        LDA(**options).fit(X, Y)


def test_nothing_is_said_before_a_fit():
    """Predictions and attributes require a fit first."""
    model = LDA()
    for ask in (lambda: model.predict(X), lambda: model.transform(X), lambda: model.coef_, lambda: model.condition_):
        with pytest.raises(InvalidInput, match="call fit first"):
            ask()


def test_rows_of_another_width_are_refused():
    """Predicting needs as many columns as were fitted."""
    with pytest.raises(InvalidInput, match="2 numbers"):
        LDA().fit(X, Y).predict([[1, 2, 3]])


@pytest.mark.parametrize("work", [0, cutpoint.WORK])
def test_the_empirical_cut_is_that_of_fractions_also_where_it_is_sought_in_doubles(monkeypatch, work):
    """Above the work for fractions the cut is in the same gap of the scores, in the middle  [ESL-4.3-cutpoint]."""
    exact = LDA(cutpoint="empirical", arithmetic="exact").fit(*TWO)
    monkeypatch.setattr(cutpoint, "WORK", work)
    found = LDA(cutpoint="empirical").fit(*TWO)
    assert found.predict(TWO[0]) == exact.predict(TWO[0])
    assert found.intercept_[0] == pytest.approx(float(exact.intercept_[0]), rel=1e-12)


def test_the_empirical_cut_of_dependent_columns_is_that_of_those_that_count():
    """A column given twice, and the pseudo-inverse: the labels of the column alone  [ESL-4.3-cutpoint]."""
    X, y = [[x] for x in (0, 1, 2, 5, 3, 6, 7, 9)], list("aaaabbbb")
    once, twice = (LDA(cutpoint="empirical", pseudo_inverse=copies > 1) for copies in (1, 2))
    assert twice.fit([x * 2 for x in X], y).predict([x * 2 for x in X]) == once.fit(X, y).predict(X)
