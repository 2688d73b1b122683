"""What the pages and the command share: the view, the words, the tables.

Matrices here are small: threads of linear algebra would wait for each other longer than they work,
and several visitors share a machine.
"""

import os

__version__ = "0.1.0"

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
