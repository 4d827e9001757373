"""What cannot be scaled is refused by the name of the scale."""

import pandas as pd
import pytest

from surefoot.errors import InputError
from surefoot.runs.scales.scale_settings import SCALES
from surefoot.runs.scales.scaling import scaled


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"kind": "ratio", "baseline": "c"}, r'baseline: no scores for "c"\. Hint: use one of a, b'),
        ({"kind": "none", "algorithms": ["d"]}, 'algorithms: no runs for the algorithm "d"'),
        ({"kind": "none", "min_runs": 3}, r"min_runs: 3 leaves no environment\. Hint: no environment has more than 2"),
    ],
)
def test_scores_that_cannot_be_scaled_name_the_scale(chosen, message):
    rows = [(a, e, run, 1.0 + run) for a in "ab" for e in "ef" for run in range(2)]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    with pytest.raises(InputError, match=rf"^scales\.mine\.{message}"):
        scaled({"runs": runs}, {"mine": SCALES.complete()[chosen["kind"]].model_validate(chosen)})
