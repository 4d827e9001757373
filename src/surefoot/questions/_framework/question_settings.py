"""Base classes of the models of questions in a study; the registry derives the models from function signatures."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from surefoot.runs.sections import Count, DescribedSection, SomeNames

if TYPE_CHECKING:
    from surefoot.runs.scales.scale_settings import ScaleSettings
    from surefoot.workflow.configuration.models import Configuration


def _study_checks() -> Any:
    """Import the module of checks by name, so that results do not depend on its code."""
    return import_module("surefoot.workflow.configuration.question_checks")


class Question(DescribedSection):
    """Base class of the models of all questions.

    function : function that answers the question; it receives validated tables
    stage : "aggregate" for point values, "estimate" for intervals from the runs, "cover" for simulated coverage
    needs : kind of runs that the question requires; see the subclasses
    chart : "module:function" that draws the chart of the result; empty if there is none
    finding : "module:function" that returns the finding of the result as a sentence; empty if there is none
    page_table : "module:function" that returns the table that pages show instead of a chart; empty if there is none
    sets : input of the function: "one" for a table; "named" for a dict with one table by the name of its scale, which
        identifies random streams; "several" for a dict of the tables of one or several scales
    check : function check(table, settings, where) that checks the runs; None for the default check of questions about
        scores
    more : names of further tables of the result, in addition to the main table
    unchecked : arguments that a call passes on without checks
    uses : the settings of the study that determine the result, among seed, confidence_level and n_resamples
    digits : number of significant digits to which tables are rounded; None for no rounding
    takes_functions : True if metrics may be functions in a call
    drawn_beside : True if the default figures of a page show the results in charts of other questions
    """

    function: ClassVar[Callable[..., Any]]
    stage: ClassVar[str]
    needs: ClassVar[str]
    sets: ClassVar[Literal["one", "named", "several"]] = "one"
    chart: ClassVar[str] = ""
    finding: ClassVar[str] = ""
    page_table: ClassVar[str] = ""
    check: ClassVar[Callable[..., None] | None] = None
    more: ClassVar[tuple[str, ...]] = ()
    unchecked: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[str, ...]] = ("seed", "confidence_level", "n_resamples")
    digits: ClassVar[int | None] = None
    takes_functions: ClassVar[bool] = False
    drawn_beside: ClassVar[bool] = False
    kind: str

    @classmethod
    def completed(
        cls, entry: Mapping[str, Any], tables: Mapping[str, str], scales: Mapping[str, "ScaleSettings"]
    ) -> Mapping[str, Any]:
        """Fill in the defaults of a question that depend on the study.

        Parameters
        ----------
        entry : settings of the question in the study
        tables : kind of each table of the sources of the study
        scales : scales of the study
        """
        return entry

    def check_in(self, configuration: "Configuration", study: str) -> None:
        """Check that a study has everything that the question needs.

        Parameters
        ----------
        configuration : validated configuration
        study : name of the study

        Raises
        ------
        SettingError
            With keys relative to the question.
        """

    def decisive(self) -> dict[str, Any]:
        """Return the settings that determine the result, except those with default values."""
        return self.given() | {"kind": self.kind}

    def metric_names(self) -> tuple[str, ...]:
        """Return the metrics that the question names with its keys `metrics` and `metric`."""
        names = (*getattr(self, "metrics", ()), getattr(self, "metric", ""))
        return tuple(name for name in names if name not in ("", "probability_of_improvement"))

    def inputs(self) -> dict[str, str]:
        """Return references to the input tables, by name of the argument.

        A reference is "source:<name>", "scale:<name>", or "question:<kind>" (with "_<table>" for a further table, and
        ":<source>" for a question about runs).
        """
        raise NotImplementedError

    def scales(self) -> tuple[str, ...]:
        """Return the names of the scales that the question uses."""
        return tuple(name.removeprefix("scale:") for name in self.inputs().values() if name.startswith("scale:"))


class QuestionOfRuns(Question):
    """Base class of questions about run tables with unnormalized scores; `needs` is the kind of the table."""

    source: str = "runs"
    """Name of the source, or of one of its tables, that the question uses."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        _study_checks().check_table(self, "source", self.source, self.needs, configuration.studies[study])

    def inputs(self) -> dict[str, str]:
        return {"runs": f"source:{self.source}"}


class QuestionSettings(Question):
    """Base class of questions about scores.

    group : name of a group of questions; those about the same source and in the same stage are answered in one job
    one_algorithm : True if the question is about a single algorithm
    needs : "scores", "curves" (scores over the course of training), "means" (published means), "times" (instead of
        scores) or "settings" (runs with columns of hyperparameters)
    equal_runs : True if the same runs are drawn on all tasks, so that tasks must have equal numbers of runs
    pools_tasks : True if scores of several tasks are averaged or compared, so that they need a common scale
    looks_at_axes : True if a call rejects arrays that look transposed
    """

    group: ClassVar[str] = ""
    one_algorithm: ClassVar[bool] = False
    equal_runs: ClassVar[bool] = False
    pools_tasks: ClassVar[bool] = True
    looks_at_axes: ClassVar[bool] = True
    digits: ClassVar[int | None] = 10
    scores: SomeNames = ("min_max",)
    """Names of scales, all with the same source. Default: the only scale of the study or of the source runs (for
    questions about curves, the only scale with curves), or else min_max.
    """

    @classmethod
    def completed(
        cls, entry: Mapping[str, Any], tables: Mapping[str, str], scales: Mapping[str, "ScaleSettings"]
    ) -> Mapping[str, Any]:
        return {"scores": (_study_checks().usual_scale(cls.needs, tables, scales),)} | dict(entry)

    def check_in(self, configuration: "Configuration", study: str) -> None:
        _study_checks().check_scores(self, configuration.studies[study])

    def scales(self) -> tuple[str, ...]:
        return self.scores

    def inputs(self) -> dict[str, str]:
        return {"scores": f"scale:{self.scores[0]}"}


class GameScores(QuestionOfRuns):
    """Base class of questions about the evaluation game, with performance percentiles as a second input."""

    scale: str = "performance_percentile"
    """Name of the scale of performance percentiles."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_percentiles(self, configuration.studies[study])

    def inputs(self) -> dict[str, str]:
        return super().inputs() | {"normalized": f"scale:{self.scale}"}


class WithPolicies(QuestionOfRuns):
    """Base class of questions that can use scores of random policies."""

    policies: str | None = None
    """Name of the source with scores of random policies. Without it, the normalization policy_percentile is left out.
    """

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_policies(self, configuration.studies[study])

    def inputs(self) -> dict[str, str]:
        return super().inputs() | ({} if self.policies is None else {"policies": f"source:{self.policies}"})


class CoverageInBlocks(QuestionOfRuns):
    """Base class of questions about many data sets, which a study computes in blocks."""

    block: Count = 20
    """Number of data sets in a block, which is one cache entry. Results do not depend on it."""
    batch: Literal["size", "block"] = "size"
    """Work of one job: all data sets of a size, or, for a cluster, blocks that take about ten minutes together."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_pool(self, configuration.studies[study])


class OfOnePair(QuestionOfRuns):
    """Base class of questions about the runs of one algorithm in one environment."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_simulated(self, configuration.studies[study])


class BestOfTrials(QuestionOfRuns):
    """Base class of questions about the best of several trials."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_best_of(self, configuration.studies[study])


class BestOfDraws(QuestionOfRuns):
    """Base class of questions about the best of several draws of hyperparameters, each with several runs."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_draws(self, configuration.studies[study])
