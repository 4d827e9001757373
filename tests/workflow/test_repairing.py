"""What is damaged is found, named, and repaired by the next run; what the machine refuses is one sentence."""

import json
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest
from snakemake.cli import get_argument_parser

from surefoot.cli.running import OTHER_MODES, read_command_line

pytestmark = pytest.mark.workflow

WEIGHTS = "results/aggregate/small/game_scores_weights.csv"
VALUES = "results/aggregate/small/game_scores.csv"
FIGURE = "results/draw/small/scores.svg"


def assert_undisturbed(checkout, undisturbed):
    """All results have their bytes."""
    after = checkout.results()
    assert after.keys() == undisturbed.keys()
    differing = {path for path in after if after[path] != undisturbed[path]}
    assert not differing


def sentences(checkout):
    return [line for line in checkout.output.splitlines() if line.startswith("surefoot: ")]


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.long
def test_damaged_results_of_which_all_that_follows_is_up_to_date_are_put_back(checkout):
    before = checkout.results()
    (checkout.folder / VALUES).unlink()
    cut(checkout.folder / WEIGHTS)
    cut(checkout.folder / FIGURE)
    checkout.run("check", succeeds=False)
    for line in (f"{VALUES}: missing", f"{WEIGHTS}: altered since it was made", f"{FIGURE}: altered since it was made"):
        assert line in checkout.output
    assert "checked: 3 problems\nHint: `snakemake` puts altered and missing results back" in checkout.output
    checkout.run("--dry-run")
    assert f"surefoot: {FIGURE}: altered since it was made; the next run repairs it" in sentences(checkout)
    assert checkout.results() != before
    assert checkout.run() == {}
    assert f"surefoot: {FIGURE}: altered since it was made; put back from the store" in sentences(checkout)
    assert len(sentences(checkout)) == 3
    assert checkout.results() == before
    checkout.run("check")
    assert "checked: 0 problems" in checkout.output


@pytest.mark.long
def test_damaged_results_that_the_store_lacks_are_made_anew(checkout):
    undisturbed = checkout.results()
    for path in (VALUES, FIGURE):
        cut(checkout.folder / path)
    for part in ("entries", "blobs"):
        shutil.rmtree(checkout.store / part)
    did = checkout.run("small")
    assert {"aggregate/small/game_scores", "draw/small/figures", "render/small/page"} == set(did)
    assert_undisturbed(checkout, undisturbed)


@pytest.mark.long
def test_damaged_manifests_are_named_and_made_anew(checkout):
    undisturbed = checkout.results()
    manifests = checkout.folder / "results/manifest"
    damaged = {"estimate/small/game_intervals": "", "draw/table/figures": "{}", "collect/small/runs": "[]"}
    for name, text in damaged.items():
        (manifests / f"{name}.json").write_text(text)
    folder = manifests / "normalize/table/performance_percentile.json"
    folder.unlink()
    folder.mkdir()
    checkout.run("why")
    assert "results/estimate/small/pbp.csv: its manifest is damaged" in checkout.output
    checkout.run("check", succeeds=False)
    for name in (*damaged, "normalize/table/performance_percentile"):
        assert f"results/manifest/{name}.json: damaged" in checkout.output
    did = checkout.run()
    assert {*damaged, "normalize/table/performance_percentile"} <= set(did)
    assert set(did.values()) == {"hit"}
    assert_undisturbed(checkout, undisturbed)
    for name in damaged:
        assert json.loads((manifests / f"{name}.json").read_text())["outputs"]


def run_job(checkout, spec, **settings):
    command = [sys.executable, "-m", "surefoot", "job", spec]
    environment = os.environ | {"SUREFOOT_STORE": str(checkout.store), "PYTHONPATH": str(checkout.folder / "src")}
    settings |= {"capture_output": True, "text": True}
    return subprocess.run(command, cwd=checkout.folder, env=environment, check=False, **settings)


