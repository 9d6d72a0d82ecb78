"""Answers of machines read from JSON: multipliers, weights, hyperplanes; intercepts; the shares of several machines.

Reading order:
    crammer_singer_answer | intercepts | lee_lin_wahba_answer | shares
    machine
"""
