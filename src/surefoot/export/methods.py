"""What was done, for the methods section, the checklist and the captions of a paper.

The wording stands in the templates and in the docstrings of the methods themselves; this module joins them with what a
study asked for.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import surefoot
from surefoot.charts.names import SCORES
from surefoot.configuration.models import Study
from surefoot.configuration.sections import Section
from surefoot.export.citations import Facts, citation, keys_of
from surefoot.export.latex import escaped_markdown, from_markdown, listed, rendered
from surefoot.export.runs import CountedRuns, RunsBehind
from surefoot.export.setting_words import (
    filled,
    has_limits,
    interval_methods,
    method_title,
    resamples,
    settings_in_words,
    stated_settings,
)
from surefoot.pipeline.drawing_jobs import protocol_of_study
from surefoot.protocol.sentences import methods_sentence, unlike_remark
from surefoot.questions.settings import Question, QuestionOfRuns
from surefoot.statistics.intervals.entries import INTERVAL_METHODS

TEMPLATE = "in a paper"
"""The field of a question's docstring that `setting_words.filled` fills."""
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
"""A link to a place on a page."""
_CITED = re.compile(r"@(\w+)")


def methods_section(
    study: Study, runs: RunsBehind, facts: Facts, labels: Mapping[str, Sequence[str]] | None = None
) -> str:
    r"""LaTeX: the runs and their scores, what was asked with which settings and how far the answers can be trusted, the
    interval methods, the seed, the version; it cites keys of the bibliography by `\citep`.

    Parameters
    ----------
    facts : `citations.read_facts`
    labels : of the figures and tables that show the answer to each question, by the question's name
    """
    counted = [*runs.sources.values(), *filter(None, [runs.recorded])]
    names = [runs.titles.get(name, name) for each in counted for name in (*each.algorithms, *each.environments)]
    values = {
        "recorded": _with_titles(runs.recorded, runs),
        "runs": _with_titles(runs.largest, runs),
        "separator": "; " if any("," in name for name in names) else ", ",
        "other_sources": [(name, _with_titles(runs.sources[name], runs)) for name in _other_sources(study, runs)],
        "remarks": [escaped_markdown(sentence) for sentence in (runs.largest.left_out if runs.largest else ())],
        "has_published_scores": any(source.kind == "published" for source in study.sources.values()),
        "protocol": _protocol(study, runs),
        "scales": list(_scales(study, facts)),
        "scored_apart": [
            (escaped_markdown(_scale_title(name)), _with_titles(scored, runs))
            for name, scored in runs.scales.items()
            if scored.total != getattr(runs.largest, "total", None)
        ],
        "kinds": list(_kinds(study, runs, facts, labels or {})),
        "methods": list(_interval_methods(study, facts)),
        "seed": study.seed,
        "version": escaped_markdown(surefoot.__version__),
    }
    return from_markdown(_LINK.sub(r"\1", rendered("methods.md.j2", values)))


def checklist(study: Study, runs: RunsBehind, facts: Facts, left_out: Sequence[str] = ()) -> str:
    """The answer to item 7 of the NeurIPS paper checklist as Markdown, for the authors to check: what they did outside
    of the study is not known here.

    Parameters
    ----------
    facts : `citations.read_facts`
    left_out : a sentence for each figure and table that is not in the paper
    """
    kinds = []
    for kind, questions in questions_by_kind(study).items():
        limited = [question for question in questions.values() if has_limits(question)]
        if limited:
            kinds.append(
                _facts_of_kind(kind, limited, facts)
                | {"intervals": list(dict.fromkeys(filter(None, (_intervals(study, each) for each in limited))))}
            )
    values: dict[str, Any] = {"kinds": kinds, "recorded": runs.recorded, "runs": runs.largest, "left_out": left_out}
    values |= {"seed": study.seed, "confidence": study.confidence}
    return _LINK.sub(r"\1", rendered("checklist.md.j2", values))


def caption_ending(
    study: Study, drawing: str, questions: Sequence[str], tables: Collection[str], runs: RunsBehind
) -> str:
    """The end of a figure's caption: how many runs it is of, and its intervals and resamples; empty for a figure that
    shows no runs.

    Parameters
    ----------
    questions : names of the questions whose answers the figure shows
    tables : names of the tables that it is drawn from; intervals of the game have those of their methods
    """
    if drawing in runs.from_record:
        number = _runs_per_cell(runs.recorded)
        return f"From the record of a larger run{f': {number}' if number else ''}."
    shown = [study.questions[name] for name in questions]
    number = _runs_per_cell(_runs_of(shown, runs)) if shown else ""
    sentences = [f"{number}."] if number else []
    sentences += ["The record of a larger run is beside it."] if drawing in runs.beside_record else []
    sentences += dict.fromkeys(filter(None, (_drawn_intervals(study, question, tables) for question in shown)))
    return " ".join(sentences)


def questions_by_kind(study: Study) -> dict[str, dict[str, Question]]:
    """The questions of a study by their kinds, in the order of the first of each kind."""
    kinds: dict[str, dict[str, Question]] = {}
    for name, question in study.questions.items():
        kinds.setdefault(question.kind, {})[name] = question
    return kinds


