"""Sentences and counts derived from tables, for the text of pages.

Each is a row with the columns `item`, `text` and `value` (the number in the text, if any).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from surefoot.charts.names import METRICS, Titles, named, titles_of
from surefoot.charts.selection import METHOD_TITLES, remarks
from surefoot.errors import counted
from surefoot.rounding import joined, written
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS
from surefoot.statistics.resampling.interval_remarks import UNLIKE
from surefoot.statistics.runs.shared_run_findings import PARTLY
from surefoot.statistics.runs.shared_run_sentences import is_of_sharing, sharing_sentence
from surefoot.statistics.runs.shared_run_test import CANNOT_TELL

_LISTED = 3
_SHORT = 30
QUESTION = "Which algorithm is best, and how sure can we be?"  # default of a study


def item(name: str, text: str, value: float | None = None) -> dict[str, Any]:
    """Return a row with the columns item, text and value; the text is joined into a single line."""
    return {"item": name, "text": " ".join(text.split()), "value": value}


def briefly(names: Sequence[str], noun: str = "algorithm") -> str:
    """Return names as a list in words if the list is short, otherwise their number, such as "8 algorithms"."""
    text = joined(names)
    return text if len(text) <= _SHORT else counted(len(names), noun)


def most_places(best: pd.DataFrame, places: int) -> str:
    """Report in how many environments algorithms are best, such as "PPO in 3 of 4 environments, DQN in 1".

    Algorithms that are best most often come first; an environment with a tie counts for each of them. With a single
    environment, only the names are returned.

    best : columns environment, title
    places : number of environments
    """
    counts = best.drop_duplicates(["environment", "title"])["title"].value_counts(sort=False)
    counts = counts.sort_values(ascending=False, kind="stable")
    if places == 1:
        return joined(list(counts.index))
    named = [f"{title} in {count}" for title, count in counts.items()]
    named[0] += f" of {counted(places, 'environment')}"
    return ", ".join(named) if len(named) <= _LISTED else f"{', '.join(named[:_LISTED])}, and others"


def run_items(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """Count algorithms, environments and runs, given the table of runs.

    The rows are `algorithms`, `environments`, `runs` (per algorithm and environment) and `runs_total`, where runs that
    are listed under the names of two algorithms count once.
    """
    sizes = runs.groupby(["environment", "algorithm"], sort=False).size()
    total = len(runs.drop_duplicates(list(runs.columns.difference(["algorithm"]))))
    algorithms = runs["algorithm"].nunique()
    environments = runs["environment"].nunique()
    least = int(sizes.min())
    most = int(sizes.max())
    return [
        item("algorithms", counted(algorithms, "algorithm"), algorithms),
        item("environments", counted(environments, "environment"), environments),
        item("runs", ("" if least == most else f"{least:,} to ") + counted(most, "run"), least),
        item("runs_total", counted(total, "run"), total),
    ]


def failure_item(plays: pd.DataFrame) -> dict[str, Any]:
    """Return the row `failures`: the number of plays that ended in a domain error."""
    failed = int(plays["failed"].sum())
    text = f"{failed:,} of {counted(len(plays), 'play')} ended in a domain error."
    return item("failures", f"{text} Agents with such a play have no score." if failed else text, failed)


def estimate(value: float, low: float, high: float, form: str = ".3f", unit: str = "") -> str:
    """Format a value with its unit and its interval, if any, such as "0.600 (0.500 to 0.700)"."""
    text = " ".join(filter(None, [written(float(value), form), unit]))
    if pd.isna(low):
        return text
    return f"{text} ({written(float(low), form)} to {written(float(high), form)})"


def score_items(intervals: pd.DataFrame, *, titles: Titles = None, variant: str = "corrected") -> list[dict[str, Any]]:
    """Report which algorithm scores highest, whether the intervals confirm that, and what the intervals guarantee.

    The rows are `best`, `lead`, `score_caption` and `method_note`; `lead` uses the first method, the one to quote.

    intervals : table from `selection.score_intervals`
    """
    methods = list(dict.fromkeys(intervals["method"]))
    table = intervals[intervals["method"] == methods[0]]
    names = titles_of(table["algorithm"], titles)
    highest = table[table["rank"] == table["rank"].min()]
    best = highest.iloc[0]
    verb = "has" if len(highest) == 1 else "share"
    score = estimate(best["estimate"], *best[["low", "high"]].astype(float).clip(0.0, 1.0))
    best_text = (
        f"{briefly([names[name] for name in highest['algorithm']])} {verb} the highest aggregate score, {score}."
    )
    if table["low"].isna().any():
        lead = "Without intervals, nothing can be said about how sure that is."
        note = "The study asks for no intervals of the aggregate scores, so the ranking may be due to chance."
        return [item("best", best_text, best["estimate"]), item("lead", lead), item("method_note", note)]
    tied = table[table["high"] >= best["low"]].sort_values("rank", kind="stable")
    if len(tied) > len(highest):
        tied_names = briefly([names[name] for name in tied["algorithm"]])
        best_text = f"{tied_names} are tied for the best aggregate score; {names[best['algorithm']]} has {score}."
    first = METHOD_TITLES[methods[0]]
    resamples = intervals["n_resamples"].dropna()
    drawn = f" ({resamples.iloc[0]:,.0f} resamples)" if len(resamples) else ""
    bars = f"Bars: simultaneous {percent(best['confidence_level'])} intervals{drawn}. Ranks by {first}."
    others = table[table["algorithm"] != best["algorithm"]]
    count = (others["high"] < best["low"]).sum()
    beside = f"lies above those of {count} of {counted(len(others), 'other')}" if count else "overlaps all others"
    lead = f"The interval of {names[best['algorithm']]} ({first}) {beside}." if len(others) else ""
    remarked = "".join(f" {METHOD_TITLES[name]}: {text}." for name, text in remarks(intervals, variant).items())
    note = "; ".join(INTERVAL_METHODS[method].assumption for method in methods)
    quoted = f" Where the methods disagree, {first} is the one to quote." if len(methods) > 1 else ""
    return [
        item("best", best_text, best["estimate"]),
        item("lead", lead),
        item("score_caption", bars + remarked),
        item("method_note", f"{capitalised(note)}.{quoted}"),
    ]


def capitalised(text: str) -> str:
    """Return the text with its first letter in upper case and the rest unchanged."""
    return text[:1].upper() + text[1:]


def separated_pairs(limits: pd.DataFrame) -> int:
    """Return the number of pairs of rows whose intervals [low, high] are disjoint."""
    low = limits["low"].to_numpy()
    high = limits["high"].to_numpy()
    return int((low[:, None] > high[None, :]).sum())


def percent(confidence_level: float) -> str:
    """Format a confidence level, such as "95 %"."""
    return f"{100 * confidence_level:.5g} %"


def sharing_of(table: pd.DataFrame, method: str = "student", what: str = "intervals") -> str:
    """Return a sentence on whether tasks share runs, with a leading space; empty for older records.

    method : method of the intervals, if the table has no column `method`
    what : name of the intervals
    """
    if "shared_runs" not in table:
        return ""
    method = table["method"].iloc[0] if "method" in table else method
    p_values = table.get("shared_runs_p_value", ())
    sentence = sharing_sentence(table["shared_runs"], int(table["runs"].min()), method, what, p_values)
    return f" {sentence}" if sentence else ""


def by_whole_runs(row: pd.Series, what: str, sign: float = 1.0) -> str:
    """Return a sentence with the interval for shared runs, if the data do not show whether tasks share runs.

    sign : -1 if the text reports the negated value
    """
    if row.get("shared_runs") not in (CANNOT_TELL, PARTLY) or pd.isna(row.get("low_whole_runs")):
        return ""
    limits = sorted(sign * float(row[f"{end}_whole_runs"]) for end in ("low", "high"))
    return f" By whole runs, {what} is {written(limits[0], '.3f')} to {written(limits[1], '.3f')}."


def without_sharing(remark: str) -> str:
    """Return a remark without its parts about shared runs."""
    return "; ".join(part for part in remark.split("; ") if not is_of_sharing(part))


def widest_unlike(texts: pd.Series) -> pd.Series:
    """Combine the remarks that numbers of runs differ, one per pair, into one remark that is true for all pairs."""
    found = texts.str.extract(rf"{UNLIKE} \((?P<low>\d+) to (?P<high>\d+)\); (?P<effect>[^;]*)").dropna()
    if found.empty:
        return texts
    low = found["low"].astype(int).min()
    high = found["high"].astype(int).max()
    effect = max(found["effect"], key=_largest_number)
    one = f"{UNLIKE} ({low} to {high}); {effect}"
    return texts.str.replace(rf"{UNLIKE} \(\d+ to \d+\); [^;]*", one, regex=True)


def _largest_number(text: str) -> int:
    """Return the largest whole number in a text; -1 if there is none."""
    return max(map(int, re.findall(r"\d+", text)), default=-1)


def unlike_runs_of(table: pd.DataFrame) -> str:
    """Return the remark that numbers of runs differ, if any, as a sentence with a leading space."""
    remarks = widest_unlike(table.get("remark", pd.Series(dtype=str)).fillna(""))
    found = remarks.str.extract(rf"({UNLIKE} [^;]*; [^;]*)")[0].dropna()
    return f" {capitalised(found.iloc[0])}." if len(found) else ""


_DIFFERING = re.compile(r"(?<=p = )\d*\.?\d+|\d+(?= (?:runs|degrees))")
"""Pattern of a number that may differ between algorithms: a p-value, a number of runs, or degrees of freedom."""


def joined_remarks(remarks: Iterable[str]) -> dict[str, str]:
    """Map each remark to a joint remark for all remarks that differ only in their first number.

    The joint remark has the range of the numbers, as in "with 3 to 12 runs per task".
    """
    alike: dict[str, list[str]] = {}
    for remark in remarks:
        alike.setdefault(_DIFFERING.sub("{}", remark, count=1), []).append(remark)
    standing: dict[str, str] = {}
    for pattern, same in alike.items():
        numbers = sorted({found[0] for remark in same if (found := _DIFFERING.search(remark))}, key=float)
        several = len(numbers) > 1
        standing |= {
            remark: pattern.replace("{}", f"{numbers[0]} to {numbers[-1]}", 1) if several else remark for remark in same
        }
    return standing


def remarks_of(intervals: pd.DataFrame) -> str:
    """Return the remarks on intervals as sentences, each with its metrics and a leading space.

    Remarks on shared runs are handled by `sharing_of`. Older records have no remarks.
    """
    if "remark" not in intervals:
        return ""
    text = ""
    remarks_once = widest_unlike(intervals["remark"].fillna("").map(without_sharing))
    parts = intervals.assign(part=remarks_once.str.split("; ")).explode("part")
    parts["part"] = parts["part"].replace(joined_remarks(parts["part"].unique()))
    for remark, rows in parts[parts["part"] != ""].groupby("part", sort=False):
        about = rows["metric"].unique()
        whose = (
            "" if len(about) == intervals["metric"].nunique() else f"{joined(list(named(METRICS, pd.Series(about))))}: "
        )
        text += f" {capitalised(whose + remark)}."
    return text
