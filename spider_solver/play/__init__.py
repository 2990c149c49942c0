"""Play as people do: without seeing the cards that lie face down."""
