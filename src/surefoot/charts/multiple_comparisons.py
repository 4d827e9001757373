"""Charts and findings of comparisons: algorithms tied with the best, and pairs that each look separates."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.forms import best_of_many, row_chart, with_count
from surefoot.charts.names import METRIC_NAMES, spoken_metric, titles_of
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import percent, remarks_of, sharing_of
from surefoot.charts.theme import headline
from surefoot.result_tables import Tables
from surefoot.rounding import counted, joined, two_digits
from surefoot.statistics.runs.run_effects import FOUND

_LONGEST_TITLE = 90


@origin.of_analysis
def multiple_comparisons_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw the interval of the difference to the best other algorithm, or to the baseline, per algorithm.

    The best estimate is first. Algorithms that are neither best nor tied, or not better than the baseline, are grey.
    """
    titles = titles_of(numbers["algorithm"], settings)
    drawn = best_of_many(numbers["algorithm"])
    rows = numbers.set_index("algorithm").loc[drawn]
    against_baseline = "baseline" in rows
    value = "difference_to_baseline" if against_baseline else "difference_to_best"
    other = f"from {_baseline(numbers, settings)}" if against_baseline else "from the best other"
    names = [titles[name] for name in rows.index]
    if not against_baseline:
        letters = rows["letters"].fillna("")
        names = [f"{name}\u2002{letter}".rstrip() for name, letter in zip(names, letters, strict=True)]
    data = rows[["low", "high"]].assign(value=rows[value], title=names)
    axis = f"difference in {_name(numbers)} {other}"
    if numbers["metric"].iloc[0] == "improvement":
        axis = "probability of improvement, less one half" if against_baseline else axis
        axis = axis if against_baseline else "least probability of improvement, less one half"
    axis += " (lower is better)" if _lower(numbers) else ""
    data["colour"] = [theme.STRONG if verdict in _LEADING else theme.LINE for verdict in rows["verdict"]]
    if against_baseline:
        beside = {"verdict": rows["verdict"].tolist()}
    else:
        ends = rows[["rank_low", "rank_high"]].to_numpy()
        beside = {
            "ranks it may have": [f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}" for low, high in ends]
        }
    chart = row_chart(data, list(data["title"]), axis, reference=0.0, beside=beside)
    chart = with_count(chart, len(drawn), len(titles), _name(numbers))
    bars = f"Bars: {percent(settings['confidence'])} intervals of the difference {other}"
    titled = headline(chart, multiple_comparisons_title(numbers, settings))
    return titled, f"{multiple_comparisons_finding(numbers, settings)} {bars}", numbers


_LEADING = ("best", "tied", "better")
"""Verdicts of the algorithms to highlight."""


def table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Return the result of `surefoot.multiple_comparisons` with the titles of the algorithms."""
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame()
    named = numbers.assign(title=numbers["algorithm"].map(titles_of(numbers["algorithm"], settings)))
    if "baseline" in named:
        titles = titles_of(named["baseline"], settings)
        named = named.assign(baseline_title=named["baseline"].map(titles), is_better=named["verdict"] == "better")
    return None, named


def multiple_comparisons_finding(table: pd.DataFrame, settings: Mapping[str, Any], alone: bool = False) -> str:
    """Report which algorithms may be best, or differ from the baseline.

    Unless the sentence stands alone, also report the smallest difference that would have been detected, the
    algorithms within the margin, and whether tasks share runs.
    """
    random = table["tasks"].iloc[0] == "random"
    where = "On average over tasks like these" if random else "On these tasks"
    if "baseline" in table:
        family = "comparisons with the baseline"
        standings = _against_baseline(table, settings)
        open_ones = table[table["verdict"] == "not separated"]
        detectable = open_ones["detectable"].max(skipna=False)
    else:
        family = "all pairs" if table["letters"].fillna("").ne("").all() else "comparisons with the best"
        standings = _standings(table, settings)
        open_ones = table[table["verdict"] == "tied"]
        detectable = open_ones["detectable"].iloc[1:].max(skipna=False)  # the first is the best
    text = f"{where}, {standings} ({family}, {percent(settings['confidence'])} together)."
    if alone:
        return text
    if pd.notna(detectable):
        text += f" A difference of {two_digits(detectable)} is detectable with 80 % power."
    if len(open_ones):
        text += _within_margin(open_ones, settings)
    text += remarks_of(table[table["shared_runs"] != FOUND])  # the next sentence covers shared runs
    return text + ("" if random else sharing_of(table))


def multiple_comparisons_title(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Return a title of at most 90 characters: the algorithms that may be best, or their number."""
    titles = titles_of(table["algorithm"], settings)
    if "baseline" in table:
        better = _titled(table, titles, "better")
        which = joined(better) if better else "No algorithm"
        ending = f"{'is' if len(better) <= 1 else 'are'} better than {_baseline(table, settings)} by {_name(table)}"
    else:
        tied = _titled(table, titles, "best", "tied")
        better = tied
        which = joined(tied) if tied else "No algorithm is shown to be best"
        ending = f"is best by {_name(table)}" if len(tied) == 1 else f"are tied for the best {_name(table)}"
        ending = ending if tied else f"by {_name(table)}"
    if len(which) + len(ending) < _LONGEST_TITLE:
        return f"{which} {ending}"
    return f"{len(better)} of {counted(len(table), 'algorithm')} {ending}"


