"""What a study can answer to item 7 of the NeurIPS paper checklist, on error bars and statistical significance."""

from collections.abc import Iterator, Sequence

from surefoot.configuration.models import Study
from surefoot.manuscript.citations import Facts
from surefoot.manuscript.methods_paragraph import asked, by_methods, has_limits, interval_facts, resamples, title_of
from surefoot.manuscript.runs import CountedRuns


def checklist(study: Study, runs: CountedRuns | None, facts: Facts, left_out: Sequence[str] = ()) -> str:
    """The answer as Markdown, to be checked by the authors: what they did outside of the study is not known here.

    Parameters
    ----------
    runs : those of the study, where it has a table of them
    facts : `citations.known_facts`
    left_out : a sentence for each figure and table that is not in the paper
    """
    more = ["", "# Not in the paper", "", *(f"* {sentence}." for sentence in left_out)] if left_out else []
    return "\n".join(["# Checklist item 7: error bars", "", *_lines(study, runs, facts), *more, ""])


def _lines(study: Study, runs: CountedRuns | None, facts: Facts) -> Iterator[str]:
    with_limits = [question for question in asked(study) if has_limits(question)]
    level = f"{100 * study.confidence:g} %"
    if not with_limits:
        yield "**Answer: No.** The study asks no question whose answer has intervals."
        return
    yield "**Answer: Yes.** To be read and completed by the authors before it is pasted."
    yield ""
    if runs is not None:
        number = f"{runs.fewest:,}" if runs.fewest == runs.most else f"{runs.fewest:,} to {runs.most:,}"
        yield (
            f"* **What varies:** the run. There are {number} of each of {len(runs.algorithms)} algorithms in each of "
            f"{len(runs.environments)} environments. Whether runs also differ in hyperparameters, data or initial "
            "states is for the authors to say."
        )
        if runs.fewest < 5:
            yield f"* **Few runs:** some algorithm has only {runs.fewest} in an environment; intervals say little."
    yield f"* **What the bars are:** {level} confidence intervals, never standard deviations or standard errors."
    for question in with_limits:
        known = facts.get(("question", question.kind), {})
        names = [title_of(name) for name in interval_facts(question)]
        drawn = resamples(study, question)
        how = [by_methods(names)] if names else []
        how += [f"{drawn:,} resamples"] if drawn is not None else []
        told = f" ({', '.join(how)})" if how else ""
        yield f"* **`{question.kind}`**{told}. Assumed: {known.get('assumes', 'see the methods')}"
        yield f"  Promised: {known.get('guarantee', 'see the methods')}"
        yield f"  Not to be used for: {known.get('not for', 'see the methods')}"
    yield "* **Asymmetric intervals** are drawn as they are, never as value plus or minus one number."
    yield f"* **How they were computed:** with Surefoot, seed {study.seed}; `methods.tex` has formulas' sources."
