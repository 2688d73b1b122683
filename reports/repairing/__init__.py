"""Correct the wrong numbers of an AISBench report in a copy that keeps the original."""

from reports.repairing.finding import Number, Repair, can_repair, examine
from reports.repairing.writing import RepairedFile, write_folder, write_zip

__all__ = ["Number", "Repair", "RepairedFile", "can_repair", "examine", "write_folder", "write_zip"]
