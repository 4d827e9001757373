"""After an edit exactly the right jobs run, exactly the right ones are found in the store, and no other starts."""

import os
import shutil
import time
from pathlib import Path

import pytest
from checkout import new_checkout

pytestmark = pytest.mark.workflow

SMALL = "config/studies/jordan2020.yaml"
METHODS = ("anderson", "bootstrap", "dkw", "pbp", "pbp_t")


def computed(did):
    return {name for name, what in did.items() if what != "hit"}


def downstream(study, *parts):
    """The jobs that follow from jobs of a study: its figures and page, and the home page."""
    return {*parts, f"draw/{study}/figures", "draw/home/figures", f"render/{study}/page", "render/index/page"}


def estimates(study):
    return {f"estimate/{study}/{method}" for method in METHODS}


def from_runs(study):
    method = "performance_percentile"
    parts = {f"collect/{study}/runs", f"normalize/{study}/{method}", f"aggregate/{study}/{method}"}
    return downstream(study, *parts, *estimates(study))


def test_from_an_empty_store_everything_is_computed(built):
    simulations = {f"simulate/small/{algorithm}" for algorithm in ("sarsa", "q", "ac")}
    assert set(built.did) == simulations | from_runs("small") | from_runs("table")
    assert all(what.startswith("computed") for what in built.did.values())
    assert built.did["simulate/small/sarsa"] == "computed 4 of 4"
    assert "The site: results/render/index.html" in built.output


def test_run_again_nothing_starts(checkout):
    started = time.perf_counter()
    assert checkout.run() == {}
    assert time.perf_counter() - started < 10


def test_a_value_of_one_study_runs_what_depends_on_it(checkout):
    checkout.edit(SMALL, "replicates: 20", "replicates: 30")
    did = checkout.run()
    assert set(did) == downstream("small", "estimate/small/bootstrap")
    assert did["estimate/small/bootstrap"].startswith("computed")


def test_a_value_of_all_intervals_runs_no_simulation(checkout):
    checkout.edit(SMALL, "confidence: 0.9", "confidence: 0.8")
    assert set(checkout.run()) == downstream("small", *estimates("small"))


def test_a_new_algorithm_simulates_that_algorithm_alone(checkout):
    checkout.edit(SMALL, "[sarsa, q, ac]", "[sarsa, q, ac, q_parl2]")
    did = checkout.run()
    assert set(did) == {"simulate/small/q_parl2"} | from_runs("small")
    assert did["simulate/small/q_parl2"] == "computed 4 of 4"


def test_a_new_environment_computes_its_blocks_alone(checkout):
    checkout.edit(
        SMALL,
        "[chain_10_deterministic, gridworld_5_stochastic]",
        "[chain_10_deterministic, gridworld_5_stochastic, chain_10_stochastic]",
    )
    did = checkout.run()
    assert {did[f"simulate/small/{algorithm}"] for algorithm in ("sarsa", "q", "ac")} == {"computed 2 of 6"}


def test_more_trials_compute_the_new_blocks_alone(checkout):
    checkout.edit(SMALL, "trials: 20", "trials: 35")
    did = checkout.run()
    assert {did[f"simulate/small/{algorithm}"] for algorithm in ("sarsa", "q", "ac")} == {"computed 4 of 8"}
    checkout.edit(SMALL, "trials: 35", "trials: 40")
    did = checkout.run()
    assert {did[f"simulate/small/{algorithm}"] for algorithm in ("sarsa", "q", "ac")} == {"computed 0 of 8"}


def test_the_same_values_in_another_order_start_nothing(checkout):
    path = checkout.folder / SMALL
    lines = path.read_text().splitlines()
    confidence = next(line for line in lines if "confidence" in line)
    lines.remove(confidence)
    lines.insert(next(i for i, line in enumerate(lines) if "replicates" in line) + 1, confidence)
    path.write_text("# a comment\n" + "\n".join(lines) + "\n")
    assert checkout.run() == {}


def test_a_value_changed_and_changed_back_is_found_in_the_store(checkout):
    before = checkout.results()
    checkout.edit(SMALL, "confidence: 0.9", "confidence: 0.8")
    checkout.run()
    assert checkout.results() != before
    checkout.edit(SMALL, "confidence: 0.8", "confidence: 0.9")
    did = checkout.run()
    assert set(did) == downstream("small", *estimates("small"))
    assert computed(did) == set()
    assert checkout.results() == before


def test_a_dry_run_of_another_value_starts_nothing_afterwards(checkout):
    checkout.edit(SMALL, "confidence: 0.9", "confidence: 0.8")
    assert checkout.run("--dry-run") == {}
    checkout.edit(SMALL, "confidence: 0.8", "confidence: 0.9")
    assert checkout.run() == {}


def touch(path):
    os.utime(path, (time.time() + 1, time.time() + 1))


@pytest.mark.parametrize(
    "file", ["src/surefoot/statistics/game.py", "results/collect/small/runs.parquet", "scores.csv"]
)
def test_touching_a_file_starts_nothing(checkout, file):
    if file == "scores.csv":
        assert (checkout.folder / file).stat().st_size > 1_000_000
    touch(checkout.folder / file)
    assert checkout.run() == {}


def test_touching_every_file_starts_nothing(checkout):
    for path in checkout.folder.rglob("*"):
        if (
            path.is_file()
            and ".snakemake" not in path.parts
            and "results" not in path.relative_to(checkout.folder).parts
        ):
            touch(path)
    assert checkout.run() == {}


