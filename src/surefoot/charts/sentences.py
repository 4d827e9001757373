"""Sentences and counts that follow from tables, for the prose of the pages.

Each is a row of a verdict table: `item`, `text`, and `value`, the number in it where there is one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from surefoot.charts.names import METRICS, named, spelt_out
from surefoot.charts.selection import METHOD_TITLES, remarks, titles, without_range
from surefoot.rounding import written
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS
from surefoot.statistics.runs.sharing import sharing_sentence

_LISTED, _SHORT = 3, 30
_FEW = 2
QUESTION = "Which algorithm is best, and how sure can we be?"  # of a study that asks no other


def item(name: str, text: str, value: float | None = None) -> dict[str, Any]:
    """A row of a verdict table; the text in one line."""
    return {"item": name, "text": " ".join(text.split()), "value": value}


def counted(number: int, noun: str, several: str | None = None) -> str:
    """A number with its noun, and with its plural where that is not made with s: "1 run", "2 runs"."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def counted_span(numbers: pd.Series, noun: str) -> str:
    """The least and the greatest number with their noun: "2 to 5 runs"; "2 runs" where they are equal."""
    low, high = int(numbers.min()), int(numbers.max())
    return counted(low, noun) if low == high else f"{low:,} to {counted(high, noun)}"


_MANY, _FIRST = 20, 10


def joined(names: Sequence[str]) -> str:
    """Names as an English list: "a", "a and b", "a, b and c"; of more than 20 the first ten and how many others."""
    if len(names) > _MANY:
        return f"{', '.join(names[:_FIRST])} and {len(names) - _FIRST:,} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def briefly(names: Sequence[str], noun: str = "algorithm") -> str:
    """Names as `joined` lists them where that is short, else how many there are: "8 algorithms"."""
    text = joined(names)
    return text if len(text) <= _SHORT else counted(len(names), noun)


def most_places(best: pd.DataFrame, places: int) -> str:
    """Which algorithms are the best in how many environments: "PPO in 3 of 4 environments, DQN in 1".

    Those that are best most often come first; an environment with several best ones counts for each. With a single
    environment, their names are enough.

    best : columns environment, title; places : how many environments there are
    """
    counts = best.drop_duplicates(["environment", "title"])["title"].value_counts(sort=False)
    counts = counts.sort_values(ascending=False, kind="stable")
    if places == 1:
        return joined(list(counts.index))
    named = [f"{title} in {count}" for title, count in counts.items()]
    if counts.iloc[0] == places:
        named[0] = f"{counts.index[0]} in {'both' if places == 2 else f'all {places}'} environments"
    else:
        named[0] += f" of {counted(places, 'environment')}"
    if len(named) <= _LISTED:
        return ", ".join(named)
    return f"{', '.join(named[:_FEW])}; {len(named) - _FEW} others in at most {counts.iloc[_FEW]} each"


