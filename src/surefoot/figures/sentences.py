"""Sentences that follow from tables: who is best, whose intervals overlap, how many runs there were."""

from collections.abc import Mapping, Sequence

import pandas as pd

from surefoot.figures.selection import METHOD_TITLES, titles


def joined(names: Sequence[str]) -> str:
    """Names as an English list: "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def item(name: str, text: str, value: float | None = None) -> dict:
    """A row of a verdict table: text for the prose, and the number in it where there is one."""
    return {"item": name, "text": text, "value": value}


def run_items(runs: pd.DataFrame, noun: str = "runs") -> list[dict]:
    """Rows `algorithms`, `environments`, `runs` (of a pair) and `runs_total` from the table of runs.

    Runs that are shown under two names, because the cell is the same, count once in `runs_total`.
    """
    sizes = runs.groupby(["environment", "algorithm"], sort=False).size()
    low, high = int(sizes.min()), int(sizes.max())
    total = len(runs.drop_duplicates(["environment", "cell", "run"]))
    span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    algorithms, environments = runs["algorithm"].nunique(), runs["environment"].nunique()
    return [
        item("algorithms", counted(algorithms, "algorithm"), algorithms),
        item("environments", counted(environments, "environment"), environments),
        item("runs", f"{span} {noun}", low),
        item("runs_total", f"{total:,} {noun}", total),
    ]


def score_items(intervals: pd.DataFrame, settings: Mapping) -> list[dict]:
    """Rows `best`, `lead`, `confidence`, and `separated/<method>` and `resamples` for the methods that there are.

    `intervals` is the table of `selection.score_intervals`; its first method decides `lead`.
    """
    method = intervals["method"].iloc[0]
    table = intervals[intervals["method"] == method]
    names = titles(table["algorithm"], settings, "algorithm")
    best = table[table["rank"] == table["rank"].min()]
    top = joined([names[name] for name in best["algorithm"]])
    verb = "has" if len(best) == 1 else "share"
    score = best["value"].iloc[0]
    rows = [item("best", f"{top} {verb} the highest aggregate score, {score:.3f} (higher is better).", score)]
    if table["low"].notna().all():
        rows.append(item("lead", _lead(table, best, names, METHOD_TITLES[method])))
        confidence = table["confidence"].iloc[0]
        rows.append(item("confidence", f"{100 * confidence:g} %", confidence))
    for name, limits in intervals.groupby("method", sort=False):
        separated = separated_pairs(limits)
        pairs = len(limits) * (len(limits) - 1) // 2
        rows.append(item(f"separated/{name}", f"{separated} of {pairs} pairs", separated))
        replicates = limits["replicates"].iloc[0]
        if pd.notna(replicates):
            rows.append(item("resamples", f"{replicates:,.0f} resamples", replicates))
    return rows


def separated_pairs(limits: pd.DataFrame) -> int:
    """Number of pairs of rows whose intervals [low, high] have no point in common."""
    low, high = limits["low"].to_numpy(), limits["high"].to_numpy()
    return int((low[:, None] > high[None, :]).sum())


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 run", "2 runs"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _lead(table: pd.DataFrame, best: pd.DataFrame, names: Mapping[str, str], method: str) -> str:
    """Where the interval of the best algorithm (the first of several) lies beside the others'."""
    first = best.iloc[0]
    others = table[table["algorithm"] != first["algorithm"]]
    if others.empty:
        return "There is no other algorithm to compare it with."
    overlapping = others[others["high"] >= first["low"]]
    whose = "Its" if len(best) == 1 else f"The {names[first['algorithm']]}"
    whose = f"{whose} {method} interval" if len(best) == 1 else f"The {method} interval of {names[first['algorithm']]}"
    if overlapping.empty:
        return f"{whose} lies above {_of_others(others, names, other=False)}."
    if len(overlapping) == len(others):
        return f"{whose} overlaps with {_of_others(others, names, False)}: these runs do not settle which is best."
    below = others.drop(overlapping.index)
    above = _of_others(below, names, True)
    return f"{whose} overlaps with {_of_others(overlapping, names, False)} and lies above {above}."


def _of_others(rows: pd.DataFrame, names: Mapping[str, str], other: bool) -> str:
    """Names up to three algorithms, counts more."""
    if len(rows) > 3:
        return f"those of {'the other ' if other else 'all '}{len(rows)} {'' if other else 'other '}algorithms"
    shown = joined([names[name] for name in rows["algorithm"]])
    return f"{'that' if len(rows) == 1 else 'those'} of {shown}"
