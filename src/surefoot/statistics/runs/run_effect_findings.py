"""What is said of effects of runs across tasks, and how large a one is borne; see `run_effects`."""

TOLERATED = 1.25
"""The inflation up to which tasks are taken for independent: methods that need independence are then nearly right."""
FEWEST = 10
"""Runs or rounds below which tasks are not taken for independent, however alike the means happen to be."""
NEGLIGIBLE, FOUND, UNKNOWN = FINDINGS = ("negligible", "found", "cannot tell")


def round_finding(
    tasks_independent: bool | str, apart: int, rounds: int, inflation: tuple[float, float, float], tasks: int
) -> str:
    """What a comparison after every round took for independent, and what its rounds show of it, as sentences.

    Parameters
    ----------
    tasks_independent : as it was asked for, True, False or "auto"
    apart, rounds : in how many of the rounds the tasks counted as separate outcomes
    inflation : of the outcomes of all rounds, with its lower and upper limits; see `run_effects.running_inflation`
    tasks : how many
    """
    if tasks < 2:
        return "There is one task, and nothing that tasks could share."
    estimate, low, high = inflation
    shown = "The rounds do not show what the tasks of a round share"
    if estimate == estimate:  # not NaN
        shown = (
            f"The means of the rounds vary {estimate:.2f} times as much as those of independent tasks would, and at "
            f"most {high:.2f} times (95 %)"
        )
    if tasks_independent != "auto":
        taken = (
            "The study says that tasks are independent"
            if tasks_independent
            else "As the study asks, the tasks of a round counted as one outcome"
        )
        warning = " They are not: the limits are too narrow, and tasks_independent: auto or false is safe."
        return f"{taken}. {shown}.{warning if low > 1.0 and tasks_independent else ''}"
    taken = f"The tasks counted as separate outcomes in {apart} of {rounds} rounds and as one outcome in the others"
    if not apart:
        taken = f"The tasks of a round counted as one outcome in all {rounds} rounds, which is safe, but slower"
    advice = (
        "Where runs of different tasks are separate trainings with seeds of their own, tasks_independent: true needs "
        "fewer runs."
    )
    found = "So the tasks of a round are not independent." if low > 1.0 else advice
    return f"{taken}, as the earlier rounds decided. {shown}; up to {TOLERATED:g} times is tolerated. {found}"
