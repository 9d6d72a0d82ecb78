"""Running the tests for mutants: each test once, to see which functions it calls; then, for each mutant, these tests.

A mutant is planted in a forked process, which ends with the first test that fails. The tests most likely to find it
come first: the one that found it before, those of its module, of its package, those that cite its equation, then the
laws, the bridges and all others that call the function; among these the fastest first.

The first time that a test fails, it is run in such a process with the function as it is, too: a test that fails there
as well finds nothing, and is asked no more.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import importlib
import io
import json
import mmap
import os
import pathlib
import signal
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Optional

import pytest

from tests.mutate import mutant
from tests.mutate.mutant import ROOT, Function, Mutant

FOUND, SURVIVES, UNPLANTED, SPENT = 1, 0, 3, 4  # exit statuses of the process of a mutant
SLOWEST = 2.0  # processor seconds that a test may take to be asked about mutants
ENDLESS = 10  # times its own seconds, and as many seconds more: a test that takes longer is an endless loop
MEMORY = 4 * 2**30  # bytes that a mutant may take
APART = ("architecture", "benchmarks", "commands", "conformance", "hunt", "mutate", "report", "sklearn", "oracle")


def watched(patterns: Mapping[Function, set[str]]) -> list[str]:
    """Return the test files that are run: all but those of layers above, unless they are of a function's layer."""
    stems = {pathlib.PurePosixPath(path).stem for path, _ in patterns}
    layers = {pathlib.PurePosixPath(path).parts[1] for path, _ in patterns}
    marks = [f"[{equation}]" for own in patterns.values() for equation in own]
    found = []
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        name = test.relative_to(ROOT).as_posix()
        layer = name.split("/")[1]
        apart = (layer in APART and layer not in layers) or name.count("/") < 2
        own = test.stem.removeprefix("test_") in stems
        if not apart or own or any(mark in test.read_text(encoding="utf-8") for mark in marks):
            found.append(name)
    return found


