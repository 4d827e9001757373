"""Drive headless Chromium, without a network, through its DevTools protocol over a pipe."""

import base64
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from shutil import which
from types import TracebackType
from typing import Any, Self

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PHONE = 390  # pixels: the width of common phones
SECONDS_ALLOWED = 120
# The browser reads commands from file descriptor 3 and writes answers to file descriptor 4.
_CONNECT = """
import fcntl, os, sys
kept = [fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3]]
os.dup2(kept[0], 3)
os.dup2(kept[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_browser() -> str | None:
    """Return the path of an installed browser, or None."""
    return next(filter(None, map(which, BROWSERS)), None)


class DevTools:
    """A browser with one page, as a context manager."""

    def __enter__(self) -> Self:
        program = find_browser()
        if program is None:
            raise RuntimeError(f"none of {', '.join(BROWSERS)} is on the PATH")
        self._profile = tempfile.TemporaryDirectory(prefix="surefoot-browser-", ignore_cleanup_errors=True)
        hears, self._to = os.pipe()
        self._from, says = os.pipe()
        self._number, self._read = 0, b""

        command = [sys.executable, "-c", _CONNECT, str(hears), str(says)]
        command += [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += ["--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self._profile.name}"]
        command += ["--host-resolver-rules=MAP * ~NOTFOUND", "about:blank"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(hears, says)
        )
        os.close(hears)
        os.close(says)
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        try:
            self._attach()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _attach(self) -> None:
        target = next(one for one in self.send("Target.getTargets")["targetInfos"] if one["type"] == "page")
        attached = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime"):
            self.send(f"{domain}.enable")
        self.send("Page.setLifecycleEventsEnabled", enabled=True)
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return the browser's answer; events that arrive meanwhile are appended to `events`."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self._to, left) :]
        while True:
            answer = self._receive()
            if answer.get("id") != self._number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return dict(answer["result"])

    def _receive(self) -> dict[str, Any]:
        end = time.monotonic() + SECONDS_ALLOWED
        while b"\0" not in self._read:
            ready, _, _ = select.select([self._from], [], [], max(0, end - time.monotonic()))
            piece = os.read(self._from, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("the browser does not answer")
            self._read += piece
        answer, _, self._read = self._read.partition(b"\0")
        return dict(json.loads(answer))

    def open(self, page: Path, width: int = 1280, height: int = 900, dark: bool = False, query: str = "") -> None:
        """Open a page in a window of the given size, with a preference for the light or the dark theme."""
        self.send("Page.navigate", url="about:blank")
        phone = width < 600
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", media="", features=[scheme])
        self.events.clear()
        loader = self.send("Page.navigate", url=f"{page.resolve().as_uri()}{query}")["loaderId"]
        end = time.monotonic() + SECONDS_ALLOWED
        while not any(_is_load(event, loader) for event in self.events):
            if time.monotonic() > end:
                raise RuntimeError(f"{page} is not loaded")
            self.events.append(self._receive())
        time.sleep(0.2)

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression; a promise is awaited."""
        found = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{expression[:80]}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """Press a key, such as ("Tab", 9) or ("Enter", 13)."""
        for kind in ("keyDown", "keyUp"):
            typed = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **typed)

    def screenshot(self, png: Path, whole: bool = False) -> None:
        """Write a picture of the window, or of the whole page, to a file."""
        made = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        png.write_bytes(base64.b64decode(made["data"]))

    def print(self, pdf: Path) -> None:
        """Print the page to a PDF file on A4 paper."""
        made = self.send("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True)
        pdf.write_bytes(base64.b64decode(made["data"]))


def _is_load(event: Mapping[str, Any], loader: str) -> bool:
    """Return True if an event is the load event of a navigation; the one of the page before may come late."""
    if event.get("method") != "Page.lifecycleEvent":
        return False
    return event["params"]["loaderId"] == loader and event["params"]["name"] == "load"
