"""Support vector regression: the ε-insensitive loss, its primal and dual, and what the optimality conditions say.

Reading order:
    insensitive
    tube_optimality
"""
