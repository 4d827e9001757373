"""Tables of runs: a column of clusters is not ignored."""

from support.read_folders import told
from support.write_logs import write_text


def test_a_column_of_clusters_is_not_ignored(tmp_path):
    write_text(tmp_path / "scores.csv", "algo,env,seed,cluster,return\na,e,1,c,1.5\na,e,2,d,2.5\n")
    assert 'the column "cluster" has no effect' in told(tmp_path / "scores.csv")
