"""The vowel data by regressions, mixtures, trees, networks and neighbours: the rest of the table that is printed.

What agrees with R's mda, what with the printed table, and what does not, is in spec/decisions/0006.
"""

import pytest

import refclass
from refclass.discriminants.comparators import rbf_network
from refclass.number.binary64 import BINARY64
from refclass.report.tables.vowel import by_bruto
from refclass.sample import data
from tests.golden.cases import DATA
from tests.golden.test_vowel import errors, fitted, vowel
from tests.report import drawings


def by_fit(model):
    """Return the training and test errors of the largest fitted indicator."""
    return tuple(sum(a != b for a, b in zip(model.predict_softmax(X), y)) for X, y in vowel())


def shares(counts):
    """Return training and test errors as the table prints them."""
    return round(counts[0] / 528, 2), round(counts[1] / 462, 2)


@pytest.mark.slow
def test_degree_two_polynomials_err_as_r_has_it():
    """FDA on all monomials of degree two: 12 of 528 and 203 of 462  [FDA-POLY.P2] [M-YANG-T12.3] [YANG-T12.3]."""
    model = fitted(refclass.FlexibleDiscriminantAnalysis(regression={"name": "polynomial", "degree": 2}))
    assert errors(model) == (12, 203)
    assert errors(model.reduced(10)) == (12, 203) and errors(model.reduced(2)) == (73, 261)


def test_the_nearest_neighbour_errs_as_printed():
    """One neighbour, raw inputs: none of 528 and 202 of 462, printed .44  [CMP-KNN] [M-YANG-T12.3] [YANG-T12.3]."""
    counts = errors(fitted(refclass.NearestNeighbors()))
    assert counts == (0, 202) and shares(counts)[1] == 0.44


def test_the_single_layer_perceptron_errs_as_the_indicators_do():
    """308 of 462, printed .67: linear outputs trained to their end are regression on indicators
    [CMP-SLP] [INDREG.P3] [M-YANG-T12.3] [YANG-T12.3].
    """
    counts = errors(fitted(refclass.Perceptron()))
    assert counts == (252, 308) and shares(counts)[1] == 0.67


@pytest.mark.slow
def test_trees_err_nearly_as_printed():
    """Pruned to training errors of .04, where .05 is printed: .56 on the test set by single variables, near .54 by
    combinations, better than by single ones  [CMP-CART] [CMP-CART-LC] [M-YANG-T12.3] [YANG-T12.3].
    """
    plain = fitted(refclass.ClassificationTree(ccp_alpha="1/500"))
    assert errors(plain) == (22, 259) and shares((22, 259)) == (0.04, 0.56)
    slanting = fitted(refclass.ClassificationTree(combinations=True, ccp_alpha="3/1000"))
    train, test = errors(slanting)
    assert 0.02 < train / 528 < 0.07 and 0.46 < test / 462 < 0.56 and test < 259
    assert errors(plain.pruned(0)) == (0, 249)


@pytest.mark.long
def test_mixtures_err_within_the_range_of_the_table():
    """MDA with three subclasses, the best of three starts by likelihood: training errors below LDA's, test errors
    between .39 and .50, the table's best and its nearest competitors' worst  [MDA-POST] [M-YANG-T12.3].
    """
    model = fitted(refclass.MixtureDiscriminantAnalysis(subclasses=3, restarts=3))
    train, test = errors(model)
    assert train < 167 and 0.39 < test / 462 < 0.50
    assert model.certificate_.status == "stationary"
    assert model.log_likelihood_ == max(model.start_log_likelihoods_)


@pytest.mark.thorough
def test_mars_by_mdas_search_errs_as_r_has_it():
    """R's mda 0.5-3 with its defaults: 133 and 235 errors in degree 1, 113 and 239 in degree 2, in every number of
    coordinates the same, and the GCV to 13 digits  [FDA-MARS.P1] [FDA-REDDIM.P1] [M-YANG-T12.3] [YANG-T12.3].
    """
    one = fitted(refclass.FlexibleDiscriminantAnalysis(regression={"name": "mars", "search": "mda"}))
    assert errors(one) == (133, 235)
    assert [errors(one.reduced(d))[1] for d in range(1, 11)] == [344, 217, 213, 217, 228, 238, 238, 239, 239, 235]
    assert abs(one._model.regression.gcv - 0.641512413912792) < 1e-13
    two = fitted(refclass.FlexibleDiscriminantAnalysis(regression={"name": "mars", "degree": 2, "search": "mda"}))
    assert errors(two) == (113, 239)
    assert [errors(two.reduced(d))[1] for d in range(1, 11)] == [324, 257, 249, 244, 244, 238, 242, 240, 240, 239]
    assert abs(two._model.regression.gcv - 0.629184097567475) < 1e-13
    assert all(len(term) <= 1 for term in one._model.regression.terms)


def mars(degree, terms):
    """Return flexible discriminants on splines found by mda's search."""
    regression = {"name": "mars", "degree": degree, "max_terms": terms, "search": "mda"}
    return fitted(refclass.FlexibleDiscriminantAnalysis(regression=regression))


@pytest.mark.long
def test_mars_by_mdas_search_with_51_terms_errs_as_printed():
    """Degree 1: .10 and .45, printed .09 and .45  [M-YANG-T12.3] [YANG-T12.3]."""
    assert shares(errors(mars(1, 51))) == (0.10, 0.45)


