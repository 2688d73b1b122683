"""Outcome tables, with a row or a column per sample, or a list or counts per question."""

from reports.tables.reader import read, sniff, tables_of
from reports.tables.writing.canonical import write
from reports.tables.writing.files import SUFFIXES

__all__ = ["SUFFIXES", "read", "sniff", "tables_of", "write"]
