"""The paragraph of a paper that says how its numbers were made, from what a study really did.

Facts of methods, such as what an interval promises, are those of their own docstrings; this module only joins them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import surefoot
from surefoot.charts.names import SCORES
from surefoot.configuration.models import Study
from surefoot.configuration.sections import Section
from surefoot.manuscript.citations import SUREFOOT, Facts, citation, keys_of
from surefoot.manuscript.latex import escaped, from_markdown
from surefoot.manuscript.question_settings import (
    in_words,
    interval_facts,
    settings_in_words,
    thousands,
    title_of,
    words_of_settings,
)
from surefoot.manuscript.records import NONE, Records
from surefoot.manuscript.runs import CountedRuns
from surefoot.pipeline.protocol_drawings import protocol_of_study
from surefoot.protocol.sentences import methods_sentence, unlike_remark
from surefoot.questions.settings import Question, QuestionOfRuns
from surefoot.statistics.intervals.entries import INTERVAL_METHODS

MOST_NAMES = 12
"""Names of algorithms or environments that a sentence lists."""


class RunsBehind(NamedTuple):
    """The runs that the exported figures and tables are made of.

    sources : those at hand, by the name of their source
    scales : those whose scores are at hand on a scale, by the name of the scale
    records : what is taken from records of larger runs
    titles : what algorithms and environments are called
    """

    sources: Mapping[str, CountedRuns]
    scales: Mapping[str, CountedRuns]
    records: Records = NONE
    titles: Mapping[str, str] = {}

    @property
    def of_this_study(self) -> CountedRuns | None:
        """Of the source that has the most."""
        return max(self.sources.values(), key=lambda runs: runs.total, default=None)


def methods_paragraph(study: Study, runs: RunsBehind, facts: Facts) -> str:
    r"""LaTeX: the runs, each scale, each question with its settings, intervals and what these promise, the seed, the
    version; it cites keys of the bibliography by `\citep`.

    Parameters
    ----------
    facts : `citations.known_facts`
    """
    sentences = [*_of_runs(study, runs), *_of_scales(study, runs, facts)]
    paragraphs = [r"\paragraph{Evaluation.} " + " ".join(sentences)]
    said: set[str] = set()
    for kind, questions in asked(study).items():
        paragraphs.append(" ".join(_of_questions(study, kind, questions, runs, facts, said)))
    paragraphs.append(" ".join(_of_making(study)))
    return "\n\n".join(paragraphs) + "\n"


def asked(study: Study) -> dict[str, dict[str, Question]]:
    """The questions of a study by their kinds, in the order of the first of each kind."""
    found: dict[str, dict[str, Question]] = {}
    for name, question in study.questions.items():
        found.setdefault(question.kind, {})[name] = question
    return found


def guarantees(question: Question, facts: Facts) -> list[str]:
    """What is promised of the answer, as Markdown: what the question's own docstring says of its settings, else what
    it says of all."""
    own = facts.get(("question", question.kind), {})
    found = []
    for field, text in own.items():
        first, _, rest = field.partition(" ")
        setting, _, value = rest.partition(" ")
        if first == "with" and str(getattr(question, setting, None)).lower() == value.lower():
            found.append(text)
    return found or [own["guarantee"]] * ("guarantee" in own)


def _of_runs(study: Study, runs: RunsBehind) -> Iterator[str]:
    recorded, own = runs.records.runs, runs.of_this_study
    if recorded is not None:
        yield (
            "What is said to be from the record is made of the recorded numbers of a larger run: "
            f"{_described(recorded, runs.titles)}{_configured(runs.records.configuration)}."
        )
    if own is not None:
        first = "All else is made of the runs of this study" if recorded is not None else "We evaluate"
        yield f"{first}{':' if recorded is not None else ''} {_described(own, runs.titles)}."
        listed = [own]
        for name in _sources_asked(study):
            more = runs.sources.get(name)
            if more is not None and more is not own:
                yield f"The source \\texttt{{{escaped(name)}}} has {_described(more, runs.titles, *listed)}."
                listed.append(more)
            elif more is None and name in study.sources:
                told = "; ".join(words_of_settings(study.sources[name], runs.titles))
                yield f"The source \\texttt{{{escaped(name)}}} has runs of its own: {told}."
        yield "The run is what is repeated independently, and it counts with one score."
    elif recorded is None:
        kinds = sorted({source.kind for source in study.sources.values()} - {"study"})
        if "published" in kinds:
            yield "Scores were published by others."
        if any(source.kind == "study" for source in study.sources.values()):
            yield "Simulated runs are those of another study."
    if own is not None and (protocol := protocol_of_study(study)):
        titles = {name: runs.titles.get(name, name) for name in own.algorithms}
        yield escaped(methods_sentence(protocol, titles))
        if remark := unlike_remark(protocol, titles):
            yield escaped(remark)


def _configured(configuration: str) -> str:
    return f", by the configuration that the record calls \\texttt{{{escaped(configuration)}}}" if configuration else ""


def _sources_asked(study: Study) -> list[str]:
    asked = (question.source for question in study.questions.values() if isinstance(question, QuestionOfRuns))
    return list(dict.fromkeys(asked))


def _described(runs: CountedRuns, titles: Mapping[str, str], *before: CountedRuns) -> str:
    """How many runs of what there are; names that a sentence before lists are not listed again."""
    algorithms = _counted("algorithm", runs.algorithms, titles, [each.algorithms for each in before])
    environments = _counted("environment", runs.environments, titles, [each.environments for each in before])
    return (
        f"{algorithms} in {environments}, with {_number_of_runs(runs)} of each algorithm in each environment "
        f"({thousands(runs.total)} runs in all)"
    )


def _number_of_runs(runs: CountedRuns) -> str:
    if runs.fewest == runs.most:
        return f"{thousands(runs.fewest)} run{'' if runs.fewest == 1 else 's'}"
    return f"{thousands(runs.fewest)} to {thousands(runs.most)} runs"


def _counted(thing: str, names: list[str], titles: Mapping[str, str], known: list[list[str]]) -> str:
    text = f"{len(names)} {thing}{'' if len(names) == 1 else 's'}"
    known_as = [escaped(titles.get(name, name)) for name in names]
    listed = ("; " if any("," in name for name in known_as) else ", ").join(known_as)
    return f"{text} ({listed})" if len(names) <= MOST_NAMES and names not in known else text


def _of_scales(study: Study, runs: RunsBehind, facts: Facts) -> Iterator[str]:
    """A sentence of each way of scaling, which names its sets of scores where there are several ways."""
    used = dict.fromkeys(name for question in study.questions.values() for name in question.scales())
    ways: dict[str, list[str]] = {}
    for name in used:
        if way := _way(study.scales[name], facts):
            ways.setdefault(way, []).append(name)
    for way, names in ways.items():
        if len(ways) == 1:
            yield f"Scores are {way}."
        else:
            listed = ", ".join(f"\\emph{{{escaped(_of_scale(name))}}}" for name in names)
            yield f"Scores {listed}: {way}."
    for name in used:
        scored = runs.scales.get(name)
        if scored is not None and scored.total != getattr(runs.of_this_study, "total", None):
            yield f"The scores \\emph{{{escaped(_of_scale(name))}}} are of {_described(scored, runs.titles)}."
    unknown = []
    for name, told in runs.records.scales.items():
        called = f"\\emph{{{escaped(_of_scale(name))}}}"
        if told:
            yield f"The recorded scores {called} are of {told}."
        else:
            unknown.append(called)
    if unknown:
        yield f"How many runs are behind the scores {in_words(unknown)}, the record does not say."


def _way(scale: Section, facts: Facts) -> str:
    phrase = getattr(scale, "phrase", "")
    kind = str(getattr(scale, "kind", ""))
    if kind == "none":
        return "taken as they are"
    if not phrase:
        return ""
    cited = citation(keys_of(facts, [("scale", kind)]))
    formula = from_markdown(facts.get(("scale", kind), {}).get("formula", "").rstrip("."))
    by = next((str(name) for key in ("references", "reference") if (name := getattr(scale, key, None))), "")
    told = f" ({escaped(by.replace('_', ' '))})" if by else ""
    return f"on {escaped(phrase)}{told}{f', {formula}' if formula else ''}{cited}"


def _of_scale(name: str) -> str:
    return SCORES.get(name, name.replace("_", " "))


def _of_questions(
    study: Study, kind: str, questions: Mapping[str, Question], runs: RunsBehind, facts: Facts, said: set[str]
) -> Iterator[str]:
    own = facts.get(("question", kind), {})
    first = next(iter(questions.values()))
    about = " ".join((type(first).__doc__ or kind).split("\n\n")[0].split()).rstrip(".")
    head, about = kind.replace("_", " ").capitalize(), from_markdown(about[:1].lower() + about[1:])
    cited = citation(keys_of(facts, [("question", kind)]))
    told = {name: _asked_with(study, name, question, runs, facts) for name, question in questions.items()}
    shared = [text for text in next(iter(told.values())) if all(text in texts for texts in told.values())]
    details = "; ".join(shared)
    yield f"\\emph{{{escaped(head)}:}} {about}{f' ({details})' if details else ''}{cited}."
    for name, texts in told.items():
        left = [text for text in texts if text not in shared]
        if left:
            yield f"\\texttt{{{escaped(name)}}}: {'; '.join(left)}."
    answers = [runs.records.answers[name].question for name in questions if name in runs.records.answers]
    yield from _promised(own, [*questions.values(), *answers], facts, said)


def _promised(own: Mapping[str, str], questions: Sequence[Question], facts: Facts, said: set[str]) -> Iterator[str]:
    """What is assumed and promised; of interval methods what no sentence before has said."""
    if own.get("assumes"):
        yield f"Assumed: {from_markdown(own['assumes'])}"
    for text in dict.fromkeys(text for question in questions for text in guarantees(question, facts)):
        nothing = text.removeprefix("None: ")
        yield f"{'No guarantee' if nothing != text else 'Guarantee'}: {from_markdown(nothing)}"
    told = dict.fromkeys(text for question in questions for text in _of_interval_methods(question, facts))
    yield from (text for text in told if text not in said)
    if told.keys() & said:
        yield "What the other intervals promise is said above."
    said.update(told)


def _of_interval_methods(question: Question, facts: Facts) -> Iterator[str]:
    """What each interval method of a question promises, in the variants that it is used in."""
    variants = getattr(question, "variants", None) or (getattr(question, "variant", "corrected"),)
    for name in interval_facts(question):
        known = facts.get(name, {})
        method = INTERVAL_METHODS.get(name[1]) if name[0] == "game" else None
        promise = known.get("guarantee") or (method.guarantee if method else "")
        for variant in variants:
            published = method.as_published if method and variant == "as_published" else ""
            if published or promise:
                called = f"\\emph{{{escaped(title_of(name))}}}" + (", as published" if published else "")
                text = from_markdown(published or promise).rstrip(".")
                yield f"The interval {called}{citation(keys_of(facts, [name]))}: {text}."


def _asked_with(study: Study, name: str, question: Question, runs: RunsBehind, facts: Facts) -> list[str]:
    """What a question was asked of and with, here and in the record."""
    of = [escaped(_of_scale(scale)) for scale in question.scales() if hasattr(study.scales[scale], "phrase")]
    asked_of = {scale for each in study.questions.values() for scale in each.scales()}
    several = sum(hasattr(study.scales[scale], "phrase") for scale in asked_of) > 1
    texts = [f"of {', '.join(of)}"] if of and several else []
    source = getattr(question, "source", "")
    own = runs.of_this_study
    if source and own is not None and runs.sources.get(source) is not own:
        texts.append(f"of the source \\texttt{{{escaped(source)}}}")
    here = settings_in_words(study, question, facts, runs.titles)
    answer = runs.records.answers.get(name)
    if answer is None:
        return [*texts, *here]
    date = f" of {answer.made}" if answer.made else ""
    recorded = [*settings_in_words(study, answer.question, facts, runs.titles), *answer.runs]
    if answer.alone:
        return [*texts, *recorded, f"from the record{date}"]
    other = [text for text in recorded if text not in here]
    return [*texts, *here, f"in the record{date}: {'; '.join(other)}" if other else f"also from the record{date}"]


def _of_making(study: Study) -> Iterator[str]:
    yield f"All random numbers of the analysis have the seed {study.seed}."
    yield (
        "No adjustment is made for how many questions are asked; what holds for several intervals together is said "
        "of each question above."
    )
    yield f"Computed with Surefoot {escaped(surefoot.__version__)}{citation([SUREFOOT])}."
