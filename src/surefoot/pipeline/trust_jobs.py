"""The jobs that study whether intervals can be trusted: a table of failure rates for each subject.

They are made on request (`snakemake trust`), since they take minutes; the page draws from the records of large runs.
"""

import os

from surefoot.build.job import Job
from surefoot.build.project import PROJECT
from surefoot.configuration.models import Trust
from surefoot.configuration.validation_errors import check_known
from surefoot.statistics.coverage import trust as studies

NAME = "trust"
"""The study, the target and the page that these jobs belong to."""

RECORDS = PROJECT / "reports" / "records" / NAME
INDEX = "record.csv"
"""The index of the records: when each was made, with how many data sets and resamples, by which code."""


def check_subjects(trust: Trust | None) -> None:
    """Whether each subject is one that there is.

    Raises
    ------
    SettingError
    """
    for subject in trust.subjects if trust is not None else ():
        check_known(
            subject, sorted(studies.SUBJECTS), ["trust", "subjects", subject], f'there is no subject "{subject}"'
        )


def trust_jobs(trust: Trust | None) -> list[Job]:
    """One job for each subject that the configuration names."""
    return [] if trust is None else [_job(subject, trust) for subject in trust.subjects]


def _job(subject: str, trust: Trust) -> Job:
    module = f"{studies.__name__}.{studies.SUBJECTS[subject]}"
    settings = trust.subjects[subject].plain() | {"seed": trust.seed, "subject": f"{module}:{subject}"}
    work = "surefoot.questions.failure_rates:answer"
    output = {"failures": f"results/cover/{NAME}/{subject}.csv"}
    return Job("cover", NAME, subject, work, settings, (module,), {}, output, on_request=True)


def recorded_tables() -> dict[str, str]:
    """Paths of the recorded tables, as {"trust/<subject>": path}."""
    paths = sorted(path for path in RECORDS.glob("*.csv") if path.name != INDEX)
    return {f"{NAME}/{path.stem}": os.path.relpath(path) for path in paths}
