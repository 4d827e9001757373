"""Manifests: what each result is made of. One JSON file a job, beside the results."""

import json
from collections.abc import Mapping
from pathlib import Path

from surefoot.pipeline.canonical import canonical_json, sha256_text
from surefoot.pipeline.jobs import Job
from surefoot.pipeline.whole_files import write_whole


def write_manifest(spec: Mapping, entry: Mapping) -> None:
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
    write_whole(Path(spec["manifest"]), canonical_json(content))


def read_manifest(job: Job) -> dict | None:
    """The manifest of a job's outputs, or None where there is none."""
    try:
        return json.loads(Path(job.manifest).read_text())
    except (FileNotFoundError, ValueError):
        return None
