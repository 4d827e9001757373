"""plan: what a run would take before it runs."""

import argparse
import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from surefoot.build.errors import InputError, nearest
from surefoot.build.job import Job
from surefoot.build.store import store_folder
from surefoot.cli.housekeeping import read_checked
from surefoot.cli.pruning import study_of
from surefoot.cli.running import SNAKEFILES, check_configuration_file, own_or_shipped, own_studies, project_snakefile
from surefoot.cli.workflow import drawings_by_name, jobs_behind
from surefoot.configuration.models import Configuration
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.calibration import calibration
from surefoot.pipeline.forecast import Forecast, forecast
from surefoot.pipeline.kept_files import PAGES
from surefoot.pipeline.machines import Machine, cluster, kernels_wanted, one_machine, simulated_run, span
from surefoot.pipeline.plan import plan as planned_jobs

_STAGES = ("simulate", "collect", "normalize", "aggregate", "estimate", "cover", "compare", "draw", "render")
MOST_CORES = 4
"""Numbers of cores in one table, which stays within a hundred columns."""
_LONGEST_NAME = 18
WIDTH = 100
"""Columns of the table and the sentences."""


def plan(options: argparse.Namespace) -> int:
    """Print what the targets would take: jobs, core hours, memory and disk of each study and stage, and the time on
    each number of cores."""
    cores = numbers_of_cores(options.cores)
    config = read_checked(options.configuration) if options.configuration else asked_configuration(options.configfile)
    store = store_folder(config.store)
    jobs = planned_jobs(config)
    targets = options.target or ([] if options.configuration else own_studies(options.configfile))
    asked = jobs_of_targets(targets, jobs, list(config.studies))
    known = calibration(store)
    made = forecast([job for job in jobs if job.manifest in asked], store, known)
    machines = [cluster(number) if options.cluster else one_machine(number) for number in cores]
    sentences = list(runs(made, machines, list(config.studies)))
    if not known.ratios:
        sentences.append(f"Nothing was measured yet in {store}: the seconds are those of another machine.")
    if wanted := kernels_wanted(made):
        sentences.append(told_of_kernels(wanted))
    for line in table(made, machines, list(config.studies)):
        print(line)
    for sentence in sentences:
        print(textwrap.fill(sentence, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))
    return 0


def numbers_of_cores(text: str | None) -> list[int]:
    """The numbers of a text such as "2,16"; by default the cores of this machine.

    Raises
    ------
    InputError
    """
    if text is None:
        return [os.cpu_count() or 1]
    try:
        cores = [int(number) for number in text.split(",")]
    except ValueError:
        cores = []
    if not 1 <= len(cores) <= MOST_CORES or min(cores) < 1:
        hint = f"one to {MOST_CORES} whole numbers from 1 on, separated by commas, such as 2,16,128"
        raise InputError("command line: --cores", f'"{text}" is not a list of numbers of cores', hint)
    return cores


def asked_configuration(overlays: Sequence[str]) -> Configuration:
    """The checked configuration of the workflow that `surefoot run` would run here, with these files laid over it."""
    here = any(Path(name).is_file() for name in SNAKEFILES) and Path("config/config.yaml").is_file()
    folder = Path("config") if here else project_snakefile().parent / "config"
    files = [own_or_shipped(Path(file)) for file in overlays]
    for file in files:
        check_configuration_file(file)
    shipped = [folder / "config.yaml", folder / "trust.yaml", *sorted((folder / "studies").glob("*.yaml"))]
    if not read_configuration(files).get("shipped_studies", True):
        shipped = []
    sources = [*shipped, *files]
    return validate_configuration(read_configuration(sources), sources, PAGES)


def jobs_of_targets(targets: Sequence[str], jobs: Sequence[Job], studies: Sequence[str]) -> set[str]:
    """The manifests of the jobs that targets ask for, directly or through others: studies, figures, tables and files;
    without a target, of all that are made by default.

    Raises
    ------
    InputError
        for a target that is none of these
    """
    paths: list[str] = []
    drawings = drawings_by_name(jobs)
    if not targets or "all" in targets:
        paths += [path for job in jobs if not job.on_request for path in job.outputs.values()]
    names = {job.study for job in jobs}.intersection([*studies, "trust"])
    made = {path for job in jobs for path in job.outputs.values()}
    for target in targets:
        if target in names:
            own = (target, f"{target}_how_many_runs")
            paths += [path for job in jobs if job.study in own for path in job.outputs.values()]
        elif target in made or target in drawings:
            paths += drawings.get(target, [target])
        elif target != "all":
            possible = sorted(made) if "/" in target else sorted(["all", *names])
            raise InputError("command line", f"nothing makes {target}", nearest(target, possible))
    return {job.manifest for job in jobs_behind(paths, jobs)}


