"""Tables of reference scores that ship with the project, and matching of environment names against them.

A table is a CSV file in `config/published` with one row per environment. The catalogue `reference_tables.csv` in the
same folder lists the meaning of the scores, their source, how other tables differ, and which prefixes and suffixes
environment names may have.
"""

import csv
import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, BeforeValidator

from surefoot.errors import near, shortened
from surefoot.workflow.project import PUBLISHED

if TYPE_CHECKING:
    import pandas as pd

ReferenceName = Literal[
    "atari_human", "atari_record", "procgen_easy", "procgen_hard", "d4rl", "dm_control", "metaworld"
]
CATALOGUE = PUBLISHED / "reference_tables.csv"
_VERSION = re.compile(r"[-_]v\d+$")
_ROUNDING = 1e-6
_ABOVE = 0.05


def _aliases(text: str) -> dict[str, str]:
    return dict(alias.split("=") for alias in text.split())


class ReferenceTable(BaseModel):
    """Entry of the catalogue of reference tables.

    title : name of the table in a sentence
    file : file name in `config/published`, without .csv
    name, zero, one : columns with the environments' names and with the scores that become 0 and 1
    zero_is, one_is : descriptions of the scores that become 0 and 1
    source : origin of the scores, with the version
    differences : differences from similar tables, as a sentence without full stop, or ""
    before, after : regular expressions that match prefixes and suffixes of environment names
    aliases : alternative names, in lower-case letters and digits only, mapped to the names of the table
    bounded : True if no score can lie outside the two reference scores
    any_version : True if a name without a version matches all versions, provided that their scores are equal
    """

    title: str
    file: str
    name: str
    zero: str
    one: str
    zero_is: str
    one_is: str
    source: str
    differences: str
    before: str
    after: str
    aliases: Annotated[Mapping[str, str], BeforeValidator(_aliases)]
    bounded: bool
    any_version: bool

    @property
    def path(self) -> Path:
        """Path of the file with the table."""
        return PUBLISHED / f"{self.file}.csv"


@functools.cache
def reference_tables() -> dict[str, ReferenceTable]:
    """Read the catalogue of reference tables, and return its entries by name."""
    with CATALOGUE.open(newline="", encoding="utf-8") as file:
        return {row.pop("table"): ReferenceTable.model_validate(row) for row in csv.DictReader(file)}


@functools.cache
def read_reference_table(name: str) -> "pd.DataFrame":
    """Read a table: columns zero and one, indexed by environment. Rows without both scores are dropped."""
    import pandas as pd

    table = reference_tables()[name]
    ends = pd.read_csv(table.path).set_index(table.name)[[table.zero, table.one]]
    return ends.set_axis(["zero", "one"], axis="columns").dropna()


def rows_meant(names: Iterable[str], name: str) -> dict[str, str]:
    """Match names with the environments of table `name`; names without a match are left out.

    Matching ignores case, word separators, package prefixes and version suffixes: `ALE/Breakout-v5`,
    `BreakoutNoFrameskip-v4` and `atari_breakout` all match `Breakout`.
    """
    table = reference_tables()[name]
    rows = _rows_by_letters(name)
    return {spelling: rows[letters] for spelling in names if (letters := _letters(spelling, table)) in rows}


def absent_from(names: Iterable[str], name: str) -> list[str]:
    """Return the names without a match in table `name`, each followed by the nearest name of the table, if any."""
    names = list(names)
    matches = rows_meant(names, name)
    return [_with_nearest(one, name) for one in names if one not in matches]


def _with_nearest(given: str, name: str) -> str:
    """Return the name, followed by the nearest name of the table if one is close."""
    rows = _rows_by_letters(name)
    nearby = near(_letters(given, reference_tables()[name]), rows)
    shown = shortened(given, 60)
    return f"{shown} (nearest: {rows[nearby[0]]})" if nearby else shown


@functools.cache
def _rows_by_letters(name: str) -> dict[str, str]:
    """Map names, reduced to letters and digits by `_letters`, to the environments of a table.

    If the table allows it, a name without a version also matches, provided that all versions have the same scores.
    """
    table = read_reference_table(name)
    rows = {_letters(row): row for row in table.index}
    if reference_tables()[name].any_version:
        for letters, versions in table.groupby(lambda row: _letters(_VERSION.sub("", row)), sort=False):
            if len(versions.drop_duplicates()) == 1:
                rows.setdefault(letters, versions.index[0])
    return rows


def reference_of(scores: "pd.DataFrame") -> str | None:
    """Return the name of the reference table with all environments of the scores; None unless there is exactly one.

    If both Atari tables match, atari_human is returned. A table is skipped if scores lie outside its bounds. It is
    also skipped if, in more than half of the environments, the highest score on its scale is at most 0.05: such scores
    are probably normalized already.

    Parameters
    ----------
    scores : DataFrame
        Columns environment and score.
    """
    best = scores.groupby(scores["environment"].astype(str), sort=False)["score"].agg(["min", "max"])
    matches = []
    for key, table in reference_tables().items():
        meant = rows_meant(best.index, key)
        if len(meant) < len(best):
            continue
        ends = read_reference_table(key).loc[[meant[name] for name in best.index]]
        low, high = ((best[end].to_numpy() - ends["zero"]) / (ends["one"] - ends["zero"]) for end in ("min", "max"))
        inside = not table.bounded or (low.min() >= -_ROUNDING and high.max() <= 1.0 + _ROUNDING)
        if inside and (high > _ABOVE).mean() >= 0.5:
            matches.append(key)
    return matches[0] if matches[:1] == ["atari_human"] or len(matches) == 1 else None


def usual_scale(scores: "pd.DataFrame", own_choice: bool) -> str:
    """Return the default scale: a reference table, "none" if all scores are 0 or 1, otherwise "min_max".

    Parameters
    ----------
    scores : DataFrame
        Columns environment and score.
    own_choice : bool
        True if lower scores are better, or if a scale has settings, so that no reference table is used.
    """
    if not own_choice and (table := reference_of(scores)):
        return table
    return "none" if scores["score"].isin((0.0, 1.0)).all() else "min_max"


def _letters(name: str, table: ReferenceTable | None = None) -> str:
    """Return the lower-case letters and digits of a name.

    With `table`, prefixes and suffixes of the name are removed as the table describes.
    """
    if table is not None:
        name = re.sub(table.before, "", name.strip(), flags=re.IGNORECASE)
        name = re.sub(table.after, "", name, flags=re.IGNORECASE)
    letters = re.sub(r"[^a-z0-9]", "", name.lower())
    return letters if table is None else table.aliases.get(letters, letters)
