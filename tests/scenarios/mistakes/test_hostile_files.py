"""Files that mean harm, or were damaged: each is refused in one sentence that names it, and none harms the process."""

import json
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from support.read_folders import refused_in_memory, told
from support.write_logs import write_evaluations, write_json_lines, write_monitor

import surefoot
from surefoot.errors import InputError
from surefoot.runs.given_files import MOST_UNPACKED
from surefoot.runs.sources.score_tables import read_table

TABLE = "algorithm,environment,run,score\n"


def test_arrays_too_large_for_memory_are_not_unpacked(tmp_path):
    path = tmp_path / "a" / "Ant" / "0" / "evaluations.npz"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name in ("timesteps.npy", "results.npy"):
            file.writestr(name, bytes(20 << 20))
            file.getinfo(name).file_size = MOST_UNPACKED
    sentence, most_bytes = refused_in_memory(tmp_path)
    assert "evaluations.npz: its arrays unpack to 1.1 GB, and at most 0.5 are read" in sentence
    assert most_bytes < 10 << 20


def test_arrays_claimed_larger_than_memory_are_left_out(tmp_path):
    """The member is as small as the archive says; its header promises 8 TB, or more than can be counted."""
    for run, size in enumerate((10**12, 10**30)):
        path = tmp_path / "a" / "Ant" / str(run) / "evaluations.npz"
        write_evaluations(path, [1, 2], [[1.0], [2.0]])
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({size},), }}".ljust(117) + "\n"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("timesteps.npy", b"\x93NUMPY\x01\x00" + bytes([118, 0]) + header.encode())
    assert "evaluations.npz" in told(tmp_path)


def test_a_configuration_that_repeats_itself_is_refused(tmp_path):
    lines = ["a0: &a0 {k: 1}"] + [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 9)]
    write_evaluations(tmp_path / "a" / "Ant" / "0" / "evaluations.npz", [1], [[1.0]])
    (tmp_path / ".hydra").mkdir()
    (tmp_path / ".hydra" / "config.yaml").write_text("\n".join(lines))
    assert "more than 1,000,000 values, including those repeated by aliases" in told(tmp_path)


def test_whatever_a_reader_stumbles_over_is_one_sentence(tmp_path):
    write_monitor(tmp_path / "a" / "Ant" / "0" / "0.monitor.csv", [(1.0, 10, 1.0)])
    path = tmp_path / "a" / "Ant" / "0" / "0.monitor.csv"
    written = path.read_text()
    path.write_text(re.sub('"t_start": [0-9.]+', '"t_start": [1]', written))
    assert "0.monitor.csv: not readable (TypeError" in told(tmp_path)
    path.write_text(written.replace("{", "[{").replace("}", "}]"))
    assert "0.monitor.csv: its header is not a JSON object: [{" in told(tmp_path)
    path.unlink()
    write_json_lines(path.with_name("result.json"), [{"a": 1}])
    path.with_name("result.json").write_text("[" * 100_000 + "\n{}\n")
    assert "Hint" in told(tmp_path)


@pytest.mark.parametrize("kind", ["datetime64[s]", "timedelta64[s]", "complex128", "bool", "U3"])
def test_arrays_of_other_values_than_numbers_are_no_scores(tmp_path, kind):
    path = tmp_path / "a" / "Ant" / "0" / "evaluations.npz"
    path.parent.mkdir(parents=True)
    values = np.arange(4).reshape(2, 2).astype(kind)
    np.savez(path, timesteps=np.arange(2), results=values)
    assert f"evaluations.npz: results has values of the type {values.dtype}. Hint: " in told(tmp_path)
    np.savez(path, timesteps=values[0], results=np.ones((2, 2)))
    assert f"evaluations.npz: timesteps has values of the type {values.dtype}. Hint: " in told(tmp_path)
    np.savez(path.with_name("a.npz"), a=values)
    path.unlink()
    assert f"a has values of the type {values.dtype}" in told(path.with_name("a.npz"), environment=["s", "t"])
    assert f"a.npz has arrays that are not of numbers: a of the type {values.dtype}" in told(tmp_path)


