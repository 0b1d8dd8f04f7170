"""What a report is asked for: its period, its filter, and what it is summed by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

from queenhigh.errors import QueenhighError
from queenhigh.history.floor_reports.periods import FloorClock
from queenhigh.history.floor_reports.report import ReportName

__all__ = ["REPORTS", "TIMES", "ReportFilter", "first_columns", "read_filter"]

#: The groupings by time.
TIMES: Final = ("day", "shift", "hour")
_ROUND_GROUPS: Final = (*TIMES, "table")
DEFAULT_SHIFTS: Final = "6,14,22"
#: Times go to the year 9999.
_LATEST_MS = 2**47
_LONGEST = 200


@dataclass(frozen=True)
class _Form:
    """What a report may be asked for: which filters, which groupings, and the usual ones."""

    title: str
    names: tuple[str, ...] = ("table", "player")
    groups: tuple[str, ...] = ()
    usual: str = ""
    #: Its columns, without groups, in the time when signatures did not name theirs. They stay.
    first_columns: str = ""


REPORTS: Final[dict[ReportName, _Form]] = {
    "collection": _Form(
        "Collection",
        ("table", "player", "rate"),
        (*_ROUND_GROUPS, "rate", "payer", "role"),
        "day,table",
        "fees players bankers corrections cents",
    ),
    "fees": _Form(
        "Fees",
        ("table", "player", "rate"),
        first_columns="at table round payer role wager rate cents",
    ),
    "bankers": _Form(
        "Bankers",
        groups=_ROUND_GROUPS,
        first_columns="banker rounds wagered net fees corrected corrected_fees cents",
    ),
    "results": _Form(
        "Theoretical and actual results",
        groups=TIMES,
        first_columns="table rulebook digest banker rounds wagered net counted theoretical"
        " difference sd z corrected",
    ),
    "voids": _Form("Void rounds", first_columns="at table round banker by reason returned fees"),
    "incidents": _Form(
        "Rulings on irregularities",
        first_columns="at table round kind player clause ruling staff reason returned",
    ),
    "corrections": _Form(
        "Corrections",
        first_columns="at table round correction step by reason bank fees owed",
    ),
    "offers": _Form("Offers of the bank", first_columns="at table round place player answer bank"),
}


def first_columns(report: str, given: Mapping[str, str]) -> list[str]:
    """Return the columns of a signature that does not name them; none of an unknown report."""
    form = REPORTS.get(report)  # type: ignore[call-overload]  # any text may have been signed
    by = [name for name in given.get("by", "").split(",") if name]
    return [*by, *form.first_columns.split()] if form else []


@dataclass(frozen=True)
class ReportFilter:
    """A report and what it is asked for, read and complete."""

    report: ReportName
    since: int | None
    until: int | None
    table: str | None
    player: str | None
    rate: str | None
    zone: str
    shifts: tuple[int, ...]
    by: tuple[str, ...]
    #: The columns that somebody signed, if only these are to be hashed.
    columns: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The title of the report."""
        return REPORTS[self.report].title

    @property
    def clock(self) -> FloorClock:
        """The days and shifts of the zone."""
        return FloorClock(self.zone, self.shifts)

    def as_texts(self) -> dict[str, str]:
        """Return the filter as texts, complete, so that equal filters are equal texts."""
        given: dict[str, object] = {
            "since": self.since,
            "until": self.until,
            "table": self.table,
            "player": self.player,
            "rate": self.rate,
            "zone": self.zone,
            "shifts": ",".join(map(str, self.shifts)) or None,
            "by": ",".join(self.by) if REPORTS[self.report].groups else None,
        }
        return {name: str(value) for name, value in given.items() if value is not None}

    def in_words(self) -> str:
        """Return the filter in words: the period, what it is of, what it is summed by."""
        clock = self.clock
        since = None if self.since is None else clock.minute(self.since)
        until = None if self.until is None else clock.minute(self.until)
        period = {
            (True, True): f"{since} to {until}",
            (True, False): f"Since {since}",
            (False, True): f"Until {until}",
            (False, False): "All rounds so far",
        }[since is not None, until is not None]
        parts = [f"{period} ({self.zone})"]
        parts += [f"table {self.table}"] if self.table is not None else ["all tables"]
        parts += [f"player {self.player}"] if self.player is not None else []
        parts += [f"rate {self.rate}"] if self.rate is not None else []
        parts += [f"by {_listed(self.by)}"] if self.by else []
        if self.shifts:
            hours = [f"{hour:02d}:00" for hour in self.shifts]
            parts.append(f"shifts start at {_listed(hours)}")
        return "; ".join(parts)


