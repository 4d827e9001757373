"""The jobs of plays: an agent in one, or in several that take long enough."""

from collections import Counter
from pathlib import Path

from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.measured_seconds import SECONDS_OF_A_BATCH
from surefoot.pipeline.needs import seconds
from surefoot.pipeline.plan import plan

ROOT = Path(__file__).parents[2]
SHIPPED = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
PAPER = ROOT / "config" / "overlays" / "castronovo2016_paper.yaml"


def jobs_of(batch):
    given = read_configuration([*SHIPPED, PAPER])
    given["studies"]["castronovo2016"]["sources"]["runs"]["batch"] = batch
    jobs = plan(validate_configuration(given, SHIPPED))
    return {(job.stage, job.part): job for job in jobs if job.study == "castronovo2016"}


def test_batches_of_cells_have_all_cells_of_an_agent_once_and_are_collected_in_order(monkeypatch):
    monkeypatch.chdir(ROOT)
    whole, cut = jobs_of("agent"), jobs_of("cell")
    agents = [part for stage, part in whole if stage == "simulate"]
    assert len(agents) == 8
    for agent in agents:
        parts = [job for (stage, part), job in cut.items() if stage == "simulate" and part.startswith(f"{agent}.")]
        assert [job.part for job in parts] == [f"{agent}.{number}" for number in range(len(parts))]
        cells = [cell for job in parts for cell in job.settings["cells"].items()]
        assert cells == list(whole["simulate", agent].settings["cells"].items())
        assert all(seconds(job) >= SECONDS_OF_A_BATCH for job in parts[:-1])
    collected = cut["collect", "plays"]
    assert collected.settings["parts"] == list(collected.inputs)
    assert Counter(part.partition(".")[0] for part in collected.inputs).keys() == set(agents)
    assert list(dict.fromkeys(part.partition(".")[0] for part in collected.inputs)) == agents
