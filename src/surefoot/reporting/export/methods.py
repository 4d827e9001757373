"""Methods section of a paper, its appendix, and the last sentences of captions.

The wording is in the templates and in the docstrings of the methods; this module combines it with the settings of a
study.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

import surefoot
from surefoot.charts.names import SCORES
from surefoot.questions._framework.question_settings import Question, QuestionOfRuns
from surefoot.questions._framework.types import Grid
from surefoot.reporting.descriptions import Facts, keys_of, method_title
from surefoot.reporting.export.latex import citation, from_markdown, listed, rendered, rendered_text
from surefoot.reporting.page_source import escape_markup
from surefoot.runs.columns.run_names import RUN
from surefoot.runs.columns.run_tables import HYPERPARAMETERS
from surefoot.runs.protocol_card import methods_sentence, unfinished, unlike_remark
from surefoot.runs.result_tables import ACCOUNT_SUMMARY, LEFT_OUT, read_table
from surefoot.runs.sections import Section
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS
from surefoot.statistics.metrics.metric_catalogue import METRICS, metric
from surefoot.workflow.configuration.models import Study
from surefoot.workflow.fingerprint import module_path
from surefoot.workflow.job import Job
from surefoot.workflow.planning.drawing_inputs import ALONG_TRAINING, protocol_of_study

_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
"""A link to an anchor on a page."""
_SETTING_WORDS: dict[str, dict[str | bool, str]] = yaml.safe_load(
    (Path(__file__).parent / "templates" / "setting_words.yaml").read_text(encoding="utf-8")
)


class CountedRuns(NamedTuple):
    """Counts of a table of runs.

    algorithms, environments : names, in the order of the table
    fewest, most : smallest and largest number of runs of an algorithm in an environment
    total : number of all runs
    left_out : sentences about algorithms without runs in some environment
    account : a sentence about the logs that were read, and about scores that were left out
    """

    algorithms: list[str]
    environments: list[str]
    fewest: int
    most: int
    total: int
    left_out: tuple[str, ...] = ()
    account: str = ""


class RunsBehind(NamedTuple):
    """The runs from which the exported figures and tables are computed.

    sources : counts of the runs, by the name of their source
    titles : display names of algorithms and environments
    ends : lowest and highest score of each environment, by the name of the source
    short_runs : sentences on runs that ended early or left no score, and on the verdict if they are treated otherwise
    """

    sources: Mapping[str, CountedRuns]
    titles: Mapping[str, str] = {}
    ends: Mapping[str, Mapping[str, tuple[float, float]]] = {}
    short_runs: str = ""

    @property
    def largest(self) -> CountedRuns | None:
        """Return the source with the most runs."""
        return max(self.sources.values(), key=lambda runs: runs.total, default=None)


def runs_behind(name: str, study: Study, jobs: Sequence[Job]) -> RunsBehind:
    """Return the runs from which the figures and tables of a study are computed.

    Parameters
    ----------
    name : name of the study
    jobs : jobs of the plan, from which results are read
    """
    along = {table for table, kind in study.tables().items() if kind in ALONG_TRAINING}
    collected = [path for job in jobs if (job.stage, job.study) == ("collect", name) for path in job.outputs.values()]
    paths = {Path(path).stem: Path(path) for path in collected if Path(path).suffix in (".parquet", ".csv")}
    tuned = {key: getattr(source, HYPERPARAMETERS, None) or () for key, source in study.sources.items()}
    tables = {key: read_table(path) for key, path in paths.items() if key not in along}
    sources = {key: counted_runs(table, tuned.get(key, ())) for key, table in tables.items()}
    ends = {key: _ends(table) for key, table in tables.items() if sources[key] and "score" in table.columns}
    counted = {key: runs for key, runs in sources.items() if runs}
    return RunsBehind(counted, _display_names(name, study, jobs) | study.titles, ends, _short_runs(name, jobs))


def _display_names(name: str, study: Study, jobs: Iterable[Job]) -> dict[str, str]:
    """Return the titles of algorithms and environments in a study, and in the studies whose runs it uses."""
    others = {getattr(source, "study", None) or key for key, source in study.sources.items() if source.kind == "study"}
    titles: dict[str, str] = {}
    for job in jobs:
        if job.stage == "draw" and job.study in {name, *others}:
            for drawing in job.settings["drawings"].values():
                titles |= drawing["keywords"].get("titles", {}) | drawing["keywords"].get("environment_titles", {})
    return titles


def _ends(table: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """Return the lowest and the highest score of each environment."""
    scores = table.groupby("environment", observed=True, sort=False)["score"].agg(["min", "max"])
    return {str(row.Index): (row.min, row.max) for row in scores.itertuples()}


def _short_runs(name: str, jobs: Sequence[Job]) -> str:
    """Return the sentences of a study's page on runs that ended early or left no score."""
    drawn = [job.outputs for job in jobs if (job.stage, job.study) == ("draw", name)]
    verdicts = [read_table(Path(outputs["verdict.csv"])) for outputs in drawn if "verdict.csv" in outputs]
    texts = [text for table in verdicts for text in table.loc[table["item"] == "short_runs", "text"]]
    return " ".join(texts)


