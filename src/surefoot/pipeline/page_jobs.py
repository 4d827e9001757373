"""The jobs that show results: the drawings of each study, those of the home page, and the pages."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from surefoot.build.errors import InputError, nearest
from surefoot.build.fingerprint import SOURCE
from surefoot.build.job import Job
from surefoot.figures.catalogue import CATALOGUE, COMPARISONS, STUDY_SETS
from surefoot.figures.drawing import as_plain_data, drawing_suffixes
from surefoot.pipeline.analysis_jobs import is_analysed, larger_records, numbers_of
from surefoot.pipeline.play_jobs import agent_titles, environment_titles
from surefoot.pipeline.run_jobs import pool
from surefoot.pipeline.run_number_jobs import PART as RUN_NUMBERS
from surefoot.pipeline.run_number_jobs import pilot_scores, planned_studies
from surefoot.pipeline.trust_jobs import NAME as TRUST
from surefoot.pipeline.trust_jobs import recorded_tables
from surefoot.reporting.front_matter import parameter_names, reads
from surefoot.simulation import registry

ROOT = SOURCE.parent
PAGES = ROOT / "reports"
PUBLISHED = ROOT / "config" / "published"
RECORDS = PAGES / "records"
ASSETS = (".css", ".js", ".lua", ".html")


def study_drawings(name: str, study: dict, jobs: list[Job]) -> Iterator[Job]:
    """All figures and tables of a study, and before them its comparison with published numbers."""
    made = {"published": _kept(PUBLISHED / f"{name}.csv"), "record": _kept(RECORDS / f"{name}.csv")}
    kinds = ("coverage", "intervals", "distributions", "seeds")
    made |= {f"record_{kind}": _kept(RECORDS / f"{name}_{kind}.csv") for kind in kinds}
    made |= {f"coverage@{key}": f"results/cover/{name}/{key}.parquet" for key in study["cover"]} | _tables(name, jobs)
    settings = _drawing_settings(name, study)
    compared = list(_comparisons(name, study, settings, made))
    yield from compared
    yield _draw(name, study["draw"]["figures"], settings, made | _tables(name, compared))


def _comparisons(name: str, study: dict, settings: dict, made: dict) -> Iterator[Job]:
    """The comparisons of this run and of the record with published numbers, where there are such."""
    for side, comparison in COMPARISONS.get(study["draw"]["figures"], {}).items():
        found = {key: made[key] for key in (*comparison.needs, *comparison.optional) if made.get(key)}
        if found.keys() >= {*comparison.needs}:
            chosen = {"function": comparison.function} | {key: settings[key] for key in comparison.settings}
            code = (comparison.function.partition(":")[0],)
            output = {"comparison": f"results/compare/{name}/{side}.parquet"}
            yield Job("compare", name, side, "surefoot.figures.compare:compare", chosen, code, found, output)


def analysis_drawings(name: str, study: dict, jobs: list[Job]) -> Iterator[Job]:
    """Those of a study of named sets of scores: a job for the figures of each analysis job, and one for all others.

    So one figure asks for no more runs than its own.
    """
    numbers, recorded = numbers_of(name, study, jobs)
    made = {"published": _kept(PUBLISHED / f"{name}.csv"), "record": _kept(RECORDS / name / "record.csv")} | numbers
    made |= larger_records(name, jobs)
    settings = _drawing_settings(name, study) | {
        "recorded": recorded,
        "at_hand": sorted(key.removeprefix("numbers/") for key in numbers),
    }
    compared = list(_comparisons(name, study, settings, made))
    yield from compared
    made |= _tables(name, compared)
    left = dict(CATALOGUE[study["draw"]["figures"]])
    for job in jobs:
        if "analyses" in job.settings:
            own = {f"numbers/{analysis}" for analysis in job.settings["analyses"]}
            chosen = [key for key, drawing in left.items() if own & {*drawing.needs, *drawing.optional}]
            chosen = [key for key in chosen if not {*left[key].needs, *left[key].optional} & set(numbers) - own]
            if chosen:
                part = f"{job.stage}_{job.part}"
                yield _draw(name, study["draw"]["figures"], settings, made, part, chosen)
                for key in chosen:
                    del left[key]
    yield _draw(name, study["draw"]["figures"], settings, made, "figures", list(left))


def run_number_drawings(name: str, study: dict, jobs: list[Job]) -> Iterator[Job]:
    """Those that say how many runs are needed, of the jobs of `run_number_jobs`."""
    numbers, _ = numbers_of(name, study | {"estimate": {"analyses": {}}}, jobs)
    if numbers:
        made = numbers | larger_records(name, jobs) | {"record": _kept(RECORDS / name / "record.csv")}
        section = study["how_many_runs"] | {"method": pilot_scores(study)[1].get("method", "none")}
        settings = _drawing_settings(name, study) | {"recorded": [], "how_many_runs": section}
        yield _draw(name, RUN_NUMBERS, settings, made, RUN_NUMBERS)


def trust_drawings(config: dict) -> Iterator[Job]:
    """Those that show how often intervals fail, from the records of large runs; none where nothing is recorded."""
    recorded = recorded_tables() if config.get(TRUST) is not None else {}
    if recorded:
        printed = {"published": _kept(PUBLISHED / "jordan2020.csv"), "record": _kept(RECORDS / "jordan2020.csv")}
        yield _draw(TRUST, TRUST, {}, recorded | printed)


def home_drawings(config: dict, jobs: list[Job]) -> Job:
    """Those of the home page: the first study that has runs of its own answers there; verdicts and durations are of all
    studies."""
    studies = config["studies"]
    first = next((name for name, study in studies.items() if not is_analysed(study)), next(iter(studies)))
    made = _tables(first, jobs)
    made |= {"record_intervals": _kept(RECORDS / f"{first}_intervals.csv")}
    made |= {f"durations@{job.stage}/{job.study}/{job.part}": job.manifest for job in jobs if not job.on_request}
    for job in jobs:
        if job.stage == "compare":
            made[f"all_{job.part}s@{job.study}"] = job.outputs["comparison"]
            made[f"all_published@{job.study}"] = _kept(PUBLISHED / f"{job.study}.csv")
    settings = _drawing_settings(first, config["studies"][first])
    analysed = [name for name, study in studies.items() if is_analysed(study)]
    settings["recorded_studies"] = [name for name in analysed if numbers_of(name, studies[name], jobs)[1]]
    settings["studies"] = [[name, study["title"]] for name, study in config["studies"].items()]
    return _draw("home", "home", settings, made)


def _drawing_settings(name: str, study: dict) -> dict:
    named = study.get("simulate", {"algorithms": (), "environments": (), "own": {}})
    algorithms, environments = registry.algorithms(named["own"]), registry.environments(named["own"])
    titles = study["collect"]["titles"]
    agents, places, asked = {}, {}, {}
    if "bayesian" in study:
        agents, places = agent_titles(study), environment_titles(study)
        asked = {"bayesian": study["bayesian"], "seed": study["seed"]}
    if study["collect"]["studies"]:  # whose runs are simulated ones
        agents = {key: algorithm.title for key, algorithm in registry.ALGORITHMS.items()}
    return asked | {
        "study": name,
        "title": study["title"],
        "question": study["question"],
        "aggregate": study["aggregate"],
        "estimate": study["estimate"],
        "cover": {key: _design(study, key) for key in study["cover"]},
        "algorithm_titles": agents | {key: algorithms[key].title for key in named["algorithms"]} | titles,
        "environment_titles": places | {key: environments[key].title for key in named["environments"]} | titles,
    }


def _design(study: dict, key: str) -> dict:
    """What a caption says of a study of coverage: the trials of its pool (empty where a table is the pool) and the
    replicates."""
    trials = pool(study, key)["trials"] if "simulate" in study else None
    return {"pool_trials": trials, "replicates": study["cover"][key]["replicates"]}


def _tables(name: str, jobs: list[Job]) -> dict[str, str]:
    """The study's tables by stage and name, such as ``estimate/pbp``."""
    outputs = ((job.stage, Path(path)) for job in jobs if job.study == name for path in job.outputs.values())
    return {f"{stage}/{path.stem}": str(path) for stage, path in outputs}


