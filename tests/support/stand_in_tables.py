"""Stand-in tables for a study: the columns that the stages make, with random or published numbers."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd
from support.paths import ROOT

from surefoot.papers.jordan2020.evidence import deviation_ranges
from surefoot.statistics.reproduction.published_comparison import items

PUBLISHED = ROOT / "config" / "published" / "jordan2020.csv"
METHODS = ("pbp", "pbp_t", "bootstrap")
POINTS = "aggregate/evaluation_game_scores"


def stand_in_tables(
    algorithms: Sequence[str],
    environments: Sequence[str],
    sizes: Mapping[tuple[str, str], int] | int = 30,
    seed: int = 0,
    points: int = 100,
) -> dict[str, pd.DataFrame]:
    """Return tables by name. All scores are negative, and an algorithm `<name>_s` shares the runs of `<name>`."""
    draw = np.random.default_rng(seed)
    runs = _runs(draw, algorithms, environments, sizes)
    tables = {"collect/runs": runs, "published": pd.read_csv(PUBLISHED)}
    scores = _rows(draw, [("game_score", name, "") for name in algorithms])
    means = _rows(draw, [("mean", name, place) for place, name in product(environments, algorithms)], 1000, -1000)
    together = pd.concat([scores, means], ignore_index=True)
    points_table = together.assign(standard_error=1.5, runs=runs.groupby(["algorithm", "environment"]).size().min())
    points_table.loc[points_table["aggregate"] == "game_score", ["standard_error", "runs"]] = np.nan
    columns = ["aggregate", "algorithm", "environment", "estimate", "standard_error", "runs", "rank"]
    tables["aggregate/evaluation_game_scores"] = points_table[columns]
    weights = draw.dirichlet(np.ones(len(algorithms) * len(environments)))
    pairs = list(product(environments, algorithms))
    tables["aggregate/evaluation_game_scores_weights"] = pd.DataFrame(
        {"environment": [e for e, _ in pairs], "opponent": [a for _, a in pairs], "weight": weights}
    )
    for width, method in zip((0.2, 0.1, 0.05), METHODS, strict=True):
        tables[f"estimate/{method}"] = limits(scores, method, width, 0.95, 30, 1000 if method == "bootstrap" else None)
    tables["estimate/anderson"] = limits(means, "anderson", 50, 0.999, 30, None)
    tables["estimate/dkw"] = _bands(runs, points)
    return tables


def analyses(tables: Mapping[str, pd.DataFrame], seed: int = 0) -> dict[str, pd.DataFrame]:
    """Return stand-ins for further results: exploits, best trials, and tuning procedures."""
    draw = np.random.default_rng(seed)
    runs = tables["collect/runs"]
    algorithms, environments = (list(runs[column].unique()) for column in ("algorithm", "environment"))
    ratios = ("performance_ratio_arithmetic", "performance_ratio_geometric")
    every = ("raw", "range", "range_of_means", "probability_of_outperforming", "performance_percentile", *ratios)
    every = (*every, "policy_percentile")
    copies = [f"{kind}/{name}" for name in environments for kind in ("copies", "near_copies")]
    scenarios = ["as_run", "terrible_algorithm", *copies]
    pairs = list(product(scenarios, every)) + list(product([f"reference/{name}" for name in algorithms], ratios))
    exploits = _ranked(draw, pd.DataFrame(pairs, columns=["scenario", "normalization"]), algorithms, "estimate")
    best = _ranked(draw, pd.DataFrame(product([1, 2, 10], environments)), algorithms, "estimate")
    return {
        "aggregate/exploits": exploits,
        "aggregate/best_of_candidates": best.rename(columns={0: "candidates", 1: "environment"}),
        "aggregate/tuning": _procedures(draw, algorithms, environments[:2]),
    }


def _procedures(draw, algorithms, environments) -> pd.DataFrame:
    procedures = ("complete_data_collection", "tune_and_report", "tuning_average")
    table = _ranked(draw, pd.DataFrame(product(environments, procedures)), algorithms, "estimate")
    table = table.rename(columns={0: "environment", 1: "procedure"}).assign(deviation=0.2, claimed_error=0.1, runs=10)
    return table.assign(claimed_error=table["claimed_error"].where(table["procedure"] != "tuning_average"))


def sharper(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return stand-ins for interval methods that are not in the paper."""
    return {"estimate/pbp_matchings": tables["estimate/pbp"].assign(method="pbp_matchings")}


def published_names() -> tuple[list[str], list[str]]:
    """Return the algorithms and the environments of the paper."""
    names = pd.read_csv(PUBLISHED)["item"].str.extract("^mean/(?P<environment>.*)/(?P<algorithm>.*)").dropna()
    return list(names["algorithm"].unique()), list(names["environment"].unique())


