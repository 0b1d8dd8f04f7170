"""Time `queenhigh` commands as a user runs them from the shell."""

from collections.abc import Sequence

from bench.measure import own_process, take_turns
from bench.results import Recorder

__all__ = ["measure_commands"]


def measure_commands(commands: Sequence[str], times: int, recorder: Recorder) -> None:
    """Time commands in turns, each in a new process; record the median of each."""
    jobs = [own_process(command, ["-m", "queenhigh", *command.split()]) for command in commands]
    for job, timing in zip(jobs, take_turns(jobs, times), strict=True):
        how = f"median of {times} new processes, the same {timing.work[0]:,} bytes each time"
        recorder.add(f"`queenhigh {job.name}`, from the shell", timing.milliseconds, "ms", how=how)
