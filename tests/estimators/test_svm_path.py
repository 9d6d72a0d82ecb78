from fractions import Fraction

import pytest

from refclass import SVC, SVMPath
from refclass.errors import InvalidInput

X = [[4, 1], [1, 3], [0, 2], [3, 3], [2, -1], [-1, 1], [0, 0], [1, 1], [-2, 3]]
y = ["b", "b", "b", "b", "b", "a", "a", "a", "a"]


@pytest.mark.parametrize("kernel", ["linear", {"name": "polynomial", "degree": 2, "c": 1}])
def test_a_machine_of_the_path_is_the_classifier_of_its_cost(kernel):
    """at(λ) equals SVC with C = 1/λ, attribute by attribute, exactly [OPT-PATH.P2] [ESL-12.25]."""
    whole = SVMPath(kernel=kernel, arithmetic="exact").fit(X, y)
    for lam in (Fraction(1, 5), Fraction(2), whole.lambdas_[0] * 2):
        along = whole.at(lam)
        alone = SVC(C=1 / lam, kernel=kernel, arithmetic="exact").fit(X, y)
        assert along.objective_ == alone.objective_ == along.dual_objective_
        assert along.intercept_interval_ == alone.intercept_interval_
        assert along.decision_function(X) == alone.decision_function(X)
        assert along.certificate_.status == "optimal" and along.certificate_.gap == 0
        assert along.classes_ == ["a", "b"] and along.predict(X) == alone.predict(X)


def test_the_classifier_of_the_path_has_every_attribute_of_a_fitted_one():
    """What SVC.fit sets, at(λ) sets [ESL-12.34]."""
    machine = SVMPath().fit(X, y).at(0.5)
    for name in SVC.fitted:
        assert hasattr(machine, name)
    assert machine.C == 2 and machine.get_params()["kernel"] == "linear"


def test_the_three_arithmetics_agree():
    """Floats, fractions and decimals see the same events at the same λ [ESL-12.3.5-path]."""
    exact = SVMPath(arithmetic="exact").fit(X, y)
    floats, digits = SVMPath().fit(X, y), SVMPath(arithmetic="decimal:30").fit(X, y)
    assert exact.events_ == floats.events_ == digits.events_
    assert all(abs(float(a) - b) <= 1e-12 * b for a, b in zip(exact.lambdas_, floats.lambdas_))
    assert all(abs(a - Fraction(b)) <= a / 10**25 for a, b in zip(exact.lambdas_, digits.lambdas_))


def test_a_gaussian_kernel_in_exact_arithmetic_is_taken_at_its_binary_values():
    """The path of that Gram matrix is exact [OPT-PATH.P1]."""
    whole = SVMPath(kernel={"name": "gaussian", "gamma": 1}, arithmetic="exact").fit(X, y)
    assert all(type(lam) is Fraction for lam in whole.lambdas_)
    assert whole.at(whole.lambdas_[3]).certificate_.gap == 0


def test_a_precomputed_gram_matrix_gives_the_same_path():
    """The path needs the kernel's values only [ESL-12.34]."""
    G = [[sum(a * b for a, b in zip(u, v)) for v in X] for u in X]
    plain, given = SVMPath().fit(X, y), SVMPath(kernel="precomputed").fit(G, y)
    assert plain.lambdas_ == given.lambdas_ and plain.alphas_ == given.alphas_


@pytest.mark.parametrize("lam", [0, -1, float("nan"), float("inf"), "one"])
def test_a_lambda_that_is_no_positive_number_is_refused(lam):
    """λ is a finite number > 0 [ESL-12.25]."""
    with pytest.raises(InvalidInput, match="λ"):
        SVMPath().fit(X, y).at(lam)


def test_before_fit_there_is_no_machine():
    """at needs a fitted path [ESL-12.25]."""
    with pytest.raises(InvalidInput, match="fit"):
        SVMPath().at(1)


@pytest.mark.parametrize("labels, complaint", [(["a"] * 9, "two classes"), (list("abcabcabc"), "two classes")])
def test_other_than_two_classes_are_refused(labels, complaint):
    """The path is that of a two-class machine [ESL-12.3.5-path]."""
    with pytest.raises(InvalidInput, match=complaint):
        SVMPath().fit(X, labels)
