"""A simulated run: nothing begins before its inputs are made or without cores, and the chain says what held it up."""

import pytest

from surefoot.pipeline.schedule import Planned, chain, schedule


def job(seconds, *after, threads=1, priority=0.0):
    return Planned(seconds, threads, after, priority)


def test_a_chain_takes_the_sum_and_what_stands_alone_the_longest():
    found = schedule([job(3), job(4, 0), job(5, 1), job(11)], cores=8)
    assert found.starts == [0, 3, 7, 0]
    assert found.seconds == 12
    assert chain(found) == [0, 1, 2]


def test_with_few_cores_jobs_wait_for_their_turn_and_the_chain_says_after_whom():
    found = schedule([job(3), job(4), job(5)], cores=1)
    assert found.starts == [0, 3, 7]
    assert chain(found) == [0, 1, 2]
    assert found.for_cores == [False, True, True]


def test_a_job_of_several_threads_waits_until_they_are_free_and_smaller_ones_go_first():
    found = schedule([job(4), job(2, threads=2), job(1)], cores=2)
    assert found.starts == [0, 4, 0]


def test_priority_comes_before_position():
    found = schedule([job(3), job(2, priority=1.0)], cores=1)
    assert found.starts == [2, 0]


def test_no_more_jobs_run_at_once_than_there_may_be():
    assert schedule([job(2)] * 6, cores=100, most_jobs=2).seconds == 6


def test_no_schedule_is_shorter_than_its_longest_chain_or_than_its_work_on_all_cores():
    jobs = [job(1.0 + position % 7, *range(max(0, position - 2), position - position % 2)) for position in range(40)]
    alone = schedule(jobs, cores=1000).seconds
    for cores in (1, 2, 3, 5):
        found = schedule(jobs, cores=cores)
        work = sum(each.seconds for each in jobs)
        assert max(alone, work / cores) <= found.seconds <= work
        for position, each in enumerate(jobs):
            assert all(found.ends[before] <= found.starts[position] for before in each.after)
            running = [
                other for other in range(40) if found.starts[other] <= found.starts[position] < found.ends[other]
            ]
            assert len(running) <= cores


def test_what_cannot_run_is_an_error():
    with pytest.raises(ValueError, match="job 0 has 3 threads, and there are 2 cores"):
        schedule([job(1, threads=3)], cores=2)
    with pytest.raises(ValueError, match="wait for each other"):
        schedule([job(1, 1), job(1, 0)], cores=2)


def test_nothing_takes_no_time():
    assert schedule([], cores=2).seconds == 0
    assert chain(schedule([], cores=2)) == []
