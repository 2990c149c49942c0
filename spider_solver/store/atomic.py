"""Files that appear whole or not at all, and are never written through somebody else's link.

Names that the user gives are followed wherever they lead, as by any program. Files that this
program names itself are written under a random name first, and then replace whatever has their
name, link or not, in one step.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

TOKEN = "[0-9a-f]" * 16
"""What stands for the random part of a name in a pattern of ``glob``."""


@contextmanager
def new_file(path: Path, workshop: Path | None = None) -> Iterator[IO[bytes]]:
    """A file to write that becomes ``path`` when the context ends well, and is gone if it fails.

    Args:
        path: the file; what is there is replaced, a link itself and not what it points to.
        workshop: the folder where it is made, by default that of the file.

    Raises:
        OSError: it cannot be written.
    """
    name = f".{path.parent.resolve().name}.{path.name}.{secrets.token_hex(8)}.tmp"
    hidden = (workshop or path.parent) / name
    with hidden.open("xb") as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            hidden.replace(path)
        except BaseException:
            with suppress(OSError):
                hidden.unlink()
            raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Make the names of a folder outlast a loss of power, where that can be asked for."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def open_lock(path: Path) -> IO[bytes]:
    """Open a file to lock it; it is made if it is not there, and what is in it stays.

    Raises:
        OSError: it is a symbolic link or no plain file, or cannot be opened.
    """
    waits = getattr(os, "O_NONBLOCK", 0)  # for a pipe, whose other end may never come
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | waits
    try:
        file = os.fdopen(os.open(path, flags, 0o666), "r+b", buffering=0)
    except OSError as error:
        raise _link(path) if error.errno == errno.ELOOP else error from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise _not_plain(path)
    return file


def own_folder(path: Path) -> None:
    """Make a folder inside a data set, if it is not there.

    Raises:
        OSError: it is a symbolic link or no folder, or cannot be made.
    """
    if path.is_symlink():
        raise _link(path)
    path.mkdir(exist_ok=True)


def require_plain(path: Path) -> None:
    """Refuse what cannot be read to its end, such as a pipe or a device; links are followed.

    Raises:
        OSError: it is no plain file, or not there.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise _not_plain(path)


def _link(path: Path) -> OSError:
    return OSError(errno.ELOOP, "a symbolic link, which may lead anywhere: remove it", str(path))


def _not_plain(path: Path) -> OSError:
    return OSError(errno.EINVAL, "not a plain file", str(path))
