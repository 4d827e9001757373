"""Charts and summary sentences for multiple comparisons and for group-sequential tests."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.forms import best_of_many, row_chart, with_count
from surefoot.charts.names import METRIC_NAMES, Titles, spoken_metric, titles_of
from surefoot.charts.selection import lower_scores
from surefoot.charts.sentences import percent, remarks_of, sharing_of
from surefoot.charts.theme import headline
from surefoot.errors import conjugated, counted
from surefoot.rounding import joined, two_digits
from surefoot.statistics.runs.shared_run_test import FOUND

_LONGEST_TITLE = 90


def multiple_comparisons_chart(
    table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95, margin: float | None = None
) -> alt.TopLevelMixin:
    """Draw, for each algorithm, the interval of its difference from the best other algorithm or from the baseline.

    The best estimate is first.
    """
    labels = titles_of(table["algorithm"], titles)
    drawn = best_of_many(table["algorithm"])
    rows = table.set_index("algorithm").loc[drawn]
    against_baseline = "baseline" in rows
    value = "difference_to_baseline" if against_baseline else "difference_to_best"
    other = f"from {_baseline(table, titles)}" if against_baseline else "from the best other"
    names = [labels[name] for name in rows.index]
    if not against_baseline:
        letters = rows["group_letters"].fillna("")
        names = [f"{name}\u2002{letter}".rstrip() for name, letter in zip(names, letters, strict=True)]
    data = rows[["low", "high"]].assign(estimate=rows[value], title=names)
    axis = f"difference in {_name(table)} {other}"
    if table["metric"].iloc[0] == "probability_of_improvement":
        axis = "probability of improvement, less one half" if against_baseline else axis
        axis = axis if against_baseline else "least probability of improvement, less one half"
    axis += " (lower is better)" if lower_scores(table) else ""
    colours = theme.colours(labels, sorted({*labels, *rows.get("baseline", ())}))
    data["colour"] = [colours[labels[name]] for name in rows.index]
    if against_baseline:
        beside = {"verdict": rows["verdict"].tolist()}
    else:
        ends = rows[["rank_low", "rank_high"]].to_numpy()
        beside = {
            "ranks it may have": [f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}" for low, high in ends]
        }
    chart = row_chart(data, list(data["title"]), axis, reference=0.0, beside=beside)
    chart = with_count(chart, len(drawn), len(labels), _name(table))
    bars = f"Bars: {percent(confidence_level)} intervals of the difference {other}"
    titled = headline(chart, multiple_comparisons_title(table, titles=titles))
    finding = multiple_comparisons_finding(table, titles=titles, confidence_level=confidence_level, margin=margin)
    return theme.finish(titled, f"{finding} {bars}")


def standings_table(table: pd.DataFrame, *, titles: Titles = None) -> pd.DataFrame:
    """Return the result of `surefoot.multiple_comparisons` with titles of algorithms."""
    named = table.assign(title=table["algorithm"].map(titles_of(table["algorithm"], titles)))
    if "baseline" in named:
        labels = titles_of(named["baseline"], titles)
        named = named.assign(baseline_title=named["baseline"].map(labels), is_better=named["verdict"] == "better")
    return named


def multiple_comparisons_finding(
    table: pd.DataFrame,
    *,
    titles: Titles = None,
    confidence_level: float = 0.95,
    margin: float | None = None,
    alone: bool = False,
) -> str:
    """Report which algorithms may be best, or differ from the baseline.

    Unless `alone` is True, also report the smallest difference that would have been detected, the algorithms within the
    margin, and whether tasks share runs.
    """
    random = table["tasks"].iloc[0] == "random"
    where = "On average over tasks like these" if random else "On these tasks"
    if "baseline" in table:
        family = "comparisons with the baseline"
        standings = _against_baseline(table, titles)
        open_ones = table[table["verdict"] == "not separated"]
        detectable = open_ones["detectable"].max(skipna=False)
    else:
        family = "all pairs" if table["group_letters"].fillna("").ne("").all() else "comparisons with the best"
        standings = _standings(table, titles)
        open_ones = table[table["verdict"] == "tied"]
        detectable = open_ones["detectable"].iloc[1:].max(skipna=False)  # the first is the best
    text = f"{where}, {standings}. The {percent(confidence_level)} intervals of {family} are simultaneous."
    if alone:
        return text
    if pd.notna(detectable):
        text += f" A difference of {two_digits(detectable)} is detectable with 80 % power."
    if len(open_ones) and margin:
        text += _within_margin(open_ones, margin, titles)
    text += remarks_of(table[table["shared_runs"] != FOUND])  # the next sentence covers shared runs
    return text + ("" if random else sharing_of(table))


def multiple_comparisons_title(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Return a title of at most 90 characters: the algorithms that may be best, or their number."""
    labels = titles_of(table["algorithm"], titles)
    if "baseline" in table:
        better = _titled(table, labels, "better")
        which = joined(better) if better else "No algorithm"
        ending = f"{'is' if len(better) <= 1 else 'are'} better than {_baseline(table, titles)} by {_name(table)}"
    else:
        tied = _titled(table, labels, "best", "tied")
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


