"""A job of the workflow: its name, what decides its result, its inputs and outputs, and its spec."""

import functools
import importlib.metadata
import platform
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from surefoot.pipeline.fingerprint import STAGES, fingerprint

_OF_NUMBERS = ("numba", "numpy", "pandas", "pyarrow", "scipy")
LIBRARIES = dict.fromkeys(("simulate", "collect", "normalize", "aggregate", "estimate", "cover"), _OF_NUMBERS) | {
    "draw": (*_OF_NUMBERS, "altair", "PyYAML", "vl-convert-python"),
    "render": (
        *("ipykernel", "jupyter_client", "nbclient", "nbformat", "pypandoc_binary", "PyYAML", "vl-convert-python"),
    ),
}
"""The libraries that decide the results of each stage, by the names under which they are distributed."""

READING = "surefoot.pipeline.reading"
"""What reads the tables of other stages in those that take several."""


class Job(NamedTuple):
    """One job of the workflow.

    stage, study, part : its name
    settings : the slice of the configuration that decides its result
    modules : the modules that decide its numbers, beside that of its stage
    inputs, outputs : paths by name
    on_request : whether it runs only if a target asks for it, and not by default
    made_by : by the name of an input that another job makes, the path of the manifest that proves it
    """

    stage: str
    study: str
    part: str
    settings: dict
    modules: tuple[str, ...]
    inputs: dict[str, str]
    outputs: dict[str, str]
    on_request: bool = False
    made_by: Mapping[str, str] = MappingProxyType({})

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


def with_proofs(jobs: Sequence[Job]) -> list[Job]:
    """The jobs, each with the manifests that prove its inputs; a manifest proves itself."""
    proofs = {path: job.manifest for job in jobs for path in (*job.outputs.values(), job.manifest)}
    return [
        job._replace(made_by={name: proofs[path] for name, path in job.inputs.items() if path in proofs})
        for job in jobs
    ]


def resamples(settings: Mapping) -> int:
    """The greatest number of resamples or data sets that a job's analyses ask for; where none does, the job's own."""
    analyses = settings.get("analyses", {}).values()
    stated = [analysis.get(name, 0) for analysis in analyses for name in ("replicates", "datasets")]
    return max(stated, default=0) or settings.get("replicates", 0)


def specification(job: Job) -> dict:
    """The content of the job's spec file."""
    return {
        "stage": job.stage,
        "study": job.study,
        "part": job.part,
        "settings": job.settings,
        "code": {module: fingerprint(module) for module in sorted({f"{STAGES}.{job.stage}", *job.modules})},
        "versions": versions(job.stage),
        "inputs": job.inputs,
        "outputs": job.outputs,
        "made_by": dict(job.made_by),
        "manifest": job.manifest,
    }


@functools.cache
def versions(stage: str) -> dict[str, str]:
    """Versions of Python and of the libraries that decide the stage's results."""
    libraries = {name: importlib.metadata.version(name) for name in LIBRARIES[stage]}
    # Without the last number: corrections of errors do not add floats in another way, as Python 3.12 does.
    return libraries | {"python": ".".join(platform.python_version_tuple()[:2])}
