"""A job of the workflow: its rule, the settings and code that determine its results, and its files."""

import functools
import importlib.metadata
import json
import platform
from collections.abc import Mapping
from typing import Any, NamedTuple

from surefoot.workflow.files import canonical_json, sha256_text
from surefoot.workflow.fingerprint import fingerprint

_OF_NUMBERS = ("numba", "numpy", "pandas", "pyarrow", "pydantic", "scipy")
LIBRARIES = dict.fromkeys(
    ("simulate", "collect", "normalize", "aggregate", "estimate", "cover", "compare"), _OF_NUMBERS
) | {
    "draw": (*_OF_NUMBERS, "altair", "PyYAML", "vl-convert-python"),
    "render": (*_OF_NUMBERS, "lazy_loader", "pypandoc_binary", "PyYAML", "vl-convert-python"),
}
"""Distributions (names on PyPI) that determine the results of each stage."""
MANY_RESAMPLES = 10_000
"""Number of resamples at which a job uses all cores of a machine."""


class Job(NamedTuple):
    """A job of the workflow.

    Parameters
    ----------
    stage : str
        Folder of the results in ``results/``.
    study, part : str
        Name of the job within the stage; jobs that render pages have no part.
    rule : str
        The Snakemake rule that runs the job.
    settings : dict
        The part of the configuration that determines the results, as plain data.
    modules : tuple of str
        Modules whose code determines the results.
    inputs, outputs : dict of str
        Paths by name.
    on_request : bool, default False
        True if the job runs only when a target requires it.
    work : str
        Function that computes the results.
    """

    stage: str
    study: str
    part: str
    rule: str
    settings: dict[str, Any]
    modules: tuple[str, ...]
    inputs: dict[str, str]
    outputs: dict[str, str]
    on_request: bool = False
    work: str = ""

    @property
    def name(self) -> str:
        """Value of the wildcard in the job's Snakemake rule."""
        return f"{self.study}/{self.part}" if self.part else self.study

    @property
    def log(self) -> str:
        """Path of the job's log."""
        return f"results/logs/{self.stage}/{self.name}.log"

    def plain_settings(self) -> dict[str, Any]:
        """Return the settings with sorted keys and JSON types, so that equal settings have the same form."""
        settings: dict[str, Any] = json.loads(canonical_json(self.settings))
        return settings

    def code(self) -> dict[str, str]:
        """Return the fingerprints of the job's modules, by name."""
        return {module: fingerprint(module) for module in sorted(set(self.modules))}

    def key(self, hashes: Mapping[str, str]) -> str:
        """Return the key of the job's results in the content store, given the SHA-256 of each input by name."""
        code = self.code() | versions(self.stage)
        return result_key(self.work, self.plain_settings(), code, hashes, list(self.outputs))


def result_key(
    work: str, settings: Mapping[str, Any], code: Mapping[str, str], hashes: Mapping[str, str], outputs: list[str]
) -> str:
    """Return the key of a job's results in the content store.

    Parameters
    ----------
    work : str
        Function that computes the results.
    settings, code : mapping
        Results of `Job.plain_settings` and `Job.code`, and the versions of libraries.
    hashes : mapping of str to str
        SHA-256 of each input by name.
    outputs : list of str
        Names of the outputs.
    """
    content = {"work": work, "settings": settings, "code": code, "inputs": hashes, "outputs": sorted(outputs)}
    return sha256_text(canonical_json(content))


_version = functools.cache(importlib.metadata.version)


@functools.cache
def versions(stage: str) -> dict[str, str]:
    """Return the versions of Python and of the libraries that determine the results of a stage."""
    libraries = {name: _version(name) for name in LIBRARIES[stage]}
    # The patch version is omitted, since only minor versions, such as 3.12, change how floats are added.
    return libraries | {"python": ".".join(platform.python_version_tuple()[:2])}


def resamples(settings: Mapping[str, Any]) -> int:
    """Return the largest number of resamples or data sets in a job's question, by default the job's n_resamples."""
    question = settings.get("question", {})
    stated = [question.get(name, 0) for name in ("n_resamples", "datasets")]
    each = [number for given in stated for number in (given if isinstance(given, list | tuple) else [given])]
    return max(each, default=0) or settings.get("n_resamples", 0)
