"""Analyses of sets of scores: published scores against verified numbers, and small ones against enumeration.

Each comparison with numbers that were themselves simulated fails falsely once in 1,000 times: every row is allowed the
normal quantile for that, by Bonferroni, of the joint Monte Carlo error.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from asking import ask

from surefoot.result_tables import read_table
from surefoot.scales.registry import scales
from surefoot.scales.scaling import read_files, scaled
from surefoot.sources.published.source import kept_for

SHARED = Path(__file__).parents[4] / "shared"
OPTIONS = {"seed": 5, "confidence": 0.95, "replicates": 200, "threads": 1}
HUMAN = {"kind": "reference_scores", "references": "atari_human"}


def table(name):
    for suffix in (".csv", ".csv.gz", ".parquet"):
        path = SHARED / "data" / "agarwal2021" / f"{name}{suffix}"
        if path.is_file():
            return pd.read_parquet(path) if suffix == ".parquet" else pd.read_csv(path)
    pytest.skip(f"the published scores are not here: {name}")


def sets_of(tables, sets):
    made = {name: scales()[chosen["kind"]](**chosen) for name, chosen in sets.items()}
    kept = kept_for(chosen.get("runs") for chosen in sets.values())
    given = {name: table(name) for name in tables} | {name: read_table(path) for name, path in kept.items()}
    for scale in made.values():
        given |= read_files(scale)
    scores = scaled(given, made)
    return {name: rows.drop(columns="scores").dropna(axis=1, how="all") for name, rows in scores.groupby("scores")}


@pytest.fixture(scope="module")
def atari100k():
    tables = ["atari100k/final_scores", "atari100k/curl_final_and_max", "atari100k/der_ten_evaluations"]
    hundred = ["DER", "OTR", "CURL", "DrQ", "DrQ(eps)", "SPR"]
    sets = {
        "all": HUMAN | {"runs": "atari100k"},
        "first": HUMAN | {"runs": "atari100k", "first_runs": 10},
        "hundred": HUMAN | {"runs": "atari100k", "algorithms": hundred},
        "protocols": HUMAN | {"runs": "atari100k_protocols"},
    }
    return sets_of(tables, sets)


@pytest.fixture(scope="module")
def dm_control():
    runs = {"kind": "reference_scores", "references": "dm_control"}
    sets = {f"dm_control_{steps}": runs | {"runs": f"dm_control_{steps}"} for steps in ("100k", "500k")}
    sets |= {
        f"published_{steps}": {"kind": "none", "runs": f"dm_control_published_{steps}"} for steps in ("100k", "500k")
    }
    return sets_of(["dm_control/final_scores"], sets)


def golden(name):
    return pd.read_csv(SHARED / "golden" / f"agarwal2021_{name}.csv")


def test_points_of_metrics_profiles_and_improvements(atari100k):
    first = {"atari100k": atari100k["first"]}
    metrics = ["median", "iqm", "mean", "optimality_gap"]
    ours = ask("aggregates", first, OPTIONS | {"metrics": metrics, "methods": ["percentile", "bca", "normal"]})
    known = golden("point_estimates").query("benchmark == 'atari100k' and runs in ['runs 0-9', 'runs 0-4']")
    both = ours.merge(known, on=["algorithm", "metric"], suffixes=("", "_known"))
    assert len(both) == 7 * 4 * 3
    np.testing.assert_allclose(both["value"], both["value_known"], rtol=1e-8)
    assert ((both["low"] <= both["value"]) & (both["value"] <= both["high"])).mean() > 0.9
    six = {"algorithms": ["SimPLe", "DER", "OTR", "CURL", "DrQ(eps)", "SPR"]}
    grid = {"thresholds": {"from": 0, "to": 2, "count": 41}, "ticks": [0, 0.1, 0.2, 0.5, 1, 2]}
    ours = ask("profiles", first, OPTIONS | six | grid | {"profiles": ["run_scores", "average_scores"]})
    known = golden("performance_profiles").query("benchmark == 'atari100k'")
    names = {"run_scores": "run-score", "average_scores": "average-score"}
    both = ours.assign(kind=ours["profile"].map(names), tau=ours["threshold"].round(6)).merge(
        known, on=["kind", "algorithm", "tau"], suffixes=("_ours", "")
    )
    assert len(both) > 400
    np.testing.assert_allclose(both["value"], both["profile"], atol=1e-8)
    ticks = ours[(ours["algorithm"] == "") & (ours["profile"] == "run_scores")]
    known = golden("nonlinear_ticks").query("benchmark == 'atari100k'")
    np.testing.assert_allclose(ticks["position"], known["position"], atol=1e-8)
    # CURL's scores have ten decimals, and so tie with no others to the last digits of a double.
    pairs = {"pairs": [["SPR", "DrQ(eps)"], ["SPR", "OTR"], ["SPR", "CURL"]]}
    ours = ask("improvement", first, OPTIONS | pairs | {"decimals": 9})
    known = golden("probability_of_improvement").query("benchmark == 'atari100k' and runs == 'first 10'")
    both = ours.merge(known, left_on=["x", "y"], right_on=["X", "Y"])
    assert len(both) == 3
    np.testing.assert_allclose(both["value"], both["probability_rounded"], atol=1e-9)
    assert ask("improvement", first, OPTIONS | pairs)["ties"].iloc[2] < 0.001 < 0.02 < ours["ties"].iloc[2]
    np.testing.assert_allclose(both["as_published"], both["probability"], atol=3e-6)


def test_runs_of_spr_share_something_across_games(atari100k):
    ours = ask("run_effects", {"hundred": atari100k["hundred"]}, OPTIONS | {"sizes": [10]}).set_index("algorithm")
    assert ours.index[ours["p_value"] < 0.01].tolist() == ["SPR"]
    assert ours.loc["SPR", ["first_iqm", "iqm"]].tolist() == pytest.approx([0.375402, 0.336649], abs=1e-6)


def test_sample_efficiency_of_public_curves():
    tables = ["ale200m/dopamine_curves", "ale200m/dreamerv2_curves"]
    sets = sets_of(tables, {"curves": HUMAN | {"runs": "ale200m_curves"}})
    ours = ask("sample_efficiency", sets, OPTIONS | {"metrics": ["iqm", "median"], "replicates": 20})
    known = golden("sample_efficiency")
    both = ours.merge(
        known, left_on=["algorithm", "frames", "metric"], right_on=["algorithm", "frames_millions", "metric"]
    )
    assert len(both) == 5 * 10 * 2
    np.testing.assert_allclose(both["value"], both["point"], atol=1e-5)


def test_unknown_algorithms_and_missing_tasks_are_named():
    rows = [("a", "e", 0, 1.0), ("a", "f", 0, 1.0), ("b", "e", 0, 1.0)]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    with pytest.raises(ValueError, match=r'no scores of "c"\. Hint: a, b'):
        ask("aggregates", {"s": runs}, OPTIONS | {"metrics": ["iqm"], "algorithms": ["c"]})
    with pytest.raises(ValueError, match=r"b has no scores in f\. Hint: compare on the same tasks"):
        ask("ranks", {"s": runs}, OPTIONS)