def test_a_job_does_not_build_on_altered_results(checkout):
    undisturbed = checkout.results()
    spec, figure = "results/spec/render/small/page.json", checkout.folder / FIGURE
    cut(figure)
    done = run_job(checkout, spec)
    assert done.returncode == 0 and "scores.svg: altered since it was made; put back from the store" in done.stderr
    assert checkout.results() == undisturbed
    cut(figure)
    shutil.rmtree(checkout.store / "blobs")
    done = run_job(checkout, spec)
    expected = (
        f"surefoot: {FIGURE}: altered since it was made, and the store has no whole copy of it. Hint: `snakemake "
    )
    assert done.returncode == 2 and done.stderr.startswith(expected) and done.stderr.count("\n") == 1
    assert checkout.results()["render/small.html"] == undisturbed["render/small.html"]
    checkout.run(FIGURE)  # as the hint says
    assert_undisturbed(checkout, undisturbed)


def test_a_full_disk_is_one_sentence_and_leaves_what_was_there(checkout):
    before = checkout.results()
    shutil.rmtree(checkout.store / "entries")

    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))

    for spec in ("results/spec/estimate/small/game_intervals.json", "results/spec/collect/small/runs.json"):
        done = run_job(checkout, spec, preexec_fn=no_room)
        lines = [line for line in done.stderr.splitlines() if line.startswith("surefoot: ")]
        assert done.returncode == 1 and len(lines) == 1 and "Traceback" not in done.stderr, done.stderr
        assert "a file would become larger" in lines[0] and "Hint: raise the limit" in lines[0]
    assert checkout.results() == before


def test_an_interrupted_run_ends_with_sentences(fresh):
    """One job at a time: of another one that is just starting, Python itself would tell how far its start had come."""
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True}
    run = subprocess.Popen(**fresh.command("small", "--cores", "1", **piped))
    while not list(fresh.folder.glob("results/.partial/simulate-*")):
        assert run.poll() is None
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGINT)  # as Ctrl-C in a terminal does
    output = run.communicate(timeout=60)[0]
    assert run.returncode != 0
    assert "Traceback" not in output, output
    assert "surefoot: interrupted: nothing is left half-written. Hint: run the same command again" in output


def test_one_run_at_a_time_makes_results_in_a_folder(fresh):
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    run = subprocess.Popen(**fresh.command("small", **quiet))
    try:
        while not list(fresh.folder.glob("results/.partial/simulate-*")):
            assert run.poll() is None
            time.sleep(0.1)
        os.killpg(run.pid, signal.SIGSTOP)
        fresh.run("small", succeeds=False)
        (refused,) = sentences(fresh)
        assert "another run of the workflow is making results here" in refused
        assert "Traceback" not in fresh.output
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    assert list(fresh.folder.glob("results/.partial/simulate-*"))
    left = fresh.store / "blobs" / ".partial" / f"x@{platform.node()}@{run.pid}@0"
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("half")
    fresh.run("results/simulate/small/sarsa.parquet")
    assert not left.exists() and not list(fresh.folder.glob("results/.partial/*"))


def test_a_damaged_configuration_or_spec_is_one_sentence(checkout):
    spec = "results/spec/collect/small/runs.json"
    for damage in ("", "[]", "\x00"):
        (checkout.folder / spec).write_text(damage)
        done = run_job(checkout, spec)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1) and f"surefoot: {spec}: no spec" in done.stderr
    (checkout.folder / "results/spec/configuration.json").write_text("{")
    command = [sys.executable, "-m", "surefoot", "check"]
    environment = os.environ | {"PYTHONPATH": str(checkout.folder / "src")}
    done = subprocess.run(command, cwd=checkout.folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no checked configuration. Hint: `snakemake --dry-run" in done.stderr


def test_the_command_line_says_whether_results_are_made():
    def found(*arguments):
        return read_command_line(["/bin/snakemake", "--cores", "1", *arguments])

    def asks(*arguments):
        return found(*arguments)[:3]

    known = vars(get_argument_parser().parse_args([]))
    assert set(OTHER_MODES) <= known.keys()
    assert asks() == ([], True, False)
    assert asks("small", "-n") == (["small"], False, True)
    assert asks("check", "why") == (["check", "why"], False, False)
    assert asks("check", "small") == (["check", "small"], True, False)
    for option in ("--summary", "--lint", "--list-rules", "--unlock", "--touch", "--dag"):
        assert asks(option)[1:] == (False, False)
    given = found("check", "-s", "a/Snakefile", "--configfile", "b.yaml", "c.yaml", "--config", "store=y")
    assert given.options == ["--snakefile", "a/Snakefile", "--configfile", "b.yaml", "c.yaml", "--config", "store=y"]
    assert read_command_line(["/bin/pytest", "small"]) is None
