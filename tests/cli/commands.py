"""Runs commands as a shell would see them."""

from io import BytesIO, TextIOWrapper
from typing import NamedTuple

import click
import pytest

from spider_solver.cli.common import run_command


class Ended(NamedTuple):
    """How a command ended."""

    code: int | str | None
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], command: click.Command, *arguments: object) -> Ended:
    """Run a command in this process."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as caught:
        run_command(command, [str(argument) for argument in arguments])
    return Ended(caught.value.code, *capsys.readouterr())


def piped(data: bytes) -> TextIOWrapper:
    """Standard input that comes from a pipe."""
    return TextIOWrapper(BytesIO(data))
