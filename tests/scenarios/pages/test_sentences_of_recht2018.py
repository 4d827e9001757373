"""Every sentence with a number on the page of recht2018 follows from its records."""

from support.page_sentences import (
    Patterns,
    Tables,
    check_published_page,
    latest,
    of,
)


def differing(tables: Tables, **where: object) -> str:
    return str((of(tables, "figure_published", formula="welch", **where)["verdict"] == "differs").sum())


def crossings(tables: Tables) -> list[str]:
    return [str(number) for number in of(tables, "table_curves", figure="figure_r1")["crossings"]]


def most_games(tables: Tables) -> list[str]:
    """Return the number of games, and the two methods with the highest mean on most of them."""
    rows = tables["figure_runs"]
    rows = rows[(rows["threshold"] - 0.02).abs() < 0.011].drop_duplicates("method", keep="last")
    first, second = rows.sort_values("count", ascending=False, kind="stable").head(2).to_dict("records")
    return [str(first["problems"]), first["method"], str(first["count"]), second["method"], str(second["count"])]


def best_of_four(tables: Tables) -> list[str]:
    rows = of(tables, "figure_all_four", degrees_of_freedom="welch").sort_values("threshold", kind="stable")
    rows = rows.drop_duplicates("method").reset_index(drop=True)
    best = rows.loc[rows["count"].idxmax()]
    return [best["method"], str(best["count"])]


def at_one_in_a_thousand(tables: Tables) -> list[str]:
    rows = of(tables, "table_differences", level=0.001).set_index("formula")["differ"]
    return [str(rows["Welch\N{EN DASH}Satterthwaite"]), str(rows["as published"])]


RECHT2018: Patterns = {
    r"All (\d+) printed numbers and claims are reproduced with .*; with Welch's, (\d+) differ\.": lambda tables: [
        str((tables["reproduction"]["verdict"] == "reproduced").sum()),
        differing(tables),
    ],
    r"With the published formula all (\d+) counts agree; with Welch's, (\d+) differ": lambda tables: [
        str(len(of(tables, "figure_published", formula="welch", claim=False))),
        differing(tables, claim=False),
    ],
    r"The curves cross (\d+) times as published, (\d+) times by Welch's formula": crossings,
    r"At p < 0\.001, (\d+) of 60 games differ by Welch's formula, (\d+) by the post's\.": at_one_in_a_thousand,
    r"Exact, .*; (\d+) counts were examined\.": lambda tables: [str(len(tables["table_differences"]))],
    r"Highest mean, of (\d+) games: (\S+) on (\d+) and (\S+) on (\d+)": most_games,
    r"Of the four, (.*) has the highest mean most often, on (\d+) games": best_of_four,
    r"All numbers on this page come from a record made from the published scores by (\S+)\. .* \(34 MB, once.*": latest,
}
TYPED_IN_RECHT2018 = (
    "Recht, 2018",
    "After 200 million frames, neither",
    "Blob-PROST (24 runs) and DQN (5 runs) after 200 million frames, 60 Atari games",
    "Number of games, out of 60, at the ends",
    "Number of games, out of 60, on which Blob-PROST and DQN differ after 200 million frames",
    "The notebook divides sd⁴ by n (n ... 1) where ... n² (n ... 1",
    "So its degrees of freedom are too small, often below 1",
    "Eight Atari agents after 200 million frames, 55 games, 3 to 11 runs each; ... exceeds 2.4 (p = 1/252), ... 3 runs "
    "against 11, none exceeds 2.6",
    "The best method on a game has the highest mean; ...log10",
    "A curve shows the fraction of games ...log10(τ): just right of 0, ... at 3, where τ = 0.001",
    "Blob-PROST 200M is nowhere below DQN 10",
    "Blob-PROST after 200 million frames and DQN after 10 million, 60 games",
    "Blob-PROST and DQN, both after 100 million frames, 60 games",
    "Both methods after 100 and after 200 million frames, 60 games",
    "Agarwal et al. (appendix A.3",
)


def test_sentences_follow_from_the_records(tmp_path):
    check_published_page("recht2018", RECHT2018, TYPED_IN_RECHT2018, tmp_path)
