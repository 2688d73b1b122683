"""The threads of linear algebra are limited while tiny matrices are worked on, and then no more."""

import subprocess
import sys

CODE = """
import threading
import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits
from metrics import extrapolate
from metrics.analyses.saturation import extrapolation
from metrics.data.threads import one_thread

def threads():
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

seen, fit = [], extrapolation._Model
def watched(*arguments, **options):
    seen.append(threads())
    return fit(*arguments, **options)
extrapolation._Model = watched

with threadpool_limits(2):
    before = threads()
    extrapolate(np.eye(20, 8, dtype=int), "pass@k", [16])
    print(before == threads() == {2}, seen and all(each == {1} for each in seen))

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


def test_extrapolate_uses_one_thread_and_leaves_the_process_as_it_was() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"] * 4, done.stdout + done.stderr
