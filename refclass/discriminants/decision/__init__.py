"""From scores to decisions: priors, costs, posterior probabilities, risks.

Reading order:
    crossings | decide | exact | exponential_sums | risk
    log_posteriors
"""
