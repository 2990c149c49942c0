"""Games under many rules, and random play in them, for hypothesis."""

from dataclasses import replace

from hypothesis import strategies as st

from spider_solver.game.numberings import default_numbering, numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import (
    VARIANTS,
    WITH_SUITS,
    Rules,
    mrs_mop,
    simple_simon,
    spider,
    spiderette,
    tiny,
    will_o_the_wisp,
)

# The last of its three stock rows has two cards.
SHORT_ROW = Rules(name="short-row", pack="HS", packs=2, ranks=4, heights=(3, 3, 2))
SHORT_ROW_OPTIONAL_REMOVAL = replace(
    SHORT_ROW, name="short-row-optional-removal", optional_removal=True
)

TINY_RULES = (
    tiny(columns=4, ranks=3, suits=1, copies=4, hidden=1, rows=1),
    tiny(columns=4, ranks=4, suits=2, copies=2, hidden=1, rows=2),
    tiny(columns=3, ranks=5, suits=2, copies=2, hidden=2, rows=2),
    tiny(columns=4, ranks=6, suits=1, copies=4, hidden=2, rows=3),
    SHORT_ROW,
)

OTHER_GAMES = (spiderette(), will_o_the_wisp(), simple_simon(), mrs_mop())

FULL_RULES = (*map(spider, (1, 2, 3, 4)), *OTHER_GAMES)

TOO_WIDE = Rules(name="fourteen columns", pack="CDHS", heights=(3,) * 14)
"""Rules that the kernels do not know."""

PRESETS = tuple(
    preset(suits)
    for name, preset in VARIANTS.items()
    for suits in ((1, 2, 3, 4) if name in WITH_SUITS else (4,))
)


def with_options(rules: Rules) -> list[Rules]:
    """A game under each of the options that variants choose from, and all of them at once."""
    return [
        rules,
        replace(rules, name=f"{rules.name}-relaxed", deal_over_empty=True),
        replace(rules, name=f"{rules.name}-group-moves", group_moves=True),
        replace(rules, name=f"{rules.name}-optional-removal", optional_removal=True),
        replace(
            rules,
            name=f"{rules.name}-all-options",
            deal_over_empty=True,
            group_moves=True,
            optional_removal=True,
        ),
    ]


ALL_RULES = tuple(option for rules in (*TINY_RULES, *FULL_RULES) for option in with_options(rules))


GAMES = st.sampled_from(ALL_RULES)


def starts(rules: st.SearchStrategy[Rules] = GAMES) -> st.SearchStrategy[Position]:
    """Deals by number, in any of the games."""
    return st.builds(
        lambda rules, seed: numbered(default_numbering(rules), seed, rules),
        rules,
        st.integers(1, 31999),
    )


def play_randomly(position: Position, choices: list[int]) -> Position:
    """Play the legal move that each number picks, until none is left."""
    for choice in choices:
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(moves[choice % len(moves)])
    return position


def choices(max_size: int = 80) -> st.SearchStrategy[list[int]]:
    """Numbers that pick legal moves. Large ones, since the last legal move is often a deal."""
    return st.lists(st.integers(0, 2**16), max_size=max_size)


def positions(rules: st.SearchStrategy[Rules] = GAMES) -> st.SearchStrategy[Position]:
    """Positions of running games, in any of the games."""
    return st.builds(play_randomly, starts(rules), choices())
