"""Small studies with every kind of job, and stand-ins for results that would take long to compute."""

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.paths import ROOT
from support.stand_in_plays import tables_of_plays
from support.stand_in_tables import (
    analyses,
    coverage_tables,
    limits,
    published_names,
    sharper,
    stand_in_tables,
    subsamples,
)

from surefoot.runs.published import published_source as sources
from surefoot.statistics.comparison.paired_plays import best_runs
from surefoot.statistics.game.percentile import aggregate, payoff_table
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.job import Job
from surefoot.workflow.planning.plan import plan

SHIPPED = [ROOT / "config" / name for name in ("config.yaml", "trust.yaml")]
SHIPPED += sorted((ROOT / "config" / "studies").glob("*.yaml"))
STAND_IN_RUNS = 6
"""Number of stand-in runs of each algorithm in each environment of jordan2020."""

GRID = "{from: 0.1, to: 1, count: 3}"
STUDIES = f"""
render: embedded
address: https://example.org/tracks
studies:
  small:
    title: A small study
    seed: 7
    n_resamples: 20
    sources:
      runs:
        kind: trials
        algorithms: [sarsa, ac, expected_sarsa]
        environments: [chain_10_deterministic, cliff]
        user_defined:
          algorithms: {{expected_sarsa: {{file: example_simulation.py}}}}
          environments:
            cliff:
              file: example_simulation.py
              arguments: {{length: 4}}
              kind: discrete
              episodes: 2
              returns: [-900, -5]
        trials: 6
        block: 3
      random_policies: {{policies: 4, episodes: 1}}
      same_hyperparameters: {{algorithms: [sarsa], environments: [chain_10_deterministic], hyperparameters: 3}}
    questions:
      evaluation_game_scores: {{}}
      evaluation_game_intervals:
        methods: [pbp_matchings, pbp, pbp_t, bootstrap, anderson, dkw]
      sample_distributions: {{algorithm: ac, environment: chain_10_deterministic, sizes: [3]}}
      exploits: {{copies: 2, policies: random_policies}}
      best_of_candidates: {{candidates: [1, 2]}}
      tuning: {{candidates: 2, tuning_runs: 1, reported_runs: 2, repetitions: 2}}
      tiny: {{kind: coverage, sizes: [3], datasets: 2, block: 1, methods: [pbp, bootstrap], n_resamples: 10}}
      cut: {{kind: coverage, sizes: [3], datasets: 2, block: 1, methods: [pbp_t], design: cut}}
      how_many_runs: {{kind: plan_runs, datasets: 4, n_resamples: 10, sizes: [3]}}
      sequential: {{kind: sequential_comparison, n_resamples: 10, algorithms: [sarsa, ac]}}
      false_alarms: {{kind: false_alarm_rates, datasets: 2, n_resamples: 10, rounds: 5, algorithms: [sarsa, ac]}}
  table:
    title: A score table
    n_resamples: 10
    sources:
      runs: {{kind: score_table, file: example_scores.csv}}
      outcomes: {{kind: score_table, file: outcomes.csv, outcomes: binary}}
      tuned: {{kind: score_table, file: tuned.csv, hyperparameters: [step, entropy]}}
      rollouts: {{kind: score_table, file: rollouts.csv, outcomes: binary}}
    scales:
      all: {{kind: min_max}}
      one: {{kind: min_max, algorithms: [sarsa]}}
      tuned: {{source: tuned, kind: min_max, hyperparameters: [step, entropy]}}
      positive:
        kind: reference_scores
        environments: [chain_10_stochastic, gridworld_5_stochastic]
        reference_scores: {{chain_10_stochastic: [-1000, 0], gridworld_5_stochastic: [-1000, 0]}}
    questions:
      evaluation_game_scores: {{}}
      evaluation_game_intervals: {{}}
      hyperparameter_sensitivity: {{scores: [tuned]}}
      effective_dimension: {{scores: [tuned]}}
      hyperparameter_selection: {{scores: [tuned], hyperparameters: [step, entropy]}}
      success_rates: {{source: outcomes}}
      success_rate_differences: {{source: outcomes}}
      sequential_success_rates: {{source: rollouts}}
      evaluation_scores: {{}}
      rank_profile: {{scores: [all], thresholds: {GRID}}}
      aggregate_metrics: {{scores: [all], metrics: [iqm]}}
      times: {{kind: time_profiles, scores: [positive], thresholds: {{from: 1.1, to: 2, count: 3}}}}
      performance_profiles: {{scores: [all], thresholds: {GRID}}}
      gap_curve: {{scores: [all], thresholds: {GRID}}}
      probability_of_improvement: {{scores: [all]}}
      rank_probabilities: {{scores: [all]}}
      pairwise_differences: {{scores: [all]}}
      multiple_comparisons: {{scores: [all], margin: 0.1}}
      group_sequential: {{scores: [all], algorithms: [sarsa, q_parl2], group_size: 3}}
      task_means: {{}}
      shared_run_test: {{scores: [all], size: 2}}
      histograms: {{scores: [one], bins: 3}}
      subsample_metrics: {{scores: [all], metrics: [iqm], sizes: [2], datasets: 4}}
      densities:
        {{kind: subsample_densities, scores: [all], metric: iqm, algorithms: [sarsa, q_parl2], sizes: [2, 3],
         datasets: 4}}
      differences: {{scores: [all], metrics: [iqm], pairs: [[sarsa, q_parl2]], sizes: [2], datasets: 4}}
      lifts: {{scores: [all], metrics: [iqm], lifts: [0, 25], sizes: [2], datasets: 4}}
      trimmed: {{kind: trimmed_errors, scores: [one], fractions: [0, 0.5], size: 2, datasets: 4}}
      protocols: {{scores: [one], metrics: [iqm], settings: 2, runs_of_setting: 2, sizes: [2], datasets: 4}}
      interval_coverage:
        {{scores: [one], metrics: [iqm], methods: [percentile], replacement: [false], sizes: [2], datasets: 2}}
      task_coverages: {{scores: [one], sizes: [2], datasets: 2}}
  curves:
    title: Learning curves
    n_resamples: 10
    sources:
      runs: {{kind: learning_curves, file: example_curves.csv, rule: last}}
    scales:
      last: {{}}
      along: {{source: runs_curves}}
    questions:
      aggregate_metrics: {{metrics: [iqm]}}
      sample_efficiency: {{metrics: [mean], band: simultaneous}}
      curve_differences: {{metric: mean}}
      run_curves: {{}}
      steps_to_threshold: {{threshold: 1}}
  plays:
    title: Plays
    sources:
      runs:
        kind: plays
        environments: [accurate/corridor, inaccurate/gc]
        mdps: 2
        horizon: 5
        transitions: true
        distributions: {{corridor: {{file: example_bayesian.py}}}}
        agents:
          - {{agent: thompson, file: example_bayesian.py, parameters: {{period: [1]}}}}
          - {{agent: random}}
"""
PUBLISHED = f"""
published: {{folder: folder}}
studies:
  published:
    title: Published scores
    n_resamples: 10
    sources:
      atari:
        kind: published
        tables: [recht2018/machado2018_means_stds, ale200m/dopamine_curves,
                 ale200m/dreamerv2_curves]
      others: {{kind: published, tables: [procgen/final_scores, dm_control/final_scores]}}
    scales:
      machado: {{source: atari, runs: machado2018}}
      curves: {{source: atari, runs: ale200m_curves, kind: reference_scores, reference_table: atari_human}}
      procgen: {{source: others, runs: procgen, kind: reference_scores, reference_table: procgen_easy}}
      dm_control: {{source: others, runs: dm_control_published_100k}}
    questions:
      welch: {{kind: welch_profile, scores: [machado], algorithms: [Blob-PROST 200M, DQN 200M], thresholds: {GRID}}}
      differences: {{kind: welch_differences, scores: [machado], algorithms: [Blob-PROST 200M, DQN 200M]}}
      efficiency: {{kind: sample_efficiency, scores: [curves], metrics: [iqm]}}
      intervals: {{kind: published_intervals, scores: [dm_control]}}
      rank_probabilities: {{scores: [procgen]}}
"""
"""Separate configuration, since the shipped studies, which are drawn from records, must not use the folder."""


