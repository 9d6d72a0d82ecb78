"""Judging an answer: digits on the scale of the data, bounds of machines, claims, refusals, and a second opinion.

Reading order:
    forms | scales | shares | witness
    comparison | trusted
    ballots | verdict
    claims | consistency | crammer_singer_answer | lee_lin_wahba_answer | machine | quadratic
    bounds | refused | whole_path
"""
