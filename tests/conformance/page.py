"""spec/conformance.md, from the outcomes."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from tests.conformance import causes, outcome, programs, questions

PAGE = Path(__file__).resolve().parents[2] / "spec" / "conformance.md"
BAD = (outcome.WRONG, outcome.SILENT, outcome.REFUSED, outcome.INVENTED)
HEAD = """# Conformance of the field

Written by `python -m tests.conformance`: {count} questions, {hard} of them hard, put to {programs} programs. A question
is a [published case](vectors/README.md), or a hard problem of [questions.py](../tests/conformance/questions.py): large
costs, offsets, columns of very different sizes, copies, narrow kernels, saddles. Answers are judged by `verify` at 6
digits, by exact bounds where the method has them. *Digits*: the median of the digits proven, over the questions with an
answer; *below the ceiling*: the median of what is missing to the digits that the exact answer has once it is rounded to
doubles and judged alike (0: no program in doubles can do better).

- *conforms*: 6 digits, or a refusal where there is no answer
- *fewer digits*: 1 to 6: a tolerance, or rounding
- *by convention*: right under another convention, which is named below
- *wrong*: less than one digit, a label that is wrong, or numbers that are none
- *no answer*: it does not return within {seconds} s of processor time, or ends
- *refuses*: an error where there is an answer
- *answers where nothing is right*: an answer where the data have none

The programs' defaults are used unless the name says otherwise. What is found here is about these versions and these
problems; the smallest cases stand below, to be run again.
"""


def defects(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the questions that show something wrong, each with the kind: of each method the first of every kind."""
    seen, out = set(), []
    for id, one in found.items():
        key = (id.partition("/")[0], one["kind"])
        if one["kind"] in BAD and one["kind"] != outcome.INVENTED and (key not in seen or key[0] == "hard"):
            seen.add(key)
            out.append((id, one["kind"]))
    return out


def write(stored: dict[str, Any], mixture: dict[str, Any]) -> None:
    """Write the page."""
    asked = questions.questions()
    known = [p for p in programs.PROGRAMS if p.name in stored and stored[p.name]["found"]]
    head = HEAD.format(
        count=len(asked),
        hard=sum(q.hard for q in asked),
        programs=len(known),
        seconds=programs.SECONDS,
    )
    parts = [head, _table(stored, known), _conventions(stored, known), _mixture(mixture)]
    parts += [_defects(stored, known), _digits(stored, known)]
    PAGE.write_text("\n".join(parts), encoding="utf-8")


def _number(digits: Any) -> float:
    return 16.0 if digits == "all" else min(16.0, float(digits))


def _table(stored: dict[str, Any], known: list[programs.Program]) -> str:
    kinds = [outcome.CONFORMS, outcome.SHORT, outcome.CONVENTION, *BAD]
    lines = [
        "## What became of the questions\n",
        f"| program | version | asked | digits | below the ceiling | {' | '.join(kinds)} |",
    ]
    lines.append("|---" * (5 + len(kinds)) + "|")
    for p in known:
        found = stored[p.name]["found"]
        counts = Counter(one["kind"] for one in found.values())
        answered = {
            i: one for i, one in found.items() if one["kind"] in (outcome.CONFORMS, outcome.SHORT, outcome.WRONG)
        }
        answered = {i: one for i, one in answered.items() if i in stored["ceiling"]}
        held = [_number(one["digits"]) for one in answered.values()]
        missing = [max(0.0, _number(stored["ceiling"][i]) - _number(one["digits"])) for i, one in answered.items()]
        words = (f"{median(held):.1f}", f"{median(missing):.1f}") if held else ("–", "–")
        numbers = " | ".join(str(counts[k] or "") for k in kinds)
        lines.append(f"| {p.name} | {stored[p.name]['version']} | {len(found)} | {words[0]} | {words[1]} | {numbers} |")
    return "\n".join(lines) + "\n"


