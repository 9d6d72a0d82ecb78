"""Judging an answer: digits on the scale of the data, bounds of machines, claims, refusals, and a second opinion.

Reading order:
    forms | scales | shares | witness
    comparison | trusted
    ballots | verdict
    answers | claims | consistency | quadratic
    bounds | refused | whole_path
"""
