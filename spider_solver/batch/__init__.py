"""Many deals in, rows out: in any order, on any executor, restartable."""
