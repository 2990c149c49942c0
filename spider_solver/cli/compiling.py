"""Tells the user when the kernels have to be compiled first."""

from spider_solver.cli.common import say
from spider_solver.cli.signals import ending_on_signal


def warm_up() -> None:
    """Compile the kernels if this machine has not yet, and say so.

    Ctrl-C and SIGTERM end the program at once, in a batch as well: nothing is under way yet.
    """
    from spider_solver.kernels.jit import is_warm
    from spider_solver.search import solver

    if not is_warm():
        say("compiling, once for this version (a minute or so) ...")
    with ending_on_signal():
        solver.warm_up()
