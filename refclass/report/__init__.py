"""Answers laid out for people.

Reading order:
    drawing | program | text
    export
    commands
    tables
    figures
    pages
"""
