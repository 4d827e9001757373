"""Settings shared by all scales, the decorator that registers them, and the jobs that normalize runs.

Planning imports this module, so heavy imports are inside functions. A scale is a model with a function `ends`, which
returns the scores that become 0 and 1.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, get_args

from surefoot.errors import nearest
from surefoot.registry import Registry
from surefoot.runs.published.published_source import PUBLISHED_TABLES, kept_for
from surefoot.runs.sections import Count, DescribedSection, SomeNames
from surefoot.runs.setting_errors import SettingError, check_known, within
from surefoot.runs.sources.source_settings import CURVES, RUNS
from surefoot.workflow.job import Job

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.statistics.runs.score_arrays import Ends
    from surefoot.workflow.configuration.models import Configuration

PublishedRuns = Literal[
    "atari100k",
    "atari100k_all",
    "atari100k_protocols",
    "ale200m",
    "ale200m_curves",
    "procgen",
    "procgen_all",
    "dm_control_100k",
    "dm_control_500k",
    "dm_control_published_100k",
    "dm_control_published_500k",
    "machado2018",
    "adkins2024",
]


class ScaleSettings(DescribedSection):
    """Entry of a study's `scales`: the source, and a selection of its runs.

    of_pairs : True if the scale compares pairs of algorithms instead of giving each run a score
    """

    of_pairs: ClassVar[bool] = False
    kind: str
    source: str = "runs"
    """Name of the source of the runs."""

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check that the study has the source of this scale.

        Parameters
        ----------
        configuration : the configuration, whose models are validated
        study, name : names of the study and of this scale in it

        Raises
        ------
        SettingError
            If the scale cannot be used; the keys are relative to the scale.
        """
        tables = configuration.studies[study].tables()
        check_known(self.source, tables, [], f'there is no source "{self.source}" in this study')

    def decisive(self) -> dict[str, Any]:
        """Return the settings that determine the scores of given runs, and the model as ``module:name``."""
        model = {"model": f"{type(self).__module__}:{type(self).__name__}"}
        return model | self.model_dump(mode="json", exclude_none=True, exclude={"source"})

    def kept(self) -> dict[str, Path]:
        """Return the paths of the shipped tables that the scale reads, by name."""
        return {}


class ScoreScale(ScaleSettings):
    """Scale that assigns a score to each run, or to a selection of the runs.

    phrase : name of the scale in a sentence, following "on"
    remedy : hint for an environment whose scores cannot be normalized
    """

    phrase: ClassVar[str]
    remedy: ClassVar[str] = "every environment needs a score that counts as 0 and a higher one that counts as 1."
    runs: PublishedRuns | None = None
    """For a source of published tables, the name of the runs to use. Other sources have a single run table, which needs
    no name.
    """
    algorithms: SomeNames | None = None
    """Algorithms to include, in display order. Default: all."""
    environments: SomeNames | None = None
    """Environments to include. Default: all."""
    max_runs: Count | None = None
    """Use only the first runs of each algorithm in each environment, up to this number."""
    min_runs: Count | None = None
    """Use only environments in which every algorithm has at least this many runs."""

    hyperparameters: SomeNames | None = None
    """Columns of hyperparameters to keep in the normalized table."""

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check that the study has the source of this scale, and that the scale names runs of published tables."""
        super().check_in(configuration, study, name)
        if configuration.studies[study].tables()[self.source] == PUBLISHED_TABLES and self.runs is None:
            hint = f"set runs to one of {', '.join(get_args(PublishedRuns))}"
            raise SettingError([], f'no runs of "{self.source}" are named', hint)

    def described(self) -> str:
        """Describe the scale in sentences for a page."""
        return f"Scores are on {self.phrase}."

    def possible(self) -> tuple[float, float] | None:
        """Return the lowest and the highest possible score on this scale; None if unknown."""
        return None

    def ends(self, runs: "pd.DataFrame", tables: Mapping[str, "pd.DataFrame"]) -> "Ends":
        """Return the scores that become 0 and 1, for each run.

        Parameters
        ----------
        runs : DataFrame
            Columns algorithm, environment, run, score, and optionally direction (-1 for negated scores).
        tables : mapping of str to DataFrame
            Contents of the files of `kept`.
        """
        raise NotImplementedError


class PairScale(ScaleSettings):
    """Scale that compares pairs of algorithms."""

    of_pairs: ClassVar[bool] = True

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check that the source has one score per run, and that no source has the same name as this scale."""
        super().check_in(configuration, study, name)
        tables = configuration.studies[study].tables()
        if tables[self.source] == CURVES:
            what = f'"{self.source}" has learning curves, but pairs are compared by the scores of their runs'
            of_runs = [table for table, kind in tables.items() if kind == RUNS]
            raise SettingError([], what, nearest(self.source, of_runs))
        if name in configuration.studies[study].sources:
            raise SettingError([], f'"{name}" is a source of this study', "choose another name")

    def pairs(self, runs: "pd.DataFrame") -> "pd.DataFrame":
        """Return the value for every ordered pair of algorithms in every environment."""
        raise NotImplementedError


SCALES: Registry[type[ScaleSettings]] = Registry("scales", packages=("surefoot.runs.scales",))
"""Settings model of each kind of scale, by name."""
Scale = TypeVar("Scale", bound=ScaleSettings)


def scale(settings: type[Scale]) -> type[Scale]:
    """Register a settings model for a kind of scale, under the default value of its field `kind`.

    Raises
    ------
    HintedError
        If the kind exists already.
    """
    SCALES.add(settings.model_fields["kind"].default, settings, settings.__module__)
    return settings


DEFAULTS = ("performance_percentile", "min_max")
"""Scales that every study has by default, unless it redefines them."""
USUAL_KIND = "none"
"""Kind of a scale whose entry has no key `kind`."""


def scale_jobs(
    study: str,
    asked: Mapping[str, ScaleSettings],
    tables: Mapping[str, Mapping[str, str]],
) -> tuple[list[Job], dict[str, str]]:
    """Return the jobs that normalize runs on the requested scales, and the paths of their outputs by scale.

    A scale of pairs has its own job; score scales share one job per source.

    tables : paths of the sources' tables. Scales of an unavailable source have no job.
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
            settings = {"scales": {name: _decisive(study, name, scale) for name, scale in chosen.items()}}
            modules = tuple(dict.fromkeys(type(scale).__module__ for scale in chosen.values()))
            of_pairs = next(iter(chosen.values())).of_pairs
            rule = "normalize_pairs" if of_pairs else "normalize"
            inputs = {**tables[source], **kept}
            jobs.append(Job("normalize", study, part, rule, settings, modules, inputs, {"normalized": path}))
            paths |= dict.fromkeys(chosen, path)
    return jobs, paths


def _decisive(study: str, name: str, scale: ScaleSettings) -> dict[str, Any]:
    """Return the settings that determine the scores on a scale; an error names the keys of the scale."""
    with within("studies", study, "scales", name):
        return scale.decisive()
