"""What `mypy` says of misspelled names of metrics: an ignored error that is none is one itself."""

from kofn import metrics
from metrics import estimate, metric_name

R = [[0, 1], [1, 1]]
metrics.estimate(R, "pass@k", 2)
metrics.curve(R, "pass^k")
metrics.compare(R, R, "maj@k", k=2)
estimate(R, metric_name(input()), 2)
metrics.estimate(R, "pas@k", 2)  # type: ignore[call-overload]
metrics.curve(R, "pass^n")  # type: ignore[arg-type]
metrics.compare(R, R, "pass@2")  # type: ignore[arg-type]
metrics.choose_n(R, metric="majority")  # type: ignore[arg-type]
metrics.correct_judge(R, right_labels=R, wrong_labels=R, metric="soft")  # type: ignore[arg-type]
estimate(R, input(), 2)  # type: ignore[call-overload]
