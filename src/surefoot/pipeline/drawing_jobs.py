"""The jobs that draw: figures and tables of each study, before them its comparisons, and those of other pages.

A study that reproduces no paper has the usual drawings, the card of its protocol, and the chart of every other
question.
"""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from surefoot.build.job import Job
from surefoot.build.project import PUBLISHED, RECORDS, kept, relative
from surefoot.charts.catalogue import CATALOGUE, COMPARISONS, STUDY_DRAWINGS
from surefoot.charts.drawing import RUNS, Drawing, as_plain_data, drawing_suffixes, modules_of, table
from surefoot.configuration.models import Configuration, Study, Trust
from surefoot.pipeline.trust_jobs import NAME as TRUST
from surefoot.pipeline.trust_jobs import recorded_tables
from surefoot.questions.registry import questions
from surefoot.questions.settings import Question, QuestionSettings
from surefoot.scales.settings import ScoreScale
from surefoot.sources.repeated_runs import HyperparameterGrid

SENTENCES, CARD = "protocol", "table_protocol"
PROTOCOL_DRAWINGS = (SENTENCES, CARD)
"""Their names, which no question's drawing may have."""


def protocol_of_study(study: Study) -> dict[str, Any]:
    """What the study says of its scores; the rule is that of its source, where this makes scores of curves."""
    if study.protocol is None:
        return {}
    rules = (rule for source in study.sources.values() if (rule := source.rule_of_scores()))
    rule = next(rules, study.protocol.rule)
    return study.protocol.plain() | ({} if rule is None else {"rule": rule})


def protocol_drawings(study: Study) -> dict[str, Drawing]:
    """Drawings of the protocol of a study that says what its scores are; none of another study."""
    if study.protocol is None:
        return {}
    setting = {"protocol": protocol_of_study(study)}
    shown_by = "surefoot.charts.study_tables"
    return {
        SENTENCES: table(f"{shown_by}:protocol_sentences", (), "What a score is, in sentences", (RUNS,), setting),
        CARD: table(f"{shown_by}:protocol_table", (), "What a score is: the protocol card", (RUNS,), setting),
    }


CONTENTS = "contents"
"""The table of all questions of a study."""


def question_drawings(study: Study, elsewhere: set[str]) -> dict[str, Drawing]:
    """The table of contents; and for each question that the usual drawings leave out its chart, or its table if it has
    no chart, and its finding if it has one.

    A drawing has the question's name, or, where another may be called so, the name with `_answer`; the finding is that
    with `_finding`.

    Parameters
    ----------
    elsewhere : names of the questions that another page shows
    """
    taken = (*STUDY_DRAWINGS, *PROTOCOL_DRAWINGS, CONTENTS)
    called = {
        name: f"{name}_answer" if name in taken or name.endswith(("_answer", "_finding")) else name
        for name in _left_out(study)
        if name not in elsewhere
    }
    asked = []
    for name, question in study.questions.items():
        about = (type(question).__doc__ or "").split("\n\n")[0]  # the first sentence of its settings
        asked.append([name, question.kind, " ".join(about.split()), called.get(name, "")])
    drawings = {CONTENTS: table("surefoot.questions.showing:contents", (), "What is asked", (), {"asked": asked})}
    for name, shown in called.items():
        drawings[shown] = _answer(name, study.questions[name])
        if study.questions[name].finding:
            drawings[f"{shown}_finding"] = _finding(name, study.questions[name])
    return drawings


def _left_out(study: Study) -> Iterator[str]:
    """The names of the questions that no usual drawing shows: these show the first of their kind."""
    functions = {drawing.function for drawing in STUDY_DRAWINGS.values()}
    usual = {
        kind
        for kind, model in questions().items()
        if model.drawn_beside or not functions.isdisjoint({model.chart, model.page_table})
    }
    all_of_kind = {need for drawing in STUDY_DRAWINGS.values() for need in drawing.needs if "/" not in need}
    for name, question in study.questions.items():
        if question.kind not in usual:
            yield name
        elif question.kind not in all_of_kind:
            usual.discard(question.kind)


def _answer(name: str, question: Question) -> Drawing:
    need, known_as = _table_of(name, question)
    called = {need: known_as} | {f"{need}_{more}": f"{known_as}_{more}" for more in question.more}
    return Drawing(
        "figure" if question.chart else "table",
        question.chart or question.page_table or "surefoot.charts.study_tables:answer_table",
        tuple(called),
        f"Answer of the question {name}",
        ("record",) if need.startswith("numbers/") else (),
        {"analysis": name, "answer": known_as},
        {own: known for own, known in called.items() if own != known},
    )


