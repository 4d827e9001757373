"""Every sentence with a number on the page of a report follows from its tables."""

import pandas as pd
from support.page_sentences import (
    Patterns,
    Tables,
    check_page,
)
from support.stand_in_tables import (
    settings,
    stand_in_tables,
)


def best_of_report(tables: Tables) -> list[str]:
    rows = tables["scores"][tables["scores"]["method"] == tables["scores"]["method"].iloc[0]]
    best = rows.loc[rows["estimate"].idxmax()]
    ends = best[["low", "high"]].clip(0, 1)  # which no score can leave
    return [best["title"], f"{best['estimate']:.3f}", *(f"{end:.3f}" for end in ends)]


def separated_from(tables: Tables) -> list[str]:
    rows = tables["scores"][tables["scores"]["method"] == tables["scores"]["method"].iloc[0]]
    best = rows.loc[rows["estimate"].idxmax()]
    return [best["title"], str((rows["high"] < best["low"]).sum()), str(len(rows) - 1)]


def cells(tables: Tables) -> list[str]:
    """Return the number of algorithms, of environments, and the fewest and most runs of a pair."""
    runs = tables["table_runs"].set_index("environment")
    return [str(runs.shape[1]), str(runs.shape[0]), str(runs.min(axis=None)), str(runs.max(axis=None))]


def counted_environments(names: pd.Series, environments: int) -> list[str]:
    """Return in how many environments each algorithm is, those with most first."""
    (first, most), (second, fewer) = names.value_counts(sort=True).sort_index(ascending=False).items()
    return [first, str(most), str(environments), second, str(fewer)]


def best_means(tables: Tables) -> list[str]:
    rows = tables["means"]
    return counted_environments(rows.loc[rows["rank_high"] == 1, "title"], rows["environment"].nunique())


def best_medians(tables: Tables) -> list[str]:
    rows = tables["distributions"]
    low, high = (
        rows[rows[band] >= 0.5].groupby(["environment", "algorithm"])["score"].min() for band in ("high", "low")
    )
    best = high[high >= low.groupby("environment").transform("max").reindex(high.index)]
    return counted_environments(best.reset_index()["algorithm"], rows["environment"].nunique())


REPORT: Patterns = {
    r"Counted by environment: (\S+) in (\d+) of (\d+) environments, (\S+) in (2)\.": best_means,
    r"Counted by environment: (\S+) in (\d+) of (\d+) environments, (\S+) in (1)\.": best_medians,
    r"(\S+) has the highest aggregate score, (\S+) \((\S+) to (\S+)\)\.?": best_of_report,
    r"The interval of (\S+) \(PBP\) lies above those of (\d+) of (\d+) other\.?": separated_from,
    r"Aggregate scores\. (\d+) algorithms in (\d+) environments, (\d+) to (\d+) runs per pair\.": cells,
    r"(\d+) algorithms, (\d+) environments, (\d+) to (\d+) runs per pair, (\d+) runs in all\.": lambda tables: [
        *cells(tables),
        str(tables["table_runs"].set_index("environment").sum().sum()),
    ],
    r"Bars: simultaneous (\d+) % intervals \((\S+) resamples\)\.": lambda tables: [
        f"{100 * tables['scores']['confidence_level'].iloc[0]:.0f}",
        f"{tables['scores']['n_resamples'].max():,.0f}",
    ],
}
TYPED_IN_REPORT = (
    "Limits are cut off at 0 and 1",
    "Weight of each environment ... sum to 1, and those below 0.0005",
    "Intervals: Anderson, 95 %",
    "Bands: Dvoretzky\N{EN DASH}Kiefer\N{EN DASH}Wolfowitz, simultaneous 95 %",
)


def report_tables() -> tuple[str, dict[str, pd.DataFrame], dict[str, object]]:
    runs = {("dqn", "pong"): 5, ("dqn", "qbert"): 3, ("ppo", "pong"): 10, ("ppo", "qbert"): 4}
    return "study", stand_in_tables(["dqn", "ppo"], ["pong", "qbert"], runs), settings()


def test_sentences_follow_from_the_tables(tmp_path):
    page, tables, facts = report_tables()
    check_page(page, tables, facts, REPORT, TYPED_IN_REPORT, tmp_path)
