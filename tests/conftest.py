import signal
from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

# Speed is measured in benchmarks/, never in tests.
settings.register_profile("spider", deadline=None)
settings.load_profile("spider")


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard() -> Iterator[None]:
    """Begin each test with Python's own Ctrl-C: a command ends deaf to it, as do shells' jobs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before or signal.default_int_handler)


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Prints a line past the capture of a test: what a long test did, in counts."""

    def show(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end="", flush=True)  # noqa: T201

    return show
