"""Whatever is damaged, the next run ends with the undisturbed bytes, or refuses with one sentence that says what to do.

A small plan of four stages, one of which works in units and calls a compiled kernel, is run without Snakemake, which
would take most of the time: `run_all` does as Snakemake does with the default target.
"""

import importlib.util
import json
import os
import random
import shutil
import sys
import time
import types
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from surefoot.build import job as jobs
from surefoot.build import kernel_cache
from surefoot.build.errors import InputError
from surefoot.build.files import canonical_json
from surefoot.build.job import Job, put_specs, read_manifest, specification, with_proofs, write_manifest
from surefoot.build.runner import run_job
from surefoot.build.store import blob_path, damaged_files
from surefoot.build.verify import altered_results, hash_or_none, needed, proven_hash, settle

DAMAGES, SEED = 60, 16
KERNEL = """
from numba import njit

@njit(cache=True)
def total(numbers):
    result = 0
    for number in numbers:
        result += number
    return result
"""


def simulate(task):
    """Ten numbers in two units, each with their sum by a kernel."""
    kernel_cache._own_folder.cache_clear()  # a job is a process of its own, which looks at its kernels once
    kernel_cache.may_be_run.cache_clear()
    specification = importlib.util.spec_from_file_location("kernel", "kernel.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    texts = []
    for first in (0, 5):

        def compute(path, first=first):
            numbers = np.arange(first, first + 5) * task.settings["factor"]
            path.write_text(f"{numbers.tolist()} {module.total(numbers)}\n")

        path = task.outputs["runs"].with_name(f"unit_{first}")
        task.unit("numbers", task.settings | {"first": first}, {}, compute, path)
        texts.append(path.read_text())
    task.outputs["runs"].write_text("".join(texts))


def gather(task):
    """All inputs, one after the other; two files."""
    texts = [path.read_text() for path in task.inputs.values()]
    task.outputs["table"].write_text("".join(texts))
    task.outputs["lengths"].write_text(canonical_json([len(text) for text in texts]))


def show(task):
    """The inputs below a heading."""
    texts = {name: path.read_text() for name, path in task.inputs.items()}
    task.outputs["page"].write_text(f"a page\n{texts['table']}{texts['lengths']}")


def make_plan():
    stages = [
        ("toy_simulate", part, {"factor": factor}, {}, {"runs": f"results/toy_simulate/small/{part}.txt"})
        for part, factor in (("one", 1), ("two", 2))
    ]
    runs = {part: outputs["runs"] for _, part, _, _, outputs in stages}
    table = {name: f"results/toy_gather/small/{name}.txt" for name in ("table", "lengths")}
    stages.append(("toy_gather", "table", {}, {"source": "source.txt"} | runs, table))
    stages.append(("toy_show", "page", {}, table, {"page": "results/toy_show/small.html"}))
    code = ("surefoot.build.files", "kernel.py")
    return with_proofs(
        [Job(stage, "small", part, f"{stage}:run", settings, code, *paths) for stage, part, settings, *paths in stages]
    )


def enter(folder, patch):
    """Work in a folder, with a store of its own; returns the jobs of a small plan."""
    patch.chdir(folder)
    patch.setenv("SUREFOOT_STORE", str(folder / "store"))
    # A process has one folder of kernels, and this test is a process of its own.
    patch.setattr(kernel_cache.KernelLocator, "below", folder / "store/kernels")
    of_module = jobs.fingerprint
    patch.setattr(jobs, "fingerprint", lambda name: "toy" if name.startswith("toy_") else of_module(name))
    for stage in (simulate, gather, show):
        name = f"toy_{stage.__name__}"
        patch.setitem(jobs.LIBRARIES, name, ("numba",))
        patch.setitem(sys.modules, name, types.SimpleNamespace(run=stage))
    return make_plan()


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder in which all jobs ran once."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "source.txt").write_text("a source\n")
    (folder / "kernel.py").write_text(KERNEL)
    with pytest.MonkeyPatch.context() as patch:
        run_all(enter(folder, patch))
    return folder


@pytest.fixture
def plan(built, tmp_path, monkeypatch):
    """The jobs of a small plan, whose results are there and kept in the store `store`, beside `results`."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return enter(tmp_path, monkeypatch)


def run_all(planned):
    """Run what Snakemake would run for all results; returns the names of the jobs that ran.

    A job runs where one of its files is missing or one of its inputs is new.
    """
    put_specs({Path(job.spec): canonical_json(specification(job)) for job in planned})
    settle(planned, planned, Path("store").absolute(), True)
    made, ran = set(), []
    for job in planned:
        files = [*job.outputs.values(), job.manifest]
        if made.intersection(job.inputs.values()) or not all(Path(path).is_file() for path in files):
            for path in files:
                Path(path).unlink(missing_ok=True)
            run_job(Path(job.spec))
            made.update(files)
            ran.append(job.part)
    return ran


def results(planned):
    return {path: Path(path).read_bytes() for job in planned for path in job.outputs.values()}


def sentences(planned):
    store = Path("store").absolute()
    return [*altered_results(planned), *(f"{path}: damaged" for path in damaged_files(store, needed(store)))]


# --- Single cases ----------------------------------------------------------------------------------------------------


def test_a_run_without_damage_does_nothing(plan):
    assert run_all(plan) == [] and sentences(plan) == []


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text("half")])
def test_a_damaged_result_is_put_back_from_the_store_and_no_job_runs(plan, damage):
    before = results(plan)
    damage(Path("results/toy_gather/small/table.txt"))
    assert any(line.startswith("results/toy_gather/small/table.txt: ") for line in sentences(plan))
    assert run_all(plan) == []
    assert results(plan) == before


def test_a_damaged_result_that_the_store_lacks_is_made_anew(plan):
    before = results(plan)
    path = Path("results/toy_gather/small/table.txt")
    blob_path(Path("store"), hash_or_none(path)).unlink()
    path.write_text("half")
    assert run_all(plan) == ["table", "page"]
    assert results(plan) == before


def test_a_dry_run_names_the_damage_and_changes_nothing(plan):
    path = Path("results/toy_gather/small/table.txt")
    path.write_text("half")
    told = settle(plan, plan, Path("store"), False)
    assert told == [f"{path}: altered since it was made; the next run repairs it"]
    assert path.read_text() == "half"


def test_only_the_results_behind_what_is_asked_for_are_looked_at(plan):
    for path in ("results/toy_simulate/small/one.txt", "results/toy_simulate/small/two.txt"):
        Path(path).write_text("half")
    asked = [job for job in plan if job.part == "two"]
    assert len(settle(plan, asked, Path("store"), True)) == 1
    assert Path("results/toy_simulate/small/one.txt").read_text() == "half"


def test_a_job_puts_back_an_input_that_was_altered_after_it_was_planned(plan):
    before = results(plan)
    Path("results/toy_gather/small/table.txt").write_text("half")
    shutil.rmtree("store/entries")
    run_job(Path(plan[-1].spec))
    assert results(plan) == before


@pytest.mark.parametrize("text", [None, "", "{}", "[]", "\x00"])
def test_a_job_refuses_an_input_that_nothing_proves(plan, text):
    manifest = Path("results/manifest/toy_gather/small/table.json")
    manifest.unlink() if text is None else manifest.write_text(text)
    with pytest.raises(
        InputError, match=r"small/\w+\.txt: nothing proves it: .*table\.json .* Hint: `surefoot run results/"
    ):
        run_job(Path(plan[-1].spec))


def test_a_job_refuses_an_altered_input_that_the_store_lacks(plan):
    path = Path("results/toy_gather/small/table.txt")
    blob_path(Path("store"), hash_or_none(path)).unlink()
    path.write_text("half")
    with pytest.raises(
        InputError, match=r"table\.txt: altered since it was made, and the store .* Hint: `surefoot run results/"
    ):
        run_job(Path(plan[-1].spec))


def test_the_manifest_of_another_job_proves_nothing(plan):
    one, two = (Path(f"results/manifest/toy_simulate/small/{part}.json") for part in ("one", "two"))
    shutil.copy(one, two)
    assert read_manifest(plan[1].manifest) is None
    with pytest.raises(InputError, match=r"two\.json is damaged or missing"):
        proven_hash("results/toy_simulate/small/two.txt", str(two), Path("store"))


def test_what_was_made_of_other_inputs_than_there_are_now_counts_as_out_of_date(plan):
    """As where a page was made while its table was altered: the table's time must say that it is new."""
    path, manifest = Path("results/toy_gather/small/table.txt"), Path("results/manifest/toy_show/small/page.json")
    old = path.stat().st_mtime - 100
    for part in plan[:3]:
        for file in (*part.outputs.values(), part.manifest):
            os.utime(file, (old, old))
    spec = json.loads(Path(plan[-1].spec).read_text())
    facts = read_manifest(plan[-1].manifest)["facts"]
    facts["input_sha256"]["table"] = "0" * 64
    write_manifest(spec, {"blobs": {"page": hash_or_none(plan[-1].outputs["page"])}, "facts": facts})
    assert any("page.json: made of another results/toy_gather/small/table.txt" in line for line in sentences(plan))
    settle(plan, plan, Path("store"), True)
    assert path.stat().st_mtime > manifest.stat().st_mtime - 1


def test_a_source_that_was_replaced_by_an_older_file_counts_as_new(plan):
    Path("source.txt").write_text("an older source\n")
    os.utime("source.txt", (1e9, 1e9))
    assert "results/manifest/toy_gather/small/table.json: made of another source.txt than there is now" in sentences(
        plan
    )
    settle(plan, plan, Path("store"), True)
    assert Path("source.txt").stat().st_mtime == 1e9
    assert Path("results/manifest/toy_gather/small/table.json").stat().st_mtime < 1e9


def test_results_from_the_future_do_not_hide_what_changes_after_the_clock_was_set_back(plan):
    tomorrow = time.time() + 24 * 3600
    for path in Path("results").rglob("*.*"):
        os.utime(path, (tomorrow, tomorrow))
    spec = Path(plan[0].spec)
    spec.write_text(spec.read_text() + " ")
    settle(plan, plan, Path("store"), True)
    files = [path for job in plan for path in (job.spec, job.manifest, *job.outputs.values())]
    assert all(Path(path).stat().st_mtime <= time.time() for path in files)
    assert Path(plan[0].manifest).stat().st_mtime < spec.stat().st_mtime


def test_a_source_from_the_future_is_one_sentence(plan):
    tomorrow = time.time() + 24 * 3600
    os.utime("source.txt", (tomorrow, tomorrow))
    with pytest.raises(InputError, match=r"source\.txt: its time is in the future.*Hint: `touch source\.txt`"):
        settle(plan, plan, Path("store"), True)
    assert settle(plan, plan, Path("store"), False) == []


# --- Random damage ---------------------------------------------------------------------------------------------------


def _flip(content, stream):
    place = stream.randrange(len(content))
    return content[:place] + bytes([content[place] ^ (1 << stream.randrange(8))]) + content[place + 1 :]


WAYS = {
    "emptied": lambda content, stream: b"",
    "cut": lambda content, stream: content[: stream.randrange(len(content))],
    "one bit": _flip,
    "random bytes": lambda content, stream: stream.randbytes(len(content)),
    "braces": lambda content, stream: b"{}",
    "brackets": lambda content, stream: b"[]",
}
OTHER_WAYS = ("deleted", "folder", "full folder", "of another")


def files_of(kind, planned):
    patterns = {"store entry": "store/entries/*/*", "blob": "store/blobs/*/*", "kernel": "store/kernels/**/*.nb[ci]"}
    if kind in patterns:
        return [path for path in sorted(Path().glob(patterns[kind])) if ".partial" not in path.parts]
    if kind == "result":
        return [Path(path) for job in planned for path in job.outputs.values()]
    return [Path(getattr(job, kind)) for job in planned]


def damage(path, way, others, stream):
    """Damage a file; False where that leaves it as it was."""
    content = path.read_bytes()
    if way in WAYS:
        path.write_bytes(WAYS[way](content, stream))
    elif way == "of another":
        path.write_bytes(stream.choice(others).read_bytes())
    else:
        path.unlink()
        if way != "deleted":
            path.mkdir()
        if way == "full folder":
            (path / "mine").write_text("a user's")
    return not path.is_file() or path.read_bytes() != content


def test_random_damage_never_leads_to_a_wrong_byte(plan, tmp_path, record_property):
    undisturbed = results(plan)
    shutil.copytree("results", tmp_path / "kept" / "results")
    shutil.copytree("store", tmp_path / "kept" / "store")
    stream, counts = random.Random(SEED), Counter()
    for number in range(DAMAGES):
        for folder in ("results", "store"):
            shutil.rmtree(folder)
            shutil.copytree(tmp_path / "kept" / folder, folder)
        kind = ("result", "manifest", "spec", "store entry", "blob", "kernel")[number % 6]
        files = files_of(kind, plan)
        way = stream.choice([*WAYS, *OTHER_WAYS])
        if not damage(stream.choice(files), way, files, stream):
            counts[kind, "as it was"] += 1
            continue
        if kind != "kernel" and not (way == "deleted" and kind in ("store entry", "blob")):
            assert sentences(plan), f"{kind}, {way}: not found by check"
        if kind in ("store entry", "blob", "kernel"):  # they are used where results are made anew
            if kind == "kernel":
                shutil.rmtree("store/entries")
            for job in stream.sample(plan, stream.randint(1, len(plan))) if kind != "kernel" else plan:
                for path in (*job.outputs.values(), job.manifest):
                    Path(path).unlink()
        try:
            run_all(plan)
            outcome = "repaired"
        except InputError as refused:
            assert way == "full folder" and kind not in ("store entry", "blob", "kernel"), f"{kind}, {way}: {refused}"
            assert "Hint: move the folder out of the way" in str(refused)
            for found in list(Path("results").rglob("mine")):
                shutil.move(found.parent, tmp_path / f"moved_{number}")
                assert (tmp_path / f"moved_{number}" / "mine").read_text() == "a user's"
            run_all(plan)
            outcome = "refused, then repaired"
        assert results(plan) == undisturbed, f"{kind}, {way}"
        assert run_all(plan) == []
        left = [line for line in sentences(plan) if not line.startswith(str(tmp_path / "store"))]
        assert left == [], f"{kind}, {way}"
        counts[kind, outcome] += 1
    told = {f"{kind}: {outcome}": count for (kind, outcome), count in sorted(counts.items())}
    record_property("damages", told)
    print(told)
    assert sum(counts.values()) == DAMAGES
    assert all(
        any(counts[kind, outcome] for kind, outcome in counts if kind == wanted) for wanted in ("kernel", "spec")
    )
