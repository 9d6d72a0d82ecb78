"""Judging a path of machines: its events, and whether it is whole.

Reading order:
    events
    completeness
"""
