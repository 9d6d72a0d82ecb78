"""What a number must offer.

A `Field` is a frozen record of what plain arithmetic does not give: how to lift a number in at the door, the unit of
roundoff, and the transcendental functions. A module that takes no field uses only + − × ÷ and <, and is therefore exact
on fractions.

Reading order:
    text
    field
    binary64 | decimals | rational | tolerance
    arithmetic
"""
