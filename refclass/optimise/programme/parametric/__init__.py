"""The exact parametric active-set method: the equations of a working set, symbols that decide ties, the method.

Reading order:
    working_set
    lexicographic
    method
"""
