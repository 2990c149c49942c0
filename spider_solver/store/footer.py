"""The footer of a Parquet file, moved: the one thing about growing a file that pyarrow cannot do.

A footer tells where in its file each column of each row group begins. Row groups that are copied
to the end of another file keep their bytes; only these places change. A footer is written in
Thrift's compact protocol, of which this knows what it takes to copy one and find the places
(thrift/doc/specs/thrift-compact-protocol.md; parquet.thrift of the Parquet format).
"""

from io import BytesIO
from typing import Any

import pyarrow.parquet as pq

MAGIC = b"PAR1"
"""How a Parquet file begins and ends."""

_BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _STRUCT = 3, 4, 5, 6, 7, 8, 9, 12
_BOOLEANS = (1, 2)

_PLACE = "place"
_COLUMN: dict[int, Any] = {9: _PLACE, 10: _PLACE, 11: _PLACE, 14: _PLACE}  # data, index,
# dictionary, bloom filter
_CHUNK = {2: _PLACE, 3: _COLUMN, 4: _PLACE, 6: _PLACE}
_FILE = {4: {1: _CHUNK, 5: _PLACE}}  # row groups: columns, place in the file


def split_footer(data: bytes) -> tuple[bytes, bytes]:
    """A Parquet file without its footer, and the footer."""
    size = int.from_bytes(data[-8:-4], "little")
    return data[: -8 - size], data[-8 - size : -8]


def with_frame(footer: bytes) -> bytes:
    """A footer as the end of a file has it: with its size, and the magic."""
    return footer + len(footer).to_bytes(4, "little") + MAGIC


def metadata_of(footer: bytes) -> Any:
    """What pyarrow makes of a footer."""
    return pq.read_metadata(BytesIO(MAGIC + with_frame(footer)))


def moved(footer: bytes, by: int) -> bytes:
    """The footer of row groups that stand ``by`` bytes further on in their file.

    Raises:
        ValueError: it is no footer, or of a kind that Parquet does not have yet.
    """
    copy = _Copy(footer, by)
    try:
        copy.struct(_FILE)
    except IndexError:
        raise ValueError("a footer that ends too early") from None
    return bytes(copy.out)


class _Copy:
    """A copy of a footer in the making.

    Args:
        data: the footer.
        by: what is added to places.
    """

    def __init__(self, data: bytes, by: int) -> None:
        self.out = bytearray()
        self._data = data
        self._at = 0
        self._by = by

    def struct(self, fields: Any) -> None:
        """Copy a struct; ``fields`` tells by number which are places or hold some."""
        number = 0
        while True:
            start = self._at
            head = self._skip(1)[0]
            kind = head & 15
            if kind and head >> 4:
                number += head >> 4
            elif kind:
                number = self._varint() >> 1  # zigzag; never negative
            self.out += self._data[start : self._at]
            if not kind:
                return
            if kind not in _BOOLEANS:  # their value is their kind
                self._value(kind, fields.get(number) if isinstance(fields, dict) else None)

    def _value(self, kind: int, what: Any) -> None:
        start = self._at
        if kind in (_I16, _I32, _I64):
            value = self._varint()
            if what is _PLACE and value:  # 0: there is none
                value += 2 * self._by  # zigzag
            self._put(value)
        elif kind == _STRUCT:
            self.struct(what)
        elif kind == _LIST:
            self._list(what)
        elif kind in (_BYTE, _DOUBLE, _BINARY):
            self._skip({_BYTE: 1, _DOUBLE: 8}.get(kind) or self._varint())
            self.out += self._data[start : self._at]
        else:
            raise ValueError(f"a footer with a value of kind {kind}")

    def _list(self, what: Any) -> None:
        start = self._at
        head = self._skip(1)[0]
        size = head >> 4 if head >> 4 < 15 else self._varint()
        self.out += self._data[start : self._at]
        kind = head & 15
        for _ in range(size):
            self._value(_BYTE if kind in _BOOLEANS else kind, what)

    def _skip(self, size: int) -> bytes:
        """The next bytes."""
        self._at += size
        if self._at > len(self._data):
            raise IndexError
        return self._data[self._at - size : self._at]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._skip(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def _put(self, value: int) -> None:
        while value >= 128:
            self.out.append(value & 127 | 128)
            value >>= 7
        self.out.append(value)
