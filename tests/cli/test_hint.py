import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from spider_solver import Deal, Position
from spider_solver.cli.hint import hint
from spider_solver.formats.board import write_board
from spider_solver.formats.detect import FORMATS
from spider_solver.game.notation import parse_line
from spider_solver.proofs.check import verify_line
from spider_solver.show.text import position_text
from tests.case_files import FOLDER, case
from tests.cli.commands import Ended, piped, run

CASE_161 = next(FOLDER.glob("161-*.txt"))
CASE_212 = next(FOLDER.glob("212-*.txt"))
DEAL = ("--seed", 3, "--suits", 1)
START = Deal.numbered(3, suits=1).position


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answered(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ended:
    ended = run(capsys, hint, *arguments)
    assert ended.code == 0, ended.err
    return ended


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answered(capsys, *arguments, "--json").out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ended:
    ended = run(capsys, hint, *arguments)
    assert ended.code != 0
    assert ended.out == ""
    return ended


def test_a_hint_with_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    out = answered(capsys, CASE_161).out
    game, _, stock, *picture, _, words, certainty = out.splitlines()
    assert game == "board, spider, 1 suit"
    assert stock == " no stock    7 of 8 runs completed: ♠ ♠ ♠ ♠ ♠ ♠ ♠"
    assert "[" in "\n".join(picture)
    assert words.startswith("move ")
    assert words.endswith("`")
    assert certainty == "won: a proved line, 9 actions to go"
    assert "\033" not in out


def test_the_trap(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, CASE_212)["move"] != "ba1"


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_boards_in_any_format(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: Any
) -> None:
    text = form.write(case("161"))
    Path("board").write_text(text, encoding="utf-8")
    from_file = answer(capsys, "board")
    monkeypatch.setattr(sys, "stdin", piped(text.encode()))
    assert answer(capsys, "-")["move"] == from_file["move"]
    assert from_file["position"] == case("161").code


def test_a_position_code(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, case("161").code)
    assert (found["status"], found["actions"]) == ("won", 9)


def test_a_numbered_deal_and_its_moves(capsys: pytest.CaptureFixture[str]) -> None:
    first = answer(capsys, *DEAL)
    line = parse_line(first["line"])
    assert verify_line(START, line).actions == first["actions"]
    played = first["line"].rsplit(" ", 40)[0]
    out = answered(capsys, *DEAL, "--line", played).out
    assert out.startswith(f"kpat 3, spider, 1 suit, after {len(played.split())} actions\n")
    Path("played.txt").write_text(played.replace(" ", "\n"))
    assert answered(capsys, *DEAL, "--line", "played.txt").out == out
    other = answer(capsys, *DEAL, "--numbering", "pysol")
    assert other["position"] == Deal.numbered(3, suits=1, numbering="pysol").position.code


def test_a_number_that_only_pysolfc_has(capsys: pytest.CaptureFixture[str]) -> None:
    game = ("--numbering", "pysol", "--seed", 27380765364592631808, "--suits", 1)
    out = answered(capsys, *game).out
    assert out.startswith("pysol 27380765364592631808, spider, 1 suit\n")
    start = Deal.numbered(27380765364592631808, suits=1, numbering="pysol").position
    assert answer(capsys, *game)["position"] == start.code


def test_the_next_moves(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, CASE_161, "--count", 4)
    assert [move["move"] for move in found["next"]] == found["line"].split()[:4]
    out = answered(capsys, CASE_161, "--count", 40).out
    assert [line.split()[1] for line in out.splitlines()[-9:]] == found["line"].split()


def test_the_whole_line(capsys: pytest.CaptureFixture[str]) -> None:
    ended = answered(capsys, CASE_161, "--line-out", "won.txt")
    assert ended.err == "9 actions written to won.txt\n"
    verify_line(case("161"), parse_line(Path("won.txt").read_text()))
    last = answered(capsys, CASE_161, "--line-out", "-").out.splitlines()[-1]
    assert f"{last}\n" == Path("won.txt").read_text()
    assert "no/such: " not in last
    assert "No such file" in run(capsys, hint, CASE_161, "--line-out", "no/such").err


def test_open_and_lost(capsys: pytest.CaptureFixture[str]) -> None:
    hard = ("--seed", 28241, "--numbering", "pysol", "--max-nodes", 500)
    ended = answered(capsys, *hard, "--line-out", "won.txt")
    assert "\nopen: neither won nor lost is proved within 500 nodes; this is the best" in ended.out
    assert ended.err == "no line is written: the position is open\n"
    assert not Path("won.txt").exists()
    found = answer(capsys, "--seed", 14934, "--numbering", "pysol")
    assert (found["status"], found["move"], found["proof"]) == ("lost", None, "blockade")
    assert found["next"] == []


def test_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    for budget in (("--effort", "quick"), ("--max-nodes", "1M"), ("--time-limit", 30)):
        assert answer(capsys, CASE_161, *budget)["status"] == "won"


# --follow


def test_following_keeps_the_promise(capsys: pytest.CaptureFixture[str]) -> None:
    position = START
    played: list[str] = []
    promised = None
    while not position.is_won and len(played) < 12:
        found = answer(capsys, *DEAL, "--line", " ".join(played), "--follow", "game")
        promised = promised or found["actions"]
        assert found["actions"] <= promised - len(played)
        assert (found["nodes"] == 0) == bool(played)
        played.append(found["move"])
        position = position.play(parse_line(found["move"])[0])
    assert len(json.loads(Path("game").read_text())["lines"]) == 1


def test_following_after_leaving_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    first = answer(capsys, *DEAL, "--follow", "game")
    aside = next(move for move in START.legal_moves() if str(move) != first["move"])
    second = answer(capsys, *DEAL, "--line", aside, "--follow", "game")
    assert second["nodes"] > 0
    assert answer(capsys, *DEAL, "--follow", "game")["line"] == first["line"]
    assert answer(capsys, *DEAL, "--line", aside, "--follow", "game")["line"] == second["line"]
    # lines of another game are left alone
    assert answer(capsys, CASE_212, "--follow", "game")["nodes"] > 0
    assert len(json.loads(Path("game").read_text())["lines"]) == 3


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"lines": 7}', '{"lines": [7]}', "\0\ufffd"])
def test_a_file_that_follow_did_not_write(capsys: pytest.CaptureFixture[str], text: str) -> None:
    Path("game").write_text(text)
    message = "Error: game was not written by --follow: give another file\n"
    assert refused(capsys, CASE_161, "--follow", "game").err == message
    assert Path("game").read_text() == text