def counted_runs(table: pd.DataFrame, hyperparameters: Sequence[str] = ()) -> CountedRuns | None:
    """Count the distinct runs of a table; None if the table has no runs.

    If algorithms have several parameter settings, each setting counts as an algorithm, as in ``beb(beta=2.5)``.

    Parameters
    ----------
    hyperparameters : columns in which runs with the same name may differ
    """
    if not {*RUN} <= set(table.columns) or table.empty:
        return None
    columns = [name for name in (*RUN, "parameters", "variant") if name in table.columns]
    runs = table[[*columns, *hyperparameters]].drop_duplicates().fillna("")
    counts = runs.groupby([name for name in columns if name != "run"], observed=True, sort=False).size()
    algorithms = runs["algorithm"].astype(str)
    if "parameters" in columns:
        given = runs["parameters"].astype(str)
        algorithms = algorithms.where(given == "", algorithms + "(" + given + ")")
    environments = runs["environment"].astype(str)
    names = list(dict.fromkeys(algorithms)), list(dict.fromkeys(environments))
    fewest, most, total = (int(number) for number in (counts.min(), counts.max(), counts.sum()))
    account = table.attrs.get(ACCOUNT_SUMMARY, {}).get("sentence", "")
    return CountedRuns(*names, fewest, most, total, tuple(table.attrs.get(LEFT_OUT, ())), account)


class Methods(NamedTuple):
    r"""Methods text as LaTeX, which cites keys of the bibliography with `\citep`.

    section : what was done, in a few paragraphs
    appendix : settings, assumptions and guarantees of each question and interval method
    """

    section: str
    appendix: str


def methods_section(study: Study, runs: RunsBehind, facts: Facts) -> Methods:
    """Return the methods section, which describes runs, scores and questions, and its appendix.

    Parameters
    ----------
    study : the study
    runs : the runs of the study
    facts : result of `surefoot.reporting.descriptions.read_facts`
    """
    largest = runs.largest
    named = (question.source for question in study.questions.values() if isinstance(question, QuestionOfRuns))
    others = {name: runs.sources[name] for name in named if runs.sources.get(name, largest) is not largest}
    protocol = protocol_of_study(study)
    of_protocol = []
    if largest is not None and protocol:
        titles = {name: runs.titles.get(name, name) for name in largest.algorithms}
        of_protocol = [methods_sentence(protocol, titles), unlike_remark(protocol, titles)]
        of_protocol += [] if runs.short_runs else [unfinished(protocol, titles)]
    of_runs = (*largest.left_out, largest.account) if largest else ()
    directions = [source.direction() for source in study.sources.values()]
    kinds = list(_kinds(study, facts, runs.titles))
    values = {
        "runs": largest,
        "other_sources": others,
        "titled": lambda names: listed([escape_markup(runs.titles.get(name, name)) for name in names]),
        "remarks": [escape_markup(text) for text in (*of_runs, runs.short_runs) if text],
        "has_published_scores": any(source.kind == "published" for source in study.sources.values()),
        "protocol": " ".join(map(escape_markup, filter(None, of_protocol))),
        "directions": list(dict.fromkeys(filter(None, map(escape_markup, directions)))),
        "scales": list(_scales(study, facts)),
        "ends": list(_ends_of_scales(study, runs)),
        "kinds": kinds,
        "sharing": _sharing(study),
        "resamples": sorted(
            {drawn for question in study.questions.values() if (drawn := _of_intervals(study, question))}
        ),
        "methods": list(_interval_methods(study, facts)),
        "seed": study.seed,
        "version": escape_markup(surefoot.__version__),
    }
    section, appendix = (
        from_markdown(_LINK.sub(r"\1", rendered(name, values))) for name in ("methods.md.j2", "methods_appendix.md.j2")
    )
    return Methods(section, appendix)


