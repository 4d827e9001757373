"""Sentences and counts of the paper's page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.coverage_rows import VARIANTS, coverage_rows
from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.origin import kept_item
from surefoot.charts.selection import METHOD_TITLES, score_intervals, titles
from surefoot.charts.sentences import (
    capitalised,
    caption_items,
    counted,
    counted_span,
    counted_verdicts,
    item,
    joined,
    percent,
    run_items,
    score_items,
    separated_pairs,
    verdict_items,
)
from surefoot.papers.jordan2020.asked import asked_items
from surefoot.papers.jordan2020.claimed_scores import claim_items, shown_scores
from surefoot.papers.jordan2020.coverage import of_record, replicates_items
from surefoot.papers.jordan2020.differences import distinct_means
from surefoot.papers.jordan2020.distributions import enough_trials
from surefoot.papers.jordan2020.joint import joint_items
from surefoot.papers.jordan2020.means import table_means
from surefoot.papers.jordan2020.scores import shown_methods
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.reproduction.comparison import FEWEST_RUNS, describe_z
from surefoot.statistics.reproduction.items import of_quantity

_NO_RECORD = "There is no record of a large run yet."


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    intervals, recorded = shown_scores(tables)
    shown = shown_methods(intervals)
    rows = run_items(tables["collect/runs"], "trial") + caption_items(tables, shown, settings, "trial", recorded)
    rows.append(item("intervals_caption", _intervals_caption(shown)))
    rows += claim_items(tables, settings) + _run_score_items(tables, settings)
    rows.append(item("printed_method", METHOD_TITLES.get(shown["method"].iloc[0], "the point values")))
    rows.append(item("shown_run", "the large run" if recorded else "this run"))
    rows += [*verdict_items(tables[RUN]), *_numbers_items(tables), _z_item("z", tables[RUN])]
    rows += [*_record_items(tables), *joint_items(tables, settings), *_means_items(tables, settings)]
    rows += [*_coverage_items(tables, settings), _bootstrap_item(tables, 1 - settings["confidence"])]
    rows += replicates_items(tables)
    rows += asked_items(tables, settings)
    rows += [item("variant", settings["variant"].replace("_", " ")), kept_item(tables)]
    return None, pd.DataFrame(rows)


def _intervals_caption(intervals: pd.DataFrame) -> str:
    """Trials, kinds of intervals and confidence of the scores that are shown, the method to quote first."""
    if intervals["low"].isna().all():
        return "The study asks for no intervals."
    trials = f"{counted(int(intervals['runs'].min()), 'trial')} or more per pair"
    names = list(dict.fromkeys(intervals["method"]))
    # In their names, a comma would look like one of the list.
    methods = joined([METHOD_TITLES[method].replace(", ", " with ") for method in names])
    drawn = intervals["replicates"].dropna()
    resamples = f" ({drawn.iloc[0]:,.0f} resamples)" if len(drawn) else ""
    level = percent(intervals["confidence"].iloc[0])
    ranks = f"Ranks by {METHOD_TITLES[names[0]]}{', the interval to quote' if len(names) > 1 else ''}."
    return f"{capitalised(trials)}; simultaneous {level} intervals by {methods}{resamples}. {ranks}"


def _run_score_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `run_best`, `run_lead` and `first_two`: what this run's own scores and intervals say."""
    intervals = score_intervals(tables)
    rows = {row["item"]: row["text"] for row in score_items(intervals, settings)}
    told = [item(f"run_{name}", rows[name]) for name in ("best", "lead")]
    return [*told, item("first_two", _first_two(intervals, settings))]