def write_sources(folder: Path) -> list[list[Path]]:
    """Write the user files of the studies into a folder, and return the files of each configuration."""
    for name in ("example_simulation.py", "example_bayesian.py"):
        shutil.copy(ROOT / "config" / name, folder / name)
    scores = pd.read_csv(ROOT / "config" / "example_scores.csv")
    fewest = scores.groupby(["algorithm", "environment"]).size().min()  # some analyses need as many runs everywhere
    scores.groupby(["algorithm", "environment"]).head(fewest).to_csv(folder / "example_scores.csv", index=False)
    outcomes = [
        (name, "maze", run, trial % divisor == 0)
        for name, divisor in (("a", 2), ("b", 3))
        for run in range(2)
        for trial in range(6 + run)
    ]
    columns = ["algorithm", "environment", "run", "score"]
    pd.DataFrame(outcomes, columns=columns).to_csv(folder / "outcomes.csv", index=False)
    tuned = scores.groupby(["algorithm", "environment"]).head(2)
    settings = [(step, entropy) for step in (0.1, 0.2) for entropy in ("none", "some")]
    tuned = [tuned.assign(step=step, entropy=entropy, score=tuned["score"] * step) for step, entropy in settings]
    pd.concat(tuned).to_csv(folder / "tuned.csv", index=False)
    rollouts = [
        (name, "maze", trial, trial % divisor == 0) for name, divisor in (("a", 2), ("b", 3)) for trial in range(8)
    ]
    pd.DataFrame(rollouts, columns=columns).to_csv(folder / "rollouts.csv", index=False)
    steps = range(1, 6)
    curves = pd.concat([scores.groupby(["algorithm", "environment"]).head(3).assign(step=step) for step in steps])
    curves.assign(score=curves["score"] * curves["step"]).to_csv(folder / "example_curves.csv", index=False)
    write_published(folder / "folder")
    overlay, published = folder / "studies.yaml", folder / "published.yaml"
    overlay.write_text(STUDIES)
    published.write_text(PUBLISHED)
    return [[*SHIPPED, overlay], [published]]


