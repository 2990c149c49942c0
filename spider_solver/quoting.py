"""How messages quote what they were given: in one line, however long and strange it is."""


def quoted(text: str, most: int = 40) -> str:
    """A text between quotation marks, what cannot be printed escaped, cut after ``most``."""
    return repr(text) if len(text) <= most else f"{text[:most]!r}..."
