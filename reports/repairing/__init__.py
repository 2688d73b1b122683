"""Put the wrong numbers of a report of AISBench right, in a copy that keeps the original."""

from reports.repairing.finding import Number, Repair, can_repair, examine
from reports.repairing.writing import RepairedFile, write_folder, write_zip

__all__ = ["Number", "Repair", "RepairedFile", "can_repair", "examine", "write_folder", "write_zip"]
