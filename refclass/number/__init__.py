"""Number systems: fractions, doubles and decimals of any length, behind one record, the `Field`.

A `Field` is a frozen record of what plain arithmetic does not give: the conversion of a number into it, its unit of
roundoff, and the transcendental functions. A module that takes no field uses only + − × ÷ and <, and is therefore
exact on fractions.

Reading order:
    exponential | integer_decimals | interval | text
    field
    binary64 | decimals | rational | tolerance | vanishing
    arithmetic
"""
