"""Jobs that render pages, and the facts on a page about how it was made.

The facts are versions, the configuration, and input files. All of them determine the results, so a page has the same
bytes wherever and whenever it is made from the same inputs. The time and the commit are not included, since another
clone, or recomputing a result, would change every page without changing its content. The time is in the log of each
job; for recorded results, both are in the index of the record.
"""

import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import surefoot
from surefoot.errors import InputError, nearest
from surefoot.reporting.descriptions import NAME as METHODS
from surefoot.reporting.descriptions import citation, read_bibliography
from surefoot.reporting.export.latex import SUREFOOT, bibtex
from surefoot.reporting.page import FILE
from surefoot.reporting.page_source import EVERYTHING, default_parameters, read_source, texts
from surefoot.reporting.previews import FOLDER, file_name
from surefoot.reporting.quarto import quarto_version
from surefoot.reporting.site import Entry, document_address
from surefoot.runs.sections import DIVIDES_WORK
from surefoot.runs.setting_errors import SettingError
from surefoot.workflow.configuration.models import Configuration, Study
from surefoot.workflow.fingerprint import own_files
from surefoot.workflow.job import Job, versions
from surefoot.workflow.planning.drawing_jobs import LEADERBOARDS, RUN_NUMBERS, TRUST
from surefoot.workflow.project import CHANGELOG, DOCS, PAGES, PUBLISHED, SOURCE, kept, relative


def provenance(page: str, own: Iterable[Job], name: str, study: Study | None) -> dict[str, Any]:
    """Return the settings that determine the results on a page, in addition to their files.

    Parameters
    ----------
    page : name of the page
    own : jobs whose results the page shows
    name, study : name and study of the results; None for results from records, which have their own seeds
    """
    libraries = dict(sorted((library, version) for job in own for library, version in versions(job.stage).items()))
    if study is None:
        command, of_study, paper = f"snakemake results/render/{page}.html", {}, None
    else:
        command = f"surefoot run {page} --configfile study.yaml"
        of_study = {"seed": study.seed, "study": name, "configuration": deciding_configuration(study)}
        paper = next((key for key in (study.figures, name) if key in read_bibliography()), None)
    cited = {
        "paper": citation(read_bibliography()[paper]) if paper else "",
        "bibtex": bibtex([*([paper] if paper else []), SUREFOOT]),
    }
    return {"surefoot": surefoot.__version__, "libraries": libraries, "command": command} | cited | of_study


def deciding_configuration(study: Study) -> dict[str, Any]:
    """Return the configuration of a study without keys that only divide its work into jobs."""
    configuration = study.plain()
    for section in ("sources", "questions"):
        for settings in configuration.get(section, {}).values():
            for key in DIVIDES_WORK:
                settings.pop(key, None)
    return configuration


ASSETS = (".css", ".js", ".lua", ".html", ".svg", ".woff2")
_IMPORTED = re.compile(r"^from (surefoot\.[\w.]+) import", re.MULTILINE)
"""Modules that the cells of a page import."""
_DRAWING = re.compile(r"\]\((images/[\w-]+\.svg)\)")
LEDGER = "ledger"
"""Name of the page that lists all published numbers and claims with their verdicts."""
SEARCH = "search"
"""Value of `Job.study` in the job of the search index, which belongs to no study."""
PREVIEWS = "previews"
"""Value of `Job.study` in the job of the previews of figures, which belongs to no study."""
DOCUMENTATION = "docs"
"""Name of the study and the target of the documentation."""
APPENDIX = "appendix"
"""Suffix in the name of a study's second page; some studies, such as agarwal2021, have one."""
CALCULATOR = "calculator"
"""Name of the page for finding the required number of runs."""


