"""Results of questions, and functions shared by questions about sets of scores."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.questions._framework.types import Grid, Thresholds
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.tables import algorithms_of, scores_of, tasks_of

Sets = Mapping[str, pd.DataFrame]
"""Tables of normalized scores by name, with columns algorithm, environment, run, score."""


def grid(thresholds: Thresholds) -> Floats:
    """Return the points of a grid, float64[count], without rounding noise such as 0.30000000000000004.

    Explicit points are returned unchanged.
    """
    points = unrounded_grid(thresholds)
    return np.round(points, 12) if isinstance(thresholds, Grid) else points


def unrounded_grid(thresholds: Thresholds) -> Floats:
    """Return the points of a grid with numpy's rounding."""
    if not isinstance(thresholds, Grid):
        return np.array(thresholds, np.float64)
    return np.linspace(thresholds.first, thresholds.last, thresholds.count)


def refuse_single_runs(algorithm: str, runs: Sequence[int], where: str = "scores") -> None:
    """Raise an InputError if an algorithm has a single run on each task, so that all resamples would be equal.

    runs : number of runs of each task
    where : name of the runs in the error
    """
    if max(runs) == 1:
        raise InputError(
            where,
            f"{algorithm} has one run of each of {len(runs)} tasks, which cannot be resampled",
            "add runs (in an array, those of a single task are a column, scores[:, None]); or, if the tasks are a "
            "sample of tasks, aggregate_metrics with resample: tasks_and_runs, or multiple_comparisons with tasks: "
            "random",
        )


def population(table: pd.DataFrame, algorithms: Sequence[str] | None) -> tuple[Floats, list[str]]:
    """Return (scores float64[runs, tasks], tasks) of the single requested algorithm."""
    (algorithm,) = algorithms_of(table, algorithms)
    return np.array(scores_of(table, algorithm)).T, tasks_of(table)


_ROWS = 20
_ROWS_ABOVE_A_CHART = 6
"""Number of table rows that a notebook shows above the chart; the chart shows the rest."""
_WIDTH = 100
"""Number of rows, and width in characters, of a table printed at a prompt."""


class Asked(NamedTuple):
    """A question with its settings, including defaults and shared settings."""

    question: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class Result:
    """Result of a question, displayed as a table at a prompt, and with its finding and chart in a notebook.

    Remarks and notes are shown below the table.

    rows : the table, which a study stores
    others : further tables by name
    reservations : notes on the table: the last column is note, and the others identify the rows
    asked : the question and its settings, if the result comes from a function such as `surefoot.performance_profiles`
    runs : the runs, if the result is about a single set of scores
    remark : a caveat about the runs, for example that their scores have no common scale; empty if there is none
    """

    rows: pd.DataFrame
    others: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    reservations: pd.DataFrame | None = None
    asked: Asked | None = field(default=None, kw_only=True, compare=False)
    remark: str = field(default="", kw_only=True, compare=False)
    runs: pd.DataFrame | None = field(default=None, kw_only=True, compare=False)

    def table(self, *, wide: bool = False) -> pd.DataFrame:
        """Return the table of results.

        Parameters
        ----------
        wide : bool, default False
            If True, return strings as in a paper, such as "0.83 [0.06, 1.60]": environments x algorithms, or algorithms
            x metrics. Otherwise the table is tidy, as a study stores it.
        """
        return _printed().wide_table(self) if wide else self.rows

    def latex(self) -> str:
        """Return the wide table as LaTeX for the package booktabs.

        The best algorithm and those tied with it according to `multiple_comparisons` of the same runs are bold. Metrics
        that `multiple_comparisons` does not support have no bold entries.
        """
        text: str = _printed().latex_table(self)
        return text

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables of the result by name; the main table has the name ""."""
        return {"": self.rows, **self.others}

    def notes(self) -> pd.DataFrame:
        """Return notes on the table, often none: the last column is note, the others identify the rows.

        By default, a note says how many intervals have no width, unless the table has a column of remarks.
        """
        if self.reservations is not None:
            return self.reservations
        bare = {"low", "high"}.issubset(self.rows) and "remark" not in self.rows
        count = int((self.rows["low"] == self.rows["high"]).sum()) if bare else 0
        note = f"{count:,} of {len(self.rows):,} intervals have no width, which means nothing for runs not seen."
        return pd.DataFrame({"note": [note] if count else []})

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
        """Draw the result as an Altair chart, which can be combined with others by `|`, `&` and `+`.

        Parameters
        ----------
        width, height : float, optional
            Size of a panel, in pixels.
        colors : dict or list of str, optional
            Colour of each algorithm, or colours in the order of the algorithms.
        order : list of str, optional
            Algorithms to show first, in this order; the others follow.
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
        """Return the main finding of the result, as a sentence.

        Raises
        ------
        ValueError : if the question defines no finding
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
        """Return the displayed parts: constant columns, the other columns as strings, and remarks."""
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
    """Import the module `printed` by name, for the same reason as in `_showing`."""
    return import_module(f"{__package__}.printed")


def _showing() -> Any:
    """Import the module `showing` by name, so that stored results do not depend on how they are displayed."""
    return import_module(f"{__package__}.showing")
