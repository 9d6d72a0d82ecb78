"""The questions of v1: run it to add those that are not published yet, then `python -m refclass vectors fill`.

Every number is one that a binary64 number and a decimal of a few digits hold alike. A row of a table below is a case:
(name, data set, parameters, flags, the mistake that it catches); options after it change the problem.
"""

from __future__ import annotations

import json
import pathlib

# fmt: off
FOLDER = pathlib.Path(__file__).resolve().parent / "v1"

# Two classes that overlap, and two that a line separates.
CLOUDS = ([[0, 0], [1, 0.5], [0.5, 2], [2, 1], [1.5, 0], [3, 2], [2, 3.5], [1, 1.5], [4, 2.5], [3, 0.5]], [0] * 5 + [1] * 5)
APART = ([[0, 0], [1, 0.5], [0.5, 1.5], [4, 3], [3.5, 4.5], [5, 4]], [0, 0, 0, 1, 1, 1])
# Three classes, of unequal sizes, and four balanced ones.
THREE = (
    [[0, 0], [1, 0.5], [0.5, 1], [0, 2], [3, 0], [4, 1], [3, 1.5], [1.5, 4], [2, 5], [0.5, 4.5], [2.5, 2], [1, 3]],
    ["a", "a", "a", "a", "b", "b", "b", "c", "c", "c", "b", "c"],
)
BALANCED = (THREE[0], ["a"] * 4 + ["b"] * 4 + ["c"] * 4)
FOUR = ([[0, 0], [0, 1], [1, 0], [4, 0], [5, 1], [4, 1.5], [0, 4], [1, 5], [0.5, 6], [4, 4], [5, 5], [4.5, 6]], [k for k in range(4) for _ in range(3)])
# Exclusive or: no line separates it, its best hyperplane is zero.
XOR = ([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
LINE1 = ([[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1])
# Responses: a bend with noise; an exact line; one variable.
BEND = ([[0, 1], [1, 0], [2, 1.5], [3, 0.5], [4, 2], [5, 1], [6, 2.5], [7, 0]], [0.5, 1.25, 1, 2.5, 2, 3.75, 3, 5])
EXACT = ([[0, 1], [1, 0], [2, 2], [3, 1], [4, 3], [5, 0]], [1, 3, 5, 7, 9, 11])
CURVE = ([[0], [0.5], [1], [1.5], [2.5], [3], [4], [5], [5.5], [6]], [0, 0.5, 0.75, 1, 0.5, 0.25, -0.75, -1, -0.75, -0.25])
GAUSS = {"name": "gaussian", "gamma": 0.5}
POLY = {"name": "polynomial", "degree": 2, "c": 1, "scale": 1}
CUBIC = {"name": "polynomial", "degree": 3, "c": 1, "scale": 0.5}
PRE = {"kernel": "precomputed"}


# Accidents that happen to data.
def copies(data):
    """Every row twice."""
    return [*data[0], *data[0]], [*data[1], *data[1]]


def constant(data, value=1000):
    """A last column that does not vary."""
    return [[*x, value] for x in data[0]], data[1]


def equal(data):
    """All points the same."""
    return [data[0][0]] * len(data[0]), data[1]


def collinear(data):
    """A last column that is the sum of the others."""
    return [[*x, sum(x)] for x in data[0]], data[1]


def moved(data, offset=2**20):
    """Every point shifted far away."""
    return [[v + offset for v in x] for x in data[0]], data[1]


def stretched(data, factor=2**20):
    """The first column in units a million times smaller."""
    return [[x[0] * factor, *x[1:]] for x in data[0]], data[1]


def single(data):
    """One row."""
    return data[0][:1], data[1][:1]


def one_class(data):
    """The rows of one class."""
    return [x for x, y in zip(*data) if y == data[1][0]], [data[1][0]] * data[1].count(data[1][0])


def flat(data):
    """Responses that are all the same."""
    return data[0], [2] * len(data[1])


def centred(data):
    """Points and their mirror images, with responses of opposite signs."""
    return [*data[0], *[[-v for v in x] for x in data[0]]], [*data[1], *[-v for v in data[1]]]


def mirrored(data):
    """Every point and its mirror image, in the same class."""
    return [*data[0], *[[-v for v in x] for x in data[0]]], [*data[1], *data[1]]


EMPTY = ([], [])
BAD = (
    ("nan", "invalid refusal", "NaN among the inputs: an answer with NaN, or a silent one", {"x": [["nan", 0], [1, 1], [2, 0]], "y": [0, 1, 1]}),
    ("ragged", "invalid refusal", "rows of different lengths are cut or filled", {"x": [[0, 1], [1], [2, 0]], "y": [0, 1, 1]}),
    ("lengths", "invalid refusal", "rows without a response are dropped", {"x": [[0, 1], [1, 0], [2, 0]], "y": [0, 1]}),
    ("unknown-parameter", "invalid refusal", "a misspelt parameter is ignored", {"parameters": {"penlty": 2}}),
)
WEIGHTS = [1, 2, 0.5, 1, 3, 1, 2, 0.5, 1, 1, 2, 1]

ORDINARY = "ordinary"
CLASSIFIERS = {  # method: (data, cites, options that any case needs)
    "bayes": (THREE, ["KIM-Thm2.1.1", "KIM-2.9"], {}),
    "lda": (THREE, ["ESL-4.9", "ESL-4.10"], {}),
    "qda": (THREE, ["ESL-4.12", "KIM-2.3-plugin"], {}),
    "rda": (THREE, ["ESL-4.13", "ESL-4.14"], {}),
    "fisher": (THREE, ["ESL-4.15", "ESL-4.16"], {}),
    "least_squares": (THREE, ["ESL-4.3-least-squares", "YANG-linear-regression"], {}),
    "logistic": (CLOUDS, ["YANG-logistic-regression"], {"penalty": 1}),
    "scoring": (THREE, ["YANG-optimal-scoring", "YANG-solution-to-optimal-scoring"], {}),
    "fda": (THREE, ["YANG-fda", "YANG-computation-of-fda"], {}),
    "pda": (THREE, ["YANG-pda", "YANG-pda-distance"], {}),
    "mda": (BALANCED, ["YANG-mda-density", "YANG-mda-e-step", "YANG-mda-m-step"], {"subclasses": 1}),
    "regression_classifier": (CLOUDS, ["ESL-T12.2"], {"regression": "linear_regression"}),
    "nearest_neighbors": (THREE, ["YANG-T12.3"], {}),
    "tree": (THREE, ["YANG-T12.3"], {}),
    "perceptron": (APART, ["YANG-T12.3"], {}),
    "network": (CLOUDS, ["YANG-T12.3"], {"hidden": 2, "penalty": 1, "max_iter": 200}),
    "gaussian_nodes": (THREE, ["YANG-T12.3"], {"gamma": 0.5, "penalty": 1}),
    "one_vs_one": (THREE, ["MMST-11.4.1-one", "KIM-5-pairs"], {}),
    "one_vs_rest": (THREE, ["MMST-11.4.1-rest", "KIM-5-rest"], {}),
    "svc": (CLOUDS, ["ESL-12.8", "ESL-12.13"], {}),
    "crammer_singer": (THREE, ["ISML-27.5-soft", "ISML-27.5-dual"], {}),
    "svm_path": (CLOUDS, ["ESL-12.33", "ESL-12.3.5-path"], {}),
    "lee_lin_wahba": (THREE, ["MMST-11.77", "MMST-11.92"], {}),
    "kernel_classifier": (CLOUDS, ["ESL-12.25", "MMST-11.68"], {}),
    "sparse_discriminant": (CLOUDS, ["ESL-4.3.1-sparse"], {}),
    "coupling": (THREE, ["MMST-11.4.1-one"], {}),
    "actual_distance": (CLOUDS, ["ESL-12.5"], {}),
    "semiparametric_classifier": (CLOUDS, ["ESL-12.30"], {}),
}
REGRESSORS = {
    "svr": (BEND, ["ESL-12.36", "ESL-12.41"], {}),
    "huber": (BEND, ["ESL-12.36", "ESL-12.38"], {}),
    "kernel_ridge": (BEND, ["ESL-12.45", "ESL-12.46"], {}),
    "ridge": (BEND, ["ESL-12.45", "ESL-12.47"], {}),
    "linear_regression": (BEND, ["ESL-12.35", "YANG-linear-regression"], {}),
    "polynomial": (BEND, ["ESL-12.42"], {"degree": 2}),
    "smoothing_spline": (CURVE, ["YANG-fda-smoother"], {"penalty": 1}),
    "bruto": (CURVE, ["ESL-12.3.3-additive"], {}),
    "mars": (CURVE, ["ESL-12.42", "YANG-T12.3"], {}),
    "lasso": (BEND, ["ESL-12.27"], {}),
    "semiparametric_regression": (BEND, ["ESL-12.30", "ESL-12.3.3-additive"], {}),
}
METHODS = {**CLASSIFIERS, **REGRESSORS}
KNOWN = ([[0, 0], [1, 1], [2, 2]], ["a", "b", "c"])
KNOWN2 = ([[0, 0], [1, 1]], ["a", "b"])
RULES = {"means": [[0, 0], [2, 0], [0, 2]], "covariances": [[1, 0.5], [0.5, 1]]}


SINGULAR = (
    "fda", "fisher", "lda", "least_squares", "linear_regression", "mda", "qda", "rda", "regression_classifier", "scoring",
)  # fmt: skip


def accidents(method):
    """The cases that every method has: what happens to data anywhere."""
    base, _, needs = METHODS[method]
    if method == "bayes" or method in OWN:
        return []
    singular = " refusal" if method in SINGULAR else ""
    alike = " refusal" if method in (*SINGULAR, "pda") else ""
    offset = 2**10 if method == "crammer_singer" else 2**20
    rows = [
        ("copies", copies(base), needs, "degenerate", "copied rows counted once, or a zero pivot from equal rows"),
        ("weights-as-copies", base, needs, "invalid refusal" if method == "svm_path" else "weighted", "weights ignored, or not multiplied into the loss", {"weights": [1, 2] * (len(base[0]) // 2)}),
        ("constant-column", constant(base), needs, "degenerate" + singular, "a column without variance divided by zero, or a wide constant that ruins the system"),
        ("all-points-equal", equal(base), needs, "degenerate" + alike, "no distance between points: a division by zero, or a rule that invents a difference"),
        ("offset", moved(base, offset), needs, "scaled", "sums of squares of uncentred data: digits lost to the offset"),
    ]  # fmt: skip
    few = "a single observation: n − 1 = 0 as a divisor"
    if method in CLASSIFIERS:
        alone = "one class only: a rule that knows no second label"
        rows.append(("one-class", one_class(base), needs, "degenerate invalid refusal", alone))
        rows.append(("one-row", single(base), needs, "degenerate invalid refusal", few))
    else:
        rows.append(("constant-response", flat(base), needs, "degenerate zero", "a response that does not vary: 0/0 in a share of explained variance"))
        rows.append(("one-row", single(base), needs, "degenerate" + " refusal" * (method == "linear_regression"), few))
    rows.append(("empty", EMPTY, needs, "invalid refusal", "no data: an index out of range instead of a refusal"))
    return rows


LDA = [
    ("plain", THREE, {}, "ordinary many", "divisor n in place of n − K of the pooled covariance"),
    ("divisor-n", THREE, {"divisor": "n"}, "ordinary many", "divisor n − K where n is asked for"),
    ("two-classes", CLOUDS, {}, "ordinary", "the sign of the direction: positive must speak for the later class"),
    ("balanced", BALANCED, {}, "ordinary many", "scores compared without the shift that is common to all classes"),
    ("priors", THREE, {"priors": [0.5, 0.25, 0.25]}, "ordinary many", "priors in the covariance, or class shares in place of given priors"),
    ("costs", CLOUDS, {"costs": [[0, 1], [4, 0]]}, "ordinary", "the matrix of costs transposed"),
    ("empirical-cutpoint", CLOUDS, {"cutpoint": "empirical"}, "ordinary", "the Gaussian cut point in place of the one with the fewest errors"),
    ("one-axis", THREE, {"n_components": 1}, "ordinary many", "axes ordered by the smallest eigenvalue"),
    ("four-classes", FOUR, {}, "ordinary many", "more classes than variables plus one: K − 1 axes out of two"),
    ("singular", collinear(THREE), {}, "degenerate refusal", "a singular covariance inverted by roundoff"),
    ("singular-pseudo-inverse", collinear(THREE), {"pseudo_inverse": True}, "degenerate many", "null directions kept in the pseudo-inverse"),
    ("equal-means", XOR, {}, "degenerate zero", "classes with one mean: the direction is zero, not roundoff"),
    ("mirror", mirrored(CLOUDS), {}, "zero degenerate", "an intercept that is only the priors': exact zeros hidden by roundoff"),
    ("query-on-the-boundary", ([[0], [1], [3], [4]], [0, 0, 1, 1]), {}, "tie", "a tie decided by roundoff", {"query": [[2], [1.5]]}),
    ("stretched", stretched(THREE), {}, "scaled many", "a condition number of 2^40 through normal equations"),
    ("weights", THREE, {}, "weighted many", "weighted means with an unweighted covariance", {"weights": WEIGHTS}),
    ("zero-weight", CLOUDS, {}, "weighted", "a row of weight zero counted in n", {"weights": [0, 1, 1, 1, 1, 1, 1, 1, 1, 0]}),
    ("bad-priors", THREE, {"priors": [0.5, 0.5, 0.5]}, "invalid refusal", "priors that do not sum to one are taken as they are"),
    ("negative-weight", THREE, {}, "invalid refusal", "negative weights make a covariance that is none", {"weights": [-1] + [1] * 11}),
]
QDA = [
    ("plain", THREE, {}, "ordinary many", "the pooled covariance in place of each class's own"),
    ("divisor-n", THREE, {"divisor": "n"}, "ordinary many", "divisor nₖ − 1 where nₖ is asked for"),
    ("two-classes", CLOUDS, {}, "ordinary", "the sign of the difference of scores"),
    ("priors", THREE, {"priors": [0.25, 0.25, 0.5]}, "ordinary many", "log π left out"),
    ("costs", CLOUDS, {"costs": [[0, 2], [1, 0]]}, "ordinary", "costs transposed"),
    ("small-class", ([[0, 0], [1, 0], [0, 1], [3, 3], [4, 4]], [0, 0, 0, 1, 1]), {}, "degenerate refusal", "a class on a line: a determinant of zero"),
    ("small-class-pseudo-inverse", ([[0, 0], [1, 0], [0, 1], [3, 3], [4, 4]], [0, 0, 0, 1, 1]), {"pseudo_inverse": True}, "degenerate", "the determinant of a singular covariance"),
    ("same-covariances", ([[0, 0], [2, 0], [0, 2], [2, 2], [4, 4], [6, 4], [4, 6], [6, 6]], [0] * 4 + [1] * 4), {}, "zero", "the quadratic part must vanish exactly", {"query": [[3, 3], [1, 5]]}),
    ("stretched", stretched(CLOUDS), {}, "scaled", "log of a determinant that overflows or underflows"),
    ("weights", CLOUDS, {}, "weighted", "weights ignored in the log-determinant", {"weights": WEIGHTS[:10]}),
]
RDA = [
    ("plain", THREE, {"alpha": 0.5}, "ordinary many", "α and 1 − α exchanged"),
    ("alpha-one", THREE, {"alpha": 1}, "ordinary many", "α = 1 as the pooled covariance: it is each class's own"),
    ("alpha-zero", THREE, {"alpha": 0}, "ordinary many", "α = 0 as each class's own covariance: it is the pooled one"),
    ("gamma", THREE, {"alpha": 0.5, "gamma": 0.25}, "ordinary many", "shrunk to the unit matrix without the mean variance σ̂²"),
    ("gamma-zero", THREE, {"alpha": 0, "gamma": 0}, "ordinary many", "γ = 0 taken for no shrinking: it leaves only the mean variance"),
    ("singular-helped", collinear(THREE), {"alpha": 0.5, "gamma": 0.5}, "degenerate many", "a singular covariance that shrinking makes regular is refused"),
    ("singular", collinear(THREE), {"alpha": 0.5, "gamma": 1}, "degenerate refusal", "a singular covariance inverted by roundoff"),
    ("bad-alpha", THREE, {"alpha": 1.5}, "invalid refusal", "a share beyond one extrapolates"),
]
FISHER = [
    ("plain", THREE, {}, "ordinary many", "eigenvalues of W⁻¹B with another divisor"),
    ("centroids", THREE, {"between": "centroids"}, "ordinary many", "class shares in the covariance of the centroids"),
    ("two-classes", CLOUDS, {}, "ordinary", "more than one axis for two classes"),
    ("one-axis", THREE, {"n_components": 1}, "ordinary many", "axes in the order of the smallest eigenvalue"),
    ("equal-eigenvalues", ([[0, 0], [2, 0], [0, 2], [2, 2], [8, 0], [10, 0], [8, 2], [10, 2], [0, 8], [2, 8], [0, 10], [2, 10], [8, 8], [10, 8], [8, 10], [10, 10]], [k for k in range(4) for _ in range(4)]), {}, "degenerate tie many", "axes of a plane compared one by one: only the plane is unique"),
    ("equal-means", XOR, {}, "degenerate zero", "eigenvalues of roundoff where the means are equal"),
    ("singular", collinear(THREE), {}, "degenerate refusal", "a singular W inverted"),
    ("stretched", stretched(THREE), {}, "scaled many", "an eigenvalue problem that is not symmetric"),
]
LEAST = [
    ("indicator", THREE, {}, "ordinary many", "the middle class of three in a row masked, or not, by accident"),
    ("codes", CLOUDS, {"coding": [-1, 1]}, "ordinary", "codes 0 and 1 where −1 and 1 are asked for"),
    ("masking", ([[0], [1], [4], [5], [8], [9]], ["a", "a", "b", "b", "c", "c"]), {}, "tie many", "a class that linear indicators never choose"),
    ("singular", collinear(CLOUDS), {}, "degenerate refusal", "normal equations of a singular design solved by roundoff"),
    ("singular-pseudo-inverse", collinear(CLOUDS), {"pseudo_inverse": True}, "degenerate", "not the shortest solution"),
    ("penalty", CLOUDS, {"penalty": 1}, "ordinary", "a penalised intercept"),
    ("weights", THREE, {}, "weighted many", "weights squared", {"weights": WEIGHTS}),
]
LOGISTIC = [
    ("unpenalised", CLOUDS, {}, "ordinary", "a default penalty nobody asked for"),
    ("penalised", CLOUDS, {"penalty": 1}, "ordinary", "the intercept penalised, or λ without its half"),
    ("many", THREE, {"penalty": 1}, "ordinary many", "one against the rest in place of the multinomial likelihood"),
    ("separable", APART, {}, "refusal", "no maximum exists: a large number is reported as the estimate"),
    ("separable-penalised", APART, {"penalty": 0.5}, "ordinary", "separable classes refused where a penalty makes the maximum exist"),
    ("quasi-separable", ([[0], [1], [2], [2], [3], [4]], [0, 0, 0, 1, 1, 1]), {}, "refusal tie", "classes that touch in one point: the likelihood grows without end"),
    ("mirror", ([[-2], [-1], [1], [2], [-1], [1]], [0, 0, 1, 1, 1, 0]), {}, "zero", "an intercept that is exactly zero"),
    ("equal-distributions", ([[0], [1], [0], [1]], [0, 0, 1, 1]), {}, "zero degenerate", "coefficients that are exactly zero"),
    ("collinear", collinear(CLOUDS), {}, "degenerate refusal", "a singular information matrix"),
    ("collinear-penalised", collinear(CLOUDS), {"penalty": 1}, "degenerate", "a singular design refused where the penalty makes the answer unique"),
    ("weights", CLOUDS, {"penalty": 1}, "weighted", "weights on the gradient but not on the Hessian", {"weights": WEIGHTS[:10]}),
]
SCORING = [
    ("plain", THREE, {}, "ordinary many", "the trivial score of ones kept"),
    ("one", THREE, {"n_components": 1}, "ordinary many", "the wrong end of the spectrum"),
    ("priors", THREE, {"priors": [0.5, 0.25, 0.25]}, "ordinary many", "scores normalised by class shares where priors are given"),
    ("no-intercept", THREE, {"intercept": False}, "ordinary many", "centring nobody asked for"),
    ("singular", collinear(THREE), {}, "degenerate refusal", "a singular design"),
    ("singular-pseudo-inverse", collinear(THREE), {"pseudo_inverse": True}, "degenerate many", "null directions in the scores"),
    ("two-classes", CLOUDS, {}, "ordinary", "scores of two classes with the wrong ratio"),
]
FDA = [
    ("plain", THREE, {}, "ordinary many", "not the linear rule where the regression is linear"),
    ("quadratic", THREE, {"regression": {"name": "polynomial", "degree": 2}}, "ordinary many", "interactions left out of degree two"),
    ("ridge", THREE, {"regression": {"name": "ridge", "penalty": 1}}, "ordinary many", "distances without the weights 1/(1 − λ²)"),
    ("one-axis", THREE, {"n_components": 1}, "ordinary many", "wrong axis first"),
    ("priors", THREE, {"priors": [0.5, 0.25, 0.25]}, "ordinary many", "class shares in place of priors"),
]
PDA = [
    ("plain", THREE, {"penalty": 1}, "ordinary many", "a penalty on the within matrix that is not divided like it"),
    ("no-penalty", THREE, {"penalty": 0}, "ordinary many", "λ = 0 that is not the linear rule"),
    ("omega", THREE, {"penalty": 2, "omega": [[1, -1], [-1, 1]]}, "ordinary many", "Ω ignored, or the unit matrix in its place"),
    ("singular-helped", collinear(THREE), {"penalty": 1}, "degenerate many", "a singular W that the penalty makes regular"),
    ("singular", collinear(THREE), {"penalty": 0}, "degenerate refusal", "a singular W without a penalty"),
]
MDA = [
    ("one-subclass", BALANCED, {"subclasses": 1}, "ordinary many", "one subclass a class that is not linear discrimination with divisor n"),
    ("start", CLOUDS, {"subclasses": 2, "start": [0, 0, 1, 1, 0, 1, 0, 0, 1, 1]}, "ordinary", "the covariance pooled before the responsibilities are new"),
    ("sizes", CLOUDS, {"subclasses": [1, 2], "start": [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]}, "ordinary", "the same number of subclasses for all classes"),
]
SIGNED = [
    ("line", CLOUDS, {"regression": "linear_regression"}, "ordinary", "codes 0 and 1 cut at zero"),
    ("mars", CLOUDS, {"regression": "mars"}, "ordinary", "knots off the data"),
    ("bruto", CLOUDS, {"regression": "bruto"}, "ordinary", "a term kept that costs more than it brings"),
]
NEAREST = [
    ("one", THREE, {}, "ordinary many", "the squared distance of the wrong row"),
    ("three", THREE, {"n_neighbors": 3}, "ordinary many", "votes of the wrong number of neighbours"),
    ("tie-distance", ([[0], [2]], ["a", "b"]), {}, "tie", "two nearest points at one distance", {"query": [[1]]}),
    ("tie-votes", ([[0], [2], [10]], ["a", "b", "a"]), {"n_neighbors": 2}, "tie", "votes that are equal", {"query": [[1], [1.5]]}),
    ("too-many", THREE, {"n_neighbors": 13}, "invalid refusal", "more neighbours than rows"),
    ("mixed-units", stretched(THREE), {}, "scaled many", "columns standardised without being asked"),
]
TREE = [
    ("plain", THREE, {}, "ordinary many", "the midpoint between values cut at the wrong end"),
    ("depth-one", THREE, {"max_depth": 1}, "ordinary many", "the split by errors in place of Gini's index"),
    ("min-leaf", CLOUDS, {"min_leaf": 3}, "ordinary", "a leaf below the least size"),
    ("pruned", CLOUDS, {"ccp_alpha": 0.125}, "ordinary", "pruned by counts where shares are meant"),
    ("xor", XOR, {}, "tie", "no first split lowers the impurity, and yet two levels separate all"),
]
PERCEPTRON = [
    ("separable", APART, {}, "ordinary", "steps in another order"),
    ("tie-start", ([[-1], [1]], [0, 1]), {}, "tie", "a value of zero counted as right at the start"),
]
NETWORK = [
    ("plain", CLOUDS, {"hidden": 2, "penalty": 1, "max_iter": 200}, "ordinary", "a penalty without its half"),
]
NODES = [
    ("plain", THREE, {"gamma": 0.5}, "ordinary many", "γ taken as 1/σ²"),
    ("penalty", THREE, {"gamma": 0.25, "penalty": 1}, "ordinary many", "the outputs' constant penalised"),
]
SEVERAL = [
    ("svc", THREE, {}, "ordinary many", "pairs in another order, or speaking for the earlier class"),
    ("lda", THREE, {"estimator": "lda"}, "ordinary many", "priors of all rows in each machine"),
    ("hard", FOUR, {"estimator": {"name": "svc", "C": "inf"}}, "ordinary many", "C = ∞ as a large number"),
    ("two-classes", CLOUDS, {}, "ordinary", "two machines for two classes that disagree"),
    ("cyclic-votes", ([[0, 0], [1, 0], [4, 0], [5, 0], [2, 4], [3, 4]], ["a", "a", "b", "b", "c", "c"]), {}, "tie many", "equal votes: the winner of a tie by the last machine", {"query": [[2.5, 1.5], [2.5, 2]]}),
]
SVC = [
    ("hinge", CLOUDS, {}, "ordinary", "C doubled or halved: ½‖w‖² + C Σξ"),
    ("small-C", CLOUDS, {"C": 0.0625}, "ordinary", "bounded multipliers counted as free ones in the intercept"),
    ("large-C", CLOUDS, {"C": 1048576}, "scaled", "a stopping rule that is relative to nothing: far from the optimum at large C"),
    ("tiny-C", CLOUDS, {"C": 0.00000095367431640625}, "scaled", "every multiplier at its bound: absolute tolerances see an optimum anywhere"),
    ("squared-hinge", CLOUDS, {"loss": "squared_hinge"}, "ordinary", "½C Σξ² in place of C Σξ²"),
    ("no-intercept", CLOUDS, {"intercept": False}, "ordinary", "the equality Σαy = 0 kept"),
    ("squared-no-intercept", CLOUDS, {"loss": "squared_hinge", "intercept": False}, "ordinary", "a penalised intercept"),
    ("hard", APART, {"C": "inf"}, "ordinary", "a large C in place of none"),
    ("hard-not-separable", CLOUDS, {"C": "inf"}, "refusal", "no hyperplane separates: the witness is a common point of the two hulls"),
    ("hard-touching", ([[0, 0], [1, 1], [1, 1], [2, 0]], [0, 0, 1, 1]), {"C": "inf"}, "refusal degenerate tie", "hulls that share a point only"),
    ("hard-two-points", ([[0, 0], [3, 4]], [0, 1]), {"C": "inf"}, "degenerate", "two points: w other than 2d/‖d‖²"),
    ("hard-gaussian", CLOUDS, {"C": "inf", "kernel": GAUSS}, "ordinary", "separable in the space of the kernel"),
    ("hard-squared-hinge", APART, {"C": "inf", "loss": "squared_hinge"}, "ordinary", "1/(2C) on the diagonal at C = ∞"),
    ("two-points", ([[0], [1]], [0, 1]), {"C": 1}, "degenerate tie", "both multipliers at the bound: the intercept is an interval"),
    ("xor", XOR, {}, "zero degenerate tie", "w = 0: the direction is not roundoff, the intercept an interval"),
    ("xor-polynomial", XOR, {"kernel": POLY, "C": "inf"}, "ordinary", "(1 + xz)² without the mixed term's √2"),
    ("gaussian", CLOUDS, {"kernel": GAUSS}, "ordinary", "γ taken as 1/(2σ²) of another σ"),
    ("gaussian-wide", CLOUDS, {"kernel": {"name": "gaussian", "gamma": 0.0009765625}}, "scaled", "kernel values next to one in single precision"),
    ("gaussian-narrow", CLOUDS, {"kernel": {"name": "gaussian", "gamma": 128}}, "degenerate", "a kernel matrix that is the unit matrix: every point a support vector"),
    ("polynomial", CLOUDS, {"kernel": CUBIC}, "ordinary", "the scale outside the power"),
    ("laplacian", CLOUDS, {"kernel": {"name": "laplacian", "sigma": 1}}, "ordinary", "the sum of absolute differences in place of the distance"),
    ("sigmoid", CLOUDS, {"kernel": {"name": "sigmoid", "a": 0.5, "b": -1}}, "indefinite", "a stationary point of an indefinite kernel called optimal", {"arithmetic": "float"}),
    ("indefinite-precomputed", ([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]], [0, 0, 1, 1]), PRE, "indefinite", "gap 0 claimed where K is not positive semidefinite", {"query": None, "arithmetic": "float"}),
    ("negative-diagonal", ([[-1, 0], [0, 1]], [0, 1]), PRE, "indefinite", "a negative curvature divided by", {"query": None}),
    ("thin-plate", CLOUDS, {"kernel": {"name": "thin_plate", "sigma": 1}}, "indefinite", "a conditionally positive kernel taken for a positive one", {"arithmetic": "float"}),
    ("precomputed", ([[4, 2, 0, 1], [2, 3, 1, 0], [0, 1, 5, 2], [1, 0, 2, 2]], [0, 0, 1, 1]), PRE, "ordinary", "the rows of the Gram matrix taken for points", {"query": [[1, 1, 0, 0]]}),
    ("precomputed-zero", ([[0, 0], [0, 0]], [0, 1]), PRE, "zero degenerate tie", "a kernel of zeros: no curvature at all", {"query": None}),
    ("rank-one", ([[1, 2], [2, 4], [3, 6], [4, 8]], [0, 1, 0, 1]), {}, "degenerate", "points on a line: a singular Gram matrix"),
    ("balanced-weights", ([[0], [1], [2], [3], [1.5]], [0, 0, 0, 0, 1]), {"class_weight": "balanced"}, "weighted", "n/nₖ without the number of classes"),
    ("class-weight", CLOUDS, {"class_weight": {"0": 2, "1": 0.5}}, "weighted", "weights of the wrong class"),
    ("row-weights", CLOUDS, {}, "weighted", "weights on the multipliers' sum, not on their bounds", {"weights": WEIGHTS[:10]}),
    ("zero-weight", CLOUDS, {}, "weighted degenerate", "a row of weight zero as a support vector", {"weights": [0, 1, 1, 1, 1, 1, 1, 1, 1, 0]}),
    ("fifty-to-two", ([[i * 0.25] for i in range(24)] + [[2.125], [3.375]], [0] * 24 + [1, 1]), {}, "degenerate tie", "classes so unequal that f is constant"),
    ("copies-of-opposite-label", ([[0], [0], [1], [1]], [0, 1, 0, 1]), {}, "zero degenerate tie", "equal points with different labels: w = 0"),
    ("query-on-the-boundary", ([[-1], [1]], [0, 1]), {"C": "inf"}, "tie", "f(x) = 0 given to the earlier class", {"query": [[0]]}),
    ("three", THREE, {}, "ordinary many", "one against the rest in place of pairs"),
    ("three-rest", THREE, {"multiclass": "ovr"}, "ordinary many", "pairs in place of one against the rest"),
    ("four-gaussian", FOUR, {"kernel": GAUSS}, "ordinary many", "the order of the pairs"),
    ("balanced-many", THREE, {"class_weight": "balanced"}, "weighted many", "weights within each pair in place of those of the whole"),
    ("stretched", stretched(CLOUDS), {}, "scaled", "columns of 2^20: a tolerance of 1e-3 on the gradient says nothing"),
    ("shrunk", stretched(CLOUDS, 2**-20), {}, "scaled", "columns of 2^-20 lost beside one"),
    ("shifted-gaussian", moved(CLOUDS), {"kernel": GAUSS}, "scaled", "‖x‖² + ‖z‖² − 2⟨x, z⟩ far from the origin: distances of cancelled digits"),
    ("shifted-polynomial", moved(CLOUDS, 1024), {"kernel": POLY}, "scaled", "kernel values of 2^40 in single precision"),
    ("wide", ([[1, 0, 0, 0, 2], [0, 1, 0, 3, 0], [0, 0, 1, 0, 1]], [0, 1, 0]), {"C": "inf"}, "ordinary", "fewer rows than columns refused, or inverted"),
    ("all-bounded", CLOUDS, {"C": 0.0078125}, "tie", "no free multiplier: the intercept is an interval, its middle the convention"),
    ("bad-C", CLOUDS, {"C": -1}, "invalid refusal", "a negative C"),
    ("zero-C", CLOUDS, {"C": 0}, "invalid refusal", "C = 0 taken for C = ∞, or for an answer of zeros"),
    ("unknown-kernel", CLOUDS, {"kernel": "rbf2"}, "invalid refusal", "an unknown kernel taken for the default"),
]
CRAMMER = [
    ("plain", THREE, {}, "ordinary many", "intercepts where the machine has none"),
    ("small-C", THREE, {"C": 0.0625}, "ordinary many", "the bound on the own class alone"),
    ("hard", FOUR, {"C": "inf"}, "refusal many", "no homogeneous rule separates"),
    ("hard-separable", ([[1, 0], [0, 1], [-1, -1]], [0, 1, 2]), {"C": "inf"}, "ordinary many", "C = ∞ as a large number"),
    ("two-classes", CLOUDS, {}, "ordinary", "half of the two-class machine's w"),
    ("gaussian", THREE, {"kernel": GAUSS}, "ordinary many", "the kernel of another width"),
    ("weights", THREE, {}, "weighted many", "weights outside the bound", {"weights": WEIGHTS}),
    ("zero-optimum", ([[1], [1], [1]], [0, 1, 2]), {}, "zero degenerate tie many", "equal points of three classes: every weight is zero"),
]
PATH = [
    ("plain", CLOUDS, {}, "ordinary", "an event between breakpoints missed"),
    ("separable", APART, {}, "ordinary", "the path's end at λ = 0"),
    ("unequal", ([[0], [1], [2], [4], [5]], [0, 0, 0, 1, 1]), {}, "ordinary", "unequal classes: the start is a linear programme"),
    ("ties", ([[0], [0], [1], [1], [2], [2]], [0, 0, 0, 1, 1, 1]), {}, "tie degenerate", "several points meet the elbow at once"),
    ("polynomial", XOR, {"kernel": POLY}, "ordinary", "a singular elbow system"),
    ("three-classes", THREE, {}, "invalid refusal", "a path for more than two classes"),
]
LEE = [
    ("plain", THREE, {}, "ordinary many", "λ without the mean over n"),
    ("small-penalty", THREE, {"penalty": 0.0625}, "ordinary many", "functions that do not sum to zero"),
    ("two-classes", CLOUDS, {"penalty": 0.125}, "ordinary", "λ taken for 1/C: it is 1/(2nC) for two classes"),
    ("costs", THREE, {"costs": [[0, 1, 2], [1, 0, 1], [4, 1, 0]]}, "ordinary many", "costs transposed: rows are true classes"),
    ("gaussian", THREE, {"kernel": GAUSS, "penalty": 0.125}, "ordinary many", "another width"),
    ("large-penalty", THREE, {"penalty": 1024}, "tie many", "intercepts that are not unique"),
]
KERNEL_CLASSIFIER = [
    ("hinge", CLOUDS, {}, "ordinary", "C taken as λ: it is 1/λ"),
    ("squared-hinge", CLOUDS, {"loss": "squared_hinge"}, "ordinary", "½ on the squared loss"),
    ("deviance", CLOUDS, {"loss": "deviance"}, "ordinary", "log 2 in the loss"),
    ("huberised", CLOUDS, {"loss": "huberised"}, "ordinary", "the bend at another margin"),
    ("squared", CLOUDS, {"loss": "squared"}, "ordinary", "(y − f)² with y in 0, 1"),
    ("ramp", CLOUDS, {"loss": "ramp"}, "ordinary", "a stationary point of a loss that is not convex called optimal"),
    ("no-intercept", CLOUDS, {"intercept": False}, "ordinary", "an intercept nobody asked for"),
    ("coefficients", CLOUDS, {"norm": "coefficients", "loss": "squared_hinge"}, "ordinary", "‖f‖² in place of ‖θ‖²"),
    ("gaussian", CLOUDS, {"kernel": GAUSS, "penalty": 0.25}, "ordinary", "γ of another convention"),
    ("deviance-separable", APART, {"loss": "deviance", "penalty": 0.0625}, "ordinary", "a maximum that exists because of the penalty"),
]
SVR_ = [
    ("plain", BEND, {}, "ordinary", "ε in units of a scaled response"),
    ("tube-zero", BEND, {"epsilon": 0}, "ordinary", "ε = 0 as the default's 0.1"),
    ("wide-tube", BEND, {"epsilon": 8}, "zero degenerate tie", "every point inside: w = 0, the intercept an interval"),
    ("large-C", BEND, {"C": 1048576, "epsilon": 0.25}, "scaled", "a stopping rule that is relative to nothing"),
    ("exact-line", EXACT, {"C": 1024, "epsilon": 0.5}, "ordinary", "the flattest function inside the tube, not the line itself"),
    ("two-responses", ([[0], [0]], [0, 4]), {"epsilon": 0.5}, "degenerate tie", "two responses at one point: any constant between them"),
    ("infinite-C", EXACT, {"C": "inf"}, "invalid refusal", "C = ∞ taken for a number"),
    ("squared", BEND, {"loss": "squared_epsilon_insensitive"}, "ordinary", "½ on the squared excess"),
    ("quadratic", BEND, {"loss": "quadratic_epsilon_insensitive"}, "ordinary", "the excess squared in place of the excess of the square"),
    ("gaussian", CURVE, {"kernel": GAUSS, "epsilon": 0.125}, "ordinary", "γ of another convention"),
    ("no-intercept", BEND, {"intercept": False}, "ordinary", "an intercept nobody asked for"),
    ("mirror", centred(BEND), {}, "zero", "an intercept that is exactly zero"),
]
HUBER_ = [
    ("plain", BEND, {"c": 1.5}, "ordinary", "c in units of an estimated scale"),
    ("small-c", BEND, {"c": 0.125, "penalty": 0.25}, "ordinary", "absolute errors beyond c with the slope 2c"),
    ("large-c", BEND, {"c": 1024}, "ordinary", "large c that is not ridge regression"),
    ("mirror", centred(BEND), {"c": 0.5}, "zero", "an intercept that is exactly zero"),
    ("gaussian", CURVE, {"kernel": GAUSS, "c": 0.5}, "ordinary", "another width"),
]
KERNEL_RIDGE = [
    ("plain", BEND, {}, "ordinary", "the intercept penalised, or none"),
    ("no-intercept", BEND, {"intercept": False}, "ordinary", "(K + λI)⁻¹y with λ n in place of λ"),
    ("small-penalty", BEND, {"penalty": 0.0009765625}, "scaled", "a nearly singular K"),
    ("gaussian", CURVE, {"kernel": GAUSS, "penalty": 0.125}, "ordinary", "γ of another convention"),
    ("polynomial", BEND, {"kernel": CUBIC}, "ordinary", "the scale outside the power"),
    ("mirror", centred(BEND), {}, "zero", "an intercept that is exactly zero"),
]
RIDGE = [
    ("plain", BEND, {}, "ordinary", "a penalised intercept"),
    ("no-intercept", BEND, {"intercept": False}, "ordinary", "centring nobody asked for"),
    ("omega", BEND, {"omega": [[2, -1], [-1, 1]]}, "ordinary", "Ω ignored, or its root taken"),
    ("tiny-penalty", collinear(BEND), {"penalty": 0.0000152587890625}, "degenerate scaled", "a singular design: digits lost in the normal equations"),
    ("wide", ([[1, 0, 2, 0], [0, 1, 0, 3]], [1, 2]), {"penalty": 1}, "ordinary", "fewer rows than columns refused, or inverted"),
    ("mirror", centred(BEND), {}, "zero", "an intercept that is exactly zero"),
    ("negative-penalty", BEND, {"penalty": -1}, "invalid refusal", "a negative penalty"),
]
LINEAR = [
    ("plain", BEND, {}, "ordinary", "the residual's divisor in the coefficients"),
    ("exact-line", EXACT, {}, "zero", "residuals that are exactly zero"),
    ("no-intercept", BEND, {"intercept": False}, "ordinary", "centring nobody asked for"),
    ("collinear", collinear(BEND), {}, "degenerate refusal", "one of many solutions reported as the only one"),
    ("too-few-rows", ([[0, 1], [1, 0]], [1, 2]), {}, "degenerate refusal", "fewer rows than coefficients"),
    ("stretched", stretched(BEND), {}, "scaled", "normal equations squared the condition"),
    ("text-response", BEND, {}, "invalid refusal", "a response that is no number", {"y": ["a", "b", 1, 2, 3, 4, 5, 6]}),
]
POLYNOMIAL = [
    ("square", CURVE, {"degree": 2}, "ordinary", "the total degree in place of the degree of each variable"),
    ("line", BEND, {"degree": 1}, "ordinary", "degree one that is not linear regression"),
    ("two-variables", BEND, {"degree": 2}, "ordinary", "mixed monomials left out"),
    ("too-high", BEND, {"degree": 3}, "degenerate", "more monomials than rows: not the shortest of all solutions"),
]
SPLINE = [
    ("penalty", CURVE, {"penalty": 1}, "ordinary", "λ scaled by n or by the range of x"),
    ("degrees", CURVE, {"degrees_of_freedom": 4}, "ordinary", "degrees of freedom with or without the line"),
    ("gcv", CURVE, {}, "ordinary", "GCV with another cost"),
    ("line", ([[0], [1], [2], [4]], [1, 3, 5, 9]), {"penalty": 1}, "zero", "a line bent by the penalty: its curvature is exactly zero"),
    ("ties", ([[0], [0], [1], [2], [2], [4]], [0, 1, 1, 3, 2, 5]), {"penalty": 0.5}, "tie degenerate", "equal knots divided by, in place of their mean with weight two"),
    ("large-penalty", CURVE, {"penalty": 1048576}, "scaled", "a limit other than the least squares line"),
]
BRUTO_ = [
    ("plain", CURVE, {}, "ordinary", "a cost of one where it is two"),
    ("line", ([[0], [1], [2], [3], [4], [5]], [1, 3, 5, 7, 9, 11]), {}, "zero", "an exact line: a division by a GCV of zero"),
    ("two-terms", BEND, {}, "ordinary", "a term chosen by its residual instead of GCV"),
]
MARS_ = [
    ("plain", CURVE, {}, "ordinary", "GCV's penalty of three where it is two for additive models"),
    ("interaction", BEND, {"degree": 2}, "ordinary", "products of a variable with itself"),
    ("bend", ([[0], [1], [2], [3], [4], [5], [6], [7]], [0, 0, 0, 0, 1, 2, 3, 4]), {}, "zero", "an exact hinge: a division by a residual of zero"),
    ("max-terms", CURVE, {"max_terms": 3}, "ordinary", "the constant not counted among the terms"),
]
PLATE = {"name": "thin_plate", "sigma": 1}
SPARSE = [
    ("plain", CLOUDS, {}, "ordinary", "the absolute penalty halved, or the responses not those of the class sizes"),
    ("no-penalty", CLOUDS, {"penalty": 0}, "ordinary", "at penalty zero another rule than linear discriminant analysis"),
    ("one-column", CLOUDS, {"penalty": 16}, "ordinary", "coefficients that are small where they are zero"),
    ("nothing-left", CLOUDS, {"penalty": 1024}, "degenerate refusal", "a rule without coefficients"),
]
LASSO = [
    ("plain", BEND, {}, "ordinary", "½‖y − Xβ‖² in place of ‖y − Xβ‖²"),
    ("no-penalty", BEND, {"penalty": 0}, "ordinary", "at penalty zero another answer than least squares"),
    ("large-penalty", BEND, {"penalty": 1024}, "zero degenerate", "small coefficients where all are exactly zero"),
    ("orthogonal", ([[1, 0], [0, 1], [0, 0]], [3, -1, 0.5]), {"penalty": 2}, "zero", "the threshold λ in place of λ/2"),
    ("copied-column", ([[1, 1], [2, 2], [3, 3]], [1, 2, 4]), {"penalty": 0.5}, "degenerate", "a singular system where columns are copies"),
]
COUPLING = [
    ("plain", THREE, {}, "ordinary many", "votes in place of coupled probabilities"),
    ("balanced", BALANCED, {}, "ordinary many", "pairs weighed alike where their rows differ"),
    ("no-probabilities", THREE, {"estimator": "svc"}, "invalid refusal many", "scores taken for probabilities"),
]
DISTANCE = [
    ("plain", CLOUDS, {}, "ordinary", "the slack of the soft margin in place of distances"),
    ("unit", LINE1, {}, "ordinary", "a normal that is not of length one"),
    ("too-small-budget", CLOUDS, {"budget": 0.0009765625}, "refusal degenerate", "a margin where the problem is not convex"),
]
NULL_CLASSIFIER = [
    ("spline", CLOUDS, {}, "ordinary", "the linear functions penalised with the rest"),
    ("constant", CLOUDS, {"degree": 0}, "ordinary", "the intercept penalised"),
    ("thin-plate", CLOUDS, {"kernel": PLATE}, "ordinary", "a kernel that is positive on contrasts only taken for a positive one"),
    ("squared-hinge", CLOUDS, {"loss": "squared_hinge", "penalty": 0.125}, "ordinary", "a bound on multipliers that squared slack has not"),
    ("on-a-line", collinear(CLOUDS), {}, "degenerate refusal", "a polynomial that vanishes at all points: a singular system"),
]
NULL_REGRESSION = [
    ("spline", CURVE, {}, "ordinary", "the smoothing spline with its lines penalised, or λ halved"),
    ("additive", BEND, {"penalty": 0.25}, "ordinary", "a spline of one variable only"),
    ("thin-plate", BEND, {"kernel": PLATE}, "ordinary", "r² log r with another factor than the penalty's"),
    ("exact", EXACT, {}, "zero", "a plane that is not fitted without cost"),
    ("huber", CURVE, {"loss": {"name": "huber", "c": 0.25}}, "ordinary", "least squares where residuals are cut off"),
    ("interaction", BEND, {"kernel": {"name": "interaction_spline", "start": 0, "order": 2}, "degree": 0}, "ordinary", "sums where products of splines are asked for"),
]
BAYES = [
    ("plain", KNOWN, RULES, "ordinary many", "the discriminant's half forgotten"),
    ("priors", KNOWN, {**RULES, "priors": [0.5, 0.25, 0.25]}, "ordinary many", "log π left out"),
    ("costs", KNOWN, {**RULES, "costs": [[0, 1, 2], [1, 0, 1], [4, 1, 0]]}, "ordinary many", "costs transposed"),
    ("two", ([[0], [1]], [0, 1]), {"means": [[0], [2]], "covariances": [[1]]}, "tie", "the probability of misclassification: Φ(−Δ/2), and a query on the boundary", {"query": [[1], [0]]}),
    ("singular", KNOWN2, {"means": [[0, 0], [1, 1]], "covariances": [[1, 1], [1, 1]]}, "degenerate refusal", "a singular covariance"),
    ("equal-means", KNOWN2, {"means": [[0, 0], [0, 0]], "covariances": [[1, 0], [0, 1]]}, "degenerate zero tie", "two classes that are one: every point a tie"),
    ("not-positive", KNOWN2, {"means": [[0, 0], [1, 1]], "covariances": [[1, 2], [2, 1]]}, "degenerate refusal", "a matrix that is no covariance"),
]  # fmt: skip
TABLES = {
    "bayes": BAYES, "lda": LDA, "qda": QDA, "rda": RDA, "fisher": FISHER, "least_squares": LEAST, "logistic": LOGISTIC,
    "scoring": SCORING, "fda": FDA, "pda": PDA, "mda": MDA, "regression_classifier": SIGNED, "nearest_neighbors": NEAREST,
    "tree": TREE, "perceptron": PERCEPTRON, "network": NETWORK, "gaussian_nodes": NODES, "one_vs_one": SEVERAL,
    "one_vs_rest": SEVERAL, "svc": SVC, "crammer_singer": CRAMMER, "svm_path": PATH, "lee_lin_wahba": LEE,
    "kernel_classifier": KERNEL_CLASSIFIER, "svr": SVR_, "huber": HUBER_, "kernel_ridge": KERNEL_RIDGE, "ridge": RIDGE,
    "linear_regression": LINEAR, "polynomial": POLYNOMIAL, "smoothing_spline": SPLINE, "bruto": BRUTO_, "mars": MARS_,
    "sparse_discriminant": SPARSE, "lasso": LASSO, "coupling": COUPLING, "actual_distance": DISTANCE,
    "semiparametric_classifier": NULL_CLASSIFIER, "semiparametric_regression": NULL_REGRESSION,
}  # fmt: skip
# Quadratic programmes: minimise ½xᵀPx + qᵀx subject to l ≤ Ax ≤ u; name, (P, q, A, l, u), flags, the mistake. M & M: of
# the test set of Maros and Mészáros (Optimization Methods and Software 11, 1999), where its numbers are short.
NONE = None
UNIT = [[0, 0, 1], [1, 1, 1]]
PROGRAMMES = [
    ("plain", ([[0, 0, 2], [1, 1, 2]], [-2, -5], [[0, 0, 1], [0, 1, 1]], [NONE], [1]), "ordinary", "xᵀPx without its half"),
    ("lower-side", ([[0, 0, 2], [1, 1, 2]], [2, 5], [[0, 0, 1], [0, 1, 1]], [1], [NONE]), "ordinary", "the sign of a multiplier: negative where a row presses against its lower side"),
    ("dual-of-a-machine", ([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 2], [2, 2, 4], [1, 2, -2], [2, 1, -2], [0, 2, -2], [2, 0, -2]], [-1, -1, -1], [[0, 0, 1], [0, 1, 1], [0, 2, -1], [1, 0, 1], [2, 1, 1], [3, 2, 1]], [0, 0, 0, 0], [0, 1, 1, 1]), "ordinary degenerate", "the dual of a support vector machine: bounds and one equality"),
    ("no-rows", ([[0, 0, 2], [0, 1, 1], [1, 0, 1], [1, 1, 2]], [1, -1], [], [], []), "ordinary", "no rows at all: an empty matrix factored"),
    ("one-variable", ([[0, 0, 4]], [-1], [[0, 0, 1]], [0.5], [NONE]), "ordinary degenerate", "n = 1: a vector taken for a matrix"),
    ("linear", ([], [-1, -1], [[0, 0, 1], [0, 1, 2], [1, 0, 3], [1, 1, 1], [2, 0, 1], [3, 1, 1]], [NONE, NONE, 0, 0], [4, 6, NONE, NONE]), "ordinary", "P = 0: a factor of nothing"),
    ("fixed-variable", ([[0, 0, 2], [0, 1, 1], [1, 0, 1], [1, 1, 2]], [0, 0], [[0, 0, 1], [1, 0, 1], [1, 1, 1]], [2, NONE], [2, 1]), "ordinary", "lower = upper: no interior to begin in"),
    ("free-variables", ([[0, 0, 1], [1, 1, 1]], [0, 0, 1], [[0, 0, 1], [0, 1, 1], [0, 2, -1], [1, 2, 1]], [1, -3], [1, NONE]), "ordinary", "variables without bounds and curvature: a singular system"),
    ("equality-and-bounds", (UNIT, [0, 0], [[0, 0, 1], [0, 1, 1], [1, 0, 1], [2, 1, 1]], [2, 0, 0], [2, 0.5, NONE]), "ordinary", "a bound that is active beside an equality"),
    ("range", (UNIT, [4, -4], [[0, 0, 1], [0, 1, -1]], [-2], [3]), "ordinary", "a row with two sides: a multiplier of the wrong one"),
    ("empty-row", (UNIT, [-1, -1], [[1, 0, 1], [1, 1, 1]], [-1, NONE], [0, 1]), "degenerate", "a row without entries: 0 within its sides"),
    ("empty-row-contradicts", (UNIT, [-1, -1], [[1, 0, 1]], [1, NONE], [2, 1]), "degenerate refusal", "a row without entries that asks 0 ≥ 1: a division by its length"),
    ("copied-rows", (UNIT, [-3, -3], [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1], [2, 0, 2], [2, 1, 2]], [NONE, NONE, NONE], [1, 1, 2]), "degenerate tie", "the same row three times: dependent active rows, multipliers that are not unique"),
    ("copied-equalities", (UNIT, [0, 0], [[0, 0, 1], [0, 1, 1], [1, 0, -2], [1, 1, -2]], [1, -2], [1, -2]), "degenerate tie", "an equality twice: a singular system of optimality"),
    ("vertex-of-many-rows", ([], [-1, -1], [[0, 0, 1], [1, 1, 1], [2, 0, 1], [2, 1, 1], [3, 0, 2], [3, 1, 1], [4, 0, 1], [4, 1, 2], [5, 0, 3], [5, 1, 2]], [NONE] * 6, [1, 1, 2, 3, 3, 5]), "degenerate tie", "six rows meet in one vertex: steps of length zero without end"),
    ("beale", ([], [-0.75, 150, -0.5, 6], [[0, 0, 0.25], [0, 1, -60], [0, 2, -1], [0, 3, 9], [1, 0, 0.5], [1, 1, -90], [1, 2, -0.5], [1, 3, 3], [2, 2, 1], [3, 0, 1], [4, 1, 1], [5, 2, 1], [6, 3, 1]], [NONE, NONE, NONE, 0, 0, 0, 0], [0, 0, 1, NONE, NONE, NONE, NONE]), "degenerate", "Beale's kind of programme (1955): the simplex method cycles"),
    ("face", ([], [-1, -1], [[0, 0, 1], [0, 1, 1], [1, 0, 1], [2, 1, 1]], [NONE, 0, 0], [1, NONE, NONE]), "tie", "a whole edge is optimal: nearness to one of its points judged"),
    ("singular-face", ([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]], [-1, -1], [[0, 0, 1], [1, 1, 1]], [0, 0], [NONE, NONE]), "tie", "a singular P with a line of optima"),
    ("zero-optimum", (UNIT, [0, 0], [[0, 0, 1], [0, 1, 1]], [-1], [1]), "zero", "an optimum of zero: a relative gap divided by it"),
    ("infeasible-rows", (UNIT, [0, 0], [[0, 0, 1], [0, 1, 1], [1, 0, 1], [2, 1, 1]], [3, NONE, NONE], [NONE, 1, 1]), "refusal", "rows that contradict each other: the least wrong point as an answer"),
    ("infeasible-by-little", (UNIT, [0, 0], [[0, 0, 1], [0, 1, 1], [1, 0, 2], [1, 1, 2]], [1, NONE], [NONE, 1.9990234375]), "refusal scaled", "a contradiction of a thousandth, within a loose tolerance"),
    ("infeasible-bounds", (UNIT, [0, 0], [[0, 0, 1], [1, 0, -2], [2, 1, 1]], [1, 0, 0], [NONE, NONE, 1]), "refusal", "two bounds of one variable that contradict each other"),
    ("unbounded-linear", ([], [-1, 0], [[0, 0, 1], [0, 1, -1]], [NONE], [0]), "refusal", "endless descent along a ray: a large number as the optimum"),
    ("unbounded-singular", ([[0, 0, 1], [0, 1, -1], [1, 0, -1], [1, 1, 1]], [-1, 0], [[0, 0, 1]], [0], [NONE]), "refusal", "descent along a direction without curvature"),
    ("both", ([], [-1], [[0, 0, 1], [1, 0, 1]], [1, NONE], [NONE, 0]), "refusal", "neither a point nor a bound: told unbounded where nothing is feasible"),
    ("not-convex", ([[0, 0, 1], [1, 1, -1]], [0, 0], [[0, 0, 1], [1, 1, 1]], [-1, -1], [1, 1]), "refusal indefinite", "a stationary point of a programme that is not convex called optimal"),
    ("convex-on-the-equality", ([[0, 0, 1], [1, 1, -1]], [1, 0], [[0, 1, 1]], [2], [2]), "ordinary indefinite", "an indefinite P that the equality makes convex is refused"),
    ("almost-convex", ([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0.99999904632568359375]], [0, 0], [[0, 0, 1], [1, 1, 1]], [-1, -1], [1, 1]), "refusal indefinite scaled", "an eigenvalue of −2⁻²¹ taken for roundoff"),
    ("wide-scales", ([[0, 0, 1048576], [1, 1, 0.00000095367431640625]], [-1048576, 1], [[0, 0, 1048576], [0, 1, 0.00000095367431640625], [1, 1, 1]], [NONE, -1048576], [2097152, 1048576]), "scaled", "rows and columns of 2^±20: absolute tolerances"),
    ("large-multipliers", ([], [1048576, 0], [[0, 0, 0.00000095367431640625], [0, 1, 1], [1, 1, 1]], [1, NONE], [NONE, 0]), "scaled", "a multiplier of 2^40: residuals beside one"),
    ("no-bound-as-1e20", (UNIT, [1, 1], [[0, 0, 1], [1, 1, 1]], [-1e20, -2], [1e20, 1e20]), "ordinary", "1e20 taken for a number"),
    ("qptest", ([[0, 0, 8], [0, 1, 2], [1, 0, 2], [1, 1, 10]], [1.5, -2], [[0, 0, 2], [0, 1, 1], [1, 0, -1], [1, 1, 2], [2, 0, 1], [3, 1, 1]], [2, NONE, 0, 0], [NONE, 6, 20, NONE]), "ordinary", "M & M's QPTEST, 4.371875 with its constant of 4"),
    ("zecevic2", ([[1, 1, 4]], [-2, -3], [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 4], [2, 0, 1], [3, 1, 1]], [NONE, NONE, 0, 0], [2, 4, 10, 10]), "ordinary", "M & M's ZECEVIC2, −4.125: a P with an empty row"),
    ("asymmetric", ([[0, 1, 2]], [0, 0], [], [], []), "invalid refusal", "half of P taken for the whole"),
    ("place-twice", ([[0, 0, 1], [0, 0, 1]], [0, 0], [], [], []), "invalid refusal", "a place that is told twice: the last one, or the sum"),
    ("outside", (UNIT, [0, 0], [[0, 2, 1]], [0], [1]), "invalid refusal", "a column beyond n"),
    ("nan", (UNIT, ["nan", 0], [], [], []), "invalid refusal", "NaN in q: an answer with NaN, or a silent one"),
    ("crossed-sides", (UNIT, [0, 0], [[0, 0, 1], [0, 1, 1]], [1], [0]), "invalid refusal", "a lower side above the upper one"),
    ("lengths", (UNIT, [0, 0], [[0, 0, 1]], [0, 0], [1]), "invalid refusal", "sides of different lengths are cut or filled"),
]  # fmt: skip
# What a case is about besides its method's equations.
ALSO = {
    "svc": {"squared": "ESL-12.8", "hard": "ESL-12.3", "three": "MMST-11.4.1-one", "rest": "MMST-11.4.1-rest", "gaussian": "MMST-11.48", "balanced": "KIM-3.46", "xor": "KIM-3.49"},
    "lda": {"plain": "ESL-4.3.3-reduced", "one-axis": "ESL-4.3.3-reduced", "empirical": "ESL-4.11", "costs": "KIM-Thm2.1.2", "singular": "KIM-2.27"},
    "kernel_classifier": {"squared": "ESL-12.28", "deviance": "ESL-12.3.8-multinomial", "ramp": "ISML-27.6.3-objective"},
    "svr": {"squared": "MMST-11.132", "quadratic": "MMST-11.124"},
    "fisher": {"centroids": "ESL-4.3.3-variates", "plain": "KIM-2.32"},
}  # fmt: skip
OWN = ("sparse_discriminant", "lasso", "coupling", "actual_distance", "semiparametric_classifier", "semiparametric_regression")  # whose cases are all in their table
WITH_BAD = ("svc", "lda", "ridge", "logistic", "svr")


