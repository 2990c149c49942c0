"""Pictures of the game: terminal text, SVG, and a page that replays a line."""
