"""Floor 1: what a number must offer.

A `Field` is a frozen record of what plain arithmetic does not give: how to lift a number in at the door, the unit of
roundoff, and the transcendental functions. A room that takes no field uses only + − × ÷ and <, and is therefore exact
on fractions.

Reading order:
    text
    field
    rational | binary64 | decimals
    arithmetic
    near
"""
