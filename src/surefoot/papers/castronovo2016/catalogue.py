"""Catalogue of the drawings for the study of this paper; it imports nothing heavy."""

from surefoot.charts.drawing import (
    AGENTS,
    BOUNDS,
    PLAYS,
    RECORD,
    RUN,
    Comparison,
    Drawing,
    any_study,
    figure,
    shown_by,
    table,
)

_CASTRONOVO2016 = "surefoot.papers.castronovo2016"

COMPARISONS = {
    "castronovo2016": {
        "run": Comparison(f"{_CASTRONOVO2016}.comparison:comparison", (AGENTS, "published"), (BOUNDS,), ("sources",)),
        "record": Comparison(f"{_CASTRONOVO2016}.comparison:record_comparison", ("published",), ("record",)),
    }
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "castronovo2016": {
        "figure_best": figure(f"{_CASTRONOVO2016}.scores:figure_best", ("published", RUN, RECORD)),
        "figure_differences": figure(f"{_CASTRONOVO2016}.scores:figure_differences", ("published", RUN, RECORD)),
        "reproduction": table(
            f"{_CASTRONOVO2016}.scores:table_reproduction",
            ("published", RUN, RECORD),
            "Every published score beside ours",
        ),
        "table_summary": table(
            f"{_CASTRONOVO2016}.scores:table_summary",
            ("published", RUN, RECORD),
            "Differences of selected scores and of others, in standard errors",
        ),
        "table_joint": table(
            f"{_CASTRONOVO2016}.scores:table_joint",
            ("published", RUN, RECORD),
            "All published scores of each distribution tested together",
        ),
        "table_selection": table(
            f"{_CASTRONOVO2016}.scores:table_selection",
            ("record_selection",),
            "How far the published scores are raised by selection",
        ),
        "figure_losses": figure(f"{_CASTRONOVO2016}.losses:figure_losses", (AGENTS, "published")),
        **{
            f"figure_{number}": figure(
                f"{_CASTRONOVO2016}.times:figure_times", (AGENTS,), setting={"panel": [case, axis]}
            )
            for number, case, axis in (
                (6, "accurate", "offline"),
                (7, "accurate", "online"),
                (10, "inaccurate", "offline"),
                (11, "inaccurate", "online"),
            )
        },
        **{
            f"figure_{number}": figure(
                f"{_CASTRONOVO2016}.times:figure_bounds", (AGENTS, BOUNDS), setting={"case": case}
            )
            for number, case in ((8, "accurate"), (12, "inaccurate"))
        },
        "table_1": table(f"{_CASTRONOVO2016}.times:table_1", (AGENTS,), "How times vary with parameters (Table 1)"),
        "table_orders": table(
            f"{_CASTRONOVO2016}.times:table_orders",
            (BOUNDS,),
            "Best algorithms as the limit of online time grows (section 5.3)",
        ),
        "table_agents": table(shown_by("agents", "table"), (AGENTS,), "Scores and times of all agents"),
        "table_plays": table(
            f"{_CASTRONOVO2016}.times:table_plays", (PLAYS,), "Number of plays, and the machine that timed them"
        ),
        **any_study(),
    }
}
