"""After an edit exactly the right jobs run, exactly the right ones are found in the store, and no other starts."""

import contextlib
import os
import re
import resource
import shutil
import subprocess
import time

import pytest
from support.small_checkout import SAME_CONTENT, new_checkout

pytestmark = pytest.mark.workflow

SMALL = "config/studies/jordan2020.yaml"
RUNS = ["results/collect/small/runs.parquet"]
SIMULATIONS = {f"simulate/small/{algorithm}" for algorithm in ("sarsa", "q", "ac")}
SEARCH = {"render/search"}
PAGES_OF_THE_PROJECT = {"draw/methods", "render/methods", "render/docs"}


def computed(did):
    return {name for name, what in did.items() if what != "found"}


def shown(study):
    """The jobs that show a study on its own page."""
    return {f"draw/{study}/figures", f"render/{study}"}


def estimates(study):
    """The intervals of a study, each with a job of its own."""
    methods = ("pbp", "bootstrap", "anderson", "dkw") if study == "small" else ("pbp", "anderson", "dkw")
    return {f"estimate/{study}/{method}" for method in methods}


def from_runs(study):
    """The jobs that follow when a study's runs change."""
    scale = f"normalize/{study}/performance_percentile"
    parts = {f"collect/{study}/runs", scale, f"aggregate/{study}/evaluation_game_scores"}
    coverage = {"collect/small/pool", "cover/small/tiny.5", "cover/small/tiny"}
    return parts | estimates(study) | shown(study) | (coverage if study == "small" else set())


def simulated(did):
    """What the simulations did: one word where all three did the same."""
    return {did[name] for name in SIMULATIONS}


@contextlib.contextmanager
def cpu_seconds():
    """A list that holds, afterwards, the CPU seconds of the processes that ran to their end within."""
    used = []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    yield used
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def touch(path):
    os.utime(path, (time.time() + 1, time.time() + 1))


def test_from_an_empty_store_everything_is_computed(built):
    assert set(built.did) == SIMULATIONS | from_runs("small") | from_runs("table") | SEARCH | PAGES_OF_THE_PROJECT
    assert any(built.did[job].startswith("computed") for job in SAME_CONTENT)
    assert {job: what for job, what in built.did.items() if job not in SAME_CONTENT and what == "found"} == {}
    assert simulated(built.did) == {"computed 4 of 4"}


def test_nothing_starts_at_a_second_run(checkout):
    with cpu_seconds() as asking_for_its_version:
        subprocess.run(**checkout.command("--version", capture_output=True), check=True)
    checkout.edit(SMALL, "confidence_level: 0.9", "confidence_level: 0.8")
    assert checkout.run("--dry-run") == {}
    checkout.edit(SMALL, "confidence_level: 0.8", "confidence_level: 0.9")
    started = time.time()
    with cpu_seconds() as running:
        subprocess.run(**checkout.command(capture_output=True), check=True)
    assert checkout.jobs_since(started) == {}
    assert running[0] < 4 * asking_for_its_version[0]


def test_a_run_ends_soon_after_its_last_job(checkout):
    """Snakemake starts a timer with each job, here of two minutes, and Python waits for all timers."""
    missing = checkout.folder / "results/collect/table/runs.parquet"
    missing.unlink()
    started = time.time()
    assert set(checkout.run(str(missing.relative_to(checkout.folder)), "--max-jobs-per-timespan", "500/2m"))
    assert time.time() - started < 60


def test_a_data_file_that_is_replaced_by_an_older_one_is_read(checkout):
    """As `cp -p`, `mv` and archives do it."""
    checkout.edit("scores.csv", "plain,maze,3,", "plain,maze,33,")
    os.utime(checkout.folder / "scores.csv", (1e9, 1e9))
    assert "collect/table/runs" in computed(checkout.run("table"))
    checkout.edit("scores.csv", "plain,maze,33,", "plain,maze,3,")
    os.utime(checkout.folder / "scores.csv", (1e9, 1e9))
    did = checkout.run("table")
    assert "collect/table/runs" in did and computed(did) == set(), "the store has what was made of the first file"


@pytest.mark.long
def test_more_trials_and_data_sets_compute_the_new_blocks_alone(checkout):
    checkout.edit(SMALL, "trials: 20", "trials: 35")
    assert simulated(checkout.run(*RUNS)) == {"computed 4 of 8"}
    checkout.edit(SMALL, "trials: 35", "trials: 40")
    assert simulated(checkout.run(*RUNS)) == {"computed 2 of 8"}, "the last block of each cell had ended at 35"
    checkout.edit(SMALL, "trials: 40", "trials: 20")
    assert computed(checkout.run("small")) == set(), "going back"
    checkout.edit(SMALL, "datasets: 4", "datasets: 6")
    did = checkout.run("results/cover/small/tiny.parquet")
    assert did == {"cover/small/tiny.5": "computed 1 of 3", "cover/small/tiny": "computed 0 of 0"}


