"""Closed sets as files: the proofs of a loss that a search of all positions or classes leaves.

A data set keeps them in its folder ``_proofs``, one Parquet file each, named after the SHA-256 of
its bytes: that is the certificate of the rows which rest on it. In the file is one column,
``position``: position codes with their columns in canonical order (``symmetry.in_order``), in the
order in which the search met them, the start first. ``closed_set.check_closed_set`` says what they
must hold to prove anything. A search of classes (:mod:`spider_solver.proofs.class_set`) leaves a
column ``class`` instead.
"""

import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from spider_solver.store.atomic import TOKEN, own_folder, require_plain
from spider_solver.store.reading import UNREADABLE, StoreError, first_line

PROOFS = "_proofs"
"""The folder of closed sets in the folder of a data set."""

POSITIONS = "position"
"""The column of a set of positions."""

CLASSES = "class"
"""The column of a set of classes of positions (:mod:`spider_solver.proofs.class_set`)."""

MOST_CLASSES = 4_000_000
"""Classes of the largest set that a run keeps; checking so many takes about an hour."""

_GROUP_POSITIONS = 20_000  # written and read at a time


def _schema(column: str) -> pa.Schema:
    return pa.schema([pa.field(column, pa.string(), nullable=False)])


def closed_set_path(folder: Path, certificate: str) -> Path:
    """Where a data set keeps the closed set of a certificate."""
    return folder / PROOFS / f"{certificate}.parquet"


def check_room_for_proofs(folder: Path) -> None:
    """Make the folder of closed sets, if there is none, and see that files can be put there.

    Args:
        folder: the data set.

    Raises:
        StoreError: they cannot; the line says what to do.
    """
    place = folder / PROOFS
    trial = place / f".{secrets.token_hex(8)}.tmp"
    try:
        own_folder(place)
        trial.touch(exist_ok=False)
        trial.unlink()
    except OSError as error:
        why = "not a folder" if isinstance(error, FileExistsError) else first_line(error)
        raise StoreError(
            f"{place}: {why}; no proof can be kept, put it right and run the same command again"
        ) from None


def write_closed_set(folder: Path, codes: Iterable[str], column: str = POSITIONS) -> str:
    """Write a closed set; never more than a small part of it is held in memory.

    The file gets its name once it is whole. The same positions make the same file, under the same
    version of pyarrow.

    Args:
        folder: the data set.
        codes: the codes of positions or classes.
        column: which they are, ``POSITIONS`` or ``CLASSES``.

    Returns:
        The certificate, the SHA-256 of the file.

    Raises:
        StoreError: the disk is full or fails.
    """
    unfinished = folder / PROOFS / f".{secrets.token_hex(8)}.tmp"
    remaining = iter(codes)
    try:
        own_folder(unfinished.parent)
        with (
            unfinished.open("xb") as file,
            pq.ParquetWriter(
                file,
                _schema(column),
                compression="zstd",
                use_dictionary=False,  # no code comes twice
                write_page_checksum=True,
            ) as writer,
        ):
            while group := list(islice(remaining, _GROUP_POSITIONS)):
                writer.write_table(pa.table([group], schema=_schema(column)))
            writer.close()
            file.flush()
            os.fsync(file.fileno())
        certificate = hash_of(unfinished)
        unfinished.replace(closed_set_path(folder, certificate))
    except (pa.ArrowException, OSError) as error:
        raise StoreError(f"{folder / PROOFS}: {first_line(error)}") from None
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return certificate


def clear_unfinished(folder: Path) -> None:
    """Remove the closed sets that killed runs left half-written."""
    if (folder / PROOFS).is_symlink():  # what it leads to is not ours
        return
    for path in (folder / PROOFS).glob(f".{TOKEN}.tmp"):
        with suppress(OSError):
            path.unlink()


def hash_of(path: Path) -> str:
    """The SHA-256 of a file.

    Raises:
        OSError: it is no plain file, or cannot be read.
    """
    require_plain(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class ClosedSet:
    """The codes of a closed-set file, read as often as they are asked for.

    Only a small part of the file is in memory at a time.

    Args:
        path: the file.
        column: what it must hold, ``POSITIONS`` or ``CLASSES``.

    Raises:
        StoreError: it is no closed-set file; on reading, too, it is damaged.
    """

    def __init__(self, path: Path, column: str = POSITIONS) -> None:
        self.path = path
        try:
            require_plain(path)
            schema = pq.read_schema(path)
        except UNREADABLE as error:
            raise StoreError(f"{path} cannot be read ({first_line(error)})") from None
        if not schema.equals(_schema(column), check_metadata=False):
            raise StoreError(f"{path} is not a closed set: it must hold one column, {column}")

    def __len__(self) -> int:
        return int(pq.read_metadata(self.path).num_rows)

    def __iter__(self) -> Iterator[str]:
        try:
            with pq.ParquetFile(self.path, page_checksum_verification=True) as file:
                for batch in file.iter_batches(_GROUP_POSITIONS):
                    yield from batch.column(0).to_pylist()
        except UNREADABLE as error:
            raise StoreError(f"{self.path} cannot be read ({first_line(error)})") from None