def run_items(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows `algorithms`, `environments`, `runs` (of a pair) and `runs_total` from the table of runs.

    Runs that are shown under two names, because the cell is the same, count once in `runs_total`.
    """
    sizes = runs.groupby(["environment", "algorithm"], sort=False).size()
    total = len(runs.drop_duplicates(["environment", "cell", "run"]))
    algorithms, environments = runs["algorithm"].nunique(), runs["environment"].nunique()
    return [
        item("algorithms", counted(algorithms, "algorithm"), algorithms),
        item("environments", counted(environments, "environment"), environments),
        item("runs", counted_span(sizes, "run"), int(sizes.min())),
        item("runs_total", counted(total, "run"), total),
    ]


def failure_item(plays: pd.DataFrame) -> dict[str, Any]:
    """Row `failures`: how many plays ended in a domain error."""
    failed = int(plays["failed"].sum())
    text = f"{failed:,} of {counted(len(plays), 'play')} ended in a domain error."
    return item("failures", f"{text} Agents with such a play have no score." if failed else text, failed)


def score_items(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `best` and `lead`: who scores highest, and whether the intervals settle that.

    `intervals` is the table of `selection.score_intervals`; its first method, the one to quote, decides `lead`.
    """
    method = intervals["method"].iloc[0]
    table = intervals[intervals["method"] == method]
    names = titles(table["algorithm"], settings, "algorithm")
    best = table[table["rank"] == table["rank"].min()]
    verb = "has" if len(best) == 1 else "share"
    score = best["value"].iloc[0]
    shown = joined([names[name] for name in best["algorithm"]])
    told = f"{shown} {verb} the highest aggregate score, {written(score, '.3f')}"
    if table["low"].isna().any():
        text = "Without intervals, nothing can be said about how sure that is."
        return [item("best", f"{told}.", score), item("lead", text)]
    return [
        item("best", f"{told}{_own_interval(best)}.", score),
        item("lead", _lead(table, best.iloc[0], names)),
    ]


def score_headline(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Who scores highest, and whether the intervals to quote settle that; in short, for the title of a figure."""
    table = intervals[intervals["method"] == intervals["method"].iloc[0]]
    names = titles(table["algorithm"], settings, "algorithm")
    best = table[table["rank"] == table["rank"].min()]
    told = f"{briefly([names[name] for name in best['algorithm']])} {'scores' if len(best) == 1 else 'score'} highest"
    others = table.drop(best.index)
    if table["low"].isna().any() or others.empty:
        return told
    settled = len(best) == 1 and (others["high"] < best["low"].iloc[0]).all()
    return f"{told}, above all others" if settled else f"{told}, but which algorithm is best is not settled"


def _own_interval(best: pd.DataFrame) -> str:
    """The interval of a single best algorithm, in parentheses."""
    if len(best) > 1:
        return ""
    low, high = (written(max(0.0, min(1.0, best[end].iloc[0])), ".3f") for end in ("low", "high"))
    return f" ({percent(best['confidence'].iloc[0])} interval {low} to {high})"


def _leave_scores(intervals: pd.DataFrame) -> bool:
    """Whether some limit lies beyond 0 or 1."""
    return bool((intervals[["low", "high"]].lt(0.0) | intervals[["low", "high"]].gt(1.0)).any(axis=None))


def caption_items(
    tables: Mapping[str, Any], intervals: pd.DataFrame, settings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Rows `mean_caption`, and of the intervals of the scores that are shown `score_caption`, `rank_caption` and
    `method_note`."""
    limits = tables.get("estimate/anderson")
    mean = item("mean_caption", "" if limits is None else _anderson(limits, percent(settings["confidence"])))
    if intervals["low"].isna().all():
        note = "The study asks for no intervals of the aggregate scores, so the ranking may be due to chance."
        return [mean, item("rank_caption", "Aggregate scores and ranks."), item("method_note", note)]
    methods = list(dict.fromkeys(intervals["method"]))
    first = METHOD_TITLES[methods[0]]
    level = f"simultaneous {percent(intervals['confidence'].iloc[0])} intervals"
    resamples = intervals["replicates"].dropna()
    drawn = f" ({resamples.iloc[0]:,.0f} resamples)" if len(resamples) else ""
    environments = int(tables["collect/runs"]["environment"].nunique())
    cut = " Limits are cut off at 0 and 1, which no score can leave." if _leave_scores(intervals) else ""
    remarked = _remarked(intervals, settings)
    score = f"Bars: {level}{drawn}.{cut}{_extremes(intervals, settings, environments)} Ranks by {first}.{remarked}"
    ranks = f"ranks by {first if len(methods) == 1 else 'each method'}"
    note = "; ".join(INTERVAL_METHODS[method].assumption for method in methods)
    kept = len(methods) > 1 and methods[0] not in remarks(intervals, settings)
    quoted = f" Where the methods disagree, {first} is the one to quote." if kept else ""
    return [
        mean,
        item("score_caption", score),
        item("rank_caption", f"Aggregate scores, and {ranks}, with the worst and best ranks that {level} allow."),
        item("method_note", f"{capitalised(note)}.{quoted}"),
    ]


def _remarked(intervals: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """A sentence on each promise that these runs do not let methods keep."""
    alike: dict[str, list[str]] = {}
    for method, remark in remarks(intervals, settings).items():
        alike.setdefault(remark, []).append(method_name(method))
    text = ""
    for remark, whose in alike.items():
        text += f" {capitalised(joined(whose))} {'is' if len(whose) == 1 else 'are'} {remark}."
    return text


def method_name(method: str) -> str:
    """A method of intervals within a sentence: "PBP-t", "the percentile bootstrap", "PBP with max-t"."""
    title = METHOD_TITLES[method].replace(", ", " with ")
    return f"the {title}" if method == "bootstrap" else title


def capitalised(text: str) -> str:
    """The text with its first letter in upper case and all others as they are."""
    return text[:1].upper() + text[1:]


def _extremes(intervals: pd.DataFrame, settings: Mapping[str, Any], environments: int) -> str:
    """Says so where a tail of the bootstrap's intervals holds less than one resample."""
    rows = intervals[intervals["method"] == "bootstrap"]
    if rows.empty:
        return ""
    parts = len(rows) * (1 if settings["variant"] == "corrected" else environments)
    tail, resamples = (1.0 - rows["confidence"].iloc[0]) / parts / 2.0, rows["replicates"].iloc[0]
    if resamples * tail >= 1.0:
        return ""
    return (
        f" The bootstrap's limits are the smallest and the largest of its {resamples:,.0f} resampled scores, since "
        f"each tail should hold only {tail:.2g} of them; more resamples would widen the intervals."
    )


def _anderson(limits: pd.DataFrame, overall: str) -> str:
    flat = limits.loc[without_range(limits), "environment"].nunique()
    text = f"No interval in {counted(flat, 'environment')}, where all scores are equal." if flat else ""
    if flat == limits["environment"].nunique():
        return text
    each = percent(limits["confidence"].iloc[0])
    return (
        f"Intervals: Anderson, {overall} simultaneously ({each} each). The range of the scores is estimated from these "
        f"runs, so the level is not guaranteed. {text}"
    )


def separated_pairs(limits: pd.DataFrame) -> int:
    """Number of pairs of rows whose intervals [low, high] have no point in common."""
    low, high = limits["low"].to_numpy(), limits["high"].to_numpy()
    return int((low[:, None] > high[None, :]).sum())


def percent(confidence: float) -> str:
    """A confidence as readers know it: "95 %"."""
    return f"{100 * confidence:.5g} %"


def _lead(table: pd.DataFrame, first: pd.Series, names: Mapping[str, str]) -> str:
    """Where the interval of the best algorithm (of several, the first) lies beside those of all others."""
    others = table[table["algorithm"] != first["algorithm"]]
    overlapping = others.loc[others["high"] >= first["low"], "algorithm"].map(names)
    whose = f"The interval of {names[first['algorithm']]} ({METHOD_TITLES[table['method'].iloc[0]]})"
    if overlapping.empty:
        return f"{whose} lies above all others."
    if len(overlapping) == len(others):
        return f"{whose} overlaps all others, so these intervals do not settle which algorithm is best."
    few = len(overlapping) <= _LISTED
    over = joined(list(overlapping)) if few else f"{len(overlapping)} other algorithms"
    return f"{whose} overlaps with {over} and lies above all others."


def sharing_of(own: pd.DataFrame, method: str = "student", what: str = "intervals") -> str:
    """What is said of whether tasks share the runs, after a sentence; nothing of tables that were recorded before.

    method : of the intervals, where the table does not say it; what : they are called
    """
    if "shared_runs" not in own:
        return ""
    method = own["method"].iloc[0] if "method" in own else method
    said = sharing_sentence(own["shared_runs"], int(own["runs"].min()), method, what)
    return f" {said}" if said else ""


def remarks_of(found: pd.DataFrame) -> str:
    """The remarks on intervals as sentences, after a sentence, each with the metrics that it is about.

    Of remarks that differ in a number alone, that of the fewest runs is told: others break their promise less. Tables
    that were recorded before there were remarks have none.
    """
    remarks = found.sort_values("runs", kind="stable").get("remark", pd.Series(dtype=str)).dropna()
    remarks = remarks[remarks != ""]
    alike = remarks.str.replace(r"\d+ (runs|degrees|%)", r"\1", regex=True)
    text = ""
    for _, of_one in remarks.groupby(alike, sort=False):
        about = found.loc[of_one.index, "metric"].unique()
        whose = "" if len(about) == found["metric"].nunique() else f"{joined(list(named(METRICS, about)))}: "
        told = spelt_out(of_one.iloc[0])
        text += f" {whose}{told}." if whose else f" {capitalised(told)}."
    return text
