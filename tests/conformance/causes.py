"""Probable causes of what is wrong with programs, as far as they are known: program, pattern of questions, cause."""

from __future__ import annotations

from fnmatch import fnmatchcase

CAUSES: tuple[tuple[str, str, str], ...] = ()


def cause(program: str, question: str) -> str:
    """Return the probable cause of a defect; empty if none is known."""
    return next((words for p, q, words in CAUSES if fnmatchcase(program, p) and fnmatchcase(question, q)), "")
