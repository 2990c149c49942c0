"""What people ask about a position: hints, reviews, explanations, shortest lines."""
