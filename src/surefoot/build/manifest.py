"""Manifests: what each result is made of, and the hash that proves it. One JSON file a job, beside the results."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from surefoot.build.atomic_write import write_whole
from surefoot.build.canonical import canonical_json, sha256_text
from surefoot.build.job import Job
from surefoot.build.sealed import read_sealed, sealed


def write_manifest(spec: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
    """Write the manifest of a job's outputs: their hashes, the spec, when and how long they were made."""
    content = {
        "stage": spec["stage"],
        "study": spec["study"],
        "part": spec["part"],
        "spec": spec,
        "spec_sha256": sha256_text(canonical_json(spec)),
        "outputs": {spec["outputs"][name]: digest for name, digest in entry["blobs"].items()},
        "facts": {name: value for name, value in entry["facts"].items() if name != "units"},
    }
    write_whole(Path(spec["manifest"]), sealed(content))


def read_manifest(job: Job) -> dict[str, Any] | None:
    """The manifest of a job's outputs, or None where there is none that is whole."""
    return read_manifest_file(job.manifest)


def read_manifest_file(path: str) -> dict[str, Any] | None:
    """The manifest at a path, or None where there is none, a damaged one, or that of another job."""
    manifest = read_sealed(Path(path))
    if manifest is None or manifest.get("spec", {}).get("manifest") != path:
        return None
    return manifest
