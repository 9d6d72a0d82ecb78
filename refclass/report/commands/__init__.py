"""What the commands of the command line do.

Reading order:
    asking | conformance | interruption
    fitting
    saving | tour | trials
    validating
    learning
"""
