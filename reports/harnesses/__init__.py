"""Readers of other tools' files, a module or package each; see docs/develop.md."""
