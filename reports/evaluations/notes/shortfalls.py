"""Notes on missing or surplus requests, samples and files of a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from metrics.data.words import Text, some_of
from reports.evaluations.files.config import ConfiguredRun
from reports.evaluations.files.layout import Pair
from reports.evaluations.files.predictions import Answered
from reports.evaluations.notes.findings import SHOWN
from reports.evaluations.order import RecordOrder
from reports.evaluations.verdicts.failures import keeps_failures
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.joining import Joined
from reports.evaluations.verdicts.stated import stated_samples
from reports.extras import installing
from reports.files.notes import Note
from reports.rescoring.rules import keeps_nothing, lacks_library

TESTS_NOTHING = "HumanevalXEvaluator"
"""The evaluator that reads its samples before they are written."""


def folder_notes(models: Sequence[str]) -> Iterator[Note]:
    """Say where the names of models are from, where no folder of a run has them."""
    if models:
        what = Text(
            "There is no folder named results or predictions, so kofn takes the names of the "
            "files' folders as models: {models}.",
            models=some_of(models, SHOWN),
        )
        yield Note(what)


def absent_notes(pairs: Iterable[str], count: int, configs: Sequence[str]) -> Iterator[Note]:
    """Say what the configuration asks for and the report lacks, and how many pairs that is."""
    if count:
        what = Text(
            "The configuration also asks for {pairs}, but the report holds neither predictions nor "
            "results of it.",
            pairs=some_of(pairs, SHOWN),
        )
        yield Note(what, configs[0], count, "warning")


def foreign_predictions(count: int, looked_at: int, where: str) -> Note:
    """Say that the predictions are not those that were judged."""
    what = Text(
        "These are not the predictions that were judged, or their order differs: {count} of the "
        "{looked_at} that kofn checked do not match the answers in the details. Perhaps the "
        "files of two models were swapped. kofn relies on the details, shows none of these "
        "predictions and cannot tell which requests failed.",
        count=count,
        looked_at=looked_at,
    )
    return Note(what, where, count, "warning")


def unplaced_note(where: str) -> Note:
    """Say that nothing tells which sample a prediction is."""
    what = Text(
        "It is unknown which predictions belong to the same question, so kofn shows none of "
        "them and cannot tell which requests failed."
    )
    return Note(what, where, severity="warning")


def request_notes(
    grades: Grades,
    joined: Joined,
    answered: Answered | None,
    order: RecordOrder | None,
    asked: ConfiguredRun,
    pair: Pair,
    verified: bool | None,
    lone: bool,
    where: str,
) -> Iterator[Note]:
    """Say what became of the requests."""
    n = grades.verdicts.shape[1]
    if answered is not None and order is not None:
        if count := int(joined.lost.sum()):
            what = Text(
                "The predictions are incomplete: {count} of {requests} are missing, although "
                "the details hold their answers. kofn relies on the details, shows no "
                "predictions of these questions and cannot tell which requests failed. Copy the "
                "file again in full.",
                count=count,
                requests=joined.lost.size,
            )
            yield Note(what, pair.judged_predictions[0], count, "warning")
        lacking, borne_out = int(joined.failed.sum()), grades.rule is None or verified is not False
        yield from _on_counts(lacking, joined.failed.size, answered, order.per_id, pair, borne_out)
    elif not pair.predictions:
        yield _no_predictions(lone, where)
    if asked.n is not None and asked.n != n and grades.grouping.known != "unknown":
        what = Text(
            "The newest configuration asks for {configured} samples of each question, but the "
            "results hold {n}; kofn relies on the results.",
            configured=asked.n,
            n=n,
        )
        yield Note(what, where, severity="warning")
    if asked.n is None and n > 1 and not grades.judged and grades.rule is None:
        what = Text(
            "The report does not state how many samples a question has. kofn assumes {n}, "
            "because prompts and references repeat that often.",
            n=n,
        )
        yield Note(what, where)


def no_outcomes_notes(
    asked: ConfiguredRun, pair: Pair, has_details: bool, run_id: str | None, where: str
) -> Iterator[Note]:
    """Say how to get verdicts."""
    n, evaluator = asked.n or 1, asked.evaluator
    if pair.results is None and keeps_failures(evaluator) and n > 1:
        what = Text(
            "There are predictions but no results. With {n} samples per question, the evaluator "
            "of BFCL keeps only the wrong ones, and AISBench then fails with a replication "
            "length mismatch unless their number is a multiple of {n}. Evaluating again does "
            "not help. Run it {n} times with num_return_sequences=1 and --dump-eval-details, "
            "and give all outcomes in one Parquet table.",
            n=n,
        )
    elif pair.results is not None and evaluator == TESTS_NOTHING:
        what = Text(
            "The evaluator of HumanEval-X reads its file of samples before the file is written, "
            "so it tests nothing and states 0 %, whatever the answers are. Evaluating again "
            "does not help. Test the programs yourself and give the outcomes as a Parquet table "
            "with columns question_id, sample and correct."
        )
    elif keeps_nothing(asked.dataset.evaluation):
        what = Text(
            "{evaluator} keeps no scores of samples, not even with --dump-eval-details, and kofn "
            "cannot compute them, so evaluating again does not help. Score the predictions "
            "yourself and give the scores as a Parquet table with columns question_id, sample and "
            "score.",
            evaluator=evaluator or "",
        )
    elif has_details:
        what = _no_verdicts(evaluator)
    else:
        what = _no_details(pair, evaluator, run_id)
    yield Note(what, where, severity="problem")
    if pair.predictions and lacks_library(evaluator):
        what = Text(
            "kofn can judge these predictions itself with the library math-verify, which is not "
            "installed. {installing}",
            installing=installing("math"),
        )
        yield Note(what, where, severity="warning")
    if run_id is None and not pair.predictions:
        yield _no_predictions(True, where)


def answered_notes(
    stated: Mapping[str, float], answered: Answered | None, asked: ConfiguredRun, pair: Pair
) -> Iterator[Note]:
    """Say which requests failed as far as predictions without verdicts tell."""
    if answered is not None:
        n = stated_samples(stated) or asked.n or int(answered.counts.max())
        per_id = asked.per_id(n, answered.numbered)
        requests = len(answered.counts) * per_id
        yield from _on_counts(answered.missing(per_id), requests, answered, per_id, pair, True)


def _on_counts(
    lacking: int, requests: int, answered: Answered, per_id: int, pair: Pair, borne_out: bool
) -> Iterator[Note]:
    """Say how many requests have no line, and why if what is stated bears it out."""
    warn = partial(Note, where=pair.judged_predictions[0], severity="warning")
    for place in answered.torn:
        what = Text(
            "The last line is incomplete: the tool was stopped, or the file was not copied in "
            "full. Its prediction is lost."
        )
        yield Note(what, place, 1, "warning")
    if (sent := answered.sent(per_id)) < per_id:
        what = Text(
            "The predictions hold {sent} samples of every question, but the evaluation counts "
            "{counted} and judges the others as empty answers. kofn uses the {sent} there are, so "
            "its numbers differ from the stated ones. Evaluate again with "
            "num_return_sequences={sent}.",
            sent=sent,
            counted=per_id,
        )
        yield warn(what)
    elif (count := lacking - len(answered.torn)) > 0:
        state = Text(
            "{count} of {requests} requests failed. The tool judges an empty answer in place of "
            "each, usually as wrong, without saying so; here",
            count=count,
            requests=requests,
        )
        if not borne_out:
            state = Text(
                "{count} of {requests} predictions are not there: the requests failed, or the file "
                "is incomplete. Here",
                count=count,
                requests=requests,
            )
        what = Text("{state} they are missing, and you choose how they count.", state=state)
        yield warn(what, count=count)
    if count := answered.surplus(per_id):
        what = Text(
            "Some questions have more than the {n} predictions that were requested; the surplus "
            "of {count} is left out.",
            n=per_id,
            count=count,
        )
        yield warn(what, count=count)


def _no_details(pair: Pair, evaluator: str | None, run_id: str | None) -> Text:
    """Say how to get the verdicts of each sample."""
    state = Text("There are predictions but no results: the evaluation failed or never ran.")
    if pair.results is not None:
        state = Text("The results state metrics, but not which samples were right.")
    elif evaluator is None:
        state = Text("There are predictions, but no results, and nothing names the evaluator.")
    remedy = Text("The predictions are missing too, so run it again with --dump-eval-details.")
    if pair.predictions or run_id is None:
        remedy = Text(
            "Repeat the command of this run with --mode eval --reuse {run_id} --dump-eval-details; "
            "the predictions are kept, so no request is sent again.",
            run_id=run_id or "<run id>",
        )
    if evaluator is None:
        remedy = Text(
            "{remedy} If you loaded only a part of the run, load its whole folder: from "
            "configuration, results and predictions together kofn can often judge by itself.",
            remedy=remedy,
        )
    return Text("{state} {remedy}", state=state, remedy=remedy)


def _no_verdicts(evaluator: str | None) -> Text:
    """Say that details do not tell which samples were right."""
    state = Text("The details hold no verdicts, and nothing names the evaluator.")
    if evaluator is not None:
        state = Text(
            "The details hold no verdicts, and kofn knows no rule of {evaluator} to judge by, or "
            "no predictions to judge.",
            evaluator=evaluator,
        )
    return Text(
        "{state} Load the whole report folder with configuration and predictions, or give the "
        "outcomes as a Parquet table.",
        state=state,
    )


def _no_predictions(lone: bool, where: str) -> Note:
    """Say what cannot be known without predictions, or without the rest of the report."""
    what = Text(
        "The predictions are missing, so failed requests cannot be told from wrong answers and "
        "count as the evaluator judged them, usually as wrong."
    )
    if lone:
        what = Text(
            "A results file by itself does not say which model it is about, when it ran or which "
            "requests failed; failed ones count as the evaluator judged them, usually as wrong. "
            "Load the whole report folder to know."
        )
    return Note(what, where)
