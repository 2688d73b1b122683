"""Arrays by what they hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
"""Numbers; a docstring says of what shape."""
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