def table(made: Sequence[Forecast], machines: Sequence[Machine], studies: Sequence[str]) -> Iterator[str]:
    """The lines of the table: a row for each study, with one for each of its stages, and one for all together."""
    heads = [f"{machine.cores} core{'s' if machine.cores > 1 else ''}" for machine in machines]
    yield _line("study, stage", "jobs", "to make", "core h", "memory", "disk", heads)
    by_study: dict[str, list[Forecast]] = {}
    for each in made:
        by_study.setdefault(_shown_with(each.job.study), []).append(each)
    for study, own in by_study.items():
        needed = _with_inputs(own, made)
        yield _row(study, own, [span(simulated_run(needed, machine, studies).seconds) for machine in machines])
        for stage in _STAGES:
            if parts := [each for each in own if each.job.stage == stage]:
                yield _row(f"  {stage}", parts, [""] * len(machines))
    yield _row("all", made, [span(simulated_run(made, machine, studies).seconds) for machine in machines])


def _shown_with(study: str) -> str:
    """The name under which the jobs of a study are counted: pages and figures of several studies are the site's."""
    return "site" if study in ("home", "index") else study_of(study)


def runs(made: Sequence[Forecast], machines: Sequence[Machine], studies: Sequence[str]) -> Iterator[str]:
    """A sentence for each number of cores: the time, how busy they are, and what keeps it from being shorter."""
    for machine in machines:
        found = simulated_run(made, machine, studies)
        if found.seconds:
            yield f"On {machine.cores:,} cores {span(found.seconds)}, busy to {found.busy:.0%}: {found.reason}."


def _with_inputs(own: Sequence[Forecast], made: Sequence[Forecast]) -> list[Forecast]:
    """The forecasts of some jobs and of all that they need."""
    behind = {
        job.manifest
        for job in jobs_behind(
            [path for each in own for path in each.job.outputs.values()], [each.job for each in made]
        )
    }
    return [each for each in made if each.job.manifest in behind]


def _row(name: str, made: Sequence[Forecast], times: Sequence[str]) -> str:
    waiting = [each for each in made if not each.made]
    hours = sum(each.seconds for each in waiting) / 3600
    memory = size(1e6 * max((each.megabytes for each in waiting), default=0.0))
    disk = size(sum(2 * each.disk + each.kept for each in made))  # the store has the results as well
    shown = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."
    hours_text = f"{hours:,.0f}" if hours >= 100 else f"{hours:.1f}" if hours >= 10 else f"{hours:.3f}"
    return _line(shown, f"{len(made):,}", f"{len(waiting):,}", hours_text, memory, disk, times)


def _line(name: str, jobs: str, to_make: str, hours: str, memory: str, disk: str, times: Sequence[str]) -> str:
    line = f"{name:<{_LONGEST_NAME}}{jobs:>6}{to_make:>8}{hours:>8}{memory:>8}{disk:>8}"
    return (line + "".join(f"{time:>11}" for time in times)).rstrip()


def told_of_kernels(wanted: Mapping[str, int]) -> str:
    """A sentence on the jobs that compile kernels, by study."""
    number = sum(wanted.values())
    compile_first = "1 job compiles" if number == 1 else f"{number:,} jobs compile"
    return f"{compile_first} kernels first ({', '.join(wanted)}); the seconds include that."


def size(number: float) -> str:
    """A number of bytes: "12 MB", "1.3 GB"."""
    for unit, step in (("kB", 1e3), ("MB", 1e6), ("GB", 1e9)):
        if number < 999.5 * step:
            digits = 1 if unit == "GB" and number < 99.5e9 else 0
            return f"{number / step:,.{digits}f} {unit}" if number else "0"
    return f"{number / 1e12:,.1f} TB"
