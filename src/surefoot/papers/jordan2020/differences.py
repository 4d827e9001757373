"""Published numbers beside ours: their labels, the differences, joint tests, rates of coverage, and what is judged."""

import math
from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.coverage import coverage_chart
from surefoot.charts.drawing import RECORD, RUN
from surefoot.charts.published_numbers import with_labels, z_chart
from surefoot.charts.selection import METHOD_TITLES, coverage_rows, published_values, titles, with_titles
from surefoot.papers.jordan2020.comparison import KINDS, record_mutations, record_wrong_cells
from surefoot.papers.jordan2020.evidence import TRIALS
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import FEWEST_RUNS, STANDARD_ERRORS, verdict_counts
from surefoot.statistics.reproduction.items import item_parts, of_quantity, quantities, read_item
from surefoot.statistics.reproduction.joint_tests import ALL, joint_tests

_LIMITS = {"": "", "_low": "Lower limit of the ", "_high": "Upper limit of the "}
_RANKS = {"_rank": "", "_rank_low": "worst ", "_rank_high": "best "}


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


LABELS = {
    **{f"mean{end}": _capital(f"{limit}mean return of {{1}}, {{0}}") for end, limit in _LIMITS.items()},
    **{f"mean{end}": _capital(f"{which}rank of {{1}}, {{0}}") for end, which in _RANKS.items()},
    "game_score": "Aggregate score of {0}",
    "game_score_low": "Lower limit of the aggregate score of {1}, {0}",
    "game_score_high": "Upper limit of the aggregate score of {1}, {0}",
    **{
        f"game_score{end}": _capital(f"{which}rank of {{1}} by its aggregate score, {{0}}")
        for end, which in _RANKS.items()
    },
    "coverage": "{2} of {0} with {1} trials",
    "cdf": "Proportion of returns of at most {2}: {1}, {0}",
    "quantile": "{2} quantile of the returns of {1}, {0}",
    "episodes": "Episodes of a trial, {0}",
    "claim/best": "{1} has the highest mean return, {0}",
    "claim/near_optimal": "The best trials of all algorithms are near the optimum, {0}",
    "claim/low_end": "{0} rarely diverges: in most environments its low end is no lower than that of {1}",
    "claim/higher_score": "{0} has a higher aggregate score than {1}",
    "claim/separated": "{1} is above {2} by {0}",
    "claim/unique_ranking": "The trials suffice for a unique ranking by {0}",
    "claim/narrower": "{0} has a narrower interval for {1} than PBP",
    "claim/separates_more": "{0} separates more pairs than PBP",
    "claim/fails_too_often": "{0} fails too often, {1} trials",
    "claim/narrowest": "{0} has the narrowest intervals, {1} trials",
    "claim/never_fails": "{0} never fails, {1} trials",
    "claim/fails_rarely": "{0} fails in at most 5 % of data sets, {1} trials",
    "claim/fails_less": "{0} fails less with {2} trials than with {1}",
    "claim/separates_some": "{0} separates some pairs, {1} trials",
    "claim/separates_all": "{0} separates all pairs that differ, {1} trials",
    "claim/overlap": "The intervals of {1} and {2} overlap, {0}",
    "claim/reliable_everywhere": "Some algorithm solves every environment reliably",
}
"""Published answers; to a claim that the paper denies it is no."""
NAMES = {"failure_rate": "rate of failures", "significance": "proportion of pairs separated"}
"""The rates of a study of coverage."""


_RATES = ("failure_rate", "significance")


