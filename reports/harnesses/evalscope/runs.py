"""One model on one benchmark: from its reviews and its report to a run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.evalscope.layout import Benchmark
from reports.harnesses.evalscope.reviews import Reviews, counted, said
from reports.harnesses.evalscope.stated import Stated, explanations, read_stated
from reports.run.report import Run
from reports.samples.gathering import gathered
from reports.samples.texts import RecordTexts

REVIEWS = Text(
    "Load the whole folder of the run: reviews/ holds the score of each generation, and evalscope "
    "eval --use-cache FOLDER --rerun-review writes them anew of predictions/."
)
_MEANS_ONLY = Text("The report states means only. {what}", what=REVIEWS)

_NO_MODEL = Text("Neither a folder nor the reviews name the model; the file's name stands for it.")


def runs_of(tree: Tree, benchmark: Benchmark) -> Iterator[Run]:
    """Read one model on one benchmark.

    Raises
    ------
    LoadError
        If neither its reviews nor its report can be read.
    """
    notes: list[Note] = []
    stated = Stated()
    if benchmark.report:
        try:
            stated = read_stated(tree, benchmark.report)
        except (LoadError, *_UNEXPECTED) as error:
            what = error.within if isinstance(error, LoadError) else _OTHERWISE
            notes.append(Note(what, benchmark.report, severity="warning"))
    if not benchmark.is_named:
        notes.append(Note(_NO_MODEL, benchmark.path))
    config = benchmark.config
    if config.problem:
        notes.append(Note(config.problem, config.path or "", severity="warning"))
    settings = config.settings(benchmark.name) if config.path else {"tool": "EvalScope"}
    run = partial(Run, benchmark.model, benchmark.name, source=benchmark.path, time=benchmark.time)
    if not benchmark.reviews:
        notes.append(Note(_MEANS_ONLY, benchmark.path, severity="problem"))
        yield run(None, reported=stated.numbers, notes=tuple(notes), settings=settings)
        return
    repeats, questions = counted(tree, benchmark)
    reviews = Reviews(
        repeats if config.repeats is None else config.repeats,
        stated.expected,
        ended=benchmark.report is not None,
    )
    samples = reviews.samples(tree, benchmark)
    found = gathered(samples, tree.name, benchmark.path, questions=questions)
    if reviews.unusable:
        what = Text(
            "{count} score was written though its metric could not be computed; it is left out.",
            "{count} scores were written though their metric could not be computed; they are left "
            "out.",
            count=reviews.unusable,
        )
        notes.append(Note(what, benchmark.path, reviews.unusable, "warning"))
    paths = list(benchmark.reviews.values())
    yield found.run(
        benchmark.model,
        benchmark.name,
        source=benchmark.path,
        store=RecordTexts(tree.keep(), paths, said, found.records, found.slots),
        reported=stated.numbers,
        notes=notes,
        time=benchmark.time,
        settings=settings | {"evaluator": reviews.metric},
        explanations=dict(explanations(found, stated.numbers)),
    )


_UNEXPECTED = (AttributeError, IndexError, KeyError, TypeError, ValueError)
_OTHERWISE = Text("It is not laid out as the tool's reports are, so its numbers are not checked.")
