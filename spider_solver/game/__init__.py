"""What Spider is, in plain Python: cards, rules, positions, moves and numbered deals."""
