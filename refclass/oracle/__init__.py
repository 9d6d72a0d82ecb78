"""The oracle: problems and answers as JSON, the proof of anybody's answer, and the trace of the equations.

This is the lowest layer that reads files: problems and tables a user gives, the embedded data, and, in a checkout, the
specification beside the package.

Reading order:
    alignment | conventions | kernel | leaves | presets | reach | rows | shares | specification | table
    marks | problem
    answer | case | reading | scales | stored | textbook | trace
    comparison | likelihood | witness
    verdict
    claims | columns | consistency | direct | machine
    refused
    readers_libsvm
    judge | readers_estimator | readers_liblinear | readers_r
    agreement | candidate | conformance | readers | refinement
"""
