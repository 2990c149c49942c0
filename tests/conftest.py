import signal
from collections.abc import Callable

import pytest
from hypothesis import settings

# Speed is measured in benchmarks/, never in tests.
settings.register_profile("spider", deadline=None)
settings.load_profile("spider")

# Ctrl-C is heard also where the tests run in the background, which shells begin without it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Prints a line past the capture of a test: what a long test did, in counts."""

    def show(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end="", flush=True)  # noqa: T201

    return show
