"""How often sequential comparisons err."""

from surefoot.validation.sequential_error_rates import sequential_level


def test_the_default_holds_its_level_and_independence_does_not():
    """60 comparisons of 26 tasks with a correlation of 0.3 in both algorithms: by default 5 % are false alarms, and
    more than 17 % are less than once in 1,000 times; taken for independent, most are."""
    (cell,) = [cell for cell in sequential_level.cells if cell["correlations"] == [0.3, 0.3] and cell["tasks"] == 26]
    found = sequential_level.cover(cell, 60, 0, 2).set_index("method")
    assert found.loc["chosen by the runs (auto)", "failures"] <= 10
    assert found.loc["tasks independent", "failures"] > 30 and found.loc["tasks independent", "remarked"] == 1