def caption_ending(study: Study, questions: Sequence[str], runs: RunsBehind) -> str:
    """Return the end of a figure's caption: the number of runs, the intervals and the resamples.

    It is empty for figures without runs.

    Parameters
    ----------
    study : the study
    questions : names of the questions whose results are in the figure
    runs : the runs of the study
    """
    shown = [study.questions[name] for name in questions]
    sentences = []
    asked: list[Any] = [question for question in shown if isinstance(question, QuestionOfRuns)]
    asked += [study.scales[name] for question in shown for name in question.scales()]
    sources = {each.source for each in asked if study.tables().get(each.source) not in ALONG_TRAINING}
    counted = runs.largest if shown and not sources else None
    if len(sources) == 1:
        counted = runs.sources.get(sources.pop())
    if counted is not None:
        number = f"{counted.most:,}" if counted.fewest == counted.most else f"{counted.fewest:,} to {counted.most:,}"
        noun = "run" if counted.most == 1 else "runs"
        sentences.append(f"{number} {noun} of each algorithm in each environment.")
    for question in filter(has_limits, shown):
        # Methods for game scores are named in the legend; for other scores a figure shows the first requested method.
        title = "".join(f"{method_title(*name)}, " for name in _interval_names(question)[:1] if name[0] != "game")
        level = f"{100 * getattr(question, 'confidence_level', study.confidence_level):g} %"
        drawn = resamples(study, question) if _all_resample(question) else None
        sentences.append(f"Intervals: {title}{level}{f'; {drawn:,} resamples' if drawn else ''}.")
    return " ".join(dict.fromkeys(sentences))


def guarantees(question: Question, facts: Facts) -> list[str]:
    """Return the guarantees that apply to a question's settings, or the general guarantees if none do, as Markdown."""
    fields = facts.get(("question", question.kind), {})
    settings = {f"with {name} {value}".lower() for name, value in question}
    promises = [text for field, text in fields.items() if field.lower() in settings]
    return promises or [text for field, text in fields.items() if field == "guarantee"]


def sentence(study: Study, question: Question, facts: Facts, titles: Mapping[str, str], *, brief: bool = False) -> str:
    """Return the sentence that describes a question in the methods section, as Markdown.

    The template is in the file `sentences.yaml` in the folder of the question's module. If there is none, the first
    sentence of the question's docstring is used.

    Parameters
    ----------
    titles : display names of algorithms and environments
    brief : True to leave out the number of resamples, and `shared_runs` if it is the same in all questions of the study
    """
    template = sentence_template(question)
    if template is None:
        return " ".join((type(question).__doc__ or question.kind).split("\n\n")[0].split())
    words = {name: _words(name, getattr(question, name), titles) for name in type(question).model_fields}
    if metrics := [metric(name) for name in question.metric_names()]:
        keys = keys_of(facts, [("metric", each.name) for each in metrics])
        names = []
        for each in metrics:
            title = METRICS[each.name].title or each.name.replace("_", " ")
            details = [] if each.parameter in (None, each.entry.usual) else [f"{each.parameter:g}"]
            details += [] if each.weighting == "tasks" else [f"weighted by {each.weighting}"]
            names.append(escape_markup(_lower_first(title) + (f" ({', '.join(details)})" if details else "")))
        words["metrics"] = words["metric"] = listed(names) + citation(keys)
    words["intervals"] = _intervals(study, question, facts, brief=brief)
    if brief and _sharing(study):
        words["shared_runs"] = ""
    return rendered_text(template, words)


