"""Try hostile inputs one after the other in a separate process. Each must be read, or rejected in one sentence with a
hint, using less than 2 GB and 60 s of CPU time, and without a traceback or a signal.
"""

import collections
import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
import warnings

from support.paths import ROOT, TESTS


def outcome(read):
    """Read an input, and return "refused", "remarked" (if the function that reads it returns remarks) or "read"."""
    from surefoot.errors import HintedError

    try:
        return "remarked" if read() else "read"
    except HintedError as error:
        sentence = str(error)
        printable = sentence.translate({9: None, 10: None}).isprintable()
        assert error.hint and len(sentence) < 6_000 and printable, repr(sentence)[:2000]
        return "refused"


def try_all(inputs, folder):
    """Print the counts of outcomes, the failures, the peak memory in KiB, and the slowest input with its seconds.

    inputs : (name, expected outcome or "either", function that reads the input)
    """
    resource.setrlimit(resource.RLIMIT_AS, (int(2.5e9), int(2.5e9)))
    warnings.simplefilter("ignore")

    def too_long(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, too_long)
    counts, wrong, slowest = collections.Counter(), [], (0.0, "")
    for name, becomes, read in inputs:
        (folder / "now").write_text(name, encoding="utf-8", errors="replace")
        signal.alarm(600)  # long, since the machine may be busy
        started = time.process_time()
        try:
            became = outcome(read)
            allowed = {"read": ("read", "remarked"), "remarked": ("remarked", "refused")}.get(becomes, (becomes,))
            if becomes != "either" and became not in allowed:
                wrong.append((name, f"{became}, not {becomes}"))
            if (seconds := time.process_time() - started) > 60:
                wrong.append((name, f"{seconds:.0f} s"))
        except KeyboardInterrupt:
            became = "too long"
            wrong.append((name, "no end within 600 s"))
        except BaseException:
            became = "traceback"
            wrong.append((name, traceback.format_exc()[-2000:]))
        finally:
            signal.alarm(0)
        slowest = max(slowest, (time.process_time() - started, name))
        counts[f"{name.split()[0]} {became}"] += 1
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"counts": counts, "wrong": wrong[:20], "memory": memory, "slowest": slowest}))


def counts_of(program, folder, *arguments):
    """Run a program that calls `try_all`, check that nothing failed, and return the counts of outcomes."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", TESTS)))}
    command = [sys.executable, program, str(folder), *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    last = (folder / "now").read_text() if (folder / "now").is_file() else ""
    assert done.returncode == 0, f"status {done.returncode} at {last}\n{done.stderr[-3000:]}"
    report = json.loads(done.stdout.splitlines()[-1])
    assert not report["wrong"], report["wrong"]
    assert report["memory"] < 2_000_000
    return report["counts"]
