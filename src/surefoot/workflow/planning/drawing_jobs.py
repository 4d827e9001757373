"""Jobs that draw the figures and tables of all pages, with comparisons, and jobs of the coverage studies.

A study that reproduces no paper has the default drawings, its protocol card, and a chart for each question that the
default drawings do not show.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from surefoot import validation as subjects_of_trust
from surefoot.charts.drawing import (
    RUNS,
    Drawing,
    Need,
    drawing_suffixes,
    keywords_of,
    modules_of,
    signature_of,
    table,
)
from surefoot.charts.drawing_catalogue import CATALOGUE, COMPARISONS, STUDY_DRAWINGS
from surefoot.questions._framework.question_registry import questions
from surefoot.questions._framework.question_settings import Question, QuestionSettings
from surefoot.runs.sources.source_settings import CURVES, OUTCOMES, SETTINGS
from surefoot.runs.sources.source_settings import RUNS as RUN_TABLE
from surefoot.workflow.configuration.models import Configuration, Study, Trust
from surefoot.workflow.job import Job
from surefoot.workflow.planning.drawing_inputs import (
    StudyTables,
    needs_of,
    negated_kind,
    path_of_table,
    study_facts,
    study_tables,
    table_name,
    tables_taken,
)
from surefoot.workflow.project import RECORDS, relative

SENTENCES, CARD, ACCOUNT = "protocol", "table_protocol", "table_account"
"""Names of the drawings of the protocol and of the use of files; no drawing of a question may have one of them."""
_FIGURES = "figures"
"""Name of the set of figures of a study that has all but those of one of several sets of scores."""


def protocol_drawings(study: Study) -> dict[str, Drawing]:
    """Return the protocol drawings of a study, by name; an empty dict if the study has no protocol."""
    if study.protocol is None:
        return {}
    shown_by = "surefoot.charts.study_tables"
    runs = {"runs": RUNS}
    return {
        SENTENCES: table(f"{shown_by}:protocol_sentences", runs, "What a score is, in sentences"),
        CARD: table(f"{shown_by}:protocol_table", runs, "What a score is: the protocol card"),
        ACCOUNT: table(f"{shown_by}:account_table", runs, "How the files with runs were used"),
    }


CONTENTS = "contents"
"""Name of the table of all questions of a study."""


def question_drawings(study: Study, elsewhere: set[str]) -> dict[str, Drawing]:
    """Return the table of contents, and drawings of the questions that the default drawings do not show.

    Such a question has a chart, or a table if its kind defines no chart, and a finding if its kind defines one. The
    chart or table has the name of the question, with the suffix `_answer` if another drawing may have that name. The
    finding has the suffix `_finding`.

    Parameters
    ----------
    elsewhere : names of the questions that another page shows
    """
    functions = {drawing.function for drawing in STUDY_DRAWINGS.values()}
    shown = {
        kind
        for kind, model in questions().items()
        if model.drawn_beside or not functions.isdisjoint({model.chart, model.page_table})
    }
    needs = [need for drawing in STUDY_DRAWINGS.values() for need in drawing.tables.values()]
    all_of_kind = {need.name for need in needs if isinstance(need, Need) and need.of == "every"}
    taken = (*STUDY_DRAWINGS, SENTENCES, CARD, ACCOUNT, CONTENTS)
    drawings: dict[str, Drawing] = {}
    asked = []
    for name, question in study.questions.items():
        called = ""
        if question.kind in shown:  # shown by the usual drawings (the first question of a kind, or all)
            shown -= {question.kind} - all_of_kind
        elif name not in elsewhere:
            called = f"{name}_answer" if name in taken or name.endswith(("_answer", "_finding")) else name
            drawings |= _answer(name, question, called)
        about = (type(question).__doc__ or "").split("\n\n")[0]  # first sentence of the docstring
        asked.append([name, question.kind, " ".join(about.split()), called])
    return {
        CONTENTS: table("surefoot.questions._framework.showing:contents", {}, "What is asked", asked=asked)
    } | drawings


def _answer(name: str, question: Question, called: str) -> dict[str, Drawing]:
    """Return the drawings of one question: its chart, or a table if it has no chart, and its finding if it has one."""
    function = question.chart or question.page_table or "surefoot.charts.study_tables:answer_table"
    signature = signature_of(function)
    argument, *others = (*signature.required, *signature.optional)
    tables = {argument: Need("answer", name)}
    tables |= {more: Need("answer", name, more) for more in question.more if more in others}
    title = f"Answer of the question {name}"
    if question.chart:
        return {called: Drawing("figure", function, tables, title, finding=question.finding, always_finding=True)}
    drawings = {called: Drawing("table", function, tables, title)}
    if question.finding:
        drawings[f"{called}_finding"] = Drawing(
            "table",
            FINDING_TABLE,
            {"table": Need("answer", name)},
            f"Finding of the question {name}",
            {"function": question.finding},
            code=(question.finding.partition(":")[0],),
        )
    return drawings


NOTE = "surefoot.charts.theme:note_chart"
FINDING_TABLE = "surefoot.questions._framework.showing:finding_table"
_OF_RUNS = (RUN_TABLE, CURVES, OUTCOMES, SETTINGS)
"""Kinds of tables that together contain all algorithms of a source."""
GENERAL = "study"
"""Set of figures of a study that reproduces no paper."""
RUN_NUMBERS = "how_many_runs"
"""Name of the page about the number of runs, and of the group of its questions and figures."""


def study_drawings(name: str, study: Study, jobs: list[Job]) -> Iterator[Job]:
    """Yield the jobs that draw a study, preceded by the jobs of its comparison with published numbers.

    If questions are about several sets of scores, the drawings of each set are separate jobs, so that a figure requires
    only its own runs and downloads.
    """
    tables = study_tables(name, study, jobs)
    answered = {
        key: question
        for key, question in study.questions.items()
        if isinstance(question, QuestionSettings) and Need("answer", key) in tables.paths
    }
    planning = {key: question for key, question in answered.items() if question.group == RUN_NUMBERS}
    facts = study_facts(name, study, tables, sorted(key for key, question in answered.items() if not question.group))
    compared = list(_comparisons(name, study, facts, tables))
    yield from compared
    tables.paths.update({Need("compare", job.part): job.outputs["comparison"] for job in compared})
    planned = Need("first", "plan_runs") in tables.paths
    drawings = dict(CATALOGUE[study.figures])
    if study.figures == GENERAL:
        drawings |= question_drawings(study, set(planning) if planned else set()) | protocol_drawings(study)
    scores = {
        job.part: Path(job.inputs["scores"]).stem
        for job in jobs
        if job.part in answered and not answered[job.part].group and "scores" in job.inputs
    }
    of_runs = _run_tables(name, study, jobs)
    parts = _by_scores(drawings, tables, answered, scores)
    drawn = [_draw(name, study.figures, study, facts, tables, chosen, part) for part, chosen in parts.items()]
    if planned:
        pilot = planning[tables.questions[Need("first", "plan_runs")]]
        alarms = tables.questions.get(Need("larger", "false_alarm_rates"), "")
        facts |= {
            "scale": getattr(study.scales[pilot.scales()[0]], "phrase", ""),
            "alarms_recorded": tables.larger.get(alarms, ""),
        }
        drawn.append(_draw(name, RUN_NUMBERS, study, facts, tables, CATALOGUE[RUN_NUMBERS], RUN_NUMBERS))
    for job in drawn:
        yield job._replace(inputs=job.inputs | of_runs, settings=job.settings | {"algorithms": list(of_runs)})


def drawing_rule(job: Job) -> str:
    """Return the name of the rule that draws a set of figures."""
    return f"draw_{job.study}" if job.part == _FIGURES else f"draw_{job.study}_{job.part}"


def _by_scores(
    drawings: Mapping[str, Drawing], tables: StudyTables, answered: Collection[str], scores: Mapping[str, str]
) -> dict[str, dict[str, Drawing]]:
    """Group drawings by the job that makes them: one job for each set of scores, and one for all other drawings.

    Parameters
    ----------
    answered : names of the questions that are answered
    scores : the set of scores that each question is about, by name of the question
    """
    parts: dict[str, dict[str, Drawing]] = {}
    for key, drawing in drawings.items():
        shown = {tables.questions.get(need) for need in needs_of(drawing.tables)}
        about = {scores.get(question) for question in shown if question is not None and question in answered}
        (part,) = about if len(about) == 1 and len(set(scores.values())) > 1 else {None}
        parts.setdefault(_FIGURES if part is None else f"of_{part}", {})[key] = drawing
    return parts


TRUST = "trust"
"""Name of the study, target and page on the coverage of intervals."""
TRUST_RECORDS = RECORDS / TRUST
"""Records of the coverage studies. An index in the same folder lists when and by which code each record was made, and
the size of the simulation.
"""
LEADERBOARDS = "leaderboards"
"""Name of the page, target and records of published benchmarks. The sample size calculator also uses these records."""


def trust_jobs(trust: Trust | None) -> Iterator[Job]:
    """Yield a job for the failure rates of each subject that the configuration names.

    These jobs only run on request (`snakemake trust`), since they take minutes; the page uses records of large
    simulations.
    """
    if trust is None:
        return
    for subject, given in trust.subjects.items():
        module = f"{subjects_of_trust.__name__}.{subjects_of_trust.SUBJECTS[subject]}"
        settings = given.plain() | {"seed": trust.seed, "subject": f"{module}:{subject}"}
        output = {"failures": f"results/cover/{TRUST}/{subject}.csv"}
        yield Job("cover", TRUST, subject, "cover_trust", settings, (module,), {}, output, on_request=True)


def recorded_tables(name: Literal["trust", "leaderboards"] = "trust") -> dict[Need, str | dict[str, str]]:
    """Return the recorded tables of failure rates, or of the leaderboards."""
    paths = sorted(path for path in (RECORDS / name).glob("*.csv") if path.name != "record.csv")
    return {Need(name, path.stem): relative(path) for path in paths}


def record_drawings(trust: Trust | None) -> Iterator[Job]:
    """Yield the jobs of drawings from records of large simulations: failures of intervals, and leaderboards."""
    names: tuple[Literal["trust", "leaderboards"], ...] = ("trust", "leaderboards")
    for name in names if trust is not None else ():
        if recorded := recorded_tables(name):
            yield _draw(name, name, None, {}, StudyTables(recorded, {}, {}, {}), CATALOGUE[name])


def home_drawings(config: Configuration, jobs: list[Job]) -> list[Job]:
    """Return the jobs that draw the home page and the ledger; none if the site has no coverage page.

    They draw the miss rate of the default interval, from recorded large simulations, and the comparisons of all studies
    with published numbers.
    """
    if config.trust is None:
        return []
    drawn = ((job.study, name, path) for job in jobs if job.stage == "draw" for name, path in job.outputs.items())
    tables = {study: path for study, name, path in drawn if name in ("reproduction.csv", "table_reproduction.csv")}
    made = (
        recorded_tables()
        | recorded_tables("leaderboards")
        | ({Need("studies", "reproductions"): tables} if tables else {})
    )
    studies = [
        {"study": name, "label": study.label or study.title, "claim": study.claim or study.question}
        for name, study in config.studies.items()
    ]
    return [_draw("home", "home", None, {"studies": studies}, StudyTables(made, {}, {}, {}), CATALOGUE["home"])]


def _comparisons(name: str, study: Study, facts: Mapping[str, Any], tables: StudyTables) -> Iterator[Job]:
    """Yield the jobs that compare published numbers with the results of the study and with recorded results."""
    for side, comparison in COMPARISONS.get(study.figures, COMPARISONS.get(name, {})).items():
        function = comparison.function
        taken = tables_taken(function, comparison.tables, tables)
        if taken is not None:
            inputs, takes = taken
            settings = {"function": function, "tables": takes, "keywords": keywords_of(function, {}, facts)}
            code = (function.partition(":")[0],)
            output = {"comparison": f"results/compare/{name}/{side}.parquet"}
            yield Job("compare", name, side, "compare", settings, code, inputs, output)


def _plain(
    drawing: Drawing, study: Study | None, facts: Mapping[str, Any], tables: StudyTables
) -> tuple[dict[str, str], dict[str, Any]] | None:
    """Return the paths of a drawing's tables by name, and its settings as plain data.

    If a table is missing, the note of the drawing is drawn instead. Without a note, the result is None.
    """
    taken = tables_taken(drawing.function, drawing.tables, tables)
    if taken is None:
        note = {"kind": drawing.kind, "function": NOTE, "tables": {}, "keywords": {"text": drawing.note}}
        return ({}, note) if drawing.note else None
    inputs, takes = taken
    asked, recorded = _asked(drawing, study, tables)
    known = {**facts, **asked}
    plain: dict[str, Any] = {"kind": drawing.kind, "function": drawing.function, "tables": takes}
    given = dict(drawing.keywords)
    if drawing.function == FINDING_TABLE:
        given["keywords"] = keywords_of(given["function"], {}, known)
    plain["keywords"] = keywords_of(drawing.function, given, known)
    if drawing.finding:
        told = {"function": drawing.finding, "keywords": keywords_of(drawing.finding, {}, known)}
        plain["finding"] = told | {"table": next(iter(takes)), "always": drawing.always_finding}
    if study is not None and (negated := _negated(drawing, study, tables)):
        plain["negated"] = negated
    if recorded:
        plain["recorded"] = recorded
    if drawing.code:
        plain["code"] = list(drawing.code)
    return inputs, plain


def _run_tables(name: str, study: Study, jobs: Iterable[Job]) -> dict[str, str]:
    """Return the paths of the tables with all algorithms of a study, by name, so that each has one style.

    Algorithms of papers and of published tables have the styles of `surefoot.charts.names`.

    Parameters
    ----------
    jobs : jobs that make the tables, or read them if they belong to another study
    """
    if study.figures != GENERAL:
        return {}
    paths = [
        path_of_table(name, key, source, table)
        for key, source in study.sources.items()
        for table, kind in source.tables(key).items()
        if kind in _OF_RUNS
    ]
    available = {path for job in jobs for path in (*job.inputs.values(), *job.outputs.values())}
    return {table_name(path): path for path in paths if path in available}


def _negated(drawing: Drawing, study: Study, tables: StudyTables) -> dict[str, str]:
    """Return {argument: kind of question} for the tables of a drawing that are in units of negated scores."""
    needs = {argument: need for argument, need in drawing.tables.items() if isinstance(need, Need)}
    answers = {argument: tables.questions[need] for argument, need in needs.items() if need in tables.questions}
    kinds = {argument: negated_kind(study, name) for argument, name in answers.items()}
    return {argument: kind for argument, kind in kinds.items() if kind}


def _asked(drawing: Drawing, study: Study | None, tables: StudyTables) -> tuple[dict[str, Any], str]:
    """Return the settings of the first question whose result a drawing shows, and the day of its record, or ""."""
    shown = next((need for need in needs_of(drawing.tables) if need in tables.questions), None)
    if study is None or shown is None:
        return {}, ""
    name = tables.questions[shown]
    days = tables.larger if shown.of == "larger" else tables.recorded
    return study.questions[name].plain(), days.get(name, "")


def _draw(
    name: str,
    figures: str,
    study: Study | None,
    facts: Mapping[str, Any],
    tables: StudyTables,
    drawings: Mapping[str, Drawing],
    part: str = _FIGURES,
) -> Job:
    """Return the job that makes the drawings whose tables are available."""
    available: dict[str, Any] = {}
    inputs: dict[str, str] = {}
    outputs: dict[str, str] = {}
    for drawing_name, drawing in drawings.items():
        planned = _plain(drawing, study, facts, tables)
        if planned is not None:
            inputs |= planned[0]
            available[drawing_name] = planned[1]
            for suffix in drawing_suffixes(drawing.kind):
                outputs[f"{drawing_name}.{suffix}"] = f"results/draw/{name}/{drawing_name}.{suffix}"
    modules = tuple(dict.fromkeys(module for drawing in available.values() for module in modules_of(drawing)))
    settings = {"figures": figures, "drawings": available}
    return Job("draw", name, part, "draw", settings, modules, inputs, outputs)
