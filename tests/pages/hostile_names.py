"""Names that attack whoever shows them, and files that hold them."""

import json

from tests.reports.mutations import zipped

NAMES = {
    "html": "<img src=x onerror=alert(1)>",
    "script": "</script><script>alert(1)</script>",
    "markdown": "[**x**](javascript:alert(1)) `y` $z$ :red[w]",
    "terminal": "\x1b[2J\x1b]0;title\x07\r\n",
    "direction": "a\u202egnp.exe",
    "surrogate": "\ud800",
    "formula": "=1+1",
    "address": "https://a.example/x www.a.example me@a.example HTTP://a.example",
    "template": "{model} %s {0} %{x}",
}
TOGETHER = {
    "markup": NAMES["formula"] + NAMES["html"] + NAMES["script"],
    "controls": NAMES["terminal"] + NAMES["direction"] + NAMES["surrogate"] + NAMES["template"],
    "markdown": NAMES["markdown"],
    "address": NAMES["address"],
}
"""All of them in few names, none so long that a page cuts it."""


def hostile_table(name):
    """Return two runs as JSON lines, with the name wherever there can be one."""
    rows = [
        {
            "model": f"{name}{run}",
            "dataset": name,
            "question_id": f"{name}{question}",
            "sample": sample,
            "correct": (run + question + sample) % 2,
            "subject": name,
            "extracted": name,
        }
        for run in range(2)
        for question in range(3)
        for sample in range(2)
    ]
    return "\n".join(map(json.dumps, rows)).encode()


def report(name):
    """Return a report whose details and metrics hold the name."""
    details = [
        {"pred": [name], "answer": [name if right else "7"], "correct": [right]}
        for right in (True, False)
    ]
    metrics = {"accuracy": 10.0, f"accuracy {name}": 20.0, name: 30.0, "type": name}
    failed = {"error": name}
    line = {"data_abbr": name, "id": name, "prediction": name, "gold": name, "origin_prompt": name}
    return zipped(
        {
            "run/results/alpha/quiz.json": json.dumps(metrics | {"details": details}).encode(),
            "run/results/alpha/failed.json": json.dumps(failed).encode(),
            "run/predictions/alpha/quiz.jsonl": json.dumps(line).encode(),
        }
    )
