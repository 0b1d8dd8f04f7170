"""What a report may be asked for, and days and shifts across changes of the clocks."""

from datetime import UTC, datetime
from random import Random

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.history.floor_reports.filters import REPORTS, read_filter
from queenhigh.history.floor_reports.periods import FloorClock
from tests.oracle import reports as oracle

LA = "America/Los_Angeles"


def at(text: str) -> int:
    """Return the time of a text such as 2026-11-01T08:30, which is in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1000


@pytest.mark.parametrize(
    ("time", "day", "hour", "shift"),
    [
        # The clocks are put back at two: the hour from one comes twice.
        ("2026-11-01T06:59", "2026-10-31", "2026-10-31 23:00", "2026-10-31 22:00 to 06:00"),
        ("2026-11-01T07:00", "2026-11-01", "2026-11-01 00:00", "2026-10-31 22:00 to 06:00"),
        ("2026-11-01T08:59", "2026-11-01", "2026-11-01 01:00", "2026-10-31 22:00 to 06:00"),
        ("2026-11-01T09:00", "2026-11-01", "2026-11-01 01:00 (-0800)", "2026-10-31 22:00 to 06:00"),
        ("2026-11-01T10:00", "2026-11-01", "2026-11-01 02:00", "2026-10-31 22:00 to 06:00"),
        ("2026-11-01T13:59", "2026-11-01", "2026-11-01 05:00", "2026-10-31 22:00 to 06:00"),
        ("2026-11-01T14:00", "2026-11-01", "2026-11-01 06:00", "2026-11-01 06:00 to 14:00"),
        ("2026-11-02T07:59", "2026-11-01", "2026-11-01 23:00", "2026-11-01 22:00 to 06:00"),
        # They are put forward at two: there is no hour from two.
        ("2026-03-08T09:59", "2026-03-08", "2026-03-08 01:00", "2026-03-07 22:00 to 06:00"),
        ("2026-03-08T10:00", "2026-03-08", "2026-03-08 03:00", "2026-03-07 22:00 to 06:00"),
        ("2026-03-08T12:59", "2026-03-08", "2026-03-08 05:00", "2026-03-07 22:00 to 06:00"),
        ("2026-03-08T13:00", "2026-03-08", "2026-03-08 06:00", "2026-03-08 06:00 to 14:00"),
        ("2026-03-09T06:59", "2026-03-08", "2026-03-08 23:00", "2026-03-08 22:00 to 06:00"),
    ],
)
def test_time_is_in_its_day_hour_and_shift(time: str, day: str, hour: str, shift: str) -> None:
    clock = FloorClock(LA, (6, 14, 22))
    time_ms = at(time) + 59_999
    assert (clock.day(time_ms), clock.hour(time_ms), clock.shift(time_ms)) == (day, hour, shift)


def test_shift_that_starts_in_a_missing_or_double_hour() -> None:
    forward = FloorClock(LA, (2, 14))
    assert forward.shift(at("2026-03-08T09:59")) == "2026-03-07 14:00 to 02:00"
    assert forward.shift(at("2026-03-08T10:00")) == "2026-03-08 02:00 to 14:00"
    back = FloorClock(LA, (1, 13))
    assert back.shift(at("2026-11-01T07:59")) == "2026-10-31 13:00 to 01:00"
    for twice in ("2026-11-01T08:00", "2026-11-01T09:00", "2026-11-01T20:59"):
        assert back.shift(at(twice)) == "2026-11-01 01:00 to 13:00"


def test_one_shift_a_day_may_start_at_any_hour() -> None:
    clock = FloorClock("Asia/Kathmandu", (5,))  # 5:45 before UTC
    assert clock.shift(at("2026-05-04T23:14")) == "2026-05-04 05:00 to 05:00"
    assert clock.shift(at("2026-05-04T23:15")) == "2026-05-05 05:00 to 05:00"
    assert clock.day(at("2026-05-04T18:14")) == "2026-05-04"
    assert clock.day(at("2026-05-04T18:15")) == "2026-05-05"


def test_labels_equal_the_oracle_through_autumn() -> None:
    clock, draw = FloorClock(LA, oracle.SHIFTS), Random(4)
    for _ in range(3000):
        time_ms = oracle.PUT_BACK + draw.randint(-60 * 86_400_000, 60 * 86_400_000)
        labels = (clock.day(time_ms), clock.hour(time_ms), clock.shift(time_ms))
        assert labels == (oracle.day(time_ms), oracle.hour(time_ms), oracle.shift(time_ms))


def test_labels_sort_by_time() -> None:
    for zone in (LA, "UTC", "Australia/Lord_Howe", "Asia/Kathmandu"):
        clock = FloorClock(zone, (1, 2, 14))
        starts = [at(f"2026-{day}T00:00") for day in ("03-06", "04-03", "10-02", "10-30")]
        times = [start + 900_000 * n for start in starts for n in range(4 * 24 * 4)]
        for label in (clock.day, clock.shift, clock.hour):
            labels = [label(time_ms) for time_ms in times]
            assert labels == sorted(labels)


def test_filter_is_complete_and_reads_as_itself() -> None:
    wanted = read_filter("collection", {"until": "1795000000000", "by": "shift,rate, shift"})
    texts = wanted.as_texts()
    assert texts == {
        "until": "1795000000000", "zone": "UTC", "shifts": "6,14,22", "by": "shift,rate",
    }  # fmt: skip
    assert read_filter("collection", texts) == wanted
    assert wanted.in_words() == (
        "Until 2026-11-18 11:06:40 (UTC); all tables; by shift and rate;"
        " shifts start at 06:00, 14:00 and 22:00"
    )
    again = read_filter("fees", {"since": "0", "table": "t", "player": "Ann", "rate": "x"})
    assert "table t; player Ann; rate x" in again.in_words()
    assert "shifts" not in again.as_texts()
    assert [read_filter(name, {}).report for name in REPORTS] == [*REPORTS]


@pytest.mark.parametrize(
    ("report", "given", "code"),
    [
        ("wages", {}, "report.none"),
        ("collection", {"by": "weather"}, "report.by"),
        ("fees", {"by": "day"}, "report.by"),
        ("voids", {"rate": "Ante"}, "report.filter"),
        ("voids", {"colour": "red"}, "report.filter"),
        ("fees", {"player": "x" * 201}, "report.filter"),
        ("fees", {"since": "yesterday"}, "report.period"),
        ("fees", {"since": "-5"}, "report.period"),
        ("fees", {"until": "9" * 15}, "report.period"),
        ("fees", {"since": "7", "until": "7"}, "report.period"),
        ("fees", {"zone": "Mars/Olympus"}, "report.zone"),
        ("fees", {"zone": "../../etc/passwd"}, "report.zone"),
        ("fees", {"zone": ""}, "report.zone"),
        ("fees", {"zone": "localtime"}, "report.zone"),
        ("collection", {"shifts": "6,25"}, "report.shifts"),
        ("collection", {"shifts": ""}, "report.shifts"),
        ("collection", {"shifts": "6.5"}, "report.shifts"),
    ],
)
def test_senseless_filter_is_refused(report: str, given: dict[str, str], code: str) -> None:
    with pytest.raises(QueenhighError) as refused:
        read_filter(report, given)
    assert refused.value.code == code
