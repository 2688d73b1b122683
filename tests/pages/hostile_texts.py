"""A report whose texts attack whoever shows them."""

import io
import json
import zipfile

from tests.pages.reading_questions import TWO_MODELS

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> **b** [l](javascript:alert(1)) $x$ "
    ":red[r] \x00 \x1b[31m \u202eevil\u202c \ud800 `c`"
)


def hostile_report(text):
    """A report whose first question has hostile texts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(TWO_MODELS) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("gsm8k.jsonl") and "/predictions/" in name:
                records = [json.loads(line) for line in data.decode().splitlines()]
                for record in (record for record in records if record["id"] == 0):
                    record["prediction"] += text
                    record["gold"] = text + record["gold"]
                    record["origin_prompt"] = [
                        {"role": text[:30], "prompt": text},
                        {"role": "BOT", "prompt": text},
                        {"role": "HUMAN", "prompt": text},
                    ]
                data = "\n".join(map(json.dumps, records)).encode()
            new.writestr(name, data)
    return buffer.getvalue()
