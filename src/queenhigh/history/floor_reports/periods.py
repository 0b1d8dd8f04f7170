"""Days, shifts and hours of a time zone, right across changes to and from daylight saving time."""

from bisect import bisect_right
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from queenhigh.errors import QueenhighError

__all__ = ["QUARTER_MS", "FloorClock", "check_zone"]

#: Zones are off by whole quarters of an hour: each lies in one day, shift and hour.
QUARTER_MS = 900_000
_MINUTES = "%Y-%m-%d %H:%M"
#: Names of no place: what they mean depends on the machine.
_OF_NO_PLACE = ("localtime", "Factory")
#: The last millisecond that a year of four digits has in every zone.
_LATEST_MS = 253_402_000_000_000


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def check_zone(name: str) -> ZoneInfo:
    """Return a time zone by its name; refuse one that there is not."""
    if name not in _zones() or name in _OF_NO_PLACE:
        sentence = f"there is no time zone {name[:40]!r}: write one such as America/Los_Angeles"
        raise QueenhighError("report.zone", sentence)
    return ZoneInfo(name)


class FloorClock:
    """The days, hours and shifts of a room, in words that sort by time.

    A shift starts at an hour of the clock on the wall and ends when the next one starts; it has an
    hour less or more on the night when the clocks change. A shift or hour that starts while the
    clocks are put forward starts with the time after; one that comes twice starts the first time.
    """

    def __init__(self, zone: str = "UTC", shifts: tuple[int, ...] = ()) -> None:
        self.zone = check_zone(zone)
        self._shifts = shifts
        self._labels: dict[tuple[str, int], str] = {}

    def moment(self, time_ms: int) -> str:
        """Return a time to the second."""
        return f"{self._local(time_ms):%Y-%m-%d %H:%M:%S}"

    def minute(self, time_ms: int) -> str:
        """Return a time to the minute, or to the second if it is no whole one."""
        if time_ms % 60_000:
            return self.moment(time_ms)
        return f"{self._local(time_ms):{_MINUTES}}"

    def day(self, time_ms: int) -> str:
        """Return the day of a time."""
        return self._label("day", time_ms, lambda local: f"{local:%Y-%m-%d}")

    def hour(self, time_ms: int) -> str:
        """Return the hour of a time; one that comes a second time with its offset from UTC."""
        return self._label("hour", time_ms, _hour)

    def shift(self, time_ms: int) -> str:
        """Return the shift of a time: when it starts and ends."""
        return self._label("shift", time_ms, self._shift)

    def _label(self, kind: str, time_ms: int, words: Callable[[datetime], str]) -> str:
        key = (kind, time_ms // QUARTER_MS)
        if key not in self._labels:
            self._labels[key] = words(self._local(time_ms))
        return self._labels[key]

    def _local(self, time_ms: int) -> datetime:
        seconds = min(time_ms, _LATEST_MS) // 1000
        return datetime.fromtimestamp(seconds, UTC).astimezone(self.zone)

    def _shift(self, local: datetime) -> str:
        day = local.date()
        starts = [
            start
            for near in (day - timedelta(1), day, day + timedelta(1))
            for start in self._starts(near)
        ]
        index = bisect_right([start.astimezone(UTC) for start in starts], local.astimezone(UTC))
        return f"{starts[index - 1]:{_MINUTES}} to {starts[index]:%H:%M}"

    def _starts(self, day: date) -> list[datetime]:
        """Return when the shifts of a day start, as the clock on the wall has it."""
        return [
            datetime(day.year, day.month, day.day, hour, tzinfo=self.zone) for hour in self._shifts
        ]


def _hour(local: datetime) -> str:
    start = local.replace(minute=0, second=0, microsecond=0, fold=0)
    words = f"{start:{_MINUTES}}"
    if start.utcoffset() == local.utcoffset():
        return words
    return f"{words} ({local:%z})"