def question(method, name, data, parameters, flags, note, options=None):
    """Return a case without its answer."""
    x, y = data
    problem = {"method": method, "parameters": parameters, "x": x, "y": y}
    if x and method != "svm_path":
        problem["query"] = [x[0], x[-1], [v + 0.25 for v in x[len(x) // 2]]]
    if method == "bayes":
        problem["query"] = [[0.5, 0.25], [1, 1], [2, -1]]
    problem.update(options or {})
    flags = flags.split()
    problem = {k: v for k, v in problem.items() if v is not None and v != {}}
    also = [cited for part, cited in ALSO.get(method, {}).items() if part in name]
    cites = list(dict.fromkeys([*METHODS[method][1], *also]))
    return {"id": f"{method}/{name}", "method": method, "problem": problem, "cites": cites, "flags": flags, "note": note}


def programme(name, given, flags, note):
    """Return a case of a quadratic programme without its answer."""
    problem = {"method": "qp", **dict(zip(("P", "q", "A", "l", "u"), given))}
    return {"id": f"qp/{name}", "method": "qp", "problem": problem, "cites": ["ESL-12.13"], "flags": flags.split(), "note": note}


def questions():
    """Yield every question of v1."""
    for row in PROGRAMMES:
        yield programme(*row)
    for method, rows in TABLES.items():
        for row in [*rows, *accidents(method)]:
            yield question(method, *row)
        if method in WITH_BAD:
            data = METHODS[method][0]
            for name, flags, note, options in BAD:
                yield question(method, name, data, {}, flags, note, {"query": None, **options})


def main():
    """Add the questions whose id no file has."""
    for method in ("qp", *TABLES):
        path = FOLDER / f"{method}.json"
        old = json.loads(path.read_text(encoding="utf-8"))["cases"] if path.exists() else []
        there = {case["id"] for case in old}
        new = [q for q in questions() if q["method"] == method and q["id"] not in there]
        if new:
            path.write_text(json.dumps({"cases": [*old, *new]}, ensure_ascii=False, indent=1), encoding="utf-8")
        print(method, len(old), "+", len(new))


if __name__ == "__main__":
    main()
