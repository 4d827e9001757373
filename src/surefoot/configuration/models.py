"""The configuration as models: what a study is, with its defaults.

A study's sources, scales and questions have models of their own, each in its room, by their kinds.
"""

from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny

from surefoot.configuration.sections import Count, Level, Name, Section, SeveralRuns, Text
from surefoot.questions.settings import Question
from surefoot.scales.settings import ScaleSettings
from surefoot.sources.settings import PublishedFiles, SourceSettings

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


class StudyHead(Section):
    """What a study says beside its sources, scales and questions."""

    title: Annotated[Text, Field(description="Title of the study's page.")]
    label: Annotated[str, Field(description="A short title for the navigation bar; if empty, the title.")] = ""
    question: Annotated[
        str, Field(description="The question that the study asks, in one sentence; it opens the page.")
    ] = ""
    claim: Annotated[
        str,
        Field(
            description="What the study's paper claims, in one sentence. The home page shows it together with the "
            "verdict."
        ),
    ] = ""
    seed: Annotated[int, Field(ge=0, description="Seed of all random numbers of the study.")] = 0
    titles: Annotated[
        dict[str, Text],
        Field(
            description="What algorithms and environments are called in figures and tables, by name; by default their "
            "names."
        ),
    ] = {}
    confidence: Annotated[
        Level, Field(description="Confidence level of intervals; simultaneous for all the intervals of a method.")
    ] = 0.95
    replicates: Annotated[SeveralRuns, Field(description="Bootstrap resamples of each question that resamples.")] = 1000
    protocol: Annotated[
        Protocol | None,
        Field(
            description="What a score is: which episodes and policies it comes from, after how many steps, and which "
            "tool logged it. The page shows it, and runs with different protocols are not compared."
        ),
    ] = None
    figures: Annotated[
        str,
        Field(description="The set of figures and tables that is drawn: study, or that of a paper."),
    ] = "study"
    page: Annotated[str, Field(description="Name of the page in the folder reports, without .qmd.")] = "study"


class Study(StudyHead):
    """A study: where its runs come from, what makes their scores comparable, and what is asked of them."""

    sources: Annotated[
        dict[Name, SerializeAsAny[SourceSettings]],
        Field(
            min_length=1,
            examples=["{runs: {kind: score_table, file: my_scores.csv}}"],
            description="Where runs come from, by name; the kind of a source is its name where the key is left out.",
        ),
    ]
    scales: Annotated[
        dict[Name, SerializeAsAny[ScaleSettings]],
        Field(
            description="What makes scores of different environments comparable, by name. Every study has min_max and "
            "performance_percentile, of the source runs."
        ),
    ] = {}
    questions: Annotated[
        dict[Name, SerializeAsAny[Question]],
        Field(
            description="What is asked, by the name of the figure or table that shows it; the kind of a question is "
            "its name where the key is left out. Without this key a study asks the usual questions of its first source."
        ),
    ] = {}

    def tables(self) -> dict[str, str]:
        """The kind of each table that the sources make."""
        return {table: kind for name, source in self.sources.items() for table, kind in source.tables(name).items()}


class TrustSubject(Section):
    """How much of a subject is simulated."""

    datasets: Annotated[Count, Field(description="Simulated data sets of each case.")]
    replicates: Annotated[Count, Field(description="Resamples of each data set, for the methods that resample.")]


class Trust(Section):
    """Studies of whether intervals can be trusted, on simulated data whose truth is known."""

    seed: Annotated[int, Field(ge=0, description="Seed of all random numbers of these simulations.")] = 0
    subjects: Annotated[
        dict[Name, TrustSubject],
        Field(
            min_length=1,
            description="What is simulated, by the names of the modules of surefoot.statistics.coverage.trust.",
        ),
    ]


class ConfigurationHead(Section):
    """What a configuration says beside its studies."""

    store: Annotated[
        str | None,
        Field(
            description="Folder of the content store. The environment variable SUREFOOT_STORE takes precedence; null "
            "means the user's cache folder."
        ),
    ] = None
    shipped_studies: Annotated[
        bool,
        Field(
            description="Whether the shipped studies are planned along with your own. Only a file that is given on the "
            "command line can leave them out."
        ),
    ] = True
    prune_days: Annotated[
        float,
        Field(
            ge=0,
            description="Number of days during which `snakemake prune` keeps what was used.",
        ),
    ] = 30
    render: Annotated[
        Literal["auto", "quarto", "embedded"],
        Field(
            description="What renders the pages: Quarto, the embedded renderer, or (auto) Quarto if it is installed "
            "and otherwise the embedded renderer.",
        ),
    ] = "auto"
    published: Annotated[PublishedFiles, Field(description="Where published tables come from.")] = PublishedFiles()
    trust: Annotated[
        Trust | None,
        Field(
            description="Simulations of whether intervals can be trusted; `snakemake trust` makes their tables. null "
            "also leaves out the page."
        ),
    ] = None


class Configuration(ConfigurationHead):
    """Configuration of Surefoot."""

    studies: Annotated[
        dict[Name, Study],
        Field(
            min_length=1,
            description="The studies by name. (In an overlay, null leaves a study out.)",
        ),
    ]
