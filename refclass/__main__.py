"""The command line: python -m refclass.

Errors are one line on standard error, and exit status 2.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Optional

import refclass
from refclass.errors import InvalidInput, Refusal, quoted
from refclass.oracle import agreement, answer, judge, problem, refinement
from refclass.oracle.conventions import presets
from refclass.oracle.equations import trace
from refclass.oracle.readers import delimited_text, formats
from refclass.report.commands import asking, conformance, fitting, learning, tour
from refclass.report.text import spelling, words
from refclass.report.text.progress import Progress

progress = Progress()

BOOKS = """ids such as ESL-12.13 name the equations of five texts:
  ESL   Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, chapters 4 and 12
  ISML  Sugiyama, Introduction to Statistical Machine Learning, chapter 27
  MMST  Izenman, Modern Multivariate Statistical Techniques, chapter 11
  KIM   Kim, Statistical Classification (thesis, 2010)
  YANG  Yang, Support Vector Machine and Discriminant Analysis (slides, 2022)"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """Print the complaint and where to find help, and leave with status 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser() -> Parser:
    """Return the parser of the command line."""
    about = (refclass.__doc__ or "").splitlines()[0]
    kept = argparse.RawDescriptionHelpFormatter
    p = Parser(prog="refclass", description=about, epilog=BOOKS, formatter_class=kept)
    p.add_argument("--version", action="version", version=f"refclass {refclass.__version__}")
    commands = p.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def command(name: str, run: Any, about: str) -> argparse.ArgumentParser:
        c = commands.add_parser(name, help=about, description=about)
        c.set_defaults(run=run)
        return c

    command("tour", _tour, "fit the methods to the embedded data; print errors and proofs (the default)")
    c = command("methods", _methods, "list every method, its equations and parameters")
    c.add_argument("--json", action="store_true", help="as JSON")
    learning.ask(command, progress)
    _oracle(command)
    conformance.ask(command, progress)
    _ask_to_reproduce(command)
    c = command("report", _report, "write pages on a table of your own: methods compared, boundaries, margins, proofs")
    _ask_for_a_report(c)
    c = command("where", _where, "lead from an equation to its code, its tests and its cases")
    c.add_argument("equation", metavar="EQUATION", help="such as ESL-12.13")
    c = command("trace", _trace, "print the table of all equations, or write it to spec/trace.md")
    c.add_argument("--write", action="store_true", help="write spec/trace.md")
    return p


def _ask_for_a_report(c: argparse.ArgumentParser) -> None:
    c.add_argument("--data", required=True, metavar="F.csv", help="a table with a header, or an embedded data set")
    asking.ask_for_a_form(c)
    c.add_argument("--target", required=True, metavar="COLUMN", help="the column of labels")
    c.add_argument("--columns", metavar="A,B,…", help="the columns of inputs (default: all others)")
    c.add_argument("--out", required=True, metavar="DIR", help="the folder to write to")
    c.add_argument("--folds", type=int, default=10, metavar="K", help="folds of the cross-validation (10)")
    c.add_argument("--seed", type=int, default=0, metavar="S", help="of the folds (0)")
    c.add_argument("--jobs", type=int, default=1, metavar="N", help="work in N processes (default: 1)")


def _ask_to_reproduce(command: Any) -> None:
    about = (
        "compute the documents' tables and figures anew, and write pages with numbers, sources and print beside ours"
    )
    c = command("reproduce", _reproduce, about)
    names = "what --list lists; all, figures, tables or book (default: figures)"
    c.add_argument("name", nargs="*", metavar="NAME", help=names)
    either = c.add_mutually_exclusive_group(required=True)
    either.add_argument("--out", metavar="DIR", help="the folder to write them to; what it holds is continued")
    either.add_argument("--list", action="store_true", help="list them with what they cite")
    c.add_argument("--quick", action="store_true", help="few repetitions: everything within minutes")
    c.add_argument("--jobs", type=int, default=1, metavar="N", help="work in N processes (default: 1)")
    c.add_argument("--data", metavar="DIR", help="a folder with the public data sets that are not embedded")


