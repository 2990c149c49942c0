"""The class of all errors of this package, and what tells want of resources from others."""

import errno

_SHORTAGES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


class SpiderError(Exception):
    """What this package raises on purpose; the message says in one line what is wrong.

    Most of these are a ``ValueError`` too.
    """


def is_shortage(error: BaseException) -> bool:
    """Whether an error says that memory, a thread or a file could not be had just now."""
    if isinstance(error, OSError) and error.errno in _SHORTAGES:
        return True
    return isinstance(error, MemoryError) or "temporarily unavailable" in str(error)
