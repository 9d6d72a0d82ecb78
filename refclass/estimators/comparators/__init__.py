"""Public classifiers of other kinds, which the books compare the discriminants with.

Reading order:
    nearest | network | perceptron | rbf_network | tree
"""
