"""What a question was asked with, in words: each setting by its name and description in the question's own model.

A question whose settings are described as others are needs nothing here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from surefoot.charts.names import METHODS
from surefoot.charts.selection import METHOD_TITLES
from surefoot.configuration.models import Study
from surefoot.configuration.sections import Section
from surefoot.manuscript.citations import Facts, citation, keys_of
from surefoot.manuscript.latex import escaped, from_markdown
from surefoot.questions.settings import Grid, Question
from surefoot.statistics.intervals.entries import INTERVAL_METHODS
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.metrics.entries import METRICS

_SAID_ELSEWHERE = ("kind", "metrics", "methods", "replicates", "scores", "source")
_NOT_OF_THE_ANSWER = ("ticks", "block", "batch", "bounds", "policies", "like")
"""What decides how an answer is drawn or made, or stands in the configuration as the names of other things."""
_END_OF_CLAUSE = re.compile(r"[.;:,]( |$)| \(")
_COUNTED = re.compile(r"(?:How many )?((?:\w+ )?\w+s\b.*)")
_REPEATED = re.compile(r"How often (.*)")
_NOT_COUNTED = ("The ", "A ", "Name ", "Whether ", "After ", "What ", "As ")
_NOT_SAID_WHOLE = ("A ", "Name ", "Whether ", "After ", "What ", "As ", "Where ")


def settings_in_words(study: Study, question: Question, facts: Facts, titles: Mapping[str, str]) -> list[str]:
    """LaTeX of each setting that decides the answer, metrics and interval methods first.

    Parameters
    ----------
    facts : `citations.known_facts`
    titles : what algorithms and environments are called
    """
    return [*_of_intervals(study, question, facts), *words_of_settings(question, titles)]


def resamples(study: Study, question: Question) -> int | None:
    """How many resamples a question draws; None where it draws none."""
    if not hasattr(question, "replicates"):
        return None
    methods = getattr(question, "methods", ())
    of_a_game = [INTERVAL_METHODS[name].resamples for name in methods if name in INTERVAL_METHODS]
    if of_a_game and not any(of_a_game):
        return None
    return question.replicates or study.replicates


def has_limits(question: Question) -> bool:
    """Whether the answer of a question has intervals: those of methods that it names, or of its own."""
    resampled = hasattr(question, "replicates") or question.uses == ("confidence",)
    return question.stage == "estimate" and "confidence" in question.uses and resampled


def interval_facts(question: Question) -> list[tuple[str, str]]:
    """Kind and name, as facts have them, of the interval methods of a question."""
    kind = "game" if question.kind in ("game_intervals", "coverage") else "interval"
    return [(kind, name) for name in getattr(question, "methods", ())]


def title_of(name: tuple[str, str]) -> str:
    """What an interval method is called in a sentence."""
    titles = METHOD_TITLES if name[0] == "game" else METHODS
    return titles.get(name[1], name[1].upper() if len(name[1]) < 4 else name[1].replace("_", " ").capitalize())


def by_methods(names: Sequence[str]) -> str:
    """Interval methods as a sentence says that intervals are made by them; empty without names."""
    return f"by the method{'s' if len(names) > 1 else ''} {in_words(names)}" if names else ""


def in_words(names: Sequence[str]) -> str:
    """Texts as a sentence lists them, with semicolons where some have commas."""
    if len(names) == 1:
        return names[0]
    if any("," in name.replace("{,}", "") for name in names):
        return f"{'; '.join(names[:-1])}; and {names[-1]}"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def thousands(number: int) -> str:
    """A count as LaTeX writes it."""
    return f"{number:,}".replace(",", "{,}")


def percent(confidence: float) -> str:
    r"""A level such as 95\,\%."""
    return f"{100 * confidence:g}\\,\\%"


def _of_intervals(study: Study, question: Question, facts: Facts) -> Iterator[str]:
    names = [metric(written) for written in getattr(question, "metrics", ())]
    if names:
        titles = [escaped(METRICS[each.name].title or each.name.replace("_", " ")) for each in names]
        yield in_words(titles) + citation(keys_of(facts, [("metric", each.name) for each in names]))
    methods = [escaped(title_of(name)) for name in interval_facts(question)]
    own = facts.get(("question", question.kind), {}).get("interval", "")
    confidence = percent(getattr(question, "confidence", study.confidence))
    if own:
        yield f"{confidence} {from_markdown(own)}"
    elif has_limits(question) or methods:
        yield f"{confidence} intervals {by_methods(methods)}".rstrip()
    drawn = resamples(study, question)
    if drawn is not None:
        yield f"{thousands(drawn)} resamples{_resampled(question)}"


def _resampled(question: Question) -> str:
    how = {
        "runs": " of the runs of each environment",
        "whole_runs": " of whole runs",
        "tasks_and_runs": " of tasks and of their runs",
    }
    if question.stage == "cover":
        return " for each interval"
    return how[getattr(question, "resampled", "runs")]


def words_of_settings(section: Section, titles: Mapping[str, str]) -> Iterator[str]:
    """LaTeX of each setting of a section of the configuration, metrics, methods and resamples apart.

    Those of a question are called what its model says of them, those of a source by their names.

    Parameters
    ----------
    titles : what algorithms and environments are called
    """
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        left_out = name in (*_SAID_ELSEWHERE, *_NOT_OF_THE_ANSWER) or (name == "confidence")
        resampled = name == "resampled" and hasattr(section, "replicates")
        if left_out or resampled or value is None or value == ():
            continue
        yield _in_words(name, _clause(field.description or "") if isinstance(section, Question) else "", value, titles)


def _clause(description: str) -> str:
    """What a description says first."""
    return _END_OF_CLAUSE.split(description, maxsplit=1)[0].strip()


def _in_words(name: str, described: str, value: Any, titles: Mapping[str, str]) -> str:
    called = escaped(name.replace("_", " "))
    lower = from_markdown(described[:1].lower() + described[1:])
    if isinstance(value, int) and not isinstance(value, bool):
        if repeated := _REPEATED.fullmatch(described):
            return f"{from_markdown(repeated[1])} {thousands(value)} times"
        counted = _COUNTED.fullmatch(described)
        if counted and not described.startswith(_NOT_COUNTED):
            return f"{thousands(value)} {from_markdown(counted[1][:1].lower() + counted[1][1:])}"
    is_plain = isinstance(value, tuple | int | float) and not isinstance(value, bool)
    if is_plain and described and not described.startswith(_NOT_SAID_WHOLE):
        return f"{lower}: {_listed(value, titles) if isinstance(value, tuple) else _value(value, titles)}"
    return f"{called}: {_value(value, titles)}"


def _listed(values: Sequence[Any], titles: Mapping[str, str]) -> str:
    counts = [value for value in values if isinstance(value, tuple)]
    return (
        in_words([_value(value, titles) for value in values])
        if not counts
        else "; ".join(_value(value, titles) for value in values)
    )


def _value(value: Any, titles: Mapping[str, str]) -> str:
    if isinstance(value, Grid):
        return f"{value.first:g} to {value.last:g} ({thousands(value.count)} points)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return thousands(value)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        if len(value) == 2 and all(isinstance(name, str) for name in value):
            return " and ".join(_value(name, titles) for name in value)
        return _listed(value, titles)
    if isinstance(value, dict):
        return ", ".join(f"{_value(key, titles)} {_value(each, titles)}" for key, each in value.items())
    text = str(value)
    return escaped(titles.get(text, text.replace("_", " ")))
