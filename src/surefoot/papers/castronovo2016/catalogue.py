"""Catalogue of the figures and tables for the study of this paper. Importing this module is fast."""

from surefoot.charts.drawing import (
    AGENTS,
    BOUNDS,
    PLAYS,
    PUBLISHED,
    RECORD,
    RECORD_COMPARED,
    RUN_COMPARED,
    Comparison,
    Drawing,
    Need,
    any_study,
    figure,
    shown_by,
    table,
)

_CASTRONOVO2016 = "surefoot.papers.castronovo2016"
_COMPARED = {"published": PUBLISHED, "run": RUN_COMPARED, "record": RECORD_COMPARED}

COMPARISONS = {
    "castronovo2016": {
        "run": Comparison(
            f"{_CASTRONOVO2016}.comparison:comparison", {"agents": AGENTS, "published": PUBLISHED, "bounds": BOUNDS}
        ),
        "record": Comparison(
            f"{_CASTRONOVO2016}.comparison:record_comparison", {"published": PUBLISHED, "record": RECORD}
        ),
    }
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "castronovo2016": {
        "figure_best": figure(f"{_CASTRONOVO2016}.score_comparisons:figure_best", _COMPARED),
        "figure_differences": figure(f"{_CASTRONOVO2016}.score_comparisons:figure_differences", _COMPARED),
        "reproduction": table(
            f"{_CASTRONOVO2016}.score_comparisons:table_reproduction", _COMPARED, "Every published score next to ours"
        ),
        "table_summary": table(
            f"{_CASTRONOVO2016}.score_comparisons:table_summary",
            _COMPARED,
            "Z-scores of selected scores and of the other scores",
        ),
        "table_joint": table(
            f"{_CASTRONOVO2016}.score_comparisons:table_joint",
            _COMPARED,
            "All published scores of each distribution tested together",
        ),
        "table_selection": table(
            f"{_CASTRONOVO2016}.score_comparisons:table_selection",
            {"selection": Need("kept", "record_selection")},
            "How far the published scores are raised by selection",
        ),
        "figure_losses": figure(f"{_CASTRONOVO2016}.losses:figure_losses", {"agents": AGENTS, "published": PUBLISHED}),
        **{
            f"figure_{number}": figure(
                f"{_CASTRONOVO2016}.times:figure_times", {"agents": AGENTS}, case=case, phase=phase
            )
            for number, case, phase in (
                (6, "accurate", "offline"),
                (7, "accurate", "online"),
                (10, "inaccurate", "offline"),
                (11, "inaccurate", "online"),
            )
        },
        **{
            f"figure_{number}": figure(
                f"{_CASTRONOVO2016}.times:figure_bounds", {"agents": AGENTS, "bounds": BOUNDS}, case=case
            )
            for number, case in ((8, "accurate"), (12, "inaccurate"))
        },
        "table_1": table(
            f"{_CASTRONOVO2016}.times:table_1", {"agents": AGENTS}, "How times vary with parameters (Table 1)"
        ),
        "table_orders": table(
            f"{_CASTRONOVO2016}.times:table_orders",
            {"bounds": BOUNDS},
            "Best algorithms as the limit on online time grows (section 5.3)",
        ),
        "table_agents": table(shown_by("agents", "table"), {"table": AGENTS}, "Scores and times of all agents"),
        "table_plays": table(
            f"{_CASTRONOVO2016}.times:table_plays",
            {"plays": PLAYS},
            "Number of plays, and the machine that timed them",
        ),
        **any_study(),
    }
}
