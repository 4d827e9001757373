"""The section of a paper that says how its numbers were made, from what a study really did.

Facts of methods, such as what an interval promises, are those of their own docstrings; this module only joins them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import surefoot
from surefoot.charts.names import SCORES
from surefoot.configuration.models import Study
from surefoot.configuration.sections import Section
from surefoot.export.citations import SUREFOOT, Facts, citation, cited_keys, keys_of
from surefoot.export.latex import escaped, from_markdown
from surefoot.export.question_settings import (
    NOT_OF_THE_ANSWER,
    OF_INTERVALS,
    TOLD_OF_ALL,
    in_words,
    interval_facts,
    settings_in_words,
    settings_listed,
    thousands,
    title_of,
)
from surefoot.export.records import NONE, Records
from surefoot.export.runs import CountedRuns
from surefoot.export.sentence_templates import filled, told_otherwise
from surefoot.pipeline.protocol_drawings import protocol_of_study
from surefoot.protocol.sentences import methods_sentence, unlike_remark
from surefoot.questions.settings import Question, QuestionOfRuns
from surefoot.statistics.intervals.entries import INTERVAL_METHODS

TEMPLATE = "in a paper"
"""The field of a question's docstring that `sentence_templates` fills."""
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


def methods_section(
    study: Study, runs: RunsBehind, facts: Facts, shown: Mapping[str, Sequence[str]] | None = None
) -> str:
    r"""LaTeX: the runs and their scores, what was asked with which settings and how far the answers can be trusted, the
    interval methods, the seed, the version; it cites keys of the bibliography by `\citep`.

    Parameters
    ----------
    facts : `citations.known_facts`
    shown : labels of the figures and tables that show the answer to each question, by the question's name
    """
    paragraphs = [_paragraph("Runs and scores", [*_of_runs(study, runs), *_of_scales(study, runs, facts)])]
    assumed: dict[str, str] = {}
    for kind, questions in asked(study).items():
        told = _of_questions(study, kind, questions, runs, facts, shown or {})
        promised = _promised(_head(kind), [*questions.values(), *_recorded(questions, runs)], facts, assumed)
        paragraphs.append(_paragraph(_head(kind), [*told, *promised]))
    answers = [one for questions in asked(study).values() for one in (*questions.values(), *_recorded(questions, runs))]
    methods = list(dict.fromkeys(text for question in answers for text in _of_interval_methods(question, facts)))
    if methods:
        listed = "\n".join(f"\\item {text}" for text in methods)
        paragraphs.append(
            "\\paragraph{Interval methods.} The intervals named above rest on the following.\n"
            f"\\begin{{itemize}}\n{listed}\n\\end{{itemize}}"
        )
    paragraphs.append(_paragraph("Reproducibility", _of_making(study)))
    return "\n\n".join(paragraphs) + "\n"


def _paragraph(head: str, sentences: Iterable[str]) -> str:
    return f"\\paragraph{{{escaped(head)}.}} {' '.join(sentences)}"


def _head(kind: str) -> str:
    return kind.replace("_", " ").capitalize()


def _recorded(questions: Iterable[str], runs: RunsBehind) -> list[Question]:
    """The questions with the settings of their recorded answers, where there are such."""
    return [runs.records.answers[name].question for name in questions if name in runs.records.answers]


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
    return found or [text for field, text in own.items() if field == "guarantee"]