def pages(config: Configuration, jobs: list[Job]) -> Iterator[Job]:
    """Return the jobs of all pages: of studies, common pages, the documentation, and the search index."""
    # The renderer that `auto` chooses determines the bytes of a page, so it is one of the page's settings.
    renderer = config.render
    if renderer == "auto":
        renderer = "quarto" if shutil.which("quarto") else "embedded"
    planned = planned_studies(jobs)
    drawn = {job.study for job in jobs if job.stage == "draw"}
    links = _navigation(config.studies, planned, drawn)
    address = {} if config.address is None else {"address": config.address}
    settings: dict[str, Any] = {"renderer": renderer, "navigation": links} | address
    if renderer == "quarto":
        settings["quarto_version"] = quarto_version()
    addresses: dict[str, str] = {}
    figures: dict[str, str] = {}
    for name, about, source in _sources_of_pages(config.studies, planned, drawn):
        job = _page(name, about, PAGES / f"{source}.qmd", config.studies.get(about), jobs, settings)
        addresses[name] = job.outputs["page"]
        figures |= _figures(job)
        yield job
    documents = {path.stem: path for path in (*sorted(DOCS.glob("*.md")), CHANGELOG) if path.is_file()}
    inputs = {f"docs/{stem}": relative(path) for stem, path in documents.items()} | _surroundings()
    inputs |= {f"images/{path.name}": relative(path) for path in sorted(DOCS.glob("images/*.svg"))}
    outputs = {stem: f"results/render/{document_address(stem)}" for stem in documents}
    # In one job, since each document takes only a tenth of a second.
    yield Job("render", DOCUMENTATION, "", "documentation", {"navigation": links} | address, (), inputs, outputs)
    if address:
        shown = {Path(path).name: path for path in addresses.values()}
        made = [f"{name}.{suffix}" for name in figures for suffix in ("png", "html")]
        preview = {name: f"results/render/{FOLDER}/{name}" for name in made}
        yield Job("render", PREVIEWS, "", "previews", address, (), shown | figures, preview)
    addresses |= {document_address(stem).removesuffix(".html"): path for stem, path in outputs.items()}
    output = {"index": f"results/render/{SEARCH}.js"}
    yield Job("render", SEARCH, "", "search", {}, (), addresses, output)


def _sources_of_pages(
    studies: Mapping[str, Study], planned: Iterable[str], drawn: Collection[str]
) -> list[tuple[str, str, str]]:
    """Return (name of the page, study or page whose drawings it shows, name of the source) for each page.

    Parameters
    ----------
    planned : the studies that have a page on how many runs they need
    drawn : the studies and pages that have drawings
    """
    shown = [(name, name, study.page) for name, study in studies.items()]
    shown += [
        (f"{name}_{APPENDIX}", name, f"{study.page}_{APPENDIX}")
        for name, study in studies.items()
        if (PAGES / f"{study.page}_{APPENDIX}.qmd").is_file()
    ]
    shown += [(f"{name}_{RUN_NUMBERS}", name, RUN_NUMBERS) for name in planned]
    shown += [(name, name, name) for name in (TRUST, LEADERBOARDS) if name in drawn]
    shown += [(CALCULATOR, LEADERBOARDS, CALCULATOR)] if LEADERBOARDS in drawn else []
    shown += [(METHODS, METHODS, METHODS)]
    shown += [("index", "home", "index"), (LEDGER, "home", LEDGER)] if "home" in drawn else []
    return shown


def _page(name: str, about: str, page: Path, study: Study | None, jobs: list[Job], settings: Mapping[str, Any]) -> Job:
    """Return the job of a page.

    Parameters
    ----------
    name : str
        Name of the page.
    about : str
        Name of the study or page whose drawings the page shows.
    page : Path
        Source of the page.
    study : Study or None
        The study; None for a page of all studies.
    jobs : list of Job
        Jobs of all drawings, and all jobs before them.
    settings : mapping
        Settings of all pages.
    """
    draws = _drawings(about, page, jobs)
    source = read_source(page)
    values = {"study": about}
    if study is not None:
        values |= {"title": study.title, "pilot": study.label or study.title}
    parameters = {key: values[key] for key in default_parameters(source) if key in values}
    own: dict[str, Any] = {"parameters": parameters}
    inputs = {"page": relative(page)} | _pictures(page)
    for need in texts(source, parameters)["reads"]:
        found = _files_read(need, jobs, draws)
        if not found:
            raise _error_of_need(need, about, page, study, jobs)
        inputs |= found
    if study is not None or about in (TRUST, LEADERBOARDS):
        shown = draws if study is None else [job for job in jobs if job.study == about]
        own["provenance"] = provenance(name, shown, about, study)
        inputs |= _sources(shown, jobs)
    text = page.read_text(encoding="utf-8")
    modules = tuple(filter(own_files().__contains__, _IMPORTED.findall(text)))
    output = {"page": f"results/render/{name}.html"}
    return Job("render", name, "", "render", {**settings, **own}, modules, inputs | _surroundings(), output)


def _drawings(about: str, page: Path, jobs: Iterable[Job]) -> list[Job]:
    """Return the jobs whose drawings a page can show; drawings about the number of runs have a separate page."""
    of_run_numbers = page.stem == RUN_NUMBERS
    drawings = (job for job in jobs if job.stage == "draw" and job.study == about)
    return [job for job in drawings if (job.part == RUN_NUMBERS) == of_run_numbers]


