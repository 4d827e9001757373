"""The paragraph of a paper that says how its numbers were made, from what a study really did.

Facts of methods, such as what an interval promises, are those of their own docstrings; this module only joins them.
"""

from collections.abc import Iterator, Mapping

import surefoot
from surefoot.charts.names import METHODS
from surefoot.configuration.models import Study
from surefoot.manuscript.citations import SUREFOOT, Facts, citation, keys_of
from surefoot.manuscript.latex import escaped, from_markdown
from surefoot.manuscript.runs import CountedRuns
from surefoot.pipeline.protocol_drawings import protocol_of_study
from surefoot.protocol.sentences import methods_sentence, unlike_remark
from surefoot.questions.settings import Question
from surefoot.statistics.intervals.entries import INTERVAL_METHODS
from surefoot.statistics.metrics.catalogue import metric
from surefoot.statistics.metrics.entries import METRICS

MOST_NAMES = 12
"""Names of algorithms or environments that a sentence lists."""


def methods_paragraph(study: Study, runs: CountedRuns | None, facts: Facts) -> str:
    """LaTeX: the runs, the scale, each question with its metrics, intervals and what these promise, the seed, the
    version; it cites keys of the bibliography by `\\citep`.

    Parameters
    ----------
    runs : those of the study, where it has a table of them
    facts : `citations.known_facts`
    """
    sentences = [*_of_runs(study, runs), *_of_scales(study, facts)]
    paragraphs = [r"\paragraph{Evaluation.} " + " ".join(sentences)]
    for question in asked(study):
        paragraphs.append(" ".join(_of_question(study, question, facts)))
    paragraphs.append(" ".join(_of_making(study)))
    return "\n\n".join(paragraphs) + "\n"


def asked(study: Study) -> Iterator[Question]:
    """The questions of a study, one of each kind."""
    first: dict[str, Question] = {}
    for question in study.questions.values():
        first.setdefault(question.kind, question)
    yield from first.values()


def resamples(study: Study, question: Question) -> int | None:
    """How many resamples a question draws; None where it draws none."""
    if not hasattr(question, "replicates") or "replicates" not in question.uses:
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
    known = INTERVAL_METHODS.get(name[1]) if name[0] == "game" else None
    return known.title if known else METHODS.get(name[1], name[1].replace("_", " "))


def by_methods(names: list[str]) -> str:
    """Interval methods as a sentence says that intervals are made by them; empty without names."""
    return f"by the method{'s' if len(names) > 1 else ''} {in_words(names)}" if names else ""


def in_words(names: list[str]) -> str:
    """Texts as a sentence lists them."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def percent(confidence: float) -> str:
    r"""A level such as 95\,\%."""
    return f"{100 * confidence:g}\\,\\%"


def _of_runs(study: Study, runs: CountedRuns | None) -> Iterator[str]:
    if runs is None:
        kinds = sorted({source.kind.replace("_", " ") for source in study.sources.values()})
        yield f"The runs come from {in_words([escaped(kind) for kind in kinds])}."
        return
    yield (
        f"We evaluate {_counted('algorithm', runs.algorithms, study.titles)} in "
        f"{_counted('environment', runs.environments, study.titles)}, with {_number_of_runs(runs)} of each algorithm "
        f"in each environment ({_thousands(runs.total)} runs in all). The run is what is repeated independently, "
        "and it counts with one score."
    )
    if protocol := protocol_of_study(study):
        titles = {name: study.titles.get(name, name) for name in runs.algorithms}
        yield escaped(methods_sentence(protocol, titles))
        if remark := unlike_remark(protocol, titles):
            yield escaped(remark)


def _number_of_runs(runs: CountedRuns) -> str:
    if runs.fewest == runs.most:
        return f"{_thousands(runs.fewest)} run{'' if runs.fewest == 1 else 's'}"
    return f"{_thousands(runs.fewest)} to {_thousands(runs.most)} runs"


def _counted(thing: str, names: list[str], titles: Mapping[str, str]) -> str:
    text = f"{len(names)} {thing}{'' if len(names) == 1 else 's'}"
    listed = ", ".join(escaped(titles.get(name, name)) for name in names)
    return f"{text} ({listed})" if len(names) <= MOST_NAMES else text


def _thousands(number: int) -> str:
    return f"{number:,}".replace(",", "{,}")


def _of_scales(study: Study, facts: Facts) -> Iterator[str]:
    used = dict.fromkeys(study.scales[name].kind for q in study.questions.values() for name in q.scales())
    by_kind = {scale.kind: scale for scale in study.scales.values()}
    for kind in used:
        phrase = getattr(by_kind[kind], "phrase", "")
        cited = citation(keys_of(facts, [("scale", kind)]))
        formula = from_markdown(facts.get(("scale", kind), {}).get("formula", "").rstrip("."))
        if kind == "none":
            yield "Scores are taken as they are."
        elif phrase:
            yield f"Scores are on {escaped(phrase)}{f', {formula}' if formula else ''}{cited}."


def _of_question(study: Study, question: Question, facts: Facts) -> Iterator[str]:
    own = facts.get(("question", question.kind), {})
    about = " ".join((type(question).__doc__ or question.kind).split("\n\n")[0].split()).rstrip(".")
    details = [*_details(study, question, facts)]
    more = f" ({'; '.join(details)})" if details else ""
    head, about = question.kind.replace("_", " ").capitalize(), from_markdown(about[:1].lower() + about[1:])
    cited = citation(keys_of(facts, [("question", question.kind)]))
    yield f"\\emph{{{escaped(head)}:}} {about}{more}{cited}."
    for told, field in (("Assumed", "assumes"), ("Guarantee", "guarantee")):
        if own.get(field):
            yield f"{told}: {from_markdown(own[field])}"
    for name in interval_facts(question):
        known = facts.get(name, {})
        promise = known.get("guarantee") or getattr(INTERVAL_METHODS.get(name[1]), "guarantee", "")
        if promise:
            promise = from_markdown(promise).rstrip(".")
            yield f"The interval \\emph{{{escaped(title_of(name))}}}{citation(keys_of(facts, [name]))}: {promise}."


def _details(study: Study, question: Question, facts: Facts) -> Iterator[str]:
    names = [metric(written) for written in getattr(question, "metrics", ())]
    if names:
        titles = [escaped(METRICS[each.name].title or each.name.replace("_", " ")) for each in names]
        yield in_words(titles) + citation(keys_of(facts, [("metric", each.name) for each in names]))
    methods = [escaped(title_of(name)) for name in interval_facts(question)]
    if has_limits(question):
        yield f"{percent(study.confidence)} intervals {by_methods(methods)}".rstrip()
    drawn = resamples(study, question)
    if drawn is not None:
        yield f"{_thousands(drawn)} resamples of {_resampled(question)}"


def _resampled(question: Question) -> str:
    how = {"whole_runs": "whole runs", "tasks_and_runs": "tasks and of their runs"}
    return how.get(getattr(question, "resampled", "runs"), "the runs of each environment")


def _of_making(study: Study) -> Iterator[str]:
    yield f"All random numbers of the analysis have the seed {study.seed}."
    yield (
        "No adjustment is made for how many questions are asked; what holds for several intervals together is said "
        "of each question above."
    )
    yield f"Computed with Surefoot {escaped(surefoot.__version__)}{citation([SUREFOOT])}."