def coverage_tables(sizes: Sequence[int] = (10, 30, 100), seed: int = 0) -> dict[str, pd.DataFrame]:
    """Return the tables of two studies of coverage."""
    draw = np.random.default_rng(seed)
    tables = {}
    for variant in ("as_published", "corrected"):
        cells = pd.DataFrame(list(product((*METHODS, "pbp_matchings"), sizes)), columns=["method", "size"])
        for name in ("failure_rate", "failure_rate_truth", "significance", "wrong_order", "mean_width"):
            cells[name], cells[f"{name}_error"] = draw.uniform(size=len(cells)).round(3), 0.01
        tables[f"cover/{variant}"] = cells.assign(datasets=50)
    return tables


def records(tables: Mapping[str, pd.DataFrame], trials: int = 10_000, seed: int = 0) -> dict[str, pd.DataFrame]:
    """Return records of a large run and its coverage. Means are published means plus errors with standard normal z."""
    draw = np.random.default_rng(seed)
    record = tables["published"][tables["published"]["item"].str.startswith("mean/")][["item", "published"]]
    spread = record["item"].map(printed_deviations(tables["published"]))
    error = np.hypot(spread * np.sqrt(1 / trials + 1 / 10_000), 0.05 / np.sqrt(3)).to_numpy()
    z = draw.normal(size=len(record))
    record = record.assign(ours=record["published"] + error * z, standard_error=error, z=z, tolerance=4 * error)
    coverage = [table.assign(variant=name) for name, table in coverage_tables(seed=1).items()]
    coverage = pd.concat(coverage).assign(variant=lambda table: table["variant"].str.removeprefix("cover/"))
    coverage = coverage.assign(pool_trials=20_000, n_resamples=1000)
    record = record.assign(verdict=np.where(np.abs(z) <= 4, "reproduced", "differs"), reason=np.nan, trials=trials)
    return {"record": record, "record_coverage": coverage, "record_intervals": recorded_intervals(tables, trials)}


def recorded_intervals(tables: Mapping[str, pd.DataFrame], trials: int = 10_000) -> pd.DataFrame:
    """Return aggregate scores of a large run of the same algorithms and environments, methods in reverse order."""
    rows = pd.concat([tables[f"estimate/{method}"] for method in reversed(METHODS)], ignore_index=True)
    environments = " ".join(sorted(tables["collect/runs"]["environment"].unique()))
    rows = rows.drop(columns=["aggregate", "environment"]).assign(runs=trials, environments=environments, seed=2020)
    return rows.assign(low=rows["estimate"] - 0.001, high=rows["estimate"] + 0.001)


