"""The plan: every job that a configuration asks for, with its inputs, its outputs and what decides its numbers.

Snakemake takes its inputs from here, `check` the files that belong, `prune` the entries that are needed. Nothing heavy
is imported: the plan is made each time the workflow is parsed.
"""

import functools
import importlib.metadata
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from surefoot.figures.catalogue import CATALOGUE
from surefoot.pipeline.errors import InputError, nearest
from surefoot.pipeline.fingerprint import SOURCE, fingerprint
from surefoot.reporting.front_matter import parameter_names, reads
from surefoot.simulation import registry
from surefoot.simulation.registry import ALGORITHMS, ENVIRONMENTS

ROOT = SOURCE.parent
PAGES = ROOT / "reports"
PUBLISHED = ROOT / "config" / "published"
ASSETS = (".css", ".js", ".lua", ".html")

LIBRARIES = {
    "simulate": ("numba", "numpy", "pyarrow"),
    "collect": ("numpy", "pandas", "pyarrow"),
    "normalize": ("numba", "numpy", "pandas", "pyarrow"),
    "aggregate": ("numba", "numpy", "pandas", "scipy"),
    "estimate": ("numba", "numpy", "pandas", "scipy"),
    "draw": ("altair", "numpy", "pandas", "vl-convert-python"),
    "render": ("nbclient", "pypandoc_binary", "vl-convert-python"),
}


# Named here as well, since the statistics cannot be imported in the moment that parsing takes; a test compares the two.
_ESTIMATES = "surefoot.statistics.estimates"
ESTIMATORS = {
    "pbp": f"{_ESTIMATES}.bound_propagation",
    "pbp_t": f"{_ESTIMATES}.bound_propagation",
    "bootstrap": f"{_ESTIMATES}.resampling",
    "anderson": f"{_ESTIMATES}.means",
    "dkw": f"{_ESTIMATES}.distributions",
}


class Job(NamedTuple):
    """One job of the workflow.

    stage, study, part : its name
    settings : the slice of the configuration that decides its result
    modules : the modules that decide its numbers
    inputs, outputs : paths by name
    """

    stage: str
    study: str
    part: str
    settings: dict
    modules: tuple[str, ...]
    inputs: dict[str, str]
    outputs: dict[str, str]

    @property
    def spec(self) -> str:
        """Path of the spec file."""
        return f"results/spec/{self.stage}/{self.study}/{self.part}.json"

    @property
    def manifest(self) -> str:
        """Path of the manifest."""
        return f"results/manifest/{self.stage}/{self.study}/{self.part}.json"

    @property
    def log(self) -> str:
        """Path of the log."""
        return f"results/logs/{self.stage}/{self.study}/{self.part}.log"


def plan(config: dict) -> list[Job]:
    """All jobs, in an order in which they can run. `config` is validated and has its defaults."""
    jobs: list[Job] = []
    for name, study in config["studies"].items():
        jobs.extend(_study_jobs(name, study))
    jobs.append(_home_drawings(config, jobs))
    return [*jobs, *_pages(config, jobs)]


def specification(job: Job) -> dict:
    """What stands in the job's spec file."""
    return {
        "stage": job.stage,
        "study": job.study,
        "part": job.part,
        "settings": job.settings,
        "code": {module: fingerprint(module) for module in sorted(set(job.modules))},
        "versions": versions(job.stage),
        "inputs": job.inputs,
        "outputs": job.outputs,
        "manifest": job.manifest,
    }


@functools.cache
def versions(stage: str) -> dict[str, str]:
    """Versions of the libraries that decide the stage's results."""
    return {name: importlib.metadata.version(name) for name in LIBRARIES[stage]}


def _relative(path: Path) -> str:
    """The path as seen from the working folder, so that specs do not change when a checkout moves."""
    return os.path.relpath(path)


