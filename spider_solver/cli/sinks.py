"""Where `spider-deals` writes certified deals: text or JSON as they come, or a data set."""

import json
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Protocol, Self

from spider_solver.formats.board import write_board
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.game.words import count_words

if TYPE_CHECKING:
    from spider_solver.store.difficulties import DifficultyRow
    from spider_solver.store.row import Row
    from spider_solver.store.settings import Settings


class Sink(AbstractContextManager["Sink"], Protocol):
    """Takes certified deals, one at a time; what it took is kept however it is left."""

    def add(self, row: "Row", difficulty: "DifficultyRow") -> None:
        """Take one."""


class NumberList:
    """The deals' numbers, one a line."""

    def __init__(self, file: IO[str], rules: Rules) -> None:
        self._file = file
        self._rules = rules

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.flush()

    def add(self, row: "Row", difficulty: "DifficultyRow") -> None:
        """Write one."""
        print(self._text(row, difficulty), file=self._file, flush=True)

    def _text(self, row: "Row", difficulty: "DifficultyRow") -> str:
        return str(row.seed)


class BoardList(NumberList):
    """Board texts, each below comments with its number, difficulty and line."""

    def _text(self, row: "Row", difficulty: "DifficultyRow") -> str:
        name = f"{row.numbering} {row.seed}, {count_words(row.suits, 'suit')}"
        level = f"{difficulty.band}, difficulty {difficulty.score:.2f}"
        board = write_board(Position.from_code(row.deal, self._rules))
        harder = f"harder than {difficulty.easier} of 100 deals"
        won = f"won in {count_words(row.actions or 0, 'action')}: {row.line}"
        return f"# {name}: {level}, {harder}\n# {won}\n{board}"


class JsonArray(NumberList):
    """One JSON array, an object a line."""

    _written = 0

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        print("\n]" if self._written else "[]", file=self._file, flush=True)

    def add(self, row: "Row", difficulty: "DifficultyRow") -> None:
        """Write one."""
        print(",\n" if self._written else "[\n", end="", file=self._file)
        print(self._text(row, difficulty), end="", file=self._file, flush=True)
        self._written += 1

    def _text(self, row: "Row", difficulty: "DifficultyRow") -> str:
        names = ("score", "easier", "band", "beams_lost", "difficulty_nodes")
        level: dict[str, Any] = {name: asdict(difficulty)[name] for name in names}
        level["nodes"] = level.pop("difficulty_nodes")
        return json.dumps({**row.as_dict(), "difficulty": level})


class DataSet:
    """A data set that ``spider-verify`` checks, with the difficulties beside its rows.

    Deals that the set holds already are not written again.
    """

    def __init__(self, folder: Path, settings: "Settings", measure: str) -> None:
        from spider_solver.store.writing import SetWriter

        self._folder = folder
        self._measure = measure
        self._writer = SetWriter(folder, settings)
        self._stack = ExitStack()
        self._difficulties: list[DifficultyRow] = []

    def __enter__(self) -> Self:
        from spider_solver.store.reading import read_table
        from spider_solver.store.row import KEY_COLUMNS, Key

        with ExitStack() as stack:
            stack.enter_context(self._writer)
            columns = read_table(self._folder, KEY_COLUMNS).to_pydict()
            self._there = set(map(Key, *(columns[name] for name in KEY_COLUMNS)))
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        from spider_solver.store.difficulties import add_difficulties

        with self._stack:
            add_difficulties(self._folder, self._difficulties, self._measure)

    def add(self, row: "Row", difficulty: "DifficultyRow") -> None:
        """Take one, unless the set holds it."""
        if row.key not in self._there:
            self._writer.add([row])
            self._difficulties.append(difficulty)


TEXTS = {"numbers": NumberList, "board": BoardList, "json": JsonArray}
"""The formats that are text, by name."""
