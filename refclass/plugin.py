"""The pytest plugin: the conformance cases as a fixture, and assertions whose failures are reported in full.

    def test_my_solver(refclass_case):
        assert_optimal(refclass_case, my_solver(refclass_case.problem), digits=6)

A test that requires `refclass_case` runs once for each case; `@pytest.mark.refclass_cases("svc", flags=["tie"])`
chooses methods, ids or patterns of ids, and flags. The assertions are those of refclass.assertions.
"""

from __future__ import annotations

from typing import Any

FIXTURE = "refclass_case"
MARK = "refclass_cases"


def pytest_configure(config: Any) -> None:
    """Tell pytest of the mark."""
    config.addinivalue_line(
        "markers", f"{MARK}(*patterns, flags=[]): the conformance cases that {FIXTURE} goes through"
    )


def pytest_generate_tests(metafunc: Any) -> None:
    """Give a test that requires a case all cases that its marks choose."""
    if FIXTURE not in metafunc.fixturenames:
        return
    from refclass.oracle.vectors import case

    patterns: list[str] = []
    flags: list[str] = []
    for mark in metafunc.definition.iter_markers(MARK):
        patterns += mark.args
        flags += mark.kwargs.get("flags", [])
    cases = case.chosen(case.shipped(), patterns, flags)
    metafunc.parametrize(FIXTURE, cases, ids=[one.id for one in cases])
