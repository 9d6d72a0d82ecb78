"""From an equation to its code, its tests and its cases: the specification, the marks, what is reached, the trace.

Reading order:
    reach | specification
    marks
    trace
"""
