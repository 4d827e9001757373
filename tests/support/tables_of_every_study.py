"""Make the tables of a small version of every study in the current folder, one job after the other.

python tables_of_every_study.py [--threads N] [--order SEED] [--block N] [--reversed]. With --order, jobs run in a
random order that respects dependencies; with --block, trials, plays and simulated studies are computed in blocks of
that size; with --reversed, algorithms and environments of trials, and rows of score tables, are in reverse order.
"""

import argparse
import os
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported, as in a job

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.jobs import run_job
from support.paths import ROOT
from support.small_studies import SHIPPED, make_small, write_raw_tables, write_sources

from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.job import Job
from surefoot.workflow.kernel_cache import keep_kernels, kernels_of
from surefoot.workflow.planning.plan import plan
from surefoot.workflow.store import store_folder

ENVIRONMENTS = ["mountain_car", "chain_10_deterministic", "chain_10_stochastic", "gridworld_5_stochastic"]
NOT_TABLES = ("draw", "render")
PLAYED = ["accurate/gc", "inaccurate/grid"]
FEW = {
    "opps_ds": {"budget": [2]},
    "bamcp": {"simulations": [5], "depth": [5]},
    "bfs3": {"rollouts": [1], "samples": [2], "depth": [3]},
}
"""Parameters with which planning agents are fast."""


def configurations(folder: Path, block: int | None, turned: bool) -> Iterator[tuple[dict, list[Path]]]:
    """Yield the configurations: the shipped studies with few trials, with small studies; and published scores."""
    for files in write_sources(folder):
        given = read_configuration(files)
        if files[0] in SHIPPED:
            make_small(given)
            make_smaller(given)
        for study in given["studies"].values():
            for part in (*study.get("sources", {}).values(), *study.get("questions", {}).values()):
                if block is not None and part.get("kind") in ("trials", "plays", "coverage"):
                    part["block"] = block
                    part.pop("block_overrides", None)
            if turned:
                turn(study, folder)
        yield given, files


def turn(study: dict, folder: Path) -> None:
    """Reverse the order of what a study compares."""
    for source in study.get("sources", {}).values():
        if source.get("kind") == "trials":
            source |= {key: source[key][::-1] for key in ("algorithms", "environments") if key in source}
        elif source.get("kind") in ("score_table", "learning_curves"):
            path = source["file"]
            source["file"] = f"turned_{path.replace('/', '_')}"
            table = pd.read_csv(folder / path if (folder / path).is_file() else ROOT / path)
            table[::-1].to_csv(folder / source["file"], index=False)


def make_smaller(given: dict) -> None:
    """Restrict studies to few trials in four environments, and few plays of two distributions."""
    studies = given["studies"]
    jordan, castronovo = studies["jordan2020"], studies["castronovo2016"]
    for name in ("runs", "discrete", "pool_as_published", "pool_corrected"):
        source = jordan["sources"][name]
        source |= {"environments": ENVIRONMENTS, "trials": 6, "block": 3}
        source.pop("trials_overrides", None)
        source.pop("block_overrides", None)
    jordan["sources"]["discrete"]["environments"] = ENVIRONMENTS[1:]  # random policies need discrete environments
    jordan["sources"]["same_hyperparameters"] |= {"environments": ENVIRONMENTS[2:], "hyperparameters": 3, "runs": 4}
    jordan["sources"]["random_policies"]["policies"] = 4
    jordan["n_resamples"] = 10
    for question in jordan["questions"].values():
        if question.get("kind") == "coverage":
            question |= {"sizes": [3], "datasets": 2, "block": 1, "n_resamples": 10}
    jordan["questions"]["sample_distributions"] = {"algorithm": "ac", "environment": "mountain_car", "sizes": [3]}
    jordan["questions"]["tuning"] |= {"repetitions": 2, "candidates": 2, "tuning_runs": 1, "reported_runs": 2}
    jordan["questions"]["best_of_candidates"] |= {"candidates": [1, 2]}
    runs = castronovo["sources"]["runs"]
    runs |= {"environments": PLAYED, "mdps": 2, "block": 1, "horizon": 10}
    first = {agent["agent"]: agent for agent in reversed(runs["agents"])}
    runs["agents"] = [
        {"agent": name, "parameters": agent.get("parameters", {}) | FEW.get(name, {})} for name, agent in first.items()
    ]
    for name, question in studies["example"]["questions"].items():
        question |= {key: 10 for key in ("n_resamples", "datasets") if key in question}
        if name == "evaluation_game_intervals":
            question["n_resamples"] = 10


def in_random_order(jobs: Iterable[Job], seed: int) -> Iterator[Job]:
    """Yield the jobs in random order, each after the jobs whose results it needs."""
    draw = random.Random(seed)
    waiting = list(jobs)
    while waiting:
        missing = {path for job in waiting for path in job.outputs.values()}
        ready = [job for job in waiting if missing.isdisjoint(job.inputs.values())]
        job = draw.choice(ready)
        waiting.remove(job)
        yield job


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--order", type=int)
    parser.add_argument("--block", type=int)
    parser.add_argument("--reversed", action="store_true")
    options = parser.parse_args()
    folder = Path.cwd()
    keep_kernels(kernels_of(store_folder(None)))
    jobs: list[Job] = []
    with pytest.MonkeyPatch.context() as patch:
        for given, files in configurations(folder, options.block, options.reversed):
            write_raw_tables(folder / "folder", patch)
            config = validate_configuration(given, files)
            known = {job.study for job in jobs}
            jobs += [job for job in plan(config) if job.study not in known and job.stage not in NOT_TABLES]
    ordered = jobs if options.order is None else list(in_random_order(jobs, options.order))
    for job in ordered:
        run_job(job, options.threads)


if __name__ == "__main__":
    main()