def test_what_decides_no_number_starts_nothing(checkout):
    """The order of values, comments, docstrings and layout, the code that moves bytes, and the times of files."""
    path = checkout.folder / SMALL
    lines = path.read_text().splitlines()
    confidence_level = next(line for line in lines if "confidence_level" in line)
    lines.remove(confidence_level)
    lines.insert(next(i for i, line in enumerate(lines) if "n_resamples" in line) + 1, confidence_level)
    path.write_text("# a comment\n" + "\n".join(lines) + "\n")
    path = checkout.folder / "src/surefoot/statistics/arrays.py"
    rest = path.read_text().partition('"""\n')[2]
    path.write_text('"""Other words."""\n# a comment\n' + rest.replace("\n\n\n", "\n\n\n\n"))
    path = checkout.folder / "src/surefoot/workflow/log.py"
    path.write_text(path.read_text() + "\n\nUNUSED = 1\n")
    # Larger than what Snakemake compares by content unless the profile says otherwise.
    assert (checkout.folder / "scores.csv").stat().st_size > 1_000_000
    for path in checkout.folder.rglob("*"):
        of_the_checkout = path.relative_to(checkout.folder).parts[0] not in (".snakemake", "results")
        if path.is_file() and (of_the_checkout or path.name == "runs.parquet"):
            touch(path)
    assert checkout.run() == {}


def test_a_value_changed_and_changed_back_is_found_in_the_store(checkout):
    before = checkout.results()
    checkout.edit(SMALL, "confidence_level: 0.9", "confidence_level: 0.8")
    did = checkout.run("small")
    assert set(did) == estimates("small") | shown("small")
    assert computed(did) == set(did)
    assert checkout.results() != before
    checkout.edit(SMALL, "confidence_level: 0.8", "confidence_level: 0.9")
    did = checkout.run("small")
    assert set(did) == estimates("small") | shown("small")
    assert computed(did) == set()
    assert checkout.results() == before


def test_a_chart_that_is_edited_is_drawn_anew_and_no_other(checkout):
    """A rearrangement with the same results stops there, as Snakemake compares the content of files."""
    before = checkout.results()
    path = checkout.folder / "src/surefoot/charts/game_charts.py"
    path.write_text(path.read_text() + "\n\n_UNUSED = 1\n")
    did = checkout.run("table")
    assert computed(did) == {"draw/table/figures"}
    assert set(did) <= shown("table")
    done, of = map(int, did["draw/table/figures"].split()[1::2])
    assert 0 < done < of
    assert checkout.results() == before


@pytest.mark.long
def test_an_edited_agent_runs_only_what_follows_from_it(checkout):
    path = checkout.folder / "src/surefoot/simulation/agents/actor_critic.py"
    head, _, code = path.read_text().partition('"""\n')
    changed = code.replace("[TRACE_DECAY] = unit_uniform(stream)", "[TRACE_DECAY] = 0.5 * unit_uniform(stream)")
    assert changed != code
    path.write_text(f'{head}"""\n{changed}')
    did = checkout.run("small")
    assert set(did) == {"simulate/small/ac"} | from_runs("small")
    assert computed(did) | SAME_CONTENT == set(did)
    assert did["simulate/small/ac"] == "computed 4 of 4"


def test_editing_a_page_renders_that_page_alone_and_indexes_it(checkout):
    path = checkout.folder / "reports/methods.qmd"
    path.write_text(path.read_text() + "\nOne more sentence.\n")
    assert set(checkout.run()) == {"render/methods", *SEARCH}
    assert "One more sentence." in (checkout.folder / "results/render/methods.html").read_text()


@pytest.mark.long
def test_results_without_snakemakes_records_are_deleted_to_renew(checkout):
    """Snakemake then knows of no parameter, which a dry run says; `surefoot check` counts what other code made."""
    shutil.rmtree(checkout.folder / ".snakemake")
    checkout.edit(SMALL, "confidence_level: 0.9", "confidence_level: 0.8")
    assert checkout.run("small") == {}
    checkout.run("small", "--dry-run", "--quiet", "host")
    assert "missing provenance/metadata" in checkout.output
    path = checkout.folder / "src/surefoot/charts/game_charts.py"
    path.write_text(path.read_text() + "\n\n_UNUSED = 1\n")
    checkout.run("check", program="surefoot", succeeds=False)
    scores = len(list(checkout.folder.glob("results/draw/*/scores.*")))
    drawn = len(list(checkout.folder.glob("results/draw/*/*")))
    assert "results/draw/table/scores.json" in checkout.output and ": no entry in the store: " in checkout.output
    assert scores <= int(re.search(r": 0 problems, (\d+) without an entry\n", checkout.output)[1]) <= drawn
    shutil.rmtree(checkout.folder / "results")
    did = checkout.run("small")
    assert estimates("small") <= computed(did) and SIMULATIONS.isdisjoint(computed(did))
    checkout.run("check", program="surefoot")


@pytest.mark.long
def test_a_second_clone_computes_nothing(built, tmp_path):
    clone = new_checkout(tmp_path / "elsewhere")
    shutil.copytree(built.store, clone.store, dirs_exist_ok=True)
    did = clone.run()
    assert set(did) == set(built.did)
    assert computed(did) == set()
    assert clone.results() == built.results()


@pytest.mark.long
def test_the_same_bytes_for_one_core_and_two_and_any_batch(built, fresh):
    fresh.edit(SMALL, "block: 10", "block: 7\n        batch: cell")
    fresh.run("--cores", "1", "small")
    ours, theirs = (
        {path: content for path, content in checkout.results().items() if "/small" in path and "simulate" not in path}
        for checkout in (built, fresh)
    )
    assert len(ours) > 20
    assert ours == theirs
