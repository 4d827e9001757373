"""Tables of the user that define distributions over MDPs."""

import numpy as np
import pytest

from surefoot.bayesian import mdp_distributions
from surefoot.bayesian.sources.own_distributions import read_transitions


def test_a_table_is_the_same_as_arrays(tmp_path):
    chain = mdp_distributions.gc()
    rows = [
        (*place, chain.pseudo_counts[tuple(place)], chain.rewards[tuple(place)])
        for place in np.argwhere(chain.pseudo_counts).tolist()
    ]
    path = tmp_path / "chain.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [mdp_distributions.COLUMNS, *rows]))
    read = mdp_distributions.from_rows(read_transitions(path))
    assert (read.pseudo_counts == chain.pseudo_counts).all()
    assert (read.rewards[chain.pseudo_counts > 0] == chain.rewards[chain.pseudo_counts > 0]).all()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("state,action,next_state,pseudo_count\n0,0,0,1", "column reward is missing"),
        ("state,action,next_state,pseudo_count,reward\n0,0,0,1,0\n0,0,0,1,0", "is listed twice"),
        ("state,action,next_state,pseudo_count,reward\n0,0,-1,1,0", "data row 1: .* number states and actions from 0"),
        ("state,action,next_state,pseudo_count,reward\n0,0,0.5,1,0", "data row 1: .* number states and actions"),
        ("state,action,next_state,pseudo_count,reward\n0,left,0,1,0", "data row 1: .*left.* use finite numbers"),
        (
            "state,action,next_state,pseudo_count,reward\n0,0,1,1,0",
            r"the values for action 0 in state 1 are \[0.0, 0.0\]",
        ),
    ],
)
def test_a_table_that_is_no_distribution_is_refused(tmp_path, rows, message):
    path = tmp_path / "table.csv"
    path.write_text(rows)
    with pytest.raises(ValueError, match=message):
        mdp_distributions.from_rows(read_transitions(path))