def _of_runs(study: Study, runs: RunsBehind) -> Iterator[str]:
    recorded, own = runs.records.runs, runs.of_this_study
    if recorded is not None:
        yield (
            "Figures and tables marked as from the record show the recorded numbers of a larger run: "
            f"{_described(recorded, runs.titles)}{_configured(runs.records.configuration)}."
        )
    if own is not None:
        first = "Everything else is computed from the runs of this study:" if recorded is not None else "We evaluate"
        yield f"{first} {_described(own, runs.titles)}."
        listed = [own]
        for name in _sources_asked(study):
            more = runs.sources.get(name)
            if more is not None and more is not own:
                yield f"The source \\texttt{{{escaped(name)}}} has {_described(more, runs.titles, *listed)}."
                listed.append(more)
            elif more is None and name in study.sources:
                told = "; ".join(settings_listed(study.sources[name], runs.titles))
                yield f"The source \\texttt{{{escaped(name)}}} has runs of its own ({told})."
        yield from map(escaped, own.left_out)
        yield "A run is one independent repetition and contributes one score."
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
    return f", configuration \\texttt{{{escaped(configuration)}}}" if configuration else ""


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
        if way := _way(study.scales[name]):
            ways.setdefault(way, []).append(name)
    said: set[str] = set()
    for way, names in ways.items():
        kind = str(getattr(study.scales[names[0]], "kind", ""))
        formula = "" if kind in said else _formula(kind, facts)
        said.add(kind)
        if len(ways) == 1:
            yield f"Scores are {way}{formula}."
        else:
            listed = ", ".join(f"\\emph{{{escaped(_of_scale(name))}}}" for name in names)
            yield f"Scores {listed} are {way}{formula}."
    for name in used:
        scored = runs.scales.get(name)
        if scored is not None and scored.total != getattr(runs.of_this_study, "total", None):
            yield f"The scores \\emph{{{escaped(_of_scale(name))}}} are of {_described(scored, runs.titles)}."
    unknown = []
    recorded = []
    for name, told in runs.records.scales.items():
        called = f"\\emph{{{escaped(_of_scale(name))}}}"
        if told:
            recorded.append(f"{called}: {told}")
        else:
            unknown.append(called)
    if recorded:
        yield f"The recorded scores are these. {'; '.join(recorded)}."
    if unknown:
        yield f"How many runs are behind the scores {in_words(unknown)}, the record does not say."


def _way(scale: Section) -> str:
    phrase = getattr(scale, "phrase", "")
    if str(getattr(scale, "kind", "")) == "none":
        return "taken as they are"
    if not phrase:
        return ""
    by = next((str(name) for key in ("references", "reference") if (name := getattr(scale, key, None))), "")
    told = f" ({escaped(by.replace('_', ' '))})" if by else ""
    return f"on {escaped(phrase)}{told}"


def _formula(kind: str, facts: Facts) -> str:
    """The formula of a scale with its sources; none of scores that are taken as they are."""
    formula = from_markdown(facts.get(("scale", kind), {}).get("formula", "").rstrip("."))
    if kind == "none" or not formula:
        return ""
    return f", {formula}{citation(keys_of(facts, [('scale', kind)]))}"


def _of_scale(name: str) -> str:
    return SCORES.get(name, name.replace("_", " "))


def _of_questions(
    study: Study,
    kind: str,
    questions: Mapping[str, Question],
    runs: RunsBehind,
    facts: Facts,
    shown: Mapping[str, Sequence[str]],
) -> Iterator[str]:
    """What was asked, and with which settings: one sentence of the questions that differ only in their scales."""
    keys = keys_of(facts, [("question", kind)])
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name, question in questions.items():
        told = (*_asked_with(study, name, question, runs, facts), _of_source(study, question, runs))
        groups.setdefault(told, []).append(name)
    for place, ((sentence, recorded, source), names) in enumerate(groups.items()):
        scales = _scales_asked(study, [questions[name] for name in names])
        begin = " and ".join(filter(None, [f"on {scales}" if scales else "", source]))
        said = f"{begin[:1].upper()}{begin[1:]}, {sentence[:1].lower()}{sentence[1:]}" if begin else sentence
        labels = [label for name in names for label in shown.get(name, ())]
        cited = citation(key for key in keys if key not in cited_keys(said)) if place == 0 else ""
        yield said.rstrip(".") + cited + (f" ({_references(labels)})." if labels else ".")
        following = list(groups)[place + 1 :]
        if recorded and not (following and following[0][1] == recorded):
            yield recorded


def _references(labels: Sequence[str]) -> str:
    """References to figures and tables, which are labelled `fig:` and `tab:`."""
    told = []
    for kind, title in (("fig:", "Figure"), ("tab:", "Table")):
        found = [f"\\ref{{{label}}}" for label in dict.fromkeys(labels) if label.startswith(kind)]
        if found:
            told.append(f"{title}{'s' * (len(found) > 1)}~{in_words(found)}")
    return "; ".join(told)


def _asked_with(study: Study, name: str, question: Question, runs: RunsBehind, facts: Facts) -> tuple[str, str]:
    """What was asked with which settings, and what the record has that was made with others."""
    template = _template(question, facts)
    here = settings_in_words(study, question, facts, runs.titles)
    answer = runs.records.answers.get(name)
    if answer is None:
        return filled(template, here), ""
    date = f" of {answer.made}" if answer.made else ""
    of_runs = "".join(f", from {text}" for text in answer.runs)
    recorded = settings_in_words(study, answer.question, facts, runs.titles)
    if answer.alone:
        return filled(template, recorded), f"These numbers are from the record{date}{of_runs}."
    other = told_otherwise(template, recorded, here)
    made = f", which has {in_words(other)}" if other else ""
    return filled(template, here), f"Shown as well is the record{date}{made}{of_runs}."


