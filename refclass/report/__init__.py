"""Answers laid out for people.

Reading order:
    drawing | stages | text | translation
    program
    export
    commands
    tables
    figures
    pages
"""
