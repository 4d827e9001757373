"""The end of a figure's caption in a paper: how many runs it is of, and its intervals and resamples."""

from collections.abc import Collection, Sequence

from surefoot.charts.sentences import capitalised, counted
from surefoot.configuration.models import Study
from surefoot.export.methods_section import RunsBehind
from surefoot.export.question_settings import has_limits, resamples, title_of
from surefoot.export.runs import CountedRuns
from surefoot.questions.game_intervals.settings import Settings as GameIntervals
from surefoot.questions.settings import Question, QuestionOfRuns
from surefoot.statistics.intervals.entries import INTERVAL_METHODS


def making(study: Study, drawing: str, questions: Sequence[str], takes: Collection[str], runs: RunsBehind) -> str:
    """Plain sentences; the first says whether the numbers are from a record. Empty of a figure that shows no runs.

    Parameters
    ----------
    questions : names of the questions whose answers the figure shows
    takes : names of the tables that it is drawn from; intervals of the game have those of their methods
    """
    asked = [study.questions[name] for name in questions]
    if drawing in runs.records.whole:
        kept = runs.records.answers
        asked = [kept[name].question if name in kept else study.questions[name] for name in questions]
        known = [phrase for name in questions if name in kept for phrase in kept[name].runs]
        known += [runs.records.scales.get(scale, "") for question in asked for scale in question.scales()]
        told = next(filter(None, known), "").replace("{,}", ",") or _counted(runs.records.runs)
        first = f"From the record of a larger run{f': {told}' if told else ''}."
    else:
        told = _counted(_behind(asked, runs)) if asked else ""
        beside = "The record of a larger run is beside it." if drawing in runs.records.beside else ""
        first = " ".join(filter(None, (f"{told}." if told else "", beside)))
    intervals = list(dict.fromkeys(_intervals(study, question, takes) for question in asked))
    more = [text for text in intervals if not any(text != other and text.rstrip(".") in other for other in intervals)]
    return " ".join(filter(None, (first, *more)))


def _counted(runs: CountedRuns | None) -> str:
    if runs is None:
        return ""
    most = counted(runs.most, "run")
    return f"{most if runs.fewest == runs.most else f'{runs.fewest:,} to {most}'} of each algorithm in each environment"


def _behind(asked: Sequence[Question], runs: RunsBehind) -> CountedRuns | None:
    """The runs at hand for some questions: those of their scale or source, where these have one."""
    scales = {name for question in asked for name in question.scales()}
    if len(scales) == 1 and scales <= {*runs.scales}:
        return runs.scales[scales.pop()]
    sources = {question.source for question in asked if isinstance(question, QuestionOfRuns)}
    if len(sources) == 1:
        return runs.sources.get(sources.pop())
    return None if sources else runs.of_this_study


def _intervals(study: Study, question: Question, takes: Collection[str]) -> str:
    """Which intervals a figure shows: the first that were asked for. Those of the game are named in its legend."""
    drawn, methods = resamples(study, question), getattr(question, "methods", ())
    level = f"{100 * getattr(question, 'confidence', study.confidence):g} %"
    named = ""
    if isinstance(question, GameIntervals):
        # Others, such as Anderson's, are no intervals of scores and draw nothing.
        shown = [INTERVAL_METHODS[name] for name in question.methods if name in INTERVAL_METHODS and name in takes]
        drawn = drawn if any(method.resamples for method in shown) else None
    elif methods:
        named = title_of(("interval", methods[0]))
    parts = []
    if has_limits(question):
        parts.append(f"intervals: {named}, {level}" if named else f"intervals: {level}")
    if drawn is not None:
        parts.append(f"{drawn:,} resamples")
    text = "; ".join(parts)
    return f"{capitalised(text)}." if text else ""
