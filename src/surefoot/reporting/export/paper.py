"""Export everything that a paper needs from a study: figures, tables, the methods section and references."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.charts.input_tables import files_of
from surefoot.charts.names import METRICS, named
from surefoot.errors import HintedError
from surefoot.reporting.descriptions import methods_job, read_facts
from surefoot.reporting.export.latex import bibtex, cited_keys, escaped, rendered
from surefoot.reporting.export.methods import caption_ending, methods_section, runs_behind
from surefoot.reporting.export.paper_figures import figure
from surefoot.reporting.export.paper_tables import (
    as_latex,
    environments_by_algorithms,
    is_for_papers,
    presented,
    rows_of_the_best,
    why_not_in_latex,
)
from surefoot.reporting.export.venues import VENUES, Venue
from surefoot.runs.result_tables import read_table
from surefoot.runs.text_columns import for_spreadsheets
from surefoot.workflow.configuration.models import Study
from surefoot.workflow.job import Job
from surefoot.workflow.planning.drawing_jobs import protocol_drawings, question_drawings
from surefoot.workflow.project import RECORDS

_COMPUTED_HERE = {"this run", "this study"}
"""Values of the column `source` for numbers that were computed in this run, not recorded."""


class Export(NamedTuple):
    """Files to write.

    files : contents by path, relative to the folder
    left_out : a sentence for each figure or table that is left out, with the reason
    """

    files: dict[str, bytes]
    left_out: list[str]


class _Drawn(NamedTuple):
    """A figure or table of the study: name, kind, the job that drew it, its input tables, and its numbers."""

    name: str
    kind: str
    job: Job
    inputs: Collection[str]
    numbers: pd.DataFrame

    def content(self, suffix: str) -> bytes:
        content = Path(self.job.outputs[f"{self.name}{suffix}"]).read_bytes()
        return for_spreadsheets(content.decode()).encode() if suffix == ".csv" else content

    def shows_a_record(self) -> bool:
        """Return True if its numbers include recorded numbers of a larger run."""
        if "source" in self.numbers.columns and {*self.numbers["source"].dropna()} <= _COMPUTED_HERE:
            return False
        paths = [Path(self.job.inputs[need]).resolve() for need in self.inputs if need in self.job.inputs]
        recorded = any(RECORDS.resolve() in path.parents for path in paths)
        return recorded or f"compare/{self.job.study}/record" in self.inputs


def export(name: str, study: Study, jobs: Sequence[Job], place: Venue, font: str) -> Export:
    """Export figures (PDF, SVG), tables (LaTeX, CSV), the methods section with references, and a main document.

    Parameters
    ----------
    name : name of the study
    jobs : jobs of the plan, from which results are read
    place : the venue
    font : font family of the figures
    """
    facts = read_facts(methods_job().inputs)
    runs = runs_behind(name, study, jobs)
    compared = _comparisons(study, jobs, name)
    level = f"{100 * study.confidence_level:g} %"
    bold = f"Bold: the best, and those that are tied with it by simultaneous intervals of all pairs ({level})."
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    captions: dict[str, str] = {}
    tables: list[str] = []
    for each in _drawn(name, jobs):
        drawing = each.name
        folder = f"{each.kind}s"
        if each.shows_a_record():
            left_out.append(f"{drawing} is left out: it shows the record of a larger run. Hint: quote it from the page")
            continue
        if each.kind == "figure":
            specification = each.content(".json")
            try:
                picture = figure(json.loads(specification), place, font)
            except HintedError as error:
                left_out.append(f"{drawing} is left out: {error.what}. Hint: {error.hint}")
                continue
            ending = caption_ending(study, _answered(study, each.inputs), runs)
            captions[drawing] = f"{picture.caption.rstrip('.')}. {ending}".rstrip(". ")
            files |= {
                f"{folder}/{drawing}.csv": each.content(".csv"),
                f"{folder}/{drawing}.pdf": picture.pdf,
                f"{folder}/{drawing}.svg": picture.svg.encode(),
                f"{folder}/{drawing}.json": specification,
            }
            continue
        files[f"{folder}/{drawing}.csv"] = each.content(".csv")
        best = rows_of_the_best(each.numbers, compared)
        algorithms = {name for counted in runs.sources.values() for name in counted.algorithms}
        names = {*study.titles.values(), *runs.titles.values(), *runs.titles, *algorithms}
        shown = environments_by_algorithms(presented(each.numbers, best, [bold] if any(best) else [], names))
        if reason := why_not_in_latex(shown):
            hint = f"{folder}/{drawing}.csv has the complete table"
            left_out.append(f"{drawing} is left out of LaTeX: {reason}. Hint: {hint}")
        else:
            catalogue = CATALOGUE[each.job.settings["figures"]]
            catalogue = catalogue | question_drawings(study, set()) | protocol_drawings(study)
            title = catalogue[drawing].title if drawing in catalogue else drawing.replace("_", " ").capitalize()
            files[f"{folder}/{drawing}.tex"] = as_latex(shown, f"{title}.", drawing).encode()
            tables.append(drawing)
    methods = methods_section(study, runs, facts)
    files["methods.tex"] = methods.section.encode()
    files["methods_appendix.tex"] = methods.appendix.encode()
    files["references.bib"] = bibtex(cited_keys(methods.section + methods.appendix)).encode()
    files["paper.tex"] = _document(study.title, place, captions, tables).encode()
    return Export(files, left_out)


def _drawn(name: str, jobs: Sequence[Job]) -> Iterator[_Drawn]:
    """Yield the figures and tables of a study, except tables that only contain sentences for a page."""
    for job in jobs:
        if job.study == name and job.stage == "draw":
            for drawing, settings in job.settings["drawings"].items():
                numbers = read_table(Path(job.outputs[f"{drawing}.csv"]))
                if is_for_papers(numbers):
                    names = [name for _, name in files_of(settings["tables"])]
                    yield _Drawn(drawing, settings["kind"], job, names, numbers)


def _answered(study: Study, needs: Collection[str]) -> list[str]:
    """Return the names of the questions whose results are among tables such as "estimate/mine/aggregate_metrics"."""
    tables = {need.rpartition("/")[2] for need in needs}
    # Figures refer to the intervals of game scores by the name of the method.
    return [
        name
        for name, question in study.questions.items()
        if name in tables
        or (question.kind == "evaluation_game_intervals" and not tables.isdisjoint(getattr(question, "methods", ())))
    ]


def _comparisons(study: Study, jobs: Sequence[Job], name: str) -> pd.DataFrame | None:
    """Return which algorithms are tied with the best, with the titles of metrics used in tables."""
    names = [key for key, question in study.questions.items() if question.kind == "multiple_comparisons"]
    paths = [Path(job.outputs[key]) for job in jobs for key in names if job.study == name and key in job.outputs]
    answers = [read_table(path) for path in paths if path.is_file()]
    if not answers:
        return None
    table = pd.concat(answers, ignore_index=True)
    return table.assign(metric=named(METRICS, table["metric"]))


def _document(title: str, place: Venue, captions: Mapping[str, str], tables: Sequence[str]) -> str:
    """Return a document that includes all other files, for pdfLaTeX and BibTeX with TeX Live's recommended packages."""
    page = VENUES[place.wider] if place.wider else place
    latex = escaped([title, *captions.values()])
    values = {
        "title": latex[title],
        "has_columns": bool(place.wider),
        "width": f"{page.width:g}",
        "figure_width": f"{place.width:g}",
        "gap": f"{page.width - 2 * place.width:g}",
        "figures": [(name, latex[caption]) for name, caption in captions.items()],
        "tables": tables,
    }
    return rendered("paper.tex.j2", values)