def _listed(words: "tuple[str, ...] | list[str]") -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def read_filter(report: str, given: Mapping[str, str | None]) -> ReportFilter:
    """Read a report's filter from texts; refuse what there is not, or makes no sense for it."""
    if report not in get_args(ReportName):
        raise QueenhighError("report.none", f"there is no report {report[:40]!r}: check its name")
    name: ReportName = report  # type: ignore[assignment]  # checked
    form = REPORTS[name]
    texts = {key: value for key, value in given.items() if value is not None}
    by = _read_by(form, texts.get("by"))
    shifts = _read_shifts(texts.get("shifts", DEFAULT_SHIFTS))
    zone = texts.get("zone", "UTC")
    for key in ("table", "player", "rate"):
        if key in texts and key not in form.names:
            raise _refusal(f"{form.title} cannot be filtered by {key}: leave it out")
        if len(texts.get(key, "")) > _LONGEST:
            raise _refusal(f"this {key} is too long: check it")
    since, until = _read_time(texts.get("since")), _read_time(texts.get("until"))
    if since is not None and until is not None and since >= until:
        raise QueenhighError("report.period", "the period ends before it starts: swap the times")
    if unknown := sorted({*texts} - {*_KEYS}):
        raise _refusal(f"there is no filter {unknown[0][:40]!r}: check its name")
    FloorClock(zone)
    names = (texts.get("table"), texts.get("player"), texts.get("rate"))
    return ReportFilter(name, since, until, *names, zone, shifts if "shift" in by else (), by)


_KEYS = ("since", "until", "table", "player", "rate", "zone", "shifts", "by")


def _refusal(sentence: str) -> QueenhighError:
    return QueenhighError("report.filter", sentence)


def _read_time(text: str | None) -> int | None:
    if text is None:
        return None
    is_number = text.isascii() and text.isdecimal() and len(text) <= 15
    if not is_number or int(text) >= _LATEST_MS:
        sentence = f"{text[:40]!r} is not a time: write milliseconds since 1970"
        raise QueenhighError("report.period", sentence)
    return int(text)


def _read_shifts(text: str) -> tuple[int, ...]:
    hours = [part.strip() for part in text.split(",")] if len(text) <= _LONGEST else [""]
    if not all(hour.isascii() and hour.isdecimal() and len(hour) <= 2 for hour in hours):
        raise _wrong_shifts(text)
    starts = tuple(sorted({int(hour) for hour in hours}))
    if starts[-1] > 23:
        raise _wrong_shifts(text)
    return starts


def _wrong_shifts(text: str) -> QueenhighError:
    sentence = f"{text[:40]!r} are not hours of a day: write 6,14,22 for shifts at these hours"
    return QueenhighError("report.shifts", sentence)


def _read_by(form: _Form, text: str | None) -> tuple[str, ...]:
    names = [part.strip() for part in (form.usual if text is None else text).split(",")]
    by = tuple(dict.fromkeys(name for name in names if name))
    for name in by:
        if name not in form.groups:
            able = f"by {_listed(form.groups)}" if form.groups else "not in groups"
            sentence = f"{form.title} cannot be summed by {name[:40]!r}: it comes {able}"
            raise QueenhighError("report.by", sentence)
    return by
