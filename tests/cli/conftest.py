import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _ctrl_c_is_ours_again() -> Iterator[None]:
    """Commands leave Ctrl-C ignored, as they end the program."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)