@dataclass
class Runner:
    """A pytest plugin that runs each collected test once, and then for each mutant those that call its function.

    mutants     those to be judged
    cited       of each function the equations that it carries
    seconds     of the processor that the tests of one mutant may take together; what is left over is not run
    results     the file that takes an outcome a line, and tells which mutants have one
    finders     of mutants that were found before the test that did it
    outcomes    "found", "survives", "no test calls it", or "not found in n s", by the key of the mutant
    """

    mutants: list[Mutant]
    cited: Mapping[Function, set[str]]
    seconds: float
    results: Optional[pathlib.Path] = None
    finders: Mapping[str, str] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    failed: bool = False
    ran: bool = False
    held: dict[Function, list[FunctionType]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    sound: dict[str, bool] = field(default_factory=dict)
    asked: mmap.mmap = field(default_factory=lambda: mmap.mmap(-1, 8))  # the place of the test that is run

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep that a test failed."""
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests and see which functions they call, then those of each mutant in a process of its own."""
        self.ran = True
        callers = self._watch(session)
        for cache in [c for c in gc.get_objects() if isinstance(c, functools._lru_cache_wrapper)]:
            cache.cache_clear()  # Premise: what a test remembers of the sound function would hide a mutant
        _say(f"{len(session.items)} tests; {len(self.mutants)} mutants")
        gc.collect()
        gc.freeze()
        for done, one in enumerate(self.mutants):
            self._judge(one, callers[one.path, one.name])
            if done % 50 == 49:
                _say(f"{done + 1} of {len(self.mutants)}")
        return True

    def _judge(self, one: Mutant, callers: list[tuple[float, Any]]) -> None:
        """Keep what became of a mutant, and which test found it."""
        before = self.finders.get(one.key)
        items = [pair for pair in callers if self.sound.get(pair[1].nodeid, True)]
        items.sort(key=lambda pair: (pair[1].nodeid != before, self._distance(one, pair[1]), pair[0]))
        while items:
            outcome = self._planted(one, one.index, items)
            if outcome != "found":
                return self._keep(one, outcome)
            pair = items[int.from_bytes(self.asked[:8], "little")]
            name = pair[1].nodeid
            if name not in self.sound:
                self.sound[name] = self._planted(one, None, [pair]) == "survives"
                if not self.sound[name]:
                    _say(f"fails without a mutant, too: {name}")
            if self.sound[name]:
                return self._keep(one, outcome, name)
            items.remove(pair)
        return self._keep(one, "no test calls it")

    def _watch(self, session: Any) -> dict[Function, list[tuple[float, Any]]]:
        """Return the tests that call each function, each with its seconds."""
        seen = set[Function]()
        signal.signal(signal.SIGVTALRM, _too_slow)
        callers: dict[Function, list[tuple[float, Any]]] = {(m.path, m.name): [] for m in self.mutants}
        gc.unfreeze()  # tests/conftest.py hides what was collected from searches
        for place in callers:
            importlib.import_module(_module(place[0]))
        there: dict[str, list[FunctionType]] = {}
        for f in gc.get_objects():
            if isinstance(f, FunctionType):
                there.setdefault(f.__code__.co_filename, []).append(f)
        for path, name in callers:
            last = name.rpartition(".")[2]
            own = [f for f in there[str(ROOT / path)] if f.__qualname__ == name and f.__code__.co_name == last]
            assert own, (path, name)
            self.held[path, name] = own
        kept = {place: own[0].__code__ for place, own in self.held.items()}
        for place in callers:
            self._tell(place, seen)
        for done, item in enumerate(session.items):
            if done % 500 == 499:
                _say(f"{done + 1} of {len(session.items)} tests")
            seen.clear()
            self.failed, started = False, time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, SLOWEST)
            _run(item)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            seconds = time.process_time() - started
            if not self.failed and seconds < SLOWEST:
                for place in seen:
                    callers[place].append((seconds, item))
        for place, code in kept.items():
            for f in self.held[place]:
                f.__code__ = code
        return callers

    def _tell(self, place: Function, seen: set[Function]) -> None:
        """Let a function tell when it is called: its first statement adds it to a set."""
        path, name = place
        vars(sys.modules[_module(path)])["_called"] = seen.add
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        node = next(node for n, node in mutant.functions(tree) if n == name)
        node.body.insert(0, ast.parse(f"_called({place!r})").body[0])
        made = mutant.code(tree, path, name)
        for f in self.held[place]:
            f.__code__ = made

    def _distance(self, one: Mutant, item: Any) -> int:
        """Return how far a test lies from a mutant: 0 its module's own, 1 its package's, 2 citing it, 3 another."""
        test = pathlib.PurePosixPath(pathlib.Path(str(item.fspath)).relative_to(ROOT).as_posix())
        module = pathlib.PurePosixPath(one.path)
        if test.stem == f"test_{module.stem}":
            return 0
        if test.parent.parts[1:] == module.parent.parts[1:]:
            return 1
        text = self.texts.setdefault(str(test), (ROOT / test).read_text(encoding="utf-8"))
        return 2 if any(f"[{equation}]" in text for equation in self.cited[one.path, one.name]) else 3

    def _planted(self, one: Mutant, index: Optional[int], items: list[tuple[float, Any]]) -> str:
        """Return what becomes of a mutant, or, without an index, of the function as it is."""
        import resource

        child = os.fork()
        if child == 0:
            status = UNPLANTED
            try:
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                text = (ROOT / one.path).read_text(encoding="utf-8")
                made = mutant.changed(one.path, one.name, text, index)
                for f in self.held[one.path, one.name]:
                    f.__code__ = made
                status = FOUND
                status = self._tried(items)
            finally:
                os._exit(status)
        _, ended = os.waitpid(child, 0)
        if ended == UNPLANTED << 8:
            raise SystemExit(f"cannot plant {one.key}")
        words = {SURVIVES << 8: "survives", SPENT << 8: f"not found in {self.seconds:g} s"}
        return words.get(ended, "found")

    def _tried(self, items: list[tuple[float, Any]]) -> int:
        """Return the exit status: whether a test fails, before the seconds are spent."""
        import resource

        self.failed, started = False, time.process_time()
        for place, (seconds, item) in enumerate(items):
            now = time.process_time()
            if now - started > self.seconds:
                return SPENT
            self.asked[:8] = place.to_bytes(8, "little")
            most = int(now + ENDLESS * (seconds + 1)) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))  # its signal ends the process
            signal.alarm(30 * ENDLESS)  # and so does a wait for what never comes
            _run(item)
            if self.failed:
                return FOUND
        return SURVIVES

    def _keep(self, one: Mutant, outcome: str, finder: str = "") -> None:
        self.outcomes[one.key] = outcome
        if outcome != "found":
            print(f"{outcome}: {one.line} {one.key}", file=sys.__stdout__, flush=True)
        if self.results is not None:
            row = {"mutant": one.key, "outcome": outcome, "by": finder, "code": mutant.digested(one.path, one.name)}
            with self.results.open("a", encoding="utf-8") as file:
                print(json.dumps(row, ensure_ascii=False), file=file)


