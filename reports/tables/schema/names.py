"""How tables name their columns."""

from __future__ import annotations

import re
from collections.abc import Iterable

from metrics.data.words import Text, instead_of

QUESTION = (
    *("question_id", "qid", "problem_id", "task_id", "doc_id", "instance_id", "example_abbr"),
    *("orig_dset_idx", "problem_idx", "group_id", "id", "idx", "index"),
    *("题目", "题号", "题目编号", "题目id", "问题编号", "问题id", "编号", "uuid", "unique_id"),
)
OF_ROWS = ("id", "idx", "index", "编号", "uuid", "unique_id")
"""Names of questions, unless each request or row has one of its own."""
OF_ROWS_ALONE = ("index", "uuid", "unique_id")
"""Those of them that are no questions where any other column is."""
ID = re.compile(
    r"(?:.*[_ .])?(?:[ugqp]id|guid|key|hash|slug)"
    r"|(?:.*[_ .])?(?:item|question|problem|task|prompt|example|instance|query|case|exercise|puzzle"
    r"|test|record|entry|row|data|doc|aufgaben?|frage|tarea|pregunta|domanda|compito|tâche|tarefa)"
    r"[_ .]?(?:id|idx|index|key|no|nr|num|number|name|hash|nummer|número)?"
    r"|.*(?:题|题号|编号|序号)"
)
"""Names that no list has and that identify something, most likely a question."""
SAMPLE = (
    *("sample", "sample_id", "sample_idx", "sample_index", "epoch", "trial", "rollout"),
    *("rollout_index", "rollout_idx", "attempt", "attempt_idx", "repeat", "run", "seed"),
    *("generation_index", "completion_id", "replica", "k"),
    *("sample_no", "sample_number", "attempt_no", "attempt_id", "attempt_number", "trial_id"),
    *("trial_no", "try", "iteration", "repetition", "rep", "rollout_id"),
    *("样本", "样本编号", "样本序号", "采样", "采样编号", "采样序号", "第几次", "轮次"),
    *("versuch", "durchlauf", "lauf", "essai", "intento", "tentativo", "tentativa", "試行", "시도"),
)
CORRECT = (
    *("correct", "is_correct", "passed", "resolved", "success", "is_corrects", "correctness"),
    *("correctness_math_verify", "correctness_llama", "graded_list", "acc", "exact_match", "pass"),
    *("solved", "is_right", "is_solved", "is_resolved", "is_success", "is_passed", "is_pass"),
    *("正确", "是否正确", "正误", "对错", "判定", "通过", "是否通过", "是否答对", "答对"),
    *("richtig", "korrekt", "réussi", "correcto", "corretto", "correto", "正解", "정답"),
)
VERDICT = (
    *("verdict", "judged", "ok", "result", "outcome", "judgement", "judgment", "graded"),
    *("grade", "right"),
    *("ergebnis", "urteil", "resultado", "résultat", "risultato", "esito"),
    *("结果", "判断", "评判", "判定结果", "评测结果", "判题结果"),
)
"""Names of verdicts, of columns that hold some."""
SCORE = (
    *("score", "reward", "value", "f1", "anls", "iou", "accuracy", "avg_acc", "rating"),
    *("得分", "分数", "评分"),
)
LISTS_OF_SCORES = (*SCORE, "scores", "rewards", "samples", "generations", "outputs")
SAMPLES = (
    *("n", "n_samples", "num_samples", "n_rollouts", "num_rollouts", "n_trials", "num_trials"),
    *("采样数", "采样次数", "样本数"),
)
ATTEMPTS = (
    *("attempts", "n_attempts", "num_attempts", "total", "n_total", "total_samples", "repeats"),
    *("n_repeats", "num_repeats", "trials", "tries", "runs", "n_runs", "num_runs", "rollouts"),
    *("num_total", "total_count", "total_attempts", "num_tries"),
    *("generations", "k", "count", "samples", "总数", "次数", "总次数", "尝试次数"),
)
"""Names of numbers of samples, beside counts of the right ones."""
RIGHT = (
    *("c", "n_correct", "num_correct", "correct_count", "correctness_count"),
    *("n_passed", "num_passed", "passed_count", "passes", "num_passes", "total_correct"),
    *("successes", "n_success", "num_success", "num_successes", "hits", "sum"),
    *("正确数", "正确次数", "通过数", "通过次数"),
)
SEGMENTS = (
    *("segment", "category", "subject", "subset", "level", "difficulty", "type"),
    *("problem_type", "question_type", "domain", "source", "split", "language", "lang", "topic"),
    *("subtopic", "subcategory", "sub_category", "task_type", "skill"),
    *("类别", "难度", "学科", "科目", "题型", "语言", "主题"),
)
CLUSTER = ("cluster", "cluster_id")
EXTRACTED = (
    *("extracted", "extracted_answer", "extracted_prediction"),
    *("parsed", "parsed_answer", "final_ans", "final_answer", "model_answer", "predicted"),
    *("predicted_answer",),
    *("提取答案", "抽取答案"),
)
REASON = (
    *("finish_reason", "finish_reasons", "stop_reason", "stop_reasons", "finishreason"),
    *("done_reason", "stopreason", "termination_reason", "结束原因", "停止原因"),
)
"""Why a sample ended."""
MEASURED = {
    "tokens_in": ("tokens_in", "input_tokens", "prompt_tokens"),
    "tokens_out": (
        *("tokens_out", "output_tokens", "completion_tokens", "tokens", "n_tokens"),
        *("generated_token_count", "response_length"),
    ),
    "latency_s": ("latency_s", "latency", "duration", "total_time", "time"),
    "cost": ("cost", "cost_usd", "total_cost"),
    "position": ("position", "rank", "位置", "排名"),
    "human": ("human", "human_label", "人工", "人工标注"),
    "human_probability": ("human_probability",),
}
MEASURED_ONCE = {
    "human_group": ("human_group", "human_group_label"),
    "human_group_probability": ("human_group_probability",),
}
"""What is measured once a question."""
LABELS = ("human", "human_group")
"""Verdicts of a person, empty where nobody looked."""
PROBABILITIES = ("human_probability", "human_group_probability")
"""With which what stands beside was drawn to be looked at."""
SIGNALS = ("reward", "rewards", "value", "rating")
"""Names of scores by which a sample may be picked."""
COVERED = (
    *("facts", "covered", "covered_facts", "facts_covered", "covered_facets", "facets"),
    *("covered_ids", "retrieved_ids"),
)
GOLD = (
    *("gold_facts", "required_facts", "gold_facets", "required_facets"),
    *("gold_ids", "relevant_ids"),
)
EMBEDDING = ("embedding", "embeddings", "vector")
"""Further columns are embeddings if their names end in one of these."""
PREDICTION = (
    *("prediction", "pred", "response", "completion", "output", "generation", "text", "samples"),
    *("generations", "predictions", "responses", "completions", "outputs", "output_list"),
    *("rollout", "rollouts", "solution", "generated_text", "model_outputs"),
    *("回答", "模型回答", "预测", "输出", "模型输出"),
)
REFERENCE = (
    *("gold", "answer", "reference", "references", "target", "gt", "gt_answer", "ground_truth"),
    *("label", "expected", "expected_answer", "correct_answer", "gold_answer", "right_answer"),
    *("答案", "标准答案", "参考答案", "正确答案"),
)
ASKED = (
    *("question", "problem", "question_text", "frage", "pregunta", "domanda", "pergunta"),
    *("问题", "题干", "問題", "문제"),
)
"""Names of texts that are the same in every sample of a question."""
PROMPT = (*ASKED, "prompt", "input", "messages", "提示词", "输入")
TEXTS = (*PREDICTION, *REFERENCE, *PROMPT)
"""Texts and references: never measurements, even where they are numbers."""

