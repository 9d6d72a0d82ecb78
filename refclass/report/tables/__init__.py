"""The tables of the documents, computed anew beside what is printed.

Reading order:
    table
    cross_validated | formulas | learning_curve | orange | separable | spam | vowel
    ripley
    catalogue
"""
