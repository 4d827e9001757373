"""check, why and prune, public targets, and mistakes that are reported before any job runs."""

import re
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.workflow

SMALL = "config/studies/jordan2020.yaml"


def test_check_names_what_is_altered_missing_or_does_not_belong(checkout):
    results = checkout.folder / "results"
    (results / "estimate/small/pbp.csv").write_text("altered")
    (results / "estimate/small/dkw.csv").unlink()
    (results / "estimate/small/old_method.csv").write_text("left over")
    checkout.run("check", succeeds=False)
    assert "results/estimate/small/pbp.csv: altered since it was made" in checkout.output
    assert "results/estimate/small/dkw.csv: missing" in checkout.output
    assert "results/estimate/small/old_method.csv: belongs to no job of this configuration" in checkout.output


def test_why_says_what_changed(checkout):
    checkout.edit(SMALL, "trials: 20", "trials: 40")
    checkout.edit(SMALL, "confidence: 0.9", "confidence: 0.8")
    code = checkout.folder / "src/surefoot/statistics/intervals/distributions.py"
    code.write_text(code.read_text() + "\n\n_UNUSED = 1\n")
    checkout.run("why")
    assert "results/estimate/small/pbp.csv: settings.confidence: 0.9 -> 0.8" in checkout.output
    changed = "results/simulate/small/sarsa.parquet: settings.cells.*.trials: 20 -> 40 (in 2 cells)"
    assert changed in checkout.output
    assert "results/simulate/small/sarsa.parquet: code" not in checkout.output
    of_code = r"results/estimate/small/\w+.csv: code.surefoot.statistics.[\w.]+: \w{8} -> \w{8}"
    assert re.search(of_code, checkout.output)


def test_a_run_says_at_its_end_what_it_did(built):
    jobs = len(built.did)
    assert re.search(rf"^jobs done: {jobs} in .*; results: [0-9]+$", built.output, re.MULTILINE)


def test_prune_keeps_blocks_of_jobs_that_are_not_done(checkout):
    checkout.edit(SMALL, "trials: 20", "trials: 30")
    checkout.surefoot("prune", "--days", "0")
    did = checkout.run("results/collect/small/runs.parquet")
    assert {did[f"simulate/small/{algorithm}"] for algorithm in ("sarsa", "q", "ac")} == {"computed 2 of 6"}


@pytest.mark.long
def test_commands_know_of_the_overlay_that_made_results_and_prune_leaves_what_these_come_from(checkout):
    asked = "questions: {game_scores: {}, game_intervals: {methods: [pbp]}}"
    study = f"{{title: Mine, sources: {{runs: {{kind: score_table, file: mine.csv}}}}, {asked}}}"
    (checkout.folder / "mine.yaml").write_text(f"studies: {{mine: {study}}}")
    scores = (checkout.folder / "scores.csv").read_text()
    (checkout.folder / "mine.csv").write_text(scores.replace("plain,maze,3,", "plain,maze,99,"))
    overlay = ["--configfile", "mine.yaml"]
    table = "results/estimate/mine/pbp.csv"
    did = checkout.run(table, *overlay)
    assert len(did) > 1 and "hit" not in did.values()
    (checkout.folder / table).write_text("altered")
    checkout.run("check", *overlay, succeeds=False)
    assert f"{table}: altered since it was made" in checkout.output
    assert "Hint: `snakemake --configfile mine.yaml` puts altered" in checkout.output
    checkout.run(table, *overlay)
    checkout.run("check")
    assert "belongs to no job" not in checkout.output
    checkout.surefoot("prune", "--days", "0")
    shutil.rmtree(checkout.folder / "results")
    assert set(checkout.run(table, *overlay).values()) == {"hit"}
    shutil.rmtree(checkout.folder / "results")
    checkout.run("--dry-run", table, *overlay)  # which writes the configuration that prune reads
    checkout.surefoot("prune", "--days", "0")
    assert "hit" not in checkout.run(table, *overlay).values()


@pytest.mark.long
def test_two_runs_at_once_in_one_folder(fresh, built):
    target = "results/estimate/small/bootstrap.csv"
    runs = [subprocess.Popen(**fresh.command(target, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)) for _ in "ab"]
    ends = [(run.communicate(timeout=300)[0], run.returncode) for run in runs]
    for output, code in ends:
        assert code == 0 or ("surefoot: " in output and "another run of the workflow is making results here" in output)
    assert 0 in [code for _, code in ends], ends
    assert fresh.results()["estimate/small/bootstrap.csv"] == built.results()["estimate/small/bootstrap.csv"]
    assert not list(fresh.folder.glob("results/.partial/*"))


def test_a_checkout_serves_other_folders(built, tmp_path):
    (tmp_path / "mine.csv").write_text((built.folder / "scores.csv").read_text())
    (tmp_path / "mine.yaml").write_text(
        "studies: {small: null, table: null, mine: {title: Mine, sources: {runs: {kind: score_table, file: mine.csv}}}}"
    )
    command = ["-s", built.folder / "Snakefile", "--directory", tmp_path, "--configfile", tmp_path / "mine.yaml"]
    listed = subprocess.run(**built.command(*command, "--dry-run", "mine", capture_output=True), check=False)
    assert listed.returncode == 0, listed.stderr
    assert "results/render/mine.html" in (tmp_path / "results/spec/render/mine/page.json").read_text()


def test_the_log_can_be_read(checkout):
    log = (checkout.folder / "results/logs/estimate/small/game_intervals.log").read_text()
    for word in ("estimate small/game_intervals", "started", "spec", "versions", "numba", "seed", "store", "ended"):
        assert word in log


def test_a_failed_job_logs_its_traceback_and_leaves_nothing(checkout):
    checkout.edit("src/surefoot/charts/game.py", "\ndef weights_chart(", "\ndef renamed_chart(")
    checkout.run("small", succeeds=False)
    log = (checkout.folder / "results/logs/draw/small/figures.log").read_text()
    assert "Traceback" in log
    assert "has no attribute 'weights_chart'" in log
    assert "has no attribute 'weights_chart'" in checkout.output
    assert not (checkout.folder / "results/manifest/draw/small/figures.json").exists()
    assert not list(checkout.folder.glob("results/.partial/*"))


def test_mistakes_are_reported_before_any_job_runs(checkout):
    before = checkout.results()
    checkout.edit("scores.csv", "plain,maze,3,", "plain,maze,4,")
    assert checkout.run(succeeds=False) == {}
    (line,) = (line for line in checkout.output.splitlines() if line.startswith("surefoot: "))
    assert "duplicate runs (1): plain / maze / run 4. Hint:" in line and "Traceback" not in checkout.output
    assert checkout.results() == before
