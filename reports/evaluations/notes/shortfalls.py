"""Notes on what a report lacks, or has too much of: requests, samples, files."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.data.words import Text, some_of
from reports.evaluations.notes.findings import SHOWN
from reports.files.notes import Note


def failed(count: int, requests: int, where: str) -> Note:
    """Say how many requests failed."""
    what = Text(
        "{count} of {requests} requests failed. The tool judges an empty answer in place of each, "
        "usually as wrong, without saying so; here they are missing, and you choose how they "
        "count.",
        count=count,
        requests=requests,
    )
    return Note(what, where, count, "warning")


def missing(count: int, requests: int, where: str) -> Note:
    """Say how many predictions are not there, for whatever reason."""
    what = Text(
        "{count} of {requests} predictions are not there: the requests failed, or the file is "
        "incomplete. Here they are missing, and you choose how they count.",
        count=count,
        requests=requests,
    )
    return Note(what, where, count, "warning")


def torn(where: str) -> Note:
    """Say that a file ends in the middle of a line."""
    what = Text(
        "The last line is cut in the middle, as if the tool had been stopped or the file not "
        "copied in full; its prediction is lost."
    )
    return Note(what, where, 1, "warning")


def incomplete(count: int, requests: int, where: str) -> Note:
    """Say that predictions are missing which were judged."""
    what = Text(
        "The predictions are incomplete: {count} of {requests} are not there, but the details hold "
        "answers of theirs. kofn goes by the details, shows no predictions of these questions, and "
        "cannot tell which requests failed. Copy the file again in full.",
        count=count,
        requests=requests,
    )
    return Note(what, where, count, "warning")


def strangers(count: int, looked_at: int, where: str) -> Note:
    """Say that the predictions are not those that were judged."""
    what = Text(
        "These are not the predictions that were judged, or they stand in another order: {count} "
        "of {looked_at} looked at do not hold the answers of the details. Perhaps the files of two "
        "models changed places. kofn goes by the details, shows none of these predictions, and "
        "cannot tell which requests failed.",
        count=count,
        looked_at=looked_at,
    )
    return Note(what, where, count, "warning")


def unplaced(where: str) -> Note:
    """Say that nothing tells which sample a prediction is."""
    what = Text(
        "Nothing tells which predictions are of one question, so kofn shows none of them and "
        "cannot tell which requests failed."
    )
    return Note(what, where, severity="warning")


def fewer_sent(sent: int, counted: int, where: str) -> Note:
    """Say that the evaluation counts more samples than the inference asked for."""
    what = Text(
        "The predictions hold {sent} samples of every question, but the evaluation counts "
        "{counted} and judges the others as empty answers. kofn uses the {sent} there are, so its "
        "numbers differ from the stated ones. Evaluate again with num_return_sequences={sent}.",
        sent=sent,
        counted=counted,
    )
    return Note(what, where, severity="warning")


def surplus(count: int, n: int, where: str) -> Note:
    """Say that there are more predictions than were asked for."""
    what = Text(
        "Predictions beyond the {n} that a question was asked for are left out: {count}.",
        n=n,
        count=count,
    )
    return Note(what, where, count, "warning")


def other_n(configured: int, n: int, where: str) -> Note:
    """Say that configuration and results disagree on the number of samples."""
    what = Text(
        "The newest configuration asks for {configured} samples of each question, the results hold "
        "{n}; kofn goes by the results.",
        configured=configured,
        n=n,
    )
    return Note(what, where, severity="warning")


def inferred_n(n: int, where: str) -> Note:
    """Say how the number of samples was found."""
    what = Text(
        "Nothing states how many samples a question has. kofn takes {n}, as the prompts and "
        "references repeat that often.",
        n=n,
    )
    return Note(what, where)


def no_details(
    has_results: bool, has_predictions: bool, evaluator: str | None, run_id: str | None, where: str
) -> Note:
    """Say how to get the verdicts of each sample."""
    if has_results:
        state = Text("The results state metrics, but not which samples were right.")
    elif evaluator is not None:
        state = Text("There are predictions but no results: the evaluation failed or never ran.")
    else:
        state = Text("There are predictions, but no results, and nothing names the evaluator.")
    if has_predictions or run_id is None:
        remedy = Text(
            "Repeat the command of this run with --mode eval --reuse {run_id} --dump-eval-details; "
            "the predictions are kept, so no request is sent again.",
            run_id=run_id or "<run id>",
        )
    else:
        remedy = Text("The predictions are missing too, so run it again with --dump-eval-details.")
    if evaluator is None:
        remedy = Text(
            "{remedy} If you loaded only a part of the run, load its whole folder: from "
            "configuration, results and predictions together kofn can often judge by itself.",
            remedy=remedy,
        )
    return Note(Text("{state} {remedy}", state=state, remedy=remedy), where, severity="problem")


def uneven_failures(n: int, where: str) -> Note:
    """Say why the tool cannot evaluate several samples of function calls."""
    what = Text(
        "There are predictions but no results. Of {n} samples a question the evaluator of BFCL "
        "keeps the wrong ones only, and AISBench then fails with a replication length mismatch "
        "unless their number is a multiple of {n}; evaluating again does not help. Run it {n} "
        "times with num_return_sequences=1 and --dump-eval-details, and give the outcomes "
        "together as a Parquet table.",
        n=n,
    )
    return Note(what, where, severity="problem")


def tests_nothing(where: str) -> Note:
    """Say that an evaluator tested no program."""
    what = Text(
        "The evaluator of HumanEval-X reads its file of samples before that is written, so it "
        "tests nothing and states 0 %, whatever the answers; evaluating again does not help. Test "
        "the programs yourself and give the outcomes as a Parquet table with columns question_id, "
        "sample and correct."
    )
    return Note(what, where, severity="problem")


def no_verdicts(evaluator: str | None, where: str) -> Note:
    """Say that details do not tell which samples were right."""
    state = (
        Text("The details hold no verdicts, and nothing names the evaluator.")
        if evaluator is None
        else Text(
            "The details hold no verdicts, and kofn knows no rule of {evaluator} to judge by, or "
            "no predictions to judge.",
            evaluator=evaluator,
        )
    )
    what = Text(
        "{state} Load the whole report folder with configuration and predictions, or give the "
        "outcomes as a Parquet table.",
        state=state,
    )
    return Note(what, where, severity="problem")


def keeps_nothing(evaluator: str, where: str) -> Note:
    """Say that no evaluation gives the scores of samples."""
    what = Text(
        "{evaluator} keeps no scores of samples, not even with --dump-eval-details, and kofn "
        "cannot compute them, so evaluating again does not help. Score the predictions yourself "
        "and give the scores as a Parquet table with columns question_id, sample and score.",
        evaluator=evaluator,
    )
    return Note(what, where, severity="problem")


def lacks_library(where: str) -> Note:
    """Say that a library is missing which could judge the predictions."""
    what = Text(
        "kofn can judge these predictions itself with the library math-verify, which is not "
        "installed: pip install 'kofn[math]'."
    )
    return Note(what, where, severity="warning")


def no_predictions(lone: bool, where: str) -> Note:
    """Say what cannot be known without predictions, or without the rest of the report."""
    what = (
        Text(
            "A results file by itself does not say which model it is about, when it ran or which "
            "requests failed; failed ones count as the evaluator judged them, usually as wrong. "
            "Load the whole report folder to know."
        )
        if lone
        else Text(
            "The predictions are missing, so failed requests cannot be told from wrong answers "
            "and count as the evaluator judged them, usually as wrong."
        )
    )
    return Note(what, where)


def named_by_folders(models: Sequence[str]) -> Note:
    """Say where the names of models are from."""
    what = Text(
        "There is no folder results or predictions, so kofn takes the folders that the files lie "
        "in for models: {models}.",
        models=some_of(models, SHOWN),
    )
    return Note(what)


def not_run(pairs: Sequence[str], where: str) -> Note:
    """Say what the configuration asks for and the report lacks."""
    what = Text(
        "The configuration also asks for {pairs}, but the report holds neither predictions nor "
        "results of it.",
        pairs=some_of(pairs, SHOWN),
    )
    return Note(what, where, len(pairs), "warning")
