"""Optima rounded to doubles or decimals, their intercept chosen after their multipliers, and judged by their digits.

Reading order:
    few_points | overshoot
    cancelling
    rounding
"""
