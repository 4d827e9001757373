"""The jobs of studies of coverage: blocks of data sets of one size, and the summary of all."""

from surefoot.build.job import Job
from surefoot.pipeline.run_jobs import known_bounds, run_table

_COVERAGE = "surefoot.questions.coverage"


def coverage(name: str, study: dict, estimators: dict[str, str]) -> list[Job]:
    """The jobs of all the study's studies of coverage.

    estimators : the module of each method
    """
    jobs = []
    for key, section in study["cover"].items():
        pool = run_table(name, f"pool_{key}" if "simulate" in study else "runs")
        modules = tuple(estimators[method] for method in section["methods"])
        settings = section | {"seed": study["seed"]}
        if "pbp_known_bounds" in section["methods"]:
            settings["bounds"] = known_bounds(study)
        parts = list(_parts(key, settings))
        for part, settings in parts:
            inputs, output = {"pool": pool}, {"intervals": f"results/cover/{name}/{part}.parquet"}
            jobs.append(
                Job("cover", name, part, f"{_COVERAGE}:intervals", settings, modules, inputs, output, in_pieces=True)
            )
        inputs = {part: f"results/cover/{name}/{part}.parquet" for part, _ in parts} | {"pool": pool}
        output = {"summary": f"results/cover/{name}/{key}.parquet"}
        jobs.append(Job("cover", name, key, f"{_COVERAGE}_summary:answer", {}, (), inputs, output))
    return jobs


def numbers_of_datasets(section: dict) -> list[int]:
    """How many data sets there are of each size."""
    datasets = section["datasets"]
    return datasets if isinstance(datasets, list) else [datasets] * len(section["sizes"])


def _parts(key: str, section: dict):
    """(part, settings) of each job that computes intervals."""
    names = ("methods", "confidence", "replicates", "variants", "design", "block", "seed", "bounds")
    shared = {name: section[name] for name in names if name in section}
    start = 0
    for size, datasets in zip(section["sizes"], numbers_of_datasets(section), strict=True):
        step = datasets if section["batch"] == "size" else section["block"]
        for first in range(0, datasets, step):
            settings = shared | {"size": size, "start": start, "first": first}
            part = f"{key}.{size}" if section["batch"] == "size" else f"{key}.{size}.{first // step}"
            yield part, settings | {"datasets": min(step, datasets - first)}
        start += size * datasets if section["design"] == "cut" else 0