@pytest.mark.thorough
def test_mars_by_mdas_search_with_100_terms_errs_as_r_has_it():
    """Degree 1: 31 and 233 errors, as R. Degree 2: 14 and 194 errors, .03 and .42 for the printed .02 and .42, and
    .396 in seven coordinates for .39 in six  [M-YANG-T12.3] [YANG-T12.3].
    """
    assert errors(mars(1, 100)) == (31, 233)
    two = mars(2, 100)
    assert errors(two) == (14, 194) and shares((14, 194)) == (0.03, 0.42)
    assert [errors(two.reduced(d))[1] for d in range(1, 11)] == [316, 213, 218, 189, 187, 190, 183, 193, 197, 194]


@pytest.mark.long
def test_mars_errs_near_what_r_has():
    """Degree 1, R's settings: R's own search has 133 and 235, the exact search within a tenth; its coordinates are
    ordered, and two do best on the test set, as printed  [FDA-MARS.P1] [FDA-REDDIM.P1] [M-YANG-T12.3] [YANG-T12.3].
    """
    regression = {"name": "mars", "degree": 1, "max_terms": 21, "penalty": 2}
    model = fitted(refclass.FlexibleDiscriminantAnalysis(regression=regression))
    train, test = errors(model)
    assert abs(train - 133) <= 13 and abs(test - 235) <= 24
    by_dimension = [errors(model.reduced(d))[1] for d in range(1, 11)]
    assert min(by_dimension[1:3]) == min(by_dimension)
    assert by_fit(model)[1] > test


@pytest.mark.thorough
def test_mars_with_more_terms_errs_near_what_is_printed():
    """Degree 1 with 60 terms: training .11 for a printed .09, argmax .16 for .14; degree 2 with R's settings within a
    tenth of R's test errors, 239; with 60 terms it comes below .05 on the training set, printed .02
    [M-YANG-T12.3] [YANG-T12.3].
    """
    one = fitted(refclass.FlexibleDiscriminantAnalysis(regression={"name": "mars", "max_terms": 60}))
    assert abs(errors(one)[0] / 528 - 0.09) < 0.03 and abs(by_fit(one)[0] / 528 - 0.14) < 0.03
    assert abs(errors(one)[1] / 462 - 0.45) < 0.05
    two = fitted(refclass.FlexibleDiscriminantAnalysis(regression={"name": "mars", "degree": 2, "penalty": 2}))
    assert abs(errors(two)[1] - 239) <= 24 and errors(two)[0] <= 1.3 * 113


def clear_errors(model):
    """Return the errors at points whose own class is less probable than another by more than 1/500."""
    of = model.classes_.index
    return tuple(sum(max(row) - row[of(t)] > 1 / 500 for row, t in zip(model.predict_proba(X), y)) for X, y in vowel())


@pytest.mark.thorough
def test_bruto_errs_as_printed():
    """FDA/BRUTO: 34 of 528 and 205 of 462, printed .06 and .44. R has 206, and 204 with a tighter tolerance: 203 to 206
    are one answer, row 235 being one of the points whose two largest posteriors are equal within 1/500. The GCV, which
    both minimise, is at most R's .59399. With nine coordinates 34 and 206, not counting a training and a test point
    whose own class is within 1/500 of the most probable: they turn with the last digits of the GCV. The argmax line is
    58 and 233, R's and the printed .11 and .50  [FDA-BRUTO.P2] [SOFTMAX-FIT.P2] [M-YANG-T12.3] [M-YANG-F12.10]
    [YANG-T12.3] [GAP-14].
    """
    vowel()
    model = by_bruto(str(DATA))
    assert errors(model) == (34, 205) and shares((34, 205)) == (0.06, 0.44)
    assert model._model.regression.gcv <= 0.59399
    assert clear_errors(model.reduced(9)) == (34, 206) and errors(model.reduced(9))[1] <= 207
    (_, _), (Z, t) = vowel()
    (row,) = model.predict_proba([Z[235]])
    first, second = sorted(range(11), key=lambda k: -row[k])[:2]
    assert row[first] - row[second] < 1 / 500
    assert {model.classes_[first], model.classes_[second]} >= {t[235]}
    assert by_fit(model) == (58, 233) and shares(by_fit(model)) == (0.11, 0.50)
    lines = fitted(refclass.LinearDiscriminantAnalysis())
    assert model.eigenvalues_[0] / (1 - model.eigenvalues_[0]) > lines.eigenvalues_[0]


@pytest.mark.thorough
def test_the_figure_of_both_methods_shows_what_it_says():
    """LDA's and FDA/BRUTO's coordinates as all figures are tested, here for BRUTO to be fitted once
    [M-YANG-F12.10] [FDA-BRUTO.P2].
    """
    drawings.holds("flexible_vowels")


@pytest.mark.thorough
def test_networks_err_near_what_is_printed():
    """88 hidden units, stopped early: at most the printed .49; 528 Gaussian nodes, wide ones: .45 as printed
    [CMP-MLP] [CMP-GNN] [M-YANG-T12.3] [YANG-T12.3].
    """
    network = fitted(refclass.NeuralNetwork(hidden=88, penalty=1, max_iter=15))
    assert errors(network)[1] / 462 <= 0.49 and errors(network)[0] / 528 < 0.10
    sample = data.read(BINARY64, *vowel()[0])
    wide = fitted(refclass.GaussianNodeNetwork(gamma=rbf_network.scale(sample) / 2, penalty=0.01))
    assert shares(errors(wide))[1] == 0.45 and len(wide.output_coef_[0]) == 528
