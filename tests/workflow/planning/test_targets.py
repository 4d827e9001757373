"""Targets of the workflow, by name."""

from surefoot.workflow.planning.targets import named_targets


class Drawn:
    stage, study, part, on_request = "draw", "some", "figures", False

    def __init__(self, *names):
        self.outputs = {name: f"results/draw/some/{name}" for name in names}


def test_a_figure_is_a_target_with_all_its_parts():
    left, whole = Drawn("figure_2_left.svg", "table_needed.csv"), Drawn("figure_2.csv", "figure_11a.csv")
    found = named_targets([left, whole], [])
    assert found["figure_2"] == [left.outputs["figure_2_left.svg"], whole.outputs["figure_2.csv"]]
    assert found["figure_2_left"] == [left.outputs["figure_2_left.svg"]]
    assert found["figure_11"] == found["figure_11a"] == [whole.outputs["figure_11a.csv"]]
    assert {"figure_2", "figure_2_left", "figure_11", "figure_11a", "table_needed"} <= set(found)
