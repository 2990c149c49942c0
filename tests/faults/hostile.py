"""Folders that somebody with bad intent, or a bad disk, made of a data set."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ESCAPES = "\x1b[31m\x1b]0;mine\x07\x9b31m\u202e\r\nsecond line"
"""Text that a terminal must never see: colours, a title, C1, a change of direction, a new line."""

LONG = "long" * 5000
DEEP = "[" * 100_000

Change = Callable[[Path], None]
"""Changes a data set in place; beside it is a folder ``outside``."""


@dataclass(frozen=True)
class Hostile:
    """One folder.

    Attributes:
        name: what is wrong with it.
        change: makes it of a data set that is right.
        is_wrong: whether ``spider-verify`` must say so; else it may.
        folder: its name.
    """

    name: str
    change: Change
    is_wrong: bool = False
    folder: str = "set"


def part_of(folder: Path) -> Path:
    return max(folder.glob("part-*"), key=lambda path: path.stat().st_size)


def outside(folder: Path) -> Path:
    return folder.parent / "outside"


def rewritten(change: Callable[[Any], Any]) -> Change:
    """Change the Arrow table of a part."""

    def rewrite(folder: Path) -> None:
        path = part_of(folder)
        pq.write_table(change(pq.read_table(path, partitioning=None)), path)

    return rewrite


def with_metadata(**values: bytes) -> Change:
    def change(table: Any) -> Any:
        new = {name.encode(): value for name, value in values.items()}
        return table.replace_schema_metadata({**table.schema.metadata, **new})

    return rewritten(change)


def with_settings(text: str) -> Change:
    return with_metadata(settings=text.encode())


def with_setting(name: str, value: str) -> Change:
    """Give a setting a value, written as JSON or not quite."""

    def change(table: Any) -> Any:
        settings = json.loads(table.schema.metadata[b"settings"])
        rest = {other: settings[other] for other in settings if other != name}
        text = f"{json.dumps(rest)[:-1]}, {json.dumps(name)}: {value}}}"
        return table.replace_schema_metadata({**table.schema.metadata, b"settings": text.encode()})

    return rewritten(change)


def with_value(column: str, value: Any, **others: Any) -> Change:
    """Give all rows another value in a column, or in several."""

    def change(table: Any) -> Any:
        for name, new in {column: value, **others}.items():
            place = table.column_names.index(name)
            field = table.schema.field(name)
            cells = pa.array([new] * table.num_rows, field.type)
            table = table.set_column(place, field, cells)
        return table

    return rewritten(change)


def with_part(data: bytes) -> Change:

    def write(folder: Path) -> None:
        part_of(folder).write_bytes(data)

    return write


def truncated(folder: Path) -> None:
    path = part_of(folder)
    path.write_bytes(path.read_bytes()[:-40])


def doubled(folder: Path) -> None:
    shutil.copy(part_of(folder), folder / "part-twice.parquet")


def linked(name: str, target: str) -> Change:
    """Put a symbolic link in the place of a file or folder; ``part`` is that of the rows."""

    def link(folder: Path) -> None:
        path = part_of(folder) if name == "part" else folder / name
        removed(path)
        path.symlink_to(outside(folder) / target)

    return link


def removed(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def linked_part(folder: Path) -> None:
    """A part that is a link to a file that is right: it is read, and left alone."""
    path = part_of(folder)
    path.rename(outside(folder) / "part")
    path.symlink_to(outside(folder) / "part")


def device(folder: Path) -> None:
    path = part_of(folder)
    path.unlink()
    path.symlink_to("/dev/zero")


def pipe(name: str) -> Change:
    def make(folder: Path) -> None:
        path = part_of(folder) if name == "part" else folder / name
        removed(path)
        os.mkfifo(path)

    return make


def a_folder(name: str) -> Change:
    def make(folder: Path) -> None:
        path = part_of(folder) if name == "part" else folder / name
        removed(path)
        path.mkdir()
        (path / "file").write_text("mine")

    return make


def a_file(name: str, text: str = "mine") -> Change:

    def write(folder: Path) -> None:
        (folder / name).write_text(text)

    return write


def bare(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def no_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def only_a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("mine")


def only_a_pipe(folder: Path) -> None:
    shutil.rmtree(folder)
    os.mkfifo(folder)


def folder_of_sets(folder: Path) -> None:
    for number in range(20):
        (folder / f"{number}{ESCAPES}").mkdir()
        shutil.copy(part_of(folder), folder / f"{number}{ESCAPES}")
    part_of(folder).unlink()


def foreseen_names(folder: Path) -> None:
    """Links under every name that an earlier version wrote to."""
    names = [f".{folder.name}.reserve", f".{folder.name}.trial", f".{folder.name}._run.json.tmp"]
    names += [f".{folder.name}.{part_of(folder).name}.tmp", ".difficulty.parquet.tmp", "._proofs"]
    for place in (folder, folder.parent):
        for name in names:
            (place / name).symlink_to(outside(folder) / "file")


FIELDS = ("variant", "max_nodes", "time_limit", "shorten", "bound", "solver", "proofs")
VALUES = ("null", json.dumps(ESCAPES), "1.5", "-1", "true", "[]", "1e999", "NaN")
RIGHT = {("time_limit", "null"), ("time_limit", "1.5"), ("bound", "true"), ("proofs", "true")}


def forged_settings() -> Iterator[Hostile]:
    for text in ("null", "[]", "3", '"x"', "{}", "", "no JSON", "NaN", DEEP, '{"a":' * 9999):
        yield Hostile(f"settings {text[:9]!r}", with_settings(text), True)
    for name in FIELDS:
        for value in VALUES:
            wrong = (name, value) not in RIGHT
            yield Hostile(f"{name} = {value[:9]}", with_setting(name, value), wrong)
    yield Hostile("huge budget", with_setting("max_nodes", "9" * 4000), True)
    yield Hostile("huge time", with_setting("time_limit", "9" * 400), True)
    yield Hostile("later setting", with_setting("later", "7"))
    yield Hostile("deep later setting", with_setting("later", "[" * 500 + "]" * 500), True)
    yield Hostile("strange later setting", with_setting(ESCAPES, json.dumps(ESCAPES)))
    yield Hostile("long later setting", with_setting(LONG[:2000], json.dumps(LONG[:2000])))
    yield Hostile("huge settings", with_setting("later", json.dumps(LONG)), True)
    for version in (b"", b"99", b"9" * 5000, ESCAPES.encode(), b" 1", b"\xff"):
        yield Hostile(f"version {version[:5]!r}", with_metadata(schema_version=version), True)
    yield Hostile("huge metadata", with_metadata(mine=b"x" * 10**6))
    yield Hostile("no metadata", rewritten(lambda table: table.replace_schema_metadata(None)), True)


TEXTS = ("numbering", "variant", "deal", "status", "reason", "proof", "line", "certificate")


def forged_rows() -> Iterator[Hostile]:
    for name in (*TEXTS, "solver"):
        for text in (ESCAPES, LONG, ""):
            yield Hostile(f"{name} = {text[:5]!r}", with_value(name, text), True)
    numbers = {
        "seed": (-1, 0, 2**63 - 1, -(2**63)),
        "suits": (-5, 0, 127),
        "nodes": (-1, 2**63 - 1),
    }
    numbers |= {"expanded": (-1,), "attempts": (-1,), "actions": (-1, 2**31 - 1), "score": (-9,)}
    for name, values in numbers.items():
        for value in values:
            yield Hostile(f"{name} = {value}", with_value(name, value), True)
    for seconds in (float("nan"), float("inf"), -1.0):
        yield Hostile(f"seconds = {seconds}", with_value("seconds", seconds), True)
    lost = {"status": "lost", "line": None, "actions": None, "score": None, "reason": None}
    lost |= {"runs_completed": None, "rows_dealt": None}
    for certificate in ("../../outside/file", "../" * 3000, "/etc/passwd", ESCAPES, "ab" * 32):
        for proof in ("exhausted", "blockade"):
            forged = with_value("certificate", certificate, proof=proof, **lost)
            yield Hostile(f"{proof} {certificate[:9]!r}", forged, True)
    yield Hostile("rows twice", rewritten(lambda table: pa.concat_tables([table, table])), True)
    yield Hostile("parts twice", doubled, True)
    yield Hostile("no column", rewritten(lambda table: table.drop(["score"])), True)
    yield Hostile("only a key", rewritten(lambda table: table.select(["seed"])), True)
    more = rewritten(lambda table: table.append_column(ESCAPES, table["seed"]))
    yield Hostile("another column", more, True)
    other_names = rewritten(
        lambda table: table.rename_columns([f"{ESCAPES}{name}" for name in table.column_names])
    )
    yield Hostile("other names", other_names, True)
    as_text = rewritten(lambda table: table.set_column(1, "seed", table["seed"].cast(pa.string())))
    yield Hostile("seeds as text", as_text, True)


def forged_files() -> Iterator[Hostile]:
    for name in (
        ".lock",
        "_run.json",
        "_proofs",
        "_escalation",
        "_escalation.trash",
        "_difficulty",
    ):
        for target in ("file", "folder", "nothing"):
            yield Hostile(f"{name} -> {target}", linked(name, target))
        yield Hostile(f"{name} a pipe", pipe(name))
        yield Hostile(f"{name} a folder", a_folder(name))
        if name not in (".lock", "_run.json"):
            yield Hostile(f"{name} a file", a_file(name))
    yield Hostile("part -> part", linked_part)
    for target in ("file", "folder", "nothing"):
        yield Hostile(f"part -> {target}", linked("part", target), True)
    yield Hostile("part a device", device, True)
    yield Hostile("part a pipe", pipe("part"), True)
    yield Hostile("part a folder", a_folder("part"), True)
    yield Hostile("part cut off", truncated, True)
    for data in (b"", b"PAR1", ESCAPES.encode(), bytes(10_000), b"PAR1" + b"\xff" * 99 + b"PAR1"):
        yield Hostile(f"part {data[:5]!r}", with_part(data), True)
    texts: tuple[str, ...] = (
        "null",
        "[]",
        "3",
        "{}",
        DEEP,
        '{"runs": null}',
        '{"runs": {}}',
        '{"runs": "x"}',
    )
    texts += ('{"runs": [{"state": 1e999}]}', '{"runs": [NaN]}', '{"runs": [{"a": ' + DEEP)
    texts += ('{"runs": [[["a", 1]]]}', json.dumps({"runs": [{"state": ESCAPES}]}), "\x00")
    for text in texts:
        yield Hostile(f"_run.json {text[:30]!r}", a_file("_run.json", text))
    yield Hostile("a foreign file", a_file("mine.txt"), True)
    yield Hostile("a foreign file with escapes", a_file(f"mine{ESCAPES}"), True)
    yield Hostile("a part with escapes", a_file(f"part-{ESCAPES}.parquet"), True)
    yield Hostile("empty", bare, True)
    yield Hostile("not there", no_folder, True)
    yield Hostile("a file", only_a_file, True)
    yield Hostile("a pipe", only_a_pipe, True)
    yield Hostile("folder of sets", folder_of_sets, True)
    yield Hostile("foreseen names", foreseen_names)


def as_it_was(folder: Path) -> None:
    """Change nothing."""


def forged_names() -> Iterator[Hostile]:
    for name in (
        ESCAPES,
        "\u202eset",
        "\x9b",
        "it's",
        "a b",
        "-x",
        os.fsdecode(b"\xff"),
        "n" * 180,
    ):
        yield Hostile(f"named {name[:9]!r}", as_it_was, folder=name)
        yield Hostile(f"named {name[:9]!r}, wrong", truncated, True, folder=name)


SETTINGS = tuple(forged_settings())
ROWS = tuple(forged_rows())
FILES = tuple(forged_files())
NAMES = tuple(forged_names())
