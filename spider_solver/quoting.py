"""How messages quote what they were given: in one line, however long and strange it is."""


def quoted(text: str, most: int = 40) -> str:
    """A text between quotation marks, what cannot be printed escaped, cut after ``most``."""
    return repr(text) if len(text) <= most else f"{text[:most]!r}..."


def one_line(text: str, most: int = 500) -> str:
    """A text with what cannot be printed escaped, line ends too, cut after ``most``."""
    cut = text if len(text) <= most else f"{text[:most]}..."
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in cut)
