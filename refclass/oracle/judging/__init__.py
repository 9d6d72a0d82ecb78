"""Judging an answer: digits on the scale of the data, bounds of machines, claims, refusals, and a second opinion.

Reading order:
    scales | shares | trusted | witness
    ballots | comparison
    verdict
    claims | columns | consistency | direct | machine | quadratic
    bounds | refused
"""
