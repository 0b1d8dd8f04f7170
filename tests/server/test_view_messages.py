"""Views as messages: the public part is encoded once, each player's own part is put into it."""

import pytest
from msgspec import Raw
from msgspec.structs import replace

from queenhigh.server.event_receipt import EventReceipt
from queenhigh.server.protocol import News, Seen, encode
from queenhigh.server.publisher import _Message
from queenhigh.table.own_view import OwnView

SEEN = Seen(7, 1_000, Raw(b'{"table":"t"}'), News(owner="ann", notices=("Welcome",)))
RECEIPT = EventReceipt("ab", 0, "table/t", 7, "cd", "ef")


@pytest.mark.parametrize("receipt", [None, RECEIPT])
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("own", [None, OwnView(), OwnView(3, 3, (1, 2, 3))])
def test_spliced_message_is_the_encoded_one(
    own: OwnView | None, frozen: bool, receipt: EventReceipt | None
) -> None:
    message = _Message(SEEN, receipt).with_own(encode(own) if own else None, frozen=frozen)
    assert message == encode(replace(SEEN, own=own, frozen=frozen, receipt=receipt))
