"""Reports as AISBench would write them, of known outcomes.

The writer follows the tool: it scores replica by replica, concatenates, and cuts the list into
questions in order. It shares nothing with the reader.
"""

import io
import json
import zipfile

import numpy as np
from hypothesis import strategies as st

RESULTS, PREDICTIONS = "run/results/alpha/quiz.json", "run/predictions/alpha/quiz.jsonl"


def written(correct, references, corrected=False, metric="accuracy", counts=None):
    """The results file of D questions with n samples each; `corrected` by a tool without fault.

    Of the samples beyond the counts of their questions the requests failed.
    """
    questions, n = len(correct), len(correct[0])

    def said(q, r):
        if counts is not None and r >= counts[q]:
            return ""
        return f"{references[q]}" if correct[q][r] else f"not {r}"

    samples = [(q, r) for r in range(n) for q in range(questions)]
    if corrected:
        samples.sort()
    groups = [samples[i * n : (i + 1) * n] for i in range(questions)]
    details = []
    for i, group in enumerate(groups):
        hits = sum(correct[q][r] for q, r in group)
        details.append(
            {
                "example_abbr": f"quiz_test_{i}",
                f"avg@{n}": hits / n,
                f"pass@{n}": float(hits > 0),
                f"cons@{n}": float(hits > n / 2),
                "pred": [said(q, r) for q, r in group],
                "answer": [references[q] for q, r in group],
                "correct": [bool(correct[q][r]) for q, r in group],
            }
        )
    if n == 1:
        return {metric: 100 * float(np.mean(correct)), "details": details}
    return {
        f"{metric} ({n} runs average)": 100 * float(np.mean(correct)),
        **{
            key: 100 * float(np.mean([entry[key] for entry in details]))
            for key in (f"avg@{n}", f"pass@{n}", f"cons@{n}")
        },
        "details": details,
    }


def predicted(counts, golds):
    """The prediction lines, in an order of completion."""
    lines = [
        {"data_abbr": "quiz", "id": q, "success": True, "prediction": "…"}
        | ({"gold": golds[q]} if golds[q] else {})
        for r in range(max(counts, default=0))
        for q in range(len(counts))
        if r < counts[q]
    ]
    return "".join(json.dumps(line) + "\n" for line in lines[::-1]).encode()


def packed(results=None, predictions=None, config=None):
    files = {RESULTS: results, PREDICTIONS: predictions, "run/configs/20261120_080955_1.py": config}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for path, content in files.items():
            if isinstance(content, dict):
                content = json.dumps(content)
            if content is not None:
                target.writestr(path, content)
    return "report.zip", buffer.getvalue()


@st.composite
def quizzes(draw, most=7):
    """Verdicts, and references that are often equal."""
    questions, n = draw(st.integers(1, most)), draw(st.integers(1, 5))
    bits = st.lists(st.booleans(), min_size=n, max_size=n)
    correct = draw(st.lists(bits, min_size=questions, max_size=questions))
    pool = st.sampled_from(["A", "B", "C"]) | st.integers(0, 99).map(str)
    references = draw(st.lists(pool, min_size=questions, max_size=questions))
    return np.array(correct, dtype=np.int8), references
