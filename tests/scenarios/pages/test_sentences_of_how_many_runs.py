"""Every sentence with a number on the page of how many runs a study needs follows from its tables."""

import pandas as pd
from support.page_sentences import Patterns, Tables, check_page, nominal
from support.run_number_tables import SETTINGS, run_number_tables

ENOUGH = 0.8


def pilot(tables: Tables) -> pd.Series:
    return tables["how_many_runs"].iloc[0]


def widths(tables: Tables) -> list[str]:
    rows = tables["how_many_runs_widths"]
    rows = rows[rows["metric"] == "iqm"].sort_values("runs")
    numbers = [(f"{row.estimate:.3f}", str(row.runs)) for row in rows.itertuples()]
    return ["IQM", pilot(tables)["title"], *(text for pair in numbers for text in pair)]


def chances(tables: Tables, lift: float) -> pd.DataFrame:
    rows = tables["how_many_runs_chances"]
    return rows[(rows["metric"] == "iqm") & (rows["lift_percent"] == lift)].set_index("runs")


def fewest(tables: Tables, lift: float, end: str) -> str:
    """Return the smallest number of runs with enough power by one limit of the chance."""
    rows = chances(tables, lift)
    enough = rows.index[rows[end] >= ENOUGH]
    if enough.empty:
        return f"more than {rows.index.max()}"
    return f"{'at most ' if enough.min() == rows.index.min() else ''}{enough.min()}"


def needed(tables: Tables, lift: float) -> str:
    """Return the numbers of runs that the error of the simulation leaves open."""
    least, greatest = (fewest(tables, lift, end) for end in ("inner_high", "inner_low"))
    if least == greatest or least.startswith("at most"):
        return least if least == greatest else f"at most {greatest}"
    return f"{least} or more" if greatest.startswith("more than") else f"{least} to {greatest}"


def lifts(tables: Tables) -> list[float]:
    return sorted(set(tables["how_many_runs_chances"]["lift_percent"]) - {0.0})


def runs_of_lifts(tables: Tables) -> list[str]:
    """Return the runs that each lift needs, and the lift."""
    return [text for lift in lifts(tables) for text in (needed(tables, lift), f"{lift:g}")]


def runs_at_worst(tables: Tables) -> list[str]:
    """Return the runs that each lift needs by the worst end of the band."""
    return [fewest(tables, lift, "low") for lift in lifts(tables)]


def first_lift(tables: Tables) -> list[str]:
    lift = lifts(tables)[0]
    return [pilot(tables)["title"], "IQM", needed(tables, lift), f"{lift:g}"]


def simulated(tables: Tables) -> list[str]:
    studies = pilot(tables)["datasets"]
    error = (0.25 / studies) ** 0.5
    return [f"{studies:,}", f"{200 * error:.1f}", f"{pilot(tables)['n_resamples']:,}"]


def shared_luck(tables: Tables) -> list[str]:
    row = pilot(tables)
    return [row["title"], f"{row['inflation']:.2f}", f"{row['inflation_high']:.2f}", f"{row['effect_p']:.3f}"]


def decision(tables: Tables) -> list[str]:
    rows = tables["sequential"]
    first = rows[rows["decided"]].iloc[0]
    return [str(first["round"]), "Q(λ)" if first["low"] > 0.5 else "r"]


def after_all(tables: Tables) -> list[str]:
    last = tables["sequential"].iloc[-1]
    return [str(len(tables["sequential"])), *(f"{last[name]:.3f}" for name in ("estimate", "low", "high"))]


def alarms(tables: Tables) -> list[str]:
    last = tables["false_alarms"].query("round == round.max()").set_index("method")
    (name,) = last["algorithm"].unique()
    rates = [
        f"{100 * last.loc[method, column]:.1f}"
        for method in ("percentile", "betting")
        for column in ("cumulative_rate", "standard_error")
    ]
    return [name, str(last["round"].iloc[0]), *rates]


def larger_run(tables: Tables) -> list[str]:
    record = tables["false_alarms_record"]
    return [str(pilot(tables)["recorded"]), str(record["round"].max()), f"{record['experiments'].max():,}"]


PATTERNS: Patterns = {
    # Levels, powers and definitions.
    r"\D* a power of 80 %\.": nominal,
    r"Shaded: the middle 80 % of them\.": nominal,
    r"Paler: a 95 % band for the mean, which .* the pilot\.": nominal,
    r"\D*\(95 %\)\D*": nominal,
    r"\D* excludes 0(?:\.5)?\b\D*": nominal,
    r"\D* should be 2\.5 %, the nominal miss rate on one side\.": nominal,
    r"\D* the scale must start at 0\.": nominal,
    r"Dashed: 5 %, what 95 % confidence allows\.": nominal,
    r"\D* Journal of the Royal Statistical Society B 86, 2024\)\.": nominal,
    # Measured by reports/records/trust/planning_band.csv.
    r"In simulations with pilots of 3 to 20 runs, .* 95 % of .*, .* 88 to 92 % .*": nominal,
    r"The interval of the (\S+) of (\S+) would be (\S+) wide with (\d+) runs per task, (\S+) with (\d+) and (\S+) with "
    r"(\d+)\.": widths,
    r"If the spread .*, detecting a higher IQM with 80 % power takes (.+) fresh runs per task if scores are (\d+) % "
    r"higher and (.+) if they are (\d+) % higher\.": runs_of_lifts,
    r"Allowing for the uncertainty of the pilot, it takes at worst (.*) and (.*)\.": runs_at_worst,
    r"(\S+), (\S+): with (.+) runs per task, a lift of (\d+) % is detected with 80 % power": first_lift,
    r"The pilot is (\S+), (\d+) runs on each of (\d+) tasks, on .*\.": lambda tables: [
        str(pilot(tables)[name]) for name in ("title", "pilot_low", "tasks")
    ],
    r"Plan with the last column to be safe\. (\S+) simulated .* ±(\S+) .* or better\.": lambda tables: simulated(
        tables
    )[:2],
    r"Each has (\S+) resamples and 95 % Student's intervals\.": lambda tables: simulated(tables)[2:],
    r"(?:There are too few r|R)uns of (\S+) .* vary (\S+) times .*, at most (\S+) times, p = (\S+)\)\.": shared_luck,
    r"Decided after (\d+) runs per task: (\S+) is better": decision,
    r"After all (\d+), P\(Q\(λ\) > r\) is (\S+) \((\S+) to (\S+)\), at 95 % confidence .*": after_all,
    r"If (\S+) is compared with itself after each of (\d+) runs, .* in (\S+) ± (\S+) % .* (\S+) ± (\S+) %": alarms,
    r"From the record of a larger run \((\S+); (\d+) runs\), not .* (\S+) simulated comparisons\.": larger_run,
}


def test_sentences_follow_from_the_tables(tmp_path):
    facts = SETTINGS | {"alarms_recorded": "2026-01-02"}
    check_page("how_many_runs", run_number_tables(), facts, PATTERNS, (), tmp_path)