def _finding(name: str, question: Question) -> Drawing:
    need, _ = _table_of(name, question)
    setting = {"analysis": name, "function": question.finding, "answer": need}
    drawing = table("surefoot.questions.showing:finding_table", (need,), f"Finding of the question {name}", (), setting)
    return drawing._replace(code=(question.finding.partition(":")[0],))


def _table_of(name: str, question: Question) -> tuple[str, str]:
    """What the drawings of a study know the answer by, and what those of the question do."""
    need, known_as = f"{question.stage}/{name}", f"{question.stage}/{question.kind}"
    if isinstance(question, QuestionSettings):
        known_as = f"numbers/{name}"
        need = need if question.group else known_as
    return need, known_as


GENERAL = "study"
"""The set of figures of a study that reproduces no paper."""
RUN_NUMBERS = "how_many_runs"
"""The group of questions whose figures and page are called so."""


def study_drawings(name: str, study: Study, jobs: list[Job]) -> Iterator[Job]:
    """All figures and tables of a study, and before them its comparison with published numbers.

    Where questions are asked of several sets of scores, what shows the answers about one of them is drawn by itself: a
    figure then asks for no more runs, and no more downloads, than its own.
    """
    numbers, recorded = numbers_of(name, study, jobs)
    larger = larger_records(name, study, jobs)
    made = _known(name, study, jobs) | numbers | {f"recorded/{key}": path for key, path in larger.items()}
    at_hand = sorted(key for key in study.questions if f"numbers/{key}" in numbers)
    settings = _settings(study) | {"recorded": recorded, "at_hand": at_hand}
    compared = list(_comparisons(name, study, settings, made))
    yield from compared
    made |= _tables(name, study, compared)
    drawings = dict(CATALOGUE[study.figures])
    of_runs = _with_kinds(study, _answers(name, study, jobs, RUN_NUMBERS), "numbers")
    planned = "numbers/run_plans" in of_runs
    if study.figures == GENERAL:
        elsewhere = {key for key, question in study.questions.items() if planned and _group(question) == RUN_NUMBERS}
        drawings |= question_drawings(study, elsewhere) | protocol_drawings(study)
    for part, chosen in _by_scores(drawings, numbers, jobs).items():
        yield _draw(name, study.figures, settings, made, chosen, part)
    if planned:
        yield _run_number_drawings(name, study, of_runs | _with_kinds(study, larger, "recorded"), settings)


def _by_scores(
    drawings: Mapping[str, Drawing], numbers: Mapping[str, str], jobs: Iterable[Job]
) -> dict[str, dict[str, Drawing]]:
    """The drawings of each job that draws: of each set of scores, where there are several, and all others."""
    about: dict[str, set[str]] = {}
    for job in jobs:
        answered = {key for key, path in numbers.items() if path in job.outputs.values()}
        if answered:
            about.setdefault(Path(job.inputs["scores"]).stem, set()).update(answered)
    parts: dict[str, dict[str, Drawing]] = {}
    for name, drawing in drawings.items():
        shown = {*drawing.needs, *drawing.optional} & numbers.keys()
        alone = [scores for scores, answers in about.items() if shown and shown <= answers]
        parts.setdefault(f"of_{alone[0]}" if alone and len(about) > 1 else "figures", {})[name] = drawing
    return parts


def _run_number_drawings(name: str, study: Study, made: Mapping[str, str], settings: dict[str, Any]) -> Job:
    """Drawings that say how many runs are needed; `made` are the answers to the questions of that."""
    found = {**made, "record": kept(RECORDS / name / "record.csv")}
    of_group = {key: question for key, question in study.questions.items() if _group(question) == RUN_NUMBERS}
    names = {question.kind: key for key, question in reversed(of_group.items())}
    scale = study.scales[of_group[names["run_plans"]].scales()[0]]
    settings = settings | {"recorded": [], "names": names, "scale": getattr(scale, "phrase", "")}
    if protocol := protocol_of_study(study):
        settings["protocol"] = protocol
    return _draw(name, RUN_NUMBERS, settings, found, CATALOGUE[RUN_NUMBERS], RUN_NUMBERS)


