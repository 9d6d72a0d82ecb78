"""The oracle: problems and answers as JSON, the proof of anybody's answer, and the trace of the equations.

This is the lowest layer that reads files: problems and tables a user gives, the embedded data, and, in a checkout, the
specification beside the package.

Reading order:
    alignment | conventions | equations | kernel | kernel_gram | kernel_qp | leaves
    problem
    answer | reading | references | stored | true_kernel
    judging | readers
    judge | table
    agreement | refinement | vectors
"""