def test_a_false_line_is_not_followed(capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, CASE_161, "--follow", "game")
    saved = json.loads(Path("game").read_text())
    saved["lines"][0]["line"] = "ba2"
    Path("game").write_text(json.dumps(saved))
    err = refused(capsys, CASE_161, "--follow", "game").err
    assert err == ("Error: game: line 1 of the game: after 1 actions 7 of 8 runs are complete\n")


# --review


def test_a_review(capsys: pytest.CaptureFixture[str]) -> None:
    out = answered(capsys, CASE_212, "--line", "af1 fa1 ba1 dc1", "--review").out
    assert out.startswith("board, spider, 4 suits, after 2 of 4 actions\n")
    assert position_text(case("212"), mark=parse_line("ba1")[0]) in out
    assert "\nwon after 2 actions: a proved line, " in out
    assert "\nlost after 3 actions: proved, " in out
    assert "\ngiven away by action 3: move A♠ from column b to column a, which completes" in out
    found = answer(capsys, CASE_212, "--line", "af1 fa1 ba1 dc1", "--review")
    assert (found["won_until"], found["lost_from"]) == (2, 3)
    assert (found["losing_actions"], found["given_away"]) == ([3, 3], "ba1")
    assert Position.from_code(found["position"]) == case("212")


def test_a_review_that_accuses_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    played = ("--seed", 2, "--line", "deal deal", "--review", "--max-nodes", "500k")
    out = answered(capsys, *played).out
    assert out.startswith("kpat 2, spider, 4 suits, after 1 of 2 actions\n")
    found = answer(capsys, *played)
    after = Deal.numbered(2, suits=4).position.play(parse_line("deal")[0])
    assert found["position"] == after.code
    assert position_text(after, mark=parse_line(found["line"])[0]) in out
    assert (found["won_until"], found["lost_from"]) == (1, None)
    assert (found["losing_actions"], found["given_away"]) == (None, None)
    assert "not known whether the game was given away by action 2: position 2 is open" in out


