"""The subcommands that print what is found of every run."""

from kofn.command import SUBCOMMANDS

LISTINGS = [name for name in SUBCOMMANDS if name not in ("serve", "convert")]