def test_comments_docstrings_and_layout_of_the_code_start_nothing(checkout):
    path = checkout.folder / "src/surefoot/statistics/ranks.py"
    path.write_text(
        '"""Other words."""\n# a comment\n' + path.read_text().partition('"""\n')[2].replace("\n\n\n", "\n\n\n\n")
    )
    assert checkout.run() == {}


def test_the_code_of_the_pipeline_starts_nothing(checkout):
    path = checkout.folder / "src/surefoot/pipeline/log.py"
    path.write_text(path.read_text() + "\n\nUNUSED = 1\n")
    assert checkout.run() == {}


def test_a_refactoring_with_the_same_results_stops_after_its_stage(checkout):
    before = checkout.results()
    path = checkout.folder / "src/surefoot/statistics/anderson.py"
    path.write_text(path.read_text() + "\n\n_UNUSED = 1\n")
    did = checkout.run()
    changed = {"estimate/small/anderson", "estimate/table/anderson"}
    assert computed(did) == changed
    assert set(did) == downstream("small") | downstream("table") | changed
    assert checkout.results() == before


def test_code_that_changes_results_runs_its_stage_and_what_follows(checkout):
    checkout.edit("src/surefoot/statistics/anderson.py", "\ndef mean_limits(", "\ndef _old_mean_limits(")
    path = checkout.folder / "src/surefoot/statistics/anderson.py"
    path.write_text(
        path.read_text()
        + "\n\ndef mean_limits(*arguments):\n    low, high = _old_mean_limits(*arguments)\n    return low - 1.0, high\n"
    )
    did = checkout.run()
    changed = {"estimate/small/anderson", "estimate/table/anderson"}
    assert changed | {"draw/small/figures", "draw/table/figures"} <= computed(did)
    assert set(did) == downstream("small") | downstream("table") | changed


def test_editing_one_agent_leaves_the_others_alone(checkout):
    path = checkout.folder / "src/surefoot/simulation/definitions/actor_critic.py"
    path.write_text(path.read_text() + "\n\n_UNUSED = 1\n")
    did = checkout.run()
    assert computed(did) == {"simulate/small/ac"}
    assert set(did) == {"simulate/small/ac"} | from_runs("small")


def test_editing_a_page_renders_that_page_alone(checkout):
    path = checkout.folder / "reports/index.qmd"
    path.write_text(path.read_text() + "\nOne more sentence.\n")
    started = time.perf_counter()
    assert set(checkout.run()) == {"render/index/page"}
    assert time.perf_counter() - started < 10
    assert "One more sentence." in (checkout.folder / "results/render/index.html").read_text()


def test_lost_metadata_never_leaves_a_stale_result(checkout):
    before = checkout.results()
    shutil.rmtree(checkout.folder / ".snakemake")
    checkout.edit(SMALL, "trials: 20", "trials: 30")
    did = checkout.run()
    assert {did[f"simulate/small/{algorithm}"] for algorithm in ("sarsa", "q", "ac")} == {"computed 2 of 6"}
    changed = checkout.results()
    assert changed["collect/small/runs.parquet"] != before["collect/small/runs.parquet"]
    assert changed["render/small.html"] != before["render/small.html"]


def test_results_put_back_by_hand_without_metadata_are_noticed(checkout, tmp_path):
    shutil.copytree(checkout.folder / "results", tmp_path / "old")
    checkout.edit(SMALL, "confidence: 0.9", "confidence: 0.8")
    checkout.run()
    changed = checkout.results()
    for stage in ("estimate", "draw", "render", "manifest"):
        shutil.copytree(
            tmp_path / "old" / stage, checkout.folder / "results" / stage, dirs_exist_ok=True, copy_function=shutil.copy
        )
    shutil.rmtree(checkout.folder / ".snakemake")
    assert checkout.results() != changed
    checkout.run()
    assert checkout.results() == changed


def test_deleted_results_come_back_from_the_store(checkout):
    before = checkout.results()
    shutil.rmtree(checkout.folder / "results")
    did = checkout.run()
    assert computed(did) == set()
    assert checkout.results() == before


def test_a_second_clone_computes_nothing(built, tmp_path):
    clone = new_checkout(tmp_path / "elsewhere")
    shutil.copytree(built.store, clone.store)
    did = clone.run()
    assert set(did) == set(built.did)
    assert computed(did) == set()
    assert clone.results() == built.results()


def test_an_intermediate_edited_by_hand_is_used_and_found(checkout):
    path = Path("results/aggregate/small/performance_percentile.csv")
    text = (checkout.folder / path).read_text()
    (checkout.folder / path).write_text(text.replace("game_score,q,", "game_score,q, "))
    checkout.run("check")
    assert f"{path}: altered since it was made" in checkout.output
    did = checkout.run()
    assert set(did) == downstream("small")


def test_the_same_bytes_for_one_core_and_two_and_any_batch(built, tmp_path):
    other = new_checkout(tmp_path / "other")
    other.edit(SMALL, "block: 10", "block: 7\n      batch: cell")
    other.run("--cores", "1")
    ours, theirs = built.results(), other.results()
    simulated = {path for path in [*ours, *theirs] if path.startswith("simulate/")}
    assert {
        path: ours[path]
        for path in ours
        if path not in simulated and not path.startswith(("draw/home", "render/index"))
    } == {
        path: theirs[path]
        for path in theirs
        if path not in simulated and not path.startswith(("draw/home", "render/index"))
    }
