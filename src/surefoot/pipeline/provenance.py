"""What a study's page says of how it was made: versions, configuration, the files that it stands on, and its methods.

All of it decides the results, so that a page is the same bytes wherever and whenever it is made of the same things. The
time and the commit are not of that kind: another clone, or a result that was computed again, would change every page
and nothing that it says. They stand in the manifests beside the results; those of a large run stand in its record.
"""

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

import surefoot
from surefoot.build.job import Job, versions
from surefoot.configuration.models import Study
from surefoot.configuration.sections import DIVIDES_WORK
from surefoot.export.citations import SUREFOOT, bibtex
from surefoot.methods.bibliography import citation, read_bibliography
from surefoot.methods.titles import method_title
from surefoot.statistics.metrics.entries import METRICS

FILE = "file@"
"""How the names of those inputs of a page's job begin that are the files which its study stands on."""


def provenance(name: str, study: Study, own: Iterable[Job], page: str, files: Sequence[str] = ()) -> dict[str, Any]:
    """What decides a study's results, beside its files: plain data for the page's job.

    Parameters
    ----------
    name, study : the study
    own : its jobs
    page : the name of its page
    files : of the command line that say something about it, as seen from the folder that has the results
    """
    works = read_bibliography()
    paper = next((key for key in (study.figures, name) if key in works), None)
    return {
        "paper": citation(works[paper]) if paper else "",
        "bibtex": bibtex([*([paper] if paper else []), SUREFOOT]),
        "surefoot": surefoot.__version__,
        "libraries": _libraries(dict.fromkeys(job.stage for job in own)),
        "seed": study.seed,
        "command": shlex.join(["surefoot", "run", page, *(["--configfile", *files] if files else [])]),
        "study": name,
        "configuration": deciding_configuration(study),
        "methods": {method: method_title(*method.split("-", 1)) for method in methods_of(study)},
    }


def record_provenance(name: str, stages: Iterable[str]) -> dict[str, Any]:
    """The same of a page without a study, which is drawn from records: they tell their own seeds.

    Parameters
    ----------
    name : of the page
    stages : of the jobs that draw it
    """
    return {
        "paper": "",
        "bibtex": bibtex([SUREFOOT]),
        "surefoot": surefoot.__version__,
        "libraries": _libraries(stages),
        "command": f"snakemake results/render/{name}.html",
        "methods": {},
    }


def _libraries(stages: Iterable[str]) -> dict[str, str]:
    """The versions of all libraries that jobs of some stages rest on."""
    return dict(sorted((library, version) for stage in stages for library, version in versions(stage).items()))


def deciding_configuration(study: Study) -> dict[str, Any]:
    """The configuration of a study without what only divides its work: its page is the same for any division."""
    configuration = study.plain()
    for section in ("sources", "questions"):
        for settings in configuration.get(section, {}).values():
            for key in DIVIDES_WORK:
                settings.pop(key, None)
    return configuration


def methods_of(study: Study) -> list[str]:
    """Every question, metric, interval method and scale that a study names, as "<kind>-<name>" of the methods page."""
    found: dict[str, None] = {}
    for question in study.questions.values():
        found[f"question-{question.kind}"] = None
        own = "game" if question.kind in ("game_intervals", "coverage") else "interval"
        found |= dict.fromkeys(f"{own}-{method}" for method in getattr(question, "methods", ()))
        metrics = (re.split(r"[ (]", metric.strip(), maxsplit=1)[0] for metric in getattr(question, "metrics", ()))
        found |= dict.fromkeys(f"metric-{metric}" for metric in metrics if metric in METRICS)
    asked = {scale for question in study.questions.values() for scale in question.scales()}
    found |= dict.fromkeys(f"scale-{scale.kind}" for name, scale in study.scales.items() if name in asked)
    return list(found)


def files_of(own: Iterable[Job], made: Iterable[str]) -> dict[str, str]:
    """The files that a study's jobs take and that no job makes, as inputs of the page's job.

    made : paths of all that jobs make, manifests too
    """
    paths = sorted({path for job in own for path in job.inputs.values()}.difference(made))
    return {f"{FILE}{number}": path for number, path in enumerate(paths)}
