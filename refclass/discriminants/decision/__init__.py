"""From scores to decisions: priors, costs, posterior probabilities, risks.

Reading order:
    crossings | decide | exact | exponential_sums | power_diagram | risk
    log_posteriors
"""
