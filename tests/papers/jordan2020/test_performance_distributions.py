"""Distributions of scores: which samples and environments are drawn."""

import pandas as pd
import pytest
import vl_convert
from support.drawings import drawn
from support.stand_in_tables import (
    published_tables,
    settings,
)

from surefoot.papers.jordan2020 import performance_distributions


@pytest.fixture(scope="module")
def paper() -> dict[str, pd.DataFrame]:
    return published_tables()


def test_samples_of_most_trials_are_not_in_figure_4(paper):
    curve = paper["estimate/dkw"].query("environment == 'acrobot' and algorithm == 'ac'")
    samples = [curve.assign(method="subsamples", size=size, runs=1002) for size in (50, 100, 1000, 1002)]
    chart, numbers = drawn("jordan2020", "figure_4", {"record_distributions": pd.concat(samples)}, settings())
    assert list(dict.fromkeys(numbers["size"])) == [50, 100, 1002]
    picture = vl_convert.vegalite_to_svg(chart.to_dict())
    assert "100 trials" in picture and "1,002 trials" in picture
    assert performance_distributions.figure_4_numbers().empty


@pytest.mark.parametrize("group", performance_distributions.GROUPS)
def test_environments_with_few_trials_are_not_in_the_appendix(paper, group):
    _, numbers = drawn("jordan2020", f"figure_appendix_{group}", paper, settings())
    assert list(dict.fromkeys(numbers["environment"])) == list(performance_distributions.GROUPS[group])
    runs = paper["collect/runs"]
    first = performance_distributions.GROUPS[group][0]
    trial = runs.groupby(["environment", "algorithm"]).cumcount()
    few = runs[(runs["environment"] != first) | (runs["algorithm"] != "ppo") | (trial < 49)]
    _, numbers = drawn("jordan2020", f"figure_appendix_{group}", paper | {"collect/runs": few}, settings())
    assert list(dict.fromkeys(numbers["environment"])) == list(performance_distributions.GROUPS[group][1:])