def _study_jobs(name: str, study: dict) -> list[Job]:
    jobs = _simulate(name, study) if "simulate" in study else []
    runs = f"results/collect/{name}/runs.parquet"
    jobs.append(_collect(name, study, jobs, runs))
    method = study["normalize"]["method"]
    normalized = f"results/normalize/{name}/{method}.parquet"
    jobs.append(
        Job(
            "normalize",
            name,
            method,
            {"method": method},
            ("surefoot.statistics.normalization",),
            {"runs": runs},
            {"normalized": normalized},
        )
    )
    aggregates = f"results/aggregate/{name}/{method}.csv"
    weights = f"results/aggregate/{name}/{method}_weights.csv"
    jobs.append(
        Job(
            "aggregate",
            name,
            method,
            {"method": method},
            ("surefoot.statistics.aggregation",),
            {"runs": runs, "normalized": normalized},
            {"values": aggregates, "weights": weights},
        )
    )
    jobs.extend(_estimate(name, study, chosen, runs) for chosen in study["estimate"]["methods"])
    jobs.append(_drawings(name, study, jobs))
    return jobs


def _simulate(name: str, study: dict) -> list[Job]:
    section = study["simulate"]
    batches: dict[str, dict[str, dict]] = {}
    used: dict[str, set[str]] = {}
    for algorithm, environment in dict.fromkeys(_pairs(section)):
        trials = section["trials_of"].get(environment, section["trials"])
        for first in range(0, trials, section["block"]):
            part = {
                "algorithm": algorithm,
                "cell": f"{algorithm}.{environment}",
                "block": f"{algorithm}.{environment}.{first // section['block']}",
            }[section["batch"]]
            cells = batches.setdefault(part, {})
            settings = registry.settings(algorithm, environment) | {"first": first, "trials": 0}
            cells.setdefault(f"{algorithm}.{environment}", settings)["trials"] += min(section["block"], trials - first)
            used.setdefault(part, set()).update(registry.modules(algorithm, environment))
    return [
        Job(
            "simulate",
            name,
            part,
            {"seed": study["seed"], "block": section["block"], "cells": cells},
            tuple(used[part]),
            {},
            {"runs": f"results/simulate/{name}/{part}.parquet"},
        )
        for part, cells in batches.items()
    ]


def _pairs(section: dict) -> Iterator[tuple[str, str]]:
    """The cells that must be simulated: pairs of the algorithm that really runs and an environment."""
    for algorithm in section["algorithms"]:
        for environment in section["environments"]:
            yield registry.cell(algorithm, environment), environment


def _collect(name: str, study: dict, simulations: list[Job], runs: str) -> Job:
    if simulations:
        section = study["simulate"]
        rows = [
            [algorithm, environment, registry.cell(algorithm, environment)]
            for algorithm in section["algorithms"]
            for environment in section["environments"]
        ]
        settings = {"rows": rows}
        inputs = {job.part: job.outputs["runs"] for job in simulations}
    else:
        settings = {key: value for key, value in study["collect"].items() if key != "file"}
        inputs = {"table": study["collect"]["file"]}
    return Job("collect", name, "runs", settings, ("surefoot.pipeline.score_table",), inputs, {"runs": runs})


def _estimate(name: str, study: dict, method: str, runs: str) -> Job:
    section = study["estimate"]
    settings = {
        "method": method,
        "normalization": study["normalize"]["method"],
        "confidence": section["confidence"],
        "variant": section["variant"],
        "seed": study["seed"],
    }
    if method == "bootstrap":
        settings["replicates"] = section["replicates"]
    output = {"intervals": f"results/estimate/{name}/{method}.csv"}
    return Job(
        "estimate",
        name,
        method,
        settings,
        ("surefoot.statistics.estimation", ESTIMATORS[method]),
        {"runs": runs},
        output,
    )


def _drawings(name: str, study: dict, jobs: list[Job]) -> Job:
    made = {"published": _published(name)} | _tables(name, jobs)
    return _draw(name, study["draw"]["figures"], _drawing_settings(name, study), made)


def _home_drawings(config: dict, jobs: list[Job]) -> Job:
    """The first study answers on the home page; verdicts and durations are of all studies."""
    first = next(iter(config["studies"]))
    made = _tables(first, jobs)
    made |= {f"durations@{job.stage}/{job.study}/{job.part}": job.manifest for job in jobs}
    for job in jobs:
        if "reproduction.csv" in job.outputs:
            made[f"reproduction@{job.study}"] = job.outputs["reproduction.csv"]
    settings = _drawing_settings(first, config["studies"][first])
    settings["studies"] = [[name, study["title"]] for name, study in config["studies"].items()]
    return _draw("home", "home", settings, made)