def write_published(folder: Path) -> None:
    """Write tiny published tables that are read as tables, not from raw files."""
    draw = np.random.default_rng(0)
    games = pd.read_csv(ROOT / "config/published/atari_games.csv")
    atari = games[games["in_atari_55"]]["game"].tolist()[:3]

    def rows(**columns):
        table = pd.MultiIndex.from_product(columns.values(), names=list(columns)).to_frame(index=False)
        return table.assign(score=draw.uniform(1, 9, len(table)))

    curves = rows(algorithm=["C51", "DQN (Nature)"], game=atari, run=range(2), iteration=range(200))
    dreamer = rows(game=atari, run=range(2), frames_millions=range(1, 201)).assign(seed=1, variant="dreamerv2")
    environments = pd.read_csv(ROOT / "config/published/procgen_score_ranges.csv")["game"][:2]
    tables = {
        "ale200m/dopamine_curves": curves,
        "ale200m/dreamerv2_curves": dreamer,
        "procgen/final_scores": rows(algorithm=["PPO", "PPG"], env=environments, run=range(2)),
        "dm_control/final_scores": rows(algorithm=["SLAC"], steps=["100k"], env=["finger_spin"], run=range(2)),
    }
    for name, table in tables.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(folder / f"{name}.csv", index=False)


def write_raw_tables(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Write raw files for the published table that is read from raw files, and replace its checksums."""
    content = "\n".join(",".join(f"{row + column}" for column in range(8)) for row in range(60)).encode()
    table, known = "recht2018/machado2018_means_stds", dict(sources.catalogue())
    known[table] = tuple(source._replace(sha256=hashlib.sha256(content).hexdigest()) for source in known[table])
    patch.setattr(sources, "catalogue", lambda: known)
    for source in known[table]:
        path = folder / source.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def make_small(config: dict) -> None:
    """Make the questions of agarwal2021 small, and keep one small subject of `trust`."""
    subjects = (config.get("trust") or {}).get("subjects", {})
    for name in list(subjects)[1:]:
        del subjects[name]
    for subject in subjects.values():
        subject |= {"datasets": 2, "n_resamples": 10}
    study = config["studies"]["agarwal2021"]
    study["n_resamples"] = 10
    for question in study["questions"].values():
        question |= {key: 4 for key in ("n_resamples", "datasets") if key in question}


def stand_ins(study: str, jobs) -> dict[str, pd.DataFrame]:
    """Return stand-in tables by path, for the two studies whose runs take long."""
    if study == "jordan2020":
        tables = stand_in_tables(*published_names(), STAND_IN_RUNS)
        tables |= {"estimate/sample_distributions": subsamples(tables)}
        tables |= coverage_tables() | analyses(tables) | sharper(tables)
    else:
        tables = tables_of_plays()
        places = list(dict.fromkeys(tables["collect/plays"]["environment"]))
        runs = best_runs(tables["collect/plays"], "as_published", places)
        values, weights = aggregate(runs, payoff_table(runs))
        tables |= {
            "collect/runs": runs,
            "aggregate/evaluation_game_scores": values,
            "aggregate/evaluation_game_scores_weights": weights,
        }
        rows = values.astype({"runs": float})
        scores, means = (rows[rows["aggregate"] == name] for name in ("game_score", "mean"))
        for name in ("pbp", "pbp_matchings"):
            tables[f"estimate/{name}"] = limits(scores, name, 0.1, 0.95, 20, None)
        tables["estimate/anderson"] = limits(means, "anderson", 5, 0.999, 20, None)
    made = {}
    for job in jobs:
        for path in job.outputs.values() if job.study == study else ():
            name = f"{job.stage}/{Path(path).stem}"
            if name in tables and job.stage not in ("compare", "draw"):
                made[path] = tables[name]
    return made


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as the stages do."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_parquet(path, index=False) if path.suffix == ".parquet" else table.to_csv(path, index=False)


def planned(configurations: list[list[Path]]) -> list[Job]:
    """Return the jobs of all configurations; a study in several configurations is planned once, by the first."""
    jobs: list[Job] = []
    for files in configurations:
        given = read_configuration(files)
        if not jobs:
            make_small(given)
        studies = {job.study for job in jobs}
        jobs += (job for job in plan(validate_configuration(given, files)) if job.study not in studies)
    return jobs
