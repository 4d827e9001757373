"""How many published numbers each study judges: in its large run, which the figures show, and in this one."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.entries import SENTENCES
from surefoot.charts.published_numbers import with_labels
from surefoot.charts.sentences import capitalised, counted, counted_verdicts, item, joined
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.verdicts import VERDICTS, verdict_counts

LARGE, RECORDED, SMALL = "large run", "published scores", "this run"
"""Whose numbers are judged: those of a record of simulations, a record of answers that were computed from published
scores, and those of this run."""
_COUNTS = ("published", *VERDICTS, "not_judged")


def verdicts_by_run(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Columns study, run, item, verdict: the rows of each record, and those that this run made.

    `settings["recorded_studies"]` names studies of which this run has no scores: what it shows of them is a record of
    what the published scores say.
    """
    columns = ["study", "item", "verdict"]
    empty = pd.DataFrame(columns=columns)
    record = tables.get("all_records", empty)[columns].assign(run=LARGE)
    made = tables.get("all_runs", empty)[columns].assign(run=SMALL)
    made["run"] = made["run"].mask(made["study"].isin(settings["recorded_studies"]), RECORDED)
    return pd.concat([record, made], ignore_index=True)


def table_verdicts(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What became of the published numbers of each study: a row for its large run, where there is one, then one for
    this run; a single one, without counts, where nothing was published to compare with.

    Columns study, title, run, published (numbers in all), one for each verdict, not_judged. `settings["studies"]` holds
    [name, title] of each study, in the order of the configuration.
    """
    rows = []
    compared = verdicts_by_run(tables, settings)
    published = tables.get("all_published", pd.DataFrame(columns=["study", "item"]))
    for study, title in settings["studies"]:
        of_study = compared[compared["study"] == study]
        total = len(set(published.loc[published["study"] == study, "item"]) | set(of_study["item"]))
        runs = [run for run in (LARGE, RECORDED, SMALL) if (of_study["run"] == run).any()]
        for run in runs or [""]:
            verdicts = of_study.loc[of_study["run"] == run, "verdict"]
            counts = verdict_counts(verdicts) | {"published": total, "not_judged": total - len(verdicts)}
            rows.append({"study": study, "title": title, "run": run} | (counts if total else dict.fromkeys(_COUNTS)))
    table = pd.DataFrame(rows, columns=["study", "title", "run", *_COUNTS])
    return None, table.astype(dict.fromkeys(_COUNTS, "Int64"))


def cards(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What the home page says of each study: what its paper claims, what became of the claim, and of its numbers.

    A study without published numbers shows its question, and what its scores answer. The verdict on a claim is that of
    the study's own page, where it judges one; else it follows from the counts, which are those of the large run where
    there is one.
    `settings["cards"]` holds [name, label, claim, question] of each study, in the order of the configuration.

    Returns
    -------
    columns study, label, claim, standing (what became of the claim), numbers (how many there are of each verdict)
    """
    said = tables.get(SENTENCES, pd.DataFrame(columns=["study", "item", "text"]))
    judged, answered = (said[said["item"] == name].set_index("study")["text"] for name in ("claim_verdict", "headline"))
    _, verdicts = table_verdicts(tables, settings)
    counts = verdicts.drop_duplicates("study").set_index("study")
    rows = []
    for study, label, claim, question in settings["cards"]:
        of_study = counts.loc[study]
        standing, numbers = answered.get(study, ""), ""
        if pd.notna(of_study["published"]):
            standing = capitalised(judged.get(study, "") or _standing(of_study))
            numbers = _counted_numbers(of_study)
        rows.append((study, label, claim or question, standing, numbers))
    return None, pd.DataFrame(rows, columns=["study", "label", "claim", "standing", "numbers"])


def _standing(counts: Mapping[str, int]) -> str:
    """What became of a paper whose page judges no claim."""
    if counts["differs"]:
        return "partly reproduced"
    if counts["reproduced"] + counts["explained"] == 0:
        return "not settled"
    return "reproduced as far as testable" if counts["not testable"] else "reproduced"


def _counted_numbers(counts: Mapping[str, int]) -> str:
    """How many of the numbers that a run could judge are reproduced, and how many differ: "69 of 76 numbers reproduced,
    none differs"."""
    total, reproduced, differ = sum(counts[verdict] for verdict in VERDICTS), counts["reproduced"], counts["differs"]
    if reproduced == total:
        return f"All {counted(total, 'number')} reproduced" if total > 1 else "1 number reproduced"
    wrong = "1 differs" if differ == 1 else f"{differ:,} differ" if differ else "none differs"
    return f"{f'{reproduced:,}' if reproduced else 'None'} of {counted(total, 'number')} reproduced, {wrong}"


def table_reproduction(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Every published number beside ours, as `surefoot.statistics.reproduction.comparison` has it, with the columns of
    `published_labels.with_labels`. `settings["labels"]` may say what items are called."""
    return None, with_labels(tables["compare/run"], settings.get("labels", {}), settings)


def published_item(tables: Tables, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Row `judged`: all studies together, the large runs first."""
    _, table = table_verdicts(tables, settings)
    known = table[table["published"].notna()]
    if known.empty:
        return item("judged", "No study has published numbers to compare with.", 0)
    total = int(known.drop_duplicates("study")["published"].sum())
    compared = verdicts_by_run(tables, settings)
    parts = []
    whose_all = {LARGE: "by the large runs", RECORDED: "from recorded analyses of published scores"}
    for run, whose in (whose_all | {SMALL: "by the small run made here"}).items():
        verdicts = compared.loc[compared["run"] == run, "verdict"]
        if len(verdicts):
            verb = "is" if len(verdicts) == 1 else "are"
            parts.append(f"{len(verdicts):,} {verb} judged {whose} ({counted_verdicts(verdicts)})")
    text = f"Of the {total:,} published numbers of {known['study'].nunique()} studies, {joined(parts)}."
    return item("judged", f"{text} Each study's page says which numbers are not judged, and why.", total)
