r"""Densities of a metric of fewer runs.

formula : A Gaussian kernel density of a metric over $D$ data sets of $N$ runs drawn with replacement, counted in 2,000
    bins, with Silverman's bandwidth $0.9\, \min(s, \mathrm{IQR} / 1.349)\, D^{-1/5}$ (IQR: interquartile range).
assumes : The given runs represent all runs.
guarantee : None: a picture of how much a metric varies.
in a paper : We draw [{datasets} subsamples] of [{sizes_of} runs] of {algorithms}, respectively, {resampled}, and show
    the density of the {metrics}.
not for : Reading off tails, which the kernel smooths.
source : agarwal2021, figure 2
"""

from typing import ClassVar, Literal

from pydantic import ValidationInfo, field_validator

from surefoot.errors import HintedError
from surefoot.questions.settings import (
    DataSets,
    OneMetric,
    QuestionSettings,
    ResampledRuns,
    SizesOf,
    TheAlgorithms,
)


class Settings(QuestionSettings):
    """Densities of a metric of fewer runs."""

    stage: ClassVar[str] = "cover"
    kind: Literal["subsample_densities"] = "subsample_densities"
    metrics: OneMetric
    algorithms: TheAlgorithms
    sizes_of: SizesOf
    datasets: DataSets
    resampled: ResampledRuns = "whole_runs"

    @field_validator("sizes_of")
    @classmethod
    def _one_for_each(cls, sizes: tuple[int, ...], others: ValidationInfo) -> tuple[int, ...]:
        algorithms = others.data.get("algorithms", sizes)
        if len(sizes) != len(algorithms):
            what = f"{len(sizes)} sizes for {len(algorithms)} algorithms"
            raise HintedError("", what, "one number of runs for each of the algorithms")
        return sizes
