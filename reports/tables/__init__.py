"""Outcome tables: a row a sample, a column a sample, a list or the counts of each question."""

from reports.tables.own.canonical import SUFFIXES, write
from reports.tables.reader import read, sniff, tables_of

__all__ = ["SUFFIXES", "read", "sniff", "tables_of", "write"]
