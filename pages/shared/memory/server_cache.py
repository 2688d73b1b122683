"""What the server keeps for all visitors: uploads for their time, and reports while in use."""

from __future__ import annotations

from kofn.workers.sharing import SharedReadings
from kofn.workers.watching import Watches
from reports.files.stored_uploads import Keeping

KEPT = Keeping.of()
READINGS = SharedReadings()
WATCHES = Watches()
EVERY = 5
"""Seconds after which it is looked again whose time is over."""
