"""The names of runs: one that is given must not contradict what the runs tell."""

import pytest
from support.read_folders import read_folder, told
from support.write_logs import write_monitor, write_text

from surefoot.errors import InputError


@pytest.mark.parametrize("names", [{"algorithm": "x"}, {"environment": "x"}, {"pattern": "{algorithm}"}])
def test_one_name_for_a_table_of_several_is_refused(tmp_path, names):
    text = "algorithm,environment,run,score\na,d,0,1\na,e,0,1\nb,d,0,1\nb,e,0,2\n"
    write_text(tmp_path / "runs.csv", text)
    with pytest.raises(InputError, match=r"its column has [ad], [be]"):
        read_folder(tmp_path, **names)
    write_text(
        tmp_path / "runs.csv",
        text.replace("b,", "a,").replace("e,", "d,").replace("d,0,1\na,d,0,1\na,d,0,1\n", "d,1,1\n"),
    )
    assert len(read_folder(tmp_path, **names).table) == 2


def test_one_name_for_runs_that_tell_several_is_an_error(tmp_path):
    for environment in ("Ant-v4", "Hopper-v4"):
        write_monitor(tmp_path / environment / "1" / "monitor.csv", [(1.0, 10, 1.0)], env_id=environment)
    said = told(tmp_path, environment="Ant", algorithm="ppo")
    assert "all runs should have the environment 'Ant', but their files state Ant-v4, Hopper-v4" in said
