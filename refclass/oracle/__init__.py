"""Floor 8: the oracle: problems and answers as JSON, the proof of anybody's answer, and the trace of the equations.

This is the lowest floor that reads files: problems and tables a user gives, the embedded data, and, in a checkout, the
specification beside the package.

Reading order:
    kernel
    leaves | conventions
    problem
    answer | alignment | shares | scales | reading | rows
    textbook
    comparison | likelihood | witness
    verdict
    columns | direct | machine | claims | consistency
    refused
    judge
    refinement | agreement
    table | stored | shelf
    marks | reach
    trace
"""
