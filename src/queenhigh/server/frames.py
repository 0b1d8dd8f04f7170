"""WebSocket frames that players send and get all the time, without the ``websockets`` library.

Those are masked text frames of a few bytes in, and unmasked text frames out. Reading and writing
them here costs a fraction of what the library costs. Everything else is read by the library: pings
and pongs one by one, and from the first frame of any other kind on all bytes.
"""

from websockets.frames import apply_mask  # type: ignore[attr-defined, unused-ignore]

__all__ = ["FrameReader", "text_frames"]

#: The first byte of a frame that is not continued: what it is.
_TEXT, _PING, _PONG = 0x81, 0x89, 0x8A
#: In the second byte: whether the frame is masked, and its length.
_MASKED, _LENGTH = 0x80, 0x7F
#: Lengths in the second byte that stand for a longer one, in two or eight more bytes.
_TWO_BYTES, _EIGHT_BYTES = 126, 127
#: The bytes before a short payload: those two, and the mask.
_HEAD = 6
_SHORT = tuple(bytes([_TEXT, length]) for length in range(_TWO_BYTES))
_LONG, _LONGER = bytes([_TEXT, _TWO_BYTES]), bytes([_TEXT, _EIGHT_BYTES])


def text_frames(texts: list[bytes]) -> bytes:
    """Return text frames of a server, which are not masked."""
    parts: list[bytes] = []
    for text in texts:
        length = len(text)
        if length < _TWO_BYTES:
            parts += (_SHORT[length], text)
        elif length < 1 << 16:
            parts += (_LONG, length.to_bytes(2, "big"), text)
        else:
            parts += (_LONGER, length.to_bytes(8, "big"), text)
    return b"".join(parts)


class FrameReader:
    """Splits what a client sends into its messages and the bytes that the library has to read."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        #: The longest frame whose length is in its second byte.
        self._short = _HEAD + min(max_size, _TWO_BYTES - 1)
        #: The start of a frame that has not come whole.
        self._rest = b""
        #: Whether the library reads all that comes.
        self._is_over = False

    def read(self, data: bytes) -> list[tuple[bool, bytes]]:
        """Return what is complete, in order: True and a message, or False and other bytes."""
        if self._is_over:
            return [(False, data)]
        end = len(data)
        if self._rest:
            data = self._rest + data
            end = len(data)
        elif _HEAD <= end <= self._short and data[0] == _TEXT and data[1] == _MASKED | end - _HEAD:
            return [(True, apply_mask(data[_HEAD:], data[2:_HEAD]))]  # the usual: one whole frame
        parts, start = [], 0
        while start < end:
            is_message, payload, after = self._frame(data, start)
            if after > end:
                break
            if is_message:
                parts.append((True, apply_mask(data[payload:after], data[payload - 4 : payload])))
            else:
                parts.append((False, data[start:after]))
            start = after
        self._rest = data[start:]
        return parts

    def take_rest(self) -> bytes:
        """Return the start of a frame that has not come whole; the library reads on from there."""
        rest, self._rest, self._is_over = self._rest, b"", True
        return rest

    def _frame(self, data: bytes, start: int) -> tuple[bool, int, int]:
        """Return whether a frame is a message, where its payload starts, and where it ends.

        It ends after the data if it has not come whole, and with the data if it is of a kind that
        we do not read.
        """
        end = len(data)
        if end < start + 2:
            return False, 0, end + 1
        kind, second = data[start], data[start + 1]
        length, payload = second & _LENGTH, start + _HEAD
        if length == _TWO_BYTES:
            if end < start + 4:
                return False, 0, end + 1
            length, payload = data[start + 2] << 8 | data[start + 3], start + 8
        is_message = kind == _TEXT and second & _LENGTH != _EIGHT_BYTES
        is_ours = is_message or (kind in (_PING, _PONG) and second & _LENGTH < _TWO_BYTES)
        if not is_ours or not second & _MASKED or length > self._max_size:
            self._is_over = True
            return False, 0, end
        return is_message, payload, payload + length
