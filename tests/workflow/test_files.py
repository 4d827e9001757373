"""Files are whole or not there."""

import errno

import pytest

from surefoot.workflow.files import whole_file, write_whole
from surefoot.workflow.machine_errors import explained


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "deep" / "file"
    write_whole(path, "one")
    with pytest.raises(OSError, match="full"), whole_file(path) as temporary:
        temporary.write_text("half")
        assert path.read_text() == "one"
        raise OSError(errno.ENOSPC, "full")
    assert path.read_text() == "one"
    assert [found.name for found in path.parent.iterdir()] == ["file"]


def test_a_folder_in_the_place_of_a_file_is_left_alone_and_named(tmp_path):
    (tmp_path / "file" / "mine").mkdir(parents=True)
    with pytest.raises(OSError, match="directory") as raised:
        write_whole(tmp_path / "file", "text")
    assert f"{tmp_path / 'file'}: a file has the name of a required folder" in str(explained(raised.value))
    assert [found.name for found in tmp_path.iterdir()] == ["file"]