def sentence_template(question: Question) -> str | None:
    """Return the template of the sentence that describes a question; None if the folder of its module has none."""
    return _sentences(module_path(type(question).__module__).with_name("sentences.yaml")).get(question.kind)


@functools.cache
def _sentences(path: Path) -> Mapping[str, str]:
    """Return the templates in a file, by kind of question."""
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}


def resamples(study: Study, question: Question) -> int | None:
    """Return the number of resamples of a question; None if it draws none."""
    if not hasattr(question, "n_resamples") or getattr(question, "method", "") == "placements":
        return None
    methods = getattr(question, "methods", ())
    of_a_game = [INTERVAL_METHODS[name].resamples for name in methods if name in INTERVAL_METHODS]
    if of_a_game and not any(of_a_game):
        return None
    return question.n_resamples or study.n_resamples


def has_limits(question: Question) -> bool:
    """Return True if the result of a question has intervals, according to its settings or its definition."""
    resample = hasattr(question, "n_resamples") or question.uses == ("confidence_level",)
    return question.stage == "estimate" and "confidence_level" in question.uses and resample


def _words(name: str, value: Any, titles: Mapping[str, str]) -> str:
    """Describe a setting in words.

    Return an empty string for nested settings and for defaults that need no mention.
    """
    meanings = _SETTING_WORDS.get(name, {})
    if isinstance(value, str | bool) and value in meanings:
        return meanings[value]
    match value:
        case None | () | "corrected" | ("corrected",):
            return ""
        case tuple():
            words = [_words(name, each, titles) for each in value]
            has_pairs = any(isinstance(each, tuple) for each in value)
            return "" if not all(words) else "; ".join(words) if has_pairs else listed(words)
        case Grid():
            return f"{value.first:g} to {value.last:g} ({value.count:,} points)"
        case Section():
            return ""
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:g}"
        case dict():
            return ", ".join(f"{_words(name, key, titles)} {_words(name, each, titles)}" for key, each in value.items())
    return escape_markup(titles.get(str(value), str(value).replace("_", " ")))


def _interval_names(question: Question) -> list[tuple[str, str]]:
    """Return a pair (kind, name) for each interval method of a question."""
    kind = "game" if question.kind in ("evaluation_game_intervals", "coverage") else "interval"
    return [(kind, name) for name in getattr(question, "methods", ())]


def _sharing(study: Study) -> str:
    """Return the setting `shared_runs` in words; empty unless all questions with this setting agree."""
    settings = {getattr(question, "shared_runs", None) for question in study.questions.values()} - {None}
    return _words("shared_runs", settings.pop(), {}) if len(settings) == 1 else ""


def _of_intervals(study: Study, question: Question) -> int | None:
    """Return the number of resamples for the intervals of a question; None without intervals or resamples."""
    return resamples(study, question) if question.stage == "estimate" and has_limits(question) else None


def _intervals(study: Study, question: Question, facts: Facts, *, brief: bool = False) -> str:
    """Describe the intervals of a question, with level and resamples; an empty string without intervals."""
    titles = [escape_markup(method_title(*name)) for name in _interval_names(question)]
    kind = facts.get(("question", question.kind), {}).get("interval", "")
    if not kind and not titles and not has_limits(question):
        return ""
    level = f"{100 * getattr(question, 'confidence_level', study.confidence_level):g}\\ %"
    several = f"intervals by the methods {listed(titles)}" if len(titles) > 1 else "intervals"
    words = f"{level} {kind or (f'{titles[0]} intervals' if len(titles) == 1 else several)}"
    drawn = resamples(study, question)
    if drawn is None or brief:
        return words
    resample = _SETTING_WORDS["resampled_by_intervals"]
    how = "for each interval" if question.stage == "cover" else resample[getattr(question, "resample", "runs")]
    noun = "resamples" if "bootstrap" in words else "bootstrap resamples"
    return f"{words} ({drawn:,} {noun} {how}{'' if _all_resample(question) else ', where a method resamples'})"


