"""The published scores and verified numbers of Agarwal et al. 2021, where they are at hand."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

SHARED = Path(__file__).resolve().parents[4] / "shared"
DATA, GOLDEN = SHARED / "data" / "agarwal2021", SHARED / "golden"
needs_published_scores = pytest.mark.skipif(
    not (DATA.is_dir() and GOLDEN.is_dir()), reason=f"no published scores at {DATA} or no verified numbers at {GOLDEN}"
)


def golden(name):
    return pd.read_csv(GOLDEN / f"agarwal2021_{name}.csv")


@cache
def normalized(benchmark, normalization="human"):
    """{algorithm: float64[runs, tasks]} with the tasks in alphabetical order."""
    if benchmark.startswith("dm_control"):
        return dm_control(benchmark.removeprefix("dm_control_"))
    runs = pd.read_csv(DATA / benchmark / "final_scores.csv")
    column = {"atari100k": "in_atari_26", "ale200m": "in_atari_55"}[benchmark]
    reference = references(column)
    high = {"human": "human", "record": "human_world_record"}[normalization]
    tables = {}
    for algorithm, rows in runs.groupby("algorithm", sort=False):
        raw = rows.pivot(index="run", columns="game", values="score")[reference.index]
        tables[algorithm] = ((raw - reference["random"]) / (reference[high] - reference["random"])).to_numpy()
    if benchmark == "atari100k":
        tables |= curl() | der_maximum(reference)
    return tables


def references(column):
    table = pd.read_csv(DATA / "atari_reference_scores.csv").set_index("game")
    return table[table[column]].sort_index()


def curl():
    rows = pd.read_csv(DATA / "atari100k" / "curl_final_and_max.csv")
    return {
        "CURL": rows.pivot(index="run", columns="game", values="hns_final").to_numpy(),
        "CURL (max of 10)": rows.pivot(index="run", columns="game", values="hns_max_of_10").to_numpy(),
    }


def der_maximum(reference):
    rows = pd.read_csv(DATA / "atari100k" / "der_ten_evaluations.csv.gz")
    raw = rows.groupby(["game", "run"])["score"].max().unstack("game")[reference.index]
    return {
        "DER (max of 10)": ((raw - reference["random"]) / (reference["human"] - reference["random"])).to_numpy(),
    }


def dm_control(steps):
    runs = pd.read_csv(DATA / "dm_control" / "final_scores.csv")
    runs = runs[(runs["steps"] == steps) & (runs["algorithm"] != "RAD (3 seeds)")]
    return {
        algorithm: rows.pivot(index="run", columns="env", values="score").round(1).to_numpy() / 1000
        for algorithm, rows in runs.groupby("algorithm", sort=False)
    }


def subset(table, runs):
    """The runs that a golden table names: "all", "runs 0-9", "first 10", "all 100"."""
    first = {"runs 0-9": 10, "first 10": 10, "runs 0-4": 5}.get(runs)
    return table[:first]


def sigmas(rows):
    """How many standard deviations all of `rows` numbers stay within but once in 1000 times."""
    return -ndtri(0.0005 / rows)


def far_quantiles(replicates, fraction, published, published_replicates, rows, rounding=1e-8):
    """By how much a published quantile lies outside of where ours may be, given the Monte Carlo error of both.

    Of B and B' replicates, the two fractions below a point differ with variance q (1 - q) (1 / B + 1 / B'); the
    quantiles at the ends of that range enclose the published one, but once in 1000 times for all `rows` together.
    """
    variance = fraction * (1 - fraction) * (1 / len(replicates) + 1 / published_replicates)
    reach = sigmas(rows) * np.sqrt(variance)
    low, high = np.quantile(replicates, [max(fraction - reach, 0), min(fraction + reach, 1)])
    return max(low - published, published - high) - rounding
