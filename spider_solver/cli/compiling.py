"""Tells the user when the kernels have to be compiled first."""

from spider_solver.cli.common import say


def warm_up() -> None:
    """Compile the kernels if this machine has not yet, and say so."""
    from spider_solver import solver
    from spider_solver.kernels.jit import is_warm

    if not is_warm():
        say("compiling, once for this version (half a minute or so) ...")
    solver.warm_up()