def _all_resample(question: Question) -> bool:
    """Return True if all interval methods of a question draw resamples."""
    games = [name for kind, name in _interval_names(question) if kind == "game"]
    return all(name in INTERVAL_METHODS and INTERVAL_METHODS[name].resamples for name in games)


def _scales(study: Study, facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield the template values of each scale that questions use."""
    for name in dict.fromkeys(name for question in study.questions.values() for name in question.scales()):
        scale = study.scales[name]
        phrase = getattr(scale, "phrase", "")
        if not phrase:  # scales that compare pairs of runs do not give scores to single runs
            continue
        title = f"*{escape_markup(SCORES.get(name, name.replace('_', ' ')))}*"
        way = {"way": "taken as they are"}
        if scale.kind != "none":
            reference = getattr(scale, "reference_table", None) or getattr(scale, "baseline", None)
            details = f" ({reference.replace('_', ' ')})" if reference else ""
            key = ("scale", str(scale.kind))
            formula = facts.get(key, {}).get("formula", "").rstrip(".")
            way = {"way": f"on {escape_markup(phrase + details)}", "formula": formula}
            way["citation"] = citation(keys_of(facts, [key]))
        yield {"title": title, "formula": "", "citation": ""} | way


def _ends_of_scales(study: Study, runs: RunsBehind) -> Iterator[dict[str, Any]]:
    """Yield, for each min-max scale, its limits in each environment, since they depend on the runs."""
    used = dict.fromkeys(name for question in study.questions.values() for name in question.scales())
    for scale in (study.scales[name] for name in used if study.scales[name].kind == "min_max"):
        if ends := runs.ends.get(scale.source):
            words = [
                f"{escape_markup(runs.titles.get(name, name))} {low:.6g} to {high:.6g}"
                for name, (low, high) in ends.items()
            ]
            yield {"source": scale.source, "words": "; ".join(words)}


def _kinds(study: Study, facts: Facts, titles: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the template values of each kind of question: its distinct sentences, assumptions and guarantees."""
    kinds: dict[str, list[Question]] = {}
    for question in study.questions.values():
        kinds.setdefault(question.kind, []).append(question)
    for kind, questions in kinds.items():
        sentences = dict.fromkeys(sentence(study, question, facts, titles) for question in questions)
        first, *others = (text.rstrip(".") for text in sentences)
        brief = sentence(study, questions[0], facts, titles, brief=True).rstrip(".")
        keys = keys_of(facts, [("question", kind)])
        promises = dict.fromkeys(text for question in questions for text in guarantees(question, facts))
        yield {
            "title": kind.replace("_", " ").capitalize(),
            "is_plan": all(question.stage == "cover" for question in questions),
            "brief": _cited(brief, keys),
            "sentences": [_cited(first, keys), *others],
            "assumes": facts.get(("question", kind), {}).get("assumes", ""),
            "guarantees": list(promises),
        }


def _cited(text: str, keys: Sequence[str]) -> str:
    """Append a citation of the works that a sentence does not already cite."""
    return text + citation([key for key in keys if f"@{key}" not in text])


def _lower_first(text: str) -> str:
    """Return the text with a lower-case first letter, unless it begins with a name."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text.startswith("A ") else text


def _interval_methods(study: Study, facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield the assumptions and guarantees of each interval method, in the variants that questions use."""
    used: dict[tuple[tuple[str, str], bool], None] = {}
    for question in study.questions.values():
        variants = getattr(question, "variants", None) or (getattr(question, "variant", "corrected"),)
        used |= dict.fromkeys((name, v == "as_published") for name in _interval_names(question) for v in variants)
    for name, as_published in used:
        fields = facts.get(name, {})
        method = INTERVAL_METHODS.get(name[1]) if name[0] == "game" else None
        published = method.as_published if method and as_published else ""
        promise = published or fields.get("guarantee") or (method.guarantee if method else "")
        if promise:
            title = method_title(*name)
            yield {
                "title": escape_markup(title[:1].upper() + title[1:]),
                "as_published": bool(published),
                "citation": citation(keys_of(facts, [name])),
                "guarantee": _lower_first(promise).rstrip("."),
                "assumes": _lower_first(fields.get("assumes", "")).rstrip("."),
            }
