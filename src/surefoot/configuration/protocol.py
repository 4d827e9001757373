"""What a study says of its scores: its protocol, as the author tells it and as the logs have it."""

from typing import Annotated, Literal

from pydantic import Field

from surefoot.configuration.sections import Count, Section, Text

CardField = Literal["kind", "logged", "quantity", "metric", "episodes", "deterministic", "checkpoint", "tool"]


class ProtocolFields(Section):
    """What a score is. What is left out is shown as not stated."""

    kind: Annotated[
        Literal["eval", "train", "absolute"] | None,
        Field(
            description="Which episodes are scored: those played separately for evaluation (eval), those played while "
            "the policy learns (train), or those played again with the selected best policy (absolute)."
        ),
    ] = None
    logged: Annotated[
        Literal["episode", "mean", "running_mean"] | None,
        Field(
            description="What one logged score is: the return of a single episode, the mean over the episodes of an "
            "evaluation, or a running mean over the last episodes."
        ),
    ] = None
    quantity: Annotated[
        Text | None, Field(description="What is measured: return, or another name such as success rate.")
    ] = None
    metric: Annotated[Text | None, Field(description="The name under which it is logged.")] = None
    episodes: Annotated[
        Count | None,
        Field(description="Number of episodes whose mean is a logged score; the smallest number, if they differ."),
    ] = None
    most_episodes: Annotated[Count | None, Field(description="The largest such number, if they differ.")] = None
    deterministic: Annotated[
        bool | None, Field(description="Whether the policy was deterministic in these episodes.")
    ] = None
    checkpoint: Annotated[
        Literal["last", "all", "selected"] | None,
        Field(
            description="Which policies of a training are scored: those at its end, those throughout, or one that was "
            "selected for its score."
        ),
    ] = None
    steps: Annotated[
        Count | None,
        Field(description="The last environment step of training; the smallest number, if environments differ."),
    ] = None
    most_steps: Annotated[Count | None, Field(description="The largest such number, if environments differ.")] = None
    tool: Annotated[Text | None, Field(description="The tool that logged the scores.")] = None


class SelectionBias(Section):
    """By how much the best of several logged scores exceeds what its policy is worth, estimated from the curves."""

    bias: Annotated[float, Field(description="The estimate, in the unit.")]
    low: Annotated[float | None, Field(description="Lower limit of its 95 % interval over runs.")] = None
    high: Annotated[float | None, Field(description="Upper limit of its 95 % interval over runs.")] = None
    unit: Annotated[Text, Field(description="In what the bias is measured.")]


class LoggedProtocol(ProtocolFields):
    """What was read from the logs of an algorithm."""

    evaluations: Annotated[
        Count | None, Field(description="How many scores are logged in a run; the fewest, if runs differ.")
    ] = None
    most_evaluations: Annotated[Count | None, Field(description="The most of these, if runs differ.")] = None
    defaults: Annotated[
        tuple[CardField, ...],
        Field(description="The keys above whose values are what the tool does by default, and not in the logs."),
    ] = ()
    ended_early: Annotated[
        Count | None, Field(description="How many runs ended before the longest of their environment, if any did.")
    ] = None
    short_runs: Annotated[
        Literal["error", "drop", "carry_forward", "truncate_to_shortest"] | None,
        Field(description="What became of these runs, as the source of learning curves has it."),
    ] = None
    selection_bias: Annotated[
        SelectionBias | None, Field(description="How far a selected maximum is biased, where scores are such.")
    ] = None


class Protocol(ProtocolFields):
    """What a score of the study is, told by the author; and beside it what was read from the logs."""

    rule: Annotated[
        Text | None,
        Field(
            description="How the learning curve of a run became its score: a rule as surefoot.scores_of_curves writes "
            "it, such as window(0.1), or a text."
        ),
    ] = None
    algorithms: Annotated[
        dict[str, ProtocolFields],
        Field(description="What the author states about single algorithms, by name, if they differ."),
    ] = {}
    logs: Annotated[
        dict[str, LoggedProtocol],
        Field(description="What was read from the logs of each algorithm. `surefoot report` writes it."),
    ] = {}
    unlike: Annotated[
        Literal["error", "remark"],
        Field(
            description="What happens if algorithms have different protocols: an error, or a comparison that says so "
            "on its first screen, in every caption and in its methods section."
        ),
    ] = "error"