def figure_coverage(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Failures, pairs told apart and widths of all methods: of the record where it has more data sets than this run."""
    chart, numbers = coverage_chart(tables, dict(settings) | {"source": "record" if of_record(tables) else "run"})
    return chart, numbers


def of_record(tables: Tables) -> bool:
    """Whether the record's studies of coverage have more data sets than this run's."""
    record, own = (coverage_rows(tables, record=recorded) for recorded in (True, False))
    return len(record) > 0 and (own.empty or record["datasets"].min() > own["datasets"].min())


def table_2(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Published rates beside this study's and the record's, all as published (Table 2).

    Columns size, method, title, and for each rate `<rate>_published`, `<rate>`, `<rate>_error`, `<rate>_verdict`, the
    same three with the prefix `record_`, and datasets and record_datasets; empty where a study has no such size.
    """
    published = tables["published"]
    printed = published_values(published, "coverage", ["method", "size", "rate"])
    table = printed.pivot(index=["method", "size"], columns="rate", values="value")
    table = table.rename(columns="{}_published".format).rename_axis(columns=None).reset_index().astype({"size": int})
    for prefix, record in (("", False), ("record_", True)):
        table = table.merge(_side(tables, prefix, record), on=["method", "size"], how="left")
    order = {name: place for place, name in enumerate(METHOD_TITLES)}
    table = table.sort_values(
        ["size", "method"], key=lambda column: column.map(order) if column.name == "method" else column
    )
    table.insert(2, "title", table["method"].map(METHOD_TITLES))
    return None, table.reset_index(drop=True)


def _side(tables: Mapping[str, pd.DataFrame], prefix: str, record: bool) -> pd.DataFrame:
    rows = coverage_rows(tables, "as_published", record)
    columns = ["datasets", *(name + end for name in _RATES for end in ("", "_error"))]
    side = rows[["method", "size", *columns]].astype({"size": int})
    return side.rename(columns=lambda name: name if name in ("method", "size") else prefix + name)


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


def table_joint(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Joint tests of the differences of the means, of this run and of the record.

    Columns source ("this run" or "large run"), title (of the environment, or "all environments"), and those of
    `joint_tests`.
    """
    sides = {"this run": tables[RUN], "large run": tables[RECORD]}
    table = pd.concat([_tested(numbers).assign(source=name) for name, numbers in sides.items()], ignore_index=True)
    shown = titles([name for name in table["group"].unique() if name != ALL], settings, "environment")
    table.insert(0, "title", table["group"].map(shown | {ALL: "all environments"}))
    table.insert(0, "source", table.pop("source"))
    return None, table


def table_seeds(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What trials of other seeds say of the largest difference of the record; no rows where there are none.

    Columns title, environment_title, seeds, trials, mean, error (of the mean), published_distance, record_distance (of
    the mean from either, in standard errors), all_trials and all_distance (with the record's, from the published).
    """
    columns = ["title", "environment_title", "seeds", "trials", "mean", "error"]
    columns += ["published_distance", "record_distance", "all_trials", "all_distance"]
    means = distinct_means(tables[RECORD])
    seeds = tables.get("record_seeds", pd.DataFrame({"item": []}))
    if means.empty:
        return None, pd.DataFrame(columns=columns)
    row = means.loc[means["z"].abs().idxmax()]
    seeds = seeds[seeds["item"] == row["item"]]
    if seeds.empty:
        return None, pd.DataFrame(columns=columns)
    environment, algorithm = read_item(row["item"]).of
    published = tables["published"].set_index("item").loc[row["item"]]
    trials = float(seeds["trials"].sum())
    mean = float((seeds["ours"] * seeds["trials"]).sum()) / trials
    deviation = math.sqrt(float((seeds["standard_deviation"] ** 2 * seeds["trials"]).sum()) / trials)
    all_trials = trials + row["trials"]
    pooled = (mean * trials + row["ours"] * row["trials"]) / all_trials

    def distance(value: float, count: float) -> float:
        error = deviation * math.sqrt(1.0 / count + 1.0 / published["runs"])
        return (value - row["published"]) / math.hypot(error, published["rounding"] / math.sqrt(3.0))

    names = [
        titles([name], settings, kind)[name] for name, kind in ((algorithm, "algorithm"), (environment, "environment"))
    ]
    between = (row["ours"] - mean) / (deviation * math.sqrt(1.0 / trials + 1.0 / row["trials"]))
    numbers = (len(seeds), trials, mean, deviation / math.sqrt(trials), distance(mean, trials), between)
    return None, pd.DataFrame([(*names, *numbers, all_trials, distance(pooled, all_trials))], columns=columns)


def _tested(numbers: pd.DataFrame) -> pd.DataFrame:
    means = of_quantity(numbers, "mean")
    return joint_tests(means, item_parts(means["item"], "environment", "algorithm")["environment"])
