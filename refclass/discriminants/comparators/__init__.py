"""Classifiers that the documents compare theirs with: neighbours, trees, networks.

Reading order:
    nearest | network | node_digits | perceptron | rbf_network | splits
    tree
    rule_certificate
"""
