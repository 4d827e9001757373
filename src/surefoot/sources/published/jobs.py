"""The jobs of published tables: one for each source that can be had, from the local folder or downloaded."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from surefoot.build.job import Job
from surefoot.sources.published.settings import Settings
from surefoot.sources.published.sources import kept_for, sources_of, table_in
from surefoot.sources.settings import StudySources


def jobs(study: StudySources, sources: Mapping[str, Settings]) -> list[Job]:
    """One for each source whose tables are all there or may be downloaded."""
    made = (_job(study, name, source) for name, source in sources.items())
    return [job for job in made if job is not None]


def _job(study: StudySources, name: str, source: Settings) -> Job | None:
    public = study.published
    published: dict[str, Any] = {}
    inputs: dict[str, str] = {}
    for table in source.collected:
        found = table_in(Path(public.folder), table) if public.folder else {}
        if not found and not public.download:
            return None
        keys = {place: f"{table}:{place}" for place in found}
        inputs |= {keys[place]: os.path.relpath(path) for place, path in found.items()}
        published[table] = {"given": keys, "files": [list(file) for file in sources_of(table)]}
        if not found:
            published[table]["address"] = public.address
    outputs = {
        table: f"results/collect/{study.name}/{name}.{table.replace('/', '_')}.parquet" for table in source.collected
    }
    inputs |= {key: os.path.relpath(path) for key, path in kept_for(source.collected).items()}
    work = "surefoot.sources.published.collecting:collect"
    return Job("collect", study.name, name, work, {"published": published}, (), inputs, outputs)