def test_a_review_of_a_won_game(capsys: pytest.CaptureFixture[str]) -> None:
    line = answer(capsys, CASE_161)["line"]
    out = answered(capsys, CASE_161, "--line", line, "--review").out
    assert out.splitlines()[-1] == "won in 9 actions: nothing was given away"


# What is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "which game? Give a board (a file, - or a position code) or --seed"),
        (("none.txt",), "none.txt: No such file or directory"),
        ((START.code, "--seed", 4), "no table of kpat 4: card 2 of column a is KS, but the"),
        ((CASE_161, "--numbering", "kpat"), "--numbering goes with --seed"),
        ((CASE_161, "--suits", 4), "copies of "),
        ((CASE_161, "--line", "xyz"), "--line: move 1: 'xyz' is no move"),
        ((CASE_161, "--line", "ab2"), "--line: action 1 (ab2): illegal move ab2: "),
        ((*DEAL, "--line", "/"), "--line: move 1: '/' is no move"),
        ((*DEAL, "--line", "no/such.txt"), "--line: there is no file 'no/such.txt'"),
        ((CASE_161, "--review"), "--review needs the moves of the game: --line"),
        ((CASE_161, "--review", "--line", "ba2", "--count", 2), "--review goes with none of"),
        ((CASE_161, "--effort", "deep", "--max-nodes", 5), "exclude each other"),
        (("--seed", 2**40), "kpat numbers its deals from 1 to 2147483647 (pysol goes on to"),
        (("--seed", 0), "'0': must be at least 1"),
        (("--seed", 10**20 + 1), "must be at most 100000000000000000000"),
        (("--seed", "9" * 1000), "99'...: must be at most 100000000000000000000"),
        ((CASE_161, "--line-out", ""), "'--line-out': the name is empty"),
        ((CASE_161, "--follow", ""), "'--follow': the name is empty"),
        ((CASE_161, "--json", "--line-out", "-"), "--json has the line already: leave out"),
        (("",), "the name of the file is empty: give a file, or - for standard input"),
        (("ab/cd - -",), "position code: column a: unknown card 'ab'"),
    ],
)
def test_wrong_usage(
    capsys: pytest.CaptureFixture[str], arguments: tuple[object, ...], message: str
) -> None:
    err = refused(capsys, *arguments).err
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err


def test_a_bad_line_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("played.txt").write_text("ba2 nonsense")
    err = refused(capsys, CASE_161, "--line", "played.txt").err
    assert err.startswith("Error: played.txt: move 2: 'nonsense' is no move")


def test_unknown_cards(capsys: pytest.CaptureFixture[str]) -> None:
    Path("board.txt").write_text(re.sub("<..>", "??", write_board(START)))
    err = refused(capsys, "board.txt", "--count", 2).err
    assert err.startswith("Error: board.txt: 44 cards cannot be known, so nothing can be proved: ")


def test_what_is_too_long_for_a_file_name(capsys: pytest.CaptureFixture[str]) -> None:
    ended = refused(capsys, "--seed", 17, "--line", "x" * 5000)
    assert "--line: move 1: 'xxxx" in ended.err
    assert len(ended.err) < 300
    ended = refused(capsys, "x" * 5000)
    assert ended.err.endswith("xxx...: File name too long\n")
    assert len(ended.err) < 500
