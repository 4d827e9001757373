"""The time left of a run: what waits is taken as long as the run's own jobs took beside their forecasts."""

import pytest

from surefoot.build.job import Job
from surefoot.build.log_reading import JobLog
from surefoot.pipeline.charges import Charge
from surefoot.pipeline.forecast import Forecast
from surefoot.pipeline.machines import one_machine
from surefoot.pipeline.time_left import progress

NOW = 1_000_000.0


def forecasts(*seconds, after=()):
    """Jobs of these seconds; those whose positions are in `after` wait for the first one."""
    found = []
    for number, of_job in enumerate(seconds):
        inputs = {"one": "results/0"} if number in after else {}
        job = Job("collect", "mine", str(number), "work", {}, (), inputs, {"out": f"results/{number}"})
        found.append(Forecast(job, False, (Charge(("job",), of_job),), 300.0, 0.0, 0.0))
    return found


def log(started, seconds=None, error=None, left=None, written=NOW):
    return JobLog(NOW - started, seconds, error, False, left, written)


def of_run(asked, logs, cores=1):
    by_manifest = {asked[number].job.manifest: each for number, each in logs.items()}
    return progress(asked, by_manifest, one_machine(cores), ["mine"], NOW)


def test_nothing_done_is_what_was_forecast():
    found = of_run(forecasts(100.0, 200.0), {})
    assert found.share == 0.0
    assert found.seconds_left == pytest.approx(300.0, rel=0.02)


def test_a_run_on_a_slower_machine_takes_longer_than_was_forecast():
    found = of_run(forecasts(200.0, 200.0), {0: log(600.0, seconds=600.0)})
    assert found.seconds_left == pytest.approx(3 * 200.0, rel=0.15)
    assert found.share == pytest.approx(0.5, abs=0.05)


def test_a_running_job_knows_itself_how_long_it_will_take_the_better_the_more_it_has_done():
    late = of_run(forecasts(100.0), {0: log(900.0, left=100.0)})
    assert late.seconds_left == pytest.approx(100.0, rel=0.3)
    assert late.share == pytest.approx(0.9, abs=0.03)
    early = of_run(forecasts(100.0), {0: log(10.0, left=990.0)})
    assert 90.0 < early.seconds_left < 120.0


def test_what_a_job_says_grows_old():
    told = {0: log(950.0, left=100.0, written=NOW - 50)}
    assert (
        of_run(forecasts(1000.0), told).seconds_left
        < of_run(forecasts(1000.0), {0: log(900.0, left=100.0)}).seconds_left
    )


def test_a_job_that_takes_longer_than_expected_is_not_about_to_end_for_ever():
    assert of_run(forecasts(10.0), {0: log(1000.0)}).seconds_left > 90.0


def test_jobs_that_failed_and_what_waits_for_them_take_no_time():
    asked = forecasts(10.0, 1000.0, 50.0, after=[1])
    assert of_run(asked, {0: log(10.0, seconds=5.0, error="oh")}).seconds_left < 70.0


def test_cores_share_the_work():
    asked = forecasts(100.0, 100.0, 100.0, 100.0)
    assert of_run(asked, {}, cores=2).seconds_left == pytest.approx(200.0, rel=0.02)


def test_all_done():
    assert of_run(forecasts(10.0), {0: log(10.0, seconds=10.0)}) == (1.0, 0.0)
