"""The best rule for normal classes whose parameters are known, and how often it errs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Optional, Union

from refclass.discriminants.decision import crossings, risk
from refclass.discriminants.gaussian import lda, qda
from refclass.errors import NoAnswer, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector, dot
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import THRESHOLD
from refclass.sample import metric
from refclass.sample.metric import Metric

Model = Union[lda.Model, qda.Model]
DIGITS = 17  # of a double
SEEN = 2**33  # one over the error of a score, or its part of a difference, that is left to roundoff


def exponent(x: Vector, mean1: Vector, mean2: Vector, shared: Metric) -> Number:
    """Return log f₁(x) − log f₂(x) for normal classes with one covariance, as a difference of distances  [KIM-2.20].

        −½ (x − μ₁)ᵀΣ⁻¹(x − μ₁) + ½ (x − μ₂)ᵀΣ⁻¹(x − μ₂)

    Exact     yes
    """
    return (shared.squared(x - mean2) - shared.squared(x - mean1)) / 2


def linear(x: Vector, mean1: Vector, mean2: Vector, shared: Metric) -> Number:
    """Return the same, multiplied out: what is quadratic in x cancels  [KIM-2.26] [KIM-2.25] [ESL-4.9].

        L(x) = (μ₁ − μ₂)ᵀΣ⁻¹x − ½ (μ₁ − μ₂)ᵀΣ⁻¹(μ₁ + μ₂)

    Exact     yes
    """
    direction = shared.solve(mean1 - mean2)
    return direction @ x - direction @ (mean1 + mean2) / 2


def steps(x: Vector, mean1: Vector, mean2: Vector, shared: Metric) -> list[Number]:
    """Return every line of the derivation of `linear` from `exponent`; all are equal  [KIM-2.20] … [KIM-2.26].

    Exact     yes
    """
    u1, u2, ux = shared.solve(mean1), shared.solve(mean2), shared.solve(x)
    return [
        exponent(x, mean1, mean2, shared),  # [KIM-2.20]
        ((ux - u2) @ (x - mean2) - (ux - u1) @ (x - mean1)) / 2,  # [KIM-2.21]
        (-(ux @ mean2) - u2 @ x + u2 @ mean2 + ux @ mean1 + u1 @ x - u1 @ mean1) / 2,  # [KIM-2.22]
        (-2 * (u2 @ x) + u2 @ mean2 + 2 * (u1 @ x) - u1 @ mean1) / 2,  # [KIM-2.23] [KIM-2.24] [KIM-2.25]
        linear(x, mean1, mean2, shared),  # [KIM-2.26]
    ]


def rule(F: Field, priors: Vector, means: Matrix, metrics: Sequence[Metric], costs: Optional[Matrix] = None) -> Model:
    """Return the rule of least expected cost: one metric, or one for each class  [KIM-2.18] [KIM-2.19] [KIM-Thm2.1.2].

    Exact     yes, where F is
    """
    if len(metrics) == 1:
        return lda.rule(F, priors, means, metrics[0], costs)
    return qda.rule(F, priors, means, metrics, costs)


def coarse(F: Field, model: Model, rows: Sequence[Vector]) -> list[int]:
    """Return the numbers of the rows where roundoff may be seen in the posteriors, as far from zero.

    Method: with t and u the lengths of x and of the means in Mahalanobis's metric, from zero, scores with one
    covariance err by less than 2(p + 4) eps t·u, those with several by (p + 4) eps t times the distance of x from a
    mean; that is to be less than 2⁻³³ of 1, and of the difference of the largest two.
    """
    if F.exact:
        return []
    metrics = [model.metric] if isinstance(model, lda.Model) else model.metrics
    middle = [max(map(abs, column)) for column in model.means.T]
    units = [[F.sqrt(dot(z, z.times(known.weights))) for z in known.rows.T] for known in metrics]
    share = (len(middle) + 4) * F.sqrt(F.lift(len(middle))) * F.eps

    def length(x: Sequence[Number]) -> Number:
        return max(sum(u * (abs(v) + c) for u, v, c in zip(own, x, middle)) for own in units)

    zero, widest = [0 * c for c in middle], [max(map(abs, column)) for column in zip(*rows)]
    means = length(zero)
    if share * SEEN * 2 * means * length(widest) <= 1:
        return []
    found = []
    for i, x in enumerate(rows):
        scores = sorted(model.scores(x))
        reach = 2 * means if isinstance(model, lda.Model) else F.sqrt(2 * max(map(abs, model.exponents(x))))
        if not share * SEEN * length(x) * reach <= max(scores[-1] - scores[-2], 1):
            found.append(i)
    return found


def misclassification(F: Field, model: Model) -> Matrix:
    """Return P(i|j), the probability that a point of class j is given to class i  [KIM-2.1] [KIM-2.2].

    In closed form: for two classes with one covariance [KIM-Thm2.1.2]; for any number of classes in one variable,
    where each class gets a union of intervals: their ends are roots of parabolas or, with costs of more than two
    classes, of sums of the densities, isolated and found to the digits of F.

    Raises    NoAnswer where no closed form is known here; NotExact where the answer is irrational
    """
    K, p = model.means.shape
    if isinstance(model, lda.Model) and K == 2:
        d = model.means[0] - model.means[1]
        return risk.two_normals(F, model.metric.squared(d), log_threshold(F, model))
    if p == 1:
        return _on_the_line(F, model)
    need = "one variable, or two classes with one covariance"
    raise NoAnswer("bayes", need=need, got=f"{K} classes in {p} variables")


def log_threshold(F: Field, model: Model) -> Number:
    """Return what L(x) must exceed for the first of two classes  [KIM-Thm2.1.2].

    ln [(c(1|2)/c(2|1)) (p₂/p₁)]
    """
    costs, priors = model.weighing.costs, model.priors
    ratio = priors[1] / priors[0]
    return F.log(ratio if costs is None else ratio * _cost_ratio(costs))


def _cost_ratio(costs: Matrix) -> Number:
    return costs[0][1] / costs[1][0]


def nearness(F: Field, model: Model) -> Number:
    """Return how near two parabolas in one variable are to touching: the least b² − 4ac over the size of its terms.

    With costs of more than two classes ends are no roots of parabolas: one.
    """
    if len(model.means[0]) > 1 or isinstance(model, lda.Model) or (model.weighing.costs and len(model.means) > 2):
        return F.kind(1)
    _, _, curves, shift = _curves(F, _standardised(F, model))
    pairs = [_square(one, other, shift) for k, one in enumerate(curves) for other in curves[:k]]
    return min([F.kind(1), *(abs(square) / size for square, size in pairs if size)])


def _square(one: Sequence[Number], other: Sequence[Number], shift: Number) -> tuple[Number, Number]:
    """Return b² − 4ac of the difference of two parabolas, and what its roundoff is a part of; zeros where a is zero."""
    a, b, c = (u - v for u, v in zip(other, one))
    sizes = [abs(u) + abs(v) for u, v in zip(other, one)]
    if a == 0:
        return a, a
    bulk = 2 * abs(b) * sizes[1] + 4 * abs(c - shift) * sizes[0] + 4 * abs(a) * (1 + sizes[2] + abs(shift))
    return b * b - 4 * a * (c - shift), bulk


def _curves(F: Field, model: Model) -> tuple[Vector, list[Number], list[tuple[Number, Number, Number]], Number]:
    """Return the means of one variable, the variances, the exponents, and by how much the first class is preferred."""
    K, metrics = len(model.means), [model.metric] if isinstance(model, lda.Model) else model.metrics
    variances = [known.matrix[0][0] for known in metrics] * (K if len(metrics) == 1 else 1)
    means = Vector.of([mu[0] for mu in model.means])
    curves = [_parabola(mu, v, c) for mu, v, c in zip(means, variances, model.weighing.offsets())]
    return means, variances, curves, model.weighing.preference()


def _on_the_line(F: Field, model: Model) -> Matrix:
    """Return P(i|j) in one variable, from the ends of the intervals that the classes get."""
    model = _standardised(F, model)
    K, costs = len(model.means), model.weighing.costs
    means, variances, curves, shift = _curves(F, model)
    if costs is not None and K > 2:
        ordered = _costly_ends(F, curves, costs)
        decisions = [model.decide(Vector.of([x])).classes[0] for x in _between(F, ordered, [])]
        return risk.intervals(F, means, Vector.of(map(F.sqrt, variances)), ordered, decisions)
    ends, touching = set[Number](), list[Number]()
    for k in range(K):
        for j in range(k):
            a, b, c = (u - v for u, v in zip(curves[j], curves[k]))
            square, bulk = _square(curves[k], curves[j], shift)
            if bulk and abs(square) <= THRESHOLD * F.eps * bulk:  # Premise: an interval that no digit shows is a point.
                touching.append(-b / (2 * a))
                continue
            ends.update(_roots(F, a, b, c - shift))
    ordered = sorted(ends)
    decisions = [model.decide(Vector.of([x])).classes[0] for x in _between(F, ordered, touching)]
    return risk.intervals(F, means, Vector.of(map(F.sqrt, variances)), ordered, decisions)


def _standardised(F: Field, model: Model) -> Model:
    """Return the rule in a variable measured from the first mean, in units of about the largest standard deviation.

    The probabilities are the same; parabolas about zero would lose the digits in which means exceed what they differ
    by. The unit is a power of two, and the differences are taken from the means as given.

    Exact     yes
    """
    metrics = [model.metric] if isinstance(model, lda.Model) else model.metrics
    variances = [rational(known.matrix[0][0]) for known in metrics]
    above, below = max(variances).as_integer_ratio()
    unit = Fraction(2) ** ((above.bit_length() - below.bit_length()) // 2)
    means = [mu.exactly()[0] if isinstance(mu, Rounded) else rational(mu[0]) for mu in model.means]
    moved = Matrix.of([Vector.of([F.lift((mu - means[0]) / unit)]) for mu in means])
    scaled = [metric.factor(F, Matrix.of([Vector.of([F.lift(v / unit / unit)])])) for v in variances]
    return rule(F, model.priors, moved, scaled, model.weighing.costs)


def _costly_ends(F: Field, curves: Sequence[tuple[Number, Number, Number]], costs: Matrix) -> list[Number]:
    """Return where two classes cost the same: Σⱼ (c(i|j) − c(k|j)) πⱼfⱼ(x) = 0, for every pair i, k.

    In decimals of twice the digits of F, whose range no density leaves.  Raises NotExact in an exact field.
    """
    if F.exact:
        raise NotExact("bayes", need="roots of sums of densities", got=F.name)
    D = decimal(2 * (getattr(F.kind, "precision", None) or DIGITS))
    lifted = [[D.lift(v) for v in curve] for curve in curves]
    found: set[Number] = set()
    for i in range(len(costs)):
        for k in range(i):
            gains = [D.lift(a) - D.lift(b) for a, b in zip(costs[i], costs[k])]
            terms = [crossings.term([gain], (c, b, a)) for gain, (a, b, c) in zip(gains, lifted)]
            found.update(map(F.lift, crossings.roots(D, terms)))
    return sorted(found)


def _parabola(mu: Number, variance: Number, c: Number) -> tuple[Number, Number, Number]:
    """Return the coefficients, of x², x and 1, of −½ (x − μ)²/σ² + c."""
    return -1 / (2 * variance), mu / variance, c - mu * mu / (2 * variance)


def _roots(F: Field, a: Number, b: Number, c: Number) -> list[Number]:
    """Return the real roots of a x² + b x + c, none where it is constant."""
    size = max(abs(a), abs(b), abs(c))
    if size != 0:
        a, b, c = a / size, b / size, c / size
    if a == 0:
        return [] if b == 0 else [-c / b]
    square = b * b - 4 * a * c
    if square < 0:
        return []
    # Method: the root that needs no difference first, the other one from their product c/a.
    root = F.sqrt(square)
    q = -(b + root) / 2 if b > 0 else -(b - root) / 2
    return [q / a] if q == 0 else [q / a, c / q]


def _between(F: Field, ends: Sequence[Number], touching: Sequence[Number]) -> list[Number]:
    """Return a point inside each interval that the ends make, away from points where parabolas touch."""
    outer = [ends[0] - 2, *ends, ends[-1] + 2] if ends else [F.kind(-1), F.kind(1)]
    parts = len(touching) + 2
    tried = [[a + (b - a) * i / parts for i in range(1, parts)] for a, b in zip(outer, outer[1:])]
    return [max(own, key=lambda x: min([abs(x - t) for t in touching], default=0)) for own in tried]
