"""The jobs of a study's sources, and the tables that they make."""

from collections.abc import Container, Mapping

from surefoot.build.job import Job
from surefoot.sources.settings import SOURCES, SourceSettings, StudySources, end_of_name, run_table_path


def sources() -> dict[str, type[SourceSettings]]:
    """The settings of each kind of source by its name."""
    return dict(sorted(SOURCES.complete().items()))


def source_jobs(study: StudySources) -> list[Job]:
    """The jobs that make the tables of a study's sources, those of a kind together; none of those that cannot be
    had."""
    jobs: list[Job] = []
    for kind in dict.fromkeys(source.kind for source in study.sources.values()):
        chosen = {name: source for name, source in study.sources.items() if source.kind == kind}
        jobs += sources()[kind].jobs(study, chosen)
    return jobs


def tables_of(study: StudySources, jobs: list[Job], studies: Container[str]) -> dict[str, Mapping[str, str]]:
    """Paths of the tables that the sources make, as {table: {name of the file: path}}, of those that can be had.

    jobs : of these sources
    studies : names of those of the configuration, whose runs can be had
    """
    made = {job.part: job.outputs for job in jobs}
    found: dict[str, Mapping[str, str]] = {}
    for name, source in study.sources.items():
        other = source.of_other_study(name)
        if other is not None and other[0] in studies:
            found[name] = {"runs": run_table_path(*other)}
        for table in source.tables(name):
            if end_of_name(name, table) in made.get(name, {}):
                found[table] = {"runs": made[name][end_of_name(name, table)]}
            elif table in made:
                found[table] = {"runs": made[table]["runs"]} if "runs" in made[table] else made[table]
    return found
