"""What the settings of all scales have in common, the decorator that registers them, and the jobs that bring runs to
them; light, since planning imports it.

A scale is a model with the function `ends`, the scores that become 0 and 1. What computes is imported inside it.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from surefoot.build.job import Job
from surefoot.configuration.sections import Count, DescribedSection, SomeNames
from surefoot.registry import Registry
from surefoot.sources.published.source import kept_for

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.statistics.runs.tables import Ends

PublishedRuns = Literal[
    "atari100k",
    "atari100k_protocols",
    "ale200m",
    "ale200m_curves",
    "procgen",
    "dm_control_100k",
    "dm_control_500k",
    "dm_control_published_100k",
    "dm_control_published_500k",
    "machado2018",
    "adkins2024",
]


class ScaleSettings(DescribedSection):
    """An entry of a study's `scales`: which runs are taken, of which source.

    of_pairs : whether it compares every two algorithms, instead of giving each run a score
    """

    of_pairs: ClassVar[bool] = False
    kind: str
    source: str = "runs"
    """Name of the source of the runs."""

    def decisive(self) -> dict[str, Any]:
        """What of it decides the scores of given runs, and the model that it is of, as ``module:name``."""
        model = {"model": f"{type(self).__module__}:{type(self).__name__}"}
        return model | self.model_dump(mode="json", exclude_none=True, exclude={"source"})

    def kept(self) -> dict[str, Path]:
        """The tables that it reads and that are kept with the project, by name."""
        return {}


class ScoreScale(ScaleSettings):
    """A scale that gives each run a score; of some runs if need be.

    phrase : what it is called in a sentence, after "on"
    remedy : what helps where an environment has no such scale
    """

    phrase: ClassVar[str]
    remedy: ClassVar[str] = "every environment needs a score that counts as 0 and a higher one that counts as 1."
    runs: PublishedRuns | None = None
    """Which runs of published tables; other sources have a single run table, which needs no name."""
    algorithms: SomeNames | None = None
    """The algorithms to take, in the order in which they are shown; all of them by default."""
    environments: SomeNames | None = None
    """The environments to take; all of them by default."""
    first_runs: Count | None = None
    """Take only this many runs of each algorithm in each environment, the first ones."""
    fewest_runs: Count | None = None
    """Take only environments in which every algorithm has at least this many runs."""

    hyperparameters: SomeNames | None = None
    """The columns of hyperparameters to keep beside the scores, of a source that has such."""

    def described(self) -> str:
        """What the page says of it, in sentences."""
        return f"Scores are on {self.phrase}."

    def ends(self, runs: "pd.DataFrame", tables: Mapping[str, "pd.DataFrame"]) -> "Ends":
        """The scores that become 0 and 1, of each run.

        Parameters
        ----------
        runs : columns algorithm, environment, run, score, and direction (-1 where scores were negated) where there is
            such
        tables : the contents of what `kept` names
        """
        raise NotImplementedError


class PairScale(ScaleSettings):
    """A scale that compares every two algorithms."""

    of_pairs: ClassVar[bool] = True

    def pairs(self, runs: "pd.DataFrame") -> "pd.DataFrame":
        """What it says of every algorithm against every other in every environment."""
        raise NotImplementedError


SCALES: Registry[type[ScaleSettings]] = Registry("scales", packages=("surefoot.scales",))
"""The settings of each kind of scale by its name."""
Scale = TypeVar("Scale", bound=ScaleSettings)


def scale(settings: type[Scale]) -> type[Scale]:
    """Make a model the settings of the kind of scale that its key `kind` names.

    Raises
    ------
    HintedError
        for a kind that is there already
    """
    SCALES.add(settings.model_fields["kind"].default, settings, settings.__module__)
    return settings


DEFAULTS: Mapping[str, Mapping[str, Any]] = {"performance_percentile": {}, "min_max": {}}
"""Scales that every study has under these names, unless it gives the names to others."""


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
                files |= scale.kept()
            kept = {key: os.path.relpath(file) for key, file in files.items()}
            settings = {"scales": {name: scale.decisive() for name, scale in chosen.items()}}
            modules = tuple(dict.fromkeys(type(scale).__module__ for scale in chosen.values()))
            of_pairs = next(iter(chosen.values())).of_pairs
            work = f"surefoot.scales.scaling:{'normalize_pairs' if of_pairs else 'normalize'}"
            inputs = {**tables[source], **kept}
            jobs.append(Job("normalize", study, part, work, settings, modules, inputs, {"normalized": path}))
            paths |= dict.fromkeys(chosen, path)
    return jobs, paths