ALIASES = {
    "question_id": QUESTION,
    "sample": SAMPLE,
    "correct": CORRECT,
    "score": SCORE,
    "n": SAMPLES,
    "c": RIGHT,
    "rate": (),
    "model": (
        *("model", "model_name", "modell", "modèle", "modelo", "modello"),
        *("模型", "模型名称", "モデル", "모델"),
    ),
    "dataset": (
        *("dataset", "datensatz", "jeu_de_données", "conjunto_de_datos"),
        *("数据集", "数据集名称", "データセット"),
    ),
    "segment": SEGMENTS,
    "cluster": CLUSTER,
    "extracted": EXTRACTED,
    "error": ("error",),
    "finish_reason": REASON,
    "prediction": PREDICTION,
    "reference": REFERENCE,
    "prompt": PROMPT,
    **MEASURED,
    **MEASURED_ONCE,
    "facts": COVERED,
    "gold_facts": GOLD,
    "embedding": EMBEDDING,
}
"""What a user may name a column for, and the names that need no naming."""

MODELS = {
    *("model_id", "model_path", "model_abbr", "model_version", "llm", "llm_name", "checkpoint"),
    *("checkpoint_path", "ckpt", "ckpt_path", "engine", "agent", "agent_name", "deployment"),
}
"""Names of columns that tell models apart, to be asked about where they differ."""
DATASETS = {
    *("benchmark", "benchmark_name", "benchmark_id", "dataset_name", "dataset_id", "dataset_abbr"),
    *("eval", "eval_name", "eval_set", "suite", "test_set"),
}
"""Names of columns that tell datasets apart."""
SETTINGS = {
    *("task", "task_name", "temperature", "temp", "top_p", "top_k", "min_p", "prompt_version"),
    *("prompt_name", "prompt_template", "template", "template_name", "system_prompt", "config"),
    *("config_name", "config_id", "setting", "settings", "variant", "method", "strategy", "mode"),
    *("version", "step", "steps", "global_step", "num_shots", "n_shots", "n_shot", "shots"),
    *("max_tokens", "max_new_tokens", "reasoning_effort", "effort", "budget", "language", "lang"),
    *("quantization", "quantisation", "adapter", "precision", "dtype", "backend"),
    *("experiment", "exp", "condition", "arm"),
    *("depth", "layer", "round", "turn", "温度", "设置", "配置"),
}
"""Names of columns that tell apart how samples were drawn."""
USUAL = MODELS | DATASETS | SETTINGS
CALLED = {
    "temp": "temperature",
    "温度": "temperature",
    "max_new_tokens": "max_tokens",
    **dict.fromkeys(("num_shots", "n_shots", "n_shot"), "shots"),
    **{"quantization": "quantisation", "precision": "dtype"},
}
"""Settings of a run that tables call otherwise than other tools do."""
STATED = (
    SETTINGS
    | MODELS
    | {
        *("seed", "stop", "evaluator", "grader", "judge", "judge_model", "tool", "harness"),
        *("dataset_version", "benchmark_version", "tool_version", "harness_version"),
        *("repetition_penalty", "presence_penalty", "frequency_penalty", "date", "revision"),
    }
)
"""Names of columns that tell how a run was made, if they hold one value throughout it."""
_VERSION = re.compile(
    r".+_version|(?:prompt|dataset|data)_(?:id|hash|sha\d*|digest|revision|commit)"
)

