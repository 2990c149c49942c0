"""Random boards that are accepted, whether play can lead to them or not.

Cards lie in any way that ``Position.check`` allows: covered complete runs, several of them in a
column, whole decks face up or face down, any stock and any runs completed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from spider_solver.game.cards import SUITS, Card, make_card, rank
from spider_solver.game.position import Column, Position, ends_in_run
from spider_solver.game.rules import VARIANTS, WITH_SUITS, Rules
from spider_solver.search.packing import UnsupportedRules
from tests.small_games import SMALL_GAMES_WITH_OPTIONS
from tests.strategies import TINY_RULES, with_options

MOST_COLUMNS = 13
MOST_ROWS = 15
MOST_CARDS = 208
"""What the kernels hold: columns, rows of the stock, cards."""

TINY_GAMES = tuple(option for rules in TINY_RULES for option in with_options(rules))
SMALL_GAMES = (*TINY_GAMES, *SMALL_GAMES_WITH_OPTIONS)


def variant_rules(variant: str, generator: Random) -> Rules:
    """A preset with one of the numbers of suits that it has."""
    return VARIANTS[variant](generator.choice((1, 2, 3, 4)) if variant in WITH_SUITS else 4)


def random_rules(generator: Random, most_cards: int = MOST_CARDS) -> Rules:
    """Rules of no game in particular, with at most so many cards, that the kernels hold."""
    while True:
        ranks = generator.randint(2, 13)
        pack = "".join(generator.choices(SUITS, k=generator.randint(1, 4)))
        packs = generator.randint(1, 4)
        if ranks * packs * len(pack) <= most_cards:
            break
    columns = generator.choice((generator.randint(2, 4), generator.randint(2, MOST_COLUMNS)))
    deck = ranks * packs * len(pack)
    least = max(0, deck - MOST_ROWS * columns)
    dealt = generator.choice((deck, generator.randint(least, deck), generator.randint(least, deck)))
    heights = Counter(generator.choices(range(columns), k=dealt))
    return Rules(
        name="random",
        pack=pack,
        packs=packs,
        ranks=ranks,
        heights=tuple(heights[column] for column in range(columns)),
        face_up=generator.randint(1, 5),
        deal_over_empty=generator.random() < 0.4,
        group_moves=generator.random() < 0.4,
        optional_removal=generator.random() < 0.4,
    )


def small_rules(generator: Random) -> Rules:
    """Rules of a game that brute force may settle: a tiny one, or a random one of few cards."""
    if generator.random() < 0.3:
        return generator.choice(SMALL_GAMES)
    return random_rules(generator, most_cards=generator.choice((8, 12, 16, 20, 26)))


SPREADS = ("all", "full", "stuck", "few", "skew", "one")
HIDINGS = ("none", "none", "few", "any", "deep")


@dataclass(frozen=True)
class Kind:
    """What kind of board is made.

    Attributes:
        runs: runs that are missing, unless the stock needs more.
        whole: of the missing runs, how many lie on the table whole: a share.
        covered: whether whole runs are laid early, so that other cards come to lie on them.
        stock: whether any stock may be left.
        spread: over which columns cards are laid: ``one``, ``few``, ``all``, all with most cards on
            few of them (``skew``), or all so that none is left empty (``full``) and, in ``stuck``,
            few cards can move: most last cards are of odd rank.
        hiding: how many cards of a column lie face down: none, few, any number, or all but one.
        run_face_up: whether no part of the first whole run of a column lies face down.
    """

    runs: int
    whole: float
    covered: bool
    stock: bool
    spread: str
    hiding: str
    run_face_up: bool


def random_kind(generator: Random, most_runs: int) -> Kind:
    """Any kind of board with at most so many missing runs."""
    return Kind(
        runs=generator.choice((generator.randint(1, most_runs), most_runs)),
        whole=generator.choice((0, 0.3, 0.6, 0.9)),
        covered=generator.random() < 0.7,
        stock=generator.random() < 0.7,
        spread=generator.choice(SPREADS),
        hiding=generator.choice(HIDINGS),
        run_face_up=generator.random() < 0.7,
    )


def random_board(rules: Rules, generator: Random, kind: Kind) -> Position:
    """A board of a kind, settled."""
    sizes = [*range(rules.stock_size, 0, -rules.columns), 0]
    stock_size = generator.choice([size for size in sizes if size <= kind.runs * rules.ranks])
    if not kind.stock:
        stock_size = 0
    runs = [suit for suit in range(len(SUITS)) for _ in range(rules.copies(suit))]
    generator.shuffle(runs)
    pieces, stock = _pieces(rules, generator, kind, runs[: kind.runs], stock_size)
    columns = _spread(rules, generator, kind, pieces)
    position = Position(
        rules,
        columns,
        _face_down(rules, generator, kind, columns),
        tuple(stock),
        completed=tuple(sorted(runs[kind.runs :])),
    )
    position.check()
    position = position.settled()
    position.check()
    return position


def _pieces(
    rules: Rules, generator: Random, kind: Kind, runs: Iterable[int], stock_size: int
) -> tuple[list[Column], list[Card]]:
    """The cards of these runs in pieces, some of them whole runs, and the stock."""
    stuck = kind.spread == "stuck"
    cut = 1 if stuck else generator.choice((0.05, 0.3, 0.6, 1))
    whole: list[Column] = []
    pieces: list[Column] = []
    for suit in runs:
        run = tuple(make_card(value, suit) for value in range(rules.ranks, 0, -1))
        if generator.random() < kind.whole:
            whole.append(run)
            continue
        first = 0
        for last in range(1, rules.ranks + 1):
            if last == rules.ranks or generator.random() < cut:
                pieces.append(run[first:last])
                first = last
    generator.shuffle(pieces)
    stock: list[Card] = []
    while len(stock) < stock_size:
        stock += pieces.pop() if pieces else whole.pop()
    if generator.random() < 0.7:
        generator.shuffle(stock)
    pieces += [(card,) for card in stock[stock_size:]]
    if not stuck and generator.random() < 0.4:
        pieces = _joined(generator, pieces)
    pieces += whole
    # Whole runs come early, so that they are covered, or at any time.
    early = 0.6 if kind.covered else 1
    order = [generator.random() * (early if len(piece) == rules.ranks else 1) for piece in pieces]
    if stuck:
        order = [
            place + (len(piece) == 1 and rank(piece[0]) % 2)
            for place, piece in zip(order, pieces, strict=True)
        ]
    ordered = sorted(zip(order, pieces, strict=True))
    return [piece for _, piece in ordered], stock[:stock_size]


def _joined(generator: Random, pieces: list[Column]) -> list[Column]:
    """Some of the pieces on other ones that they descend from, of any suit."""
    joined: list[Column] = []
    for piece in pieces:
        fitting = [
            place for place, below in enumerate(joined) if rank(below[-1]) == rank(piece[0]) + 1
        ]
        if fitting and generator.random() < 0.8:
            joined[generator.choice(fitting)] += piece
        else:
            joined.append(piece)
    return joined


def _spread(
    rules: Rules, generator: Random, kind: Kind, pieces: Sequence[Column]
) -> tuple[Column, ...]:
    """Pieces laid on columns, one after the other."""
    places = list(range(rules.columns))
    generator.shuffle(places)
    if kind.spread == "few":
        places = places[: generator.randint(1, rules.columns)]
    elif kind.spread == "one":
        places = places[:1]
    weights = [generator.random() ** 3 if kind.spread == "skew" else 1 for _ in places]
    columns: list[Column] = [()] * rules.columns
    free = [0] * rules.columns  # cards at the end of each column that no whole run needs
    for piece in pieces:
        place = generator.choices(places, weights)[0]
        columns[place] += piece
        free[place] = 0 if len(piece) == rules.ranks else free[place] + len(piece)
    if kind.spread in ("full", "stuck"):
        for place in range(rules.columns):
            others = [other for other in places if free[other] > 1]
            if not columns[place] and others:
                other = generator.choice(others)
                columns[place], columns[other] = columns[other][-1:], columns[other][:-1]
                free[place], free[other] = 1, free[other] - 1
    return tuple(columns)


def _face_down(
    rules: Rules, generator: Random, kind: Kind, columns: tuple[Column, ...]
) -> tuple[int, ...]:
    """How many cards of each column lie face down."""
    found = []
    for cards in columns:
        most = max(0, len(cards) - 1)
        down = {
            "none": 0,
            "few": generator.randint(0, min(3, most)),
            "any": generator.randint(0, most),
            "deep": most,
        }[kind.hiding]
        if kind.run_face_up:
            down = min([down, *_runs_at(cards, 0, rules.ranks)])
        found.append(down)
    return tuple(found)


def _runs_at(cards: Column, face_down: int, ranks: int) -> list[int]:
    """The depths at which complete runs begin in a column."""
    return [
        last - ranks
        for last in range(face_down + ranks, len(cards) + 1)
        if ends_in_run(cards[:last], face_down, ranks)
    ]


def covered_runs(position: Position) -> int:
    """Complete runs that lie face up under other cards."""
    ranks = position.rules.ranks
    return sum(
        start + ranks < len(cards)
        for cards, down in zip(position.columns, position.face_down, strict=True)
        for start in _runs_at(cards, down, ranks)
    )


def features(position: Position) -> list[str]:
    """What is remarkable about a board, by names to be counted."""
    rules = position.rules
    ranks = rules.ranks
    tables = list(zip(position.columns, position.face_down, strict=True))
    starts = [_runs_at(cards, down, ranks) for cards, down in tables]
    cards = sum(map(len, position.columns))
    there = {
        "covered run": covered_runs(position) > 0,
        "run on a run": any(start + ranks in places for places in starts for start in places),
        "several runs in a column": any(len(places) > 1 for places in starts),
        "run partly face down": any(
            down > start
            for cards, down in tables
            for start in _runs_at(cards, 0, ranks)
            if start + ranks > down
        ),
        "kept run": any(ends_in_run(cards, down, ranks) for cards, down in tables),
        "all in one column": cards > 1 and max(map(len, position.columns)) == cards,
        "whole deck face up": cards == rules.deck_size and not position.hidden,
        "over 63 face down": max(position.face_down) > 63,
        "over 103 cards": max(map(len, position.columns)) > 103,
        "empty column": bool(position.empty_columns),
        "stock": bool(position.stock),
        "short row": len(position.stock) % rules.columns > 0,
        "too few cards": bool(position.stock)
        and not rules.deal_over_empty
        and cards < rules.columns,
        "deal over empty": rules.deal_over_empty,
        "group moves": rules.group_moves,
        "optional removal": rules.optional_removal,
    }
    return [name for name, is_there in there.items() if is_there]


def board_from(seed: int | str, most_cards: int = MOST_CARDS) -> Position:
    """The board of a seed: of a preset, of a tiny game or of random rules."""
    generator = Random(seed)
    source = generator.choice(("variant", "tiny", "random", "random"))
    if source == "variant":
        rules = variant_rules(generator.choice(list(VARIANTS)), generator)
    elif source == "tiny":
        rules = generator.choice(SMALL_GAMES)
    else:
        rules = random_rules(generator, most_cards)
    return _open_board(rules, generator, rules.runs)


def small_board(seed: int | str) -> Position:
    """The board of a seed that brute force may settle, for it has few cards."""
    generator = Random(seed)
    rules = small_rules(generator)
    return _open_board(rules, generator, rules.runs)


def covered_board(variant: str, seed: int | str) -> Position:
    """The board of a seed under a preset: late, with a covered complete run."""
    generator = Random(seed)
    while True:
        rules = variant_rules(variant, generator)
        runs = min(rules.runs, generator.choice((2, 2, 2, 3, 4, 6)))
        spread = generator.choice(("one", "few", "full", "stuck", "stuck"))
        kind = random_kind(generator, runs)
        kind = replace(kind, runs=runs, whole=0.5, covered=True, spread=spread)
        position = random_board(rules, generator, kind)
        if covered_runs(position):
            return position


def tall_board(seed: int | str) -> Position:
    """The board of a seed with 104 cards, nearly all of them in one column, most face down."""
    generator = Random(seed)
    rules = variant_rules(generator.choice((*WITH_SUITS, "mrs-mop")), generator)
    spread = generator.choice(("one", "one", "skew"))
    hiding = generator.choice(("deep", "deep", "any"))
    kind = Kind(rules.runs, 0.3, True, False, spread, hiding, run_face_up=False)
    return random_board(rules, generator, kind)


def wide_board(seed: int | str) -> Position:
    """The board of a seed with 208 cards on thirteen columns and in up to fifteen rows."""
    generator = Random(seed)
    rules = Rules(
        name="wide",
        pack="".join(generator.choices(SUITS, k=4)),
        packs=4,
        heights=(1,) * MOST_COLUMNS,
        deal_over_empty=generator.random() < 0.5,
        group_moves=generator.random() < 0.5,
        optional_removal=generator.random() < 0.5,
    )
    return random_board(rules, generator, replace(random_kind(generator, 16), runs=16, stock=True))


def _open_board(rules: Rules, generator: Random, most_runs: int) -> Position:
    """A board of any kind; mostly one that is not won yet."""
    while True:
        position = random_board(rules, generator, random_kind(generator, most_runs))
        if not position.is_won or generator.random() < 0.1:
            return position


def check_each(boards: Iterable[Position], check: Callable[[Position], str]) -> Counter[str]:
    """Check boards, of which the check says what they are.

    Counts that, and with it what is remarkable about the boards; ``refused`` are those that the
    kernels do not hold. A board that fails is named by its rules and its code.
    """
    counts: Counter[str] = Counter()
    for position in boards:
        try:
            outcome = check(position)
        except UnsupportedRules:
            outcome = "refused"
        except Exception as error:
            error.add_note(f"{position.rules}\n{position.code}")
            raise
        counts[outcome] += 1
        counts.update(f"{outcome}: {feature}" for feature in features(position))
    return counts


def counts_text(counts: Counter[str]) -> str:
    """Counts as a log shows them."""
    return "; ".join(f"{kind} {counts[kind]}" for kind in sorted(counts))
