"""Sentences and counts of the paper's page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.bayesian import distributions
from surefoot.bayesian.registry import CASES, EXPERIMENTS, case_and_experiment
from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.origin import kept_item
from surefoot.charts.selection import titles
from surefoot.charts.sentences import counted, counted_span, counted_verdicts, item, joined
from surefoot.papers.castronovo2016.best_agents import answer_items
from surefoot.papers.castronovo2016.bounds import table_orders
from surefoot.papers.castronovo2016.comparison import AGENTS, half_copied_scores, is_published_task, not_compared, plays
from surefoot.papers.castronovo2016.joint import joint_item
from surefoot.papers.castronovo2016.reasons import MEMORY
from surefoot.papers.castronovo2016.scored_agents import LIBRARY
from surefoot.papers.castronovo2016.scores import both_comparisons, named
from surefoot.papers.castronovo2016.times import JITTER, learning_offline
from surefoot.questions.study_sentences import verdict as study_verdict
from surefoot.result_tables import Tables
from surefoot.rounding import duration, written
from surefoot.statistics.reproduction.comparison import STANDARD_ERRORS
from surefoot.statistics.reproduction.items import of_quantity


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    _, rows = study_verdict(tables, settings)
    more = [*answer_items(tables, settings), *_numbers_items(tables, settings), joint_item(tables, settings)]
    more.append(kept_item(tables))
    more.append(item("standard_errors", f"{STANDARD_ERRORS:g}", STANDARD_ERRORS))
    more += [*task_items(settings), offline_item(tables[AGENTS], settings), memory_item(tables, settings)]
    plays = tables["collect/plays"]
    # Several jobs on one machine measure its clocks a bit differently.
    more.append(item("machine", plays["machine"].mode()[0]))
    _, orders = table_orders(tables, settings)
    agree, named = int(orders["agree"].sum()), int(orders["named"].sum())
    more.append(
        item("orders", f"Of the {named} lists that the text gives, {agree} come out in the same order here.", agree)
    )
    return None, pd.concat([rows, pd.DataFrame(more)], ignore_index=True)


def _numbers_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `judging` (whose scores are shown: the large run's where there is one), `numbers` and `run_numbers` (what
    became of the published scores there, and here)."""
    record, own = tables[RECORD], tables[RUN]
    run = _judged(own, "This run") if is_published_task(settings) else not_compared(settings, "published scores")
    shown = _judged(record, "The large run", "trials") if len(record) else run
    return [
        item("judging", "large run" if len(record) else "run"),
        item("numbers", shown, len(record) or len(own)),
        item("run_numbers", run, len(own)),
    ]


def _judged(numbers: pd.DataFrame, whose: str, mdps: str = "runs") -> str:
    """How many of the paper's and of the authors' program's scores were played, on how many MDPs, and what became of
    them."""
    if numbers.empty:
        return f"{whose} has none of the published scores."
    library = len(of_quantity(numbers, LIBRARY))
    of_program = f", {library} of them of the authors' program," if library else ""
    none = "" if (numbers["verdict"] == "differs").any() else "; none differs"
    return (
        f"{whose} is compared with {counted(len(numbers), 'published score')}{of_program} on "
        f"{counted_span(numbers[mdps].astype(int), 'MDP')} each: {counted_verdicts(numbers['verdict'])}{none}."
    )


def task_items(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `distributions`, `cases` and `protocol`: what the configuration plays, in sentences."""
    section = plays(settings)
    names = [case_and_experiment(environment) for environment in section["environments"]]
    played = list(dict.fromkeys(experiment for _, experiment in names))
    own = [name for name in played if name not in EXPERIMENTS]
    flat = [name for name in played if name not in own and _is_flat(name)]
    shown = joined([EXPERIMENTS[name].title for name in flat]) if flat else ""
    counts = f" In {shown}, all positive counts are 1." if flat else ""
    counts += f" Those of {joined(own)} are the study's own." if own else ""
    cases = list(dict.fromkeys(case for case, _ in names))
    beliefs = [_BELIEFS.get(case, f"takes {case} for that distribution (the prior {case})") for case in cases]
    believed = f"An agent {', or '.join(beliefs)}."
    together = " Both cases play the same MDPs." if set(CASES) <= set(cases) else ""
    decisions = counted(section["horizon"], "decision")
    number = section["trajectories"]
    trajectories = f"one trajectory of {decisions}" if number == 1 else f"{number} trajectories of {decisions} each"
    discounted = f"discounted by {section['discount']:g} per step"
    protocol = f"An agent plays {trajectories} on each MDP; its score is the mean return, {discounted}."
    return [
        item("distributions", counts),
        item("cases", f"{believed}{together}"),
        item("protocol", protocol, section["horizon"]),
    ]


_BELIEFS = dict(
    zip(
        CASES,
        ("knows that distribution (the accurate case)", "believes every transition possible (the inaccurate case)"),
        strict=True,
    )
)


def _is_flat(experiment: str) -> bool:
    return set(getattr(distributions, experiment)().pseudo_counts.ravel()) <= {0.0, 1.0}


def offline_item(agents: pd.DataFrame, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Row `offline`: whose offline phases are so short that what they differ by is jitter, and how long others take."""
    longest = agents.groupby("algorithm", sort=False)["seconds_offline"].agg(["min", "max"])
    others = longest.loc[learning_offline(agents)]
    short = longest.drop(others.index)
    shown = titles(longest.index, settings, "algorithm")
    if short.empty:
        return item("offline", f"Every algorithm has offline phases of {duration(JITTER)} or more.", 0)
    text = f"Offline phases take at most {duration(short['max'].max())}"
    if others.empty:
        return item("offline", f"{text}, too little to measure.", len(short))
    names = joined([shown[name] for name in others.index])
    span = f"{duration(others['min'].min())} to {duration(others['max'].max())}"
    text = f"Only {names} {'learns' if len(others) == 1 else 'learn'} offline, for {span}; no other takes more than "
    text += f"{duration(short['max'].max())}."
    return item("offline", text, len(short))


def memory_item(tables: Tables, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Row `memory`: what the memory explains that the program never filled, of the larger of run and record."""
    rows = both_comparisons(tables, settings)
    zeros = rows["item"].map(half_copied_scores(tables)).astype(float)
    if "half_copied" in rows:  # of the record
        zeros = rows["half_copied"].astype(float).where(rows["source"] != "this run", zeros)
    rows = rows.assign(other=zeros)[rows["reason"].fillna("") == [MEMORY.format(score=score) for score in zeros]]
    rows = rows.sort_values("runs", kind="stable").drop_duplicates("item", keep="last")
    if rows.empty:
        return item("memory", "", 0)
    texts = []
    for row, names in zip(rows.itertuples(), named(rows["item"], settings).itertuples(), strict=True):
        published, ours, other = (written(number, ".2f") for number in (row.published, row.ours, row.other))
        texts.append(
            f"The published {published} of {names.agent} ({names.environment_title}) lies between our score with all "
            f"counts copied, {ours}, and that with half of them zero, {other}."
        )
    return item("memory", " ".join(texts), len(texts))
