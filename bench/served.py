"""Servers in processes of their own, and how much processor time and memory they take."""

import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from bench.measure import ROOT

__all__ = ["Served", "SharedProcess", "end", "processor_seconds"]


def processor_seconds(pid: int, *, with_ended: bool = False) -> float:
    """Return the processor time of a process, with that of children that have ended if wanted."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(map(int, fields[11 : 15 if with_ended else 13]))
    return ticks / os.sysconf("SC_CLK_TCK")


class Served:
    """A server that prints its port, for as long as the ``with`` lasts."""

    def __init__(self, command: list[str], log: int | None = None) -> None:
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        end(self.process)

    def memory(self) -> float:
        """Return the process's resident memory in MiB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        (line,) = [line for line in lines if line.startswith("VmRSS")]
        return int(line.split()[1]) / 1024

    def seconds(self) -> float:
        """Return the processor time that the process has used."""
        return processor_seconds(self.process.pid)

    def guest(self, name: str, local: str = "127.0.0.1") -> str:
        """Enter as a guest, from an address of this machine; return the cookie."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=30, source_address=(local, 0)
        )
        body = json.dumps({"name": name})
        connection.request("POST", "/api/guests", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        cookie = answer.headers["set-cookie"].split(";")[0]
        answer.read()
        connection.close()
        return cookie


class SharedProcess(Served):
    """One of the processes that serve a room on PostgreSQL."""

    def __init__(self, url: str, keys: Path) -> None:
        log = subprocess.DEVNULL  # it logs every table that it takes over
        super().__init__([sys.executable, "-m", "bench.shared_room", url, str(keys)], log)


def end(process: "subprocess.Popen[str]", how: signal.Signals = signal.SIGTERM) -> None:
    """End a server and wait until it is gone."""
    if process.poll() is None:
        os.kill(process.pid, how)
    process.wait(timeout=60)
    if process.stdout:
        process.stdout.close()