def _baseline(table: pd.DataFrame, titles: Titles) -> str:
    name = table["baseline"].iloc[0]
    return titles_of([name], titles)[name]


def _parts(table: pd.DataFrame, words: Mapping[str, str], titles: Titles) -> list[str]:
    """Return a phrase for each verdict that occurs, with its algorithms."""
    labels = titles_of(table["algorithm"], titles)
    parts = []
    for verdict, word in words.items():
        names = _titled(table, labels, verdict)
        if names:
            parts.append(f"{joined(names)} {conjugated('are', len(names))} {word}")
    return parts


def _against_baseline(table: pd.DataFrame, titles: Titles) -> str:
    """Report which algorithms are better and worse than the baseline."""
    words = {"better": "better", "worse": "worse", "not separated": "not separated from it"}
    parts = _parts(table, words | {"not compared": "not compared"}, titles)
    return f"compared with {_baseline(table, titles)} by {_name(table)}, {'; '.join(parts)}"


def _standings(table: pd.DataFrame, titles: Titles) -> str:
    """Report which algorithms are best, tied, worse, or not compared."""
    labels = titles_of(table["algorithm"], titles)
    best = _titled(table, labels, "best")
    tied = _titled(table, labels, "tied")
    others = _parts(table, {"worse": "worse", "not compared": "not compared"}, titles)
    if best:
        worse = _titled(table, labels, "worse")
        return f"{best[0]} is better than {'all others' if len(worse) > 1 else joined(worse)} by {_name(table)}"
    if tied:
        # A worse algorithm may share a letter with a tied one, but never with the first.
        letters = table["group_letters"].fillna("").groupby(table["verdict"]).agg(lambda group: set("".join(group)))
        if letters.get("tied", set()) & letters.get("worse", set()):
            others[0] += f" than {tied[0]}"
        return "; ".join([f"{joined(tied)} are tied for the best {_name(table)}", *others])
    return "; ".join([f"no algorithm is shown to be best by {_name(table)}", *others])


def _within_margin(tied: pd.DataFrame, margin: float, titles: Titles) -> str:
    """Report which tied algorithms are shown to be within the margin of the best."""
    if tied["within_margin"].isna().any():
        return ""
    labels = titles_of(tied["algorithm"], titles)
    close = [labels[name] for name in tied.loc[tied["within_margin"].astype(bool), "algorithm"]]
    whom = _baseline(tied, titles) if "baseline" in tied else "the best"
    return f" Shown to be within {margin:g} of {whom}: {joined(close) if close else 'none'}."


def _name(table: pd.DataFrame) -> str:
    """Return the name of the compared quantity for use in a sentence."""
    metric = table["metric"].iloc[0]
    return spoken_metric(metric) if metric in METRIC_NAMES else "probability of improvement"


def _by_means(pairs: pd.DataFrame, labels: Mapping[str, str]) -> tuple["pd.Series[str]", "pd.Series[str]"]:
    """Return the titles of the algorithm with the higher and of the one with the lower mean, for each pair."""
    is_higher = pairs["estimate"] >= 0
    higher = pairs["algorithm"].where(is_higher, pairs["baseline"]).map(labels)
    lower = pairs["baseline"].where(is_higher, pairs["algorithm"]).map(labels)
    return higher, lower


def group_sequential_numbers(table: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs with the largest difference of means first."""
    return table.sort_values("estimate", key=abs, ascending=False, kind="stable")


def group_sequential_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw the difference of means of each pair, higher minus lower, coloured if the pair is separated at any look."""
    labels = titles_of([*table["algorithm"], *table["baseline"]], titles)
    numbers = group_sequential_numbers(table)
    better, other = _by_means(numbers, labels)
    data = pd.DataFrame({"title": better + " \N{MINUS SIGN} " + other, "estimate": numbers["estimate"].abs()})
    data["colour"] = [theme.STRONG if separated else theme.LINE for separated in numbers["separated"]]
    chart = row_chart(
        data,
        list(data["title"]),
        "difference of the means so far",
        reference=0.0,
        beside={
            "separated at": ("look " + numbers["look"].astype("string")).fillna("open"),
            "runs": numbers[["algorithm_runs", "baseline_runs"]].max(axis=1).map("{:g}".format),
        },
    )
    return theme.finish(chart, group_sequential_finding(numbers, titles=titles))


def group_sequential_finding(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Report which pairs have different distributions, and which algorithms need more runs."""
    labels = titles_of([*table["algorithm"], *table["baseline"]], titles)
    looks, planned, group = (int(table[key].iloc[0]) for key in ("looks", "planned", "group_size"))
    separated = table[table["separated"]]
    undecided = table[~table["separated"]]
    are = conjugated("are", 1 if len(table) == 1 else len(separated))
    text = f"After look {looks} of {planned}, {len(separated)} of {counted(len(table), 'pair')} {are} separated, "
    text += f"with {group} runs of each task per look."
    better, other = _by_means(separated, labels)
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
    names = joined([labels[name] for name in dict.fromkeys([*undecided["algorithm"], *undecided["baseline"]])])
    return f"{text} Train {group} more runs of {names}."
