from collections.abc import Callable

import pytest
from hypothesis import settings

# Speed is measured in benchmarks/, never in tests.
settings.register_profile("spider", deadline=None)
settings.load_profile("spider")


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Prints a line past the capture of a test: what a long test did, in counts."""

    def show(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end="", flush=True)  # noqa: T201

    return show
