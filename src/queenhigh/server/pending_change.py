"""A change of a table's rules that waits until no round is under way, over restarts too."""

from msgspec.structs import replace

from queenhigh.server.admin_rows import NOTHING, AdminChange
from queenhigh.server.ids import fresh_id
from queenhigh.server.ports import TableControl, TablePorts
from queenhigh.table.commands import FLOOR, ChangeTable, VoidRound
from queenhigh.table.decide import step
from queenhigh.table.fairness import SEED_BYTES
from queenhigh.table.notice import notice_ms

__all__ = ["PendingChange"]


class PendingChange:
    """The floor's change of a table, if one waits."""

    def __init__(self, table: TableControl, ports: TablePorts, waiting: ChangeTable | None) -> None:
        self._table, self._ports, self.waiting = table, ports, waiting

    def request(self, change: ChangeTable, note: AdminChange) -> None:
        """Change the rules when no round is under way; refuse a change that would fail then."""
        later = replace(self._table.durable.committed, phase="between", round=None, prison={})
        step(later, change, bytes(SEED_BYTES))
        self._keep(change, note)
        self._table.schedule_refresh()

    def drop(self) -> None:
        """Drop the change: an announced one has taken its place."""
        if self.waiting is not None:
            self._keep(None)
            self._table.schedule_refresh()

    def _keep(self, change: ChangeTable | None, note: AdminChange = NOTHING) -> None:
        self._ports.rows.keep_change(self._table.durable.table, change, note)
        self.waiting = change

    def change_if_due(self) -> None:
        """Change the table between rounds; void a round without wagers for it."""
        state, change, now = self._table.durable.committed, self.waiting, self._ports.clock.now
        if change is None or state.phase == "closed":
            return
        gives_notice = notice_ms(state) is not None  # there no change voids a round
        if (state.document, state.settings) == (change.rulebook, change.settings):
            self._keep(None)
        elif state.round is not None and not state.round.wagers and not gives_notice:
            id, reason = fresh_id("void"), "the rules change"
            number = state.number
            self._table.submit(VoidRound(id=id, by=FLOOR, at=now(), round=number, reason=reason))
        elif state.phase == "between" and not state.prison:
            self._table.submit(replace(change, at=now()))
