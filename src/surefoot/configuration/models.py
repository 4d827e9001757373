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
    label: Annotated[str, Field(description="A short title for the navigation bar; the title where this is empty.")] = (
        ""
    )
    question: Annotated[
        str, Field(description="The question that the study asks, in one sentence; it opens the page.")
    ] = ""
    claim: Annotated[
        str,
        Field(
            description="What the study's paper claims, in one sentence: the home page shows it with what became of it."
        ),
    ] = ""
    seed: Annotated[int, Field(ge=0, description="Seed of every random number of the study.")] = 0
    titles: Annotated[
        dict[str, Text],
        Field(
            description="How algorithms and environments are called in figures and tables, by name; others show their "
            "name."
        ),
    ] = {}
    confidence: Annotated[
        Level, Field(description="Confidence level of intervals; simultaneous for all the intervals of a method.")
    ] = 0.95
    replicates: Annotated[SeveralRuns, Field(description="Replicates of what resamples.")] = 1000
    protocol: Annotated[
        Protocol | None,
        Field(
            description="What a score is: of which episodes and policies, after how many steps, who logged it. The "
            "page shows it, and runs with different protocols are not compared."
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

    seed: Annotated[int, Field(ge=0, description="Seed of every random number of these studies.")] = 0
    subjects: Annotated[
        dict[Name, TrustSubject],
        Field(
            min_length=1,
            description="What is studied, by the names of the modules of surefoot.statistics.coverage.trust.",
        ),
    ]


class ConfigurationHead(Section):
    """What a configuration says beside its studies."""

    store: Annotated[
        str | None,
        Field(
            description="Folder of the content store. The environment variable SUREFOOT_STORE goes before it; null "
            "means the user's cache folder."
        ),
    ] = None
    shipped_studies: Annotated[
        bool,
        Field(
            description="Whether the studies that Surefoot ships are planned beside one's own. Only a file that "
            "is given on the command line can leave them out."
        ),
    ] = True
    prune: Annotated[
        str,
        Field(
            pattern=r"^[a-z0-9_, ]*$",
            description="Studies, separated by commas, of which `snakemake prune` deletes everything from the store "
            "that this configuration does not need, whether it knows them or not. Given on the command line: "
            "--config prune=mine.",
        ),
    ] = ""
    prune_days: Annotated[
        float,
        Field(
            ge=0,
            description="What was used within so many days is kept by `snakemake prune`, unless its study is named "
            "(prune).",
        ),
    ] = 30
    render: Annotated[
        Literal["auto", "quarto", "embedded"],
        Field(
            description="What renders the pages: Quarto, the embedded renderer, or (auto) Quarto where it is installed "
            "and the embedded renderer elsewhere.",
        ),
    ] = "auto"
    published: Annotated[PublishedFiles, Field(description="Where published tables come from.")] = PublishedFiles()
    trust: Annotated[
        Trust | None,
        Field(
            description="Studies of whether intervals can be trusted; `snakemake trust` makes their tables. null "
            "leaves out the page too."
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
