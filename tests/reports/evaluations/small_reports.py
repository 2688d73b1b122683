"""Small reports without verdicts, as the tool's source writes them.

What they state is worked out by hand.
"""

import json

from reports import load
from tests.reports.mutations import zipped

WHERE = {"bbox": [100, 100, 300, 200], "image_width": 400, "image_height": 400}


def report(evaluator, stated, predictions, n=1, **steps):
    """A report without details: predictions are (id, text, gold)."""
    evaluated = {"evaluator": {"type": f"ais_bench.{evaluator}"}, **steps}
    config = f"""
models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences={n}))]
datasets = [dict(abbr='quiz', eval_cfg={evaluated!r})]
"""
    lines = [
        json.dumps({"data_abbr": "quiz", "id": id, "prediction": text, "gold": gold})
        for id, text, gold in predictions
    ]
    files = {
        "run/configs/20261120_080955_1.py": config,
        "run/results/alpha/quiz.json": json.dumps(stated),
        "run/predictions/alpha/quiz.jsonl": "\n".join(lines),
    }
    return load(("report.zip", zipped(files))).runs[0]
