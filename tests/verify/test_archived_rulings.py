"""Archives of tables with rulings and corrections: the staff and the wallets are hashes there."""

import json
from pathlib import Path

from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR, Sit
from queenhigh.table.correction_events import Facts
from tests.in_process import call
from tests.table.staff_log import hire
from tests.table.table_driver import FOUR, Table, kinds
from tests.verify.ruled_rooms import bet, correct, last_round, move, rule
from tests.verify.verifiers import BOTH, prove


def play(file: Path) -> None:
    """Correct a round in a wallet whose player has another name by then; close the table."""
    store = SqliteStore(file)
    hire(store)
    table = Table("house", {"ann": 1, "bob": 2}, store=store)
    table.tick()
    bet(table, "ann", "bob", ante=400)
    rule(table, "player_gone", 2)
    move(table, ann="fold")
    past = last_round(table)
    table.do("Leave", "bob", when="now")
    wallets = table.room.wallets
    version = wallets.of("bob").version
    handed = wallets.hand_over("bob", "rob", id="new name", at=table.at, version=version)
    store.append(*handed)
    wallets.finish(*handed)
    correct(table, past, Facts(wagers={2: ()}))
    table.do("CloseTable", FLOOR, reason="the day is over")
    store.close()


def test_archives_with_rulings_are_verified(tmp_path: Path) -> None:  # L5
    file, packed = tmp_path / "room.db", tmp_path / "old.qha"
    play(file)
    prove(file)
    done = call("archive", str(file), "--to", str(packed), "--remove")
    assert done.returncode == 0, done.stderr
    for name, verify in BOTH.items():
        alone = verify(packed)
        assert alone.ok, f"{name}: event {alone.n}: {alone.reason}"
        assert alone.hash_only > 4
        rest = verify(file)
        assert rest.ok, f"{name}: event {rest.n}: {rest.reason}"
        whole = verify(file, archives=[packed])
        assert whole.ok, f"{name}: event {whole.n}: {whole.reason}"
        assert whole.hash_only == 0


def test_archived_payer_who_got_a_fee_back_is_believed(tmp_path: Path) -> None:  # L5
    """The banker's wallet is short, and a fee came back into it: only its hashes are there."""
    file, lines = tmp_path / "room.db", tmp_path / "log.jsonl"
    store = SqliteStore(file)
    hire(store)
    table = Table("california", FOUR, store=store)
    table.banked_by("ann")
    bet(table, "bob", "cyd", "dan", ante=500, bonus=100)
    move(table, bob="fold", cyd="fold", dan="fold")
    past = last_round(table)
    table.do("Leave", "ann", when="now")
    other = table.room.open_table("other", table.book, table.state.settings)
    most = table.wallet("ann") - 1000
    other.execute(Sit(id="sit", by="ann", at=table.at, place=3, cents=most))
    correct(table, past, Facts(void=True))
    corrections = table.state.corrections.latest
    assert corrections is not None
    assert any(row.owed for row in corrections.moved)
    store.close()
    prove(file)
    exported = call("table", "export", str(file), "--as", "log")
    rows = [json.loads(line) for line in exported.stdout.splitlines()]
    for row in rows:
        if row.get("stream") == "wallet/ann":
            del row["event"]
    written = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    lines.write_text("".join(f"{line}\n" for line in written))
    for name, verify in BOTH.items():
        verdict = verify(lines)
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"
        assert verdict.hash_only > 2


def test_offers_after_a_clock_that_was_set_back_are_believed(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    store = SqliteStore(file)
    table = Table("california", FOUR, store=store)
    table.banked_by("ann")
    table.do("VoidRound", FLOOR, reason="a pause")
    assert kinds(table.tick()) == ["BankOffered"]
    before = table.state.at
    table.at = before - 1_000_000
    table.do("RebaseTime", FLOOR, before=before, reason="the clock was set")
    while table.state.phase == "offering":
        table.do("DeclineBank", table.state.places[table.state.offer.place or 0].player)
    table.do("TopUp", "bob", cents=100)
    table.tick(wait=400)
    store.close()
    prove(file)
