"""A job of the workflow: its name, what decides its result, its inputs and outputs, its spec file and its manifest.

The spec says what decides the results; the manifest, one JSON file beside the results, says what they are made of, with
the hashes that prove them. A job reads its spec when it begins, which may be hours after it was planned. So specs are
changed only under the lock that a run holds until it ends.
"""

import functools
import importlib.metadata
import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from surefoot.build.errors import InputError
from surefoot.build.files import canonical_json, read_sealed, sealed, sha256_text, write_whole
from surefoot.build.fingerprint import fingerprint
from surefoot.build.locks import run_lock
from surefoot.build.project import command
from surefoot.build.store import entry_key

_OF_NUMBERS = ("numba", "numpy", "pandas", "pyarrow", "pydantic", "scipy")
LIBRARIES = dict.fromkeys(
    ("simulate", "collect", "normalize", "aggregate", "estimate", "cover", "compare"), _OF_NUMBERS
) | {
    "draw": (*_OF_NUMBERS, "altair", "PyYAML", "vl-convert-python"),
    "render": (*_OF_NUMBERS, "lazy_loader", "pypandoc_binary", "PyYAML"),
}
"""The libraries that decide the results of each stage, by the names under which they are distributed."""
MANY_RESAMPLES = 10_000
"""From this many resamples on, a job takes all cores of a machine: with fewer it would wait longer than it takes."""


class Job(NamedTuple):
    """One job of the workflow.

    stage, study, part : its name
    work : what it does, as ``module:function``; the function takes a `surefoot.build.runner.Task`
    settings : the slice of the configuration that decides its result
    modules : modules that decide its numbers and that the work's module does not import by name
    inputs, outputs : paths by name
    on_request : whether it runs only if a target asks for it, and not by default
    made_by : by the name of an input that another job makes, the path of the manifest that proves it
    """

    stage: str
    study: str
    part: str
    work: str
    settings: dict[str, Any]
    modules: tuple[str, ...]
    inputs: dict[str, str]
    outputs: dict[str, str]
    on_request: bool = False
    made_by: Mapping[str, str] = MappingProxyType({})

    @property
    def module(self) -> str:
        """The module of its work."""
        return self.work.partition(":")[0]

    @property
    def spec(self) -> str:
        """Path of the spec file."""
        return f"results/spec/{self.stage}/{self.study}/{self.part}.json"

    @property
    def manifest(self) -> str:
        """Path of the manifest."""
        return f"results/manifest/{self.stage}/{self.study}/{self.part}.json"

    @property
    def log(self) -> str:
        """Path of the log."""
        return f"results/logs/{self.stage}/{self.study}/{self.part}.log"


CONFIGURATION = Path("results/spec/configuration.json")
"""The checked configuration, as the process that planned wrote it beside the specs."""


def planned_configuration() -> dict[str, Any]:
    """The content of the checked configuration; errors as of `read_spec`."""
    return _read_planned(CONFIGURATION, "studies", "no checked configuration")


def read_spec(path: Path) -> dict[str, Any]:
    """The spec of a job.

    Raises
    ------
    InputError
        where there is none, or it was damaged since the job was planned
    """
    return _read_planned(path, "outputs", "no spec of a job")


def _read_planned(path: Path, key: str, otherwise: str) -> dict[str, Any]:
    """What the process that planned wrote into a file, which has this key; `otherwise` says what the file is else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError, ValueError):
        content = None
    if not isinstance(content, dict) or key not in content:
        raise InputError(str(path), otherwise, f"`{command('--dry-run')}` writes it anew")
    return content


_IN_SPEC = ("stage", "study", "part", "work", "settings", "inputs", "outputs", "made_by")
"""The fields of a job that its spec has as they are."""


def job_of_spec(spec: Mapping[str, Any]) -> Job:
    """The job that the content of a spec file describes; what a spec does not say has its default."""
    return Job(**{name: spec[name] for name in _IN_SPEC}, modules=tuple(spec["code"]))


def with_proofs(jobs: Sequence[Job]) -> list[Job]:
    """The jobs, each with the manifests that prove its inputs."""
    proofs = {path: job.manifest for job in jobs for path in job.outputs.values()}
    return [
        job._replace(made_by={name: proofs[path] for name, path in job.inputs.items() if path in proofs})
        for job in jobs
    ]


def resamples(settings: Mapping[str, Any]) -> int:
    """The greatest number of resamples or data sets that a job's questions ask for; where none does, the job's own."""
    questions = settings.get("questions", {}).values()
    stated = [question.get(name, 0) for question in questions for name in ("replicates", "datasets")]
    each = [number for given in stated for number in (given if isinstance(given, list | tuple) else [given])]
    return max(each, default=0) or settings.get("replicates", 0)


def specification(job: Job) -> dict[str, Any]:
    """The content of the job's spec file."""
    content = {name: getattr(job, name) for name in _IN_SPEC} | {"made_by": dict(job.made_by)}
    code = {module: fingerprint(module) for module in sorted({job.module, *job.modules})}
    return content | {"code": code, "versions": versions(job.stage), "manifest": job.manifest}


def result_key(spec: Mapping[str, Any], hashes: Mapping[str, str]) -> str:
    """Key in the store of a job's outputs: all of its spec but the paths decides it.

    hashes : of its inputs, by name
    """
    decisive = {key: spec[key] for key in ("stage", "work", "settings", "code", "versions")}
    text = canonical_json(decisive | {"outputs": sorted(spec["outputs"])})
    return entry_key(spec["stage"], {**hashes, "spec": sha256_text(text)})


_version = functools.cache(importlib.metadata.version)


@functools.cache
def versions(stage: str) -> dict[str, str]:
    """Versions of Python and of the libraries that decide the stage's results."""
    libraries = {name: _version(name) for name in LIBRARIES[stage]}
    # Without the last number: corrections of errors do not add floats in another way, as Python 3.12 does.
    return libraries | {"python": ".".join(platform.python_version_tuple()[:2])}


def put_specs(texts: Mapping[Path, str]) -> None:
    """Bring the files to these contents.

    Raises
    ------
    InputError
        if another run that is going on here was planned otherwise
    """
    changed = [path for path, text in texts.items() if not (path.is_file() and path.read_bytes() == text.encode())]
    if not changed:
        return
    lock = run_lock()
    if lock is None:
        raise InputError(
            str(changed[0]),
            f"a run that is going on in {Path.cwd()} was planned with other settings or code, and still needs them",
            "wait for its end, or run in another folder (--directory)",
        )
    try:
        for path in changed:
            write_whole(path, texts[path])
    finally:
        lock.release()


def write_manifest(spec: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
    """Write the manifest of a job's outputs: their hashes, the spec, when and how long they were made."""
    content = {
        "spec": spec,
        "spec_sha256": sha256_text(canonical_json(spec)),
        "outputs": {spec["outputs"][name]: digest for name, digest in entry["blobs"].items()},
        "facts": {name: value for name, value in entry["facts"].items() if name != "units"},
    }
    write_whole(Path(spec["manifest"]), sealed(content))


def read_manifest(path: str) -> dict[str, Any] | None:
    """The manifest at a path, or None where there is none, a damaged one, or that of another job."""
    manifest = read_sealed(Path(path))
    if manifest is None or manifest.get("spec", {}).get("manifest") != path:
        return None
    return manifest