def trust_drawings(trust: Trust | None) -> Iterator[Job]:
    """Drawings of how often intervals fail, from the records of large runs; none where nothing is recorded."""
    recorded = recorded_tables() if trust is not None else {}
    if recorded:
        compared: dict[str, str] = {}
        for record in sorted(RECORDS.glob("*.csv")):
            published = kept(PUBLISHED / record.name)
            if published:
                compared |= {f"published/{record.stem}": published, f"record/{record.stem}": relative(record)}
        yield _draw(TRUST, TRUST, {}, recorded | compared, CATALOGUE[TRUST])


def home_drawings(config: Configuration, jobs: list[Job]) -> list[Job]:
    """Drawings of the home page, which a site with a page of trust has: how often the usual interval misses, from the
    record of large runs, and the verdicts of all studies."""
    if config.trust is None:
        return []
    made: dict[str, str | None] = dict(recorded_tables())
    for job in jobs:
        if job.stage == "compare":
            made[f"all_{job.part}s@{job.study}"] = job.outputs["comparison"]
            made[f"all_published@{job.study}"] = kept(PUBLISHED / f"{job.study}.csv")
    shown = []
    for name, study in config.studies.items():
        label, claim = study.label or study.title, study.claim or study.question
        shown.append({"study": name, "title": study.title, "label": label, "claim": claim})
    recorded = [name for name, study in config.studies.items() if numbers_of(name, study, jobs)[1]]
    settings = {"recorded_studies": recorded, "studies": shown}
    return [_draw("home", "home", settings, made, CATALOGUE["home"])]


def numbers_of(name: str, study: Study, jobs: list[Job]) -> tuple[dict[str, str], list[str]]:
    """Paths of the answers of questions of scores, as {"numbers/<question>": path}; and those that come from the
    record of a run that had their runs."""
    answered = _answers(name, study, jobs, "")
    recorded = {
        key: relative(path)
        for key, question in study.questions.items()
        if _group(question) == "" and key not in answered and (path := RECORDS / name / f"{key}.csv").is_file()
    }
    made = _with_kinds(study, answered, "numbers") | {f"numbers/{key}": path for key, path in recorded.items()}
    return made, list(recorded)


def _answers(name: str, study: Study, jobs: Iterable[Job], group: str) -> dict[str, str]:
    """The answers that jobs make of the questions of a group, by the questions' names."""
    return {
        key: path
        for job in jobs
        if job.study == name and job.stage in ("estimate", "cover")
        for key, path in job.outputs.items()
        if key in study.questions and _group(study.questions[key]) == group
    }


def _group(question: object) -> str | None:
    return question.group if isinstance(question, QuestionSettings) else None


