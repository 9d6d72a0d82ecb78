"""Conformance cases: what they are, another program as a candidate, and what its answers are worth.

Reading order:
    case
    candidate | conformance
"""
