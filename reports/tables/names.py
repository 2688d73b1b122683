"""How tables name their columns."""

from __future__ import annotations

import re

QUESTION = (
    *("question_id", "qid", "problem_id", "task_id", "doc_id", "instance_id", "example_abbr"),
    *("uuid", "unique_id", "orig_dset_idx", "problem_idx", "group_id", "id", "idx", "index"),
)
SAMPLE = (
    *("sample", "sample_id", "sample_idx", "sample_index", "epoch", "trial", "rollout"),
    *("rollout_index", "rollout_idx", "attempt", "attempt_idx", "repeat", "run", "seed"),
    *("generation_index", "completion_id", "replica", "k"),
)
CORRECT = (
    *("correct", "is_correct", "passed", "resolved", "success", "is_corrects", "correctness"),
    *("correctness_math_verify", "correctness_llama", "graded_list", "acc", "exact_match", "pass"),
)
SCORE = ("score", "reward", "value", "f1", "anls", "iou", "accuracy", "avg_acc", "rating")
LISTS_OF_SCORES = (*SCORE, "scores", "rewards", "samples", "generations", "outputs")
SAMPLES = ("n", "n_samples", "num_samples", "n_rollouts", "num_rollouts", "n_trials", "num_trials")
RIGHT = (
    *("c", "n_correct", "num_correct", "correct_count", "correctness_count"),
    *("n_passed", "num_passed", "passed_count", "successes"),
)
SEGMENTS = (
    *("segment", "category", "subject", "subset", "level", "difficulty", "type"),
    *("problem_type", "question_type", "domain", "source", "split"),
)
CLUSTER = ("cluster", "cluster_id")
EXTRACTED = (
    *("extracted", "extracted_answer", "extracted_prediction"),
    *("parsed", "parsed_answer", "final_ans", "final_answer"),
)
MEASURED = {
    "tokens_in": ("tokens_in", "input_tokens", "prompt_tokens"),
    "tokens_out": (
        *("tokens_out", "output_tokens", "completion_tokens", "tokens", "n_tokens"),
        *("generated_token_count", "response_length"),
    ),
    "latency_s": ("latency_s", "latency", "duration", "total_time", "time"),
    "cost": ("cost", "cost_usd", "total_cost"),
}
PREDICTION = (
    *("prediction", "pred", "response", "completion", "output", "generation", "text", "samples"),
    *("generations", "predictions", "responses", "completions", "outputs", "output_list"),
    *("rollout", "rollouts", "solution"),
)
REFERENCE = (
    *("gold", "answer", "reference", "references", "target", "gt", "gt_answer", "ground_truth"),
    "label",
)
PROMPT = ("prompt", "question", "problem", "input", "messages")
TEXTS = (*PREDICTION, *REFERENCE, *PROMPT)
"""Texts and references: never measurements, even where they are numbers."""

ALIASES = {
    "question_id": QUESTION,
    "sample": SAMPLE,
    "correct": CORRECT,
    "score": SCORE,
    "n": SAMPLES,
    "c": RIGHT,
    "model": ("model", "model_name"),
    "dataset": ("dataset",),
    "segment": SEGMENTS,
    "cluster": CLUSTER,
    "extracted": EXTRACTED,
    "error": ("error",),
    "prediction": PREDICTION,
    "reference": REFERENCE,
    "prompt": PROMPT,
    **MEASURED,
}
"""What a user may name a column for, and the names that need no naming."""

_BETWEEN_WORDS = re.compile(r"[\s-]+")


def key(name: str) -> str:
    """Return what a column is known by: upper and lower case, blanks and a final ? aside.

    Examples
    --------
    >>> key(" Question ID"), key("Is Correct?"), key("task-id")
    ('question_id', 'is_correct', 'task_id')
    """
    return _BETWEEN_WORDS.sub("_", name.strip().rstrip("? ").lower())


NUMBERED = re.compile(r"(.*?)[_\-@ ]?(\d{1,9})")
"""A column of a wide table: what it holds, and of which sample."""
WIDE_VERDICTS = ("correct", "is_correct", "passed")
WIDE_SCORES = ("score", "sample", "run", "trial", "attempt", "epoch", "rollout", "r", "")
OF_QUESTIONS = {"q", "question", "problem", "item", "task", "prompt", *QUESTION}
"""What numbered columns are called that are questions, and not samples of one."""
COUNT = re.compile(r"(?:sampled_)?correct(?:ness)?_count_(\d{1,6})")
"""A column of counts that names the number of samples."""
RATE = re.compile(
    r"(?:.*_)?(?:solve|pass|success|correct|win)_?rate|(?:avg|pass|maj|cons)@\d+|accuracy"
)
"""A column of rates, if another says of how many samples."""
