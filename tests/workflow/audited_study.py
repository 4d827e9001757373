"""Small studies with every kind of job, and stand-ins for results that would take long."""

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from stand_in import analyses, coverage_tables, limits, published_names, sharper, stand_in_tables, subsamples
from stand_in_plays import tables_of_plays

from surefoot.configuration.validation import read_configuration, validate_configuration
from surefoot.sources.published import sources
from surefoot.statistics.aggregation import aggregate
from surefoot.statistics.normalization import normalize
from surefoot.statistics.plays import best_runs

ROOT = Path(__file__).parents[2]
SHIPPED = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
STAND_IN_RUNS = 6
"""Of each pair of jordan2020."""

GRID = "{from: 0.1, to: 1, count: 3}"
STUDIES = f"""
render: embedded
studies:
  small:
    title: A small study
    seed: 7
    simulate:
      algorithms: [sarsa, ac, expected_sarsa]
      environments: [chain_10_deterministic, cliff]
      own:
        algorithms: {{expected_sarsa: {{file: example_simulation.py}}}}
        environments:
          cliff:
            {{file: example_simulation.py, arguments: {{length: 4}}, kind: discrete, episodes: 2, returns: [-900, -5]}}
      trials: 6
      block: 3
    aggregate:
      analyses: [exploits, alpha_rank, best_of_candidates, tuning, run_percentiles]
      random_policies: {{policies: 4, episodes: 1}}
      copies: 2
      alphas: [1, 10]
      candidates: [1, 2]
      tuning:
        {{candidates: 2, hyperparameters: 3, tuning_runs: 1, reported_runs: 2, repetitions: 2,
         algorithms: [sarsa], environments: [chain_10_deterministic]}}
    estimate:
      methods: [pbp, pbp_t, bootstrap, pbp_known_bounds, pbp_u_statistic, pbp_max_t, anderson, dkw]
      replicates: 20
      subsamples: {{algorithm: ac, environment: chain_10_deterministic, sizes: [3]}}
    cover:
      tiny: {{sizes: [3], datasets: 2, block: 1, methods: [pbp, bootstrap], replicates: 10}}
      cut: {{sizes: [3], datasets: 2, block: 1, methods: [pbp_t], design: cut}}
    how_many_runs: {{datasets: 4, replicates: 10, sizes: [3], experiments: 2, rounds: 5, compare: [sarsa, ac]}}
  table:
    title: A score table
    collect: {{file: example_scores.csv}}
    normalize:
      scores:
        runs: {{collected: runs, method: min_max}}
        one: {{collected: runs, method: min_max, algorithms: [sarsa]}}
        positive:
          collected: runs
          method: reference_scores
          environments: [chain_10_stochastic, gridworld_5_stochastic]
          reference_values: {{chain_10_stochastic: [-1000, 0], gridworld_5_stochastic: [-1000, 0]}}
    estimate:
      replicates: 10
      analyses:
        rank_profile: {{kind: rank_profile, scores: [runs], thresholds: {GRID}}}
        aggregates: {{kind: aggregates, scores: [runs], metrics: [iqm]}}
        times: {{kind: time_profiles, scores: [positive], thresholds: {{from: 1.1, to: 2, count: 3}}}}
        profiles: {{kind: profiles, scores: [runs], thresholds: {GRID}}}
        gap_curve: {{kind: gap_curve, scores: [runs], thresholds: {GRID}}}
        improvement: {{kind: improvement, scores: [runs]}}
        ranks: {{kind: ranks, scores: [runs]}}
        run_effects: {{kind: run_effects, scores: [runs], sizes: [2]}}
        histograms: {{kind: histograms, scores: [one], bins: 3}}
        subsamples: {{kind: subsamples, scores: [runs], metrics: [iqm], sizes: [2], datasets: 4}}
        densities: &densities
          {{kind: subsample_densities, scores: [runs], metrics: [iqm], algorithms: [sarsa, q_parl2], sizes_of: [2, 3],
           datasets: 4}}
        differences:
          {{kind: differences, scores: [runs], metrics: [iqm], pairs: [[sarsa, q_parl2]], sizes: [2], datasets: 4}}
        lifts: {{kind: lifts, scores: [runs], metrics: [iqm], lifts: [0, 25], sizes: [2], datasets: 4}}
        trimmed: {{kind: trimmed_errors, scores: [one], fractions: [0, 0.5], sizes: [2], datasets: 4}}
        protocols:
          {{kind: protocols, scores: [one], metrics: [iqm], settings: 2, runs_of_setting: 2, sizes: [2], datasets: 4}}
        coverages:
          {{kind: coverages, scores: [one], metrics: [iqm], methods: [percentile], replacement: [false], sizes: [2],
           datasets: 2}}
        task_coverages: {{kind: task_coverages, scores: [one], sizes: [2], datasets: 2}}
    draw: {{figures: metrics}}
    render: {{page: metrics}}
  plays:
    title: Plays
    bayesian:
      environments: [accurate/corridor, inaccurate/gc]
      mdps: 2
      horizon: 5
      transitions: true
      distributions: {{corridor: {{file: example_bayesian.py}}}}
      agents:
        - {{agent: thompson, file: example_bayesian.py, parameters: {{period: [1]}}}}
        - {{agent: random}}
  published:
    title: Published scores
    collect:
      folder: folder
      published:
        atari: [recht2018/machado2018_means_stds, atari_reference_scores, ale200m/dopamine_curves,
                ale200m/dreamerv2_curves]
        others: [procgen/final_scores, dm_control/final_scores]
    normalize:
      scores:
        machado: {{collected: atari, runs: machado2018}}
        curves: {{collected: atari, runs: ale200m_curves, method: reference_scores, references: human}}
        procgen: {{collected: others, runs: procgen, method: reference_scores, references: easy_mode}}
        dm_control: {{collected: others, runs: dm_control_published_100k}}
    estimate:
      replicates: 10
      analyses:
        welch: {{kind: welch_profile, scores: [machado], algorithms: [Blob-PROST 200M, DQN 200M], thresholds: {GRID}}}
        differences: {{kind: welch_differences, scores: [machado], algorithms: [Blob-PROST 200M, DQN 200M]}}
        efficiency: {{kind: sample_efficiency, scores: [curves], metrics: [iqm]}}
        intervals: {{kind: published_intervals, scores: [dm_control]}}
    draw: {{figures: metrics}}
    render: {{page: metrics}}
"""


