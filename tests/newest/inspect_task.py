"""Sums as a task of Inspect."""

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import match
from inspect_ai.solver import generate
from model import QUESTIONS, SAMPLES, question


@task
def sums() -> Task:
    """Ask each question several times, and compare the answer as it is."""
    asked = [
        Sample(question(a, b), target=str(a + b), id=f"q{row}")
        for row, (a, b) in enumerate(QUESTIONS)
    ]
    epochs = Epochs(SAMPLES, ["mean", "pass_at_2", "pass_k_2"])
    return Task(MemoryDataset(asked), solver=generate(), scorer=match("exact"), epochs=epochs)
