"""FlexibleDiscriminantAnalysis."""

from fractions import Fraction
from random import Random

import pytest

from refclass import BRUTO, MARS, FlexibleDiscriminantAnalysis, LinearDiscriminantAnalysis
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from tests.discriminants.samples import PLANE
from tests.profiles import examples

X, Y = PLANE
QUADRATIC = {"name": "polynomial", "degree": 2}


def test_what_is_fitted_is_there():
    """Eigenvalues fall, weights are 1/(μ(1 − μ)), coordinates have variance one within the classes and their class
    means for centroids, posteriors sum to one  [YANG-computation-of-fda] [YANG-connection-with-lda].
    """
    model = FlexibleDiscriminantAnalysis(regression=QUADRATIC).fit(X, Y)
    assert model.classes_ == [0, 1, 2] and sum(model.priors_) == pytest.approx(1)
    assert model.eigenvalues_ == sorted(model.eigenvalues_, reverse=True) and len(model.scores_) == 3
    for w, mu in zip(model.weights_, model.eigenvalues_):
        assert w * mu * (1 - mu) == pytest.approx(1)
    Z = model.transform(X)
    for j in range(2):
        inside = sum((z[j] - model.centroids_[g][j]) ** 2 for z, g in zip(Z, Y)) / len(X)
        assert inside == pytest.approx(1)
    for row, scores, label in zip(model.predict_proba(X), model.decision_function(X), model.predict(X)):
        assert sum(row) == pytest.approx(1) and row.index(max(row)) == scores.index(max(scores)) == label
    assert model.degrees_of_freedom_ == 6
    assert model.certificate_.worst_violation < 1e-13 and model.regression_certificate_.worst_violation < 1e-10


def test_the_two_ways_to_decide_differ():
    """The nearest centroid and the largest fitted indicator; the softmax of fits sums to one
    [SOFTMAX-FIT.P1] [SOFTMAX-FIT.P2].
    """
    model = FlexibleDiscriminantAnalysis(regression=QUADRATIC).fit(X, Y)
    said = model.predict_softmax(X)
    shares = model.softmax(X)
    assert said == [row.index(max(row)) for row in shares] != model.predict(X)
    assert all(sum(row) == pytest.approx(1) for row in shares)


def test_the_same_fit_has_fewer_coordinates():
    """`reduced(L)` is a fit with n_components=L without another regression; it does not change the full one
    [FDA-REDDIM.P1].
    """
    model = FlexibleDiscriminantAnalysis(regression=QUADRATIC, priors=[0.2, 0.3, 0.5]).fit(X, Y)
    before = model.predict_proba(X)
    one = model.reduced(1)
    want = FlexibleDiscriminantAnalysis(regression=QUADRATIC, priors=[0.2, 0.3, 0.5], n_components=1).fit(X, Y)
    assert one.predict_proba(X) == want.predict_proba(X) != before == model.predict_proba(X)
    assert model.reduced(2).predict(X) == model.predict(X) and one.n_components == 1
    assert one._model.regression is model._model.regression


def test_exact_labels_need_no_roots():
    """In exact arithmetic labels, ties and scores with equal priors; eigenvalues of two classes; the rest is refused
    when it is asked for, and fewer coordinates at once.
    """
    even = [Fraction(1, 3)] * 3
    model = FlexibleDiscriminantAnalysis(regression=QUADRATIC, priors=even, arithmetic="exact").fit(X, Y)
    rounded = FlexibleDiscriminantAnalysis(regression=QUADRATIC, priors=[1 / 3] * 3).fit(X, Y)
    assert model.predict(X) == rounded.predict(X)
    assert all(isinstance(v, Fraction) for v in model.decision_function(X)[0])
    for name in ("eigenvalues_", "scores_", "weights_", "centroids_"):
        with pytest.raises(NotExact):
            getattr(model, name)
    with pytest.raises(NotExact):
        model.transform(X)
    with pytest.raises(NotExact):
        model.reduced(1)
    two = FlexibleDiscriminantAnalysis(arithmetic="exact").fit(X, [int(g == 0) for g in Y])
    (mu,) = two.eigenvalues_
    want = FlexibleDiscriminantAnalysis().fit(X, [int(g == 0) for g in Y]).eigenvalues_[0]
    assert isinstance(mu, Fraction) and float(mu) == pytest.approx(want)
    assert model.certificate_.status == "optimal"


def test_decimals_have_their_digits():
    """Thirty digits agree with doubles; the regression runs in them, too."""
    hinges = MARS(threshold=0, penalty=0, max_terms=5)
    a, b = (FlexibleDiscriminantAnalysis(regression=hinges, arithmetic=name) for name in ("float", "decimal:30"))
    for u, v in zip(a.fit(X, Y).eigenvalues_, b.fit(X, Y).eigenvalues_):
        assert abs(u - float(v)) < 1e-11
    assert b.certificate_.worst_violation < 1e-25


