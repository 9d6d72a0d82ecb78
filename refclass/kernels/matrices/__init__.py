"""Matrices of kernel values: computed, multiplied, judged, expanded.

Reading order:
    eigen | expansions | gram | mercer | product
"""