def _module(path: str) -> str:
    return path[: -len(".py")].replace("/", ".")


def _too_slow(signum: int, frame: Any) -> None:
    pytest.fail("asks for too long to be asked about mutants")


def _say(words: str) -> None:
    print(words, file=sys.__stderr__, flush=True)


def _run(item: Any) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def rows(results: Optional[pathlib.Path]) -> dict[str, dict[str, str]]:
    """Return what a file of results has of each mutant; the last line of a mutant stands."""
    if results is None or not results.exists():
        return {}
    read = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    return {row["mutant"]: row for row in read}


def known(results: Optional[pathlib.Path]) -> dict[str, str]:
    """Return the outcomes that a file of results has of mutants of functions that are as they were."""
    return {
        key: row["outcome"] for key, row in rows(results).items() if row["code"] == mutant.digested(*mutant.place(key))
    }


def judged(
    equations: Iterable[str],
    seconds: float,
    results: Optional[pathlib.Path] = None,
    again: bool = False,
    within: str = "",
    tests: Iterable[str] = (),
    unchanged: Iterable[Function] = (),
) -> Runner:
    """Return what became of every mutant of the functions that carry equations.

    again      whether mutants that are known to survive are tried anew
    within     where their paths begin, of those that are tried; several with commas between them
    tests      the files of tests that are asked; all that may call the functions if there are none
    unchanged  the functions that are left out
    """
    cited = mutant.carriers(equations)
    made = [m for path, name in cited for m in mutant.mutants(path, name, (ROOT / path).read_text(encoding="utf-8"))]
    before = known(results)
    made = [m for m in made if m.path.startswith(tuple(within.split(","))) and (m.path, m.name) not in unchanged]
    left = [m for m in made if m.key not in before or (again and before[m.key] != "found")]
    runner = Runner(left, cited, seconds, results, {key: row["by"] for key, row in rows(results).items()})
    if left:
        options = ["-q", "-m", "not thorough", "-p", "no:cacheprovider", "-p", "no:xdist", "-s"]
        os.chdir(ROOT)
        own = {place: cited[place] for place in {(m.path, m.name) for m in left}}
        with contextlib.redirect_stdout(io.StringIO()) as words:
            ended = pytest.main([*options, "--hypothesis-profile=mutants", *(tests or watched(own))], plugins=[runner])
        if not runner.ran or ended in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
            raise SystemExit(words.getvalue())
    runner.outcomes = {m.key: runner.outcomes.get(m.key, before.get(m.key, "")) for m in made}
    return runner
