"""All that a paper takes from a study that was made, as files by their paths."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from surefoot.build.job import Job
from surefoot.charts.catalogue import CATALOGUE
from surefoot.charts.names import METRICS, named
from surefoot.configuration.models import Study
from surefoot.errors import HintedError
from surefoot.export.captions import making
from surefoot.export.checklist import checklist
from surefoot.export.citations import bibtex, cited_keys, known_facts
from surefoot.export.document import document
from surefoot.export.figures import figures
from surefoot.export.latex import (
    MOST_COLUMNS,
    SMALLEST,
    booktabs,
    escaped,
    natural_lines,
    natural_width,
    smallest_scale,
)
from surefoot.export.methods_section import RunsBehind, methods_section
from surefoot.export.records import Records, records_of
from surefoot.export.runs import CountedRuns, counted_runs, runs_of_scales
from surefoot.export.tables import MOST_ROWS, Presented, as_markdown, is_for_papers, presented, rows_of_the_best
from surefoot.export.venues import POINTS_AN_INCH, VENUES, Venue
from surefoot.pipeline.protocol_drawings import protocol_drawings
from surefoot.pipeline.question_drawings import question_drawings
from surefoot.pipeline.training_tables import tables_along_training
from surefoot.questions.game_intervals.settings import Settings as GameIntervals
from surefoot.result_tables import read_table
from surefoot.statistics.metrics.entries import METRICS as KNOWN_METRICS


class Export(NamedTuple):
    """What is written.

    files : contents by path, relative to the folder
    left_out : a sentence for each figure and table that does not fit into the venue
    """

    files: dict[str, bytes]
    left_out: list[str]


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
    facts = known_facts()
    own = [job for job in jobs if job.study == name]
    drawn = {drawing: (job, kind) for job in own if job.stage == "draw" for drawing, kind in _drawings(job)}
    numbers = {drawing: read_table(Path(job.outputs[f"{drawing}.csv"])) for drawing, (job, _) in drawn.items()}
    # Others are sentences of a page, or a figure that only says that there is nothing to show.
    drawn = {drawing: found for drawing, found in drawn.items() if is_for_papers(numbers[drawing])}
    runs = runs_behind(name, study, jobs, {drawing: (job, numbers[drawing]) for drawing, (job, _) in drawn.items()})
    files: dict[str, bytes] = {}
    captions: dict[str, str] = {}
    left_out, tables = [], []
    differences = _differences(study, jobs, name)
    names = {*study.titles.values(), *runs.titles.values(), *_names_of(runs)}
    known = question_drawings(study, set()) | protocol_drawings(study)
    for drawing, (job, kind) in drawn.items():
        table, csv = numbers[drawing], Path(job.outputs[f"{drawing}.csv"]).read_bytes()
        if kind == "figure":
            ending = making(study, drawing, _answered(study, job, drawing), _tables(job, drawing), runs)
            specification = Path(job.outputs[f"{drawing}.json"]).read_bytes()
            try:
                made = figures(json.loads(specification), place, font, ending)
            except HintedError as error:
                left_out.append(f"{drawing} is left out: {error.what}. Hint: {error.hint}")
                continue
            for part, picture in zip(_parts(drawing, len(made)), made, strict=True):
                captions[part] = picture.caption
                files |= {f"figures/{part}.pdf": picture.pdf, f"figures/{part}.svg": picture.svg.encode()}
            files |= {f"figures/{drawing}.csv": csv, f"figures/{drawing}.json": specification}
        else:
            best = rows_of_the_best(table, differences, _lower_is_better())
            notes = _notes_on_bold(table, best, study.confidence)
            catalogue = CATALOGUE[job.settings["figures"]] | known
            origin = _origin(drawing, runs.records)
            title = catalogue[drawing].title if drawing in catalogue else drawing.replace("_", " ").capitalize()
            notes += [origin] if origin and "the record" not in title else []
            shown = presented(table, best, notes, names)
            written, sentence = _table(drawing, title, shown, place)
            files |= written | {f"tables/{drawing}.csv": csv}
            left_out += [sentence] if sentence else []
            tables += [] if sentence else [drawing]
    methods = methods_section(study, runs, facts, _shown_by(study, drawn, captions, tables))
    files["methods.tex"] = methods.encode()
    files["references.bib"] = bibtex(cited_keys(methods)).encode()
    files["checklist.md"] = checklist(study, runs, facts, left_out).encode()
    files["paper.tex"] = document(study.title, place, captions, tables).encode()
    return Export(files, left_out)


def _notes_on_bold(table: pd.DataFrame, best: Sequence[bool], confidence: float) -> list[str]:
    """What bold means in a table, where it has any; and what it means that a metric has none."""
    if not any(best):
        return []
    notes = [f"Bold: the best, and those that simultaneous {100 * confidence:g} % intervals do not separate from it."]
    groups = table["metric_title"] if "metric_title" in table.columns else pd.Series("", table.index)
    if not pd.Series(best, table.index).groupby(groups).any().all():
        notes.append("Where nothing is bold, no such intervals were asked for.")
    return notes


def _drawings(job: Job) -> Iterator[tuple[str, str]]:
    for name, drawing in job.settings["drawings"].items():
        yield name, drawing["kind"]


def _parts(drawing: str, count: int) -> list[str]:
    """Names of the pictures of a figure, which may be too tall for one."""
    return [drawing] if count == 1 else [f"{drawing}_{number + 1}" for number in range(count)]


def _shown_by(
    study: Study, drawn: Mapping[str, tuple[Job, str]], captions: Iterable[str], tables: Iterable[str]
) -> dict[str, list[str]]:
    """The labels of the exported figures and tables that take the answer to each question, by the question's name."""
    found: dict[str, list[str]] = {}
    for drawing, (job, kind) in drawn.items():
        names = _of_drawing(drawing, captions) if kind == "figure" else [drawing] if drawing in tables else []
        labels = [f"{'fig' if kind == 'figure' else 'tab'}:{name}" for name in names]
        for name in _answered(study, job, drawing):
            found.setdefault(name, []).extend(labels)
    return found


