"""What the terminal says of a protocol, and what a study's file keeps of it."""

import pytest
import yaml

from surefoot.cli.report_files import renew_study_file, study_text

READ = {"kind": "eval", "logged": "mean", "episodes": 10, "quantity": "return"}


@pytest.fixture
def file(tmp_path):
    """A study's file as a report writes it, without the line that says of which runs it is."""
    path = tmp_path / "study.yaml"
    path.write_text(
        "studies:\n" + study_text("mine", {"title": "Mine"}, {"rule": "last", "logs": {"ppo": READ}}, "error")
    )
    return path


def test_each_study_keeps_what_its_author_tells_and_gets_what_its_logs_say(file):
    assert yaml.safe_load(file.read_text())["studies"]["mine"] == {
        "title": "Mine",
        "protocol": {"unlike": "error", "rule": "last", "logs": {"ppo": READ}},
    }
    file.write_text(file.read_text().replace("unlike: error", "unlike: remark  # mine\n      deterministic: true"))
    other = study_text("other", {"title": "Other"}, {"rule": "last", "logs": {"sac": READ}}, "error")
    file.write_text(file.read_text() + other)
    newer = {"rule": "window(0.1)", "logs": {"ppo": READ | {"steps": 5}, "<i>: #": READ}}
    newest = {"rule": "best", "logs": {"sac": READ, "td3": READ}}
    assert renew_study_file(file, [newer, newest])
    assert "unlike: remark  # mine" in file.read_text()
    studies = yaml.safe_load(file.read_text())["studies"]
    assert studies["mine"]["protocol"] == {"unlike": "remark", "deterministic": True} | newer
    assert studies["other"] == {"title": "Other", "protocol": {"unlike": "error"} | newest}
