"""The scales by name, and the jobs that bring runs to them."""

import os
from collections.abc import Mapping
from typing import Any

from surefoot.build.job import Job
from surefoot.scales.settings import SCALES, ScaleSettings
from surefoot.sources.published.source import kept_for

DEFAULTS: Mapping[str, Mapping[str, Any]] = {"performance_percentile": {}, "min_max": {}}
"""Scales that every study has under these names, unless it gives the names to others."""


def scales() -> dict[str, type[ScaleSettings]]:
    """The settings of each kind of scale by its name."""
    return dict(sorted(SCALES.complete().items()))


def scale_module(kind: str) -> str:
    """Dotted name of the module of a kind of scale."""
    return SCALES.complete()[kind].__module__


def scale_jobs(
    study: str,
    asked: Mapping[str, ScaleSettings],
    tables: Mapping[str, Mapping[str, str]],
) -> tuple[list[Job], dict[str, str]]:
    """The jobs that bring runs to the scales that are asked for, and the paths of what they make, by scale. A scale of
    pairs has a job of its own, those of scores share one for each source.

    tables : paths of the sources' tables; a source that cannot be had has none, and its scales have no job
    """
    parts: dict[tuple[str, str], dict[str, ScaleSettings]] = {}
    for name, scale in asked.items():
        parts.setdefault((name if scale.of_pairs else scale.source, scale.source), {})[name] = scale
    jobs: list[Job] = []
    paths: dict[str, str] = {}
    for (part, source), chosen in parts.items():
        if source in tables:
            path = f"results/normalize/{study}/{part}.parquet"
            files = kept_for(getattr(scale, "runs", None) for scale in chosen.values())
            for scale in chosen.values():
                files |= scale.kept() | scale.files()
            kept = {key: os.path.relpath(file) for key, file in files.items()}
            settings = {"scales": {name: scale.decisive() for name, scale in chosen.items()}}
            modules = tuple(dict.fromkeys(scale_module(scale.kind) for scale in chosen.values()))
            of_pairs = next(iter(chosen.values())).of_pairs
            work = f"surefoot.scales.scaling:{'normalize_pairs' if of_pairs else 'normalize'}"
            inputs = {**tables[source], **kept}
            jobs.append(Job("normalize", study, part, work, settings, modules, inputs, {"normalized": path}))
            paths |= dict.fromkeys(chosen, path)
    return jobs, paths
