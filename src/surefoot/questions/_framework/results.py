"""Results of questions, and functions that several questions use."""

import functools
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
import pandas as pd

from surefoot.errors import InputError, conjugated
from surefoot.questions._framework.types import Grid, Thresholds
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.score_arrays import algorithms_of, scores_of, tasks_of

P = ParamSpec("P")
R = TypeVar("R")
Sets = Mapping[str, pd.DataFrame]
"""Tables of normalized scores by name; the columns are algorithm, environment, run, score."""


def grid(thresholds: Thresholds) -> Floats:
    """Return the points of a grid as an array, rounded to 12 decimals; explicit points are not rounded."""
    points = unrounded_grid(thresholds)
    return np.round(points, 12) if isinstance(thresholds, Grid) else points


def unrounded_grid(thresholds: Thresholds) -> Floats:
    """Return the points of a grid as an array, without rounding."""
    if not isinstance(thresholds, Grid):
        return np.array(thresholds, np.float64)
    return np.linspace(thresholds.first, thresholds.last, thresholds.count)


def refuse_single_runs(algorithm: str, runs: Sequence[int], where: str = "scores") -> None:
    """Raise an InputError if an algorithm has a single run on every task, so that all resamples would be equal.

    runs : number of runs of each task
    where : location in the error message
    """
    if max(runs) == 1:
        raise InputError(
            where,
            f"{algorithm} has one run of each of {len(runs)} tasks, which cannot be resampled",
            "add runs (an array of one task must have one column: scores[:, None]). If the tasks are a random sample, "
            "use aggregate_metrics with resample: tasks_and_runs, or multiple_comparisons with tasks: random",
        )


def population(table: pd.DataFrame, algorithms: Sequence[str] | None) -> tuple[Floats, list[str]]:
    """Return the scores of the only requested algorithm, float64[runs, tasks], and the names of the tasks."""
    (algorithm,) = algorithms_of(table, algorithms)
    return np.array(scores_of(table, algorithm)).T, tasks_of(table)


_ROWS = 20
_ROWS_ABOVE_A_CHART = 6
"""Number of table rows that a notebook shows above a chart."""
_NO_COLUMNS = "a Result is not a table. Hint: table() returns its table"
_WIDTH = 100
"""Width of a printed table, in characters."""


class Asked(NamedTuple):
    """Name of a question, and all of its settings, including defaults."""

    question: str
    settings: Mapping[str, Any]


def _style_checked(draw: Callable[P, R]) -> Callable[P, R]:
    """Decorate a method that draws a chart, to raise an error with a hint for unknown arguments and wrong types."""

    @functools.wraps(draw)
    def chart(*args: P.args, **style: P.kwargs) -> R:
        _showing().check_style(style)
        return draw(*args, **style)

    return chart


