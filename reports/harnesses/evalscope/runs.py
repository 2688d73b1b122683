"""Turn the reviews and the report of one model on one benchmark into a run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.evalscope.layout import Benchmark
from reports.harnesses.evalscope.reviews import Reviews, counted, texts_in
from reports.harnesses.evalscope.stated import StatedReport, explanations, read_stated
from reports.run.naming import model_of
from reports.run.remarks import cut_short, without_report
from reports.run.report import Run
from reports.samples.gathering import gather
from reports.samples.verdict_choice import VerdictChooser

REVIEWS = Text(
    "Load the whole folder of the run: reviews/ holds the score of each generation, and "
    "evalscope eval --use-cache FOLDER --rerun-review writes them again from predictions/."
)
_MEANS_ONLY = Text("The report states means only. {what}", what=REVIEWS)


def runs_of(tree: Tree, benchmark: Benchmark, asking: VerdictChooser) -> Iterator[Run]:
    """Read one model on one benchmark."""
    notes: list[Note] = []
    stated = StatedReport()
    if benchmark.report:
        try:
            stated = read_stated(tree, benchmark.report)
        except (LoadError, *_UNEXPECTED) as error:
            what = error.within if isinstance(error, LoadError) else _OTHERWISE
            notes.append(Note(what, benchmark.report, severity="warning"))
    named = model_of(benchmark.path, stated=benchmark.model)
    notes += named.notes
    config = benchmark.config
    if config.problem:
        notes.append(Note(config.problem, config.path or "", severity="warning"))
    settings = config.settings(benchmark.name) if config.path else {"tool": "EvalScope"}
    run = partial(Run, named.model, benchmark.name, source=benchmark.path, time=benchmark.time)
    if not benchmark.reviews:
        notes.append(Note(_MEANS_ONLY, benchmark.path, severity="problem"))
        yield run(None, reported=stated.numbers, notes=tuple(notes), settings=settings)
        return
    repeats, questions, dividing = counted(tree, benchmark)
    reviews = Reviews(
        asking,
        repeats if config.repeats is None else config.repeats,
        stated.expected,
        ended=benchmark.report is not None,
        counted=stated.counted,
        dividing=dividing,
    )
    samples = reviews.samples(tree, benchmark)
    gathered = gather(samples, tree.name, benchmark.path, questions=questions)
    if reviews.unusable:
        what = Text(
            "{count} score was written though its metric could not be computed; it is left out.",
            "{count} scores were written though their metric could not be computed; they are left "
            "out.",
            count=reviews.unusable,
        )
        notes.append(Note(what, benchmark.path, reviews.unusable, "warning"))
    if reviews.others:
        notes.append(Note(_decides(reviews), benchmark.path))
    numbers = stated.numbers if reviews.metric == reviews.own else {}
    held, counts = sum(reviews.held.values()), sum(stated.counted.values())
    notes += cut_short(benchmark.path, held, counts, Text("generations"))
    if benchmark.report is None and config.path:
        notes.append(without_report(benchmark.path, held, Text("generations")))
    yield gathered.run(
        named.model,
        benchmark.name,
        source=benchmark.path,
        store=gathered.texts(tree, [*benchmark.reviews.values()], texts_in),
        reported=numbers,
        notes=notes,
        time=benchmark.time,
        settings=settings | {"evaluator": reviews.evaluator},
        explanations=dict(explanations(gathered, numbers, is_cut=reviews.is_cut)),
    )


def _decides(reviews: Reviews) -> Text:
    others = some_of(reviews.others, _SHOWN)
    if reviews.metric == reviews.own:
        return Text(
            "{metric} is the verdict, as in the reports of EvalScope; --column correct=NAME "
            "chooses another score: {others}.",
            metric=reviews.metric,
            others=others,
        )
    return Text(
        "{metric} is the verdict, as you chose. The reports of EvalScope state numbers of "
        "{own}, so kofn does not compare them with it.",
        metric=reviews.metric,
        own=reviews.own,
    )


_SHOWN = 4
_UNEXPECTED = (AttributeError, IndexError, KeyError, TypeError, ValueError)
_OTHERWISE = Text("Its layout is not that of the tool's reports, so its numbers are not checked.")
