"""Published numbers beside ours: charts of the differences, tables of this run and of the record, what is judged."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.published_numbers import with_labels
from surefoot.charts.selection import with_titles
from surefoot.charts.z_values import z_chart
from surefoot.papers.jordan2020.labels import LABELS, NAMES
from surefoot.papers.jordan2020.recorded import KINDS, record_mutations, record_wrong_cells
from surefoot.papers.jordan2020.spreads import TRIALS
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import FEWEST_RUNS, STANDARD_ERRORS
from surefoot.statistics.reproduction.items import item_parts, of_quantity, quantities
from surefoot.statistics.reproduction.verdicts import verdict_counts

_NOT_JUDGED = {
    "mean": "pairs that this study does not have",
    "mean_low": f"pairs of fewer than {FEWEST_RUNS} trials, and those of the record, which keeps no single trials",
    "mean_high": f"pairs of fewer than {FEWEST_RUNS} trials, and those of the record, which keeps no single trials",
    "game_score": "they need all algorithms and environments of the paper, and the bootstrap",
    "cdf": "pairs that this study does not have",
    "quantile": "pairs that this study does not have",
    "coverage": "numbers of trials that this study does not draw",
    "episodes": "environments that this study does not have; the record keeps none",
    "claim": "what they are about is not in this study, or not in the record",
}


def distinct_means(numbers: pd.DataFrame) -> pd.DataFrame:
    """The rows of means that have a z. A number that the paper prints for two names of one sample (an algorithm and its
    scaled variant, on discrete environments) is one row."""
    rows = of_quantity(numbers, "mean").dropna(subset="z")
    return rows.drop_duplicates(["published", "ours", "standard_error"])


def means_chart(numbers: pd.DataFrame, settings: Mapping[str, Any], empty: str) -> alt.TopLevelMixin:
    """The differences of the means in standard errors, or what is said in the place of none."""
    points = distinct_means(numbers)
    if points.empty:
        return theme.finish(theme.message(empty), empty)
    points = points.join(item_parts(points["item"], "environment", "algorithm"))
    order = {name: place for place, name in enumerate(settings["environment_titles"])}
    points = points.sort_values("environment", key=lambda column: column.map(order), kind="stable")
    described = "Differences between our and the published means in standard errors"
    return theme.finish(z_chart(with_titles(points, settings), STANDARD_ERRORS), described)


def table_mutations(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """`record_mutations` as a table."""
    return None, record_mutations(tables)


def table_wrong_cells(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """`record_wrong_cells` as a table."""
    return None, record_wrong_cells(tables)


def figure_record(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Every published number beside the record's, or beside this run's where there is no record, and a chart of the
    differences of the means in standard errors."""
    numbers = tables[RECORD] if len(tables[RECORD]) else tables[RUN]
    return means_chart(numbers, settings, "No pair has enough trials to say how far it is off."), numbers


def table_reproduction(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How many published numbers of each kind have which verdict, by this run and by the record.

    Columns kind, title, shown ("no" where the larger of the two compares none), published (how many there are), and
    compared and each verdict (with _ for a space) of this run and with the prefix `record_` of the record;
    empty instead of 0.
    """
    published = quantities(tables["published"]["item"])
    sides = {"": tables[RUN], "record_": tables[RECORD]}
    rows = []
    for kind, title in KINDS.items():
        row = {"kind": kind, "title": title, "published": int((published == kind).sum())}
        for prefix, numbers in sides.items():
            verdicts = numbers.loc[quantities(numbers["item"]) == kind, "verdict"]
            row[f"{prefix}compared"] = len(verdicts)
            counts = verdict_counts(verdicts).items()
            row |= {prefix + name.replace(" ", "_"): count or None for name, count in counts}
        rows.append(row)
    table = pd.DataFrame(rows)
    there = table["record_compared" if len(tables[RECORD]) else "compared"] > 0
    table.insert(2, "shown", (there | ~there.any()).map({True: "yes", False: "no"}))
    return None, table.astype(dict.fromkeys(table.columns[3:], "Int64"))


def table_numbers(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Every published number with this run's and the record's.

    The columns of `reproduction.comparison.compare`, those of `published_numbers.with_labels`, and of the record
    record_ours, record_z, record_trials, record_tolerance, record_detectable, record_allowed, record_verdict and
    record_reason.
    """
    names = ("ours", "z", "trials", "tolerance", "detectable", "allowed", "verdict", "reason")
    columns = {name: f"record_{name}" for name in names}
    record = tables[RECORD][["item", "published", *columns]].rename(columns=columns)
    both = tables[RUN].merge(record, on=["item", "published"], how="outer", sort=False)
    return None, with_labels(both, LABELS, settings, NAMES)


def table_judged(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How many of the published rows of each group are judged by this run and by the record, and why others are not.

    Columns group, rows, judged, record_judged, reason (empty where all rows are judged by both).
    """
    published = quantities(tables["published"]["item"])
    ours, record = (quantities(table["item"]) for table in (tables[RUN], tables[RECORD]))
    found = []
    for kind, title in KINDS.items():
        rows = int((published == kind).sum())
        judged, recorded = int((ours == kind).sum()), int((record == kind).sum())
        reason = _NOT_JUDGED[kind] if min(judged, recorded) < rows else ""
        found.append((title, rows, judged, recorded, reason))
    limits = published.isin(("game_score_low", "game_score_high"))
    wide = f"their width depends on the number of trials: only runs of {TRIALS:,} trials can be compared with them"
    found.append(("limits of aggregate scores (Figure 5)", int(limits.sum()), 0, 0, wide))
    for prefix, title in (("mean", "ranks of means (Appendix I)"), ("game_score", "ranks of scores (Table 1)")):
        ranks = published.isin([f"{prefix}_{rank}" for rank in ("rank", "rank_low", "rank_high")])
        found.append((title, int(ranks.sum()), 0, 0, "they follow from other printed numbers"))
    columns = ["group", "rows", "judged", "record_judged", "reason"]
    return None, pd.DataFrame(found, columns=columns)