def test_integer_weights_are_copies():
    """sample_weight 2 and 0 as two copies and none."""
    w = [i % 3 for i in range(19)]
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    a = FlexibleDiscriminantAnalysis(arithmetic="exact").fit(X, Y, sample_weight=w)
    b = FlexibleDiscriminantAnalysis(arithmetic="exact").fit([X[i] for i in copies], [Y[i] for i in copies])
    assert a.predict(X) == b.predict(X) and a.ties(X) == b.ties(X)


def test_the_iteration_tells_of_the_regression_and_fits():
    """BRUTO's and MARS's steps are described in words; at the end the estimator is fitted and returned."""
    rows = [[x, y, (3 * x + y) % 5] for x, y in X]
    for regression, word in ((BRUTO(cost=0.5), "bruto"), (MARS(threshold=0), "mars")):
        model = FlexibleDiscriminantAnalysis(regression=regression)
        run = model.fit_steps(rows, Y)
        reported = []
        while True:
            try:
                reported.append(next(run))
            except StopIteration as stop:
                assert stop.value is model
                break
            except NoAnswer:
                break
        assert len(reported) > 2 and all(words.startswith(word) for _, _, words in reported)
    plain = FlexibleDiscriminantAnalysis()
    assert list(plain.fit_steps(X, Y)) == [(0, 1, "linear_regression")] and plain.predict(X)


WRONG = [
    {"n_components": 3},
    {"n_components": 0},
    {"n_components": "2"},
    {"priors": [1, 2, 3]},
    {"regression": "forest"},
    {"regression": {"name": "polynomial", "degree": -1}},
    {"arithmetic": "single"},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_wrong_parameters_are_refused(wrong):
    """Before anything is fitted."""
    with pytest.raises(InvalidInput):
        FlexibleDiscriminantAnalysis(**wrong).fit(X, Y)


def test_bad_data_are_refused_with_their_place():
    """Rows that are ragged or no numbers, one class, no fit before predict; classes explained wholly are reported
    apart in doubles, and have no weights in fractions.
    """
    with pytest.raises(InvalidInput, match="row=1"):
        FlexibleDiscriminantAnalysis().fit([[1, 2], [1, float("nan")]], [0, 1])
    with pytest.raises(InvalidInput):
        FlexibleDiscriminantAnalysis().fit(X, [0] * 19)
    with pytest.raises(InvalidInput):
        FlexibleDiscriminantAnalysis().predict(X)
    wholly = [[0], [0], [1], [1]], [0, 0, 1, 1]
    with pytest.raises(NoAnswer):
        FlexibleDiscriminantAnalysis(arithmetic="exact").fit(*wholly)
    apart = FlexibleDiscriminantAnalysis().fit(*wholly)
    assert apart.predict([[0.2], [0.9]]) == [0, 1] and "explained wholly" in apart.certificate_.premise
    fitted = FlexibleDiscriminantAnalysis().fit(X, Y)
    assert "wholly" not in fitted.certificate_.premise
    with pytest.raises(InvalidInput):
        fitted.predict([[1]])
    assert fitted.score(X, Y) == LinearDiscriminantAnalysis(divisor="n").fit(X, Y).score(X, Y)


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_as_many_scores_are_held_as_the_classes_do_not_vary_along(arithmetic):
    """The scatter within has a rank less than that of all, in fractions: by as many scores, which count as explained
    but for roundoff; every row lies nearest to the mean of its own class  [YANG-fda].
    """
    for seed in range(examples(3)):
        rng = Random(seed)
        p, labels = rng.choice([2, 3]), [0, 0, 1, 2, 3]
        rows = [[Fraction(rng.randrange(-50, 50), 7) for _ in range(p)] for _ in labels]
        inner = fraction_free.rank(Matrix([[u - v for u, v in zip(rows[1], rows[0])]]))
        total = fraction_free.rank(Matrix([[u - v for u, v in zip(x, rows[0])] for x in rows[1:]]))
        model = FlexibleDiscriminantAnalysis(arithmetic=arithmetic).fit(rows, labels)
        assert sum(1 - mu < Fraction(1, 10**11) for mu in model.eigenvalues_) == total - inner > 0
        assert model.predict(rows) == labels and "explained wholly" in model.certificate_.premise


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_more_digits_are_not_tried_where_they_leave_a_score_explained_wholly(arithmetic):
    """BRUTO's curves through columns of three values: no fractions say what roundoff is, and no digits do."""
    steps = [(0, 0), (1, 0), (0, 1), (1, -1), (-1, 0), (0, 0), (1, 0), (0, 0), (1, 0), (0, 0), (1, 0), (1, 0)]
    labels = [int(x == 1 or z == 1) for x, z in steps]
    model = FlexibleDiscriminantAnalysis(regression="bruto", arithmetic=arithmetic).fit(steps, labels)
    assert model.predict(steps) == labels and "explained wholly" in model.certificate_.premise
