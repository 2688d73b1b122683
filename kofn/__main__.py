"""``python -m kofn``."""

from kofn.process import start

start()
