"""Evaluations of language models: logs that Inspect 0.3.285 wrote (fixtures/inspect; its compression is Zstandard), and
samples by hand in the layout of lm-evaluation-harness 0.4.13 (lm_eval/evaluator.py and its evaluation tracker)."""

import json
import shutil
import zipfile

from support.paths import FIXTURES
from support.read_folders import read_folder, refused_in_memory, rows
from support.write_logs import write_json, write_json_lines

import surefoot
from surefoot.runs.given_files import MOST_UNPACKED

INSPECT = FIXTURES / "inspect"
GOOD, BAD = sorted(INSPECT.iterdir())
HEADER = {"version": 2, "status": "success", "eval": {"eval_id": "x", "model": "openai/gpt", "task": "gaia"}}


def write_eval(path, members):
    """As older versions of Inspect write it, with deflate."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, json.dumps(content))


def sample(name, epoch, value):
    return {"id": name, "epoch": epoch, "scores": {"judge": {"value": value}}}


def test_logs_of_inspect_have_a_score_per_sample_and_epoch():
    """Of six questions, one model answers five, the other two; both fail question 0 in the second epoch."""
    found = read_folder(INSPECT)
    assert found.format == "inspect" and not found.remarks
    totals = found.table.groupby(["algorithm", "run"])["score"].sum()
    assert totals.unstack().to_numpy().tolist() == [[2, 1], [5, 4]]
    assert totals.index.unique("algorithm").tolist() == ["mockllm/bad", "mockllm/good"]
    assert found.table["environment"].nunique() == 6 and len(found.table) == 24
    other = read_folder(INSPECT, metric="includes").table
    assert rows(other, "environment", "run", "score") == rows(found.table, "environment", "run", "score")


def test_epochs_of_another_log_of_the_same_evaluation_count_on(tmp_path):
    for name in ("1.eval", "2.eval"):
        shutil.copy(GOOD, tmp_path / name)
    table = read_folder(tmp_path).table
    assert sorted(table["run"].unique()) == [1, 2, 3, 4] and len(table) == 24


def test_samples_without_a_score_are_counted(tmp_path):
    samples = [
        sample("a", 1, "C"),
        sample("b", 1, None),
        {"id": "c", "epoch": 1, "scores": {}},
        {"id": "d", "epoch": 1},
    ]
    write_json(tmp_path / "x.json", HEADER | {"samples": samples})
    found = read_folder(tmp_path)
    account = surefoot.reading_account(found.table)
    assert dict(zip(account["outcome"], account["rows"], strict=True)) == {"used": 1, "left out": 3}
    assert found.remarks == ("x.json: 3 samples without a score left out",)


def test_older_logs_journals_and_json_have_the_same_samples(tmp_path):
    """Grades and numbers, names of several values, and summaries that the journal has in parts."""
    samples = [sample(name, 1, value) for name, value in zip("abcde", ("C", "P", "N", 0.25, True), strict=True)]
    write_eval(tmp_path / "old" / "x.eval", {"header.json": HEADER, "summaries.json": samples})
    parts = {f"_journal/summaries/{number}.json": [one] for number, one in enumerate(samples, 1)}
    write_eval(tmp_path / "parts" / "x.eval", {"header.json": HEADER} | parts)
    write_json(tmp_path / "text" / "x.json", HEADER | {"samples": samples})
    for name in ("old", "parts", "text"):
        table = read_folder(tmp_path / name).table
        wanted = [("gaia/a", 1.0), ("gaia/b", 0.5), ("gaia/c", 0.0), ("gaia/d", 0.25), ("gaia/e", 1.0)]
        assert rows(table, "environment", "score") == wanted and set(table["algorithm"]) == {"openai/gpt"}
    several = [sample("a", 1, {"fact": "C", "style": 0.5})]
    write_eval(tmp_path / "several" / "x.eval", {"header.json": HEADER, "summaries.json": several})
    assert read_folder(tmp_path / "several", metric="judge/style").table["score"].tolist() == [0.5]


def test_failed_and_half_written_evaluations_are_left_out(tmp_path):
    write_eval(tmp_path / "a.eval", {"header.json": HEADER, "summaries.json": [sample("a", 1, "C")]})
    failed = HEADER | {"status": "error"}
    write_eval(tmp_path / "b.eval", {"header.json": failed, "summaries.json": [sample("a", 1, "I")]})
    write_eval(tmp_path / "c.eval", {"_journal/start.json": {}})
    found = read_folder(tmp_path)
    assert found.table["score"].tolist() == [1.0]
    text = "; ".join(found.remarks)
    assert "b.eval: its status is error" in text and "c.eval: incomplete and left out" in text


def test_a_log_too_large_for_memory_is_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", json.dumps(HEADER))
        file.writestr("summaries.json", bytes(40 << 20))  # which is no JSON: it is not read
        file.getinfo("summaries.json").file_size = MOST_UNPACKED + 1
    sentence, most_bytes = refused_in_memory(tmp_path)
    assert "a.eval: its samples unpack to 0.5 GB, and at most 0.5 are read" in sentence
    assert most_bytes < 10 << 20


def test_a_damaged_log_is_left_out(tmp_path):
    """Bytes of the compressed samples are others than were written."""
    content = bytearray(GOOD.read_bytes())
    with zipfile.ZipFile(GOOD) as file:
        start = file.getinfo("summaries.json").header_offset + 80
    content[start : start + 40] = bytes(40)
    (tmp_path / "damaged.eval").write_bytes(content)
    shutil.copy(BAD, tmp_path / "whole.eval")
    found = read_folder(tmp_path)
    assert set(found.table["algorithm"]) == {"mockllm/bad"} and "damaged.eval: incomplete" in found.remarks[0]


def line(document, kind, **metrics):
    given = {"doc": {"question": "?"}, "target": "4", "arguments": {"gen_args_0": {"arg_0": "?"}}, "resps": [["4"]]}
    return {"doc_id": document, **given, "filter": kind, "metrics": [*metrics], "doc_hash": "0", **metrics}


def test_lm_evaluation_harness_has_a_score_per_document(tmp_path):
    for model, right in (("org__good", 3), ("org__bad", 1)):
        lines = [
            line(document, kind, exact_match=float(document < right), length=3)
            for kind in ("strict-match", "flexible-extract")
            for document in range(4)
        ]
        write_json_lines(tmp_path / model / "samples_gsm8k_cot_2026-01-02T03-04-05.678901.jsonl", lines)
        write_json_lines(tmp_path / model / "samples_gsm8k_cot_2026-01-03T03-04-05.678901.jsonl", lines[:4])
        write_json(tmp_path / model / "results_2026-01-02T03-04-05.678901.json", {"results": {}})
    found = read_folder(tmp_path)
    assert found.format == "lm_eval" and found.table.attrs["metrics"]["org__bad"] == "exact_match,strict-match"
    assert rows(found.table, "algorithm", "environment", "run", "score")[:3] == [
        ("org__bad", "gsm8k_cot/0", 0, 1.0),
        ("org__bad", "gsm8k_cot/0", 1, 1.0),
        ("org__bad", "gsm8k_cot/1", 0, 0.0),
    ]
    means = found.table.groupby("algorithm")["score"].mean()
    assert means.to_dict() == {"org__bad": 0.25, "org__good": 0.75}
    lengths = surefoot.read_runs(tmp_path, metric="length,flexible-extract")
    assert set(lengths["score"]) == {3.0} and set(lengths["run"]) == {0}
