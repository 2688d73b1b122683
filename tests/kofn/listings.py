"""The subcommands that print what is found of every run."""

from kofn.command import SUBCOMMANDS

OTHERS = ("serve", "convert", "repair", "report", "tools", "completion")
LISTINGS = [name for name in SUBCOMMANDS if name not in OTHERS]
OF_EACH = [name for name in LISTINGS if name not in ("compare", "series")]
"""Those that have something to say of a run that is the only one of its dataset."""