def _kept(path: Path) -> str | None:
    """Path of a table that is kept with the project, where there is one."""
    return _relative(path) if path.is_file() else None


def _draw(
    name: str, figures: str, settings: dict, made: dict, part: str = "figures", chosen: list[str] | None = None
) -> Job:
    drawings, inputs, outputs, available = CATALOGUE[figures], {}, {}, {}
    for drawing_name in drawings if chosen is None else chosen:
        drawing = drawings[drawing_name]
        wanted = {*drawing.needs, *drawing.optional}
        found = {key: path for key, path in made.items() if key.partition("@")[0] in wanted and path}
        if not {key.partition("@")[0] for key in found}.issuperset(drawing.needs):
            continue  # the study does not ask for the method that this drawing shows
        available[drawing_name] = as_plain_data(drawing, found)
        inputs |= found
        for suffix in drawing_suffixes(drawing.kind):
            outputs[f"{drawing_name}.{suffix}"] = f"results/draw/{name}/{drawing_name}.{suffix}"
    functions = {drawing["function"].partition(":")[0] for drawing in available.values()}
    settings = {"figures": figures, "drawings": available, **settings}
    return Job("draw", name, part, "surefoot.figures.draw:draw", settings, tuple(functions), inputs, outputs)


def pages(config: dict, jobs: list[Job], locate: Callable[..., str]) -> Iterator[Job]:
    """The page of each study, and the home page, which has no study of its own; `locate` as `plan` takes it."""
    # What `auto` stands for here decides the bytes of a page, so it belongs in its spec.
    renderer = config["render"]
    if renderer == "auto":
        renderer = "quarto" if shutil.which("quarto") else "embedded"
    studies = config["studies"]
    planned = planned_studies(jobs)
    # Where every study is of named sets of scores, there is no aggregate score that a home page could open with.
    home = any(job.study == "home" and "verdict.csv" in job.outputs for job in jobs)
    links = [("Home", "index.html")] if home else []
    links += [(study["label"] or study["title"], f"{name}.html") for name, study in studies.items()]
    links += [
        (f"How many runs? {studies[name]['label'] or studies[name]['title']}", f"{name}_{RUN_NUMBERS}.html")
        for name in planned
    ]
    trust = any((job.stage, job.study) == ("draw", TRUST) for job in jobs)
    links += [("How far can this be trusted?", f"{TRUST}.html")] if trust else []
    settings = {"renderer": renderer, "navigation": links}
    known = {path for job in jobs for path in job.outputs.values()}
    shown = [(name, name, study["render"]["page"]) for name, study in studies.items()]
    shown += [(f"{name}_{RUN_NUMBERS}", name, RUN_NUMBERS) for name in planned]
    shown += [(TRUST, TRUST, TRUST)] if trust else []
    shown += [("index", "home", "index")] if home else []
    for name, study, source in shown:
        page, title = PAGES / f"{source}.qmd", studies.get(study, {}).get("title")
        parameters = _parameters(page, study, title)
        read = {}
        for need in reads(page, parameters):
            found = _files(need, known)
            if not found:
                raise _nothing_makes(need, page, study, jobs, config, locate)
            read |= found
        yield _page(name, page, settings | {"parameters": parameters}, read)


