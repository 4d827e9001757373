"""How a protocol is told: values of the card, the methods sentence, and what is unlike between algorithms."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from surefoot.protocol.card import DEFAULT, READ, Card, Stated, cards, span, unlike_fields, unlike_steps
from surefoot.protocol.rules import TRAINING, clause_of, parsed

KINDS = {"eval": "evaluation", "train": "training", "absolute": "re-evaluation of the selected best policy"}
_LOGGED = {
    "episode": "single episodes",
    "mean": "the mean over some episodes",
    "running_mean": "the running mean over the last episodes",
}
_CHECKPOINTS = {
    "last": "those at the end of training",
    "all": "those all along training",
    "selected": "one selected for its score",
}
_SHORT_RUNS: Mapping[Any, tuple[str, str]] = {
    "drop": (
        " and was left out, which favours an algorithm whose bad runs crash",
        " and were left out, which favours an algorithm whose bad runs crash",
    ),
    "carry_forward": ("; its last score stands to the end", "; their last scores stand to the end"),
    "truncate_to_shortest": (
        "; all runs there are scored up to where it ended (or just after, if they have no evaluation near it)",
        "; all runs of an environment are scored up to where its shortest ended (or just after, if they have no "
        "evaluation near it)",
    ),
}
"""What became of one run that ended early, and of several."""
NOT_COMPARED = "runs with different protocols are not compared"
REMARK = "Protocols differ: differences between these algorithms may be due to how they were scored."
"""What every caption says of a comparison that was asked for nevertheless."""
_EVALUATED_AGAIN = (
    "The scored policies were selected as the best of their training, and then evaluated again: the luck of the "
    "evaluations that selected them does not enter these scores, but they are not the policies that training ends with."
)


class Counts(NamedTuple):
    """How many runs there are.

    fewest, most : of an algorithm in an environment
    environments : their names
    """

    fewest: int
    most: int
    environments: Sequence[str]


def told_value(card: Card, field: str) -> str:
    """A value of the card in words; empty where it is not stated."""
    value = card[field].value
    if value is None:
        return ""
    if field in ("episodes", "steps", "evaluations"):
        return _span(card, field)
    if field == "deterministic":
        return "yes" if value else "no"
    if field == "quantity":
        return "return of an episode" if value == "return" else str(value)
    words = {"kind": KINDS, "logged": _LOGGED, "checkpoint": _CHECKPOINTS}
    return words.get(field, {}).get(value, str(value))


def told_rule(card: Card) -> str:
    """The rule of the card in words: "averaged over the last tenth of training"; empty where it is not stated."""
    rule = told_value(card, "rule")
    return clause_of(rule, TRAINING) if rule and parsed(rule) else rule


def short(card: Card, more: Sequence[str] = ()) -> str:
    """A card in a few words: "evaluation, mean of 10 episodes"; `more` are the fields that are named beside."""
    parts = [KINDS.get(card["kind"].value, "episodes of an unknown kind"), _amount_logged(card)]
    for field in more:
        value = told_value(card, field)
        if value and field not in ("kind", "logged", "episodes"):
            parts.append(_short_value(card, field, value))
    return ", ".join(part for part in parts if part)


def _short_value(card: Card, field: str, value: str) -> str:
    if field == "deterministic":
        return "deterministic" if card[field].value else "not deterministic"
    if field == "steps":
        return f"{value} steps"
    if field == "checkpoint":
        return f"policies: {value}"
    return f"{field} {value}"


def _amount_logged(card: Card) -> str:
    count = _span(card, "episodes")
    episodes = f"{count} episode{'' if count == '1' else 's'}" if count else ""
    words = {"episode": "single episodes", "mean": "mean of episodes", "running_mean": "running mean of episodes"}
    if card["logged"].value in ("mean", "running_mean") and episodes:
        return f"{words[card['logged'].value].removesuffix('episodes')}{episodes}"
    return words.get(card["logged"].value, episodes)


def differences(found: Mapping[str, Card], fields: Sequence[str], titles: Mapping[str, str] | None = None) -> str:
    """What is unlike, algorithms that are alike together: "ppo: evaluation, mean of 10 episodes; sac: training"."""
    by_text: dict[str, list[str]] = {}
    for name, card in found.items():
        by_text.setdefault(short(card, fields), []).append((titles or {}).get(name, name))
    return "; ".join(f"{', '.join(names)}: {text}" for text, names in by_text.items())


def unlike_remark(protocol: Mapping[str, Any], titles: Mapping[str, str] | None = None) -> str:
    """What is said first of a comparison of unlike protocols; empty where they are alike."""
    found = cards(protocol)
    fields = unlike_fields(list(found.values()))
    if not fields:
        return ""
    unlike = differences(found, fields, titles)
    scored = f"These algorithms were scored under different protocols ({unlike})"
    return f"{scored}: differences between them may be due to the protocol."


def methods_sentence(protocol: Mapping[str, Any], titles: Mapping[str, str], counts: Counts | None = None) -> str:
    """What a score of the study is, for its methods paragraph, from the card alone.

    Parameters
    ----------
    titles : what algorithms are called, by name; only algorithms that are in it are told of
    counts : how many runs there are, where that is known
    """
    found = {name: card for name, card in cards(protocol, titles).items() if name in titles or not titles}
    by_text: dict[str, list[str]] = {}
    for name, card in _with_common_steps(found).items():
        by_text.setdefault(_scores(card), []).append(titles.get(name, name))
    if len(by_text) == 1:
        text = f"Scores are {next(iter(by_text))}"
    else:
        text = "; ".join(f"scores of {_joined(names)} are {scores}" for scores, names in by_text.items())
        text = text[:1].upper() + text[1:]
    tools = _tools(found, titles)
    if counts is not None:
        text += f"; {_counted(counts)}{f', logged by {tools}' if tools else ''}"
    elif tools:
        text += f", logged by {tools}"
    early = ended_early(protocol, titles)
    early = f" {early}" if early else ""
    return f"{text}.{early}{_by_default(found, titles)}{_unstated(found, titles)}"


def _with_common_steps(found: Mapping[str, Card]) -> dict[str, Card]:
    """The cards, those with one range of steps whose sentences differ in nothing else, where no training is so much
    shorter than another that they would be unlike: training episodes do not end at the same step."""
    alike: list[dict[str, Card]] = []
    for name, card in sorted(found.items(), key=lambda one: span(one[1], "steps") or (0, 0)):
        for group in alike:
            other = next(iter(group.values()))
            if _scores(_without_steps(card)) == _scores(_without_steps(other)) and not unlike_steps(
                [*group.values(), card]
            ):
                group[name] = card
                break
        else:
            alike.append({name: card})
    common: dict[str, Card] = {}
    for group in alike:
        spans = [known for card in group.values() if (known := span(card, "steps"))]
        if len(spans) == len(group):
            limits = {"steps": min(least for least, _ in spans), "most_steps": max(most for _, most in spans)}
            shared = {field: Stated(limit, READ) for field, limit in limits.items()}
            common |= {name: {**card, **shared} for name, card in group.items()}
        else:
            common |= group
    return {name: common[name] for name in found}


def _without_steps(card: Card) -> Card:
    return {**card, "steps": Stated(None, card["steps"].origin)}


def _scores(card: Card) -> str:
    steps = _span(card, "steps")
    training = f"{steps} environment steps" if steps else TRAINING
    rule = card["rule"].value
    if rule is not None and (name := parsed(rule)) and name[0] == "steps_to":
        after = f" (at most {training})" if steps else ""
        return f"the environment steps{after} after which {_subject(card)} first reach {name[1]:,g}"
    if rule is None:
        after = "after" if card["checkpoint"].value == "last" else "in the course of"
        return _subject(card) + (f", {after} {training}" if steps else "")
    return f"{_subject(card)}, {clause_of(rule, training)}"


def _subject(card: Card) -> str:
    """ "mean returns of 10 deterministic evaluation episodes"."""
    quantity = card["quantity"].value
    quantities = {"return": "returns", "score": "scores", None: "scores"}.get(quantity, f"values of {quantity}")
    kind, logged, count = card["kind"].value, card["logged"].value, _span(card, "episodes")
    of_kind = {"eval": "evaluation ", "train": "training "}.get(kind, "")
    policy = {True: "deterministic ", False: "", None: ""}[card["deterministic"].value]
    ending = " of a stochastic policy" if card["deterministic"].value is False and kind != "train" else ""
    if kind == "absolute":
        ending += " in which a selected policy was evaluated again"
    episodes = f"{policy}{of_kind}episode{'' if count == '1' else 's'}{ending}"
    if logged == "running_mean":
        return f"running means of the {quantities} of the last {count + ' ' if count else ''}{episodes}"
    if logged == "mean":
        return f"mean {quantities} of {count + ' ' if count else ''}{episodes}"
    if logged == "episode":
        return f"{quantities} of single {policy}{of_kind}episodes{ending}"
    return f"{quantities} of {count + ' ' if count else ''}{episodes}"


def ended_early(protocol: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """A sentence on the runs that ended before the others, and what became of them; nothing where there are none."""
    logs = {name: read for name, read in (protocol.get("logs") or {}).items() if name in titles or not titles}
    early = {name: int(read["ended_early"]) for name, read in logs.items() if read.get("ended_early")}
    policies = {logs[name].get("short_runs") for name in early}
    became = _SHORT_RUNS.get(policies.pop()) if len(policies) == 1 else None
    if became is None:
        return ""
    several = sum(early.values()) > 1
    runs = _joined([f"{count:,} run{'s' * (count > 1)} of {titles.get(name, name)}" for name, count in early.items()])
    return f"{runs} ended before the longest of {'their' if several else 'its'} environment{became[several]}."


def _by_default(found: Mapping[str, Card], titles: Mapping[str, str]) -> str:
    """A sentence on what is told above and only the tool's usual way."""
    parts: dict[str, list[str]] = {}
    for name, card in found.items():
        usual = [field for field in ("deterministic", "episodes") if card[field].origin == DEFAULT]
        policy = "deterministic" if card["deterministic"].value else "not deterministic"
        words = {"deterministic": f"the policy was {policy}", "episodes": "the number of episodes is as said"}
        if usual:
            parts.setdefault(_joined([words[field] for field in usual]), []).append(titles.get(name, name))
    texts = [text if len(names) == len(found) else f"{text} (of {_joined(names)})" for text, names in parts.items()]
    return f" By the tool's default, which the logs do not confirm, {_joined(texts)}." if texts else ""


