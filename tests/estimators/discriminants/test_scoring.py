"""OptimalScoring."""

import pytest

from refclass import LinearDiscriminantAnalysis, OptimalScoring
from refclass.errors import InvalidInput, NotExact
from tests.discriminants.gaussian.test_fisher import many
from tests.discriminants.samples import PLANE

X, Y = many()


def test_labels_are_those_of_linear_discriminants():
    """The nearest mean in the space of fits is the linear rule with Σ̂ = W/n, posteriors and all  [OS-LDA.P1]."""
    for priors in (None, [0.4, 0.3, 0.1, 0.1, 0.1]):
        model = OptimalScoring(priors=priors).fit(X, Y)
        linear = LinearDiscriminantAnalysis(divisor="n", priors=priors).fit(X, Y)
        assert model.predict(X) == linear.predict(X)
        for p, q in zip(model.predict_proba(X), linear.predict_proba(X)):
            assert all(abs(a - b) < 1e-11 for a, b in zip(p, q))


def test_weights_make_the_variates():
    """transform is η√w, of variance one within the classes for W/n; centroids_ are its class means
    [OS-LDA.P2] [YANG-connection-with-lda].
    """
    model = OptimalScoring().fit(X, Y)
    for w, mu in zip(model.weights_, model.eigenvalues_):
        assert abs(w * mu * (1 - mu) - 1) < 1e-12
    Z = model.transform(X)
    for k, centre in enumerate(model.centroids_):
        members = [z for z, g in zip(Z, Y) if g == k]
        assert all(abs(sum(c) / len(members) - m) < 1e-11 for c, m in zip(zip(*members), centre))
    for j in range(len(model.weights_)):
        within = sum((z[j] - model.centroids_[g][j]) ** 2 for z, g in zip(Z, Y)) / len(X)
        assert abs(within - 1) < 1e-11


def test_both_routes_give_the_same_answer():
    """A constant in the regression or centred rows: scores, values, coefficients and intercepts agree  [OS-EIG.P3]."""
    a, b = (OptimalScoring(intercept=v).fit(X, Y) for v in (True, False))
    for name in ("scores_", "coef_", "centroids_"):
        assert all(abs(u - v) < 1e-10 for r, s in zip(getattr(a, name), getattr(b, name)) for u, v in zip(r, s))
    for name in ("eigenvalues_", "intercept_"):
        assert all(abs(u - v) < 1e-10 for u, v in zip(getattr(a, name), getattr(b, name)))


def test_fewer_scores_are_the_leading_ones():
    """n_components keeps the first scores; three is all that three variables explain."""
    full, one = OptimalScoring().fit(X, Y), OptimalScoring(n_components=1).fit(X, Y)
    assert one.eigenvalues_ == full.eigenvalues_[:1] and [row[:1] for row in full.scores_] == one.scores_
    assert len(OptimalScoring(n_components=4).fit(X, Y).eigenvalues_) == len(full.eigenvalues_) == 3
    with pytest.raises(InvalidInput, match="n_components"):
        OptimalScoring(n_components=5).fit(X, Y)


def test_decimals_agree_and_exact_needs_roots():
    """Thirty digits agree with doubles; exact arithmetic refuses irrational roots."""
    a, b = (OptimalScoring(arithmetic=name).fit(*PLANE) for name in ("float", "decimal:30"))
    assert all(abs(u - float(v)) < 1e-12 for u, v in zip(a.eigenvalues_, b.eigenvalues_))
    with pytest.raises(NotExact):
        OptimalScoring(arithmetic="exact").fit(*PLANE)


def test_the_certificate_says_how_far_the_eigenproblem_fails():
    """certificate_ holds the worst failure of the defining equations, exactly."""
    found = OptimalScoring().fit(X, Y).certificate_
    assert found.digits > 13 and 0 < found.worst_violation < 1e-12 and found.where
