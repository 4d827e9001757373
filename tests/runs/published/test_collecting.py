"""Downloads against a local server that fails, stalls, truncates and serves wrong bytes."""

import hashlib
import http.server
import threading
import time
from collections import Counter

import pytest

from surefoot.errors import InputError
from surefoot.runs.published.collecting import Patience, collect_published, download
from surefoot.runs.published.published_source import Source
from surefoot.workflow.project import PUBLISHED

CONTENT = b"a few scores, " * 20_000


def source(content=CONTENT, mirror="", path="scores (1).json"):
    return Source("a/table", "some/where", "c0ffee", path, len(content), hashlib.sha256(content).hexdigest(), mirror)


class Server(http.server.ThreadingHTTPServer):
    """Answers each path by the next of the behaviours planned for it, and by the last of them ever after."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.plans, self.asked, self.content = {}, Counter(), CONTENT
        self.lock, self.closing = threading.Lock(), threading.Event()
        self.address = f"http://127.0.0.1:{self.server_port}"

    def behaviour(self, path):
        with self.lock:
            plan = self.plans[path]
            position = min(self.asked[path], len(plan) - 1)
            self.asked[path] += 1
            return plan[position]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        getattr(self, self.server.behaviour(self.path))()

    def log_message(self, *arguments):
        pass

    def _head(self, length):
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def well(self):
        self._head(len(self.server.content))
        self.wfile.write(self.server.content)

    def fails(self):
        self.send_error(503)

    def gone(self):
        self.send_error(404)

    def truncates(self):
        self._head(len(CONTENT))
        self.wfile.write(CONTENT[:1000])

    def wrong(self):
        self._head(len(CONTENT))
        self.wfile.write(CONTENT[::-1])

    def longer(self):
        self._head(len(CONTENT) + 8)
        self.wfile.write(CONTENT + b"and more")

    def stalls(self):
        self._head(len(CONTENT))
        self.wfile.write(CONTENT[:1000])
        self.server.closing.wait(20)

    def trickles(self):
        self._head(len(CONTENT))
        for position in range(200):
            if self.server.closing.wait(0.05):
                return
            try:
                self.wfile.write(CONTENT[position : position + 1])
            except OSError:
                return


IMPATIENT = Patience(pauses=(0.0, 0.01, 0.02), silence=0.5, slowest=1e6)


@pytest.fixture
def server():
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.closing.set()
    server.shutdown()
    thread.join()
    server.server_close()


MAIN, MIRROR = "/some/where/c0ffee/scores%20%281%29.json", "/other/place/beef/a%20copy.json"
MIRRORED = "other/place@beef:a copy.json"


@pytest.mark.parametrize("first", ["fails", "truncates", "wrong"])
def test_a_failed_try_is_repeated(server, tmp_path, first):
    server.plans[MAIN] = [first, "well"]
    download(source(), tmp_path / "file", server.address, IMPATIENT)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert server.asked[MAIN] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("always", ["fails", "wrong", "gone"])
def test_the_mirror_is_asked_where_the_first_address_never_works(server, tmp_path, always):
    server.plans |= {MAIN: [always], MIRROR: ["well"]}
    download(source(mirror=MIRRORED), tmp_path / "file", server.address, IMPATIENT)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert (server.asked[MAIN], server.asked[MIRROR]) == (1, 1)


@pytest.mark.parametrize(
    ("always", "said"),
    [
        ("fails", "503"),
        ("gone", "404"),
        ("truncates", "1,000 of 280,000 bytes"),
        ("wrong", "wrong content: 280,000 of 280,000 bytes, sha256"),
        ("longer", "wrong content: 280,008 of 280,000 bytes, sha256"),
        ("stalls", "timed out"),
        ("trickles", "stalled: "),
    ],
)
def test_giving_up_says_why_and_leaves_nothing(server, tmp_path, always, said):
    server.plans[MAIN] = [always]
    began = time.monotonic()
    with pytest.raises(InputError) as caught:
        download(source(), tmp_path / "file", server.address, IMPATIENT)
    assert time.monotonic() - began < 6
    assert said in str(caught.value)
    assert "Hint: set collect.folder to a local folder" in str(caught.value)
    assert server.asked[MAIN] == 3
    assert list(tmp_path.iterdir()) == []


def test_no_network_is_said_soon(tmp_path):
    """Nothing listens on the port of a server that was closed."""
    closed = Server()
    closed.server_close()
    with pytest.raises(InputError, match=r"refused.* Hint: set collect.folder to a local folder"):
        download(source(), tmp_path / "file", closed.address, IMPATIENT)


def machado_server(server):
    """Generated files of one small table in place of the published ones."""
    content = "\n".join(",".join(f"{row + column}" for column in range(8)) for row in range(60)).encode()
    files = [source(content, path=f"code/{name}.csv") for name in ("blob", "dqn")]
    server.content = content
    for file in files:
        server.plans[f"/some/where/c0ffee/{file.path}"] = ["fails", "well"]
    return files


def plain_unit(kind, settings, hashes, compute, path):
    compute(path)


def collected(files, folder, server):
    table, games = "recht2018/machado2018_means_stds", PUBLISHED / "atari_games.csv"
    return collect_published(table, folder, {}, files, games, plain_unit, server.address)


def test_a_table_is_downloaded_and_converted(server, tmp_path):
    files = machado_server(server)
    table = collected(files, tmp_path, server).set_index(["game", "algorithm", "frames_millions"])
    assert len(table) == 480
    assert tuple(table.loc[("Alien", "Blob-PROST", 50), ["mean", "std", "n_runs"]]) == (2, 3, 24)
    assert tuple(table.loc[("Zaxxon", "DQN", 200), ["mean", "std", "n_runs"]]) == (65, 66, 5)


def test_one_file_that_cannot_be_had_fails_the_table(server, tmp_path):
    files = machado_server(server)
    server.plans[f"/some/where/c0ffee/{files[1].path}"] = ["gone"]
    with pytest.raises(InputError, match="404"):
        collected(files, tmp_path, server)
