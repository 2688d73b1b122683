"""Where it is assumed which scores are right, comparisons are by soft score, and that is said."""

import numpy as np
import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.compare.analysis import compare_runs
from kofn.compare.words import answer as compared
from kofn.overview.analysis import summarize_runs
from kofn.overview.wins import find_wins
from kofn.overview.words import answer, in_words
from metrics import compare
from metrics.data.outcomes import Outcomes
from reports import load

RULE = "right above 0.5, assumed"


def scores(model, dataset, low, *, verdicts=False, seed=0):
    """Score 40 questions 4 times from `low` on, all wrong by the assumed threshold or all right."""
    rng = np.random.default_rng(seed)
    found = low + 0.3 * rng.random((40, 4))
    head = "model,dataset,question_id,sample,score" + (",correct" if verdicts else "")
    lines = [head]
    for (q, s), score in np.ndenumerate(found):
        lines.append(
            f"{model},{dataset},q{q},{s},{score:.4f}" + (f",{int(score > 0.2)}" if verdicts else "")
        )
    return "\n".join(lines), np.round(found, 4)


@pytest.fixture
def files(tmp_path):
    def write(**options):
        reports, found = [], {}
        for seed, (model, dataset, low) in enumerate(
            [("a", "x", 0.1), ("b", "x", 0.2), ("a", "y", 0.15), ("b", "y", 0.21)]
        ):
            text, found[model, dataset] = scores(model, dataset, low, seed=seed, **options)
            path = tmp_path / f"{model}{dataset}.csv"
            path.write_text(text)
            reports.append(load(path))
        return index_runs(reports), found

    return write


def soft(values):
    return Outcomes((values > 0.5).astype(int), values)


def test_the_suite_and_one_dataset_are_decided_by_soft_scores(files):
    runs, found = files()
    said = str(answer(summarize_runs(runs, View())))
    assert said.startswith("b is the best by soft score: ")
    assert "on one try" not in said
    of_x = {key: run for key, run in runs.items() if run.dataset == "x"}
    gain = compare(soft(found["a", "x"]), soft(found["b", "x"]), "soft")
    said = str(answer(summarize_runs(of_x, View())))
    assert said.startswith("b leads by soft score: ")
    assert f"{100 * gain.value:.1f} points" in said
    assert "b is ahead of a by" in str(compared(compare_runs(of_x, View())))
    assert "by soft score" in str(compared(compare_runs(of_x, View())))


def test_the_table_is_of_soft_scores_unless_a_metric_is_chosen(files):
    runs, found = files()
    card = summarize_runs(runs, View())[0]
    assert card.found.score.label == "soft"
    assert card.found.score.estimate.value == pytest.approx(found["a", "x"].mean())
    assert summarize_runs(runs, View(metric="avg@n"))[0].found.score.label == "avg@4"


def test_what_rests_on_the_assumed_threshold_says_so(files):
    runs, _found = files()
    told = {str(win.name): str(in_words(win)) for win in find_wins(runs, View())}
    assert all((RULE in said) is (name != "Soft score") for name, said in told.items())
    assert told["Soft score"].startswith("b with ")


def test_a_verdict_in_the_file_decides(files):
    runs, _found = files(verdicts=True)
    assert " on one try" in str(answer(summarize_runs(runs, View())))
    assert not any(RULE in str(in_words(win)) for win in find_wins(runs, View()))
