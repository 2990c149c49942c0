"""All the compiled code: packed positions, moves, evaluation, tables and searches.

Start with :mod:`~spider_solver.kernels.layout`, which says where everything lies, then
:mod:`~spider_solver.kernels.columns` and :mod:`~spider_solver.kernels.expand`.
"""
