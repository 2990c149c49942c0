"""The commands, one a file: they parse, call and print.

What is slow to import (numba, pyarrow) is imported inside the commands, so that ``--help`` and
usage errors come at once.
"""