def _titled(table: pd.DataFrame, titles: Mapping[str, str], *verdicts: str) -> list[str]:
    """Return the titles of the algorithms with one of these verdicts."""
    return [titles[name] for name in table.loc[table["verdict"].isin(verdicts), "algorithm"]]


def _baseline(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    name = table["baseline"].iloc[0]
    return titles_of([name], settings)[name]


def _lower(table: pd.DataFrame) -> bool:
    """Check whether lower is better; older records do not contain the direction."""
    return "lower_is_better" in table and bool(table["lower_is_better"].iloc[0])


def _parts(table: pd.DataFrame, settings: Mapping[str, Any], words: Mapping[str, str]) -> list[str]:
    """Return, for each verdict that occurs, a phrase with the algorithms that have it."""
    titles = titles_of(table["algorithm"], settings)
    parts = []
    for verdict, word in words.items():
        names = _titled(table, titles, verdict)
        if names:
            parts.append(f"{joined(names)} {'is' if len(names) == 1 else 'are'} {word}")
    return parts


def _against_baseline(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report which algorithms are better and worse than the baseline."""
    words = {"better": "better", "worse": "worse", "not separated": "not separated from it"}
    parts = _parts(table, settings, words | {"not compared": "not compared"})
    return f"compared with {_baseline(table, settings)} by {_name(table)}, {'; '.join(parts)}"


def _standings(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report which algorithms are best, tied, worse, or not compared."""
    titles = titles_of(table["algorithm"], settings)
    best = _titled(table, titles, "best")
    tied = _titled(table, titles, "tied")
    others = _parts(table, settings, {"worse": "worse", "not compared": "not compared"})
    if best:
        worse = _titled(table, titles, "worse")
        return f"{best[0]} is better than {'all others' if len(worse) > 1 else joined(worse)} by {_name(table)}"
    if tied:
        # A worse algorithm may share a letter with a tied one, but never with the first.
        letters = table["letters"].fillna("").groupby(table["verdict"]).agg(lambda group: set("".join(group)))
        if letters.get("tied", set()) & letters.get("worse", set()):
            others[0] += f" than {tied[0]}"
        return "; ".join([f"{joined(tied)} are tied for the best {_name(table)}", *others])
    return "; ".join([f"no algorithm is shown to be best by {_name(table)}", *others])


def _within_margin(tied: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report which tied algorithms are shown to be within the margin of the best."""
    questions = settings.get("questions", {})  # a record has none
    margin = questions.get(settings.get("analysis", "multiple_comparisons"), {}).get("margin")
    if tied["within_margin"].isna().any() or not margin:
        return ""
    titles = titles_of(tied["algorithm"], settings)
    close = [titles[name] for name in tied.loc[tied["within_margin"].astype(bool), "algorithm"]]
    whom = _baseline(tied, settings) if "baseline" in tied else "the best"
    return f" Shown to be within {margin:g} of {whom}: {joined(close) if close else 'none'}."


def _name(table: pd.DataFrame) -> str:
    """Return the name of the compared quantity for use in a sentence."""
    metric = table["metric"].iloc[0]
    return spoken_metric(metric) if metric in METRIC_NAMES else "probability of improvement"


@origin.of_analysis
def group_sequential_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw the difference of means of each pair, higher first, coloured if a look separated the pair."""
    titles = titles_of([*numbers["x"], *numbers["y"]], settings)
    numbers = numbers.sort_values("value", key=abs, ascending=False, kind="stable")
    better = numbers["x"].where(numbers["value"] >= 0, numbers["y"]).map(titles)
    other = numbers["y"].where(numbers["value"] >= 0, numbers["x"]).map(titles)
    data = pd.DataFrame({"title": better + " \N{MINUS SIGN} " + other, "value": numbers["value"].abs()})
    data["colour"] = [theme.STRONG if separated else theme.LINE for separated in numbers["separated"]]
    chart = row_chart(
        data,
        list(data["title"]),
        "difference of the means so far",
        reference=0.0,
        beside={
            "separated at": ("look " + numbers["look"].astype("string")).fillna("open"),
            "runs": numbers[["runs_x", "runs_y"]].max(axis=1).map("{:g}".format),
        },
    )
    return chart, group_sequential_finding(numbers, settings), numbers


def group_sequential_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report which pairs have different distributions, and which algorithms need more runs."""
    titles = titles_of([*table["x"], *table["y"]], settings)
    looks, planned, group = (int(table[key].iloc[0]) for key in ("looks", "planned", "group_size"))
    separated = table[table["separated"]]
    undecided = table[~table["separated"]]
    text = f"After look {looks} of {planned}, {len(separated)} of {counted(len(table), 'pair')} "
    text += f"{'is' if 1 in (len(separated), len(table)) else 'are'} separated, with {group} runs of each task a look."
    better = separated["x"].where(separated["value"] >= 0, separated["y"]).map(titles)
    other = separated["y"].where(separated["value"] >= 0, separated["x"]).map(titles)
    if len(separated):
        parts = [
            f"{name} has a higher mean than {joined(list(others))}"
            for name, others in other.groupby(better, sort=False)
        ]
        text += f" Their distributions differ. So far, {'; '.join(parts)}."
    if undecided.empty:
        return f"{text} No further runs are needed."
    if looks == planned:
        return f"{text} No further look was planned."
    names = joined([titles[name] for name in dict.fromkeys([*undecided["x"], *undecided["y"]])])
    return f"{text} Train {group} more runs of {names}."
