"""The oracle: problems and answers as JSON, the proof of anybody's answer, and the trace of the equations.

This is the lowest layer that reads files: problems and tables a user gives, the embedded data, and, in a checkout, the
specification beside the package.

Reading order:
    alignment | conventions | kernel | leaves | reach | rows | shares | specification | table
    marks | problem
    answer | reading | scales | stored | textbook | trace | trusted
    comparison | likelihood | smoothing | witness
    verdict
    claims | columns | consistency | direct | machine
    refused
    judge
    agreement | refinement
"""
