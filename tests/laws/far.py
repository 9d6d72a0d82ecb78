"""Problems as JSON whose decimals no double holds: columns far from the origin, of mixed scales, with copies."""

import json
import random

from refclass.oracle import problem

# method, parameters, and how many classes; 0 for a regression
MACHINES = {
    "hinge": ("svc", {"C": "1/10"}, 2),
    "squared hinge": ("svc", {"loss": "squared_hinge"}, 2),
    "weighed classes": ("svc", {"C": 10, "class_weight": "balanced"}, 2),
    "pairs": ("svc", {"C": 1}, 3),
    "each against the rest": ("svc", {"C": 1, "multiclass": "ovr"}, 3),
    "Gaussian": ("svc", {"kernel": {"name": "gaussian", "gamma": "1/2"}}, 2),
    "tube": ("svr", {}, 0),
    "squared tube": ("svr", {"loss": "squared_epsilon_insensitive"}, 0),
    "quadratic tube": ("svr", {"loss": "quadratic_epsilon_insensitive", "epsilon": "1/4"}, 0),
    "Huber": ("huber", {"penalty": "1/10"}, 0),
    "kernel ridge": ("kernel_ridge", {"penalty": "1/10"}, 0),
    "penalised hinge": ("kernel_classifier", {"penalty": 1, "loss": "hinge"}, 2),
    "penalised squared hinge": ("kernel_classifier", {"penalty": "1/10", "loss": "squared_hinge"}, 2),
    "Huberised": ("kernel_classifier", {"penalty": 1, "loss": "huberised_hinge"}, 2),
    "squares": ("kernel_classifier", {"penalty": "1/10", "loss": "squared"}, 2),
    "deviance": ("kernel_classifier", {"penalty": "1/10", "loss": "deviance"}, 2),
    "multinomial deviance": ("kernel_classifier", {"penalty": "1/10", "loss": "deviance"}, 3),
    "Crammer-Singer": ("crammer_singer", {}, 3),
    "Lee-Lin-Wahba": ("lee_lin_wahba", {"penalty": "1/100"}, 3),
    "path": ("svm_path", {}, 2),
    "polynomial kernel": ("svc", {"kernel": {"name": "polynomial", "degree": 2, "c": 1}}, 2),
    "without an intercept": ("svc", {"intercept": False}, 2),
    "semiparametric": ("semiparametric_classifier", {}, 2),
    "semiparametric regression": ("semiparametric_regression", {}, 0),
    "slack in distance": ("actual_distance", {}, 2),
    "one against the rest": ("one_vs_rest", {"estimator": "svc"}, 3),
}
RULES = {
    "LDA": ("lda", {}, 3),
    "QDA": ("qda", {}, 2),
    "regularised": ("rda", {"alpha": "1/2", "gamma": "1/2"}, 3),
    "Fisher": ("fisher", {}, 3),
    "logistic": ("logistic", {"penalty": 1}, 3),
    "indicators": ("least_squares", {}, 3),
    "linear regression": ("linear_regression", {}, 0),
    "ridge": ("ridge", {"penalty": "1/10"}, 0),
    "lasso": ("lasso", {"penalty": "1/10"}, 0),
    "penalised discriminant": ("pda", {"penalty": 1}, 3),
    "flexible discriminant": ("fda", {}, 3),
    "scores": ("scoring", {}, 3),
    "pairs of rules": ("one_vs_one", {"estimator": "lda"}, 3),
}
OFFSETS = (1e6, 1e8, 1e9)


def rows(seed, offset, classes, n=12, spread=1.0):
    """Rows of two columns about an offset, and labels, or responses that depend on them."""
    r = random.Random(seed)
    labels = [i % max(classes, 2) for i in range(n)]
    x = [[offset + r.gauss(1.2 * g, spread), offset + r.gauss(-g, spread)] for g in labels]
    return x, labels if classes else [round(row[0] - offset + r.gauss(0, 1), 3) for row in x]


def posed(method, parameters, x, y, **others):
    """The problem of these rows, every number the decimal that it is written as."""
    given = {"method": method, "parameters": parameters, "x": x, "y": y, **others}
    return problem.read(json.dumps(given), "P.json")
