"""Settings of simulated trials, in which every algorithm runs with newly drawn hyperparameters."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field

from surefoot.errors import HintedError, nearest, shown
from surefoot.runs.sections import (
    EACH_ONCE,
    UNIQUE,
    Count,
    DescribedSection,
    Name,
    SeveralRuns,
    SomeNames,
    Text,
)
from surefoot.runs.setting_errors import SettingError, check_known, within
from surefoot.runs.sources.own_files import check_file, defined_functions
from surefoot.runs.sources.source_settings import SourceSettings, StudySources, run_source, run_table_path
from surefoot.simulation import simulation_registry
from surefoot.simulation.simulation_registry import PYTHON
from surefoot.workflow.fingerprint import module_path
from surefoot.workflow.job import Job
from surefoot.workflow.measured_seconds import batch_numbers, seconds_of_trial

if TYPE_CHECKING:
    from surefoot.workflow.configuration.models import Configuration

EXAMPLE = "see surefoot.simulation.trial_protocol, and config/example_simulation.py"
MOST_BLOCKS = 100_000
"""Largest number of blocks of a cell; each is a cache entry, and is planned before anything is simulated."""
FUNCTIONS = {"discrete": "tabular", "continuous": "linear", PYTHON: "run_trial"}
"""Functions that an algorithm's module must define, by kind of environment."""

Argument = bool | int | float | str | tuple[Any, ...]
Arguments = Annotated[dict[str, Argument], Field(description="Arguments of the functions in the file, by name.")]


class OwnAlgorithm(DescribedSection):
    """A user-defined algorithm: a complete definition."""

    file: Text
    """Python file that defines the functions for the kinds of environments in use: tabular (discrete), linear
    (continuous) or run_trial (plain Python).
    """
    arguments: Arguments = {}


def _range(ends: tuple[float, float]) -> tuple[float, float]:
    low, high = ends
    if not low < high:
        raise HintedError("", f"[{low:g}, {high:g}] is not a range", "give the lowest return, then the highest")
    return ends


class OwnEnvironment(DescribedSection):
    """A user-defined environment."""

    file: Text
    """Python file that defines the function environment."""
    arguments: Arguments = {}
    kind: Literal["discrete", "continuous", "python"]
    """Kind of the environment: compiled with numbered states (discrete), compiled with states of several real variables
    (continuous), or any Python object, such as a Gymnasium environment (python).
    """
    episodes: Count
    """Number of episodes of a trial."""
    returns: Annotated[tuple[float, float], AfterValidator(_range)]
    """Lowest and highest possible return of an episode, or bounds for them."""


class UserDefined(DescribedSection):
    """User-defined algorithms and environments by name; see config/example_simulation.py."""

    algorithms: dict[Name, OwnAlgorithm] = {}
    """User-defined algorithms by name."""
    environments: dict[Name, OwnEnvironment] = {}
    """User-defined environments by name."""


def _required_unless_inherited(schema: dict[str, Any]) -> None:
    """Make required keys optional for a source with `inherits`, which copies them from another source."""
    schema["anyOf"] = [{"required": ["inherits"]}, {"required": schema.pop("required")}]


