"""Two runs at once, in one folder or with one store, and prune during a run."""

import json
import random
import time

from ground import Ground, Outcome, is_sentence, wait_for_orphans
from processes import job_command, main, start, wait_all
from small_project import project_in, restore


def two_folders(ground: Ground, stream: random.Random) -> Outcome:
    """Two runs in two folders with one store make the same results."""
    project = ground.project()
    other = project_in(ground.base / "other")._replace(store=project.store)
    restore(other, ground.reference)
    chosen = ground.forget_some(project, stream)
    for job in chosen:
        for path in (*job.outputs.values(), job.manifest):
            (other.folder / path).unlink()
    first = start(project, ground.next_run)
    time.sleep(stream.choice([0, 0, 0.1, 0.3]))
    ended = [first.wait(), start(other, ground.next_run).wait()] if stream.random() < 0.1 else None
    ended = ended or wait_all([first, start(other, ground.next_run)])
    for one in ended:
        if one.status:
            return Outcome("wrong", one.output)
    for one in (project, other):
        outcome = ground.compared(one)
        if outcome.verdict == "recovered":
            outcome = ground.judged(one)
        if outcome.verdict != "recovered":
            return outcome._replace(verdict="wrong")
    return outcome


def one_folder(ground: Ground, stream: random.Random) -> Outcome:
    """Two runs in one folder: one of them makes the results, and the other refuses while it does."""
    project = ground.project()
    ground.forget_some(project, stream)
    first = start(project, ground.next_run)
    time.sleep(stream.uniform(0, 0.4))
    ended = wait_all([first, start(project, ground.next_run)])
    if not any(one.status == 0 for one in ended) or not all(is_sentence(one) for one in ended):
        return Outcome("wrong", " | ".join(one.output for one in ended))
    outcome = ground.judged(project)
    refused = [one for one in ended if one.status]
    if outcome.verdict == "recovered" and refused:
        return Outcome("refused", refused[0].output)
    return outcome


def orphaned_job(ground: Ground, stream: random.Random) -> Outcome:
    """A job that outlived its run goes on while the next run makes the same results."""
    project = ground.project()
    job = stream.choice(ground.cheap)
    ground.forget(project, job, units=stream.random() < 0.5)
    orphan = start(project, job_command(job))
    time.sleep(stream.uniform(0, ground.extents[job.spec].seconds) if stream.random() < 0.5 else 0)
    ended = start(project, ground.next_run).wait()
    left = orphan.wait()
    if ended.status or left.status:
        return Outcome("wrong", f"{job.spec}: {ended.output} | {left.output}")
    return ground.judged(project)


def pruned(ground: Ground, stream: random.Random) -> Outcome:
    """From another folder, all that a run needs is pruned from the store while it goes on."""
    project = ground.project()
    other = project_in(ground.base / "other")._replace(store=project.store)
    restore(other, ground.reference)
    configuration = other.folder / "results/spec/configuration.json"
    checked = json.loads(configuration.read_text())
    checked["studies"] = {"table": checked["studies"]["table"]}
    configuration.write_text(json.dumps(checked))
    ground.forget_some(project, stream, most=6, timed=False)
    command = ["prune", "--days", "0"]
    running = [start(project, ground.next_run)]
    for _ in range(3):
        time.sleep(stream.uniform(0, 0.3))
        running.append(start(other, lambda: main(command)))
    ended = wait_all(running)
    wait_for_orphans()
    if ended[0].status or not all(is_sentence(one) for one in ended[1:]):
        return Outcome("wrong", " | ".join(one.output for one in ended))
    return ground.judged(project)
