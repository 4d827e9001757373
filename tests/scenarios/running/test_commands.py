"""`surefoot check` and `prune`, what is said of mistakes and failures, and one run at a time in a folder."""

import os
import signal
import subprocess
import time

import pytest
from support.fork_server import run_module
from support.small_checkout import MINE, write_study

pytestmark = pytest.mark.workflow

SMALL = "config/studies/jordan2020.yaml"
TABLE = "results/estimate/table/pbp.csv"


def sentences(checkout):
    """What the last run said in sentences of its own."""
    return [line for line in checkout.output.splitlines() if line.startswith("surefoot: ")]


def test_check_names_altered_missing_and_outdated_results(checkout):
    undisturbed = checkout.results()
    checkout.run("check", program="surefoot")
    assert "results of 27 jobs checked with the settings of the last run: 0 problems\n" in checkout.output
    (checkout.folder / TABLE).write_text("altered")
    (checkout.folder / "results/draw/small/scores.svg").unlink()
    checkout.edit("scores.csv", "plain,maze,3,", "plain,maze,33,")
    checkout.run("check", program="surefoot", succeeds=False)
    assert f"{TABLE}: not made from the present inputs: it or one of them was changed" in checkout.output
    assert "results/draw/small/scores.svg: missing" in checkout.output
    (unknown,) = (line for line in checkout.output.splitlines() if ": no entry in the store: " in line)
    assert "results/collect/table/runs.parquet" in unknown and TABLE not in unknown
    checkout.edit("scores.csv", "plain,maze,33,", "plain,maze,3,")
    (checkout.folder / TABLE).unlink()  # as the hint says
    assert set(checkout.run().values()) == {"found"}
    assert checkout.results() == undisturbed
    checkout.run("check", program="surefoot")


def test_prune_keeps_what_was_used_of_late(checkout):
    blocks = list((checkout.store / "blobs").rglob("*"))
    checkout.run("prune", program="surefoot")
    assert list((checkout.store / "blobs").rglob("*")) == blocks
    checkout.run("prune", "--days", "0", program="surefoot")
    assert not [path for path in (checkout.store / "blobs").rglob("*") if path.is_file()]
    checkout.run("check", program="surefoot", succeeds=False)
    assert ": 0 problems, " in checkout.output, "they are all right"
    assert checkout.run() == {}
    undisturbed = checkout.results()
    (checkout.folder / "results").rename(checkout.folder / "elsewhere")  # as the hint says
    checkout.run()
    assert checkout.results() == undisturbed
    checkout.run("check", program="surefoot")


def test_a_checkout_serves_other_folders(built, tmp_path):
    write_study(tmp_path)
    (tmp_path / "mine.yaml").write_text(MINE.replace("studies:", "studies:\n  small: null\n  table: null"))
    place = ["-s", built.folder / "Snakefile", "--directory", tmp_path]
    command = [*place, "--configfile", tmp_path / "mine.yaml", "--quiet", "host"]
    listed = run_module(**built.command(*command, "--dry-run", "mine"))
    assert listed.returncode == 0, listed.stderr
    assert "results/render/mine.html" in listed.stdout


def test_the_log_can_be_read(built):
    log = (built.folder / "results/logs/estimate/small/bootstrap.log").read_text()
    for word in ("estimate small/bootstrap", "started", "versions", "numba", "input", "sha256", "store", "ended"):
        assert word in log


def test_a_failed_job_logs_its_traceback_and_leaves_nothing(checkout):
    called = "columns = _panel_columns(numbers)"
    checkout.edit("src/surefoot/charts/game_charts.py", called, called.replace("_panel_columns", "_columns_of_panels"))
    checkout.run("small", succeeds=False)
    log = (checkout.folder / "results/logs/draw/small/figures.log").read_text()
    assert "Traceback" in log
    assert "_columns_of_panels" in log and "_columns_of_panels" in checkout.output
    assert not list(checkout.folder.glob("results/**/.unfinished*"))
    assert not (checkout.folder / "results/draw/small/weights.svg").exists(), "Snakemake deletes what it makes anew"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "scores.csv",
            "plain,maze,3,",
            "plain,maze,4,",
            "example.yaml: studies.table.sources.runs: scores.csv: duplicate runs (1): plain / maze / run 4. Hint:",
        ),
        (SMALL, "confidence_level: 0.9", "confidence_level: 9", "studies.small.confidence_level"),
    ],
)
def test_a_mistake_is_one_sentence_and_changes_no_result(checkout, file, old, new, said):
    before = checkout.results()
    checkout.edit(file, old, new)
    checkout.run(succeeds=False)
    (line,) = sentences(checkout)
    assert said in line and "Traceback" not in checkout.output
    assert {path: content for path, content in before.items() if path.startswith(("estimate", "draw", "render"))} == {
        path: content for path, content in checkout.results().items() if path.startswith(("estimate", "draw", "render"))
    }


def wait_for_work(checkout, run):
    """Wait until a job of a run writes."""
    while not list(checkout.folder.glob("results/simulate/small/.unfinished*")):
        assert run.poll() is None
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_an_interrupted_run_ends_with_sentences(fresh, number):
    """One job at a time: of another one that is just starting, Python itself would tell how far its start had come."""
    fresh.edit(SMALL, "trials: 20", "trials: 20000")
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True}
    run = subprocess.Popen(**fresh.command("run", "small", "--cores", "1", program="surefoot", **piped))
    wait_for_work(fresh, run)
    if number == signal.SIGINT:
        os.killpg(run.pid, number)  # as Ctrl-C in a terminal does
    else:
        run.send_signal(number)
    output = run.communicate(timeout=60)[0]
    assert run.returncode != 0
    assert "Traceback" not in output, output
    assert "surefoot: interrupted: nothing is left half-written. Hint: run the same command again" in output


def test_one_run_at_a_time_makes_results_in_a_folder(fresh):
    fresh.edit(SMALL, "trials: 20", "trials: 20000")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    run = subprocess.Popen(**fresh.command("small", **quiet))
    try:
        wait_for_work(fresh, run)
        os.killpg(run.pid, signal.SIGSTOP)
        fresh.run("small", succeeds=False)
        (refused,) = sentences(fresh)
        assert "another run of the workflow is making results here" in refused
        assert "Traceback" not in fresh.output
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    assert list(fresh.folder.glob("results/simulate/small/.unfinished*"))
    fresh.edit(SMALL, "trials: 20000", "trials: 20")
    fresh.run("results/simulate/small/sarsa.parquet")
    assert not list(fresh.folder.glob("results/**/.unfinished*"))
