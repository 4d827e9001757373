"""The many spellings of an environment's name: which row of a table of reference scores it means."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from surefoot.build.errors import near
from surefoot.errors import shortened
from surefoot.scales.references.catalogue import REFERENCE_TABLES, ReferenceTable

_VERSION = re.compile(r"[-_]v\d+$")
_ROUNDING, _ABOVE = 1e-6, 0.05


def rows_meant(names: Iterable[str], known: pd.DataFrame, table: ReferenceTable) -> dict[str, str]:
    """The environment of a table that each of these names means; names that mean none are left out.

    Letters are small or not, and what separates words, the names of packages before and versions after do not count:
    `ALE/Breakout-v5`, `BreakoutNoFrameskip-v4` and `atari_breakout` all mean `Breakout`.

    Parameters
    ----------
    known : the table as `read_reference_table` reads it
    """
    meant = _by_letters(
        tuple(known[table.name]), tuple(zip(known["zero"], known["one"], strict=True)), table.any_version
    )
    found = {name: meant.get(_letters(undecorated(name, table), table.aliases)) for name in names}
    return {name: row for name, row in found.items() if row is not None}


def undecorated(name: str, table: ReferenceTable) -> str:
    """The name without what packages write before and after it."""
    name = re.sub(table.before, "", name.strip(), flags=re.IGNORECASE)
    return re.sub(table.after, "", name, flags=re.IGNORECASE)


def with_nearest(name: str, known: pd.DataFrame, table: ReferenceTable) -> str:
    """The name, and the nearest of the table's where one is near."""
    letters = {_letters(row, {}): row for row in known[table.name]}
    found = near(_letters(undecorated(name, table), table.aliases), letters)
    shown = shortened(name, 60)
    return f"{shown} (nearest: {letters[found[0]]})" if found else shown


def tables_with_all(names: Sequence[str]) -> list[str]:
    """The tables that have all of these environments."""
    return [
        key
        for key, table in REFERENCE_TABLES.items()
        if len(rows_meant(names, read_reference_table(key), table)) == len(set(names))
    ]


def reference_of(scores: pd.DataFrame) -> str | None:
    """The table that has all environments of these scores, as they are logged; None if there is none, or several.

    Of Atari's two it is that of humans. A table does not count if scores are outside of its bounds, or if the highest
    is not above its 0 by a twentieth of the scale in half of the environments: they are then normalized already.

    Parameters
    ----------
    scores : columns environment, score
    """
    best = scores.groupby(scores["environment"].astype(str), sort=False)["score"].agg(["min", "max"])
    found = []
    for key in tables_with_all(list(best.index)):
        table, known = REFERENCE_TABLES[key], read_reference_table(key)
        meant = rows_meant(best.index, known, table)
        ends = known.set_index(table.name).loc[[meant[name] for name in best.index]]
        low, high = ((best[end].to_numpy() - ends["zero"]) / (ends["one"] - ends["zero"]) for end in ("min", "max"))
        inside = not table.bounded or (low.min() >= -_ROUNDING and high.max() <= 1.0 + _ROUNDING)
        if inside and (high > _ABOVE).mean() >= 0.5:
            found.append(key)
    return found[0] if found[:1] == ["atari_human"] or len(found) == 1 else None


@functools.cache
def read_reference_table(name: str) -> pd.DataFrame:
    """A table of `REFERENCE_TABLES`: its column of names, and the columns zero and one, without rows that lack one."""
    return with_ends(pd.read_csv(REFERENCE_TABLES[name].path), REFERENCE_TABLES[name])


def with_ends(kept: pd.DataFrame, table: ReferenceTable) -> pd.DataFrame:
    """The same of the file's content."""
    columns = {table.name: table.name, table.zero: "zero", table.one: "one"}
    return kept[list(columns)].set_axis(list(columns.values()), axis="columns").dropna(ignore_index=True)


@functools.cache
def _by_letters(rows: tuple[str, ...], ends: tuple[tuple[float, float], ...], any_version: bool) -> dict[str, str]:
    found = {_letters(row, {}): row for row in rows}
    if any_version:
        of_name: dict[str, set[tuple[float, float]]] = {}
        first: dict[str, str] = {}
        for row, pair in zip(rows, ends, strict=True):
            letters = _letters(_VERSION.sub("", row), {})
            of_name.setdefault(letters, set()).add(pair)
            first.setdefault(letters, row)
        found = {letters: row for letters, row in first.items() if len(of_name[letters]) == 1} | found
    return found


def _letters(name: str, aliases: Mapping[str, str]) -> str:
    letters = re.sub(r"[^a-z0-9]", "", name.lower())
    return aliases.get(letters, letters)
