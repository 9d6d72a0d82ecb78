"""Answers laid out for people.

Reading order:
    asking | axis | conformance | contours | program | progress | spelling | words
    describing | export | svg
    drawing | fitting | markdown | network | plane | style
    saving | tour | trials
    book | curves | geometry | mixture | robustness | spirals | validating
    costs | discriminants | learning | machines | tables
    gallery | theory | vowels
    figures
    reproduction
    own_table
"""
