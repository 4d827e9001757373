"""The figures of a study as Snakemake's own report (`snakemake --report`) shows them: titles, categories, captions."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from surefoot.build.job import Job
from surefoot.charts.catalogue import CATALOGUE
from surefoot.configuration.models import Study
from surefoot.pipeline.question_drawings import question_drawings

_CATEGORIES = {"home": "All studies", "methods": "Methods", "trust": "How far intervals can be trusted"}
"""Of what is drawn for no single study."""


class ReportFigure(NamedTuple):
    """How a report lists a figure: the category that it stands in, its title, and its name."""

    category: str
    title: str
    name: str


def report_figures(job: Job, studies: Mapping[str, Study]) -> Iterator[tuple[str, ReportFigure]]:
    """The pictures of a job that draws, by their paths.

    Parameters
    ----------
    job : of the stage draw
    studies : of the configuration, by name
    """
    known = CATALOGUE[job.settings["figures"]]
    of_questions = question_drawings(studies[job.study], set()) if job.study in studies else {}
    category = _CATEGORIES[job.study] if job.study in _CATEGORIES else studies[job.study].title
    for name, drawing in job.settings["drawings"].items():
        if drawing["kind"] == "figure":
            title = (known.get(name) or of_questions[name]).title
            yield job.outputs[f"{name}.svg"], ReportFigure(category, title, name)


def caption_path(picture: Path, folder: Path) -> Path:
    """Where in a folder the caption of results/draw/<study>/<name>.svg stands: <study>/<name>.rst."""
    return folder / picture.parent.name / f"{picture.stem}.rst"


def write_caption(picture: Path, caption: Path) -> None:
    """Write the caption of a drawn figure, which is the description in the Vega-Lite beside its picture."""
    description = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))["description"]
    caption.parent.mkdir(parents=True, exist_ok=True)
    caption.write_text(escaped(description) + "\n", encoding="utf-8")


def escaped(text: str) -> str:
    """The text as reStructuredText, and as a template of Jinja, that shows it letter for letter."""
    return re.sub(r"[^\w\s]|_", r"\\\g<0>", text)
