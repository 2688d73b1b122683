"""Every public analysis takes a Run, Outcomes, lists, and tables of pandas, and says the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics import MetricError, Outcomes
from reports import Run

RIGHT = (np.random.default_rng(5).random((30, 6)) < 0.5).astype(int)
SOFT = np.random.default_rng(6).integers(0, 5, (30, 6)) / 4
ANSWERS = np.random.default_rng(7).integers(0, 3, (30, 6))
RUN = Run("7B", "maths", Outcomes(RIGHT, scores=SOFT), answers=ANSWERS)
STRATA = metrics.Strata((SOFT > 0.5).astype(int), ("agrees", "missed"), (0.02, 0.95))
LABELS = np.where(np.arange(30)[:, None] < 15, (SOFT > 0.3).astype(float), np.nan)
ERRORS: dict[str, Any] = {"right_labels": (45, 50), "wrong_labels": (45, 50)}
NAMED = ["outcomes", "correct", "answers", "tally", "scores", "shape"]
DATA: dict[str, Any] = {
    "run": RUN,
    "outcomes": Outcomes(RIGHT),
    "lists": RIGHT.tolist(),
    "Int64": pd.DataFrame(RIGHT).astype("Int64"),
    "boolean": pd.DataFrame(RIGHT.astype(bool)).astype("boolean"),
    "several kinds": pd.DataFrame(
        {i: pd.array(RIGHT[:, i] == 1, "boolean") if i % 2 else RIGHT[:, i] for i in range(6)}
    ),
    "columns called as fields are": pd.DataFrame(RIGHT, columns=NAMED).astype("Int64"),
}
ANALYSES: dict[str, Callable[[Any], Any]] = {
    "estimate": lambda data: metrics.estimate(data, "pass@k", 2),
    "estimate max@k": lambda data: metrics.estimate(data, "max@k", 2, w=[0, 2]),
    "estimate bayes@n": lambda data: metrics.estimate(data, "bayes@n", target="benchmark"),
    "estimate plurality@k": lambda data: metrics.estimate(data, "plurality@k", 3, answers=ANSWERS),
    "curve": lambda data: metrics.curve(data, "pass@k"),
    "curve geom@k": lambda data: metrics.curve(data, "geom@k"),
    "posterior_curve": lambda data: metrics.posterior_curve(data, "pass@k"),
    "bootstrap_curve": lambda data: metrics.bootstrap_curve(data, "pass@k", resamples=50),
    "extrapolate": lambda data: metrics.extrapolate(data, "pass@k", [12]),
    "independent_curve": lambda data: metrics.independent_curve(data, "pass@k", [12]),
    "consistency": metrics.consistency,
    "selected": lambda data: metrics.selected(data, SOFT, 2),
    "selection_efficiency": lambda data: metrics.selection_efficiency(data, SOFT),
    "ranking_quality": lambda data: metrics.ranking_quality(data, SOFT),
    "dcg": lambda data: metrics.dcg(data, 2, by=SOFT),
    "ndcg": lambda data: metrics.ndcg(data, position=SOFT),
    "first_pass": lambda data: metrics.first_pass(data, by=SOFT),
    "any_pass": metrics.any_pass,
    "weighted_mean": lambda data: metrics.weighted_mean(data, SOFT + 1),
    "weighted_vote": lambda data: metrics.weighted_vote(data, SOFT, k=2, answers=ANSWERS),
    "replicas": metrics.replicas,
    "adaptive_curve": lambda data: metrics.adaptive_curve(data, answers=ANSWERS),
    "adaptive_vote": lambda data: metrics.adaptive_vote(data, answers=ANSWERS),
    "cut_at": lambda data: metrics.cut_at(data, SOFT, 0.5).tally(),
    "token_budgets": lambda data: metrics.token_budgets(data, 9 * SOFT + 1),
    "short_or_long": lambda data: metrics.short_or_long(data, 9 * SOFT + 1, 2).gain,
    "right_lengths": lambda data: metrics.right_lengths(data, SOFT),
    "answer_times": lambda data: metrics.answer_times(data, SOFT, 2),
    "compare_ways": lambda data: _compared(metrics.compare_ways(data, SOFT, 1 - SOFT, 2)),
    "judge_errors": lambda data: metrics.judge_errors(data, human=LABELS),
    "correct_judge": lambda data: metrics.correct_judge(data, **ERRORS),
    "correct_judge pass@k": lambda data: metrics.correct_judge(data, **ERRORS, metric="pass@k"),
    "judged_difference": lambda data: metrics.judged_difference(1 - RIGHT, data, **ERRORS),
    "prediction_powered": lambda data: metrics.prediction_powered(data, LABELS),
    "judged_rate": lambda data: metrics.judged_rate(data, LABELS),
    "spot_check": lambda data: metrics.spot_check(data, SOFT, 1 - SOFT, questions=9),
    "score_range": lambda data: metrics.score_range(data, SOFT < 0.3, "pass@k", 2),
    "signal_calibration": lambda data: metrics.signal_calibration(data, SOFT),
    "optimism": lambda data: metrics.optimism(data, SOFT, 1 - SOFT),
    "nested_choice": lambda data: metrics.nested_choice(data, [SOFT, 1 - SOFT]).shares,
    "diversity": lambda data: metrics.diversity(data, answers=ANSWERS),
    "guidance": lambda data: metrics.guidance(data, resamples=100, answers=ANSWERS),
    "choose_n": lambda data: metrics.choose_n(data, resamples=50),
    "best_of_suites": lambda data: metrics.best_of_suites(
        {"a": {"x": data}, "b": {"x": 1 - RIGHT}}
    ),
    "choose_among": lambda data: _chosen(data),
    "question_statistics": lambda data: metrics.question_statistics(data, ANSWERS),
    "score_all": lambda data: tuple(
        score for score in metrics.score_all(data) if score.metric.needs in ("", "posterior")
    ),
    "compare": lambda data: _compared(metrics.compare(1 - RIGHT, data)),
    "compare_anytime": lambda data: metrics.compare_anytime(1 - RIGHT, data).low[-1],
    "compare_suite": lambda data: _compared(
        metrics.compare_suite({"x": 1 - RIGHT, "y": data}, {"x": data, "y": data})
    ),
    "rank": lambda data: _ranked(data),
    "lead": lambda data: metrics.lead(data, 1 - RIGHT).crossed,
    "leaders": lambda data: metrics.leaders({"a": data, "b": 1 - RIGHT}).first,
    "series": lambda data: _followed(data),
    "suspects": lambda data: _suspected(data),
    "without": lambda data: metrics.without(data, {"1"}, "pass@k", 2),
    "stand": lambda data: metrics.stand({"a": data, "b": 1 - RIGHT}).leaders,
    "rank_suite": lambda data: metrics.rank_suite({"a": {"x": data}, "b": {"x": 1 - RIGHT}}).ranks,
    "stand_suite": lambda data: (
        metrics.stand_suite({"a": {"x": data}, "b": {"x": 1 - RIGHT}}).leaders
    ),
    "labelled_rate": lambda data: metrics.labelled_rate(data, STRATA, LABELS).estimate,
    "reproduces": lambda data: metrics.reproduces(data, "pass@k", "40%", 2, stated_n=3).interval,
    "next_questions": lambda data: metrics.next_questions(data, 1 - RIGHT, 2).ids,
    "plan": lambda data: metrics.plan(data, 1 - RIGHT).smallest(100),
    "Tally.of": metrics.Tally.of,
    "Outcomes": lambda data: Outcomes(data).tally(),
}
OF_SCORES: dict[str, Callable[[Any], Any]] = {
    "soft_hard": metrics.soft_hard,
    "threshold_sweep": metrics.threshold_sweep,
    "soft_accuracy": metrics.soft_accuracy,
    "soft_max_at_k": lambda data: metrics.soft_max_at_k(data, 2),
}
OF_ANSWERS: dict[str, Callable[[Any], Any]] = {
    "agreement": metrics.agreement,
    "answer_diversity": metrics.answer_diversity,
}
OF_MATRICES = sorted(
    name
    for name in metrics.__all__
    if name.endswith(("_at_k", "_at_k_tau", "_at_n", "_hat_k", "_ci")) or name in ("avg", "bayes")
    if name not in OF_SCORES
)
OPTIONS: dict[str, dict[str, Any]] = {
    "g_pass_at_k_tau": {"tau": 0.5},
    "threshold_spectrum_at_k": {"weights": [0.5, 0.5]},
    "plurality_at_k": {"answers": ANSWERS},
}
ELSEWHERE = {
    "metric_name",
    "pool",
    "reproductions",
    "planned_widths",
    "compare_segments",
    "feasible_region",
    "vote_curve",
    "mean_cosine_distance",
    "text_diversity",
    "recall_of_facts",
    "best_score",
    *OF_SCORES,
    *OF_ANSWERS,
}
"""Functions without data, or of other data."""


def _chosen(data: Any) -> tuple[object, ...]:
    found = metrics.choose_among({"a": data, "b": 1 - RIGHT}, resamples=50)
    return found.run, found.chances.get("a"), found.choices["a"].table


def _compared(found: metrics.Difference) -> tuple[object, ...]:
    return found.value, found.interval, found.wins, found.losses


def _ranked(data: Any) -> tuple[object, ...]:
    found = metrics.rank({"a": data, "b": 1 - RIGHT})
    return found.names, found.ranks, found.chances


def _followed(data: Any) -> tuple[object, ...]:
    found = metrics.series({"a": data, "b": 1 - RIGHT, "c": data})
    return found.best, tuple(step and step.interval for step in found.from_first)


def _suspected(data: Any) -> tuple[object, ...]:
    found = metrics.suspects({"a": data, "b": 1 - RIGHT}, {"a": ANSWERS, "b": ANSWERS})
    return tuple((each.question, each.right, each.samples) for each in found.questions)


def plain(result: Any) -> str:
    """Write a result out whole, so that two of them can be compared."""
    if isinstance(result, np.ndarray):
        return str(result.tolist())
    if isinstance(result, tuple):
        return str([plain(each) for each in result])
    if isinstance(result, dict | metrics.data.words.Text):
        return str(result)
    fields = getattr(result, "__dict__", None) or {
        name: getattr(result, name)
        for name in getattr(result, "__slots__", ())
        if hasattr(result, name)
    }
    return str({name: plain(each) for name, each in fields.items()}) if fields else str(result)


def test_no_public_function_is_left_out() -> None:
    functions = {name for name in metrics.__all__ if name[0].islower()}
    tested = {name.split()[0] for name in ANALYSES} | set(OF_MATRICES) | ELSEWHERE
    assert functions <= tested


@pytest.mark.wide
@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_takes_any_data(name: str) -> None:
    analyse = ANALYSES[name]
    expected = plain(analyse(RIGHT))
    assert [kind for kind, data in DATA.items() if plain(analyse(data)) != expected] == []


@pytest.mark.wide
@pytest.mark.parametrize("name", OF_MATRICES)
def test_a_function_of_a_matrix_takes_any_data(name: str) -> None:
    function, stem = getattr(metrics, name), name.removesuffix("_ci")
    k = {} if stem in ("avg", "bayes", "cons_at_n") else {"k": 6 if "aisbench" in stem else 2}

    def found(data: Any) -> Any:
        if stem == "plurality_at_k":
            return function(ANSWERS, data, 2)
        return function(data, **k, **OPTIONS.get(stem, {}))

    assert {plain(found(data)) for data in DATA.values()} == {plain(found(RIGHT))}


@pytest.mark.parametrize("name", OF_SCORES)
def test_an_analysis_of_scores_takes_any_data(name: str) -> None:
    analyse = OF_SCORES[name]
    for data in (RUN, RUN.outcomes, pd.DataFrame(SOFT).astype("Float64"), SOFT.tolist()):
        assert plain(analyse(data)) == plain(analyse(SOFT))
    holed = SOFT.copy()
    holed[0, 0] = np.nan
    table = pd.DataFrame(SOFT).astype("Float64")
    table.iloc[0, 0] = pd.NA
    assert plain(analyse(table)) == plain(analyse(holed))


def test_a_run_brings_its_answers() -> None:
    found, expected = (metrics.agreement(each) for each in (RUN, ANSWERS))
    assert plain(found) == plain(expected)
    assert plain(metrics.question_statistics(RUN)) == (
        plain(metrics.question_statistics(RIGHT, ANSWERS))
    )
    assert metrics.guidance(RUN, resamples=100).agreement is not None
    with pytest.raises(MetricError, match="no extracted answers"):
        metrics.agreement(Run("7B", "maths", Outcomes(RIGHT)))


def test_a_run_brings_its_signals() -> None:
    run = Run("7B", "maths", Outcomes(RIGHT), columns={"reward": SOFT})
    for analyse in (metrics.selected, metrics.selection_efficiency, metrics.ranking_quality):
        assert plain(analyse(run, "reward")) == plain(analyse(RIGHT, SOFT))
        with pytest.raises(MetricError, match=r"no column judge; known: reward"):
            analyse(run, "judge")
        with pytest.raises(MetricError, match=r"no column judge; known: none"):
            analyse(pd.DataFrame(RIGHT), "judge")


def test_a_run_refuses_values_of_other_samples_than_its_own() -> None:
    outcomes = Outcomes([[1, 0]])
    assert Run("7B", "maths", outcomes, columns={"reward": [[1, 2]]}).columns["reward"].sum() == 3  # type: ignore[dict-item]
    for odd in (
        {"columns": {"reward": [[1, 2, 3]]}},
        {"columns": {"reward": [[1, 2], [3, 4]]}},
        {"columns": {"reward": 1.0}},
        {"answers": [[1]]},
        {"question_columns": {"reward": [1, 2]}},
    ):
        with pytest.raises(ValueError, match=r"must have the shape \((1, 2|1,)\) of the outcomes"):
            Run("7B", "maths", outcomes, **odd)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="reward must have equally many values"):
        Run("7B", "maths", outcomes, columns={"reward": [[1], [2, 3]]})  # type: ignore[dict-item]


def test_prices_may_be_a_table_with_gaps() -> None:
    prices = pd.DataFrame(1 + SOFT).astype("Float64")
    prices.iloc[0, 0] = pd.NA
    choice = metrics.choose_n(RIGHT, cost_per_sample=prices, resamples=50)
    expected = metrics.choose_n(
        RIGHT, cost_per_sample=prices.to_numpy(float, na_value=np.nan), resamples=50
    )
    assert plain(choice.table) == plain(expected.table)


def test_outcomes_may_be_of_nullable_columns() -> None:
    outcomes = Outcomes(DATA["Int64"], scores=pd.DataFrame(SOFT).astype("Float64"))
    assert outcomes.digest == Outcomes(RIGHT, scores=SOFT).digest


@pytest.mark.parametrize("function", [metrics.Tally.of, metrics.avg, metrics.soft_accuracy])
def test_what_is_missing_is_not_turned_into_a_plain_matrix(function: Callable[..., Any]) -> None:
    outcomes = Outcomes([[1, -1]], scores=[[0.5, np.nan]])
    for data in (outcomes, Run("7B", "maths", outcomes)):
        with pytest.raises(MetricError, match="Samples are missing"):
            function(data)
    with pytest.raises(MetricError, match="This run has no outcomes"):
        function(Run("7B", "maths", None))


@pytest.mark.parametrize("name", ["pass@4", "pass_at_k", "Pass@K"])
def test_the_right_name_is_told_everywhere(name: str) -> None:
    asked: list[Callable[[], Any]] = [
        lambda: metrics.estimate(RUN, name),
        lambda: metrics.curve(RUN, name),
        lambda: metrics.posterior_curve(RUN, name),
        lambda: metrics.bootstrap_curve(RUN, name),
        lambda: metrics.extrapolate(RUN, name, [12]),
        lambda: metrics.independent_curve(RUN, name, [12]),
        lambda: metrics.choose_n(RUN, metric=name),
        lambda: metrics.compare(RUN, RUN, name),
        lambda: metrics.choose_among({"a": RUN}, metric=name),
    ]
    for each in asked:
        with pytest.raises(MetricError, match="did you mean pass@k"):
            each()


def test_a_run_takes_what_it_has_beside_outcomes_as_lists() -> None:
    run = Run("7B", "maths", Outcomes([[1]]), answers=[[0]], columns={"cost": [[2.0]]})  # type: ignore[arg-type,dict-item]
    table = run.to_frame()
    assert (table["extracted"].tolist(), table["cost"].tolist()) == ([0], [2.0])
