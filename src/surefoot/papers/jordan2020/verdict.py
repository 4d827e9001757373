"""Sentences and counts of the paper's page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.coverage_rows import VARIANTS, coverage_rows
from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.selection import METHOD_TITLES, recorded_scores, score_intervals, titles
from surefoot.charts.sentences import (
    caption_items,
    counted,
    counted_span,
    item,
    joined,
    run_items,
    score_items,
    those_of,
    verdict_items,
)
from surefoot.papers.jordan2020.asked import asked_items
from surefoot.papers.jordan2020.coverage import replicates_items
from surefoot.papers.jordan2020.differences import distinct_means
from surefoot.papers.jordan2020.joint import joint_items
from surefoot.papers.jordan2020.scores import printed_methods
from surefoot.papers.jordan2020.selection import has_published_selection
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.reproduction.comparison import FEWEST_RUNS, describe_z
from surefoot.statistics.reproduction.items import of_quantity
from surefoot.statistics.reproduction.verdicts import verdict_counts

_CLAIMED = ("sarsa_parl2", "q_parl2")


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    intervals = score_intervals(tables)
    rows = run_items(tables["collect/runs"], "trial") + score_items(intervals, settings)
    shown = printed_methods(intervals)
    rows += caption_items(tables, shown, settings, "trial")
    rows.append(item("printed_method", METHOD_TITLES.get(shown["method"].iloc[0], "the point values")))
    rows += _claim_items(tables, intervals, settings) + _recorded_score_items(tables, settings)
    rows += _reproduction_items(tables[RUN]) + _record_items(tables) + joint_items(tables, settings)
    rows += [*_coverage_items(tables, settings), _bootstrap_item(tables, 1 - settings["confidence"])]
    rows += replicates_items(tables)
    rows += asked_items(tables, settings)
    rows += [item("variant", settings["variant"].replace("_", " "))]
    return None, pd.DataFrame(rows)


def _claim_items(tables: Tables, intervals: pd.DataFrame, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `claim` and `claim_verdict`: do both algorithms of the paper's claim (section 6.3) lie above all others?"""
    method = intervals["method"].iloc[0]
    table = intervals[intervals["method"] == method]
    if not has_published_selection(tables) or table["low"].isna().any():
        text = "This study lacks an algorithm or an environment of the paper, or the intervals, and cannot test it."
        return [item("claim", text), item("claim_verdict", "not tested")]
    names = titles(table["algorithm"], settings, "algorithm")
    pairs, above, below = _compared(table)
    others = table[~table["algorithm"].isin(_CLAIMED)]
    whose = f"the {METHOD_TITLES[method]} intervals of {joined([names[name] for name in _CLAIMED])}"
    if above == pairs:
        text = f"T{whose[1:]} lie above {those_of(others, names, 'all {} other algorithms')}."
        return [item("claim", text, above), item("claim_verdict", "confirmed")]
    text = f"Of the {pairs} comparisons with other algorithms, {whose} lie above in {above} and below in {below}."
    return [
        item("claim", text, above),
        item("claim_verdict", "contradicted" if below else "not settled by these trials"),
    ]


def _compared(table: pd.DataFrame) -> tuple[int, int, int]:
    """How many comparisons of the claim's algorithms with others there are, and in how many their intervals lie above,
    and below. `table` has the intervals of one method."""
    claimed = table["algorithm"].isin(_CLAIMED)
    leaders, others = table[claimed], table[~claimed]
    above = sum(int((others["high"] < low).sum()) for low in leaders["low"])
    below = sum(int((others["low"] > high).sum()) for high in leaders["high"])
    return len(leaders) * len(others), above, below


def _recorded_score_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `record_score_caption`: how many trials, resamples and what confidence are behind the record's scores; and
    `record_claim`: what its intervals say of the paper's claim."""
    record = recorded_scores(tables)
    if record is None or not has_published_selection(tables):
        return [
            item("record_score_caption", "there is none of these algorithms and environments."),
            item("record_claim", ""),
        ]
    counts = {METHOD_TITLES[method]: _compared(rows) for method, rows in record.groupby("method", sort=False)}
    for_it = joined([f"{above} by {method}" for method, (_, above, _) in counts.items()])
    against = joined([f"{below} by {method}" for method, (*_, below) in counts.items() if below] or ["none"])
    pairs = next(iter(counts.values()))[0]
    claim = f"Of the claim's {pairs} comparisons its intervals settle {for_it} in its favour, and {against} against it."
    captions = caption_items(tables, printed_methods(record), settings, "trial", recorded=True)
    text = next(row["text"] for row in captions if row["item"] == "score_caption")
    return [item("record_score_caption", text), item("record_claim", claim)]


