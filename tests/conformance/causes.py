"""Probable causes of what is wrong with programs, as far as they are known: program, pattern of questions, cause."""

from __future__ import annotations

from fnmatch import fnmatchcase

SINGLE = "Probable cause: kernel values are held in single precision, which loses what an offset or large values leave."
NEVER = "Probable cause: the stopping rule compares gradients of size C·K with a fixed tolerance that rounding exceeds."
STALLS = (
    "Probable cause: the dual coordinate descent is slow where rows are long or C is large, and stops by its count."
)
ATTRIBUTE = "Probable cause: `covariance_` is pooled by the given priors, the rule of solver svd by class shares."
CAUSES: tuple[tuple[str, str, str], ...] = (
    (
        "scikit-learn*",
        "svc/zero-weight",
        "Cause: `support_` numbers the rows of positive weight, not all of X; `support_vectors_` are right.",
    ),
    ("scikit-learn's LinearSVC*", "*", STALLS),
    ("LIBLINEAR*", "*", STALLS),
    ("scikit-learn*", "*lda*priors", ATTRIBUTE),
    ("scikit-learn*", "lda/priors", ATTRIBUTE),
    (
        "scikit-learn*",
        "linear_regression/stretched",
        "Probable cause: columns far smaller than the largest fall below the cut of the singular values.",
    ),
    (
        "scikit-learn*",
        "logistic/*",
        "Probable cause: it stops by a gradient that an offset or a long column dominates.",
    ),
    ("scikit-learn*", "svc/*offset", SINGLE),
    ("scikit-learn*", "svr/offset", SINGLE),
    ("scikit-learn*", "hard/offset*", SINGLE),
    ("scikit-learn*", "sv[cr]/*", NEVER),
    ("dlib", "*", NEVER),
    ("LIBSVM*", "*", SINGLE),
    ("e1071*", "*", "LIBSVM's: kernel values in single precision, and a bound on the number of iterations."),
    ("OpenCV ml", "*", "Probable cause: data and kernel values are single precision throughout."),
    (
        "mlpack",
        "*",
        "Probable cause: L-BFGS runs on the hinge itself, whose kinks its line search does not pass.",
    ),
    (
        "MASS lda",
        "hard/*",
        "Cause: a column counts as constant where its deviation is below 1e-4, whatever its unit.",
    ),
    (
        "*(dual)",
        "svc/indefinite*",
        "A matrix that is not positive semidefinite: a saddle is returned as solved.",
    ),
    ("*(dual)", "*saddle*", "A matrix that is not positive semidefinite: a saddle is returned as solved."),
    (
        "osqp*",
        "*",
        "First-order steps to tolerances of 1e-3: bounds are left, the gap is not looked at.",
    ),
    ("proxqp*", "*", "Tolerances on residuals alone: the gap is not looked at."),
    ("svm", "*", "Simplified SMO: the second multiplier is drawn by chance, steps below 1e-4 are left out."),
    (
        "ml-svm",
        "*",
        "Cause: for unequal labels the upper end of a step is min(C, C + αⱼ + αᵢ) where it must be C + αⱼ − αᵢ;"
        " multipliers leave [0, C].",
    ),
)


def cause(program: str, question: str) -> str:
    """Return the probable cause of a defect; empty if none is known."""
    return next((words for p, q, words in CAUSES if fnmatchcase(program, p) and fnmatchcase(question, q)), "")
