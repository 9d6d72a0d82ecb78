"""Samples for discriminants: exact ones whose covariances are regular, and some that are checked on paper."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from refclass.sample import covariance, data, metric
from refclass.sample.observations import Sample
from tests.profiles import examples
from tests.strategies import integers, samples

few = settings(max_examples=examples(15))  # a law of models is a law of many numbers: few samples do for most


def exact(rows, labels, weights=None):
    """Return a sample over the fractions."""
    return data.read(RATIONAL, rows, labels, weights)


def over(F, sample):
    """Return a sample over another field."""
    X = Matrix([[F.lift(v) for v in x] for x in sample.X])
    return Sample(X, sample.labels, sample.classes, Vector([F.lift(w) for w in sample.weights]))


@st.composite
def regular(draw, classes=2, p=None, per_class=(3, 5), own=False, entries=integers):
    """Samples over the fractions whose pooled covariance (with `own`, whose class covariances) can be inverted."""
    sample = exact(*draw(samples(classes=classes, p=p, per_class=per_class, entries=entries)))
    try:
        for sigma in covariance.of_classes(sample) if own else [covariance.pooled(sample)]:
            metric.factor(RATIONAL, sigma)
    except NoAnswer:
        assume(False)
    return sample


def apart(sample):
    """Discard samples whose class means are all equal."""
    from refclass.sample.mean import class_means

    means = class_means(sample)
    assume(any(m != means[0] for m in means))
    return means


def vector(*entries):
    """Return a vector of fractions."""
    return Vector([Fraction(v) for v in entries])


def matrix(*rows):
    """Return a matrix of fractions."""
    return Matrix([[Fraction(v) for v in row] for row in rows])


def multiple(a, b):
    """Return whether a is a multiple of b, exactly: all 2 × 2 minors vanish, and neither is zero."""
    return any(a) and any(b) and all(a[i] * b[j] == a[j] * b[i] for i in range(len(a)) for j in range(i))


# Three classes in the plane that overlap, for floats and decimals.
PLANE = (
    [[0, 0], [1, 2], [2, 0], [3, 3], [1, 1], [5, 2], [2, 4], [4, 1], [5, 3], [6, 1], [3, 2], [5, 5], [2, 3], [1, 4],
     [2, 5], [0, 6], [3, 7], [4, 3], [2, 1]],
    [0] * 7 + [1] * 6 + [2] * 6,
)  # fmt: skip