def _reproduction_items(numbers: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of `verdict_items`, and `means` and `z`: how many means are reproduced, and how far they are off."""
    means = of_quantity(numbers, "mean")
    return [*verdict_items(numbers), item("means", _counted_means(means), len(means)), _z_item("z", numbers)]


def _record_items(tables: Tables) -> list[dict[str, Any]]:
    """Rows `record`, `record_trials` and `record_z`: what the large run says that is kept as a record."""
    if "record" not in tables:
        text = "No record of a large run is kept here yet."
        return [item("record", text), item("record_trials", "no trials"), item("record_z", text)]
    numbers = tables[RECORD]
    means = of_quantity(numbers, "mean")
    counts = verdict_counts(numbers["verdict"])
    reproduced = counts["reproduced"]
    trials = counted_span(means["trials"], "trial")
    text = (
        f"The large run that is kept as a record ({trials} of each pair): {_counted_means(means)}; of all "
        f"{counted(len(numbers), 'published number')} that it can be compared with, {reproduced} are reproduced, "
        f"{counts['explained']} explained, {counts['not testable']} not testable by so many trials, and "
        f"{counts['differs']} differ."
    )
    return [item("record", text, reproduced), item("record_trials", trials), _z_item("record_z", numbers)]


def _counted_means(means: pd.DataFrame) -> str:
    if means.empty:
        return "no published mean to compare"
    shown = int((means["verdict"] == "reproduced").sum())
    blind = int((means["verdict"] == "not testable").sum())
    weak = f"; {blind} of ours rest on too few trials to test them" if blind else ""
    return f"{shown} of {counted(len(means), 'published mean')} reproduced{weak}"


def _z_item(name: str, numbers: pd.DataFrame) -> dict[str, Any]:
    said = describe_z(distinct_means(numbers)["z"])
    if said["count"] < 2:
        return item(
            name,
            f"Fewer than two samples have the {FEWEST_RUNS} trials that a difference in standard errors needs.",
            said["count"],
        )
    text = (
        f"The {said['count']} differences (a sample under two names counts once) have a mean of "
        f"{written(said['mean'], '.2f')} and a standard deviation of "
        f"{written(said['standard_deviation'], '.2f')} standard errors; the largest is "
        f"{written(said['largest'], '.1f')}, and {said['beyond_2']} are beyond 2, where the standard normal lets one "
        f"expect {written(said['beyond_2_expected'], '.1f')}. The test of Kolmogorov and Smirnov against it has p = "
        f"{written(said['p_value'], '.2g')}."
    )
    return item(name, text, said["count"])


def _coverage_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `coverage_caption` and `failures_caption` (of what is made as published alone), and the same with the prefix
    `record_`: what the data sets are drawn from, and how many."""
    made = pd.DataFrame.from_dict(settings["coverage"], orient="index", columns=["pool_trials", "replicates"])
    made = made.rename_axis("variant").reset_index()
    kept = tables.get("record_coverage", made.iloc[:0])
    return [
        item(f"{prefix}{name}", _drawn(coverage_rows(tables, variant, record=bool(prefix)), designs, variant))
        for prefix, designs in (("", made), ("record_", kept))
        for name, variant in (("coverage_caption", None), ("failures_caption", "as_published"))
    ]


def _drawn(found: pd.DataFrame, designs: pd.DataFrame, variant: str | None) -> str:
    if found.empty:
        return "No such study is here."
    designs = designs[designs["variant"].isin(VARIANTS if variant is None else [variant])]
    pool = designs["pool_trials"]
    source = f"{counted_span(pool, 'trial')} of each pair" if pool.notna().all() else "the runs of the table"
    drawn, away = counted_span(designs["replicates"].dropna(), "replicate"), written(3 / found["datasets"].min(), ".2g")
    return (
        f"{counted_span(found['datasets'], 'data set')} of each number of trials, drawn from {source}; {drawn} where a "
        f"method resamples. Where all data sets agree, the Monte Carlo error is 0, and a rate up to {away} away is "
        "compatible with that (95 %)."
    )


def _bootstrap_item(tables: Tables, allowed: float) -> dict[str, Any]:
    """Row `bootstrap_misses`: where the bootstrap misses the truth too often, by the large run where it can say so.

    Too often is more than two Monte Carlo standard errors above what the confidence level allows.
    """
    whose, rows = "In the large run", _misses(coverage_rows(tables, record=True))
    if rows.empty:
        whose, rows = "In this run", _misses(coverage_rows(tables))
    if rows.empty:
        return item("bootstrap_misses", "No study of coverage says how often the bootstrap misses the truth.")
    far = rows[rows["failure_rate_truth"] - 2 * rows["failure_rate_truth_error"] > allowed]
    level = written(allowed, ".2f")
    if far.empty:
        text = (
            f"{whose}, the bootstrap nowhere misses the truth in more than the {level} of the data sets that are "
            "allowed, by more than two Monte Carlo standard errors."
        )
        return item("bootstrap_misses", text, 0)
    told = []
    for variant in rows["variant"].unique():
        parts = [
            f"{written(row.failure_rate_truth, '.3f')} ± {written(row.failure_rate_truth_error, '.3f')} of the data "
            f"sets of {counted(int(row.size), 'trial')}"
            for row in far[far["variant"] == variant].itertuples()
        ]
        told.append(
            f"{VARIANTS[variant]}, in {joined(parts)}"
            if parts
            else f"{VARIANTS[variant]}, nowhere by more than two Monte Carlo standard errors"
        )
    text = (
        f"{whose}, the bootstrap misses the truth in more than the {level} of the data sets that are allowed: "
        f"{'; '.join(told)}. Few trials do not show how much scores vary, so it should not be trusted there."
    )
    return item("bootstrap_misses", text, len(far))


def _misses(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows[rows["method"] == "bootstrap"]
    return rows.dropna(subset=["failure_rate_truth"]).sort_values("size")
