"""Answers laid out for people.

Reading order:
    drawing | stages | text | translation
    learnt
    program
    export
    commands
    tables
    figures
    pages
"""
