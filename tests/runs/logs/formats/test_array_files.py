"""None"""

import numpy as np
import pytest
from support.read_folders import read_folder
from support.write_logs import write_json, write_pickle

from surefoot.errors import InputError


@pytest.mark.parametrize("suffix", ["npz", "json", "pkl", "npy"])
def test_dictionaries_of_rliable_need_the_names_of_their_tasks(tmp_path, suffix):
    arrays = {"ours": np.arange(6.0).reshape(3, 2), "base": np.arange(4.0).reshape(2, 2)}
    path = tmp_path / f"scores.{suffix}"
    if suffix == "npz":
        np.savez(path, **arrays)
    elif suffix == "json":
        write_json(path, {name: array.tolist() for name, array in arrays.items()})
    elif suffix == "pkl":
        write_pickle(path, arrays)
    else:
        np.save(path, arrays, allow_pickle=True)
    given = tmp_path
    if suffix in ("pkl", "npy"):
        with pytest.raises(InputError, match="a pickle is opened only if its own path is given"):
            read_folder(tmp_path)
        given = path
    with pytest.raises(
        InputError, match=r"do not name tasks.*shape \(3, 2\).*Hint: use --environment with the names of 2 tasks"
    ):
        read_folder(given)
    found = read_folder(given, environment=["maze", "chain"])
    assert found.format == "rliable" and "step" not in found.table.columns
    scores = found.table[found.table["algorithm"] == "ours"].pivot(index="run", columns="environment", values="score")
    assert scores[["maze", "chain"]].to_numpy().tolist() == arrays["ours"].tolist()
    with pytest.raises(InputError, match="rows must be runs and columns tasks: transpose it"):
        read_folder(given, environment=["a", "b", "c"])


def test_a_third_axis_of_a_dictionary_is_of_steps(tmp_path):
    np.savez(tmp_path / "curves.npz", ours=np.arange(12.0).reshape(2, 2, 3))
    found = read_folder(tmp_path, environment=["maze", "chain"]).table
    of_maze = found[found["environment"] == "maze"]
    scores = of_maze.pivot(index="run", columns="step", values="score")
    assert scores.to_numpy().tolist() == [[0, 1, 2], [6, 7, 8]] and scores.columns.tolist() == [0, 1, 2]