def _unstated(found: Mapping[str, Card], titles: Mapping[str, str]) -> str:
    """A sentence on what a reader should know and nobody states."""
    parts: dict[str, list[str]] = {}
    for name, card in found.items():
        for text in _lacking(card):
            parts.setdefault(text, []).append(titles.get(name, name))
    if not parts:
        return ""
    texts = [text if len(names) == len(found) else f"{text} (of {_joined(names)})" for text, names in parts.items()]
    return f" Not stated: {'; '.join(texts)}."


def _lacking(card: Card) -> Iterator[str]:
    if card["kind"].value is None:
        yield "whether episodes are of training or of evaluation"
    if card["episodes"].value is None and card["logged"].value == "mean":
        yield "over how many episodes a score is the mean"
    if card["deterministic"].value is None and card["kind"].value == "eval":
        yield "whether the policy was deterministic"


def _tools(found: Mapping[str, Card], titles: Mapping[str, str]) -> str:
    by_tool: dict[str, list[str]] = {}
    for name, card in found.items():
        if card["tool"].value:
            by_tool.setdefault(card["tool"].value, []).append(titles.get(name, name))
    if len(by_tool) == 1 and len(next(iter(by_tool.values()))) == len(found):
        return next(iter(by_tool))
    return _joined([f"{tool} ({_joined(names)})" for tool, names in by_tool.items()]) if by_tool else ""