def _drawing_settings(name: str, study: dict) -> dict:
    named = study.get("simulate", {"algorithms": ALGORITHMS, "environments": ENVIRONMENTS})
    return {
        "study": name,
        "title": study["title"],
        "question": study["question"],
        "estimate": study["estimate"],
        "algorithm_titles": {key: ALGORITHMS[key].title for key in named["algorithms"]},
        "environment_titles": {key: ENVIRONMENTS[key].title for key in named["environments"]},
    }


def _tables(name: str, jobs: list[Job]) -> dict[str, str]:
    """The study's tables by stage and name, such as ``estimate/pbp``."""
    outputs = ((job.stage, Path(path)) for job in jobs if job.study == name for path in job.outputs.values())
    return {f"{stage}/{path.stem}": str(path) for stage, path in outputs}


def _published(name: str) -> str | None:
    path = PUBLISHED / f"{name}.csv"
    return _relative(path) if path.is_file() else None


def _draw(name: str, figures: str, settings: dict, made: dict) -> Job:
    drawings, inputs, outputs, available = CATALOGUE[figures], {}, {}, []
    for drawing_name, drawing in drawings.items():
        wanted = {*drawing.needs, *drawing.optional}
        found = {key: path for key, path in made.items() if key.partition("@")[0] in wanted and path}
        if not {key.partition("@")[0] for key in found}.issuperset(drawing.needs):
            continue  # the study does not ask for the method that this drawing shows
        available.append(drawing_name)
        inputs |= found
        for suffix in drawing_suffixes(drawing.kind):
            outputs[f"{drawing_name}.{suffix}"] = f"results/draw/{name}/{drawing_name}.{suffix}"
    code = ("surefoot.tables", *{drawings[drawing].function.partition(":")[0] for drawing in available})
    settings = {"figures": figures, "drawings": available, **settings}
    return Job("draw", name, "figures", settings, code, inputs, outputs)


def drawing_suffixes(kind: str) -> tuple[str, ...]:
    """A table is its numbers; a figure is its numbers, its Vega-Lite and its picture."""
    return ("csv",) if kind == "table" else ("csv", "json", "svg")


def _pages(config: dict, jobs: list[Job]) -> Iterator[Job]:
    """The page of each study, and the home page, which has no study of its own."""
    # What `auto` stands for here decides the bytes of a page, so it belongs into its spec.
    renderer = config["render"]
    if renderer == "auto":
        renderer = "quarto" if shutil.which("quarto") else "embedded"
    studies = config["studies"]
    links = [("Home", "index.html")]
    links += [(study["label"] or study["title"], f"{name}.html") for name, study in studies.items()]
    settings = {"renderer": renderer, "navigation": links}
    known = {path for job in jobs for path in job.outputs.values()}
    for name, study in studies.items():
        page = PAGES / f"{study['render']['page']}.qmd"
        known_values = {"study": name, "title": study["title"]}
        parameters = {key: known_values[key] for key in parameter_names(page) if key in known_values}
        yield _page(name, page, settings | {"parameters": parameters}, known)
    yield _page("index", PAGES / "index.qmd", settings | {"parameters": {}}, known)


def _page(name: str, page: Path, settings: dict, known: set[str]) -> Job:
    inputs = {"page": _relative(page), "project": _relative(PAGES / "_quarto.yml")}
    for need in reads(page, settings["parameters"]):
        paths = {f"{need}.{suffix}": f"results/{need}.{suffix}" for suffix in ("csv", "json", "svg")}
        found = {key: path for key, path in paths.items() if path in known}
        if not found:
            stems = {path.removeprefix("results/").rpartition(".")[0] for path in known}
            raise InputError(_relative(page), f'reads: nothing makes "{need}"', nearest(need, sorted(stems)))
        inputs |= found
    folder = SOURCE / "surefoot" / "reporting"
    inputs |= {asset.name: _relative(asset) for asset in sorted(folder.iterdir()) if asset.suffix in ASSETS}
    output = {"page": f"results/render/{name}.html"}
    return Job("render", name, "page", settings, ("surefoot.reporting.render",), inputs, output)