def write_sources(folder: Path) -> list[Path]:
    """Put the users' files of these studies into the folder; the configuration files."""
    for name in ("example_simulation.py", "example_bayesian.py"):
        shutil.copy(ROOT / "config" / name, folder / name)
    scores = pd.read_csv(ROOT / "config" / "example_scores.csv")
    fewest = scores.groupby(["algorithm", "environment"]).size().min()  # some analyses need as many runs everywhere
    scores.groupby(["algorithm", "environment"]).head(fewest).to_csv(folder / "example_scores.csv", index=False)
    write_published(folder / "folder")
    overlay = folder / "studies.yaml"
    overlay.write_text(STUDIES)
    return [*SHIPPED, overlay]


def write_published(folder: Path) -> None:
    """Tiny published tables: one made of raw files, the others as tables."""
    draw = np.random.default_rng(0)
    games = pd.read_csv(ROOT / "config/published/atari_games.csv")
    atari = games[games["in_atari_55"]]["game"].tolist()[:3]

    def rows(**columns):
        table = pd.MultiIndex.from_product(columns.values(), names=list(columns)).to_frame(index=False)
        return table.assign(score=draw.uniform(1, 9, len(table)))

    references = games[games["in_atari_55"]].assign(random=0.0, human=10.0, human_world_record=20.0)
    curves = rows(algorithm=["C51", "DQN (Nature)"], game=atari, run=range(2), iteration=range(200))
    dreamer = rows(game=atari, run=range(2), frames_millions=range(1, 201)).assign(seed=1, variant="dreamerv2")
    environments = pd.read_csv(ROOT / "config/published/procgen_score_ranges.csv")["env"][:2]
    tables = {
        "atari_reference_scores": references,
        "ale200m/dopamine_curves": curves,
        "ale200m/dreamerv2_curves": dreamer,
        "procgen/final_scores": rows(algorithm=["PPO", "PPG"], env=environments, run=range(2)),
        "dm_control/final_scores": rows(algorithm=["SLAC"], steps=["100k"], env=["finger_spin"], run=range(2)),
    }
    for name, table in tables.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(folder / f"{name}.csv", index=False)


def write_raw_tables(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Generated raw files of the one table that is not there as a table, and their checksums in the catalogue."""
    content = "\n".join(",".join(f"{row + column}" for column in range(8)) for row in range(60)).encode()
    table, known = "recht2018/machado2018_means_stds", dict(sources.catalogue())
    known[table] = tuple(source._replace(sha256=hashlib.sha256(content).hexdigest()) for source in known[table])
    patch.setattr(sources, "catalogue", lambda: known)
    for source in known[table]:
        path = folder / source.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def overrides(config: dict) -> None:
    """Make the analyses of agarwal2021 small, and one study of trust."""
    subjects = (config["trust"] or {}).get("subjects", {})
    for name in list(subjects)[1:]:
        del subjects[name]
    for subject in subjects.values():
        subject |= {"datasets": 2, "replicates": 10}
    simulated = config["studies"]["agarwal2021"]["normalize"]["scores"]["simulated"]
    simulated |= dict.fromkeys(("fewest_runs", "first_runs"), STAND_IN_RUNS)
    section = config["studies"]["agarwal2021"]["estimate"]
    section["replicates"] = 10
    for analysis in section["analyses"].values():
        for key in ("replicates", "datasets"):
            if key in analysis:
                analysis[key] = 4


def stand_ins(study: str, jobs) -> dict[str, pd.DataFrame]:
    """Tables by path for the drawings of the two studies whose runs take long."""
    if study == "jordan2020":
        tables = stand_in_tables(*published_names(), STAND_IN_RUNS)
        tables |= (
            coverage_tables()
            | {"estimate/sample_distributions": subsamples(tables)}
            | analyses(tables)
            | sharper(tables)
        )
    else:
        tables = tables_of_plays()
        places = list(dict.fromkeys(tables["collect/plays"]["environment"]))
        runs = best_runs(tables["collect/plays"], "as_published", places)
        method = "performance_percentile"
        values, weights = aggregate(runs, normalize(runs, method), method)
        tables |= {"collect/runs": runs, f"aggregate/{method}": values, f"aggregate/{method}_weights": weights}
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
    """As the stages write."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_parquet(path, index=False) if path.suffix == ".parquet" else table.to_csv(path, index=False)


def load(files: list[Path]) -> dict:
    """The checked configuration."""
    checked = validate_configuration(read_configuration(files), files, ROOT / "reports")
    overrides(checked)
    return checked
