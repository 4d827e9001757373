"""All that a paper takes from a study that was made, as files by their paths."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from surefoot.build.job import Job
from surefoot.charts.catalogue import CATALOGUE
from surefoot.charts.names import METRICS, named
from surefoot.configuration.models import Study
from surefoot.errors import HintedError
from surefoot.manuscript.checklist import checklist
from surefoot.manuscript.citations import bibtex, cited_keys, known_facts
from surefoot.manuscript.document import document
from surefoot.manuscript.figures import figure
from surefoot.manuscript.latex import MOST_COLUMNS, booktabs, escaped, natural_width
from surefoot.manuscript.methods_paragraph import methods_paragraph
from surefoot.manuscript.runs import counted_runs
from surefoot.manuscript.tables import MOST_ROWS, Presented, as_markdown, is_for_papers, presented, rows_of_the_best
from surefoot.manuscript.venues import VENUES, Venue
from surefoot.pipeline.protocol_drawings import protocol_drawings
from surefoot.pipeline.question_drawings import question_drawings
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
    """Figures (PDF, SVG), tables (LaTeX, Markdown, CSV), the paragraph of methods with its references, the answer for
    the checklist, and a document that includes them.

    Parameters
    ----------
    name : of the study
    jobs : of the plan; results are read where they say
    place : the venue
    font : a family that figures are drawn in
    """
    facts = known_facts()
    drawn = [(drawing, each, job) for job in jobs if _draws(job, name) for drawing, each in _drawings(job)]
    files: dict[str, bytes] = {}
    captions: dict[str, str] = {}
    left_out, tables = [], []
    differences = _differences(study, jobs, name)
    runs = counted_runs(_run_tables(name, jobs))
    names = {*study.titles.values(), *(runs.algorithms if runs else ()), *(runs.environments if runs else ())}
    known = CATALOGUE[study.figures] | question_drawings(study, set()) | protocol_drawings(study)
    for drawing, kind, job in drawn:
        numbers = Path(job.outputs[f"{drawing}.csv"])
        table = read_table(numbers)
        if not is_for_papers(table):
            continue  # sentences of a page, or a figure that only says that there is nothing to show
        if kind == "figure":
            specification = Path(job.outputs[f"{drawing}.json"]).read_bytes()
            try:
                made = figure(json.loads(specification), place, font)
            except HintedError as error:
                left_out.append(f"{drawing} is left out: {error.what}. Hint: {error.hint}")
                continue
            captions[drawing] = made.caption
            files |= {f"figures/{drawing}.pdf": made.pdf, f"figures/{drawing}.svg": made.svg.encode()}
            files |= {f"figures/{drawing}.csv": numbers.read_bytes(), f"figures/{drawing}.json": specification}
        else:
            best = rows_of_the_best(table, differences, _lower_is_better())
            shown = presented(table, best, [_BOLD.format(100 * study.confidence)] if any(best) else [], names)
            written, sentence = _table(drawing, known[drawing].title if drawing in known else drawing, shown, place)
            files |= written | {f"tables/{drawing}.csv": numbers.read_bytes()}
            left_out += [sentence] if sentence else []
            tables += [] if sentence else [drawing]
    methods = methods_paragraph(study, runs, facts)
    files["methods.tex"] = methods.encode()
    files["references.bib"] = bibtex(cited_keys(methods)).encode()
    files["checklist.md"] = checklist(study, runs, facts, left_out).encode()
    files["paper.tex"] = document(study.title, place, captions, tables).encode()
    return Export(files, left_out)


_SMALLEST = 0.6
"""By which a table may be made smaller: its letters have 5 points then."""
_BOLD = (
    "Bold: the best, and those that simultaneous {:g} % intervals do not separate from it. "
    "Where nothing is bold, no such intervals were asked for."
)


def _draws(job: Job, study: str) -> bool:
    return (job.stage, job.study) == ("draw", study)


def _drawings(job: Job) -> Iterator[tuple[str, str]]:
    for name, drawing in job.settings["drawings"].items():
        yield name, drawing["kind"]


def _table(name: str, title: str, shown: Presented, place: Venue) -> tuple[dict[str, bytes], str]:
    """The files of a table, and a sentence where it is too large for LaTeX."""
    # A table of many columns takes the page where a venue has two columns.
    is_of_page = len(shown.head) > MOST_COLUMNS and place.wider
    room = (VENUES[place.wider] if is_of_page else place).points
    files = {f"tables/{name}.md": as_markdown(shown, f"{title}.").encode()}
    size = f"{len(shown.rows):,} rows" if len(shown.rows) > MOST_ROWS else ""
    if natural_width(shown.head, shown.rows, shown.numbers, room) * _SMALLEST > room:
        size = f"{len(shown.head)} columns"
    if size:
        return (
            files,
            f"{name} is left out of LaTeX: it has {size}. Hint: tables/{name}.csv and tables/{name}.md have all",
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


def _run_tables(name: str, jobs: Sequence[Job]) -> dict[str, pd.DataFrame]:
    paths = [path for job in jobs if (job.stage, job.study) == ("collect", name) for path in job.outputs.values()]
    return {path: read_table(Path(path)) for path in paths if Path(path).suffix in (".parquet", ".csv")}
