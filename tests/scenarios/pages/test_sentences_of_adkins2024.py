"""Every sentence with a number on the page of adkins2024 follows from its records."""

import pandas as pd
from support.page_sentences import (
    REPORTS,
    Patterns,
    Tables,
    check_page,
)
from support.paths import ROOT
from support.stand_in_tables import (
    settings,
)

from surefoot.rounding import joined
from surefoot.runs.result_tables import read_table


def sensitive_variants(tables: Tables) -> list[str]:
    rows = tables["table_variants"].set_index("algorithm")
    ppo = rows.loc["lambda_ac"]
    better = rows[rows["tuned"] > ppo["tuned"]]
    relying = better[better["sensitivity"] > ppo["sensitivity"]]
    counts = [str(len(better)), f"{ppo['tuned']:.2f}", str(len(relying)), f"{ppo['sensitivity']:.2f}"]
    return [*counts, joined(list(relying["title"]))]


def of_agent(tables: Tables, place: int, quantity: str) -> pd.Series:
    rows = tables["table_selection"]
    return rows[(rows["algorithm"] == rows["algorithm"].unique()[place]) & (rows["quantity"] == quantity)].iloc[0]


def scores_of_agent(tables: Tables, place: int) -> list[str]:
    row = of_agent(tables, place, "tuned")
    return [row["title"], *(f"{row[name]:.3f}" for name in ("estimate", "held_out", "estimate_fresh"))]


def gains(tables: Tables) -> list[list[str]]:
    rows = [of_agent(tables, place, "sensitivity") for place in (0, 1)]
    shares = [100 * (1 - row["estimate_fresh"] / row["estimate"]) for row in rows]
    return [
        [f"{row['estimate']:.3f}", f"{row['estimate_fresh']:.3f}", f"{share:.0f}"]
        for row, share in zip(rows, shares, strict=True)
    ]


def most_and_least_sensitive(tables: Tables) -> list[str]:
    rows = tables["sensitivity"]
    rows = rows[rows["quantity"] == "sensitivity"].sort_values("estimate", kind="stable")
    return [text for row in rows.iloc[[-1, 0]].itertuples() for text in (row.algorithm, f"{row.estimate:.2f}")]


def numbers_to_tune(tables: Tables) -> pd.Series:
    """Return, for each algorithm, the smallest number of hyperparameters with 95 % of the tuned score."""
    rows = tables["dimension"]
    return rows[rows["share"] >= 0.95].groupby("algorithm")["size"].min()


def span_of_dimensions(tables: Tables) -> list[str]:
    numbers = numbers_to_tune(tables)
    return [str(tables["dimension"]["size"].max()), str(numbers.min()), str(numbers.max())]


def dimensions(tables: Tables) -> list[str]:
    numbers = numbers_to_tune(tables).sort_values(kind="stable")
    return [joined([f"{number} for {name}" for name, number in numbers.items()])]


ADKINS2024: Patterns = {
    r"(\S+) gains most by tuning in each environment: (\S+)\. (\S+) gains least: (\S+)": most_and_least_sensitive,
    r"Of (\d+) hyperparameters, (\d+) to (\d+) have to be tuned in each environment .* 95 % .*": span_of_dimensions,
    r"It takes (.*)\.": dimensions,
    r"(?:Comparison\. )?(\d+) variants have a higher tuned score than PPO \((\S+)\)\.": lambda tables: (
        sensitive_variants(tables)[:2]
    ),
    r"(?:All )?(\d+) of these gain more .* does \((\S+)\): (.*)\.": lambda tables: sensitive_variants(tables)[2:],
    r"A demonstration with runs: .* \(2020\) with each of 96 settings .*, (\S+) runs .*, and (\S+) fresh .*\. "
    r"(.*) reaches (\S+) in .*, and (\S+) in held-out runs; in fresh runs, its best .* reach (\S+)\.": lambda tables: [
        *(f"{of_agent(tables, 0, 'tuned')[name]:,.0f}" for name in ("runs", "runs_fresh")),
        *scores_of_agent(tables, 0),
    ],
    r"(Sarsa\S*) reaches (\S+) in .*, and (\S+) in held-out runs; in fresh .* reach (\S+)\.": lambda tables: (
        scores_of_agent(tables, 1)
    ),
    r"It seems to gain (0\.016) by tuning .*, and actually gains (\S+): (\d+) % of the gain is selection\.": (
        lambda tables: gains(tables)[0]
    ),
    r"It seems to gain (0\.014) by tuning .*, and actually gains (\S+): (\d+) % of the gain is selection\.": (
        lambda tables: gains(tables)[1]
    ),
    r"Not tested; the table has (\d+) individual 95 % intervals\.": lambda tables: [
        str(len(tables["table_selection"]))
    ],
}
TYPED_IN_ADKINS2024 = (
    "Adkins, Bowling and White, 2024",
    "Score with the best of up to 625 settings",
    "The paper's figure has 95 %",
    "Dashed: 95 %",
    "Scores from 0 (an agent that learns little) to 1",
    "Held out, with 95 % limits: the same few runs",
    "Returns were scaled in each environment so that the 5th percentile ... is 0, and the 95th is 1",
    "Dimension: the fewest hyperparameters that reach 95 % of the score",
    "snakemake adkins2024 ... (1 MB",
)


def adkins_tables() -> tuple[str, dict[str, pd.DataFrame], dict[str, object]]:
    folder = REPORTS / "records" / "adkins2024"
    kept = {path.stem: read_table(path) for path in folder.glob("*.csv")}
    tables = {f"{kind}/{name}": table for name, table in kept.items() for kind in ("numbers", "recorded")}
    tables |= {"record": kept["record"], "published": read_table(ROOT / "config" / "published" / "adkins2024.csv")}
    return "adkins2024", tables, settings() | {"analyses": []}


def test_sentences_follow_from_the_tables(tmp_path):
    page, tables, facts = adkins_tables()
    check_page(page, tables, facts, ADKINS2024, TYPED_IN_ADKINS2024, tmp_path)
