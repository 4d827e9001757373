"""Everything that a paper takes from a study, as files by their paths."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from surefoot.build.job import Job
from surefoot.charts.catalogue import CATALOGUE
from surefoot.charts.names import METRICS, named
from surefoot.configuration.models import Study
from surefoot.errors import HintedError
from surefoot.export.citations import bibtex, cited_keys, read_facts
from surefoot.export.figures import figures
from surefoot.export.latex import escaped, rendered
from surefoot.export.methods import caption_ending, checklist, methods_section
from surefoot.export.runs import RunsBehind, runs_behind
from surefoot.export.tables import is_for_papers, presented, rows_of_the_best, table_files
from surefoot.export.venues import VENUES, Venue
from surefoot.pipeline.drawing_jobs import protocol_drawings, question_drawings
from surefoot.result_tables import read_table
from surefoot.statistics.metrics.entries import METRICS as METRIC_ENTRIES


class Export(NamedTuple):
    """What is written.

    files : contents by path, relative to the folder
    left_out : a sentence for each figure and table that does not fit into the venue
    """

    files: dict[str, bytes]
    left_out: list[str]


class _Drawn(NamedTuple):
    """A figure or table of the study: its kind, the job that drew it and its numbers."""

    kind: str
    job: Job
    numbers: pd.DataFrame

    def path(self, name: str, suffix: str) -> Path:
        return Path(self.job.outputs[f"{name}{suffix}"])

    def inputs(self, name: str) -> set[str]:
        """The names of the tables that it takes."""
        return {need.rpartition("/")[2] for need in self.job.settings["drawings"][name]["inputs"]}


def export(name: str, study: Study, jobs: Sequence[Job], place: Venue, font: str) -> Export:
    """Figures (PDF, SVG), tables (LaTeX, Markdown, CSV), the methods section with its references, the answer for
    the checklist, and a document that includes them.

    Parameters
    ----------
    name : of the study
    jobs : of the plan; results are read where they say
    place : the venue
    font : a family that figures are drawn in
    """
    facts = read_facts()
    drawn = dict(_drawn(name, jobs))
    runs = runs_behind(name, study, jobs, {drawing: (each.job, each.numbers) for drawing, each in drawn.items()})
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    captions: dict[str, str] = {}
    tables: list[str] = []
    labels: dict[str, list[str]] = {}
    for drawing, each in drawn.items():
        answers = _answered(study, each.inputs(drawing))
        if each.kind == "figure":
            specification = each.path(drawing, ".json").read_bytes()
            ending = caption_ending(study, drawing, answers, each.inputs(drawing), runs)
            try:
                pictures = figures(json.loads(specification), place, font, ending)
            except HintedError as error:
                left_out.append(f"{drawing} is left out: {error.what}. Hint: {error.hint}")
                continue
            names = [drawing] if len(pictures) == 1 else [f"{drawing}_{part + 1}" for part in range(len(pictures))]
            for part, picture in zip(names, pictures, strict=True):
                captions[part] = picture.caption
                files |= {f"figures/{part}.pdf": picture.pdf, f"figures/{part}.svg": picture.svg.encode()}
            files |= {f"figures/{drawing}.json": specification}
            new_labels = [f"fig:{part}" for part in names]
        else:
            differences = _differences(study, jobs, name)
            lower = {METRICS.get(key, key): entry.lower_is_better for key, entry in METRIC_ENTRIES.items()}
            best = rows_of_the_best(each.numbers, differences, lower)
            title = _title(drawing, study, each.job)
            notes = [*_notes_on_bold(each.numbers, best, study.confidence), *_origin(drawing, title, runs)]
            column_names = {*study.titles.values(), *runs.titles.values(), *runs.names()}
            shown = presented(each.numbers, best, notes, column_names)
            written, reason = table_files(drawing, title, shown, place)
            files |= written
            left_out += [reason] if reason else []
            tables += [] if reason else [drawing]
            new_labels = [] if reason else [f"tab:{drawing}"]
        files[f"{each.kind}s/{drawing}.csv"] = each.path(drawing, ".csv").read_bytes()
        for question in answers:
            labels.setdefault(question, []).extend(new_labels)
    methods = methods_section(study, runs, facts, labels)
    files["methods.tex"] = methods.encode()
    files["references.bib"] = bibtex(cited_keys(methods)).encode()
    files["checklist.md"] = checklist(study, runs, facts, left_out).encode()
    files["paper.tex"] = _document(study.title, place, captions, tables).encode()
    return Export(files, left_out)


def _drawn(name: str, jobs: Sequence[Job]) -> Iterator[tuple[str, _Drawn]]:
    """The figures and tables of a study by name, without those that only hold sentences for a page."""
    for job in jobs:
        if job.study == name and job.stage == "draw":
            for drawing, settings in job.settings["drawings"].items():
                numbers = read_table(Path(job.outputs[f"{drawing}.csv"]))
                if is_for_papers(numbers):
                    yield drawing, _Drawn(settings["kind"], job, numbers)


def _answered(study: Study, tables: Collection[str]) -> list[str]:
    """The names of the questions whose answers are among some tables."""
    answered = []
    for name, question in study.questions.items():
        # Drawings take the intervals of the game by the names of their methods.
        answers = {name} | ({*getattr(question, "methods", ())} if question.kind == "game_intervals" else set())
        if not answers.isdisjoint(tables):
            answered.append(name)
    return answered


def _title(drawing: str, study: Study, job: Job) -> str:
    catalogue = CATALOGUE[job.settings["figures"]] | question_drawings(study, set()) | protocol_drawings(study)
    return catalogue[drawing].title if drawing in catalogue else drawing.replace("_", " ").capitalize()


def _notes_on_bold(table: pd.DataFrame, best: Sequence[bool], confidence: float) -> list[str]:
    """What bold means in a table, where it has any; and what it means that a metric has none."""
    if not any(best):
        return []
    notes = [f"Bold: the best, and those that simultaneous {100 * confidence:g} % intervals do not separate from it."]
    groups = table["metric_title"] if "metric_title" in table.columns else pd.Series("", table.index)
    if not pd.Series(best, table.index).groupby(groups).any().all():
        notes.append("Where nothing is bold, no such intervals were asked for.")
    return notes


def _origin(drawing: str, title: str, runs: RunsBehind) -> list[str]:
    """Whether a table's numbers come from a record, unless its title says so."""
    if "the record" in title:
        return []
    if drawing in runs.from_record:
        return ["From the record of a larger run."]
    return ["With the record of a larger run beside this one."] if drawing in runs.beside_record else []


def _differences(study: Study, jobs: Sequence[Job], name: str) -> pd.DataFrame | None:
    """The answer to the question which algorithms differ, with its metrics as tables call them, where it is asked."""
    asked = [key for key, question in study.questions.items() if question.kind == "pairwise_differences"]
    paths = [Path(job.outputs[key]) for job in jobs for key in asked if job.study == name and key in job.outputs]
    answers = [read_table(path) for path in paths if path.is_file()]
    if not answers:
        return None
    table = pd.concat(answers, ignore_index=True)
    return table.assign(metric=named(METRICS, table["metric"]))


def _document(title: str, place: Venue, captions: Mapping[str, str], tables: Sequence[str]) -> str:
    """A document that includes everything, for pdfLaTeX and BibTeX with TeX Live's recommended packages."""
    page = VENUES[place.wider] if place.wider else place
    latex = escaped([title, *captions.values()])
    values = {
        "title": latex[title],
        "has_columns": bool(place.wider),
        "width": f"{page.width:g}",
        "gap": f"{page.width - 2 * place.width:g}",
        "height": f"{place.text_height:g}",
        "figures": [(name, latex[caption]) for name, caption in captions.items()],
        "tables": tables,
    }
    return rendered("paper.tex.j2", values)
