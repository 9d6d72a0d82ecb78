"""Judging an answer: digits on the scale of the data, bounds of machines, claims, refusals, and a second opinion.

Reading order:
    comparison | objectives | undecided | witness
    verdict
    trusted
    ballots | claims | consistency
    answers | quadratic
    bounds | ceiling | paths | planes
    joint_machine
    refused
"""
