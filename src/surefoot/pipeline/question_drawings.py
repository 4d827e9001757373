"""The drawings of a study without figures of its own: beside the usual ones, the chart of every other question."""

from collections.abc import Iterator

from surefoot.charts.catalogue import STUDY_DRAWINGS
from surefoot.charts.drawing import Drawing, figure, table
from surefoot.configuration.models import Study
from surefoot.pipeline.protocol_drawings import PROTOCOL_DRAWINGS
from surefoot.questions.registry import questions
from surefoot.questions.settings import Question, QuestionSettings

CONTENTS = "contents"
"""The table of all questions of a study."""
_DRAWN_BESIDE = frozenset({"game_intervals"})
"""Kinds of questions whose answers the usual drawings of others show."""


def question_drawings(study: Study, elsewhere: set[str]) -> dict[str, Drawing]:
    """The table of contents; and for each question that the usual drawings leave out its chart, or its table if it has
    no chart, and its finding if it has one.

    A drawing has the question's name, or, where another may be called so, the name with `_answer`; the finding is that
    with `_finding`.

    Parameters
    ----------
    elsewhere : names of the questions that another page shows
    """
    left_out = {name: question for name, question in _left_out(study) if name not in elsewhere}
    called = {name: f"{name}_answer" if _is_taken(name) else name for name in left_out}
    asked = [[name, one.kind, _about(one), called.get(name, "")] for name, one in study.questions.items()]
    drawings = {CONTENTS: table("surefoot.questions.showing:contents", (), "What is asked", (), {"asked": asked})}
    for name, question in left_out.items():
        drawings[called[name]] = _answer(name, question)
        if question.finding:
            drawings[f"{called[name]}_finding"] = _finding(name, question)
    return drawings


def _about(question: Question) -> str:
    """What a kind of question asks: the first sentence of its settings."""
    return " ".join((type(question).__doc__ or "").split("\n\n")[0].split())


def _is_taken(name: str) -> bool:
    """Whether a drawing other than the question's own may have its name."""
    return name in (*STUDY_DRAWINGS, *PROTOCOL_DRAWINGS, CONTENTS) or name.endswith(("_answer", "_finding"))


def _left_out(study: Study) -> Iterator[tuple[str, Question]]:
    """The questions that no usual drawing shows: these show the first of their kind."""
    functions = {drawing.function for drawing in STUDY_DRAWINGS.values()}
    usual = {kind for kind, model in questions().items() if not functions.isdisjoint({model.chart, model.page_table})}
    usual |= _DRAWN_BESIDE
    all_of_kind = {need for drawing in STUDY_DRAWINGS.values() for need in drawing.needs if "/" not in need}
    for name, question in study.questions.items():
        if question.kind not in usual:
            yield name, question
        elif question.kind not in all_of_kind:
            usual.discard(question.kind)


def _answer(name: str, question: Question) -> Drawing:
    make = figure if question.chart else table
    need, known_as = _table_of(name, question)
    called = {need: known_as} | {f"{need}_{more}": f"{known_as}_{more}" for more in question.more}
    return make(
        question.chart or question.page_table or "surefoot.charts.answer:table",
        tuple(called),
        f"Answer of the question {name}",
        ("record",) if need.startswith("numbers/") else (),
        {"analysis": name, "answer": known_as},
    )._replace(known_as={own: known for own, known in called.items() if own != known})


def _finding(name: str, question: Question) -> Drawing:
    need, _ = _table_of(name, question)
    setting = {"analysis": name, "kind": question.kind, "answer": need}
    drawing = table("surefoot.questions.showing:finding_table", (need,), f"Finding of the question {name}", (), setting)
    return drawing._replace(code=(question.finding.partition(":")[0],))


def _table_of(name: str, question: Question) -> tuple[str, str]:
    """What the drawings of a study know the answer by, and what those of the question do."""
    need, known_as = f"{question.stage}/{name}", f"{question.stage}/{question.kind}"
    if isinstance(question, QuestionSettings):
        known_as = f"numbers/{name}"
        need = need if question.group else known_as
    return need, known_as