def subsamples(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return distributions of AC in acrobot from samples of several sizes."""
    rows = tables["estimate/dkw"]
    rows = rows[(rows["algorithm"] == "ac") & (rows["environment"] == "acrobot")]
    return pd.concat(
        [rows.assign(size=size, runs=500, confidence_level=0.95) for size in (50, 100, 500)], ignore_index=True
    )


def tables_of_jordan2020(trials: int = 250) -> dict[str, pd.DataFrame]:
    """Return all tables of the paper's study, including coverage, subsamples and records of a large run."""
    tables = stand_in_tables(*published_names(), trials)
    tables |= coverage_tables() | records(tables) | {"estimate/sample_distributions": subsamples(tables)}
    return tables | analyses(tables) | sharper(tables)


def settings(**changes: object) -> dict:
    """Return facts that the plan knows about a study; drawing functions receive those that they declare."""
    return {
        "question": "Which is best?",
        "titles": {"sarsa_parl2": "Sarsa-Parl2", "q_parl2": "Q-Parl2", "sarsa": "Sarsa(λ)"},
        "environment_titles": {"chain_10_deterministic": "Chain 10 deterministic"},
        "confidence_level": 0.95,
        "variant": "as_published",
        "studies": [{"study": "mine", "title": "My study", "label": "Mine 2020", "claim": "These are best."}],
    } | changes


def _runs(draw, algorithms, environments, sizes) -> pd.DataFrame:
    samples, parts = {}, []
    for environment, algorithm in product(environments, algorithms):
        cell = algorithm.removesuffix("_s")
        count = sizes if isinstance(sizes, int) else sizes[algorithm, environment]
        score = samples.setdefault((cell, environment), -draw.gamma(2.0, 50.0, count))
        part = {"algorithm": algorithm, "environment": environment, "run": range(count), "score": score, "cell": cell}
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _rows(draw, names, scale=1.0, shift=0.0) -> pd.DataFrame:
    table = pd.DataFrame(names, columns=["aggregate", "algorithm", "environment"])
    table["estimate"] = draw.uniform(size=len(table)) * scale + shift
    ranks = table.groupby(["aggregate", "environment"])["estimate"].rank(method="min", ascending=False)
    return table.assign(rank=ranks.astype(int))


def _ranked(draw, groups, algorithms, column) -> pd.DataFrame:
    table = groups.merge(pd.DataFrame({"algorithm": algorithms}), how="cross")
    table[column] = draw.uniform(size=len(table))
    ranks = table.groupby(list(groups.columns))[column].rank(method="min", ascending=False)
    return table.assign(rank=ranks.astype(int))


def limits(table, method, width, confidence_level, runs, n_resamples) -> pd.DataFrame:
    """Return intervals of a method around point values, with two ranks on either side."""
    count = table["algorithm"].nunique()
    table = table.assign(
        method=method,
        low=table["estimate"] - width,
        high=table["estimate"] + width,
        rank_low=(table["rank"] + 2).clip(upper=count),
        rank_high=(table["rank"] - 2).clip(lower=1),
        standard_error=0.01 if method == "bootstrap" else np.nan,
        confidence_level=confidence_level,
        runs=runs,
        n_resamples=np.nan if n_resamples is None else n_resamples,
    )
    order = ["method", "aggregate", "algorithm", "environment", "estimate", "low", "high", "standard_error"]
    table = table[[*order, "rank", "rank_low", "rank_high", "confidence_level", "runs", "n_resamples"]]
    return table if method == "anderson" else table.assign(ties=True)


def _bands(runs, points) -> pd.DataFrame:
    parts = []
    for (environment, algorithm), rows in runs.groupby(["environment", "algorithm"], sort=False):
        score = np.sort(rows["score"].to_numpy())
        kept = np.unique(np.linspace(0, score.size - 1, points).astype(int))
        probability = (kept + 1) / score.size
        part = {"method": "dkw", "algorithm": algorithm, "environment": environment, "probability": probability}
        limits = {"low": np.maximum(probability - 0.1, 0), "high": np.minimum(probability + 0.1, 1)}
        parts.append(pd.DataFrame(part | {"score": score[kept]} | limits))
    return pd.concat(parts, ignore_index=True)


def printed_deviations(published: pd.DataFrame) -> pd.Series:
    """Return a standard deviation of trials that is compatible with the printed limits, by the item of the mean."""
    ranges = deviation_ranges(published)
    return np.sqrt(ranges["least"] * ranges["greatest"])


def published_tables() -> dict[str, pd.DataFrame]:
    """Return tables of the paper's study in which our values equal the published ones, with 250 trials per pair."""
    tables = stand_in_tables(*published_names(), 250)
    published = tables["published"].set_index("item")["published"]
    points = tables[POINTS]
    names = items(points)["item"]
    spread = names.map(printed_deviations(tables["published"]))
    error = (spread / np.sqrt(points["runs"].astype(float))).fillna(points["standard_error"])
    tables[POINTS] = points.assign(estimate=names.map(published), standard_error=error)
    for method in ("pbp", "pbp_t", "bootstrap"):
        rows = tables[f"estimate/{method}"]
        limits = {end: (f"game_score_{end}/{method}/" + rows["algorithm"]).map(published) for end in ("low", "high")}
        value = ("game_score/" + rows["algorithm"]).map(published)
        tables[f"estimate/{method}"] = rows.assign(estimate=value, **limits)
    rows = tables["estimate/anderson"]
    parts = {
        column: f"{name}/" + rows["environment"] + "/" + rows["algorithm"]
        for column, name in (("estimate", "mean"), ("low", "mean_low"), ("high", "mean_high"))
    }
    tables["estimate/anderson"] = rows.assign(**{column: item.map(published) for column, item in parts.items()})
    return tables


def covered(**changes):
    """Return a study of coverage with the published rates and 1,000 data sets of each size, with changed columns."""
    names = pd.read_csv(PUBLISHED).set_index("item")["published"]
    names = names[names.index.str.startswith("coverage/")]
    parts = names.index.str.split("/", expand=True).to_frame(index=False)
    table = parts.assign(estimate=names.to_numpy()).pivot(index=[1, 2], columns=3, values="estimate").reset_index()
    table = table.rename(columns={1: "method", 2: "size"}).astype({"size": int})
    widths = table["method"].map({"pbp": 0.9, "pbp_t": 0.5, "bootstrap": 0.1})
    errors = {"failure_rate_error": 0.001, "significance_error": 0.001}
    return {"cover/as_published": table.assign(mean_width=widths, datasets=1000, **errors).assign(**changes)}
