"""Results and Parquet: a data set is a folder of parts, one row a deal.

``row`` has the columns, ``settings`` what makes a set one; ``reading`` and ``writing`` touch
the files, and only they import pyarrow: the workers of a batch make rows without it.
"""
