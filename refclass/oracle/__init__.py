"""The oracle: problems and answers as JSON, the proof of anybody's answer, and the trace of the equations.

This is the lowest layer that reads files: problems and tables a user gives, the embedded data, and, in a checkout, the
specification beside the package.

Reading order:
    alignment | conventions | kernel | leaves | presets | reach | rows | shares | specification | table
    marks | problem
    answer | case | readers_libsvm | reading | scales | stored | textbook | trace | trusted
    candidate | comparison | likelihood | readers_estimator | readers_liblinear | readers_r | smoothing | witness
    readers | verdict
    claims | columns | consistency | direct | machine | quadratic
    refused
    judge
    agreement | conformance | refinement
"""