@dataclass(frozen=True, repr=False)
class Result:
    """Result of a question.

    At a prompt, it is displayed as a table with remarks and notes, and in a notebook also with its finding and chart.

    rows : main table, which a study stores
    others : further tables by name
    reservations : notes on the table; the last column is note, and the other columns identify rows of the table
    asked : question and settings, if the result comes from a function such as `surefoot.performance_profiles`
    remark : caveat about the runs, for example that scores have no common scale; empty if there is none
    runs : the runs, if the result is about a single set of scores
    """

    rows: pd.DataFrame
    others: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    reservations: pd.DataFrame | None = None
    asked: Asked | None = field(default=None, kw_only=True, compare=False)
    remark: str = field(default="", kw_only=True, compare=False)
    runs: pd.DataFrame | None = field(default=None, kw_only=True, compare=False)

    if not TYPE_CHECKING:  # type checkers report unknown attributes themselves

        def __getattr__(self, name: str) -> Any:
            """Raise an AttributeError with a hint, for example for `plot`, `to_csv` or a column."""
            if name.startswith("_"):
                raise AttributeError(f"'Result' object has no attribute '{name}'")
            raise AttributeError(f"a Result has no {name}. Hint: {self._method_for(name)}")

        def __getitem__(self, key: object) -> Any:
            """Raise a TypeError that says where the columns of a result are."""
            is_column = isinstance(key, str) and key in self.rows
            raise TypeError(f'a Result has no columns. Hint: table()["{key}"]' if is_column else _NO_COLUMNS)

    def _method_for(self, name: str) -> str:
        """Return a hint for an attribute that a result does not have."""
        methods = [one for one in vars(Result) if not one.startswith("_") and callable(vars(Result)[one])]
        hint: str = import_module("surefoot.other_libraries").method_for(name, list(self.rows), methods)
        return hint

    def table(self, *, wide: bool = False) -> pd.DataFrame:
        """Return the table of results.

        Parameters
        ----------
        wide : bool, default False
            If True, return a table of strings as in a paper, such as "0.83 [0.06, 1.60]", with environments as rows and
            algorithms as columns, or algorithms as rows and metrics as columns. Otherwise, the table is tidy.
        """
        return _printed().wide_table(self) if wide else self.rows

    def latex(self) -> str:
        """Return the wide table as LaTeX for the package booktabs.

        The best algorithm, and all algorithms tied with it according to `multiple_comparisons` of the same runs, are in
        bold. Metrics that `multiple_comparisons` does not support have no bold entries.
        """
        text: str = _printed().latex_table(self)
        return text

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables of the result by name; the name of the main table is ""."""
        return {"": self.rows, **self.others}

    def notes(self) -> pd.DataFrame:
        """Return notes on rows of the main table, with the note in the last column.

        The other columns identify the row. The table of notes may be empty. If a question has neither notes nor
        remarks, intervals without width are counted.
        """
        if self.reservations is not None:
            return self.reservations
        bare = {"low", "high"}.issubset(self.rows) and "remark" not in self.rows
        count = int((self.rows["low"] == self.rows["high"]).sum()) if bare else 0
        have = conjugated("have", count)
        note = f"{count:,} of {len(self.rows):,} intervals {have} no width, which says nothing about other runs."
        return pd.DataFrame({"note": [note] if count else []})

    @_style_checked
    def chart(
        self,
        *,
        width: float | None = None,
        height: float | None = None,
        colors: Mapping[str, str] | Sequence[str] | None = None,
        order: Sequence[str] | None = None,
        titles: Mapping[str, str] | None = None,
        font_size: float | None = None,
    ) -> Any:
        """Draw the result as an Altair chart, which can be combined with other charts by `|`, `&` and `+`.

        Parameters
        ----------
        width, height : float, optional
            Size of a panel, in pixels.
        colors : dict or list of str, optional
            Colour of each algorithm, or colours in the order of the algorithms.
        order : list of str, optional
            Algorithms to show first, in this order, before all others.
        titles : dict of str to str, optional
            Title of each algorithm.
        font_size : float, optional
            Size of all text, in pixels.

        Returns
        -------
        altair.TopLevelMixin
            The chart; `save` writes it as PDF, SVG, PNG or HTML.

        Raises
        ------
        ValueError
            If the question has no chart.
        """
        style = {"width": width, "height": height, "colors": colors, "order": order, "titles": titles}
        return _showing().chart_of(self, **style, font_size=font_size)

    def finding(self) -> str:
        """Return the main finding of the result as a sentence.

        Raises
        ------
        ValueError
            If the question has no finding.
        """
        sentence: str = _showing().finding_of(self)
        return f"{sentence} {self.remark}".rstrip()

    def __repr__(self) -> str:
        heading, table, notes = self._shown()
        text = table.to_string(index=False, max_rows=_ROWS, line_width=_WIDTH)
        return "\n".join([*textwrap.wrap(heading, _WIDTH), text, *(textwrap.fill(note, _WIDTH) for note in notes)])

    def _repr_html_(self) -> str:
        heading, table, notes = self._shown()
        sentences = [f"<p>{escape(text)}</p>" for text in (heading, *notes) if text]
        markup = _showing().markup_of(self)
        rows = _ROWS_ABOVE_A_CHART if "<img" in markup else _ROWS
        return "\n".join([table.to_html(index=False, max_rows=rows, border=0), *sentences, markup])

    def _shown(self) -> tuple[str, pd.DataFrame, list[str]]:
        """Return what is displayed: a line with the constant columns, the other columns, and remarks and notes."""
        if self.asked is not None and self.asked.question == "aggregate_metrics":
            table, remarks = _showing().line_an_algorithm(self.rows)
        else:
            table = self.rows.drop(columns="remark", errors="ignore")
            remarks = self.rows.get("remark", ())
        alike = [
            column
            for column in table
            if len(table) > 1 and column != "remark" and table[column].nunique(dropna=False) == 1
        ]
        with pd.option_context("display.precision", 3, "display.max_colwidth", 40):
            heading = "; ".join(f"{column}: {table[column][:1].to_string(index=False)}" for column in alike)
        notes = dict.fromkeys([*remarks, *self.notes()["note"], self.remark])
        return heading, table.drop(columns=alike), [note for note in notes if note]


def _printed() -> Any:
    """Import the module `printed` by name, so that stored results do not depend on how they are printed."""
    return import_module(f"{__package__}.printed")


def _showing() -> Any:
    """Import the module `showing` by name, so that stored results do not depend on how they are displayed."""
    return import_module(f"{__package__}.showing")
