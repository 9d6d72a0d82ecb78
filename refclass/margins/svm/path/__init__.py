"""The whole path of a support vector machine: its numbers, its model, how break points are rounded, and its proof.

Reading order:
    model | numbers
    certificate | constant | record | rounding
    last_break_point
    fit
"""
