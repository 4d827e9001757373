"""`surefoot.report`: from a table of runs to a page."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from support.jobs import leave_out_pages

import surefoot
from surefoot.errors import HintedError

NAMES = ["algorithm", "environment", "run"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_page(here, monkeypatch):
    """The study is written, and no page is made of it."""
    leave_out_pages(monkeypatch)


def scores(runs=4):
    rng = np.random.default_rng(3)
    cells = [(name, task, run) for name in ("sac", "ppo") for task in ("x", "y") for run in range(runs)]
    return pd.DataFrame(cells, columns=NAMES).assign(score=rng.normal(size=len(cells)))


def curves():
    table = pd.concat([scores().assign(step=1000 * place) for place in range(1, 12)], ignore_index=True)
    return table.assign(score=table["score"] + table["step"])


def study(folder="surefoot-report"):
    (found,) = yaml.safe_load(Path(folder, "study.yaml").read_text())["studies"].values()
    return found


def test_a_table_is_reported_as_a_folder_of_runs_is(no_page, tmp_path, monkeypatch):
    """The command makes a page of the same study; see tests/cli/test_reporting.py."""
    table = scores()
    assert surefoot.report(table) == Path("surefoot-report/results/render/runs.html")
    written = pd.read_parquet("surefoot-report/scores.parquet").astype({"run": int})
    found, wanted = (rows.set_index(NAMES)["score"].sort_index() for rows in (written, table))
    pd.testing.assert_series_equal(found, wanted, check_index_type=False)
    failing = tmp_path / "failing" / "snakemake.py"
    failing.parent.mkdir()
    failing.write_text('raise SystemExit("no_such_kind")')
    leave_out_pages(monkeypatch, failing.parent)
    with pytest.raises(HintedError, match=r"surefoot-report/study\.yaml: its page could not be made:\nno_such_kind"):
        surefoot.report(table)


def test_curves_are_scored_by_the_rule_of_the_study(no_page):
    surefoot.report(curves(), rule="last")
    assert study()["sources"]["runs"] == {
        **{"kind": "learning_curves", "file": "curves.parquet", "rule": "last"},
        **{"short_runs": "worst_score", "along": "steps"},
    }
    surefoot.report(curves())
    with pytest.raises(HintedError, match=r"^rule: the study in surefoot-report/study.yaml has rule: last"):
        surefoot.report(curves(), rule="auc")
    assert study()["sources"]["runs"]["rule"] == "last"


def test_normalized_scores_stay_as_they_are(no_page):
    surefoot.report(surefoot.normalize_scores(scores(), "min_max"))
    assert study()["scales"] == {"runs": {"kind": "none"}}
    surefoot.report(scores(), "other")
    assert study("other")["scales"] == {"runs": {"kind": "min_max"}}


@pytest.mark.parametrize(
    ("change", "arguments", "where", "told"),
    [
        (lambda runs: [1.0], {}, "runs", "not a table"),
        (lambda runs: runs.drop(columns="run"), {}, "runs", "column run is missing"),
        (lambda runs: runs.assign(score=np.nan), {}, "", "not finite"),
        (lambda runs: runs.iloc[:-4], {}, "missing_cells", 'missing_cells="drop_algorithm"'),
        (lambda runs: runs, {"scale": "min_mx"}, "scale", '"min_max"'),
        (lambda runs: runs, {"lower_is_better": "zoo"}, "lower_is_better", '"zoo"'),
        (lambda runs: curves(), {"rule": "lst"}, "rule", '"last"'),
        (lambda runs: curves().iloc[:-5].query("step < 11000 or run < 3"), {}, "", "--"),
    ],
)
def test_refusals_name_the_arguments_of_the_function(no_page, change, arguments, where, told):
    with pytest.raises(HintedError) as refused:
        surefoot.report(change(scores()), **arguments)
    assert where in refused.value.where and not Path("surefoot-report/study.yaml").exists()
    assert told == "--" or told in str(refused.value)
    assert "--" not in str(refused.value) and "command line" not in str(refused.value)


@pytest.mark.parametrize("column", ["algorithm", "environment"])
def test_the_report_of_other_runs_is_kept(no_page, column):
    surefoot.report(scores())
    before = Path("surefoot-report/study.yaml").read_text()
    other = scores().replace({column: {"sac": "td3", "ppo": "a2c", "x": "z"}})
    with pytest.raises(HintedError, match=r"folder: surefoot-report has a report on other runs \(ppo, sac in x, y\)"):
        surefoot.report(other)
    assert Path("surefoot-report/study.yaml").read_text() == before
    assert set(pd.read_parquet("surefoot-report/runs.parquet")[column]) == set(scores()[column])
    surefoot.report(other, "surefoot-report-2")
    more = pd.concat([scores(), scores().assign(algorithm=lambda rows: "new_" + rows["algorithm"])])
    surefoot.report(more)
    assert set(pd.read_parquet("surefoot-report/runs.parquet")["algorithm"]) == {"sac", "ppo", "new_sac", "new_ppo"}


def test_reports_of_others_and_other_folders_are_left_alone(no_page, here):
    (here / "mine").mkdir()
    (here / "mine" / "notes.txt").write_text("")
    (here / "reported").mkdir()
    (here / "reported" / "study.yaml").write_text("# Runs: ../logs\nstudies: {}\n")
    for folder in ("mine", "reported"):
        before = sorted(path.name for path in (here / folder).iterdir())
        with pytest.raises(HintedError, match="folder: "):
            surefoot.report(scores(), folder)
        assert sorted(path.name for path in (here / folder).iterdir()) == before