def _with_kinds(study: Study, paths: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Paths by questions, as {"<prefix>/<question>": path}; the first question of each kind has its kind too."""
    of_kinds = {
        f"{prefix}/{study.questions[key].kind}": paths[key] for key in reversed(study.questions) if key in paths
    }
    return of_kinds | {f"{prefix}/{key}": path for key, path in paths.items()}


def larger_records(name: str, study: Study, jobs: Iterable[Job]) -> dict[str, str]:
    """Paths, by questions, of the recorded answers of questions that these jobs answer with fewer replicates or
    subsamples than the record has."""
    index = RECORDS / name / "record.csv"
    if not index.is_file():
        return {}
    with index.open(newline="") as file:
        known = {row["analysis"]: int(row["replicates"]) * int(row["datasets"]) for row in csv.DictReader(file)}
    asked = [key for job in jobs if job.study == name for key in job.settings.get("questions", {})]
    larger = (key for key in asked if known.get(key, 0) > math.prod(numbers_drawn(study, key)))
    return {key: relative(RECORDS / name / f"{key}.csv") for key in larger}


def numbers_drawn(study: Study, question: str) -> tuple[int, int]:
    """(replicates; subsamples, simulated studies, or runs of each setting of a grid) of a question; 1 of what it does
    not draw."""
    settings = study.questions.get(question)
    replicates = getattr(settings, "replicates", None) or study.replicates
    scales = settings.scales() if isinstance(settings, QuestionSettings) else []
    grids = [study.sources.get(study.scales[scale].source) for scale in scales if scale in study.scales]
    runs = [grid.runs for grid in grids if isinstance(grid, HyperparameterGrid)]
    return replicates, getattr(settings, "datasets", None) or max(runs, default=1)


def _known(name: str, study: Study, jobs: list[Job]) -> dict[str, str | None]:
    """What a study's drawings may take beside answers of questions of scores."""
    made = {"published": kept(PUBLISHED / f"{name}.csv")}
    made["record"] = kept(RECORDS / f"{name}.csv") or kept(RECORDS / name / "record.csv")
    kinds = ("coverage", "intervals", "distributions", "seeds", "selection")
    made |= {f"record_{kind}": kept(RECORDS / f"{name}_{kind}.csv") for kind in kinds}
    tables = _tables(name, study, jobs)
    # Some drawings need the answers of all questions of a kind.
    made |= {f"{q.kind}@{key}": tables.get(f"{q.stage}/{key}") for key, q in study.questions.items()}
    return made | tables


def _comparisons(name: str, study: Study, settings: dict[str, Any], made: Mapping[str, str | None]) -> Iterator[Job]:
    """The comparisons of this run and of the record with published numbers, where there are such."""
    for side, comparison in COMPARISONS.get(study.figures, COMPARISONS.get(name, {})).items():
        found = {key: path for key in (*comparison.needs, *comparison.optional) if (path := made.get(key))}
        if found.keys() >= {*comparison.needs}:
            chosen = {"function": comparison.function} | {key: settings[key] for key in comparison.settings}
            code = (comparison.function.partition(":")[0],)
            output = {"comparison": f"results/compare/{name}/{side}.parquet"}
            yield Job("compare", name, side, "surefoot.charts.study_tables:compare", chosen, code, found, output)


def _settings(study: Study) -> dict[str, Any]:
    """What drawings are told of a study."""
    algorithms: dict[str, str] = {}
    environments: dict[str, str] = {}
    for source in study.sources.values():
        algorithms |= source.algorithm_titles()
        environments |= source.environment_titles()
    environments |= study.titles
    negated = [name for source in study.sources.values() for name in source.negated_environments()]
    estimated = (q for q in study.questions.values() if q.stage == "estimate" and hasattr(q, "variant"))
    wanted = {name for question in study.questions.values() for name in question.scales()}
    scales = {name: one for name, one in study.scales.items() if name in wanted and isinstance(one, ScoreScale)}
    return {
        "question": study.question,
        "confidence": study.confidence,
        "replicates": study.replicates,
        "variant": next((q.variant for q in estimated), "corrected"),
        "sources": {key: source.plain() for key, source in study.sources.items()},
        "directions": [source.direction() for source in study.sources.values() if source.direction()],
        "scales": {name: scale.described() for name, scale in scales.items()},
        "questions": {key: question.plain() for key, question in study.questions.items()},
        "algorithm_titles": algorithms | study.titles,
        "environment_titles": environments | {name: f"{environments.get(name, name)} (negated)" for name in negated},
    }


def _tables(name: str, study: Study, jobs: list[Job]) -> dict[str, str]:
    """The study's tables by stage and name, such as ``estimate/pbp``, and those of the first question of a kind by
    stage and kind."""
    outputs = [(job.stage, Path(path)) for job in jobs if job.study == name for path in job.outputs.values()]
    found = {f"{stage}/{path.stem}": str(path) for stage, path in outputs}
    for key, question in study.questions.items():
        for more in ("", *(f"_{name_of_table}" for name_of_table in question.more)):
            path = found.get(f"{question.stage}/{key}{more}")
            if path:
                found.setdefault(f"{question.stage}/{question.kind}{more}", path)
    return found


def _draw(
    name: str,
    figures: str,
    settings: dict[str, Any],
    made: Mapping[str, str | None],
    drawings: Mapping[str, Drawing],
    part: str = "figures",
) -> Job:
    """The job of those of the drawings whose tables are there; a study does not ask for what the others show."""
    available = {}
    inputs: dict[str, str] = {}
    outputs: dict[str, str] = {}
    for drawing_name, drawing in drawings.items():
        wanted = {*drawing.needs, *drawing.optional}
        found = {key: path for key, path in made.items() if key.partition("@")[0] in wanted and path}
        if {key.partition("@")[0] for key in found}.issuperset(drawing.needs):
            available[drawing_name] = as_plain_data(drawing, found)
            inputs |= found
            for suffix in drawing_suffixes(drawing.kind):
                outputs[f"{drawing_name}.{suffix}"] = f"results/draw/{name}/{drawing_name}.{suffix}"
    modules = tuple(dict.fromkeys(module for drawing in available.values() for module in modules_of(drawing)))
    settings = {"figures": figures, "drawings": available, **settings}
    return Job("draw", name, part, "surefoot.charts.draw:draw", settings, modules, inputs, outputs)
