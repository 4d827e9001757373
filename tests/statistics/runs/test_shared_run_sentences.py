"""Sentences about runs that tasks share: one for each finding, and none where nothing has to be said."""

import numpy as np
import pytest

from surefoot.statistics.runs.shared_run_findings import Sharing
from surefoot.statistics.runs.shared_run_sentences import (
    is_of_sharing,
    round_finding,
    sharing_remark,
    sharing_sentence,
)


@pytest.mark.parametrize(
    ("findings", "sentence"),
    [
        (["found"], "Runs seem to vary together on all tasks (p = 0.01), so the intervals take whole runs."),
        (["declared"], "Tasks share runs, so the intervals take whole runs."),
        (
            ["found", "cannot tell"],
            "Runs of some of the algorithms seem to vary together on all tasks (p = 0.01), so whole runs count for "
            "these only.",
        ),
        (
            ["cannot tell", "not found"],
            "Runs may vary together on all tasks (p = 0.01), which 5 runs do not rule out; these intervals take tasks "
            "as independent.",
        ),
        (
            ["other names"],
            "The intervals take tasks as independent: runs have other names in each task, so nothing shows otherwise.",
        ),
        (["excluded", "not found"], ""),
    ],
)
def test_a_sentence_for_each_finding(findings, sentence):
    assert sharing_sentence(findings, 5, p_values=[np.nan, 0.01]) == sentence
    if "Runs seem" in sentence:
        assert sharing_sentence(findings, 5, "bca").endswith("which these intervals do not allow for.")


@pytest.mark.parametrize("finding", ["found", "found for some", "cannot tell", "declared", "not found", "excluded"])
def test_remarks_are_recognized(finding):
    remark = sharing_remark(Sharing(finding, 0.03), 5)
    assert bool(remark) == (finding in ("found", "found for some", "cannot tell"))
    assert is_of_sharing(remark) == bool(remark) == (" (p = 0.03)" in remark)


def test_rounds_that_contradict_independent_tasks():
    assert "only one task" in round_finding("auto", 0, 9, (1.0, 0.0, 1.0), 1)
    treated = "The tasks counted as separate outcomes in 5 of 9 rounds, and as one outcome in the others."
    assert round_finding("auto", 5, 9, (2.0, 1.1, 3.0), 3) == treated
    assert round_finding(True, 5, 9, (1.0, 0.8, 3.0), 3) == treated
    assert round_finding(True, 5, 9, (2.0, 1.1, 3.0), 3).startswith(f"{treated} The rounds vary more than")
