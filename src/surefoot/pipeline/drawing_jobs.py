"""The jobs that draw: figures and tables of each study, before them its comparisons, and those of other pages; and the
jobs of trust.

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
from surefoot.questions._framework.registry import questions
from surefoot.questions._framework.settings import Question, QuestionSettings
from surefoot.scales.settings import ScoreScale
from surefoot.sources.repeated_runs import HyperparameterGrid
from surefoot.sources.settings import CURVES, EVALUATIONS
from surefoot.statistics.coverage import trust as subjects_of_trust

SENTENCES, CARD, ACCOUNT = "protocol", "table_protocol", "table_account"
"""The drawings of the protocol, and of what was read; no question's drawing may have these names."""


ALONG_TRAINING = (CURVES, EVALUATIONS)
"""Kinds of tables whose runs have scores in another table, which is without those that were left out."""


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
        ACCOUNT: table(f"{shown_by}:account_table", (RUNS,), "What became of the files that runs were read from"),
    }


CONTENTS = "contents"
"""The table of all questions of a study."""


def question_drawings(study: Study, elsewhere: set[str]) -> dict[str, Drawing]:
    """The table of contents; and for each question that the usual drawings leave out its chart, or, if it has no chart,
    its table and its finding if it has one.

    A drawing has the question's name, or, where another may be called so, the name with `_answer`; the finding is that
    with `_finding`.

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
    all_of_kind = {need for drawing in STUDY_DRAWINGS.values() for need in drawing.needs if "/" not in need}
    taken = (*STUDY_DRAWINGS, SENTENCES, CARD, ACCOUNT, CONTENTS)
    drawings: dict[str, Drawing] = {}
    contents = []
    for name, question in study.questions.items():
        called = ""
        if question.kind in shown:  # usual drawings show the first of a kind, or all
            shown -= {question.kind} - all_of_kind
        elif name not in elsewhere:
            called = f"{name}_answer" if name in taken or name.endswith(("_answer", "_finding")) else name
            drawings |= _answer(name, question, called)
        about = (type(question).__doc__ or "").split("\n\n")[0]  # the first sentence of its settings
        contents.append([name, question.kind, " ".join(about.split()), called])
    setting = {"asked": contents}
    return {CONTENTS: table("surefoot.questions.showing:contents", (), "What is asked", (), setting)} | drawings


def _answer(name: str, question: Question, called: str) -> dict[str, Drawing]:
    """The drawings of one question, whose charts know its tables by its kind, or by its name if it is of scores."""
    need = known_as = f"numbers/{name}"
    if not isinstance(question, QuestionSettings):
        need, known_as = f"{question.stage}/{name}", f"{question.stage}/{question.kind}"
    tables = {need: known_as} | {f"{need}_{more}": f"{known_as}_{more}" for more in question.more}
    answer = Drawing(
        "figure" if question.chart else "table",
        question.chart or question.page_table or "surefoot.charts.study_tables:answer_table",
        tuple(tables),
        f"Answer of the question {name}",
        ("record",) if need.startswith("numbers/") else (),
        {"analysis": name, "answer": known_as},
        {key: known for key, known in tables.items() if key != known},
    )
    if question.chart or not question.finding:  # a chart has it for its title
        return {called: answer}
    setting = {"analysis": name, "function": question.finding, "answer": need}
    finding = table("surefoot.questions.showing:finding_table", (need,), f"Finding of the question {name}", (), setting)
    return {called: answer, f"{called}_finding": finding._replace(code=(question.finding.partition(":")[0],))}


GENERAL = "study"
"""The set of figures of a study that reproduces no paper."""
RUN_NUMBERS = "how_many_runs"
"""The group of questions whose figures and page are called so."""
RECORDED_KINDS = ("coverage", "intervals", "distributions", "seeds", "selection")
"""What is kept of the large run of a paper beside its comparison."""


def study_tables(name: str, study: Study, jobs: Iterable[Job]) -> tuple[dict[str, str], list[str]]:
    """The tables that drawings of a study can take, and the questions whose answers come from a record.

    A table is called after its stage and file, such as `collect/runs` and `estimate/pbp`. Beside that

    - `numbers/<question>` is the answer of a question of scores: of this run, or of the record of a run that had the
      runs, where this one has none;
    - `recorded/<question>` is the answer in that record where this run draws fewer replicates or subsamples;
    - `published`, `record` and `record_<kind>` are the tables that the project keeps of a paper;
    - a name may end in the kind of a question in place of its name: the first of its kind is meant;
    - `<kind>@<question>` are the answers of all questions of a kind.
    """
    own = [job for job in jobs if job.study == name]
    tables = {f"{job.stage}/{Path(path).stem}": path for job in own for path in job.outputs.values()}
    kept_tables = {"published": kept(PUBLISHED / f"{name}.csv")}
    kept_tables["record"] = kept(RECORDS / f"{name}.csv") or kept(RECORDS / name / "record.csv")
    kept_tables |= {f"record_{kind}": kept(RECORDS / f"{name}_{kind}.csv") for kind in RECORDED_KINDS}
    tables |= {key: path for key, path in kept_tables.items() if path}
    tables |= {f"recorded/{key}": path for key, path in _larger_records(name, study, own).items()}
    recorded = []
    for key, question in study.questions.items():
        answer = tables.get(f"{question.stage}/{key}")
        if isinstance(question, QuestionSettings):
            record = kept(RECORDS / name / f"{key}.csv") if not question.group else None
            if answer is None and record:
                recorded.append(key)
            if answer := answer or record:
                tables[f"numbers/{key}"] = answer
        if answer:
            tables[f"{question.kind}@{key}"] = answer
    for key, question in study.questions.items():
        for prefix in (question.stage, "numbers", "recorded"):
            for more in ("", *(f"_{name_of_table}" for name_of_table in question.more)):
                if path := tables.get(f"{prefix}/{key}{more}"):
                    tables.setdefault(f"{prefix}/{question.kind}{more}", path)
    return tables, recorded


def _larger_records(name: str, study: Study, jobs: Iterable[Job]) -> dict[str, str]:
    """Paths, by questions, of the recorded answers of questions that these jobs answer with fewer replicates or
    subsamples than the record has."""
    index = RECORDS / name / "record.csv"
    if not index.is_file():
        return {}
    with index.open(newline="") as file:
        drawn = {row["analysis"]: int(row["replicates"]) * int(row["datasets"]) for row in csv.DictReader(file)}
    answered = [job.part for job in jobs if "question" in job.settings]
    larger = (key for key in answered if drawn.get(key, 0) > math.prod(numbers_drawn(study, key)))
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


def study_drawings(name: str, study: Study, jobs: list[Job]) -> Iterator[Job]:
    """All figures and tables of a study, and before them its comparison with published numbers.

    Where questions are asked of several sets of scores, what shows the answers about one of them is drawn by itself: a
    figure then asks for no more runs, and no more downloads, than its own.
    """
    tables, recorded = study_tables(name, study, jobs)
    answered = {
        key: question
        for key, question in study.questions.items()
        if isinstance(question, QuestionSettings) and f"numbers/{key}" in tables
    }
    planning = {key: question for key, question in answered.items() if question.group == RUN_NUMBERS}
    at_hand = sorted(key for key, question in answered.items() if not question.group)
    settings = _settings(study) | {"recorded": recorded, "at_hand": at_hand}
    compared = list(_comparisons(name, study, settings, tables))
    yield from compared
    tables |= {f"compare/{job.part}": job.outputs["comparison"] for job in compared}
    planned = "numbers/run_plans" in tables
    drawings = dict(CATALOGUE[study.figures])
    if study.figures == GENERAL:
        drawings |= question_drawings(study, set(planning) if planned else set()) | protocol_drawings(study)
    scores = {
        path: f"of_{Path(job.inputs['scores']).stem}"
        for job in jobs
        for path in job.outputs.values()
        if job.part in at_hand and "scores" in job.inputs
    }
    parts: dict[str, dict[str, Drawing]] = {}
    for key, drawing in drawings.items():
        needed = [need for need in (*drawing.needs, *drawing.optional) if need.startswith("numbers/")]
        about = {scores.get(tables[need], "figures") for need in needed if need in tables}
        alone = len(about) == 1 and len(set(scores.values())) > 1
        parts.setdefault(about.pop() if alone else "figures", {})[key] = drawing
    for part, chosen in parts.items():
        yield _draw(name, study.figures, settings, tables, chosen, part)
    if planned:
        names = {question.kind: key for key, question in reversed(planning.items())}
        scale = study.scales[planning[names["run_plans"]].scales()[0]]
        settings |= {"recorded": [], "names": names, "scale": getattr(scale, "phrase", "")}
        if protocol := protocol_of_study(study):
            settings["protocol"] = protocol
        of_runs = tables | {"record": kept(RECORDS / name / "record.csv")}
        yield _draw(name, RUN_NUMBERS, settings, of_runs, CATALOGUE[RUN_NUMBERS], RUN_NUMBERS)


TRUST = "trust"
"""The study, the target and the page of whether intervals can be trusted."""
TRUST_RECORDS = RECORDS / TRUST
"""Its records; an index beside them says when each was made, with how many data sets and resamples, by which code."""


def trust_jobs(trust: Trust | None) -> Iterator[Job]:
    """A job for each subject that the configuration names: the table of its failure rates. They are made on request
    (`snakemake trust`), since they take minutes; the page draws from the records of large runs."""
    if trust is None:
        return
    for subject, given in trust.subjects.items():
        module = f"{subjects_of_trust.__name__}.{subjects_of_trust.SUBJECTS[subject]}"
        settings = given.plain() | {"seed": trust.seed, "subject": f"{module}:{subject}"}
        output = {"failures": f"results/cover/{TRUST}/{subject}.csv"}
        yield Job("cover", TRUST, subject, "cover_trust", settings, (module,), {}, output, on_request=True)


def recorded_tables() -> dict[str, str]:
    """Paths of the recorded tables of failure rates, as {"trust/<subject>": path}."""
    paths = sorted(path for path in TRUST_RECORDS.glob("*.csv") if path.name != "record.csv")
    return {f"{TRUST}/{path.stem}": relative(path) for path in paths}


def trust_drawings(trust: Trust | None) -> Iterator[Job]:
    """Drawings of how often intervals fail, from the records of large runs; none where nothing is recorded."""
    if trust is not None and (recorded := recorded_tables()):
        yield _draw(TRUST, TRUST, {}, recorded, CATALOGUE[TRUST])


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
    recorded = [name for name, study in config.studies.items() if study_tables(name, study, jobs)[1]]
    settings = {"recorded_studies": recorded, "studies": shown}
    return [_draw("home", "home", settings, made, CATALOGUE["home"])]


def _comparisons(name: str, study: Study, settings: dict[str, Any], made: Mapping[str, str | None]) -> Iterator[Job]:
    """The comparisons of this run and of the record with published numbers, where there are such."""
    for side, comparison in COMPARISONS.get(study.figures, COMPARISONS.get(name, {})).items():
        found = {key: path for key in (*comparison.needs, *comparison.optional) if (path := made.get(key))}
        if found.keys() >= {*comparison.needs}:
            chosen = {"function": comparison.function} | {key: settings[key] for key in comparison.settings}
            code = (comparison.function.partition(":")[0],)
            output = {"comparison": f"results/compare/{name}/{side}.parquet"}
            yield Job("compare", name, side, "compare", chosen, code, found, output)


def _settings(study: Study) -> dict[str, Any]:
    """What drawings are told of a study."""
    algorithms: dict[str, str] = {}
    environments: dict[str, str] = {}
    for source in study.sources.values():
        titles = source.titles()
        algorithms |= titles[0]
        environments |= titles[1]
    environments |= study.titles
    all_lower = any(getattr(source, "lower_is_better", False) is True for source in study.sources.values())
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
        "environment_titles": environments,
        "lower_is_better": True if all_lower else negated,
        "negated_scales": [
            name
            for name, scale in study.scales.items()
            if scale.kind == "none" and getattr(study.sources.get(scale.source), "lower_is_better", False) is True
        ],
    }


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
    return Job("draw", name, part, "draw", settings, modules, inputs, outputs)
