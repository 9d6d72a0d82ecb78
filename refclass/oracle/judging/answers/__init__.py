"""Answers of machines read from JSON: multipliers, weights, hyperplanes.

Reading order:
    crammer_singer_answer | lee_lin_wahba_answer | machine
"""
