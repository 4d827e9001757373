"""The settings of a question in words, as the sentences of a paper take them; all texts are Markdown."""

import re
from collections.abc import Mapping
from typing import Any

from surefoot.charts.names import METHODS
from surefoot.charts.selection import METHOD_TITLES
from surefoot.configuration.models import Study
from surefoot.configuration.sections import DIVIDES_WORK, Section
from surefoot.export.citations import Facts, citation, keys_of
from surefoot.export.latex import escaped_markdown, listed
from surefoot.questions.settings import Question
from surefoot.questions.types import Grid
from surefoot.statistics.intervals.entries import INTERVAL_METHODS
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.metrics.entries import METRICS

INTERVALS = "intervals"
"""What a template calls the intervals of a question: their level, methods and resamples together."""
NOT_IN_SENTENCES = (
    *("kind", "source", "scores", "scale"),  # what a question is asked of, which is stated alike for all
    *("methods", "replicates", "confidence"),  # stated with the intervals
    *("ticks", "points", "bounds", "policies", "like", *DIVIDES_WORK),  # how an answer is drawn or computed
)
"""Settings that no template names."""
_CLAUSE = re.compile(r"\[([^\[\]]*)\]")
_SETTING = re.compile(r"\{([a-z_]+)\}")
_USUAL = ("corrected", ("corrected",))
"""The variants of interval methods that go without saying."""
_RESAMPLED = {
    "runs": "of the runs of each environment",
    "whole_runs": "of whole runs",
    "tasks_and_runs": "of tasks and of their runs",
}
_MEANINGS: Mapping[str, Mapping[Any, str]] = {
    "resampled": {"runs": "on each task separately", "whole_runs": "the same runs on all tasks"},
    "shared_runs": {
        True: "taking whole runs for independent, since tasks share them",
        False: "taking tasks for independent, since each has runs of its own",
        "auto": "taking tasks for independent unless runs with the same name do alike on all of them by more than "
        "chance, and then whole runs",
    },
    "replacement": {True: "with replacement", False: "without replacement"},
    "tasks_independent": {
        True: "taken to be independent of each other",
        False: "not taken to be independent of each other",
        "auto": "taken to be independent of each other once the earlier rounds have shown that they vary independently",
    },
    "design": {
        "resample": "drawn with replacement from the pool of all runs",
        "cut": "cut from the pool of all runs, none of which occurs twice",
    },
    "profiles": {
        "run_scores": "the fraction of runs that score above each threshold",
        "average_scores": "the fraction of tasks with a mean score above each threshold",
    },
}
"""What the values of a setting mean in a sentence, where their names do not say it."""


def settings_named(template: str) -> list[str]:
    """The names of the settings that a template states, in its order."""
    return _SETTING.findall(template)


def filled(template: str, words: Mapping[str, str]) -> str:
    """A question's sentence: the field `in a paper` of its docstring, with its settings in words.

    `{datasets}` stands for a setting. A phrase in brackets is left out where one of its settings says nothing::

        We draw [{datasets} subsamples][ from the runs of {algorithms}] and report the {metrics}.
    """
    phrases = _CLAUSE.sub(
        lambda phrase: phrase[1] if all(words.get(name) for name in settings_named(phrase[1])) else "", template
    )
    return _SETTING.sub(lambda setting: words.get(setting[1], ""), phrases)


def stated_settings(question: type[Question]) -> list[str]:
    """Names of the settings that a template has to state, beside the intervals."""
    fields = question.model_fields
    with_intervals = {"resampled"} if "replicates" in fields else set()
    return [name for name in fields if name not in NOT_IN_SENTENCES and name not in with_intervals]


