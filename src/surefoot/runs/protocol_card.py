"""The protocol card of an algorithm: the meaning of its scores, the source of each fact, and sentences about them.

A protocol is a mapping in the form used by studies. It has the fields that the author states for all algorithms; the
fields of single algorithms, under `algorithms`; and the fields read from logs for each, under `logs`, where `defaults`
names the fields that are defaults of the tool and not in the logs. Planning and pages import this module, so it imports
nothing heavy.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from surefoot.errors import conjugated, counted
from surefoot.rounding import joined
from surefoot.runs.curves.rules import RULES, TOLERANCE, TRAINING, clause_of, parsed

if TYPE_CHECKING:
    import pandas as pd

READ = "read from the logs"
DEFAULT = "the tool's default, not stated in the logs"
TOLD = "stated by the author"
BY_RULE = "by the rule of the study"
UNSTATED = "not stated"
UNSTATED_IN_LOGS = "not stated in the logs"

TITLES: Mapping[str, str] = {
    "kind": "Episodes of",
    "logged": "What is logged",
    "quantity": "Quantity",
    "episodes": "Episodes of each score that is logged",
    "deterministic": "Deterministic policy",
    "checkpoint": "Policy",
    "rule": "Score of a run",
    "steps": "Last step of training",
    "unit": "Unit of the steps",
    "evaluations": "Scores logged in a run",
    "tool": "Logged by",
    "metric": "Name in the logs",
}
"""Titles of the fields of a protocol card, in order."""
_BY_DEFAULT = {
    "episodes": "the number of episodes of each score",
    "deterministic": "whether the policy is deterministic",
}
"""Names of fields in a sentence on the defaults of a tool."""
MOST = {"episodes": "most_episodes", "steps": "most_steps", "evaluations": "most_evaluations"}
"""Fields that may be a range, mapped to the field with its maximum; the field itself has the minimum."""
OF_LOGS = ("unit", "evaluations", "metric")
"""Fields that only apply to logs."""
COMPARED = ("kind", "logged", "quantity", "metric", "episodes", "deterministic", "checkpoint", "rule", "steps")
"""Fields in which different values make scores incomparable; tools and numbers of runs may differ."""


class Stated(NamedTuple):
    """Value of a field on a protocol card, or None if it is not stated, and the origin of the value."""

    value: Any
    origin: str


Card = Mapping[str, Stated]
"""Protocol card: stated values by field. For a field that is a range, the field in `MOST` has the maximum."""


def cards(protocol: Mapping[str, Any], algorithms: Iterable[str] = ()) -> dict[str, Card]:
    """Return the protocol card of each algorithm in the protocol or in `algorithms`.

    The author's statements on single algorithms take precedence over statements on all algorithms; logs come last.
    """
    logs = protocol.get("logs") or {}
    single = protocol.get("algorithms") or {}
    names = dict.fromkeys([*algorithms, *logs, *single])
    return {name: _card(protocol, single.get(name) or {}, logs.get(name) or {}) for name in names}


def _card(of_all: Mapping[str, Any], of_one: Mapping[str, Any], read: Mapping[str, Any]) -> Card:
    card: dict[str, Stated] = {}
    for field in TITLES:
        names = [name for name in (field, MOST.get(field)) if name]
        for source, origin in ((of_one, TOLD), (of_all, TOLD), (read, READ)):
            if source.get(field) is not None:
                stated_origin = DEFAULT if origin == READ and field in read.get("defaults", ()) else origin
                card |= {name: Stated(source[name], stated_origin) for name in names if source.get(name) is not None}
                break
        else:
            card[field] = Stated(None, UNSTATED_IN_LOGS if read else UNSTATED)
    if card["rule"].value is not None:
        card["rule"] = card["rule"]._replace(origin=BY_RULE)
        if card["checkpoint"].value is None and (name := parsed(card["rule"].value)):
            card["checkpoint"] = Stated(RULES[name[0]].checkpoint, BY_RULE)
    return card


def span(card: Card, field: str) -> tuple[int, int] | None:
    """Return (minimum, maximum) of a field that may be a range, or None if it is not stated."""
    least = card[field].value
    if least is None:
        return None
    most = card.get(MOST[field])
    return least, least if most is None else most.value


def contradictions(protocol: Mapping[str, Any]) -> list[tuple[str, str, Any, Any]]:
    """Return (algorithm, field, author's value, logged value) for values that differ.

    The author may override defaults of a tool.
    """
    differing = []
    for name, read in (protocol.get("logs") or {}).items():
        stated = {**protocol, **((protocol.get("algorithms") or {}).get(name) or {})}
        for field in TITLES:
            values = stated.get(field), read.get(field)
            if None not in values and values[0] != values[1] and field not in read.get("defaults", ()):
                differing.append((name, field, *values))
    return differing


def unlike_fields(found: Sequence[Card]) -> list[str]:
    """Return the compared fields in which some cards differ; unstated values do not count as different.

    Ranges differ if they are disjoint, and steps if one training is shorter than another by more than `TOLERANCE`.
    """
    return [field for field in COMPARED if _is_unlike(found, field)]


def _is_unlike(found: Sequence[Card], field: str) -> bool:
    spans = [limits_of_card for card in found if field in MOST and (limits_of_card := span(card, field))]
    if field == "steps":
        return any(min(limits) < max(limits) * (1.0 - TOLERANCE) for limits in zip(*spans, strict=True))
    if field in MOST:
        return bool(spans) and max(least for least, _ in spans) > min(most for _, most in spans)
    return len({card[field].value for card in found} - {None}) > 1


_WORDS: Mapping[str, Mapping[Any, str]] = {
    "kind": {"eval": "evaluation", "train": "training", "absolute": "re-evaluation of the selected best policy"},
    "logged": {
        "episode": "single episodes",
        "mean": "the mean over some episodes",
        "running_mean": "the running mean over the last episodes",
    },
    "checkpoint": {
        "last": "those at the end of training",
        "all": "those during training",
        "selected": "one selected for its score",
    },
    "deterministic": {True: "yes", False: "no"},
    "quantity": {"return": "return of an episode"},
}
"""Values of fields in words."""
SHORT_RUNS = {
    "worst_score": "each has the worst score of any run in its environment",
    "drop": "they are left out, which favours an algorithm whose bad runs end early",
    "carry_forward": "their last scores are kept to the end",
    "truncate_to_shortest": "all runs of an environment are scored up to where its shortest ended, or just after",
}
"""Treatment of runs that ended early or left no score."""
NOT_COMPARED = "runs with different protocols are not compared"
REMARK = "Protocols differ: differences between these algorithms may be due to how they were scored."
"""Remark in the captions of comparisons that are made despite different protocols."""
_SELECTED = {
    "best": "Scores are selected maxima, which are too high, the more so the more scores were logged in a run: "
    "surefoot.selection_bias estimates by how much, and the rule window avoids it.",
    "absolute": "The scored policies were selected as the best of their training, and then evaluated again: the luck "
    "of the evaluations that selected them does not enter these scores, but they are not the policies that training "
    "ends with.",
}
"""Remarks on scores from rules that select an evaluation or a policy."""


_UNKNOWN = "scores"
"""Description of scores about which nothing is stated."""
_QUANTITIES: dict[str | None, str] = {
    None: _UNKNOWN,
    "score": "scores",
    "scores": "scores",
    "return": "returns",
    "returns": "returns",
    "success_rate": "success rates",
    "normalized_score": "normalized scores",
}
"""Plural names of quantities."""


class Counts(NamedTuple):
    """Numbers of runs.

    fewest, most : smallest and largest number of runs of an algorithm in an environment
    environments : names of the environments
    settings : largest number of hyperparameter settings of an algorithm in an environment; 1 without hyperparameters
    """

    fewest: int
    most: int
    environments: Sequence[str]
    settings: int = 1


def counts_of(runs: "pd.DataFrame", environments: Sequence[str], hyperparameters: Sequence[str] = ()) -> Counts:
    """Return the numbers of runs of each algorithm in each environment in a table.

    Parameters
    ----------
    runs : columns algorithm, environment, run, and the hyperparameters; rows of one run count once
    environments : names of the environments in a sentence
    hyperparameters : columns that distinguish runs with the same name
    """
    cell = ["algorithm", "environment"]
    names = list(hyperparameters)
    each = runs[[*cell, "run", *names]].drop_duplicates()
    sizes = each.groupby(cell, observed=True).size().unstack(fill_value=0).to_numpy()
    settings = each[[*cell, *names]].drop_duplicates().groupby(cell, observed=True).size()
    # A cell without runs counts as 0.
    return Counts(int(sizes.min()), int(sizes.max()), environments, int(settings.max()))


def told_value(card: Card, field: str) -> str:
    """Describe the value of a field on a protocol card; empty if it is not stated."""
    value = card[field].value
    if field in MOST:
        limits = span(card, field)
        return _range(*limits) if limits else ""
    return "" if value is None else _WORDS.get(field, {}).get(value, str(value))


def told_rule(card: Card) -> str:
    """Describe the rule on a protocol card, such as "averaged over the last 10 % of training"; empty if not stated."""
    rule = told_value(card, "rule")
    return clause_of(rule, TRAINING) if rule and parsed(rule) else rule


def differences(found: Mapping[str, Card], fields: Sequence[str], titles: Mapping[str, str] | None = None) -> str:
    """Describe the scores of algorithms whose cards differ, listing algorithms with equal descriptions together.

    An example is "ppo: mean returns of 10 evaluation episodes; sac: ...".

    Parameters
    ----------
    fields : fields in which some cards differ; the kind of episodes is always named
    """
    more = [field for field in fields if field not in ("kind", "logged", "quantity", "episodes", "deterministic")]
    texts = {}
    for name, card in found.items():
        values = [f"{field} {value}" for field in more if (value := told_value(card, field))]
        texts[name] = ", ".join([_subject(card), *values])
    by_text = _by_text(texts, titles or {})
    return "; ".join(f"{', '.join(names)}: {text}" for text, names in by_text.items())


def unlike_remark(protocol: Mapping[str, Any], titles: Mapping[str, str] | None = None) -> str:
    """Return the remark that precedes a comparison of algorithms with different protocols; empty if they agree."""
    by_algorithm = cards(protocol)
    fields = unlike_fields(list(by_algorithm.values()))
    if not fields:
        return ""
    unlike = differences(by_algorithm, fields, titles)
    scored = f"These algorithms were scored under different protocols ({unlike})"
    return f"{scored}: differences between them may be due to the protocol."


def methods_sentence(protocol: Mapping[str, Any], titles: Mapping[str, str], counts: Counts | None = None) -> str:
    """Define the scores in a sentence for a methods section, from the protocol alone.

    Parameters
    ----------
    titles : {name: title} of the algorithms to describe
    counts : numbers of runs, if known
    """
    by_algorithm = {name: card for name, card in cards(protocol, titles).items() if name in titles or not titles}
    text, is_unknown = _definition(by_algorithm, titles)
    if counts is not None:
        text += _runs_in_words(counts, begins=is_unknown)
    tools = list(dict.fromkeys(card["tool"].value for card in by_algorithm.values() if card["tool"].value))
    text += f", logged by {joined(tools)}" if tools else ""
    sentences = [f"{text[:1].upper()}{text[1:]}."]
    if not is_unknown and any(card["kind"].value is None for card in by_algorithm.values()):
        sentences.append("It is not stated whether episodes are of training or of evaluation.")
    usual = [field for field in TITLES if any(card[field].origin == DEFAULT for card in by_algorithm.values())]
    if usual:
        names = [_BY_DEFAULT.get(field, TITLES[field].lower()) for field in usual]
        sentences.append(f"By the tool's default, not stated in the logs: {', '.join(names)}.")
    return " ".join(filter(None, sentences))


def _definition(by_algorithm: Mapping[str, Card], titles: Mapping[str, str]) -> tuple[str, bool]:
    """Return a definition of the scores of all algorithms, and True if nothing is stated about them."""
    steps = _steps(by_algorithm)
    scores = _by_text({name: _scores(card, steps[name]) for name, card in by_algorithm.items()}, titles)
    if set(scores) == {_UNKNOWN}:
        return "it is not stated how scores were computed", True
    if len(scores) == 1:
        return f"scores are {_once(next(iter(scores)))}", False
    parts = [f"scores of {joined(names, len(names))} are {_once(each)}" for each, names in scores.items()]
    return "; ".join(parts), False


def _runs_in_words(counts: Counts, begins: bool) -> str:
    """Return the numbers of runs as the end of a sentence, or as a whole sentence if `begins`."""
    environments = counts.environments
    where = f"each of {counted(len(environments), 'environment')}" if len(environments) > 1 else environments[0]
    several = "" if counts.most == 1 else "s"
    apart = f"seed{several}" if counts.settings == 1 else f"seeds of {counts.settings:,} settings of hyperparameters"
    runs = f"{_range(counts.fewest, counts.most)} run{several} ({apart}) of each algorithm in {where}"
    if not begins:
        return f"; {runs}"
    return f". There {conjugated('are', counts.most)} {runs}"


def _once(scores: str) -> str:
    """Adapt a description of scores to follow "scores are" without repeating the word."""
    if scores == _UNKNOWN:
        return UNSTATED
    averaged = re.sub(r"^scores, (?!after|in the course)", "", scores)
    return re.sub(r"^scores,? ", "those ", averaged)


def _by_text(texts: Mapping[str, str], titles: Mapping[str, str]) -> dict[str, list[str]]:
    """Group the titles of algorithms by text."""
    by_text: dict[str, list[str]] = {}
    for name, text in texts.items():
        by_text.setdefault(text, []).append(titles.get(name, name))
    return by_text


def _steps(found: Mapping[str, Card]) -> dict[str, str]:
    """Return the last step of training for each card.

    If the steps differ by at most `TOLERANCE`, as when training episodes end at different steps, all cards get the same
    range.
    """
    spans = [limits_of_card for card in found.values() if (limits_of_card := span(card, "steps"))]
    if len(spans) < len(found) or _is_unlike(list(found.values()), "steps"):
        return {name: told_value(card, "steps") for name, card in found.items()}
    least, most = zip(*spans, strict=True)
    return dict.fromkeys(found, _range(min(least), max(most)))


def _scores(card: Card, steps: str) -> str:
    """Describe the scores of a protocol card, given the steps of the training runs."""
    unit = card["unit"].value or ("environment steps" if card["steps"].origin == TOLD else "steps")
    training = f"{steps} {unit}" if steps else TRAINING
    rule = card["rule"].value
    if rule is not None and (name := parsed(rule)) and name[0] == "steps_to":
        after = f" (at most {training})" if steps else ""
        return f"the {unit}{after} after which {_subject(card)} first reach {name[1]:,g}"
    if rule is None:
        after = "after" if card["checkpoint"].value == "last" else "in the course of"
        return _subject(card) + (f", {after} {training}" if steps else "")
    return f"{_subject(card)}, {clause_of(rule, training)}"


def _subject(card: Card) -> str:
    """Describe the logged values, for example "mean returns of 10 deterministic evaluation episodes"."""
    quantity = card["quantity"].value
    quantities = _QUANTITIES.get(quantity, f"values of {quantity}")
    if all(card[field].value is None for field in ("kind", "logged", "episodes", "deterministic")):
        return quantities
    kind = card["kind"].value
    logged = card["logged"].value
    count = told_value(card, "episodes")
    of_kind = {"eval": "evaluation ", "train": "training "}.get(kind, "")
    policy = "deterministic " if card["deterministic"].value else ""
    ending = " of a stochastic policy" if card["deterministic"].value is False else ""
    ending += " in which a selected policy was evaluated again" if kind == "absolute" else ""
    episodes = f"{policy}{of_kind}episode{'' if count == '1' else 's'}{ending}"
    if logged == "episode":
        return f"{quantities} of single {policy}{of_kind}episodes{ending}"
    episodes = f"{count} {episodes}".strip()
    if logged == "running_mean":
        return f"running means of the {quantities} of the last {episodes}"
    return f"{'mean ' if logged == 'mean' else ''}{quantities} of {episodes}"


def unfinished(protocol: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """Return sentences on runs that ended early or left no score, and on their treatment; "" if there are none."""
    logs = {name: read for name, read in (protocol.get("logs") or {}).items() if name in titles or not titles}
    treatments = {read["short_runs"] for read in logs.values() if read.get("short_runs")}
    treatment = treatments.pop() if len(treatments) == 1 else ""
    became = SHORT_RUNS.get(treatment)
    if became is None:
        return ""
    early = _counts_by_algorithm(logs, "ended_early", titles)
    lost = _counts_by_algorithm(logs, "no_score", titles)
    texts = [f"ended before the longest of their environment ({early})"] if early else []
    texts += [f"left no score ({lost})"] if lost else []
    if texts and (treatment in _OF_ALL_UNFINISHED or not lost):
        return f"Some runs {' or '.join(texts)}; {became}."
    sentences = [f"Some runs {texts[0]}; {became}."] if early else []
    return " ".join([*sentences, f"Some runs left no score ({lost}) and are left out."])


_OF_ALL_UNFINISHED = ("worst_score", "drop")
"""Treatments that also apply to runs without a score; under all other treatments, such runs are left out."""


def _counts_by_algorithm(logs: Mapping[str, Mapping[str, Any]], field: str, titles: Mapping[str, str]) -> str:
    """Format a field of the logs that counts runs, such as "2 of ppo and 1 of sac"; "" if all counts are 0."""
    counts = {name: int(read[field]) for name, read in logs.items() if read.get(field)}
    named = [f"{count:,} of {titles.get(name, name)}" for name, count in counts.items()]
    return joined(named, len(named)) if named else ""


def _range(least: int, most: int) -> str:
    return f"{least:,} to {most:,}" if most > least else f"{least:,}"


def selection_sentence(protocol: Mapping[str, Any]) -> str:
    """Return a remark on the effect of selection on a study's scores, or "" without selection."""
    rule = parsed(protocol.get("rule") or "")
    return _SELECTED.get(rule[0], "") if rule else ""