def _parameters(page: Path, study: str, title: str | None) -> dict[str, str]:
    known = {"study": study, "title": title}
    return {key: known[key] for key in parameter_names(page) if key in known}


def _files(need: str, known: set[str]) -> dict[str, str]:
    """The files that jobs make of what a page reads."""
    paths = {f"{need}.{suffix}": f"results/{need}.{suffix}" for suffix in ("csv", "json", "svg")}
    return {key: path for key, path in paths.items() if path in known}


def _page(name: str, page: Path, settings: dict, read: dict[str, str]) -> Job:
    inputs = {"page": _relative(page), "project": _relative(PAGES / "_quarto.yml")} | read
    folder = SOURCE / "surefoot" / "reporting"
    inputs |= {asset.name: _relative(asset) for asset in sorted(folder.iterdir()) if asset.suffix in ASSETS}
    output = {"page": f"results/render/{name}.html"}
    return Job("render", name, "page", "surefoot.reporting.page_work:make_page", settings, (), inputs, output)


def _nothing_makes(
    need: str, page: Path, study: str, jobs: list[Job], config: dict, locate: Callable[..., str]
) -> InputError:
    """What is wrong where a page reads what no job makes: its name, or the set of figures that the study asks for."""
    stems = sorted({path.removeprefix("results/").rpartition(".")[0] for job in jobs for path in job.outputs.values()})
    drawing, asked = need.removeprefix(f"draw/{study}/"), config["studies"].get(study)
    of_a_set = any(drawing in CATALOGUE[name] for name in STUDY_SETS)
    if asked is None or page.stem != asked["render"]["page"] or not of_a_set:
        return InputError(_relative(page), f'reads: nothing makes "{need}"', nearest(need, stems))
    made = {stem.replace(f"/{study}/", "/", 1) for stem in stems}
    made |= {"published"} if _kept(PUBLISHED / f"{study}.csv") else set()
    made |= set(numbers_of(study, asked, jobs)[0]) if is_analysed(asked) else set()

    def lacks(figures: str, name: str) -> list[str]:
        known_drawings = CATALOGUE[figures]
        return sorted({*known_drawings[name].needs} - made) if name in known_drawings else [name]

    def fits(figures: str, shown: Path) -> bool:
        names = reads(shown, _parameters(shown, study, asked["title"]))
        own = f"draw/{study}/"
        return not any(
            lacks(figures, name.removeprefix(own)) if name.startswith(own) else name not in stems for name in names
        )

    figures, files = asked["draw"]["figures"], {name: PAGES / f"{name}.qmd" for name in STUDY_SETS}
    files = {name: file for name, file in files.items() if file.is_file()}
    ways = [f"draw.figures: {name}" for name in STUDY_SETS if fits(name, page)]
    ways += [f"render.page: {name}" for name, file in files.items() if fits(figures, file)]
    ways = ways or [f"draw.figures and render.page: {name}" for name, file in files.items() if fits(name, file)]
    what = f'"{figures}" has no {drawing}, which {_relative(page)} shows'
    if drawing in CATALOGUE[figures]:
        missing = ", ".join(lacks(figures, drawing))
        what = f'"{figures}" draws {drawing}, which {_relative(page)} shows, from {missing}, which this study has not'
    of_figures, of_page = (["studies", study, *keys] for keys in (("draw", "figures"), ("render", "page")))
    return InputError(locate(of_figures, [of_page]), what, "; or ".join(ways))


def _relative(path: Path) -> str:
    """The path as seen from the working folder, so that specs do not change when a checkout moves."""
    return os.path.relpath(path)
