"""What no certificate judges, with the reason: fitted attributes by estimator, "*" for all of them."""

from __future__ import annotations

# (estimator, attribute) -> why a change of it goes unnoticed
UNJUDGED: dict[tuple[str, str], str] = {
    ("*", "n_iter_"): "how many steps led to the answer: another way may lead to the same one",
    ("*", "objectives_"): "the objective on the way to the answer",
    ("*", "log_likelihoods_"): "the log-likelihood on the way to the answer",
    ("*", "start_log_likelihoods_"): "the log-likelihood that each start led to",
}


def excused(estimator: str, attribute: str) -> bool:
    """Whether an attribute stands in the list."""
    return ("*", attribute) in UNJUDGED or (estimator, attribute) in UNJUDGED
