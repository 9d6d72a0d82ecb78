"""What no certificate judges, with the reason: fitted attributes by estimator."""

from __future__ import annotations

# (estimator, attribute) -> why a change of it goes unnoticed
UNJUDGED: dict[tuple[str, str], str] = {
    ("Perceptron", "n_iter_"): "how many steps led to the answer: another way may lead to the same one",
    (
        "NeuralNetwork",
        "objectives_",
    ): "the criterion on the way; the last one, and their number, are judged",
    ("MixtureDiscriminantAnalysis", "log_likelihoods_"): "ℓ on the way; the last one, and their number, are judged",
    ("MixtureDiscriminantAnalysis", "start_log_likelihoods_"): "ℓ that starts led to, of which one is the answer's",
    ("FlexibleDiscriminantAnalysis", "regression_certificate_"): "the proof of the regression, not what is proven",
}


def excused(estimator: str, attribute: str) -> bool:
    """Whether an attribute stands in the list."""
    return (estimator, attribute) in UNJUDGED