@run_source
class Trials(SourceSettings):
    """Simulated trials of algorithms in environments, where every algorithm is completely defined."""

    model_config = ConfigDict(json_schema_extra=_required_unless_inherited)
    default_questions: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "evaluation_game_scores": {},
        "evaluation_game_intervals": {},
    }
    kind: Literal["trials"] = "trials"
    inherits: str | None = None
    """Another source of trials, which supplies the keys that are missing here. If trials is given here,
    trials_overrides is not copied.
    """
    algorithms: Annotated[tuple[str, ...], EACH_ONCE, Field(min_length=2, json_schema_extra=UNIQUE)]
    """Names of the algorithms, in display order."""
    environments: SomeNames
    """Names of the environments, in display order."""
    user_defined: UserDefined = UserDefined()
    """User-defined algorithms and environments by name."""
    trials: SeveralRuns
    """Number of trials of each algorithm in each environment, at least two."""
    trials_overrides: dict[str, SeveralRuns] = {}
    """Exceptions to the number of trials, by algorithm or environment; if several apply, the smallest is used. (In
    discrete environments, sarsa_s is run as sarsa, ac_s as ac and q_s as q: use the shorter names there.)
    """
    block: Count = 500
    """Largest number of trials in one cache entry. Results do not depend on it."""
    block_overrides: dict[str, Count] = {}
    """Exceptions to the block size, by algorithm or environment; if several apply, the smallest is used."""
    batch: Literal["algorithm", "cell", "block"] = "algorithm"
    """Work of one job: an algorithm in all its environments (algorithm), an algorithm in one environment (cell), or,
    for a cluster, as many blocks of an algorithm as take about ten minutes (block).
    """

    @classmethod
    def completed(cls, name: str, entries: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return an entry, with missing keys copied from the source of trials named by `inherits`."""
        entry = entries[name]
        kind = cls.model_fields["kind"].default
        models = [other for other, given in entries.items() if given["kind"] == kind and "inherits" not in given]
        if "inherits" not in entry:
            return entry
        if entry["inherits"] not in models:
            what = f"{shown(entry['inherits'])} is not a source of trials of this study"
            hint = nearest(entry["inherits"], models) if models else "simulate trials in another source"
            raise SettingError([name, "inherits"], what, hint)
        # If `trials` is replaced, trials_overrides is not inherited.
        taken = dict(entries[entry["inherits"]])
        if "trials" in entry:
            taken.pop("trials_overrides", None)
        return taken | dict(entry)

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check that all algorithms and environments are defined, and each algorithm for all kinds of environments."""
        algorithms = simulation_registry.algorithms(self.user_defined.plain())
        environments = simulation_registry.environments(self.user_defined.plain())
        self._check_names("algorithms", algorithms, simulation_registry.ALGORITHMS)
        self._check_names("environments", environments, simulation_registry.ENVIRONMENTS)
        for own_environment, settings in self.user_defined.environments.items():
            with within("user_defined", "environments", own_environment, "file"):
                check_file(settings.file, ["environment"], EXAMPLE)
        for own_algorithm, definition in self.user_defined.algorithms.items():
            kinds = {environments[place].kind for place in self.environments if own_algorithm in self.algorithms}
            with within("user_defined", "algorithms", own_algorithm, "file"):
                check_file(definition.file, [FUNCTIONS[kind] for kind in sorted(kinds)], EXAMPLE)
        for algorithm in self.algorithms:
            for place in self.environments:
                _check_definition(algorithm, algorithms[algorithm].module, place, environments[place].kind)
        self._check_blocks()
        sources = configuration.studies[study].sources.values()
        self._check_exceptions([source for source in sources if isinstance(source, Trials)])

    def _check_names(self, key: str, known: Mapping[str, Any], package: Mapping[str, Any]) -> None:
        """Check the names of algorithms or environments; user-defined ones must be new names and be used.

        Parameters
        ----------
        key : algorithms or environments
        known, package : definitions of the package and of the study, and of the package alone
        """
        simulated = getattr(self, key)
        for position, chosen in enumerate(simulated):
            check_known(chosen, known, [key, position], f'unknown name "{chosen}"')
        for name in getattr(self.user_defined, key):
            if name in package:
                raise SettingError(
                    ["user_defined", key, name],
                    f'"{name}" is already one of Surefoot\'s {key}',
                    "choose another name",
                )
            if self.inherits is None and name not in simulated:
                raise SettingError(["user_defined", key, name], f'"{name}" is not simulated', f"add it to the {key}")

    def _check_blocks(self) -> None:
        """Check that the number of blocks of each cell is small enough for planning."""
        for _, environment, cell, trials in self.rows():
            size = smallest_of(self.block, self.block_overrides, cell, environment)
            if trials > size * MOST_BLOCKS:
                what = f"{trials:,} trials of {cell} in {environment} are {-(-trials // size):,} blocks of {size:,}"
                hint = f"use at least {-(-trials // MOST_BLOCKS):,}, for at most {MOST_BLOCKS:,} blocks"
                raise SettingError(["block"], what, hint)

    def _check_exceptions(self, sources: list["Trials"]) -> None:
        """Check that exceptions to numbers of trials and blocks use names of the study or the package.

        Parameters
        ----------
        sources : all sources of trials of the study
        """
        known = list(dict.fromkeys(part for source in sources for row in source.rows() for part in row[:3]))
        for key in ("trials_overrides", "block_overrides"):
            for chosen in getattr(self, key):
                if chosen not in (*simulation_registry.ALGORITHMS, *simulation_registry.ENVIRONMENTS):
                    what = "it is neither an algorithm nor an environment of this study"
                    check_known(chosen, known, [key, chosen], what)

    def known_names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the algorithms and the environments of the source."""
        return self.algorithms, self.environments

    def known_runs(self) -> tuple[int, int]:
        """Return the smallest and the largest number of trials of an algorithm in an environment."""
        numbers = [trials for *_, trials in self.rows()]
        return min(numbers), max(numbers)

    @classmethod
    def jobs(cls, study: StudySources, sources: Mapping[str, "Trials"]) -> list[Job]:
        """Return the jobs that simulate batches of blocks, and for each source the job that collects its run table.

        All sources of trials of a study share the blocks.
        """
        simulated = _simulations(study, sources)
        made = list(simulated)
        for name, source in sources.items():
            rows = list(source.rows())
            cells = {f"{cell}.{environment}" for _, environment, cell, _ in rows}
            inputs = {job.part: job.outputs["runs"] for job in simulated if cells & job.settings["cells"].keys()}
            outputs = {"runs": run_table_path(study.name, name)}
            made.append(Job("collect", study.name, name, "collect_trials", {"rows": rows}, (), inputs, outputs))
        return made

    def rows(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield (algorithm, environment, algorithm that actually runs, trials) in display order."""
        own = self.user_defined.plain()
        for algorithm in self.algorithms:
            for environment in self.environments:
                cell = simulation_registry.cell(algorithm, environment, own)
                yield algorithm, environment, cell, smallest_of(self.trials, self.trials_overrides, cell, environment)

    def titles(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the titles of the algorithms, and of the environments followed by all others that are known."""
        own = self.user_defined.plain()
        algorithms = simulation_registry.algorithms(own)
        environments = simulation_registry.environments(own)
        return (
            {name: algorithms[name].title for name in self.algorithms},
            {name: environments[name].title for name in (*self.environments, *environments)},
        )


def _check_definition(algorithm: str, module: str, environment: str, kind: str) -> None:
    """Check that an algorithm's module has a function for the given kind of environment."""
    function = FUNCTIONS[kind]
    if function not in defined_functions(module_path(module)):
        what = f'"{algorithm}" has no definition for {kind} environments such as {environment}'
        raise SettingError(["algorithms"], what, f"use other environments, or define {function} in {module}")


def smallest_of(usual: int, others: Mapping[str, int], *names: str) -> int:
    """Return the smallest number that `others` has for any of the names, else `usual`."""
    return min((others[name] for name in names if name in others), default=usual)


def _simulations(study: StudySources, sources: Mapping[str, Trials]) -> list[Job]:
    batches: dict[str, dict[str, dict[str, Any]]] = {}
    for algorithm, blocks in _blocks(sources).items():
        seconds = [size * seconds_of_trial(algorithm, environment) for _, environment, _, _, size in blocks]
        for number, (source, environment, first, trials, size) in zip(batch_numbers(seconds), blocks, strict=True):
            own = source.user_defined.plain()
            cell = f"{algorithm}.{environment}"
            part = {"algorithm": algorithm, "cell": cell, "block": f"{algorithm}.{number}"}[source.batch]
            cells = batches.setdefault(part, {})
            kept = simulation_registry.settings(algorithm, environment, own) | {
                "first": first,
                "trials": 0,
                "block": size,
            }
            kept["modules"] = list(simulation_registry.modules(algorithm, environment, own))
            cells.setdefault(cell, kept)["trials"] += trials
    jobs = []
    for part, cells in batches.items():
        modules = dict.fromkeys(module for cell in cells.values() for module in cell["modules"])
        settings = {"seed": study.seed, "cells": cells}
        outputs = {"runs": f"results/simulate/{study.name}/{part}.parquet"}
        jobs.append(Job("simulate", study.name, part, "simulate_trials", settings, tuple(modules), {}, outputs))
    return jobs


def _blocks(sources: Mapping[str, Trials]) -> dict[str, list[tuple[Trials, str, int, int, int]]]:
    """Return the stored blocks of each algorithm that actually runs.

    Each is (first source that needs it, environment, number of the first trial, number of trials, size of the
    block).
    """
    needed: dict[tuple[str, str], tuple[Trials, int]] = {}
    for source in sources.values():
        for _, environment, cell, trials in source.rows():
            first_source, most = needed.get((cell, environment), (source, 0))
            needed[cell, environment] = first_source, max(trials, most)
    blocks: dict[str, list[tuple[Trials, str, int, int, int]]] = {}
    for (algorithm, environment), (source, trials) in needed.items():
        size = smallest_of(source.block, source.block_overrides, algorithm, environment)
        blocks.setdefault(algorithm, []).extend(
            (source, environment, first, min(size, trials - first), size) for first in range(0, trials, size)
        )
    return blocks