def _counted(counts: Counts) -> str:
    runs = f"{counts.fewest:,}" if counts.fewest == counts.most else f"{counts.fewest:,} to {counts.most:,}"
    several = "" if counts.most == 1 else "s"
    number = len(counts.environments)
    where = f"each of {number:,} environments" if number > 1 else counts.environments[0]
    return f"{runs} run{several} (seed{several}) of each algorithm in {where}"


def _span(card: Card, field: str) -> str:
    found = span(card, field)
    if found is None:
        return ""
    least, most = found
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _biases(protocol: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The biases that were estimated, by algorithm; none where scores are not the highest of a run."""
    rule = parsed(protocol.get("rule") or "")
    if rule is None or rule[0] != "best":
        return {}
    logs = protocol.get("logs") or {}
    return {name: read["selection_bias"] for name, read in logs.items() if read.get("selection_bias")}


def told_bias(protocol: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """(Estimate with its interval over runs, unit) of the bias of each algorithm whose scores are selected maxima."""
    return {name: (_estimate(one), one["unit"]) for name, one in _biases(protocol).items()}


def _estimate(one: Mapping[str, Any]) -> str:
    limits = "" if one.get("low") is None else f" (95 % interval {one['low']:.3g} to {one['high']:.3g})"
    return f"{one['bias']:.3g}{limits}"


def selection_sentences(protocol: Mapping[str, Any], titles: Mapping[str, str]) -> list[str]:
    """By how much selected maxima are biased, a sentence for each algorithm, and what that does to comparisons; none
    where scores are no maxima, or no bias was estimated."""
    found, all_cards = _biases(protocol), cards(protocol)
    told = []
    for name, one in found.items():
        numbers = _span(all_cards[name], "evaluations")
        told.append(
            f"The highest of {numbers} scores that a run of {titles.get(name, name)} logged exceeds what its policy is "
            f"worth by an estimated {_estimate(one)} {one['unit']}."
        )
    return [*told, *_remarks_on_selection(protocol)]


def selection_summary(protocol: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """The same in a sentence or two, for the first screen of a page; empty where scores are not selected."""
    found = _biases(protocol)
    if len(found) < 2:
        return " ".join(selection_sentences(protocol, titles))
    order = sorted(found, key=lambda name: float(found[name]["bias"]))
    least, most = (f"{found[name]['bias']:.3g} ({titles.get(name, name)})" for name in (order[0], order[-1]))
    text = f"Scores are selected maxima, too high by an estimated {least} to {most} {found[order[0]]['unit']}."
    return " ".join([text, *_remarks_on_selection(protocol)])


def _remarks_on_selection(protocol: Mapping[str, Any]) -> Iterator[str]:
    rule = parsed(protocol.get("rule") or "")
    if rule is not None and rule[0] == "absolute":
        yield _EVALUATED_AGAIN
    found, all_cards = _biases(protocol), cards(protocol)
    if any(all_cards[name]["logged"].value == "running_mean" for name in found):
        yield "Running means share their errors, so their bias is larger than this estimate."
    if len(found) > 1:
        yield _bias_compared(protocol, found)
    if found:
        yield "For curves that still rise fast relative to their noise, the estimate is too high."


def _bias_compared(protocol: Mapping[str, Any], found: Mapping[str, Mapping[str, Any]]) -> str:
    all_cards = cards(protocol)
    spans = {span(all_cards[name], "evaluations") for name in found}
    often = (
        " The algorithms logged different numbers of scores, and a maximum favours those that logged more."
        if len(spans) > 1
        else ""
    )
    apart = [
        abs(one["bias"] - other["bias"])
        for one in found.values()
        for other in found.values()
        if None not in (one.get("low"), other.get("low")) and _are_apart(one, other)
    ]
    if apart:
        return (
            f"The biases differ between algorithms, by up to {max(apart):.3g}: that much of the differences between "
            f"their scores is due to the selection.{often}"
        )
    return (
        "These runs do not separate the biases of the algorithms; differences between scores are valid if the biases "
        f"are equal.{often}"
    )


def _are_apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the 95 % interval of the difference leaves out 0, by the half widths of the two."""
    widths = [(each["high"] - each["low"]) / 2 for each in (one, other)]
    return bool(abs(one["bias"] - other["bias"]) > (widths[0] ** 2 + widths[1] ** 2) ** 0.5)
