"""The floor's reports again, from the stored events alone: slow, obvious, nothing of the package.

Everything is one pass over the events of a room into plain rows, and sums over those rows. The
clocks are those of Los Angeles in autumn 2026, written out.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

Json = dict[str, Any]
Row = tuple[Any, ...]

#: The clocks went back at this time, from seven hours behind UTC to eight.
PUT_BACK = 1_793_523_600_000
SHIFTS = (6, 14, 22)
BETS = ("red", "black", "low", "odd", "straight", "dozen")
#: What a player gains on a cent, as `deals.enumerate_deals` counts it over all 22,100 hands; at a
#: wheel as everyone publishes it.
WORTH = {
    "california": {"ante": Fraction(-4373389, 101792600), "bonus": Fraction(-392, 5525)},
    "house": {"ante": Fraction(-686689, 20358520), "pair_plus": Fraction(-402, 5525)},
    "roulette": dict.fromkeys(BETS, Fraction(-1, 19)),
    "roulette-european": {
        **dict.fromkeys(("red", "black", "low", "odd"), Fraction(-1, 74)),
        **dict.fromkeys(("straight", "dozen"), Fraction(-1, 37)),
    },
}  # fmt: skip
#: The bank's gains on a settled round that it was sure to cover, and the average of those.
Counting = Callable[[Json, dict[str, Fraction], int, Json], tuple[Fraction, Fraction, int]]


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def local(time: int) -> datetime:
    """Return the time on the wall, without a zone."""
    behind = timedelta(hours=7 if time < PUT_BACK else 8)
    return (datetime.fromtimestamp(time // 1000, UTC) - behind).replace(tzinfo=None)


@cache
def day(time: int) -> str:
    return local(time).strftime("%Y-%m-%d")


@cache
def hour(time: int) -> str:
    again = time >= PUT_BACK and local(time).strftime("%Y-%m-%d %H") == "2026-11-01 01"
    return local(time).strftime("%Y-%m-%d %H:00") + (" (-0800)" if again else "")


@cache
def shift(time: int) -> str:
    wall = local(time)
    earlier = [start for start in SHIFTS if start <= wall.hour]
    begins = wall if earlier else wall - timedelta(days=1)
    start = earlier[-1] if earlier else SHIFTS[-1]
    end = SHIFTS[(SHIFTS.index(start) + 1) % len(SHIFTS)]
    return f"{begins:%Y-%m-%d} {start:02d}:00 to {end:02d}:00"


class Tables:
    """What the events of a room come to, as rows of plain values."""

    def __init__(self, log: Iterable[tuple[int, str, Json]], count: Counting) -> None:
        self.count = count
        #: Fees: n, time, table, round, payer, role, wager, rate, cents, whether by a correction.
        self.fees: list[Row] = []
        #: Rounds: n, time, table, round, settled, banker, players, wagered, net, digest, counted,
        #: theory.
        self.rounds: list[Row] = []
        self.voids: list[Row] = []
        #: Who voided a round by hand, by table and round.
        self.acts: dict[tuple[str, int], str] = {}
        self.incidents: list[Row] = []
        self.steps: list[Row] = []
        #: Corrections: n, time, table, banker, players, digest, to the bank, banker's fees.
        self.corrected: list[Row] = []
        self.offers: list[Row] = []
        self.books: dict[str, Json] = {}
        self.sits: dict[tuple[str, int], str] = {}
        self.now: dict[str, Json] = {}
        self.asked: dict[tuple[str, int], Json] = {}
        self.past: dict[tuple[str, int], Json] = {}
        for n, table, said in log:
            kind = said["type"].split("/")[0].replace(".", "_")
            getattr(self, f"on_{kind}", lambda n, table, said: None)(n, table, said)

    # Tables and people

    def on_floor_acted(self, n: int, table: str, said: Json) -> None:
        if said["action"] == "void round":
            self.acts[said["subject"], said["after"]["round"]] = said["by"]

    def on_table_opened(self, n: int, table: str, said: Json) -> None:
        self.now[table] = {"prison": {}, "first": None, "round": None}
        self.on_table_changed(n, table, said)

    def on_table_changed(self, n: int, table: str, said: Json) -> None:
        self.now[table] |= {"book": said["rulebook"], "digest": said["digest"]}
        self.books[said["digest"]] = said["rulebook"]

    def on_seat_taken(self, n: int, table: str, said: Json) -> None:
        self.sits[table, said["place"]] = said["player"]

    # The bank

    def offer(self, n: int, table: str, said: Json, what: str) -> None:
        place = said.get("place")
        player = self.sits[table, place] if place else None
        self.offers.append(
            (n, said["at"], table, said["round"], place, player, what, said.get("cents"))
        )

    def on_bank_offered(self, n: int, table: str, said: Json) -> None:
        self.offer(n, table, said, "offered")

    def on_bank_posted(self, n: int, table: str, said: Json) -> None:
        self.offer(n, table, said, "accepted")

    def on_bank_declined(self, n: int, table: str, said: Json) -> None:
        clock = said["by"] == "clock"
        self.offer(n, table, said, "declined by the clock" if clock else "declined")

    def on_bank_unwanted(self, n: int, table: str, said: Json) -> None:
        self.offer(n, table, said, "unwanted")

    # A round

    def on_round_opened(self, n: int, table: str, said: Json) -> None:
        now = self.now[table]
        now |= {
            "round": said["round"], "banker": said.get("banker"), "paid": defaultdict(int),
            "bets": {place: [*bets] for place, bets in now["prison"].items()}, "void hands": {},
            "moves": {}, "ruled": [],
        }  # fmt: skip

    def on_wagers_placed(self, n: int, table: str, said: Json) -> None:
        self.now[table]["bets"].setdefault(said["place"], []).extend(said["wagers"])

    def on_wagers_cleared(self, n: int, table: str, said: Json) -> None:
        now, place = self.now[table], said["place"]
        if now["round"] is None:
            now["prison"].pop(place, None)
            return
        held = [bet for bet in now["bets"].pop(place, []) if bet.get("in_prison")]
        if held:
            now["bets"][place] = held

    def on_bets_closed(self, n: int, table: str, said: Json) -> None:
        for fee in said.get("fees", []):
            self.now[table]["paid"][fee["place"]] += fee["cents"]

    def on_cards_dealt(self, n: int, table: str, said: Json) -> None:
        now = self.now[table]
        way = now["book"].get("bank", {}).get("first", "left")
        turn = (now["first"] or 0) % 10 + 1
        now["first"] = said.get("first") or (turn if way == "button" else 1)

    def on_move_made(self, n: int, table: str, said: Json) -> None:
        self.now[table]["moves"][said["place"]] = said["move"]

    def on_incident_ruled(self, n: int, table: str, said: Json) -> None:
        player = self.sits[table, said["place"]] if "place" in said else None
        self.now[table]["ruled"].append({**said, "player": player, "back": 0})

    def on_hand_voided(self, n: int, table: str, said: Json) -> None:
        now, place = self.now[table], said["place"]
        now["void hands"][place] = now["bets"].pop(place)
        now["paid"].pop(place, None)
        self.came_back(now, said, said["cents"] + said.get("fee", 0))

    def came_back(self, now: Json, said: Json, cents: int) -> None:
        for ruled in now["ruled"]:
            if (ruled["id"], ruled["by"]) == (said.get("id"), said["by"]):
                ruled["back"] += cents

    def on_round_voided(self, n: int, table: str, said: Json) -> None:
        now = self.now[table]
        fees = sum(fee["cents"] for fee in said.get("fees", []))
        returned = sum(fee["cents"] for fee in said.get("returned", [])) + fees
        self.came_back(now, said, returned)
        banker = self.banker(table)
        self.voids.append(
            (
                n,
                said["at"],
                table,
                said["round"],
                banker,
                said["by"],
                said["reason"],
                returned,
                fees,
            )
        )
        self.end(n, table, said, settled=False)

    def banker(self, table: str) -> str:
        place = self.now[table]["banker"]
        return "(house)" if place is None else self.sits[table, place]

    def end(self, n: int, table: str, said: Json, *, settled: bool) -> None:
        now = self.now[table]
        banker = [] if now["banker"] is None else [now["banker"]]
        names = {
            place: self.sits[table, place] for place in [*now["bets"], *now["void hands"], *banker]
        }
        players = frozenset(names.values())
        figures: tuple[Any, ...] = (0, 0, 0, 0)
        if settled:
            worth = WORTH[now["book"]["name"]]
            counted, theory, wagered = self.count(said, worth, now["first"] or 1, now["book"])
            figures = (wagered, said["net"], counted, theory)
        wagered, net, counted, theory = figures
        self.rounds.append(
            (n, said["at"], table, said["round"], settled, self.banker(table), players, wagered,
             net, now["digest"], counted, theory)
        )  # fmt: skip
        self.past[table, said["round"]] = {
            "players": players, "names": names, "banker": now["banker"],
            "bank": self.banker(table), "digest": now["digest"],
        }  # fmt: skip
        for ruled in now["ruled"]:
            self.incidents.append(
                (n, said["at"], players, ruled["at"], table, said["round"],
                 ruled["kind"], ruled["player"], ruled["clause"], ruled["ruling"], ruled["staff"],
                 ruled["reason"], ruled["back"])
            )  # fmt: skip
        now["round"] = None
        if not settled:
            now["prison"] = {
                place: held
                for place, bets in now["bets"].items()
                if (held := [bet for bet in bets if bet.get("in_prison")])
            }

    def on_spin_settled(self, n: int, table: str, said: Json) -> None:
        self.end(n, table, said, settled=True)
        self.now[table]["prison"] = {
            row["place"]: held
            for row in said["places"]
            if (
                held := [
                    {"spot": b["bet"], "in_prison": True} for b in row["bets"] if b.get("held")
                ]
            )
        }

    def on_round_settled(self, n: int, table: str, said: Json) -> None:
        now = self.now[table]
        for fee in said.get("fees", []):
            now["paid"][fee["place"]] += fee["cents"]
        self.end(n, table, said, settled=True)
        for place, cents in sorted(now["paid"].items()):
            rows = [*self.rates_of(now, place)]
            assert sum(fee for _, _, fee in rows) == cents, (table, said["round"], place, rows)
            role = "banker" if place == now["banker"] else "player"
            payer = self.sits[table, place]
            for wager, rate, fee in rows:
                self.fees.append(
                    (n, said["at"], table, said["round"], payer, role, wager, rate, fee, False)
                )

    def rates_of(self, now: Json, place: int) -> Iterator[tuple[str, str, int]]:
        """Yield the fees of a place: for which wager, by which rate, how much."""
        schedule = now["book"].get("fees")
        if schedule is None:
            return
        if place == now["banker"]:
            put_down = [*now["bets"].values(), *now["void hands"].values()]
            antes = [bet["cents"] for bets in put_down for bet in bets if bet["spot"] == "ante"]
            yield from self.rate_of(schedule, "ante", "ante", max(antes, default=0), "banker")
            return
        for bet in now["bets"][place]:
            kind = "ante" if bet["spot"] == "ante" else "bonus"
            yield from self.rate_of(schedule, kind, bet["spot"], bet["cents"], "player")
            if bet["spot"] == "ante" and now["moves"].get(place) == "play":
                yield from self.rate_of(schedule, "play", "play", bet["cents"], "player")

    def rate_of(
        self, schedule: Json, kind: str, wager: str, cents: int, role: str
    ) -> Iterator[tuple[str, str, int]]:
        per = schedule["fee_per"]
        if per == "round" and kind != "ante":
            return
        antes = [rate for rate in schedule["rates"] if rate.get("on", "ante") == "ante"]
        for rate in schedule["rates"]:
            if per == "kind" and rate.get("on", "ante") != kind:
                continue
            least = rate.get("min", min(ante.get("min", 0) for ante in antes))
            most = rate.get("max", max(ante.get("max", 0) for ante in antes))
            if least <= cents <= most and rate[role]:
                head = {"round": "Ante", "wager": "Each wager"}.get(per)
                head = head or {"ante": "Ante", "play": "Play", "bonus": "Bonus bet"}[kind]
                banker = f", banker {dollars(rate['banker'])}" if rate["banker"] else ""
                words = f"{head} {dollars(least)} to {dollars(most)}: {dollars(rate['player'])}"
                yield wager, words + banker, rate[role]

    # Corrections

    def on_correction_asked(self, n: int, table: str, said: Json) -> None:
        self.asked[table, said["correction"]] = said
        self.step(said, table, said, "asked for", said["reason"])

    def step(self, said: Json, table: str, asked: Json, what: str, why: str, *moved: int) -> None:
        place = (table, asked["round"], said["correction"])
        self.steps.append((said["at"], *place, what, said["staff"], why, *(moved or (0, 0, 0))))

    def on_correction_rejected(self, n: int, table: str, said: Json) -> None:
        asked = self.asked[table, said["correction"]]
        what = "withdrawn" if said["staff"] == asked["staff"] else "rejected"
        self.step(said, table, asked, what, said["reason"])

    def on_correction_made(self, n: int, table: str, said: Json) -> None:
        asked = self.asked[table, said["correction"]]
        past = self.past[table, asked["round"]]
        to_bank = fees = bankers = owed = 0
        for row in said["moved"]:
            owed += abs(row.get("owed", 0))
            if row["against"] == "bank":
                to_bank -= row["cents"]
            elif row["cents"]:
                role = "banker" if row["place"] == past["banker"] else "player"
                payer = past["names"][row["place"]]
                fees -= row["cents"]
                bankers -= row["cents"] if role == "banker" else 0
                self.fees.append(
                    (n, said["at"], table, asked["round"], payer, role, "", "(correction)",
                     -row["cents"], True)
                )  # fmt: skip
        self.step(said, table, asked, "made", asked["reason"], to_bank, fees, owed)
        self.corrected.append(
            (n, said["at"], table, past["bank"], past["players"], past["digest"], to_bank, bankers)
        )


# The reports


def within(time: int, given: Json) -> bool:
    return bool(given.get("since", 0) <= time < given.get("until", 2**62))


def of(given: Json, name: str, value: object) -> bool:
    return name not in given or given[name] == value


def label(by: str, time: int, table: str) -> str:
    return {"day": day, "hour": hour, "shift": shift}[by](time) if by != "table" else table


def collection(tables: Tables, given: Json) -> list[Row]:
    groups: dict[Row, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for _, time, table, _, payer, role, _, rate, cents, corrected in tables.fees:
        is_wanted = of(given, "table", table) and of(given, "player", payer)
        if not (is_wanted and of(given, "rate", rate) and within(time, given)):
            continue
        own = {"payer": payer, "role": role, "rate": rate}
        key = tuple(own[by] if by in own else label(by, time, table) for by in given["by"])
        column = 3 if corrected else 1 if role == "player" else 2
        groups[key][0] += 1
        groups[key][column] += cents
        groups[key][4] += cents
    return sorted([(*key, *sums) for key, sums in groups.items()])


def fees(tables: Tables, given: Json) -> list[Row]:
    return [
        (time, table, round, payer, role, wager, rate, cents)
        for n, time, table, round, payer, role, wager, rate, cents, _ in sorted(
            tables.fees, key=lambda fee: (fee[1], fee[0])
        )
        if within(time, given) and of(given, "table", table) and of(given, "player", payer)
        if of(given, "rate", rate)
    ]


def bankers(tables: Tables, given: Json) -> list[Row]:
    groups: dict[Row, list[int]] = defaultdict(lambda: [0] * 7)

    def group(time: int, table: str, banker: str) -> list[int]:
        return groups[(*[label(by, time, table) for by in given["by"]], banker)]

    for _, time, table, _, settled, banker, _, wagered, net, *_ in tables.rounds:
        if settled and within(time, given) and of(given, "table", table):
            for column, cents in enumerate((1, wagered, net)):
                group(time, table, banker)[column] += cents
            group(time, table, banker)[6] += net
    for _, time, table, _, payer, role, _, _, cents, corrected in tables.fees:
        is_bankers = role == "banker" and not corrected
        if is_bankers and within(time, given) and of(given, "table", table):
            group(time, table, payer)[3] += cents
            group(time, table, payer)[6] -= cents
    for _, time, table, banker, _, _, to_bank, charged in tables.corrected:
        if (to_bank or charged) and within(time, given) and of(given, "table", table):
            group(time, table, banker)[4] += to_bank
            group(time, table, banker)[5] += charged
            group(time, table, banker)[6] += to_bank - charged
    rows = [(*key, *sums) for key, sums in groups.items() if of(given, "player", key[-1])]
    return sorted(rows)


def results(tables: Tables, given: Json) -> list[Row]:
    groups: dict[Row, list[Any]] = defaultdict(lambda: [0] * 7)
    for _, time, table, _, settled, _, players, wagered, net, digest, *averages in tables.rounds:
        is_wanted = "player" not in given or given["player"] in players
        if settled and is_wanted and within(time, given) and of(given, "table", table):
            counted, theory = averages
            group = groups[(*[label(by, time, table) for by in given["by"]], table, digest)]
            added = (1, wagered, net, counted, theory, (counted - theory) ** 2)
            for column, each in enumerate(added):
                group[column] += each
    for _, time, table, _, players, digest, to_bank, _ in tables.corrected:
        is_wanted = "player" not in given or given["player"] in players
        if is_wanted and within(time, given) and of(given, "table", table):
            labels = [label(by, time, table) for by in given["by"]]
            groups[(*labels, table, digest)][6] += to_bank
    rows = []
    for (*labels, digest), (count, wagered, net, counted, theory, squares, moved) in groups.items():
        book, sd = tables.books[digest], sqrt(squares)
        difference = counted - theory
        z = float(difference) / sd if sd else None
        rows.append(
            (*labels, book["name"], digest.removeprefix("sha256:")[:12],
             "player" if "bank" in book else "house", count, wagered, net, round(counted),
             round(theory), round(difference), round(sd), z, moved)
        )  # fmt: skip
    return sorted(rows, key=lambda row: row[: len(given["by"]) + 3])


def voids(tables: Tables, given: Json) -> list[Row]:
    took_part = {(row[2], row[3]): row[6] for row in tables.rounds}
    return [
        (time, table, round, banker, tables.acts.get((table, round), by), *rest)
        for _, time, table, round, banker, by, *rest in sorted(
            tables.voids, key=lambda row: (row[1], row[0])
        )
        if within(time, given) and of(given, "table", table)
        if "player" not in given or given["player"] in took_part[table, round]
    ]


KINDS = {
    "misdeal": "Misdeal", "exposed_player": "Player's card exposed",
    "exposed_dealer": "Dealer's card exposed", "player_gone": "Player gone",
}  # fmt: skip
RULINGS = {
    "play_on": "Played on", "void": "Round void", "redeal": "Round dealt again",
    "void_hand": "Hand void", "default_move": "Default move",
}  # fmt: skip


def incidents(tables: Tables, given: Json) -> list[Row]:
    return [
        (time, table, round, KINDS[kind], player, clause, RULINGS[ruling], *rest)
        for _, over, players, time, table, round, kind, player, clause, ruling, *rest in sorted(
            tables.incidents, key=lambda row: (row[1], row[0])
        )
        if within(over, given) and of(given, "table", table)
        if "player" not in given or given["player"] in players
    ]


def corrections(tables: Tables, given: Json) -> list[Row]:
    return sorted(
        row
        for row in tables.steps
        if within(row[0], given) and of(given, "table", row[1])
        if "player" not in given or given["player"] in tables.past[row[1], row[2]]["players"]
    )


def offers(tables: Tables, given: Json) -> list[Row]:
    return [
        (time, table, round, place, player, what, cents)
        for _, time, table, round, place, player, what, cents in sorted(
            tables.offers, key=lambda row: (row[1], row[0])
        )
        if within(time, given) and of(given, "table", table) and of(given, "player", player)
    ]


REPORTS: dict[str, Callable[[Tables, Json], list[Row]]] = {
    "collection": collection, "fees": fees, "bankers": bankers, "results": results,
    "voids": voids, "incidents": incidents, "corrections": corrections, "offers": offers,
}  # fmt: skip
