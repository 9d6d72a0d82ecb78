"""Another program as a candidate: it reads a problem on standard input and writes an answer on standard output."""

from __future__ import annotations

import json
import shlex
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import IO, Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.oracle.vectors.case import Case

BAD_INPUT = 2  # the exit status of a program that refuses its input
Given = tuple[Optional[str], str]  # the answer as text, or None and why there is none


def answers(command: str, cases: Sequence[Case], timeout: float) -> Iterator[tuple[Case, Given]]:
    """Yield each case with what the command answers, started anew for each.

    timeout    seconds that an answer may take
    Raises     InvalidInput if the command cannot be started
    """
    words = split(command)
    for one in cases:
        yield one, _asked(words, one.text, timeout)


def _asked(words: Sequence[str], text: str, timeout: float) -> Given:
    try:
        ran = subprocess.run(words, input=text, capture_output=True, timeout=timeout, encoding="utf-8", check=False)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {timeout:g} s"
    except OSError as error:
        raise InvalidInput("candidate", need="a command that can be run", got=f"{words[0]}: {error}") from None
    except UnicodeDecodeError:
        return None, "its output is not UTF-8"
    last = ([*ran.stderr.strip().splitlines()] or ["nothing on standard error"])[-1]
    if ran.returncode == BAD_INPUT and not ran.stdout.strip():
        return json.dumps({"refusal": {"type": "InvalidInput", "got": last}}), ""
    if ran.returncode or not ran.stdout.strip():
        return None, f"it left with status {ran.returncode}: {last}"
    return ran.stdout, ""


def split(command: str) -> list[str]:
    """Return the words of a command.  Raises InvalidInput for none, and for an open quotation mark."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidInput("candidate", need="a command", got=f"{command!r}: {error}") from None
    if not words:
        raise InvalidInput("candidate", need="a command", got=quoted(command))
    return words


def conversation(command: str, cases: Sequence[Case], timeout: float) -> Iterator[tuple[Case, Given]]:
    """Yield each case with what the command answers, started once: a problem a line in, an answer a line out.

    Where it ends or takes too long, it is started again with the next case.
    Raises    InvalidInput if the command cannot be started
    """
    words, process = split(command), None
    try:
        for one in cases:
            if process is not None and process.poll() is not None:
                _stopped(process)  # its streams are still open
                process = None
            if process is None:
                process = _started(words)
            line = _line(process, one.text, timeout)
            if not line:
                _stopped(process)
                process = None
            yield one, (line, "") if line else (None, f"no line within {timeout:g} s, or it ended")
    finally:
        if process is not None:
            _stopped(process)


def _started(words: Sequence[str]) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        )
    except OSError as error:
        raise InvalidInput("candidate", need="a command that can be run", got=f"{words[0]}: {error}") from None


def _line(process: subprocess.Popen[str], text: str, timeout: float) -> str:
    """Return the line that a process answers to a line; empty if it ends, or is ended after the time given."""
    clock = threading.Timer(timeout, process.kill)
    clock.start()
    try:
        given: Any = process.stdin
        given.write(text + "\n")
        given.flush()
        answered: Optional[IO[str]] = process.stdout
        return answered.readline() if answered is not None else ""
    except (BrokenPipeError, UnicodeDecodeError):
        return ""
    finally:
        clock.cancel()


def _stopped(process: subprocess.Popen[str]) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except BrokenPipeError:
                continue
    process.wait()