def _oracle(command: Any) -> None:
    c = command("solve", _solve, "answer a problem file; - reads standard input")
    c.add_argument("problem", metavar="P.json")
    c = command("verify", _verify, "prove or refute an answer to a problem, in digits; status 1 if refuted")
    about = "a problem, or data of LIBSVM; with --lines a file of problems and answers"
    c.add_argument("problem", metavar="P.json", help=about)
    c.add_argument("answer", nargs="?", metavar="ANSWER", help="JSON, or a model of LIBSVM, LIBLINEAR or R")
    _ask_for_digits(c)
    asking.ask_for_parameters(c, "what a model file does not hold, with data of LIBSVM: C=1 epsilon=1/10")
    c.add_argument("--ceiling", action="store_true", help="print the digits of the exact optimum rounded to doubles")
    c.add_argument(
        "--lines",
        action="store_true",
        help='judge many: on each line {"problem": …, "answer": …}; a verdict a line; status 1 if one is refuted',
    )
    c = command(
        "compare", _compare, "compare two answers to a problem: by which conventions they differ, and in digits"
    )
    c.add_argument("problem", metavar="P.json")
    c.add_argument("answer", metavar="A.json")
    c.add_argument("other", metavar="B.json")
    for name in ("first", "second"):
        c.add_argument(f"--{name}", metavar="PROGRAM", help=f"whose answer it is: {', '.join(presets.PROGRAMS)}")
    _ask_for_digits(c)
    c = command("refine", _refine, "take an approximate answer to the exact optimum, with its proof")
    c.add_argument("problem", metavar="P.json")
    c.add_argument("answer", metavar="A.json")


def _ask_for_digits(c: argparse.ArgumentParser) -> None:
    c.add_argument(
        "--digits",
        type=_digits,
        default=judge.DIGITS,
        metavar="N",
        help=f"decimal digits that are asked for, or all ({judge.DIGITS})",
    )
    c.add_argument("--json", action="store_true", help="the whole verdict as one JSON object on one line")


def _digits(text: str) -> float:
    try:
        value = math.inf if text == "all" else float(text)
    except ValueError:
        value = 0.0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"need a number > 0, or all; got {text!r}")
    return value


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run a command and return its exit status: 0 done, 1 refuted, 2 refused."""
    spelling.adapt(sys.stdout)
    spelling.adapt(sys.stderr)
    try:
        options = parser().parse_args(arguments)
        if options.command is None:
            options.run = _tour
        with progress:
            status = int(options.run(options) or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except Refusal as refusal:
        print(f"refclass: {refusal}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _discard(sys.stdout)
        return 0
    except OSError as error:  # a full disk, a folder that may not be written
        where, got = error.filename or "standard output", str(error.strerror or error).lower()
        print(f"refclass: {where}: need a file that can be read and written; got {got}", file=sys.stderr)
        _discard(sys.stdout)
        return 2
    except KeyboardInterrupt:
        print("refclass: interrupted", file=sys.stderr)
        return 130


def _discard(stream: Any) -> None:
    """Send what a stream still holds nowhere: at its end Python would try once more to write it, and complain."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def run() -> NoReturn:
    """Run the command line and leave with its status."""
    sys.exit(main())


def _tour(options: Any) -> None:
    for line in tour.lines(progress):
        print(line)


def _methods(options: Any) -> None:
    found = refclass.methods()
    if options.json:
        print(json.dumps(answer.tree(found), indent=1, ensure_ascii=False))
        return
    width = max(len(m["method"]) for m in found)
    for m in found:
        print(f"{m['method']:<{width}}  {m['summary']}")
        given = [k if k in m["required"] else f"{k}={v!r}" for k, v in m["parameters"].items()]
        print(f"{'':<{width}}  {m['class']}({', '.join(given)})")
        print(f"{'':<{width}}  {' '.join(m['equations'])}")


def _solve(options: Any) -> None:
    print(json.dumps(answer.answer(problem.read(_content(options.problem), options.problem)), indent=1))


