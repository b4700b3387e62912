"""The client under test: a program that gets commands and reports outcomes. See examples/client.rs."""

import json
import os
import queue
import subprocess
import tempfile
import threading
import time

MIB = 1024 * 1024


class Dead(Exception):
    """The client's process ended."""


class Hang(Exception):
    """The client did not report an outcome in time."""


class Untried(Exception):
    """The case cannot be run on this machine."""


class Client:
    """One process of the client, with a thread that reads its outcomes."""

    def __init__(self, command, scale):
        self.scale = scale
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, bufsize=1, env=environment()
        )
        self.outcomes = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.before = self.memory()

    def _read(self):
        for line in self.process.stdout:
            # A client may print other text, which is not an outcome.
            if line.startswith("{"):
                self.outcomes.put(json.loads(line))
        self.outcomes.put(None)

    def send(self, command):
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Dead(self.why()) from error

    def outcome(self, seconds=12):
        """The outcome of the command that was sent last."""
        try:
            outcome = self.outcomes.get(timeout=seconds * self.scale)
        except queue.Empty:
            raise Hang(f"no outcome within {seconds} s") from None
        if outcome is None:
            raise Dead(self.why())
        return outcome

    def do(self, command, seconds=12):
        self.send(command)
        return self.outcome(seconds)

    def why(self):
        self.process.wait(10)
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        return f"exit status {self.process.returncode}" + (f": {lines[-1][:80]}" if lines else "")

    def memory(self):
        """The resident memory in bytes."""
        return self._status("VmRSS")

    def grown(self):
        """The growth of the peak memory since the connection was ready."""
        return max(0, self._status("VmHWM") - self.before)

    def mark(self):
        """Measures the growth of memory from now on."""
        try:
            with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
                file.write("5")
        except OSError:
            pass
        self.before = self.memory()

    def _status(self, field):
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                for line in file:
                    if line.startswith(field):
                        return int(line.split()[1]) * 1024
        except OSError:
            pass
        return 0

    def close(self):
        self.process.kill()
        self.process.wait()


def environment():
    """Without the variables that a client or its runtime may read."""
    kept = ("PATH", "LANG", "TMPDIR")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"HOME": tempfile.gettempdir()}


def runs(process):
    """Whether a process runs. One that has ended and was not waited for does not."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition, seconds):
    """Whether the condition becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False
