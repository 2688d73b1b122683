"""What this server keeps for all its visitors: uploads for their time, and reports while in use."""

from __future__ import annotations

from kofn.apart.sharing import SharedReadings
from kofn.apart.watching import Watches
from reports.files.staying import Keeping

KEPT = Keeping.of()
READINGS = SharedReadings()
WATCHES = Watches()
EVERY = 5
"""Seconds after which it is looked again whose time is over."""