def _first_two(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whether this run's intervals tell its first two algorithms apart."""
    rows = intervals[intervals["method"] == intervals["method"].iloc[0]].sort_values("rank", kind="stable").head(2)
    if len(rows) < 2 or rows["low"].isna().any():
        return ""
    names = joined(list(titles(rows["algorithm"], settings, "algorithm").values()))
    verb = "separate" if separated_pairs(rows) else "do not separate"
    method = METHOD_TITLES[rows["method"].iloc[0]]
    return f"These ranks come from the small run made here, whose intervals ({method}) {verb} {names}."


def _numbers_items(tables: Tables) -> list[dict[str, Any]]:
    """Rows `judging` (whose numbers are shown: the large run's where there is one), `numbers` (what became of the
    published ones there) and `run_numbers`."""
    own, record = tables[RUN], tables[RECORD]
    shown, whose = (record, "The large run") if len(record) else (own, "This run")
    return [
        item("judging", whose.partition(" ")[2]),
        item("numbers", _judged(shown, whose), len(shown)),
        item("run_numbers", _judged(own, "This run"), len(own)),
    ]


def _judged(numbers: pd.DataFrame, whose: str) -> str:
    none = "" if (numbers["verdict"] == "differs").any() else "; none differs"
    counts = counted_verdicts(numbers["verdict"])
    return f"{whose} is compared with {counted(len(numbers), 'published number')}: {counts}{none}."


def _record_items(tables: Tables) -> list[dict[str, Any]]:
    """Rows `record_trials` and `record_z`: of the record of a large run."""
    if "record" not in tables:
        return [item("record_trials", "no trials"), item("record_z", _NO_RECORD)]
    numbers = tables[RECORD]
    trials = counted_span(of_quantity(numbers, "mean")["trials"], "trial")
    return [item("record_trials", trials), _z_item("record_z", numbers)]


def _means_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `mean_trials` (behind the means that are shown) and `undrawn` (environments without distributions)."""
    _, means = table_means(tables, settings)
    shown = titles(means["environment"], settings, "environment")
    left = [title for name, title in shown.items() if name not in enough_trials(tables)]
    text = f"{joined(left)} {'has' if len(left) == 1 else 'have'} too few trials here." if left else ""
    return [item("mean_trials", counted_span(means["trials"], "trial")), item("undrawn", text, len(left))]


def _z_item(name: str, numbers: pd.DataFrame) -> dict[str, Any]:
    said = describe_z(distinct_means(numbers)["z"])
    if said["count"] < 2:
        return item(
            name,
            f"Fewer than two pairs have the {FEWEST_RUNS} trials needed to express a difference in standard errors.",
            said["count"],
        )
    text = (
        f"In standard errors, the {said['count']} differences have mean {written(said['mean'], '.2f')} and standard "
        f"deviation {written(said['standard_deviation'], '.2f')}; the largest is {written(said['largest'], '.1f')}. A "
        f"Kolmogorov\N{EN DASH}Smirnov test against the standard normal gives p = {written(said['p_value'], '.2g')}."
    )
    return item(name, text, said["count"])


def _coverage_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `coverage_caption`, and `failures_caption` of what is made as published alone: what the data sets of the
    studies of coverage that are shown are drawn from, and how many there are."""
    record = of_record(tables)
    made = pd.DataFrame.from_dict(settings["coverage"], orient="index", columns=["pool_trials", "replicates"])
    designs = tables["record_coverage"] if record else made.rename_axis("variant").reset_index()
    return [
        item(name, _drawn(coverage_rows(tables, variant, record=record), designs, variant))
        for name, variant in (("coverage_caption", None), ("failures_caption", "as_published"))
    ]


def _drawn(found: pd.DataFrame, designs: pd.DataFrame, variant: str | None) -> str:
    if found.empty:
        return "There is no study of coverage."
    designs = designs[designs["variant"].isin(VARIANTS if variant is None else [variant])]
    pool = designs["pool_trials"]
    source = f"{counted_span(pool, 'trial')} per pair" if pool.notna().all() else "the runs of the table"
    drawn, away = counted_span(designs["replicates"].dropna(), "replicate"), written(3 / found["datasets"].min(), ".2g")
    return (
        f"{counted_span(found['datasets'], 'data set')} of each size, drawn from {source}, and {drawn} where a method "
        f"resamples. A rate of 0 or 1 may be off by up to {away} (95 %)."
    )


def _bootstrap_item(tables: Tables, allowed: float) -> dict[str, Any]:
    """Row `bootstrap_misses`: where the bootstrap misses the truth too often, by the studies of coverage shown.

    Too often is more than two Monte Carlo standard errors above what the confidence level allows.
    """
    rows = coverage_rows(tables, record=of_record(tables))
    rows = rows[rows["method"] == "bootstrap"].dropna(subset=["failure_rate_truth"]).sort_values("size")
    if rows.empty:
        return item("bootstrap_misses", "No study of coverage says how often the bootstrap misses the truth.")
    far = rows[rows["failure_rate_truth"] - 2 * rows["failure_rate_truth_error"] > allowed]
    level = f"{100 * allowed:.3g} %"
    if far.empty:
        return item("bootstrap_misses", f"The bootstrap misses the truth in no more than the allowed {level}.", 0)
    told = []
    for variant in far["variant"].unique():
        of_variant = far[far["variant"] == variant]
        shares = joined([f"{written(100 * rate, '.0f')} %" for rate in of_variant["failure_rate_truth"]])
        told.append(f"{VARIANTS[variant]}, {shares} with {joined([f'{size:,}' for size in of_variant['size']])} trials")
    text = f"The bootstrap should miss the truth in {level} of data sets, but misses it in more: {'; '.join(told)}."
    return item("bootstrap_misses", text, len(far))
