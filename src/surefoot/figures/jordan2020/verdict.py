"""Sentences and counts of the paper's page."""

from collections.abc import Mapping

import pandas as pd

from surefoot.figures.coverage import VARIANTS, coverage_rows
from surefoot.figures.jordan2020.comparison import comparison, distinct_means, record_comparison
from surefoot.figures.jordan2020.coverage import replicates_items
from surefoot.figures.jordan2020.exploits import exploit_items
from surefoot.figures.jordan2020.percentiles import percentile_items
from surefoot.figures.jordan2020.procedures import procedure_items
from surefoot.figures.jordan2020.tuning import tuning_items
from surefoot.figures.selection import METHOD_TITLES, recorded_scores, score_intervals, titles
from surefoot.figures.sentences import (
    caption_items,
    counted,
    item,
    joined,
    run_items,
    score_items,
    those_of,
    verdict_items,
)
from surefoot.rounding import written
from surefoot.statistics.reproduction import describe_z

Tables = Mapping[str, pd.DataFrame]
_CLAIMED = ("sarsa_parl2", "q_parl2")


def verdict(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    intervals = score_intervals(tables)
    rows = run_items(tables["collect/runs"], "trial") + score_items(intervals, settings)
    rows += caption_items(tables, intervals, settings, "trial")
    rows += _claim_items(intervals, settings) + _recorded_score_items(tables, settings)
    rows += _reproduction_items(comparison(tables)) + _record_items(tables)
    rows += [*_coverage_items(tables, settings), _bootstrap_item(tables, 1 - settings["estimate"]["confidence"])]
    rows += replicates_items(tables)
    rows += exploit_items(tables, settings) + procedure_items(tables, settings)
    rows += tuning_items(tables, settings) + percentile_items(tables, settings)
    rows += [item("variant", settings["estimate"]["variant"].replace("_", " "))]
    return None, pd.DataFrame(rows)


def _claim_items(intervals: pd.DataFrame, settings: Mapping) -> list[dict]:
    """Rows `claim` and `claim_verdict`: do both algorithms of the paper's claim (section 6.3) lie above all others?"""
    method = intervals["method"].iloc[0]
    table = intervals[intervals["method"] == method]
    names = titles(table["algorithm"], settings, "algorithm")
    claimed = table["algorithm"].isin(_CLAIMED)
    leaders, others = table[claimed], table[~claimed]
    if len(leaders) < len(_CLAIMED) or others.empty or table["low"].isna().any():
        text = "This study lacks an algorithm of the claim, or the intervals, and cannot test it."
        return [item("claim", text), item("claim_verdict", "not tested")]
    pairs = len(leaders) * len(others)
    above = sum(int((others["high"] < low).sum()) for low in leaders["low"])
    below = sum(int((others["low"] > high).sum()) for high in leaders["high"])
    whose = f"the {METHOD_TITLES[method]} intervals of {joined([names[name] for name in leaders['algorithm']])}"
    if above == pairs:
        text = f"T{whose[1:]} lie above {those_of(others, names, 'all {} other algorithms')}."
        return [item("claim", text, above), item("claim_verdict", "confirmed")]
    text = f"Of the {pairs} comparisons with other algorithms, {whose} lie above in {above} and below in {below}."
    return [
        item("claim", text, above),
        item("claim_verdict", "contradicted" if below else "not settled by these trials"),
    ]


def _recorded_score_items(tables: Tables, settings: Mapping) -> list[dict]:
    """Row `record_score_caption`: how many trials, resamples and what confidence are behind the record's scores."""
    record = recorded_scores(tables)
    if record is None:
        return [item("record_score_caption", "there is none of these algorithms and environments.")]
    record = record[record["method"].isin(("pbp", "pbp_t", "bootstrap"))]
    captions = caption_items(tables, record, settings, "trial", recorded=True)
    text = next(row["text"] for row in captions if row["item"] == "score_caption")
    return [item("record_score_caption", text)]


def _reproduction_items(numbers: pd.DataFrame) -> list[dict]:
    """The rows of `verdict_items`, and `means` and `z`: how many means are reproduced, and how far they are off."""
    means = numbers[numbers["item"].str.startswith("mean/")]
    return [*verdict_items(numbers), item("means", _counted_means(means), len(means)), _z_item("z", numbers)]


def _record_items(tables: Tables) -> list[dict]:
    """Rows `record`, `record_trials` and `record_z`: what the large run says that is kept as a record."""
    if "record" not in tables:
        text = "No record of a large run is kept here yet."
        return [item("record", text), item("record_trials", "no trials"), item("record_z", text)]
    record = tables["record"]
    means = record[record["item"].str.startswith("mean/")]
    numbers = record_comparison(tables)
    reproduced = int((numbers["verdict"] == "reproduced").sum())
    trials = _span(means["trials"], "trial")
    text = (
        f"The large run that is kept as a record ({trials} of each pair): {_counted_means(means)}; of all "
        f"{counted(len(numbers), 'published number')} that it can be held against, {reproduced} are reproduced."
    )
    return [item("record", text, reproduced), item("record_trials", trials), _z_item("record_z", record)]


def _counted_means(means: pd.DataFrame) -> str:
    if means.empty:
        return "no published mean to compare"
    shown = int((means["verdict"] == "reproduced").sum())
    return f"{shown} of {counted(len(means), 'published mean')} reproduced"


def _z_item(name: str, numbers: pd.DataFrame) -> dict:
    said = describe_z(distinct_means(numbers)["z"])
    if said["count"] < 2:
        return item(
            name, "Too few pairs have the 200 trials that a difference in standard errors needs.", said["count"]
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


def _coverage_items(tables: Tables, settings: Mapping) -> list[dict]:
    """Rows `coverage_caption` and `record_coverage_caption`: what the data sets are drawn from, and how many."""
    designs = settings["cover"]
    made = {key: [design[key] for design in designs] for key in ("pool_trials", "replicates")}
    kept = tables.get("record_coverage", pd.DataFrame({"variant": []}))
    kept = kept[kept["variant"].isin(VARIANTS)]
    rows = []
    for name, record in (("coverage_caption", False), ("record_coverage_caption", True)):
        found = coverage_rows(tables, record=record)
        if found.empty:
            rows.append(item(name, "No such study is here."))
            continue
        pool, drawn = (kept[key] if record else pd.Series(made[key]) for key in ("pool_trials", "replicates"))
        source = f"{_span(pool, 'trial')} of each pair" if pool.notna().all() else "the runs of the table"
        away = written(3 / found["datasets"].min(), ".2g")
        text = (
            f"{_span(found['datasets'], 'data set')} of each number of trials, drawn from {source}; "
            f"{_span(drawn.dropna(), 'replicate')} where a method resamples. Where all data sets agree, the Monte "
            f"Carlo error is 0, and a rate up to {away} away is compatible with that (95 %)."
        )
        rows.append(item(name, text))
    return rows


def _bootstrap_item(tables: Tables, allowed: float) -> dict:
    """Row `bootstrap_misses`: where the corrected bootstrap misses the truth too often, by the large run where it can.

    Too often is more than two Monte Carlo standard errors above what the confidence level allows.
    """
    for record, whose in ((True, "In the large run"), (False, "In this run")):
        rows = coverage_rows(tables, "corrected", record)
        rows = rows[rows["method"] == "bootstrap"].dropna(subset=["failure_rate_truth"]).sort_values("size")
        if rows.empty:
            continue
        far = rows["failure_rate_truth"] - 2 * rows["failure_rate_truth_error"] > allowed
        level = written(allowed, ".2f")
        if not far.any():
            text = (
                f"{whose}, the corrected bootstrap nowhere misses the truth in more than the {level} of data sets that "
                "are allowed, by more than two Monte Carlo standard errors."
            )
            return item("bootstrap_misses", text, 0)
        told = [
            f"{written(row.failure_rate_truth, '.3f')} ± {written(row.failure_rate_truth_error, '.3f')} of the data "
            f"sets of {counted(int(row.size), 'trial')}"
            for row in rows[far].itertuples()
        ]
        text = (
            f"{whose}, the corrected bootstrap misses the truth too often: in {joined(told)}, where {level} are "
            "allowed. Few trials do not show how much scores vary, so it should not be trusted there."
        )
        return item("bootstrap_misses", text, int(far.sum()))
    return item("bootstrap_misses", "No study of coverage says how often the corrected bootstrap misses the truth.")


def _span(numbers: pd.Series, noun: str) -> str:
    low, high = int(numbers.min()), int(numbers.max())
    return counted(low, noun) if low == high else f"{low:,} to {high:,} {noun}s"