def guarantees(question: Question, facts: Facts) -> list[str]:
    """What is promised of the answer, as Markdown: what the question's docstring says of its settings, else what it
    says of all."""
    fields = facts.get(("question", question.kind), {})
    promises = []
    for field, text in fields.items():
        first, _, rest = field.partition(" ")
        setting, _, value = rest.partition(" ")
        if first == "with" and str(getattr(question, setting, None)).lower() == value.lower():
            promises.append(text)
    return promises or [text for field, text in fields.items() if field == "guarantee"]


def _with_titles(runs: CountedRuns | None, behind: RunsBehind) -> CountedRuns | None:
    if runs is None:
        return None
    algorithms, environments = (
        [escaped_markdown(behind.titles.get(name, name)) for name in names]
        for names in (runs.algorithms, runs.environments)
    )
    return runs._replace(algorithms=algorithms, environments=environments)


def _other_sources(study: Study, runs: RunsBehind) -> list[str]:
    """The sources that questions of runs name, beside the largest one."""
    sources = (question.source for question in study.questions.values() if isinstance(question, QuestionOfRuns))
    return [name for name in dict.fromkeys(sources) if runs.sources.get(name, runs.largest) is not runs.largest]


def _protocol(study: Study, runs: RunsBehind) -> str:
    protocol = protocol_of_study(study)
    if runs.largest is None or not protocol:
        return ""
    titles = {name: runs.titles.get(name, name) for name in runs.largest.algorithms}
    sentences = filter(None, (methods_sentence(protocol, titles), unlike_remark(protocol, titles)))
    return " ".join(map(escaped_markdown, sentences))


def _scales(study: Study, facts: Facts) -> Iterator[dict[str, Any]]:
    """Each way of scaling, with the scales that use it."""
    ways: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for question in study.questions.values() for name in question.scales()):
        if way := _way(study.scales[name]):
            ways.setdefault(way, []).append(name)
    explained = set()
    for way, names in ways.items():
        kind = str(getattr(study.scales[names[0]], "kind", ""))
        formula = facts.get(("scale", kind), {}).get("formula", "").rstrip(".") if kind not in explained else ""
        explained.add(kind)
        titles = [f"*{escaped_markdown(_scale_title(name))}*" for name in names]
        keys = keys_of(facts, [("scale", kind)])
        yield {"names": titles, "way": way, "formula": formula if kind != "none" else "", "citation": citation(keys)}


def _way(scale: Section) -> str:
    """How a scale makes scores, such as "on the scale between the reference scores (atari human)"."""
    phrase = getattr(scale, "phrase", "")
    if getattr(scale, "kind", "") == "none":
        return "taken as they are"
    reference = next((str(name) for key in ("references", "reference") if (name := getattr(scale, key, None))), "")
    details = f" ({escaped_markdown(reference.replace('_', ' '))})" if reference else ""
    return f"on {escaped_markdown(phrase)}{details}" if phrase else ""


def _scale_title(name: str) -> str:
    return SCORES.get(name, name.replace("_", " "))


