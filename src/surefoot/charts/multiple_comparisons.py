"""Charts and findings. Which algorithms are tied with the best, and which pairs each look separates."""

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
    """Draw a row for each algorithm, the best estimate first, with the interval of its difference to the best of the
    others or to the baseline; algorithms that are not best or tied, or not better than the baseline, are grey."""
    titles = titles_of(numbers["algorithm"], settings)
    drawn = best_of_many(numbers["algorithm"])
    own = numbers.set_index("algorithm").loc[drawn]
    against_baseline = "baseline" in own
    value = "difference_to_baseline" if against_baseline else "difference_to_best"
    other = f"from {_baseline(numbers, settings)}" if against_baseline else "from the best other"
    names = [titles[name] for name in own.index]
    if not against_baseline:
        letters = own["letters"].fillna("")
        names = [f"{name}\u2002{letter}".rstrip() for name, letter in zip(names, letters, strict=True)]
    data = own[["low", "high"]].assign(value=own[value], title=names)
    axis = f"difference in {_name(numbers)} {other}"
    if numbers["metric"].iloc[0] == "improvement":
        axis = "probability of improvement, less one half" if against_baseline else axis
        axis = axis if against_baseline else "least probability of improvement, less one half"
    axis += " (lower is better)" if _lower(numbers) else ""
    data["colour"] = [theme.STRONG if verdict in _LEADING else theme.LINE for verdict in own["verdict"]]
    if against_baseline:
        beside = {"verdict": own["verdict"].tolist()}
    else:
        ends = own[["rank_low", "rank_high"]].to_numpy()
        beside = {
            "ranks it may have": [f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}" for low, high in ends]
        }
    chart = row_chart(data, list(data["title"]), axis, reference=0.0, beside=beside)
    chart = with_count(chart, len(drawn), len(titles), _name(numbers))
    bars = f"Bars: {percent(settings['confidence'])} intervals of the difference {other}"
    titled = headline(chart, multiple_comparisons_title(numbers, settings))
    return titled, f"{multiple_comparisons_finding(numbers, settings)} {bars}", numbers


_LEADING = ("best", "tied", "better")
"""Verdicts of the algorithms that stand out."""


def table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What `surefoot.multiple_comparisons` gives, with the titles of the algorithms."""
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame()
    named = numbers.assign(title=numbers["algorithm"].map(titles_of(numbers["algorithm"], settings)))
    if "baseline" in named:
        titles = titles_of(named["baseline"], settings)
        named = named.assign(baseline_title=named["baseline"].map(titles), is_better=named["verdict"] == "better")
    return None, named


def multiple_comparisons_finding(table: pd.DataFrame, settings: Mapping[str, Any], alone: bool = False) -> str:
    """Say which algorithms may be best, or differ from the baseline, on which tasks, and unless this is to stand alone,
    how small a difference would have been seen, which are within the margin, and whether tasks share runs."""
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
    text += remarks_of(table[table["shared_runs"] != FOUND])  # of shared runs the next sentence tells
    return text + ("" if random else sharing_of(table))


def multiple_comparisons_title(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Return which algorithms may be best, in at most 90 characters: by name if there is room, else how many."""
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
    """Return the titles of the algorithms that have one of these verdicts."""
    return [titles[name] for name in table.loc[table["verdict"].isin(verdicts), "algorithm"]]


def _baseline(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    name = table["baseline"].iloc[0]
    return titles_of([name], settings)[name]


def _lower(table: pd.DataFrame) -> bool:
    """Check whether lower is better; tables that were recorded before do not say."""
    return "lower_is_better" in table and bool(table["lower_is_better"].iloc[0])


def _parts(table: pd.DataFrame, settings: Mapping[str, Any], words: Mapping[str, str]) -> list[str]:
    """Return, of each verdict that some algorithm has, which ones and what they are."""
    titles = titles_of(table["algorithm"], settings)
    parts = []
    for verdict, word in words.items():
        names = _titled(table, titles, verdict)
        if names:
            parts.append(f"{joined(names)} {'is' if len(names) == 1 else 'are'} {word}")
    return parts


def _against_baseline(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Say which algorithms are better and worse than the baseline."""
    words = {"better": "better", "worse": "worse", "not separated": "not separated from it"}
    parts = _parts(table, settings, words | {"not compared": "not compared"})
    return f"compared with {_baseline(table, settings)} by {_name(table)}, {'; '.join(parts)}"


def _standings(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Say which algorithm is best, which are tied, worse, or not compared."""
    titles = titles_of(table["algorithm"], settings)
    best, tied = _titled(table, titles, "best"), _titled(table, titles, "tied")
    others = _parts(table, settings, {"worse": "worse", "not compared": "not compared"})
    if best:
        worse = _titled(table, titles, "worse")
        return f"{best[0]} is better than {'all others' if len(worse) > 1 else joined(worse)} by {_name(table)}"
    if tied:
        # A worse one may share a letter with one that is tied, but never with the first.
        letters = table["letters"].fillna("").groupby(table["verdict"]).agg(lambda own: set("".join(own)))
        if letters.get("tied", set()) & letters.get("worse", set()):
            others[0] += f" than {tied[0]}"
        return "; ".join([f"{joined(tied)} are tied for the best {_name(table)}", *others])
    return "; ".join([f"no algorithm is shown to be best by {_name(table)}", *others])


def _within_margin(tied: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Say which of the algorithms that are tied, or not separated, are shown to be within the margin of the best, or
    of the baseline."""
    questions = settings.get("questions", {})  # a record has none
    margin = questions.get(settings.get("analysis", "multiple_comparisons"), {}).get("margin")
    if tied["within_margin"].isna().any() or not margin:
        return ""
    titles = titles_of(tied["algorithm"], settings)
    close = [titles[name] for name in tied.loc[tied["within_margin"].astype(bool), "algorithm"]]
    whom = _baseline(tied, settings) if "baseline" in tied else "the best"
    return f" Shown to be within {margin:g} of {whom}: {joined(close) if close else 'none'}."


def _name(table: pd.DataFrame) -> str:
    """What is compared, within a sentence."""
    metric = table["metric"].iloc[0]
    return spoken_metric(metric) if metric in METRIC_NAMES else "probability of improvement"


@origin.of_analysis
def group_sequential_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw the difference of the means of each pair, the higher one first, by the look that separated the pair."""
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
    """Say which pairs have different distributions, and which algorithms need more runs."""
    titles = titles_of([*table["x"], *table["y"]], settings)
    looks, planned, group = (int(table[key].iloc[0]) for key in ("looks", "planned", "group_size"))
    separated, undecided = table[table["separated"]], table[~table["separated"]]
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
