"""The command `export`: a study's figures, tables and methods for a paper."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.cli.housekeeping import HINTS, enter_folder, problems_of
from surefoot.cli.report_files import refuse_files
from surefoot.errors import InputError, conjugated, listed, nearest
from surefoot.reporting.export.venues import VENUES
from surefoot.workflow.files import whole_file
from surefoot.workflow.job import Job
from surefoot.workflow.planning.plan import plan
from surefoot.workflow.store import store_folder

_MOST = 6


def export(
    study: str,
    venue: str,
    output: Path,
    directory: Path = Path(),
    font: str | None = None,
    replace: bool = False,
) -> int:
    """Write the files for a paper from a finished study (see `surefoot.reporting.export`); return the exit status.

    Parameters
    ----------
    output : folder for the files
    directory : the folder that contains results/
    font : font family of the figures; None for a font like Times
    replace : overwrite existing files
    """
    refuse_files(output)
    output = output.absolute()
    config = enter_folder(directory)
    os.environ["SUREFOOT_STORE"] = str(store_folder(config.store))
    if study not in config.studies:
        raise InputError("command line", f'there is no study "{study}" here', nearest(study, config.studies))
    jobs = plan(config)
    _check_that_it_was_made(study, jobs)

    # These imports are slow, and not needed for the errors above.
    from surefoot.reporting.export.paper import export as exported
    from surefoot.reporting.export.paper_figures import font_of_figures

    family = font_of_figures(font)
    made = exported(study, config.studies[study], jobs, VENUES[venue], family)
    put_files(output, made.files, replace)
    for sentence in made.left_out:
        print(sentence)
    print(f"{len(made.files)} files; figures {VENUES[venue].width:g} inches wide, in {family}")
    print(output / "paper.tex")
    return 0


def _check_that_it_was_made(study: str, jobs: Sequence[Job]) -> None:
    drawn = [job for job in jobs if job.study == study and job.stage == "draw"]
    missing = [path for job in drawn for path in job.outputs.values() if not Path(path).is_file()]
    if missing:
        what = f"the results of the study {study} do not exist yet: {listed(missing, 1)} "
        what += f"{conjugated('are', len(missing))} missing"
        raise InputError(str(Path.cwd()), what, "run the command that made these results again")
    for job in drawn:
        for path, problem in problems_of(job, store_folder()).items():
            what = f"the study {study} may be out of date: {path}: {problem}"
            raise InputError(str(Path.cwd()), what, HINTS[problem])


def put_files(folder: Path, files: Mapping[str, bytes], replace: bool) -> None:
    """Write files into a folder.

    Parameters
    ----------
    files : contents by path, relative to the folder
    replace : overwrite existing files with other contents

    Raises
    ------
    InputError
        if files with other contents exist and `replace` is False; nothing is written
    """
    there = [name for name in files if (folder / name).exists()]
    changed = [name for name in there if (folder / name).is_dir() or (folder / name).read_bytes() != files[name]]
    if changed and not replace:
        what = f"{folder} has different files with these names: {listed(changed, _MOST)}"
        raise InputError("command line: -o", what, "choose another folder, or use --replace")
    for name, content in files.items():
        with whole_file(folder / name) as temporary:
            temporary.write_bytes(content)