def _kinds(
    study: Study, runs: RunsBehind, facts: Facts, labels: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """Each kind of questions: a sentence for those that differ only in their scales, assumptions and guarantees."""
    assumed: dict[str, str] = {}
    for kind, questions in questions_by_kind(study).items():
        groups: dict[str, list[str]] = {}
        for name, question in questions.items():
            sentence = filled(_template(question, facts), settings_in_words(study, question, facts, runs.titles))
            groups.setdefault(sentence, []).append(name)
        keys = keys_of(facts, [("question", kind)])
        sentences = []
        for place, (sentence, names) in enumerate(groups.items()):
            new = [key for key in keys if key not in _CITED.findall(sentence)] if place == 0 else []
            shown = _references([label for name in names for label in labels.get(name, ())])
            beginning = _asked_of(study, [questions[name] for name in names])
            text = f"{beginning}, {_lower_first(sentence)}" if beginning else sentence
            sentences.append(f"{text.rstrip('.')}{citation(new)}{shown}.")
        paragraph = _facts_of_kind(kind, list(questions.values()), facts)
        title = kind.replace("_", " ").capitalize()
        assumes = paragraph["assumes"] if not paragraph["assumes"].startswith("Nothing") else ""
        yield paragraph | {
            "title": title,
            "sentences": sentences,
            "assumes": _lower_first(assumes),
            "assumed_before": assumed.get(assumes, "") if assumes else "",
            "guarantees": [_promise(text) for text in paragraph["guarantees"]],
        }
        assumed.setdefault(assumes, _lower_first(title))


def _facts_of_kind(kind: str, questions: Sequence[Question], facts: Facts) -> dict[str, Any]:
    fields = facts.get(("question", kind), {})
    promises = list(dict.fromkeys(text for question in questions for text in guarantees(question, facts)))
    return {
        "kind": kind,
        "assumes": fields.get("assumes", ""),
        "guarantees": promises,
        "not_for": fields.get("not for", ""),
    }


def _promise(text: str) -> dict[str, Any]:
    rest = text.removeprefix("None: ").removeprefix("None ")
    return {"is_none": rest != text, "text": _lower_first(rest)}


def _lower_first(text: str) -> str:
    """The text with a small first letter, where this is not a name's."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text.startswith("A ") else text


def _template(question: Question, facts: Facts) -> str:
    """What a paper says of a question; for one without a template, its settings by their names."""
    if template := facts.get(("question", question.kind), {}).get(TEMPLATE):
        return template
    about = " ".join((type(question).__doc__ or question.kind).split("\n\n")[0].split()).rstrip(".")
    settings = "".join(f"[; {name.replace('_', ' ')}: {{{name}}}]" for name in stated_settings(type(question)))
    return f"{about}{settings}[; {{intervals}}]."


def _asked_of(study: Study, questions: Sequence[Question]) -> str:
    """The scales of some questions, where the study has scores of several sources or on several scales."""
    titles = {name: f"*{escaped_markdown(_scale_title(name))}*" for name, scale in study.scales.items() if _way(scale)}
    asked = {scale for question in study.questions.values() for scale in question.scales()} & {*titles}
    if len({_way(study.scales[scale]) for scale in asked}) < 2 and len(study.sources) < 2:
        return ""
    names = dict.fromkeys(scale for question in questions for scale in question.scales() if scale in titles)
    return f"On {listed([titles[name] for name in names])}" if names else ""


def _references(labels: Sequence[str]) -> str:
    """References to figures and tables, which are labelled `fig:` and `tab:`."""
    parts = []
    for kind, noun in (("fig:", "Figure"), ("tab:", "Table")):
        numbers = [f"\\ref{{{label}}}" for label in dict.fromkeys(labels) if label.startswith(kind)]
        if numbers:
            parts.append(f"{noun}{'s' * (len(numbers) > 1)}\\ {listed(numbers)}")
    return f" ({'; '.join(parts)})" if parts else ""


def _interval_methods(study: Study, facts: Facts) -> Iterator[dict[str, Any]]:
    """What each interval method assumes and promises, in the variants in which it is used."""
    used: dict[tuple[tuple[str, str], bool], None] = {}
    for question in study.questions.values():
        variants = getattr(question, "variants", None) or (getattr(question, "variant", "corrected"),)
        used |= dict.fromkeys((name, v == "as_published") for name in interval_methods(question) for v in variants)
    for name, as_published in used:
        fields = facts.get(name, {})
        method = INTERVAL_METHODS.get(name[1]) if name[0] == "game" else None
        published = method.as_published if method and as_published else ""
        promise = published or fields.get("guarantee") or (method.guarantee if method else "")
        if promise:
            title = method_title(*name)
            yield {
                "title": escaped_markdown(title[:1].upper() + title[1:]),
                "as_published": bool(published),
                "citation": citation(keys_of(facts, [name])),
                "guarantee": _lower_first(promise).rstrip("."),
                "assumes": _lower_first(fields.get("assumes", "")).rstrip("."),
            }


def _intervals(study: Study, question: Question) -> str:
    """The interval methods and resamples of a question, as the checklist names them."""
    titles = [method_title(*name) for name in interval_methods(question)]
    drawn = resamples(study, question)
    parts = [f"by the method{'s' * (len(titles) > 1)} {listed(titles)}"] if titles else []
    return ", ".join([*parts, *([] if drawn is None else [f"{drawn:,} resamples"])])


def _runs_per_cell(runs: CountedRuns | None) -> str:
    if runs is None:
        return ""
    number = f"{runs.most:,}" if runs.fewest == runs.most else f"{runs.fewest:,} to {runs.most:,}"
    return f"{number} run{'' if runs.most == 1 else 's'} of each algorithm in each environment"


def _runs_of(questions: Sequence[Question], runs: RunsBehind) -> CountedRuns | None:
    """The runs that answer some questions: those of their scale or source, where they have a single one."""
    scales = {name for question in questions for name in question.scales()}
    if len(scales) == 1 and scales <= {*runs.scales}:
        return runs.scales[scales.pop()]
    sources = {question.source for question in questions if isinstance(question, QuestionOfRuns)}
    return runs.sources.get(sources.pop()) if len(sources) == 1 else None if sources else runs.largest


def _drawn_intervals(study: Study, question: Question, tables: Collection[str]) -> str:
    """Which intervals a figure shows: the first that were asked for. Those of the game are named in its legend."""
    drawn, methods = resamples(study, question), interval_methods(question)
    title = f"{method_title(*methods[0])}, " if methods else ""
    if question.kind == "game_intervals":
        # Others, such as Anderson's, are no intervals of scores and draw nothing.
        names = getattr(question, "methods", ())
        shown = [INTERVAL_METHODS[name] for name in names if name in INTERVAL_METHODS and name in tables]
        title, drawn = "", drawn if any(method.resamples for method in shown) else None
    level = f"{100 * getattr(question, 'confidence', study.confidence):g} %"
    parts = [f"Intervals: {title}{level}"] if has_limits(question) else []
    parts += [] if drawn is None else [f"{drawn:,} resamples"]
    return f"{'; '.join(parts)}." if parts else ""
