"""Hyperparameters, as runs with settings are asked about them."""

import numpy as np
import pandas as pd
import pytest
from support.naive_formulas import mean, one
from support.paths import SHARED

import surefoot
from surefoot.runs.published.conversion import convert
from surefoot.runs.published.published_run_tables import run_table
from surefoot.runs.published.published_source import sources_of

PUBLISHED = "adkins2024/data_expected_over_seeds"


def published_means():
    file = SHARED / "data" / f"{PUBLISHED}.csv.gz"
    if not file.is_file():
        pytest.skip(f"{file} is not here: the means belong to their authors")
    return pd.read_csv(file)


def test_the_seven_variants_have_their_golden_values():
    golden = pd.read_csv(SHARED / "golden" / "adkins2024_sensitivity.csv", index_col="algorithm")
    runs = run_table("adkins2024", {PUBLISHED: published_means()})
    found = surefoot.hyperparameter_sensitivity(runs).table()
    assert found["algorithm"].nunique() == 7 and found["low"].isna().all() and (found["remark"] != "").all()
    values = found.pivot(index="algorithm", columns="quantity", values="estimate")
    curves = surefoot.effective_dimension(runs).table()
    for name, wanted in golden.iterrows():
        assert list(values.loc[name, ["tuned", "cross", "sensitivity"]]) == pytest.approx(
            [wanted["tuned"], wanted["cross"], wanted["Phi"]], abs=5.1e-7
        )
        curve = curves[curves["algorithm"] == name].set_index("size")
        about = curve.loc[0]
        assert about["complete_settings"] == wanted["complete_settings"]
        assert about["dimension"] == wanted["dimension_fewest"]
        assert about["interpolated"] == pytest.approx(wanted["dimension_interpolated"], abs=5.1e-4)
        for size in (1, 2, 3):
            assert curve.loc[size, "estimate"] == pytest.approx(wanted[f"tune_{size}"], abs=5.1e-5)
            assert curve.loc[size, "hyperparameters"].replace(",", "") == wanted[f"best_{size}"]


def test_the_public_file_gives_the_same_table(tmp_path):
    means = published_means()
    raw = tmp_path / "raw.csv"
    (source,) = sources_of(PUBLISHED)
    means.to_csv(raw, index=False)
    assert raw.stat().st_size == pytest.approx(source.bytes, rel=0.01)
    pd.testing.assert_frame_equal(convert(PUBLISHED, {source.place: raw}), pd.read_csv(raw, index_col=0))


SETTINGS = (("low", "off"), ("low", "on"), ("high", "off"), ("high", "on"))
TUNED = pd.DataFrame(
    [
        ("a", task, run, *setting, 9.0 + place * (-1.0 if task == "maze" else 0.4) + draw)
        for task in ("maze", "cliff")
        for place, setting in enumerate(SETTINGS)
        for run, draw in enumerate(np.random.default_rng(place).normal(size=4))
    ],
    columns=["algorithm", "environment", "run", "step", "entropy", "score"],
)


def test_formulas_of_hyperparameter_selection():
    both = pd.concat([TUNED, TUNED.assign(algorithm="b", score=TUNED["score"].rank())], ignore_index=True)
    found = surefoot.hyperparameter_selection(both).table()
    scores = {key: list(rows["score"]) for key, rows in both.groupby(["algorithm", "environment"])}
    for name in ("a", "b"):
        shares = {}
        for (task, *setting), rows in both[both["algorithm"] == name].groupby(["environment", "step", "entropy"]):
            own = [
                mean(mean(other < score for other in scores[one, task]) for one in ("a", "b"))
                for score in rows["score"]
            ]
            shares.setdefault(tuple(setting), []).append(mean(own))
        best = max(shares, key=lambda setting: mean(shares[setting]))
        row = one(found, algorithm=name)
        assert row["setting"] == f"step={best[0]}, entropy={best[1]}"
        assert row["estimate"] == pytest.approx(mean(shares[best]))
