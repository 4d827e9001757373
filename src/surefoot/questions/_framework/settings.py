"""Base classes of the sections of questions in a study; the registry derives the sections from signatures."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from surefoot.runs.sections import Count, DescribedSection, SomeNames

if TYPE_CHECKING:
    from surefoot.runs.scales.settings import ScaleSettings
    from surefoot.workflow.configuration.models import Configuration


def _study_checks() -> Any:
    """Return the module of checks, imported by name, since no result depends on it."""
    return import_module("surefoot.workflow.configuration.question_checks")


class Question(DescribedSection):
    """Base class of the sections of all questions.

    function : the question's function, which receives validated tables
    stage : "aggregate" for point values, "estimate" for intervals from the given runs, "cover" for simulated coverage
    chart, finding, page_table : the functions, as "module:function", that draw its chart, return its finding as a
        sentence, and make the table that a page shows instead of a chart; each "" if there is none
    sets : its input: "one", a table; "named", the table by the name of its scale, on which its random numbers depend;
        "several", the tables of one or several scales by name
    check : function check(table, settings, where) that checks the runs; None for the default check of questions about
        scores
    more : names of further tables of its result, besides the main table
    uses : which of the study's settings seed, confidence_level and n_resamples determine its answer
    digits : significant digits of its table, if it is rounded
    takes_functions : True if metrics may be functions in a call
    drawn_beside : True if the default figures of a page show its results in charts of other questions
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
    uses: ClassVar[tuple[str, ...]] = ("seed", "confidence_level", "n_resamples")
    digits: ClassVar[int | None] = None
    takes_functions: ClassVar[bool] = False
    drawn_beside: ClassVar[bool] = False
    kind: str

    @classmethod
    def completed(
        cls, entry: Mapping[str, Any], tables: Mapping[str, str], scales: Mapping[str, "ScaleSettings"]
    ) -> Mapping[str, Any]:
        """Fill in the defaults of an entry that depend on the study.

        Parameters
        ----------
        tables : kind of each table of the study's sources
        scales : scales of the study
        """
        return entry

    def check_in(self, configuration: "Configuration", study: str) -> None:
        """Check that the study has everything that the question names and needs.

        Parameters
        ----------
        configuration : the configuration, whose models are validated
        study : name of the study

        Raises
        ------
        SettingError
            With keys relative to the question.
        """

    def decisive(self) -> dict[str, Any]:
        """Return the settings that determine the result, without defaults."""
        return self.given() | {"kind": self.kind}

    def metric_names(self) -> tuple[str, ...]:
        """Return the metrics named by its keys `metrics` and `metric`."""
        names = (*getattr(self, "metrics", ()), getattr(self, "metric", ""))
        return tuple(name for name in names if name not in ("", "probability_of_improvement"))

    def inputs(self) -> dict[str, str]:
        """Return its input tables, by the names that its result uses.

        They are "source:<name>", "scale:<name>", or "question:<kind>" (with "_<table>" for a further table, and
        ":<source>" for a question about runs).
        """
        raise NotImplementedError

    def scales(self) -> tuple[str, ...]:
        """Return the names of its scales."""
        return tuple(name.removeprefix("scale:") for name in self.inputs().values() if name.startswith("scale:"))


class QuestionOfRuns(Question):
    """A question about a run table with unnormalized scores; `needs` is the kind of the table."""

    source: str = "runs"
    """Name of the source, or of one of its tables, that the question uses."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        _study_checks().check_table(self, "source", self.source, self.needs, configuration.studies[study])

    def inputs(self) -> dict[str, str]:
        return {"runs": f"source:{self.source}"}


class QuestionSettings(Question):
    """Base class of the sections of questions about scores.

    group : questions about the same source, in the same stage and group, are answered in one job
    one_algorithm : True if it concerns one algorithm
    needs : requirement on its runs: "scores", "curves" (scores along the training), "means" (published ones), "times"
        (instead of scores) or "settings" (runs with columns of hyperparameters)
    equal_runs : True if it always draws the same runs on all tasks, so that all tasks must have the same number of runs
    pools_tasks : True if it averages or compares scores of several tasks, so that they need a common scale
    looks_at_axes : True if a call rejects arrays that look transposed
    """

    group: ClassVar[str] = ""
    one_algorithm: ClassVar[bool] = False
    equal_runs: ClassVar[bool] = False
    pools_tasks: ClassVar[bool] = True
    looks_at_axes: ClassVar[bool] = True
    digits: ClassVar[int | None] = 10
    scores: SomeNames = ("min_max",)
    """Names of scales, all of the same source. Default: the only scale of the study or of the source runs (for
    questions about curves, the only scale of its curves), or else min_max.
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
    """A question about the evaluation game, with the scale of performance percentiles as a second input."""

    scale: str = "performance_percentile"
    """Name of the scale of performance percentiles."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_percentiles(self, configuration.studies[study])

    def inputs(self) -> dict[str, str]:
        return super().inputs() | {"normalized": f"scale:{self.scale}"}


class WithPolicies(QuestionOfRuns):
    """A question that may refer to random policies."""

    policies: str | None = None
    """Name of the source of random policies to which policy percentiles refer. Without it, that normalization is
    omitted.
    """

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_policies(self, configuration.studies[study])

    def inputs(self) -> dict[str, str]:
        return super().inputs() | ({} if self.policies is None else {"policies": f"source:{self.policies}"})


class CoverageInBlocks(QuestionOfRuns):
    """A question about many data sets, which a study computes in blocks."""

    block: Count = 20
    """Number of data sets in one cache entry. Results do not depend on it."""
    batch: Literal["size", "block"] = "size"
    """Work of one job: all data sets of a size or, for a cluster, as many blocks as take about ten minutes."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_pool(self, configuration.studies[study])


class OfOnePair(QuestionOfRuns):
    """A question about the runs of one algorithm in one environment."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_simulated(self, configuration.studies[study])


class BestOfTrials(QuestionOfRuns):
    """A question about the best of several trials."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_best_of(self, configuration.studies[study])


class BestOfDraws(QuestionOfRuns):
    """A question about the best of several draws of hyperparameters, with several runs of each."""

    def check_in(self, configuration: "Configuration", study: str) -> None:
        super().check_in(configuration, study)
        _study_checks().check_draws(self, configuration.studies[study])
