"""Reports of questions made up for a test, in the form that AISBench writes."""

import io
import json
import zipfile

from reports import load


def packed(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data if isinstance(data, (str, bytes)) else json.dumps(data))
    return buffer.getvalue()


def quiz(texts, n=2, indent=4, predictions=True, **record):
    """A report of as many questions as texts, each answered by n variations of its text."""
    d = len(texts)
    flat = [(q, r) for r in range(n) for q in range(d)]
    details = [
        {
            "pred": [f"{texts[q]}{r}" for q, r in flat[i * n : i * n + n]],
            "parsed": [str(r) for q, r in flat[i * n : i * n + n]],
            "answer": [f"gold {q}" for q, r in flat[i * n : i * n + n]],
            "correct": [r == 0 for q, r in flat[i * n : i * n + n]],
        }
        for i in range(d)
    ]
    lines = [
        json.dumps(
            {"id": q, "origin_prompt": f"{q}? {texts[q]}", "prediction": f"{texts[q]}{r}"} | record,
            ensure_ascii=q % 2 == 0 or "\ud800" in texts[q],
        ).encode()
        + b"\n"
        for r in range(n)
        for q in reversed(range(d))
    ]
    results = {f"accuracy ({n} runs average)": 100 / n, f"avg@{n}": 100 / n, "details": details}
    files = {"run/results/alpha/quiz.json": json.dumps(results, indent=indent)}
    if predictions:
        files["run/predictions/alpha/quiz.jsonl"] = b"".join(lines)
    return files


def laid_out(root, files):
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data if isinstance(data, bytes) else data.encode())
    return root


def only(source):
    (run,) = load(source).runs
    return run