def test_what_stands_twice_is_refused(tmp_path):
    write_monitor(tmp_path / "a" / "Ant" / "0" / "0.monitor.csv", [(1.0, 10, 1.0, 7.0)], columns="r,l,t,r")
    assert '0.monitor.csv: two columns have the name "r". Hint: ' in told(tmp_path)
    path = tmp_path / "a" / "Ant" / "0" / "0.monitor.csv"
    path.unlink()
    path.with_name("result.json").write_text('{"training_iteration": 1, "timesteps_total": 1, "timesteps_total": 2}\n')
    assert 'result.json: line 1: an object has the key "timesteps_total" twice. Hint: ' in told(tmp_path)
    path.with_name("result.json").unlink()
    (tmp_path / "scores.json").write_text('{"a": [[1, 2]], "a": [[3, 4]]}')
    assert 'scores.json: an object has the key "a" twice. Hint: ' in told(tmp_path, environment=["s", "t"])


def test_nonfinite_scores_are_listed_with_other_mistakes(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("algorithm,environment,run,score,kind\na,t,0,inf,eval\na,t,1,2,eval\nb,t,0,1,train\n")
    said = told(tmp_path)
    assert "2 things have to be decided first:\n  1. 1 score is not finite" in said
    assert "\n  2. runs with different protocols are not compared: a: scores of evaluation episodes; b: " in said


def test_lines_with_keys_of_their_own_take_linear_memory(tmp_path):
    """A table of them would have 32 million cells, for 24,000 numbers."""
    lines = ({"step": n, "return": n, **{f"{n}_{key}": key for key in range(4)}} for n in range(4_000))
    (tmp_path / "x__a__0").mkdir()
    (tmp_path / "x__a__0" / "metrics.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    started = time.process_time()
    said = told(tmp_path)
    assert "its 4,000 objects have 16,002 different keys" in said and "jq -c '{step, return}'" in said
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize("reader", ["logs", "a score table"])
def test_a_text_table_larger_than_memory_is_refused_with_a_hint(tmp_path, reader):
    path = tmp_path / "runs.csv"
    path.write_text(TABLE + "a,x,0,1\na,x,1,2\n")
    os.truncate(path, 10**9)
    started = time.process_time()
    with pytest.raises(InputError) as refused:
        surefoot.read_runs(path) if reader == "logs" else read_table(path, "runs.csv")
    assert "it has 1,000,000,000 bytes, but text files of at most 536,870,912 are read" in str(refused.value)
    assert "pandas.read_csv('runs.csv').to_parquet('runs.parquet')" in str(refused.value)
    assert time.process_time() - started < 1.0


MEMORY = """
import resource, sys
from pathlib import Path
import surefoot
from surefoot.runs.sources.score_tables import read
from surefoot.runs.sources.tables import ScoreTable
readers = {
    "logs": surefoot.read_runs,
    "a score table": lambda path: read(ScoreTable(kind="score_table", file=path), {"file": Path(path)}),
}
read_table = readers[sys.argv[1]]
read_table(sys.argv[2])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
table = read_table(sys.argv[3])
print(len(table), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("reader", ["logs", "a score table"])
def test_memory_is_of_the_order_of_the_table(tmp_path, reader):
    """Objects for each run would take 1,300 bytes and more each; measured: 245 MB above the start for a million."""
    header, runs = "algorithm,environment,run,score\n", 100_000
    (tmp_path / "few.csv").write_text(header + "a,Ant,0,1.5\nb,Ant,1,2.5\na,Ant,2,2.5\nb,Ant,3,1.5\n")
    (tmp_path / "many.csv").write_text(header + "".join(f"{'ab'[n % 2]},Ant,{n},{n / 7}\n" for n in range(runs)))
    command = [sys.executable, "-c", MEMORY, reader, str(tmp_path / "few.csv"), str(tmp_path / "many.csv")]
    environment = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    rows, kibibytes = map(int, done.stdout.split())
    assert rows == runs and kibibytes * 1024 < 500 * runs


@pytest.mark.parametrize("sign", ["\\ud800", "\\u001b[31m"])
def test_bad_names_in_configurations_are_refused(tmp_path, sign):
    path = tmp_path / "a" / "result.json"
    write_json_lines(path, [{"training_iteration": 1, "timesteps_total": 1, "episode_reward_mean": 1.0}])
    path.with_name("params.json").write_text(f'{{"env": "Ant", "seed": 1, "algo": "{sign}"}}')
    assert "has a character that cannot be printed" in told(tmp_path)
