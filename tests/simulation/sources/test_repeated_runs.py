"""A grid of hyperparameters is of tables of states."""

import pytest
from pydantic import ValidationError

from surefoot.simulation.sources.repeated_runs import HyperparameterGrid

GRID = {"discount": [0.9], "trace_decay": [0.0, 0.9], "exploration": [0.1], "step_size": [0.5], "runs": 3}


def test_a_grid_is_of_tables_of_states():
    assert HyperparameterGrid(environments=("chain_10_stochastic",), **GRID).tables("grid") == {"grid": "settings"}
    with pytest.raises(ValidationError, match="is not a discrete environment"):
        HyperparameterGrid(environments=("cart_pole",), **GRID)
    with pytest.raises(ValidationError, match="less than or equal to 1"):
        HyperparameterGrid(environments=("chain_10_stochastic",), **GRID | {"discount": [1.5]})
