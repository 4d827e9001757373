"""The configuration as models: what a study is, with its defaults.

A study's sources, scales and questions have models of their own, each in its room, by their kinds.
"""

from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny

from surefoot.configuration.sections import Count, DescribedSection, Level, Name, SeveralRuns, Text
from surefoot.questions.settings import Question
from surefoot.scales.settings import ScaleSettings
from surefoot.sources.settings import PublishedFiles, SourceSettings

CardField = Literal["kind", "logged", "quantity", "metric", "episodes", "deterministic", "checkpoint", "tool"]


class ProtocolFields(DescribedSection):
    """What a score is. What is left out is shown as not stated."""

    kind: Literal["eval", "train", "absolute"] | None = None
    """Which episodes are scored: those played separately for evaluation (eval), those played while the policy learns
    (train), or those played again with the selected best policy (absolute).
    """
    logged: Literal["episode", "mean", "running_mean"] | None = None
    """What one logged score is: the return of a single episode, the mean over the episodes of an evaluation, or a
    running mean over the last episodes.
    """
    quantity: Text | None = None
    """What is measured: return, or another name such as success rate."""
    metric: Text | None = None
    """The name under which it is logged."""
    episodes: Count | None = None
    """Number of episodes whose mean is a logged score; the smallest number, if they differ."""
    most_episodes: Count | None = None
    """The largest such number, if they differ."""
    deterministic: bool | None = None
    """Whether the policy was deterministic in these episodes."""
    checkpoint: Literal["last", "all", "selected"] | None = None
    """Which policies of a training are scored: those at its end, those throughout, or one that was selected for its
    score.
    """
    steps: Count | None = None
    """The last environment step of training; the smallest number, if environments differ."""
    most_steps: Count | None = None
    """The largest such number, if environments differ."""
    tool: Text | None = None
    """The tool that logged the scores."""


class LoggedProtocol(ProtocolFields):
    """What was read from the logs of an algorithm."""

    unit: Text | None = None
    """What the steps count, if the logs say it, such as environment steps."""
    evaluations: Count | None = None
    """How many scores are logged in a run; the fewest, if runs differ."""
    most_evaluations: Count | None = None
    """The most of these, if runs differ."""
    defaults: tuple[CardField, ...] = ()
    """The keys above whose values are what the tool does by default, and not in the logs."""
    ended_early: Count | None = None
    """How many runs ended before the longest of their environment, if any did."""
    short_runs: Literal["error", "worst_score", "drop", "carry_forward", "truncate_to_shortest"] | None = None
    """What became of these runs, as the source of learning curves has it."""


class Protocol(ProtocolFields):
    """What a score of the study is, told by the author; and beside it what was read from the logs."""

    rule: Text | None = None
    """How the learning curve of a run became its score: a rule as surefoot.scores_of_curves writes it, such as
    window(0.1), or a text.
    """
    algorithms: dict[str, ProtocolFields] = {}
    """What the author states about single algorithms, by name, if they differ."""
    logs: dict[str, LoggedProtocol] = {}
    """What was read from the logs of each algorithm. `surefoot report` writes it."""
    unlike: Literal["error", "remark"] = "error"
    """What happens if algorithms have different protocols: an error, or a comparison that says so on its first screen,
    in every caption and in its methods section.
    """


class Study(DescribedSection):
    """A study: where its runs come from, what makes their scores comparable, and what is asked of them."""

    title: Text
    """Title of the study's page."""
    label: str = ""
    """A short title for the navigation bar; if empty, the title."""
    question: str = ""
    """The question that the study asks, in one sentence; it opens the page."""
    claim: str = ""
    """What the study's paper claims, in one sentence. The home page shows it together with the verdict."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Seed of all random numbers of the study."""
    titles: dict[str, Text] = {}
    """What algorithms and environments are called in figures and tables, by name; by default their names."""
    confidence: Level = 0.95
    """Confidence level of intervals; simultaneous for all the intervals of a method."""
    replicates: SeveralRuns = 1000
    """Bootstrap resamples of each question that resamples."""
    protocol: Protocol | None = None
    """What a score is: which episodes and policies it comes from, after how many steps, and which tool logged it. The
    page shows it, and runs with different protocols are not compared.
    """
    figures: str = "study"
    """The set of figures and tables that is drawn: study, or that of a paper."""
    page: str = "study"
    """Name of the page in the folder reports, without .qmd."""
    sources: Annotated[
        dict[Name, SerializeAsAny[SourceSettings]],
        Field(min_length=1, examples=["{runs: {kind: score_table, file: my_scores.csv}}"]),
    ]
    """Where runs come from, by name; the kind of a source is its name where the key is left out."""
    scales: dict[Name, SerializeAsAny[ScaleSettings]] = {}
    """What makes scores of different environments comparable, by name. Every study has min_max and
    performance_percentile, of the source runs.
    """
    questions: dict[Name, SerializeAsAny[Question]] = {}
    """What is asked, by the name of the figure or table that shows it; the kind of a question is its name where the key
    is left out. Without this key a study asks the usual questions of its first source.
    """

    def tables(self) -> dict[str, str]:
        """The kind of each table that the sources make."""
        return {table: kind for name, source in self.sources.items() for table, kind in source.tables(name).items()}


class TrustSubject(DescribedSection):
    """How much of a subject is simulated."""

    datasets: Count
    """Simulated data sets of each case."""
    replicates: Count
    """Resamples of each data set, for the methods that resample."""


class Trust(DescribedSection):
    """Studies of whether intervals can be trusted, on simulated data whose truth is known."""

    seed: Annotated[int, Field(ge=0)] = 0
    """Seed of all random numbers of these simulations."""
    subjects: Annotated[dict[Name, TrustSubject], Field(min_length=1)]
    """What is simulated, by the names in surefoot.statistics.coverage.trust.SUBJECTS."""


class Configuration(DescribedSection):
    """Configuration of Surefoot."""

    store: str | None = None
    """Folder of the content store. The environment variable SUREFOOT_STORE takes precedence; null means the user's
    cache folder.
    """
    shipped_studies: bool = True
    """Whether the shipped studies are planned along with your own. Only a file that is given on the command line can
    leave them out.
    """
    render: Literal["auto", "quarto", "embedded"] = "auto"
    """What renders the pages: Quarto, the embedded renderer, or (auto) Quarto if it is installed and otherwise the
    embedded renderer.
    """
    published: PublishedFiles = PublishedFiles()
    """Where published tables come from."""
    trust: Trust | None = None
    """Simulations of whether intervals can be trusted; `snakemake trust` makes their tables. null also leaves out the
    page.
    """
    studies: Annotated[dict[Name, Study], Field(json_schema_extra={"minProperties": 1})]
    """The studies by name. (In an overlay, null leaves a study out.)"""