def _answered(study: Study, job: Job, drawing: str) -> list[str]:
    """The names of the questions whose answers a drawing takes."""
    takes = _tables(job, drawing)
    found = []
    for name, question in study.questions.items():
        # Drawings take the intervals of the game by the names of their methods.
        answers = {name} | ({*question.methods} if isinstance(question, GameIntervals) else set())
        if not answers.isdisjoint(takes):
            found.append(name)
    return found


def _tables(job: Job, drawing: str) -> set[str]:
    """The names of the tables that a drawing takes."""
    return {need.rpartition("/")[2] for need in job.settings["drawings"][drawing]["inputs"]}


def _of_drawing(drawing: str, captions: Iterable[str]) -> list[str]:
    """The names of a figure's pictures among all."""
    return [name for name in captions if name == drawing or (name.rpartition("_")[0] == drawing and name[-1].isdigit())]


def _origin(drawing: str, records: Records) -> str:
    """The sentence of a caption that says which runs a table is of; empty for those at hand."""
    if drawing in records.whole:
        return "From the record of a larger run."
    return "With the record of a larger run beside this one." if drawing in records.beside else ""


def _table(name: str, title: str, shown: Presented, place: Venue) -> tuple[dict[str, bytes], str]:
    """The files of a table, and a sentence where it is too large for LaTeX."""
    # A table of many columns takes the page where a venue has two columns.
    is_of_page = len(shown.head) > MOST_COLUMNS and place.wider
    room = (VENUES[place.wider] if is_of_page else place).points
    files = {f"tables/{name}.md": as_markdown(shown, f"{title}.").encode()}
    reason = f"it has {len(shown.rows):,} rows, and {MOST_ROWS} fit on a page" if len(shown.rows) > MOST_ROWS else ""
    lines = natural_lines(shown.head, shown.rows, shown.numbers, room)
    if not reason and lines > MOST_ROWS:
        reason = f"it has about {lines} lines, and {MOST_ROWS} fit on a page"
    needed = natural_width(shown.head, shown.rows, shown.numbers, room)
    scale = smallest_scale(shown.head)
    if needed * scale > room:
        width, most = needed / POINTS_AN_INCH, room / POINTS_AN_INCH / scale
        reason = f"it is about {width:.1f} inches wide, and letters of {SMALLEST:g} points leave room for {most:.1f}"
    if reason:
        return (
            files,
            f"{name} is left out of LaTeX: {reason}. Hint: tables/{name}.csv and tables/{name}.md have all",
        )
    notes = " ".join(shown.notes)
    caption = f"{escaped(title)}." + (f" {escaped(notes)}" if notes else "")
    latex = booktabs(shown.head, shown.rows, shown.numbers, caption, f"tab:{name}", shown.bold, room)
    return files | {f"tables/{name}.tex": latex.encode()}, ""


def _lower_is_better() -> dict[str, bool]:
    return {METRICS.get(name, name): entry.lower_is_better for name, entry in KNOWN_METRICS.items()}


def _differences(study: Study, jobs: Sequence[Job], name: str) -> pd.DataFrame | None:
    """The answer to the question which algorithms differ, with its metrics as tables call them, where it is asked."""
    asked = [key for key, question in study.questions.items() if question.kind == "pairwise_differences"]
    paths = [job.outputs[key] for job in jobs for key in asked if job.study == name and key in job.outputs]
    found = [read_table(Path(path)) for path in paths if Path(path).is_file()]
    if not found:
        return None
    table = pd.concat(found, ignore_index=True)
    return table.assign(metric=named(METRICS, table["metric"]))


def runs_behind(
    name: str, study: Study, jobs: Sequence[Job], drawn: Mapping[str, tuple[Job, pd.DataFrame]]
) -> RunsBehind:
    """The runs that the drawings of a study are made of.

    Parameters
    ----------
    drawn : the job and the numbers of each drawing, by its name
    """
    own = [job for job in jobs if job.study == name]
    along = tables_along_training(study)
    tables = [path for path in _tables_of("collect", own) if path.stem not in along]
    counted = {path.stem: counted_runs(read_table(path)) for path in tables}
    sources: dict[str, CountedRuns] = {key: runs for key, runs in counted.items() if runs is not None}
    scales: dict[str, CountedRuns] = {}
    for path in _tables_of("normalize", own):
        scales |= runs_of_scales(read_table(path))
    at_hand = max((runs.total for runs in sources.values()), default=0)
    # A study whose runs are another one's calls them as that one does.
    others = {getattr(source, "study", None) or key for key, source in study.sources.items() if source.kind == "study"}
    titles: dict[str, str] = {}
    for job in jobs:
        if job.stage == "draw" and job.study in {name, *others}:
            titles |= job.settings.get("algorithm_titles", {}) | job.settings.get("environment_titles", {})
    return RunsBehind(sources, scales, records_of(name, study, own, drawn, at_hand), titles | study.titles)


def _tables_of(stage: str, jobs: Sequence[Job]) -> Iterator[Path]:
    paths = (Path(path) for job in jobs if job.stage == stage for path in job.outputs.values())
    yield from (path for path in paths if path.suffix in (".parquet", ".csv"))


def _names_of(runs: RunsBehind) -> set[str]:
    counted = [*runs.sources.values(), *([runs.records.runs] if runs.records.runs else [])]
    return {name for each in counted for name in (*each.algorithms, *each.environments)}