def settings_in_words(study: Study, question: Question, facts: Facts, titles: Mapping[str, str]) -> dict[str, str]:
    """Words for each setting by its name, and for the intervals; empty for what was not asked for.

    Parameters
    ----------
    facts : `citations.read_facts`
    titles : display names of algorithms and environments
    """
    words = {name: _setting(name, getattr(question, name), titles) for name in type(question).model_fields}
    if written := getattr(question, "metrics", ()):
        metrics = [metric(each) for each in written]
        keys = keys_of(facts, [("metric", each.name) for each in metrics])
        words["metrics"] = listed([_metric(each) for each in metrics]) + citation(keys)
    return words | {INTERVALS: _intervals(study, question, facts)}


def resamples(study: Study, question: Question) -> int | None:
    """How many resamples a question draws; None where it draws none."""
    if not hasattr(question, "replicates") or getattr(question, "method", "") == "placements":
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


def interval_methods(question: Question) -> list[tuple[str, str]]:
    """Kind and name, as facts have them, of the interval methods of a question."""
    kind = "game" if question.kind in ("game_intervals", "coverage") else "interval"
    return [(kind, name) for name in getattr(question, "methods", ())]


def method_title(kind: str, name: str) -> str:
    """The display name of an interval method."""
    titles = METHOD_TITLES if kind == "game" else METHODS
    return titles.get(name, name.upper() if len(name) < 4 else name.replace("_", " ").capitalize())


def _intervals(study: Study, question: Question, facts: Facts) -> str:
    """The intervals of a question, with their level and resamples; empty where it has none."""
    methods = interval_methods(question)
    titles = [escaped_markdown(method_title(*name)) for name in methods]
    interval = facts.get(("question", question.kind), {}).get("interval", "")
    if not interval and not titles and not has_limits(question):
        return ""
    level = f"{100 * getattr(question, 'confidence', study.confidence):g}\\ %"
    several = f"intervals by the methods {listed(titles)}" if len(titles) > 1 else "intervals"
    words = f"{level} {interval or (f'{titles[0]} intervals' if len(titles) == 1 else several)}"
    drawn = resamples(study, question)
    if drawn is None:
        return words
    how = "for each interval" if question.stage == "cover" else _RESAMPLED[getattr(question, "resampled", "runs")]
    noun = "resamples" if "bootstrap" in words else "bootstrap resamples"
    all_resample = all(
        name in INTERVAL_METHODS and INTERVAL_METHODS[name].resamples for kind, name in methods if kind == "game"
    )
    return f"{words} ({drawn:,} {noun} {how}{'' if all_resample else ', where a method resamples'})"


def _metric(each: Metric) -> str:
    """A metric in a sentence, with its parameter where this is not the usual one."""
    title = METRICS[each.name].title or each.name.replace("_", " ")
    noun = title[:1].lower() + title[1:] if title[1:2].islower() else title
    unusual = each.parameter is not None and each.parameter != each.entry.usual
    details = [f"{each.parameter:g}"] if unusual else []
    details += [f"weighted by {each.weighting}"] if each.weighting != "runs" else []
    return escaped_markdown(f"{noun} ({', '.join(details)})" if details else noun)


def _setting(name: str, value: Any, titles: Mapping[str, str]) -> str:
    parts = value if isinstance(value, tuple) else (value,)
    has_sections = any(isinstance(part, Section) and not isinstance(part, Grid) for part in parts)
    if value is None or value == () or value in _USUAL or has_sections:
        return ""  # a section has settings of its own, for which a phrase has no room
    meanings = _MEANINGS.get(name, {})
    if not isinstance(value, tuple):
        return (isinstance(value, str | bool) and meanings.get(value)) or _value(value, titles)
    if any(isinstance(each, tuple) for each in value):
        return "; ".join(" and ".join(_value(one, titles) for one in each) for each in value)
    return listed([(isinstance(each, str) and meanings.get(each)) or _value(each, titles) for each in value])


def _value(value: Any, titles: Mapping[str, str]) -> str:
    match value:
        case Grid():
            return f"{value.first:g} to {value.last:g} ({value.count:,} points)"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:g}"
        case dict():
            return ", ".join(f"{_value(key, titles)} {_value(each, titles)}" for key, each in value.items())
    text = str(value)
    return escaped_markdown(titles.get(text, text.replace("_", " ")))
