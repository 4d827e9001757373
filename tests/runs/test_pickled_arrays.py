"""Pickled arrays: arrays of plain types are read, and nothing in a pickle is run."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.paths import ROOT

from surefoot.errors import InputError
from surefoot.runs.pickled_arrays import read_pickled


class Harmful:
    def __reduce__(self):
        return (Path.touch, (Path("harm"),))


def test_a_pickle_that_runs_something_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("good.npy", {"A": {"Alien": np.arange(3.0)}}, allow_pickle=True)
    assert read_pickled(Path("good.npy"))["A"]["Alien"].tolist() == [0, 1, 2]
    np.save("bad.npy", {"A": Harmful()}, allow_pickle=True)
    with pytest.raises(InputError, match="is not needed to rebuild an array"):
        read_pickled(Path("bad.npy"))
    Path("other.npy").write_bytes(pickle.dumps({}))
    with pytest.raises(InputError, match="not read"):
        read_pickled(Path("other.npy"))
    assert not Path("harm").exists()


SOURCE = ROOT / "src"
OBJECTS_AS_BYTES = (  # An array of objects whose type is told that it has none, so that its bytes become pointers.
    b"\x80\x02}X\x01\x00\x00\x00acnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R"
    b"(K\x01K\x02K\x02\x86cnumpy\ndtype\nX\x02\x00\x00\x00O8\x89\x88\x87R"
    b"(K\x03X\x01\x00\x00\x00|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89C\x20" + b"A" * 32 + b"tbs."
)


def test_bytes_of_a_pickle_never_become_pointers(tmp_path):
    """In a process of its own, which the reader of numpy ends with a segmentation fault."""
    path = tmp_path / "t.pkl"
    path.write_bytes(OBJECTS_AS_BYTES)
    code = "import sys; from surefoot.cli.commands import main\n"
    code += "print([main(['read', given, '--environment', 'a,b']) for given in sys.argv[1:]])"
    command, variables = [sys.executable, "-c", code, str(path), str(tmp_path)], {"PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | variables)
    assert done.stdout == "[2, 2]\n" and "Traceback" not in done.stderr and done.stderr.count("Hint: ") == 2, done


@pytest.mark.parametrize("protocol", [0, 2, 3, 4, 5])
def test_arrays_of_plain_types_survive_pickling(tmp_path, protocol):
    content = {
        "floats": np.arange(6.0).reshape(2, 3),
        "columns": np.asfortranarray(np.arange(6, dtype=">i4").reshape(2, 3)),
        "texts": np.array(["a", "bcd"]),
        "objects": np.array([1, "x", None], dtype=object),
        "scalar": np.float32(0.5),
        "list": [1.0, 2.0],
    }
    (tmp_path / "a.pkl").write_bytes(pickle.dumps(content, protocol=protocol))
    found = read_pickled(tmp_path / "a.pkl")
    assert found.keys() == content.keys()
    for name, value in content.items():
        np.testing.assert_array_equal(np.asarray(found[name]), np.asarray(value))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (pickle.dumps({"a": np.zeros(2, dtype="M8[s]")}), "arrays of the type 'M8' are not read"),
        (pickle.dumps({"a": np.zeros(2, dtype=[("x", "f8")])}), "arrays of the type 'V8' are not read"),
        (b"\x80\x02}r\xff\xff\xff\x7f.", "it numbers an object 2,147,483,647 and has 9 bytes"),
        (b"\x80\x02cnumpy\nndarray\nK\x01\x85R.", "not callable"),
    ],
)
def test_pickles_of_other_types_are_refused(tmp_path, content, said):
    (tmp_path / "a.pkl").write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_pickled(tmp_path / "a.pkl")


def test_lists_of_a_pickle_that_repeat_each_other_are_counted(tmp_path):
    nested = [1.0]
    for _ in range(10):
        nested = [nested] * 10
    (tmp_path / "a.pkl").write_bytes(pickle.dumps({"a": nested}))
    with pytest.raises(InputError, match="more than 50,000,000 values in lists"):
        read_pickled(tmp_path / "a.pkl")
