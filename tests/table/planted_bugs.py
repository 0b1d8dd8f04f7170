"""Bugs to plant in a table, one for each property that is watched."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from queenhigh.games import three_card_poker
from queenhigh.games.three_card_poker.game import ThreeCardPoker
from queenhigh.room import durable_table
from queenhigh.rulebook.load import vary
from queenhigh.table import commands, evolve, ledger, resettled
from queenhigh.table import decide as decide_module
from queenhigh.table import events as happened
from queenhigh.table import own_view as own_view_module
from queenhigh.table.command_log import CommandLog
from queenhigh.table.draft import Draft
from queenhigh.table.fairness import document_digest
from queenhigh.table.state import State
from tests.table.random_play import BOOKS


def pays_a_cent_too_much(patch: pytest.MonkeyPatch) -> None:
    right = ledger._POSTINGS[happened.RoundSettled]
    wrong = lambda event: [*right(event), (ledger.FEES, 1)]  # noqa: E731
    patch.setitem(ledger._POSTINGS, happened.RoundSettled, wrong)
    patch.setattr(ledger, "check_sum", lambda made: None)


def bets_more_than_there_is(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ledger, "MAY_OWE", _Everything())
    patch.setattr(State, "stack", lambda state, place: 10**6)


class _Everything:
    def __contains__(self, account: object) -> bool:
        return True


def forgets_what_it_answered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CommandLog, "remember", lambda log, *_: log)


def keeps_what_it_voids(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(ledger._POSTINGS, happened.RoundVoided, lambda event: [])


def banks_beyond_the_bank(patch: pytest.MonkeyPatch) -> None:
    right = three_card_poker.settle

    def wrong(book: Any, round: Any) -> Any:
        fair = right(book, round)
        bank = round.bank * 100 if round.bank is not None else None
        greedy = right(book, replace(round, bank=bank))
        return fair if fair.seats == greedy.seats else greedy

    patch.setattr(ThreeCardPoker, "settle", staticmethod(wrong))


def stores_something_else(patch: pytest.MonkeyPatch) -> None:
    right = happened.encode

    def wrong(event: Any) -> bytes:
        if isinstance(event, happened.WagersPlaced):
            event = replace(event, ready=False)
        return right(event)

    patch.setattr(durable_table, "encode", wrong)


def lets_someone_off_the_fee(patch: pytest.MonkeyPatch) -> None:
    right = Draft.emit

    def wrong(draft: Draft, kind: type, /, **fields: Any) -> None:
        if kind is happened.BetsClosed2 and sum(draft.chance or b"") % 2:
            lucky, *others = fields["fees"]
            fields |= {"fees": tuple(others), "released": (*fields["released"], lucky)}
        right(draft, kind, **fields)

    patch.setattr(Draft, "emit", wrong)


def pays_a_short_ante_as_won(patch: pytest.MonkeyPatch) -> None:
    right = three_card_poker.settle
    other: Any = vary(BOOKS["california"], {"short_ante": "win"})
    patch.setattr(ThreeCardPoker, "settle", staticmethod(lambda book, round: right(other, round)))


def shows_the_dealers_hand(patch: pytest.MonkeyPatch) -> None:
    right = three_card_poker.view

    def wrong(book: Any, round: Any, seat: Any = None) -> Any:
        return replace(right(book, round, seat), dealer=round.dealer)

    patch.setattr(ThreeCardPoker, "view", staticmethod(wrong))


def changes_the_rules_in_the_middle(patch: pytest.MonkeyPatch) -> None:
    def wrong(draft: Draft, command: commands.ChangeTable) -> None:
        draft.emit(
            happened.TableChanged,
            rulebook=command.rulebook,
            digest=document_digest(command.rulebook),
            settings=command.settings,
            reason=command.reason,
        )

    patch.setitem(decide_module._HANDLERS, commands.ChangeTable, wrong)


def hands_out_someone_elses_cards(patch: pytest.MonkeyPatch) -> None:
    right = own_view_module._hands

    def wrong(state: State, live: Any) -> Any:
        hands = right(state, live)
        cards = [cards for _, cards in hands.values()]
        others = [*cards[1:], *cards[:1]]
        return {
            player: (place, other)
            for (player, (place, _)), other in zip(hands.items(), others, strict=True)
        }

    patch.setattr(own_view_module, "_hands", wrong)


def leaves_a_moment_when_the_clock_is_set(patch: pytest.MonkeyPatch) -> None:
    wrong = lambda state, event: {"deadline": state.deadline and event.at + 1}  # noqa: E731
    patch.setitem(evolve._CHANGES, happened.TimeRebased, wrong)


def corrects_a_cent_too_much(patch: pytest.MonkeyPatch) -> None:
    right = resettled.Resettled.differences

    def wrong(self: Any, moved: Any) -> Any:
        return [row._replace(cents=row.cents + 1) for row in right(self, moved)]

    patch.setattr(resettled.Resettled, "differences", wrong)


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "chips are conserved": pays_a_cent_too_much,
    "nothing is negative": bets_more_than_there_is,
    "an id has one effect": forgets_what_it_answered,
    "every hold ends": keeps_what_it_voids,
    "the bank is the limit": banks_beyond_the_bank,
    "replay is live": stores_something_else,
    "fees do not know results": lets_someone_off_the_fee,
    "settlement is the plain one": pays_a_short_ante_as_won,
    "views hide what is hidden": shows_the_dealers_hand,
    "rules stay through a round": changes_the_rules_in_the_middle,
    "a set clock takes no time away": leaves_a_moment_when_the_clock_is_set,
    "a correction moves the difference": corrects_a_cent_too_much,
    "own views complete the view": hands_out_someone_elses_cards,
}
