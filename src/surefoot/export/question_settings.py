"""The settings of a question in words, as the sentences of a paper take them."""

from collections.abc import Mapping, Sequence
from typing import Any

from surefoot.charts.names import METHODS
from surefoot.charts.selection import METHOD_TITLES
from surefoot.configuration.models import Study
from surefoot.configuration.sections import DIVIDES_WORK, Section
from surefoot.export.citations import Facts, citation, keys_of
from surefoot.export.latex import escaped, from_markdown
from surefoot.questions.settings import Grid, Question
from surefoot.statistics.intervals.entries import INTERVAL_METHODS
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.metrics.entries import METRICS

INTERVALS = "intervals"
"""What a template calls the intervals of a question: their level, methods and resamples together."""
OF_INTERVALS = ("methods", "replicates", "confidence")
"""Settings that are told with the intervals."""
TOLD_OF_ALL = ("kind", "source", "scores", "scale")
"""Settings that say what a question is asked of, which is told in the same way of every question."""
NOT_OF_THE_ANSWER = ("ticks", "points", "bounds", "policies", "like", *DIVIDES_WORK)
"""What decides how an answer is drawn or made, or stands in the configuration as the names of other things."""

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


def settings_in_words(study: Study, question: Question, facts: Facts, titles: Mapping[str, str]) -> dict[str, str]:
    """LaTeX of each setting by its name, and of the intervals; empty of what was not asked for.

    Parameters
    ----------
    facts : `citations.known_facts`
    titles : what algorithms and environments are called
    """
    words = {name: _setting(name, getattr(question, name), titles) for name in type(question).model_fields}
    if written := getattr(question, "metrics", ()):
        metrics = [metric(each) for each in written]
        words["metrics"] = in_words([_metric(each) for each in metrics]) + citation(
            keys_of(facts, [("metric", each.name) for each in metrics])
        )
    return words | {INTERVALS: _intervals(study, question, facts)}


def settings_listed(section: Section, titles: Mapping[str, str]) -> list[str]:
    """LaTeX of each setting of a section of the configuration with its name, for what no sentence is written of."""
    left_out = (*TOLD_OF_ALL, *OF_INTERVALS, *NOT_OF_THE_ANSWER)
    names = [name for name in type(section).model_fields if name not in left_out]
    words = {name: _setting(name, getattr(section, name), titles) for name in names}
    return [f"{escaped(name.replace('_', ' '))}: {told}" for name, told in words.items() if told]


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


def _intervals(study: Study, question: Question, facts: Facts) -> str:
    """The intervals of a question, with their level and resamples; empty where it has none."""
    methods = [escaped(title_of(name)) for name in interval_facts(question)]
    own = facts.get(("question", question.kind), {}).get("interval", "")
    if not own and not methods and not has_limits(question):
        return ""
    level = percent(getattr(question, "confidence", study.confidence))
    if own:
        told = f"{level} {from_markdown(own)}"
    elif len(methods) == 1:
        told = f"{level} {methods[0]} intervals"
    else:
        told = f"{level} intervals {by_methods(methods)}".rstrip()
    drawn = resamples(study, question)
    if drawn is None:
        return told
    how = "for each interval" if question.stage == "cover" else _RESAMPLED[getattr(question, "resampled", "runs")]
    called = "resamples" if "bootstrap" in told else "bootstrap resamples"
    of_a_game = [name for kind, name in interval_facts(question) if kind == "game"]
    all_resample = all(name in INTERVAL_METHODS and INTERVAL_METHODS[name].resamples for name in of_a_game)
    where = "" if all_resample else ", where a method resamples"
    return f"{told} ({thousands(drawn)} {called} {how}{where})"


def _metric(each: Metric) -> str:
    """What a metric is called in a sentence, with its parameter where this is not the usual one."""
    title = METRICS[each.name].title or each.name.replace("_", " ")
    called = title[:1].lower() + title[1:] if title[1:2].islower() else title
    unusual = each.parameter is not None and each.parameter != each.entry.usual
    more = f"{each.parameter:g}" if unusual else "", f"weighted by {each.weighting}" if each.weighting != "runs" else ""
    told = ", ".join(filter(None, more))
    return escaped(f"{called} ({told})" if told else called)


def _setting(name: str, value: Any, titles: Mapping[str, str]) -> str:
    parts = value if isinstance(value, tuple) else (value,)
    if value is None or value == () or value in _USUAL or any(_is_of_several(part) for part in parts):
        return ""
    meanings = _MEANINGS.get(name, {})
    if isinstance(value, tuple) and all(isinstance(each, str | bool) for each in value):
        return in_words([meanings.get(each) or _value(each, titles) for each in value])
    return (isinstance(value, str | bool) and meanings.get(value)) or _value(value, titles)


def _is_of_several(value: Any) -> bool:
    """Whether a value is a section with settings of its own, for which a phrase has no room."""
    return isinstance(value, Section) and not isinstance(value, Grid)


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
        pairs = [each for each in value if isinstance(each, tuple)]
        told = [" and ".join(_value(one, titles) for one in each) for each in pairs]
        return "; ".join(told) if pairs else in_words([_value(each, titles) for each in value])
    if isinstance(value, dict):
        return ", ".join(f"{_value(key, titles)} {_value(each, titles)}" for key, each in value.items())
    text = str(value)
    return escaped(titles.get(text, text.replace("_", " ")))