def _mixture(stored: dict[str, Any]) -> str:
    lines = [
        "## Digits on the mixture data\n",
        "The 200 points of ESL's figure 2.1, C = 1; the Gaussian kernel has γ = 1.\n",
    ]
    ceiling = [_short(stored["ceiling"].get(f"mixture/{name}")) for name in ("linear", "gaussian")]
    lines += ["| program | linear | gaussian |", "|---|---|---|", f"| *ceiling* | {ceiling[0]} | {ceiling[1]} |"]
    for name, own in stored.items():
        if name != "ceiling" and own["found"]:
            cells = [_cell(own["found"].get(f"mixture/{kernel}")) for kernel in ("linear", "gaussian")]
            lines.append(f"| {name} {own['version']} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def _conventions(stored: dict[str, Any], known: list[programs.Program]) -> str:
    lines = ["## Conventions\n", "Questions that are right under another convention than the one asked for.\n"]
    for p in known:
        found = Counter(one["said"] for one in stored[p.name]["found"].values() if one["kind"] == outcome.CONVENTION)
        lines += (
            [f"- {p.name}: {'; '.join(f'{words} ({count})' for words, count in found.most_common())}"] if found else []
        )
    lines.append(
        "\nKnown before, and said in the problem: LIBLINEAR, LinearSVC and mlpack penalise the intercept;"
        "\nscikit-learn's LDA has the divisor n; mlpack's λ is 2/(Cn), of two weights that are one another's negative."
        "\nThis reading of mlpack's objective was chosen among four on one problem and is not confirmed: its"
        "\nrows may be due to the reading. Causes are inferred from what the programs return, not from their source."
    )
    return "\n".join(lines) + "\n"


def _defects(stored: dict[str, Any], known: list[programs.Program]) -> str:
    lines = ["## What is wrong, with its smallest case\n"]
    for p in known:
        own = stored[p.name].get("smallest", {})
        if own:
            lines.append(f"### {p.name} {stored[p.name]['version']}\n")
        for id, one in own.items():
            digits = f", {one['digits']} digits" if one["kind"] == outcome.WRONG else ""
            lines.append(f"- `{id}`: {one['kind']}{digits}: {_said(one['said'])}")
            why = causes.cause(p.name, id)
            lines += [f"  {why}"] if why else []
            text = json.dumps({k: v for k, v in one["problem"].items() if k != "query" or v is not None})
            lines += ["", "  ```json", f"  {text}", "  ```", ""]
    return "\n".join(line for line in lines if line is not None) + "\n"


def _said(words: str) -> str:
    return " ".join(words.split())[:160] or "no words"


def _digits(stored: dict[str, Any], known: list[programs.Program]) -> str:
    """Return the digits of each program on the machines, question by question."""
    chosen = [p for p in known if any(i.startswith("hard/") for i in stored[p.name]["found"])]
    ids = [q.id for q in questions.questions() if q.id.startswith("hard/")]
    lines = ["## Digits on the hard problems\n", "–: not supported; ∅: no answer; ✗: refused.\n"]
    groups = [("two classes", "svc"), ("other methods", "")]
    asked = {q.id: q.problem["method"] for q in questions.questions()}
    for words, method in groups:
        own = [i for i in ids if (asked[i] == "svc") == (method == "svc")]
        shown = [p for p in chosen if any(i in stored[p.name]["found"] for i in own)]
        lines += [f"### {words}\n", "| question | ceiling | " + " | ".join(p.name for p in shown) + " |"]
        lines.append("|---" * (2 + len(shown)) + "|")
        for i in own:
            cells = [_cell(stored[p.name]["found"].get(i)) for p in shown]
            lines.append(f"| {i.partition('/')[2]} | {_short(stored['ceiling'].get(i))} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def _short(digits: Any) -> str:
    return "–" if digits is None else "all" if digits == "all" else f"{math.floor(10 * float(digits)) / 10:g}"


def _cell(one: Any) -> str:
    if one is None:
        return "–"
    return {outcome.SILENT: "∅", outcome.REFUSED: "✗"}.get(one["kind"], _short(one["digits"]))
