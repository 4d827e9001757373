"""Files from anybody: none makes the process hang that reads it."""

import os

from support.read_folders import told
from support.write_logs import write_evaluations


def test_links_to_devices_and_pipes_are_refused(tmp_path):
    write_evaluations(tmp_path / "ppo" / "Ant" / "1" / "evaluations.npz", [1], [[1.0]])
    link = tmp_path / "ppo" / "Ant" / "1" / "progress.csv"
    os.mkfifo(tmp_path / ".pipe")
    for leads_to in ("/dev/zero", tmp_path / ".pipe"):
        link.symlink_to(leads_to)
        assert "progress.csv: it is a pipe, a device or a socket" in told(tmp_path)
        link.unlink()
