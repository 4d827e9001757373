"""The tables of reference scores that are kept with the project, and the many spellings of their environments' names.

A table is a CSV file in `config/published` with a row for each environment. What its scores mean, whose they are, where
papers have others, and how names of its environments may be decorated stands in `reference_tables.csv` beside it.
"""

import csv
import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, BeforeValidator

from surefoot.build.errors import near
from surefoot.build.project import PUBLISHED
from surefoot.errors import shortened

if TYPE_CHECKING:
    import pandas as pd

ReferenceName = Literal[
    "atari_human", "atari_record", "procgen_easy", "procgen_hard", "d4rl", "dm_control", "metaworld"
]
CATALOGUE = PUBLISHED / "reference_tables.csv"
_VERSION = re.compile(r"[-_]v\d+$")
_ROUNDING, _ABOVE = 1e-6, 0.05


def _aliases(text: str) -> dict[str, str]:
    return dict(alias.split("=") for alias in text.split())


class ReferenceTable(BaseModel):
    """A table of reference scores.

    title : what it is called in a sentence
    file : its name in `config/published`, without .csv
    name, zero, one : its columns of the environments' names and of the scores that become 0 and 1
    zero_is, one_is : what these scores are
    source : whose they are, with the version
    differences : where other tables of the kind have other scores; a sentence without its full stop, or ""
    before, after : regular expressions of what may stand before and after the name of an environment
    aliases : names that are written in another way, in small letters and digits alone, with those of the table
    bounded : whether no score can be outside of the two
    any_version : whether a name without version stands for all versions, where their scores are the same
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
        """Where the table is."""
        return PUBLISHED / f"{self.file}.csv"


@functools.cache
def reference_tables() -> dict[str, ReferenceTable]:
    """The tables by name."""
    with CATALOGUE.open(newline="", encoding="utf-8") as file:
        return {row.pop("table"): ReferenceTable.model_validate(row) for row in csv.DictReader(file)}


@functools.cache
def read_reference_table(name: str) -> "pd.DataFrame":
    """A table by its name: columns zero and one, by the names of its environments, without rows that lack one."""
    import pandas as pd

    table = reference_tables()[name]
    ends = pd.read_csv(table.path).set_index(table.name)[[table.zero, table.one]]
    return ends.set_axis(["zero", "one"], axis="columns").dropna()


def rows_meant(names: Iterable[str], name: str) -> dict[str, str]:
    """The environment of the table `name` that each of these names means; names that mean none are left out.

    Letters are small or not, and what separates words, the names of packages before and versions after do not count:
    `ALE/Breakout-v5`, `BreakoutNoFrameskip-v4` and `atari_breakout` all mean `Breakout`.
    """
    table, rows = reference_tables()[name], _rows_by_letters(name)
    return {given: rows[letters] for given in names if (letters := _letters(given, table)) in rows}


def with_nearest(given: str, name: str) -> str:
    """A name, and the nearest of the table `name` where one is near."""
    rows = _rows_by_letters(name)
    found = near(_letters(given, reference_tables()[name]), rows)
    shown = shortened(given, 60)
    return f"{shown} (nearest: {rows[found[0]]})" if found else shown


@functools.cache
def _rows_by_letters(name: str) -> dict[str, str]:
    """The environments of a table by their letters; without a version, those of whose versions the scores are the
    same, where the table allows it."""
    known = read_reference_table(name)
    rows = {_letters(row): row for row in known.index}
    if reference_tables()[name].any_version:
        for letters, versions in known.groupby(lambda row: _letters(_VERSION.sub("", row)), sort=False):
            if len(versions.drop_duplicates()) == 1:
                rows.setdefault(letters, versions.index[0])
    return rows


def reference_of(scores: "pd.DataFrame") -> str | None:
    """The table that has all environments of these scores, as they are logged; None if there is none, or several.

    Of Atari's two it is that of humans. A table does not count if scores are outside of its bounds, or if the highest
    is not above its 0 by a twentieth of the scale in half of the environments: they are then normalized already.

    Parameters
    ----------
    scores : columns environment, score
    """
    best = scores.groupby(scores["environment"].astype(str), sort=False)["score"].agg(["min", "max"])
    found = []
    for key, table in reference_tables().items():
        meant = rows_meant(best.index, key)
        if len(meant) < len(best):
            continue
        ends = read_reference_table(key).loc[[meant[name] for name in best.index]]
        low, high = ((best[end].to_numpy() - ends["zero"]) / (ends["one"] - ends["zero"]) for end in ("min", "max"))
        inside = not table.bounded or (low.min() >= -_ROUNDING and high.max() <= 1.0 + _ROUNDING)
        if inside and (high > _ABOVE).mean() >= 0.5:
            found.append(key)
    return found[0] if found[:1] == ["atari_human"] or len(found) == 1 else None


def _letters(name: str, table: ReferenceTable | None = None) -> str:
    """The small letters and digits of a name in a table; of one that others write, without what packages write before
    and after it, as the table has it."""
    if table is not None:
        name = re.sub(table.before, "", name.strip(), flags=re.IGNORECASE)
        name = re.sub(table.after, "", name, flags=re.IGNORECASE)
    letters = re.sub(r"[^a-z0-9]", "", name.lower())
    return letters if table is None else table.aliases.get(letters, letters)