_BETWEEN_WORDS = re.compile(r"[\s-]+")


def key(name: str) -> str:
    """Return what a column is known by: upper and lower case, blanks and a final ? aside.

    Examples
    --------
    >>> key(" Question ID"), key("Is Correct?"), key("task-id")
    ('question_id', 'is_correct', 'task_id')
    """
    return _BETWEEN_WORDS.sub("_", name.strip().rstrip("?？ ").lower())


WIDE_VERDICTS = ("correct", "is_correct", "passed", "正确", "是否正确")
_TRIES = (
    *("sample", "run", "trial", "attempt", "epoch", "rollout", "try", "rep", "repeat"),
    *("repetition", "iteration", "versuch", "durchlauf", "lauf", "essai", "intento", "tentativo"),
    *("样本", "采样", "試行"),
)
"""What one of several samples is called."""
WIDE_SCORES = ("score", *_TRIES, "r", "", "第")
_LAST = re.compile(r"(.*?)[?？]?[_\-@ .#:(\[{]?(\d{1,9})[)\]}]?")
_FIRST = re.compile(
    rf"(?:{'|'.join(map(re.escape, (*_TRIES, *PREDICTION)))})[_\-@ .#:(\[{{]?(\d{{1,9}})[)\]}}]?"
    r"[_\-@ .:]+(\D+)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    rf"(\d{{1,9}})(?:st|nd|rd|th)[_\- ]({'|'.join(_TRIES)})|(第)(\d{{1,9}})[次轮輪回遍]",
    re.IGNORECASE,
)
_OF_SEVERAL = re.compile(r"(?:avg|pass|maj|cons)@\d+|pass\^\d+", re.IGNORECASE)
OF_QUESTIONS = {"q", "question", "problem", "item", "task", "prompt", *QUESTION}
"""What numbered columns are called that are questions, and not samples of one."""
COUNT = re.compile(r"(?:sampled_)?correct(?:ness)?_count_(\d{1,6})")
"""A column of counts that names the number of samples."""
RATE = re.compile(
    r"(?:.*_)?(?:solve|pass|success|correct|win)_?rate|(?:avg|pass|maj|cons)@\d+|accuracy|mean"
)
"""A column of rates, if another says of how many samples."""


def numbered(name: str) -> tuple[str, int] | None:
    """Return what a column of a wide table holds, and of which sample; None of any other.

    Examples
    --------
    >>> numbered("correct_2"), numbered("score[0]"), numbered("run 3 score"), numbered("第1次")
    (('correct', 2), ('score', 0), ('score', 3), ('第', 1))
    >>> numbered("2nd try"), numbered("pass@5"), numbered("correct")
    (('try', 2), None, None)
    """
    if _OF_SEVERAL.fullmatch(name):
        return None
    if last := _LAST.fullmatch(name):
        return last[1], int(last[2])
    if first := _FIRST.fullmatch(name):
        return first[2].rstrip("?？"), int(first[1])
    if ordinal := _ORDINAL.fullmatch(name):
        return ordinal[2] or ordinal[3], int(ordinal[1] or ordinal[4])
    return None


def is_stating(name: str) -> bool:
    """Whether a column of this `key` tells how a run was made."""
    return name in STATED or is_version(name)


def is_version(name: str) -> bool:
    """Whether a column of this `key` names a version, and is no measurement.

    Examples
    --------
    >>> is_version("judge_version"), is_version("prompt_id"), is_version("conversion")
    (True, True, False)
    """
    return _VERSION.fullmatch(name) is not None


def is_embedding(name: str) -> bool:
    """Whether a column of this `key` holds embeddings, or the numbered ones do."""
    return name in EMBEDDING or name.endswith(tuple(f"_{last}" for last in EMBEDDING))


def no_role(role: str, roles: Iterable[str]) -> tuple[Text, Text]:
    """Say that no column can be something, and what they can be."""
    problem = Text('there is no column role "{role}"', role=f"{role:.40}")
    return problem, instead_of(role, roles)
