"""The jobs of studies of coverage: one for each number of runs, of blocks of data sets, and their summary."""

from surefoot.pipeline.jobs import Job
from surefoot.pipeline.run_jobs import run_table


def coverage(name: str, study: dict) -> list[Job]:
    """The jobs of all the study's studies of coverage."""
    jobs = []
    for key, section in study["cover"].items():
        pool = run_table(name, f"pool_{key}" if "simulate" in study else "runs")
        chosen = {part: section[part] for part in ("methods", "confidence", "replicates", "variant", "design")}
        parts = {}
        for size, datasets in zip(section["sizes"], numbers_of_datasets(section), strict=True):
            settings = chosen | {"size": size, "datasets": datasets, "block": section["block"], "seed": study["seed"]}
            settings["skipped"] = sum(parts_size * number for parts_size, number in parts.values())
            parts[f"{key}.{size}"] = (size, datasets)
            output = {"datasets": f"results/cover/{name}/{key}.{size}.parquet"}
            modules = ("surefoot.statistics.coverage",)
            jobs.append(Job("cover", name, f"{key}.{size}", settings, modules, {"pool": pool}, output))
        inputs = {part: f"results/cover/{name}/{part}.parquet" for part in parts} | {"pool": pool}
        output = {"summary": f"results/cover/{name}/{key}.parquet"}
        modules = ("surefoot.statistics.coverage_summary",)
        jobs.append(Job("cover", name, key, {"methods": section["methods"]}, modules, inputs, output))
    return jobs


def numbers_of_datasets(section: dict) -> list[int]:
    """How many data sets there are of each size."""
    datasets = section["datasets"]
    return datasets if isinstance(datasets, list) else [datasets] * len(section["sizes"])