def _verify(options: Any) -> int:
    if options.lines:
        if options.answer is not None:
            raise InvalidInput("verify", need="one file of problems and answers with --lines", got="two")
        return _verify_lines(options)
    if options.answer is None:
        raise InvalidInput("verify", need="a problem and an answer", got="one file")
    if options.problem == options.answer == "-":
        raise InvalidInput("verify", need="standard input for one of the two files", got="both")
    asked, (reported,) = _questioned(options, options.answer)
    verdict = judge.verify(asked, reported, options.digits, ceiling=options.ceiling)
    return _reported(agreement.explained(asked, reported, verdict, options.digits), options.json)


def _questioned(options: Any, *paths: str) -> tuple[problem.Problem, list[dict[str, Any]]]:
    """Return the problem and the answers that files hold, in JSON or in formats of other programs."""
    asked, found = _content(options.problem), [_content(path) for path in paths]
    parameters = fitting.parameters(getattr(options, "set", []))
    given = formats.question(asked, options.problem, found[0], parameters)
    return given, [formats.read(given, text, path) for text, path in zip(found, paths)]


def _reported(verdict: dict[str, Any], line: bool) -> int:
    print(json.dumps(verdict, indent=None if line else 1, ensure_ascii=False))
    return 0 if verdict["accepted"] else 1


def _verify_lines(options: Any) -> int:
    worst, lines = 0, _content(options.problem, "surrogateescape").split("\n")
    if not any(line.strip() for line in lines):
        raise InvalidInput(options.problem, need="a line with a problem and an answer", got="none")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            if not _encodes(line):
                raise InvalidInput(f"{options.problem}:{number}", need="text in the encoding utf-8", got="other bytes")
            verdict = judge.verify_line(line, f"{options.problem}:{number}", options.digits, ceiling=options.ceiling)
            worst = max(worst, 0 if verdict["accepted"] else 1)
        except Refusal as refusal:
            verdict, worst = {"accepted": False, "verdict": "bad input", "reason": str(refusal)}, 2
        print(json.dumps({"line": number, **verdict}, ensure_ascii=False), flush=True)
    return worst


def _compare(options: Any) -> int:
    asked, (first, second) = _questioned(options, options.answer, options.other)
    programs = (options.first, options.second)
    return _reported(agreement.compare(asked, first, second, options.digits, programs), options.json)


def _refine(options: Any) -> None:
    asked, (reported,) = _questioned(options, options.answer)
    print(json.dumps(refinement.refine(asked, reported), indent=1))


def _report(options: Any) -> None:
    from refclass.report.pages import own_table  # every method's module: other commands need not wait for them

    print(own_table.report(options, progress))


def _reproduce(options: Any) -> int:
    from refclass.report.pages import reproduction  # every method's module: other commands need not wait for them
    from refclass.report.tables.table import Size

    chosen = reproduction.chosen(options.name)
    if options.list:
        for line in words.table(chosen.listed(), indent=""):
            print(line)
        return 0
    if options.data is not None and not Path(options.data).is_dir():
        raise InvalidInput("reproduce", need="a folder of data sets (--data DIR)", got=quoted(options.data))
    size = Size(options.quick, options.data)
    try:
        for line in reproduction.reproduce(chosen, options.out, progress, size, options.jobs):
            print(line)
    except KeyboardInterrupt:
        print(f"interrupted; the same command goes on from {options.out}", file=sys.stderr)
        return 130
    return 0


def _where(options: Any) -> None:
    for line in trace.where(options.equation):
        print(line)


def _trace(options: Any) -> None:
    rendered = trace.render()
    if options.write:
        print(f"written to {trace.write(rendered)}")
    else:
        print(rendered)


def _content(path: str, errors: str = "strict") -> str:
    """Return the text of a file, or of standard input; errors says what becomes of bytes that are none, as for open."""
    if path != "-":
        return delimited_text.content(path, errors=errors)
    try:
        return str(asking.standard_input().read())
    except UnicodeError as error:
        raise InvalidInput("standard input", need="text in the encoding utf-8", got=str(error)) from None


def _encodes(line: str) -> bool:
    """Return whether a line was text: bytes that are none stand in it as surrogates."""
    try:
        return bool(line.encode())
    except UnicodeEncodeError:
        return False


if __name__ == "__main__":
    run()
