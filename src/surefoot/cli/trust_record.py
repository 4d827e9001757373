"""record_trust: keep the failure rates of a large run with the project, for the page that says how far to trust it."""

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.build.files import canonical_json, sha256_text, write_whole
from surefoot.build.job import Job, read_manifest, specification
from surefoot.build.project import check_checkout
from surefoot.cli.housekeeping import read_checked
from surefoot.pipeline.plan import plan
from surefoot.pipeline.trust_jobs import INDEX, NAME, RECORDS
from surefoot.result_tables import read_table

_INDEX = RECORDS / INDEX


def record_trust(options: argparse.Namespace) -> int:
    """Enter each subject's table into reports/records/trust, unless a larger one is there.

    The index beside them says of each when it was made, with how many data sets and resamples, and by which code.
    """
    check_checkout("surefoot record_trust")
    known = read_table(_INDEX).set_index("subject").to_dict("index") if _INDEX.is_file() else {}
    RECORDS.mkdir(parents=True, exist_ok=True)
    jobs = [job for job in plan(read_checked(options.configuration[0])) if job.study == NAME and job.stage == "cover"]
    for job in jobs:
        row, old = _origin(job), known.get(job.part)
        if row is None:
            print(f"{job.outputs['failures']}: not made by this configuration and code, so left out")
        elif old is not None and old["datasets"] > row["datasets"]:
            print(f"{job.part}: the record of {old['datasets']:,} data sets a case stays")
        else:
            write_whole(RECORDS / f"{job.part}.csv", Path(job.outputs["failures"]).read_text())
            known[job.part] = row
            print(f"{job.part}: {row['datasets']:,} data sets a case recorded")
    if known:
        index = pd.DataFrame.from_dict(known, orient="index").rename_axis("subject").sort_index()
        write_whole(_INDEX, index.to_csv())
    return 0


def _origin(job: Job) -> dict[str, Any] | None:
    """When, how and by which code a job's table was made; None where another spec made it, or nothing did."""
    manifest, spec = read_manifest(job), specification(job)
    if manifest is None or manifest["spec_sha256"] != sha256_text(canonical_json(spec)):
        return None
    counts = {key: job.settings[key] for key in ("datasets", "replicates", "seed")}
    code = sha256_text(canonical_json(spec["code"]))[:12]
    return {"made": manifest["facts"]["made"]} | counts | {"code": code}
