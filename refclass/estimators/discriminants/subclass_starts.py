"""Where the mixtures of a fit begin: the shares of the rows in the subclasses of their class."""

from __future__ import annotations

import random
from typing import Any

from refclass.discriminants.mixture import mda
from refclass.errors import InvalidInput, quoted
from refclass.number.field import Field
from refclass.optimise.mixture.likelihood import Problem, Shares, hard
from refclass.sample import data
from refclass.sample.observations import Sample

METHOD = "mda"


def clustered(F: Field, sample: Sample, sizes: tuple[int, ...], seed: Any, count: int) -> list[Shares]:
    """Return `count` groupings of each class's points around prototypes, one where each class is one subclass.

    Raises    InvalidInput unless the seed is an integer
    """
    if type(seed) is not int:
        raise InvalidInput(METHOD, need="seed an integer", got=quoted(seed))
    rng = random.Random(seed)
    return [mda.clustered(F, sample, sizes, rng) for _ in range(count if max(sizes) > 1 else 1)]


def given(F: Field, sample: Sample, problem: Problem, sizes: tuple[int, ...], start: Any) -> Shares:
    """Return the shares that a user gives: subclass numbers, or rows of shares.

    Raises    InvalidInput, naming the row, for other entries
    """
    try:
        entries = list(data.plain(start))
    except TypeError:
        need = f"start None or {sample.n} entries, one for each row"
        raise InvalidInput(METHOD, need=need, got=quoted(start)) from None
    if len(entries) != sample.n:
        raise InvalidInput(METHOD, need=f"{sample.n} entries of start, one for each row", got=len(entries))
    if all(type(r) is int for r in entries):
        return _hard(sample, problem, sizes, entries)
    return _soft(F, sample, problem, sizes, entries)


def _hard(sample: Sample, problem: Problem, sizes: tuple[int, ...], numbers: list[int]) -> Shares:
    for i, (r, g) in enumerate(zip(numbers, sample.labels)):
        if not 0 <= r < sizes[g]:
            raise InvalidInput(METHOD, need=f"subclasses 0 to {sizes[g] - 1} in start", got=r, row=i)
    try:
        found = hard(problem, numbers, sizes)
    except InvalidInput as refusal:
        witness = {**refusal.witness, "label": sample.classes[refusal.witness["label"]]}
        raise InvalidInput(METHOD, need=refusal.need, got=refusal.got, **witness) from None
    return found


def _soft(F: Field, sample: Sample, problem: Problem, sizes: tuple[int, ...], entries: list[Any]) -> Shares:
    rows = []
    for i, (row, g) in enumerate(zip(entries, sample.labels)):
        shares = data.matrix(F, [row], columns=sizes[g], name="start")[0]
        if min(shares) < 0 or abs(shares.sum() - 1) * 1000000 > 1:
            raise InvalidInput(METHOD, need="shares ≥ 0 whose sum is 1 in start", got=list(shares), row=i)
        rows.append(shares / shares.sum())
    return tuple(tuple(zip(*(rows[i] for i in problem.members(k)))) for k in range(sample.K))
