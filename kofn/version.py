"""The version of kofn."""

VERSION = "0.1.0"