def _template(question: Question, facts: Facts) -> str:
    """What a paper says of a question; of one that has no template, what its settings are, by their names."""
    if template := facts.get(("question", question.kind), {}).get(TEMPLATE):
        return template
    about = " ".join((type(question).__doc__ or question.kind).split("\n\n")[0].split()).rstrip(".")
    listed = "".join(f"[; {name.replace('_', ' ')}: {{{name}}}]" for name in told_settings(type(question)))
    return f"{about}{listed}[; {{intervals}}]."


def told_settings(question: type[Question]) -> list[str]:
    """Names of the settings that a template has to tell, beside the intervals."""
    left_out = (*TOLD_OF_ALL, *OF_INTERVALS, *NOT_OF_THE_ANSWER)
    fields = question.model_fields
    resampled = "resampled" in fields and "replicates" in fields
    return [name for name in fields if name not in left_out and not (name == "resampled" and resampled)]


def _scales_asked(study: Study, questions: Sequence[Question]) -> str:
    """The scales of some questions, where the study has several: of several sources, or in several ways."""
    asked_of = {scale for each in study.questions.values() for scale in each.scales()}
    ways = {_way(study.scales[scale]) for scale in asked_of if hasattr(study.scales[scale], "phrase")}
    if len(ways) < 2 and len(study.sources) < 2:
        return ""
    own = dict.fromkeys(scale for question in questions for scale in question.scales())
    names = [f"\\emph{{{escaped(_of_scale(scale))}}}" for scale in own if hasattr(study.scales[scale], "phrase")]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _of_source(study: Study, question: Question, runs: RunsBehind) -> str:
    source, own = getattr(question, "source", ""), runs.of_this_study
    is_told = source in runs.sources or source in study.sources
    is_other = is_told and own is not None and runs.sources.get(source) is not own
    return f"for the runs of \\texttt{{{escaped(source)}}}" if is_other else ""


def _promised(head: str, questions: Sequence[Question], facts: Facts, assumed: dict[str, str]) -> Iterator[str]:
    """What is assumed, which is said in full of the first kind of questions that assumes it, and what is promised.

    Parameters
    ----------
    assumed : heads of paragraphs by what they assume, which is added to
    """
    text = facts.get(("question", questions[0].kind), {}).get("assumes", "")
    if text and not text.startswith("Nothing"):
        known = assumed.get(text)
        yield f"Assumptions are as for {known}." if known else f"We assume that {_small(from_markdown(text))}"
        assumed.setdefault(text, head[:1].lower() + head[1:])
    for promise in dict.fromkeys(text for question in questions for text in guarantees(question, facts)):
        nothing = promise.removeprefix("None: ").removeprefix("None ")
        yield f"{'No guarantee' if nothing != promise else 'Guarantee'}: {_small(from_markdown(nothing))}"


def _small(text: str) -> str:
    """The text with a small first letter, where this is not a name's."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text.startswith("A ") else text


def _of_interval_methods(question: Question, facts: Facts) -> Iterator[str]:
    """What each interval method of a question assumes and promises, in the variants that it is used in."""
    variants = getattr(question, "variants", None) or (getattr(question, "variant", "corrected"),)
    for name in interval_facts(question):
        known = facts.get(name, {})
        method = INTERVAL_METHODS.get(name[1]) if name[0] == "game" else None
        promise = known.get("guarantee") or (method.guarantee if method else "")
        for variant in variants:
            published = method.as_published if method and variant == "as_published" else ""
            if published or promise:
                title = escaped(title_of(name))
                called = f"\\emph{{{title[:1].upper()}{title[1:]}}}" + (", as published" if published else "")
                text = from_markdown(published or promise).rstrip(".")
                assumes = known.get("assumes", "")
                assumption = f" Assumption: {_small(from_markdown(assumes)).rstrip('.')}." if assumes else ""
                yield f"{called}{citation(keys_of(facts, [name]))}: {_small(text)}.{assumption}"


def _of_making(study: Study) -> Iterator[str]:
    yield f"The seed of all random numbers of the analysis is {study.seed}."
    yield (
        "There is no correction for the number of analyses; which intervals of an analysis hold simultaneously is "
        "stated with it."
    )
    yield f"Everything was computed with Surefoot {escaped(surefoot.__version__)}{citation([SUREFOOT])}."
