"""The configuration as models: what a study is, with its defaults.

A study's sources, scales and questions have models of their own, each in its room, by their kinds.
"""

from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny

from surefoot.configuration.protocol import Protocol
from surefoot.configuration.sections import Count, Level, Name, Section, SeveralRuns, Text
from surefoot.questions.settings import Question
from surefoot.scales.settings import ScaleSettings
from surefoot.sources.settings import PublishedFiles, SourceSettings


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
