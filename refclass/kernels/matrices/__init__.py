"""Matrices of kernel values: computed, multiplied, judged, expanded.

Reading order:
    eigen | gram | mercer | product
"""
