"""What can be drawn of the study of this paper; light, as the catalogue is."""

from surefoot.charts.drawing import (
    AGENTS,
    ANY_STUDY,
    BOUNDS,
    PLAYS,
    POINTS,
    RECORD,
    RUN,
    SCORES,
    VIEWS,
    Comparison,
    Drawing,
    figure,
    shown_by,
    table,
)

_CASTRONOVO2016 = "surefoot.papers.castronovo2016"

COMPARISONS = {
    "castronovo2016": {
        "run": Comparison(f"{_CASTRONOVO2016}.comparison:comparison", (AGENTS, "published"), (), ("sources",)),
        "record": Comparison(f"{_CASTRONOVO2016}.comparison:record_comparison", ("published",), ("record",)),
    }
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "castronovo2016": {
        "table_plays": table(
            f"{_CASTRONOVO2016}.times:table_plays",
            (PLAYS,),
            "Number of plays, and the machine that timed them",
        ),
        "figure_best": figure(
            f"{_CASTRONOVO2016}.best_agents:figure_best",
            ("published", RUN, RECORD),
            "Scores of the paper's agents, and which are the best",
        ),
        "figure_budget": figure(
            f"{_CASTRONOVO2016}.best_agents:figure_budget",
            (BOUNDS,),
            "In how many environments each agent is among the best within a budget of time",
        ),
        **{
            f"figure_{number}": figure(
                f"{_CASTRONOVO2016}.times:figure_times",
                (AGENTS,),
                f"Score against {axis} time, {case} case (Figure {number})",
                setting={"panel": [case, axis]},
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
                f"{_CASTRONOVO2016}.best_agents:figure_bounds",
                (BOUNDS,),
                f"Best algorithms under bounds on times, {case} case (Figure {number})",
                setting={"case": case},
            )
            for number, case in ((8, "accurate"), (12, "inaccurate"))
        },
        **{
            f"table_{number}": table(
                f"{_CASTRONOVO2016}.scores:table_scores",
                (AGENTS, "published", RUN, RECORD),
                f"Published scores beside ours, {case} case (Figure {number})",
                ("record",),
                {"case": case},
            )
            for number, case in ((9, "accurate"), (13, "inaccurate"))
        },
        **{
            f"table_corrections_{case}": table(
                f"{_CASTRONOVO2016}.scores:table_corrections",
                (AGENTS, "published", RECORD),
                f"Agents as published beside corrected ones, {case} case",
                ("record",),
                {"case": case},
            )
            for case in ("accurate", "inaccurate")
        },
        "table_1": table(
            f"{_CASTRONOVO2016}.times:table_1", (AGENTS,), "How times vary with parameters (Table 1), measured"
        ),
        "table_agents": table(shown_by("agents", "table"), (AGENTS,), "Scores and times of all agents"),
        "table_orders": table(
            f"{_CASTRONOVO2016}.best_agents:table_orders", (BOUNDS,), "Best algorithms from left to right (section 5.3)"
        ),
        "table_z": table(
            f"{_CASTRONOVO2016}.scores:table_z", ("estimate/paired_z",), "Paired tests between the best agents"
        ),
        "figure_record": figure(
            f"{_CASTRONOVO2016}.scores:figure_record",
            (RUN, RECORD),
            "Every published score beside ours, and their differences",
        ),
        "table_library": table(
            f"{_CASTRONOVO2016}.scores:table_library",
            (AGENTS, "published", RUN, RECORD),
            "Scores of the authors' program at fixed parameters beside ours",
            ("record",),
        ),
        "table_deviations": table(
            f"{_CASTRONOVO2016}.scores:table_deviations",
            (RUN, RECORD),
            "Published scores that are explained or differ, and why",
        ),
        "table_joint": table(
            f"{_CASTRONOVO2016}.scores:table_joint",
            ("published", RUN, RECORD),
            "All published scores of each distribution tested together",
        ),
        "figure_views": figure(shown_by("views"), (POINTS, VIEWS), "The same runs through three views", SCORES),
        "table_views": table(
            shown_by("views", "table"), (POINTS, VIEWS), "Values and ranks by the three views", SCORES
        ),
        **ANY_STUDY,
    },
}