def _files_read(need: str, jobs: Iterable[Job], draws: Iterable[Job]) -> dict[str, str]:
    """Return the paths of the results named in a page's front matter, by name."""
    if need.endswith(EVERYTHING):
        folder = f"results/{need.removesuffix(EVERYTHING)}/"
        paths = [path for job in draws for path in job.outputs.values() if path.startswith(folder)]
    else:
        known = {path for job in jobs for path in job.outputs.values()}
        paths = [path for suffix in ("csv", "json", "html") if (path := f"results/{need}.{suffix}") in known]
    return {path.removeprefix("results/"): path for path in paths}


def _error_of_need(need: str, about: str, page: Path, study: Study | None, jobs: Iterable[Job]) -> InputError:
    """Return the error for a result that a page reads but that no job makes."""
    if study is not None and page.stem == study.page != study.figures:
        what = f"{relative(page)} shows {need}, which figures: {study.figures} does not draw from this study"
        return SettingError(["studies", about, "page"], what, "use figures and page of the same name, such as study")
    paths = (path for job in jobs for path in job.outputs.values())
    names = sorted({path.removeprefix("results/").rpartition(".")[0] for path in paths})
    return InputError(relative(page), f'reads: nothing makes "{need}"', nearest(need, names))


def _figures(page: Job) -> dict[str, str]:
    """Return the SVG files of the figures that a page reads, by their names in previews."""
    read = (name.removesuffix(".json") for name in page.inputs if name.startswith("draw/") and name.endswith(".json"))
    return {file_name(name.removeprefix("draw/")): f"results/{name}.svg" for name in read}


def _sources(shown: Iterable[Job], jobs: Iterable[Job]) -> dict[str, str]:
    """Return the input files of the displayed results, without files that are made by jobs."""
    made = {path for job in jobs for path in job.outputs.values()}
    sources = sorted({path for job in shown for path in job.inputs.values()} - made)
    return {f"{FILE}{number}": path for number, path in enumerate(sources)}


def _pictures(page: Path) -> dict[str, str]:
    """Return the images in the source of a page."""
    return {path: relative(PAGES / path) for path in _DRAWING.findall(page.read_text(encoding="utf-8"))}


def _navigation(studies: Mapping[str, Study], planned: Iterable[str], drawn: Collection[str]) -> list[Entry]:
    """Return the links and menus at the top of each page: papers, other studies, and pages common to all studies.

    A menu with a single page is a plain link.

    Parameters
    ----------
    drawn : the studies and pages that have drawings
    """
    calculator = [("Calculator", f"{CALCULATOR}.html")] if LEADERBOARDS in drawn else []
    menus: dict[str, list[tuple[str, str]]] = {"Papers": [], "Studies": [], "How many runs?": calculator}
    labels = {name: study.label or study.title for name, study in studies.items()}
    works = read_bibliography()
    for name, label in labels.items():
        of_a_paper = name in works or kept(PUBLISHED / f"{name}.csv")
        menus["Papers" if of_a_paper else "Studies"].append((label, f"{name}.html"))
    menus["How many runs?"] += [(labels[name], f"{name}_{RUN_NUMBERS}.html") for name in planned]
    entries: list[Entry] = [("Home", "index.html"), ("Ledger", f"{LEDGER}.html")] if "home" in drawn else []
    entries += [("Leaderboards", f"{LEADERBOARDS}.html")] if LEADERBOARDS in drawn else []
    for text, links in menus.items():
        if len(links) == 1:
            entries.append((text if text == "How many runs?" else links[0][0], links[0][1]))
        elif links:
            entries.append((text, links))
    entries += [("Trust", f"{TRUST}.html")] if TRUST in drawn else []
    return [*entries, ("Methods", f"{METHODS}.html"), ("Docs", document_address("index"))]


def _surroundings() -> dict[str, str]:
    """Return the files with the common parts of pages."""
    folder = SOURCE / "surefoot" / "reporting"
    assets = {asset.name: relative(asset) for asset in sorted(folder.rglob("*")) if asset.suffix in ASSETS}
    return {"project": relative(PAGES / "_quarto.yml")} | assets


def planned_studies(jobs: Iterable[Job]) -> list[str]:
    """Return the names of the studies that have a page on how many runs they need."""
    return [job.study for job in jobs if (job.stage, job.part) == ("draw", RUN_NUMBERS)]
