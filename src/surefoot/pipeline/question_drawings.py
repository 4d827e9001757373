"""The drawings of a study that has no figures of its own: those of any study, and the chart of every other question."""

import re
from collections.abc import Iterator

from surefoot.charts.catalogue import STUDY_DRAWINGS
from surefoot.charts.drawing import Drawing, figure, table
from surefoot.charts.entries import shown_by
from surefoot.configuration.models import Study
from surefoot.questions.folders import functions_that_show
from surefoot.questions.settings import Question, QuestionSettings

FINDINGS = "findings"
"""The table of all questions of a study with what their answers say."""
_SHOWN = re.compile(r"surefoot\.questions\.(\w+)\.show:")


def question_drawings(study: Study, elsewhere: set[str]) -> dict[str, Drawing]:
    """The table of findings; and the chart of each question that the usual drawings leave out, or its table if it has
    no chart. A drawing has the question's name, or, where that is taken, the name with `_answer`.

    Parameters
    ----------
    elsewhere : names of the questions that another page shows
    """
    drawings: dict[str, Drawing] = {}
    drawn = {}
    for name, question in _left_out(study):
        if name in elsewhere:
            continue
        functions = functions_that_show(question.kind)
        make = figure if "chart" in functions else table
        function = next((shown_by(question.kind, known) for known in ("chart", "table") if known in functions), None)
        need, called = _table_of(name, question), f"{question.stage}/{question.kind}"
        if isinstance(question, QuestionSettings):
            called = f"numbers/{name}"
        drawing = make(
            function or "surefoot.charts.answer:table",
            (need,),
            f"Answer of the question {name}",
            ("record",) if need.startswith("numbers/") else (),
            {"analysis": name, "answer": called},
        )
        key = f"{name}_answer" if name in (*STUDY_DRAWINGS, FINDINGS) else name
        drawings[key] = drawing._replace(known_as={need: called} if need != called else {})
        drawn[name] = key
    return {FINDINGS: _findings(study, drawn)} | drawings


def _table_of(name: str, question: Question) -> str:
    """What drawings know the answer of a question by."""
    if isinstance(question, QuestionSettings) and not question.group:
        return f"numbers/{name}"
    return f"{question.stage}/{name}"


def _left_out(study: Study) -> Iterator[tuple[str, Question]]:
    """The questions that no usual drawing shows: these show the first of their kind."""
    usual = {found[1] for drawing in STUDY_DRAWINGS.values() if (found := _SHOWN.match(drawing.function))}
    seen = {need for drawing in STUDY_DRAWINGS.values() for need in drawing.needs if "/" not in need}
    for name, question in study.questions.items():
        if question.kind not in usual:
            yield name, question
        elif question.kind not in seen:
            usual.discard(question.kind)


def _findings(study: Study, drawn: dict[str, str]) -> Drawing:
    asked = {
        name: {
            "kind": question.kind,
            "table": _table_of(name, question),
            "drawing": drawn.get(name, ""),
        }
        for name, question in study.questions.items()
    }
    finding = {kind for q in study.questions.values() if "finding" in functions_that_show(kind := q.kind)}
    needs = tuple(entry["table"] for entry in asked.values() if entry["kind"] in finding)
    drawing = table("surefoot.questions.findings:table", (), "What the answers say", needs, {"asked": asked})
    return drawing._replace(code=tuple(f"surefoot.questions.{kind}.show" for kind in sorted(finding)))
