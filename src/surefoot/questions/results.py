"""What a question answers: a table, or an object that makes it and has more to say of the same resamples; and what
questions of sets of scores share."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.questions.types import Grid, Thresholds
from surefoot.statistics.arrays import RELATIVE, Floats
from surefoot.statistics.runs.tables import algorithms_of, scores_of, tasks_of

Sets = Mapping[str, pd.DataFrame]
"""Tables of normalized scores by name, with columns algorithm, environment, run, score."""


def grid(thresholds: Thresholds) -> Floats:
    """The points of a grid, float64[count], without rounding noise such as 0.30000000000000004; points as they are."""
    points = unrounded_grid(thresholds)
    return np.round(points, 12) if isinstance(thresholds, Grid) else points


def unrounded_grid(thresholds: Thresholds) -> Floats:
    """The points of a grid as numpy places them."""
    if not isinstance(thresholds, Grid):
        return np.array(thresholds, np.float64)
    return np.linspace(thresholds.first, thresholds.last, thresholds.count)


def tie_decimals(decimals: int | None) -> int | str:
    """Which scores are ties, as `arrays.score_places` takes it, of the setting `decimals`."""
    return RELATIVE if decimals is None else decimals


def refuse_single_runs(algorithm: str, runs: Sequence[int]) -> None:
    """Raise a ValueError where an algorithm has one run of each task: its resamples would all be the same.

    runs : how many there are of each task
    """
    if max(runs) == 1:
        raise HintedError(
            "scores",
            f"{algorithm} has one run of each of {len(runs)} tasks, which cannot be resampled",
            "add runs (in an array, those of a single task are a column, scores[:, None]); or, if the tasks are a "
            "sample of tasks, aggregates with resampled: tasks_and_runs, or multiple_comparisons with tasks: random",
        )


def population(sets: Sets, algorithms: Sequence[str] | None) -> tuple[Floats, list[str]]:
    """(scores float64[runs, tasks], tasks) of the one algorithm that is asked for."""
    (table,) = sets.values()
    (algorithm,) = algorithms_of(table, algorithms)
    return np.array(scores_of(table, algorithm)).T, tasks_of(table)


Key = TypeVar("Key", bound=tuple[str, ...])

_ROWS, _WIDTH = 20, 100
"""Rows and columns of letters that a prompt shows."""


class Asked(NamedTuple):
    """The question that was asked, and its settings, defaults and shared ones among them."""

    question: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class Result:
    """An answer, which looks like its table at a prompt, with notes below it where there are any; in a notebook its
    finding and its chart stand below that.

    asked : what was asked, where the answer came from a function such as `surefoot.profiles`
    remark : a reservation about the runs that were asked about, such as that their scores have no common scale; or ""
    """

    asked: Asked | None = field(default=None, kw_only=True, compare=False)
    remark: str = field(default="", kw_only=True, compare=False)

    def table(self) -> pd.DataFrame:
        """The numbers, tidy: what a study keeps of the answer."""
        raise NotImplementedError

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables of the answer by name; the one of `table` has none."""
        return {"": self.table()}

    def notes(self) -> pd.DataFrame:
        """What readers of the table should know: its last column is note, the others say of which rows. Often empty."""
        return pd.DataFrame(columns=["note"])

    def chart(self) -> Any:
        """The chart of the answer, an `altair` chart.

        Raises
        ------
        ValueError : the question has no chart
        """
        return _showing().chart_of(self)

    def finding(self) -> str:
        """What the table says, in a sentence.

        Raises
        ------
        ValueError : the question has no such sentence
        """
        said: str = _showing().finding_of(self)
        return f"{said} {self.remark}".rstrip()

    def __repr__(self) -> str:
        heading, tables, sentences = self._printed()
        lines = [textwrap.fill(one, _WIDTH, subsequent_indent="    ") for one in (*sentences, self.remark) if one]
        return "\n".join([heading, *(table.to_string(index=False, max_rows=_ROWS) for table in tables), *lines])

    def _repr_html_(self) -> str:
        _, tables, sentences = self._printed()
        parts = [table.to_html(index=False, max_rows=_ROWS, border=0) for table in tables]
        parts += [f"<p>{escape(one)}</p>" for one in (*sentences, self.remark) if one]
        return "\n".join(parts if self.asked is None else [*parts, _showing().markup_of(self)])

    def _printed(self) -> tuple[str, list[pd.DataFrame], list[str]]:
        """What a prompt or a notebook shows: a heading, tables, and the sentences below them."""
        return type(self).__name__, [table for table in (self.table(), self.notes()) if len(table)], []


def _showing() -> Any:
    """By its name, since what an answer imports decides whether it is made again, and how it looks must not."""
    return import_module(f"{__package__}.showing")


@dataclass(frozen=True, repr=False)
class Table(Result):
    """An answer that says all that it has to say in its table."""

    rows: pd.DataFrame
    others: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def table(self) -> pd.DataFrame:
        """The numbers, tidy: what a study keeps of the answer."""
        return self.rows

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables of the answer by name; the one of `table` has none."""
        return {"": self.rows, **self.others}

    def notes(self) -> pd.DataFrame:
        """How many intervals have no width, where the table has no remarks of its own."""
        bare = {"low", "high"}.issubset(self.rows) and "remark" not in self.rows
        count = int((self.rows["low"] == self.rows["high"]).sum()) if bare else 0
        note = f"{count:,} of {len(self.rows):,} intervals have no width, which means nothing for runs not seen."
        return pd.DataFrame({"note": [note] if count else []})


def one_of(known: Iterable[Key], *asked: object) -> Key:
    """The only key that has the parts that are asked for; names may be numbers.

    Parameters
    ----------
    known : keys, such as (set of scores, algorithm)
    asked : the parts of the key, None for one that does not matter

    Raises
    ------
    ValueError : no key, or several
    """
    known = list(known)
    fits = [key for key in known if all(one in (None, part) for one, part in zip(map(_text, asked), key, strict=True))]
    if len(fits) == 1:
        return fits[0]
    wanted = " / ".join(str(one) for one in asked if one is not None)
    listed = "; ".join(" / ".join(key) for key in fits or known)
    raise HintedError("result", f'{"several" if fits else "no"} answers for "{wanted}"', f"there are {listed}")


def _text(name: object) -> str | None:
    return None if name is None else str(name)
