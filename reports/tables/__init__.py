"""Outcome tables: a row a sample, a column a sample, a list or the counts of each question."""

from reports.tables.reader import read, sniff, tables_of
from reports.tables.writing.canonical import write
from reports.tables.writing.files import SUFFIXES

__all__ = ["SUFFIXES", "read", "sniff", "tables_of", "write"]
