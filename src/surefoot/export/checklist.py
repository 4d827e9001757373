"""What a study can answer to item 7 of the NeurIPS paper checklist, on error bars and statistical significance."""

from collections.abc import Iterator, Sequence

from surefoot.configuration.models import Study
from surefoot.export.citations import Facts
from surefoot.export.latex import without_links
from surefoot.export.methods_section import RunsBehind, asked, guarantees
from surefoot.export.question_settings import by_methods, has_limits, interval_facts, resamples, title_of
from surefoot.export.runs import CountedRuns
from surefoot.questions.settings import Question


def checklist(study: Study, runs: RunsBehind, facts: Facts, left_out: Sequence[str] = ()) -> str:
    """The answer as Markdown, to be checked by the authors: what they did outside of the study is not known here.

    Parameters
    ----------
    facts : `citations.known_facts`
    left_out : a sentence for each figure and table that is not in the paper
    """
    more = ["", "# Not in the paper", "", *(f"* {sentence}." for sentence in left_out)] if left_out else []
    return "\n".join(["# Checklist item 7: error bars", "", *_lines(study, runs, facts), *more, ""])


def _lines(study: Study, runs: RunsBehind, facts: Facts) -> Iterator[str]:
    with_limits = {name: one for name, one in _as_shown(study, runs).items() if has_limits(one)}
    level = f"{100 * study.confidence:g} %"
    if not with_limits:
        yield "**Answer: No.** The study asks no question whose answer has intervals."
        return
    yield "**Answer: Yes.** To be read and completed by the authors before it is pasted."
    yield ""
    recorded, own = runs.records.runs, runs.of_this_study
    if recorded is not None:
        yield f"* **What varies:** the run. {_number(recorded)} in the record of a larger run."
        yield from (f"  {_number(each)} in what is not from the record." for each in (own,) if each is not None)
    elif own is not None:
        yield f"* **What varies:** the run. {_number(own)}."
    for name, scored in runs.scales.items():
        if own is None:
            yield f"* **Runs of the scores {name}:** {_number(scored)}."
    if recorded is not None or own is not None:
        yield "  Whether runs also differ in hyperparameters, data or initial states is for the authors to say."
    if own is not None and own.fewest < 5:
        where = " of those that are not from the record" if recorded is not None else ""
        yield f"* **Few runs:**{where} some algorithm has only {own.fewest} in an environment; intervals say little."
    yield f"* **What the bars are:** {level} confidence intervals, never standard deviations or standard errors."
    for kind in dict.fromkeys(one.kind for one in with_limits.values()):
        known = facts.get(("question", kind), {})
        questions = [one for one in with_limits.values() if one.kind == kind]
        told = dict.fromkeys(_how(study, one) for one in questions)
        promised = dict.fromkeys(text for one in questions for text in guarantees(one, facts))
        how = "; or ".join(filter(None, told))
        yield f"* **`{kind}`**{f' ({how})' if how else ''}."
        yield f"  Assumed: {without_links(known.get('assumes', 'see the methods'))}"
        yield f"  Promised: {without_links(' '.join(promised) or 'see the methods')}"
        yield f"  Not to be used for: {without_links(known.get('not for', 'see the methods'))}"
    yield "* **Asymmetric intervals** are drawn as they are, never as value plus or minus one number."
    yield f"* **How they were computed:** with Surefoot, seed {study.seed}; `methods.tex` has formulas' sources."


def _as_shown(study: Study, runs: RunsBehind) -> dict[str, Question]:
    """The questions by their names, with the settings of the record where its numbers are shown."""
    found = {name: one for questions in asked(study).values() for name, one in questions.items()}
    return found | {name: answer.question for name, answer in runs.records.answers.items()}


def _number(runs: CountedRuns) -> str:
    number = f"{runs.fewest:,}" if runs.fewest == runs.most else f"{runs.fewest:,} to {runs.most:,}"
    algorithms, environments = len(runs.algorithms), len(runs.environments)
    return f"There are {number} of each of {algorithms} algorithms in each of {environments} environments"


def _how(study: Study, question: Question) -> str:
    drawn = resamples(study, question)
    names = [title_of(name) for name in interval_facts(question)]
    return ", ".join(filter(None, [by_methods(names), "" if drawn is None else f"{drawn:,} resamples"]))
