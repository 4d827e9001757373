"""`surefoot report --against`: runs of others beside one's own."""

import itertools
from pathlib import Path

import pandas as pd
import pytest
import yaml
from support.jobs import leave_out_pages

import surefoot
from surefoot.cli.commands import main

GAMES = {"ALE/Pong-v5": 10.0, "BoxingNoFrameskip-v4": 50.0}
STEPS = range(0, 110, 10)


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Curves of two algorithms in two games; `surefoot report` stops where it would run the workflow."""
    leave_out_pages(monkeypatch)
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "other"):
        rows = [
            (name, game, run, step, top * step / 100 + run) for game, top in GAMES.items() for run in range(3)
            for step in STEPS
        ]  # fmt: skip
        table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
        table.to_csv(f"{name}.csv", index=False)
        table[table["step"] == 100].drop(columns="step").to_csv(f"{name}_final.csv", index=False)


def report(*words):
    return main(["report", "mine.csv", *words])


def study(folder="page"):
    (found,) = yaml.safe_load(Path(folder, "study.yaml").read_text())["studies"].values()
    return found, pd.read_parquet(f"{folder}/{found['sources']['runs']['file']}")


@pytest.mark.parametrize("other", ["other.csv", "other_final.csv", "a report"])
def test_runs_of_others_join_on_one_scale(runs, other, capsys):
    """Curves stay curves if all are; else each run has one score by the same rule."""
    if other == "a report":
        assert main(["report", "other.csv", "-o", "earlier"]) == 0
        other = "earlier"
    assert report("-o", "page", "--against", other) == 0
    assert f"Compared with other of {other}." in capsys.readouterr().out
    found, table = study()
    assert found["scales"]["runs"] == {"kind": "reference_scores", "reference_table": "atari_human"}
    assert set(table["algorithm"]) == {"mine", "other"} and "multiple_comparisons" in found["questions"]
    assert found["sources"]["runs"]["kind"] == ("score_table" if "final" in other else "learning_curves")
    assert len(table) == 2 * 2 * 3 * (1 if "final" in other else len(STEPS))
    assert f"Compared with other of {other}." in table.attrs["remarks"]


def test_published_runs_are_compared_in_the_own_games(runs, published, capsys):
    assert report("-o", "page", "--against", "atari_100k:SPR,CURL", "--rule", "last") == 0
    said = capsys.readouterr().out
    assert "Compared with CURL and SPR of atari_100k, as they were published. Left out, since mine.csv has no" in said
    _, table = study()
    cells = table.groupby(["algorithm", "environment"])["score"].agg(["size", "mean"])
    assert set(cells.index) == set(itertools.product(["mine", "SPR", "CURL"], GAMES))
    assert cells.loc[("mine", "ALE/Pong-v5"), "mean"] == 11.0, "the last score"
    assert cells.loc[("SPR", "ALE/Pong-v5")].tolist() == [4, 3.5]
    human = surefoot.normalize_scores(table.astype({"run": str}), "atari_human")
    assert human.loc[human["algorithm"] == "CURL", "score"].tolist() == pytest.approx([1.0] * 4)


@pytest.mark.parametrize(
    ("against", "said"),
    [
        ("atari_10k", 'there are no published scores with this name. Hint: did you mean "atari_100k"?'),
        ("atari_100k:SPRR", 'no runs for the algorithm "SPRR". Hint: did you mean "SPR"?'),
        ("mine_final.csv", "mine is the name of an algorithm in mine.csv and in mine_final.csv. Hint: rename one"),
        ("elsewhere.csv", "no environment in common: ALE/Pong-v5, BoxingNoFrameskip-v4 in the one, maze in the other"),
    ],
)
def test_what_cannot_be_joined_is_one_sentence(runs, published, against, said, capsys):
    pd.read_csv("other.csv").replace("ALE/Pong-v5", "maze").query("environment == 'maze'").to_csv(
        "elsewhere.csv", index=False
    )
    assert report("-o", "page", "--against", against) == 2
    assert said in capsys.readouterr().err


def test_files_of_others_are_accounted_for(runs, capsys):
    """Those of environments and algorithms that are not compared, too; and a report names its algorithms again."""
    table = pd.read_csv("other_final.csv")
    more = [table, table.assign(algorithm="third"), table[:3].assign(environment="Qbert")]
    pd.concat(more).to_csv("other_final.csv", index=False)
    assert main(["report", "mine_final.csv", "--against", "other_final.csv:other", "-o", "made"]) == 0
    said = capsys.readouterr().out
    assert "account: 6 runs with 6 scores were read from 1 file\n" in said
    account = pd.read_csv("made/account.csv")
    of_others = account[account["file"] == "other_final.csv"]
    assert of_others.groupby("outcome")["rows"].sum().to_dict() == {"not asked for": 9, "used": 6}
    kept = pd.read_parquet("made/scores.parquet").attrs["account_summary"]["sentence"]
    assert kept.startswith("12 runs with 12 scores were read from 2 files.")
    pd.read_csv("mine_final.csv").replace("mine", "new").to_csv("new.csv", index=False)
    assert main(["report", "new.csv", "--against", "made:other", "-o", "again"]) == 0, capsys.readouterr().err


def test_environments_that_others_lack_are_to_be_decided(runs, capsys):
    other = pd.read_csv("other_final.csv")
    other[other["environment"] == "ALE/Pong-v5"].to_csv("other_final.csv", index=False)
    assert report("-o", "page", "--against", "other_final.csv") == 2
    assert "cells without a run (1): other / BoxingNoFrameskip-v4" in capsys.readouterr().err
    assert report("-o", "page", "--against", "other_final.csv", "--missing-cells", "drop_environment") == 0
