"""Bounding boxes: the first four numbers in brackets, and their overlap with the reference.

A box is (left, top, right, bottom).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

THRESHOLD = 0.5
SCALE = 1000.0
"""What models give as the width and height of any picture."""

_FOUR = re.compile(r"\[\s*" + r"\s*,\s*".join([r"(-?\d+(?:\.\d+)?)"] * 4) + r"\s*\]")


def overlap(
    answer: str,
    reference: Mapping[str, Any],
    scale: float = SCALE,
    clip: bool = True,
) -> float:
    """Return the intersection over the union of the stated box and the reference.

    answer: Text with a box in units of ``1 / scale`` of the picture.
    reference: ``bbox`` in pixels, ``image_width`` and ``image_height``.
    clip: Whether to cut the stated box off at the edge of the picture.
    Returns: In [0, 1]; 0 for no box, or one turned inside out.

    Examples
    --------
    >>> where = {"bbox": [0, 0, 50, 50], "image_width": 100, "image_height": 100}
    >>> overlap('{"bbox_2d": [0, 0, 500, 1000]}', where)
    0.5
    """
    match = _FOUR.search(answer.strip())
    if not match:
        return 0.0
    size = [float(reference["image_width"]), float(reference["image_height"])] * 2
    given = [
        float(number) / scale * side for number, side in zip(match.groups(), size, strict=True)
    ]
    if clip:
        given = [min(max(number, 0.0), side) for number, side in zip(given, size, strict=True)]
    right = [float(number) for number in reference["bbox"]]
    if given[2] <= given[0] or given[3] <= given[1]:
        return 0.0
    shared = _area([*map(max, given[:2], right[:2]), *map(min, given[2:], right[2:])])
    union = _area(given) + _area(right) - shared
    return shared / union if union > 0 else 0.0


def _area(box: Sequence[float]) -> float:
    left, top, right, bottom = box
    return max(0.0, right - left) * max(0.0, bottom - top)
