"""Losses, what an error costs.

A loss is a frozen record of its parameters: of the margin m = y f(x) in classification, of the residual r = y − f(x) in
regression. `loss.value(F, m)` (or `loss(F, m)`) is its value, `loss.slopes(F, m)` its one-sided derivatives,
`loss.conjugate(F, s)` its conjugate, `loss.population_minimisers(F, p)` what it estimates. Its docstring claims its
laws.

Reading order:
    conjugate_pieces
    loss
    deviance | hinge | huber | huberised | huberised_hinge | insensitive | power_hinge | squared
    squared_hinge | zero_one
    ramp
"""
