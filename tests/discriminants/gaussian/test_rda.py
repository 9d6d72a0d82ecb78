"""Regularised discriminants: shrinking, its corners, and what it keeps."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.gaussian import fisher, lda, qda, rda
from refclass.errors import NoAnswer
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.number.rational import RATIONAL
from refclass.sample import covariance
from refclass.sample.mean import class_means
from tests.discriminants.samples import exact, few, matrix, regular
from tests.strategies import vectors

shares = st.builds(Fraction, st.integers(0, 4), st.just(4))
own = regular(classes=2, p=2, per_class=(4, 5), own=True)


def fitted(sample, alpha, gamma, **options):
    """Return the regularised rule with fractions for its parameters."""
    return rda.fit(RATIONAL, sample, alpha=Fraction(alpha), gamma=Fraction(gamma), **options)


@few
@given(own, vectors(2), shares)
def test_the_corners_are_the_quadratic_and_the_linear_rule(sample, x, gamma):
    """α = 1 is QDA whatever γ, α = 0 with γ = 1 is LDA
    [RDA-A.P1] [RDA-G.P1] [RDA-AG.P2] [ESL-4.13] [ESL-4.14] [RC-8].
    """
    quadratic, corner = qda.fit(RATIONAL, sample), fitted(sample, 1, gamma)
    assert (corner.metrics, corner.decide(x)) == (quadratic.metrics, quadratic.decide(x))
    assert fitted(sample, 0, 1).decide(x) == lda.fit(RATIONAL, sample).decide(x)


@few
@given(regular(classes=3), st.data())
def test_without_shape_the_nearest_centroid_remains(sample, more):
    """γ = 0, α = 0 and equal priors give the nearest centroid in Euclidean distance, whatever σ̂² is
    [RDA-G.P1] [ESL-4.14] [RC-8].
    """
    x = more.draw(vectors(sample.p))
    model = fitted(sample, 0, 0, priors=fisher.equal_priors(sample))
    d = [(x - mu) @ (x - mu) for mu in class_means(sample)]
    assert model.decide(x).classes == tuple(k for k, v in enumerate(d) if v == min(d))


@given(regular(classes=2, p=3), shares)
def test_shrinking_to_a_scalar_keeps_trace_and_eigenvectors(sample, gamma):
    """tr Σ̂(γ) = tr Σ̂, and Σ̂(γ) commutes with Σ̂: the same eigenvectors, eigenvalues γd + (1 − γ)σ̂²
    [RDA-G.P2] [RDA-G.P3] [ESL-4.14].
    """
    S = covariance.pooled(sample)
    shrunk = rda.toward_scalar(S, gamma)
    assert shrunk.trace() == S.trace()
    assert shrunk @ S == S @ shrunk
    scalar = S.trace() / 3
    assert shrunk == gamma * S + (1 - gamma) * scalar * Matrix.identity(3, Fraction)


@given(regular(classes=3, per_class=(2, 3)), st.integers(0, 3).map(lambda k: Fraction(k, 4)))
def test_shrinking_toward_a_regular_covariance_makes_regular_ones(sample, alpha):
    """α < 1 and Σ̂ positive definite make every Σ̂ₖ(α) positive definite, also where nₖ ≤ p  [RDA-A.P2] [ESL-4.13]."""
    S = covariance.pooled(sample)
    for own_covariance in covariance.of_classes(sample):
        assert ldl.factor(rda.toward_pooled(own_covariance, S, alpha)).inertia == (sample.p, 0, 0)


@given(regular(classes=2, p=2), shares, shares)
def test_the_family_holds_both_one_parameter_families(sample, alpha, gamma):
    """Σ̂ₖ(α, 1) = Σ̂ₖ(α), Σ̂ₖ(0, γ) = Σ̂(γ)  [RDA-AG.P1] [ESL-4.3.1-family]."""
    S, own_covariances = covariance.pooled(sample), covariance.of_classes(sample)
    one = Fraction(1)
    assert rda.covariances(sample, alpha, one) == [rda.toward_pooled(c, S, alpha) for c in own_covariances]
    assert rda.covariances(sample, Fraction(0), gamma) == [rda.toward_scalar(S, gamma)] * 2
    both = rda.covariances(sample, alpha, gamma)
    assert both == [rda.toward_pooled(c, rda.toward_scalar(S, gamma), alpha) for c in own_covariances]


def test_shrinking_agrees_with_paper():
    """Variances 2 and 32, pooled 17: at α = ½ they are 19/2 and 49/2."""
    sample = exact([[0], [2], [4], [12]], list("aabb"))
    assert rda.covariances(sample, Fraction(1, 2), Fraction(1)) == [matrix(["19/2"]), matrix(["49/2"])]


def test_a_class_of_one_will_do_without_its_own_covariance():
    """At α = 0 a class of one observation is no obstacle; at α > 0 it is refused."""
    sample = exact([[0], [2], [4], [9]], list("aaab"))
    assert fitted(sample, 0, 1).metrics[0].rank == 1
    with pytest.raises(NoAnswer, match="label=b"):
        fitted(sample, "1/2", 1)


def test_a_singular_shrunken_covariance_is_refused_by_name():
    """At α = 1 a class on a line is refused; at α < 1 it is not  [RDA-A.P2]."""
    sample = exact([[0, 0], [1, 1], [2, 2], [5, 1], [6, 3], [7, 0]], list("aaabbb"))
    with pytest.raises(NoAnswer, match="label=a"):
        fitted(sample, 1, 1)
    assert fitted(sample, "9/10", 1).metrics[0].rank == 2
