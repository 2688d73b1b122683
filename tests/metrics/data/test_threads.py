"""The threads of linear algebra are limited while tiny matrices are worked on, and then no more."""

import subprocess
import sys

import pytest

CODE = """
import threading
from importlib import import_module
import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits
import metrics
from metrics.data.threads import one_thread

def threads():
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

data = np.eye(20, 8, dtype=int)
watched = {
    "analyses.saturation.extrapolation:Fits": lambda: metrics.extrapolate(data, "pass@k", [16]),
    "analyses.choose_n.choice:advise": lambda: metrics.choose_n(data, resamples=20),
    "analyses.guidance.decision:draw_kinds": lambda: metrics.guidance(data, resamples=20),
    "estimating.curves:payoff_tables": lambda: metrics.bootstrap_curve(data, "pass@k"),
    "estimating.curves:within_variance": (
        lambda: metrics.curve(data, "pass@k", target="benchmark")
    ),
}
modules = {place: import_module("metrics." + place.split(":")[0]) for place in watched}
with threadpool_limits(2):
    for place, call in watched.items():
        module, name = modules[place], place.split(":")[1]
        original, seen = getattr(module, name), []
        def watching(*arguments, **options):
            seen.append(threads())
            return original(*arguments, **options)
        setattr(module, name, watching)
        call()
        setattr(module, name, original)
        print(bool(seen) and all(each == {1} for each in seen), threads() == {2})

    first, second = one_thread(), one_thread()
    first.__enter__()
    other = threading.Thread(target=second.__enter__)
    other.start()
    other.join()
    first.__exit__(None, None, None)
    within = threads()
    second.__exit__(None, None, None)
    print(within == {1}, threads() == {2})
"""


@pytest.mark.wide
def test_what_multiplies_tiny_matrices_uses_one_thread_and_leaves_the_process_as_it_was() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"] * 12, done.stdout + done.stderr
