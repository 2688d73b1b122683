"""Metrics of repeated sampling: outcomes in, estimates with honest intervals out.

A model answered each of M questions n times. `Outcomes` holds the verdicts and `Tally` the counts.
`estimate` turns either into a number with the interval that belongs to it; `curve` does so for all
k at once. The functions named after metrics (`pass_at_k`, `maj_at_k_ci` …) take a plain matrix.

>>> from kofn import metrics
>>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
>>> round(metrics.pass_at_k(R, 2), 2), round(metrics.estimate(R, "pass@k", 2).value, 2)
(0.95, 0.95)
"""

from metrics.analyses.adaptive.adaptive_curve import AdaptiveCurve, adaptive_curve
from metrics.analyses.adaptive.adaptive_vote import AdaptiveVote, adaptive_vote
from metrics.analyses.adaptive.stopping import Confidence, Decided, Windows
from metrics.analyses.budgets.answer_times import AnswerTimes, answer_times
from metrics.analyses.budgets.measured import cut_at
from metrics.analyses.budgets.right_lengths import RightLengths, right_lengths
from metrics.analyses.budgets.short_or_long import Answers, ShortOrLong, short_or_long
from metrics.analyses.budgets.token_budgets import TokenBudgets, token_budgets
from metrics.analyses.candidates.compare_ways import compare_ways
from metrics.analyses.candidates.efficiency import selection_efficiency
from metrics.analyses.candidates.ranking import ranking_quality
from metrics.analyses.candidates.selected import Fall, Selected, selected
from metrics.analyses.candidates.ways import Way
from metrics.analyses.candidates.weighted_vote import weighted_vote
from metrics.analyses.choose_n.among import Selection, choose_among
from metrics.analyses.choose_n.choice import Choice, choose_n
from metrics.analyses.choose_n.rules import Advice, Rule
from metrics.analyses.choose_n.tradeoff import Tradeoff
from metrics.analyses.compare.compare import compare
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.leading import Crossed, Lead, Leaders, lead, leaders
from metrics.analyses.compare.rank import Ranking, Ranks, rank
from metrics.analyses.compare.segments import BySegment, compare_segments
from metrics.analyses.compare.series import Series, series
from metrics.analyses.compare.standing import Standing, stand
from metrics.analyses.compare.suites import best_of_suites, compare_suite, stand_suite
from metrics.analyses.consistency.consistency import Consistency, Scenario, consistency, vote_curve
from metrics.analyses.consistency.feasible_region import feasible_region
from metrics.analyses.consistency.modal_answers import NO_ANSWER, Agreement, agreement
from metrics.analyses.diversity.answers import AnswerDiversity, answer_diversity
from metrics.analyses.diversity.diversity import Diversity, Measure, diversity
from metrics.analyses.diversity.embeddings import mean_cosine_distance
from metrics.analyses.diversity.texts import TextDiversity, text_diversity
from metrics.analyses.guidance.decision import Guidance, guidance
from metrics.analyses.judges.corrected import Corrected, Division, correct_judge
from metrics.analyses.judges.difference import judged_difference
from metrics.analyses.judges.errors import Agreed, JudgeErrors, judge_errors
from metrics.analyses.judges.judged import judged_rate
from metrics.analyses.judges.powered import Powered, prediction_powered
from metrics.analyses.judges.spot_check import SpotCheck, spot_check
from metrics.analyses.judges.strata import (
    Labelled,
    Strata,
    Stratum,
    labelled_rate,
    planned_widths,
)
from metrics.analyses.lists.first import any_pass, best_score, first_pass
from metrics.analyses.lists.gains import dcg, ndcg
from metrics.analyses.lists.places import Listed
from metrics.analyses.lists.recall import recall_of_facts
from metrics.analyses.lists.weighted import weighted_mean
from metrics.analyses.next_questions import NextQuestions, next_questions
from metrics.analyses.plan.needs import Bill, Needs, Split
from metrics.analyses.plan.plan import Plan, plan
from metrics.analyses.questions import AGREED, QuestionStatistics, question_statistics
from metrics.analyses.replicas.replicas import Replicas, replicas
from metrics.analyses.saturation.extrapolation import extrapolate
from metrics.analyses.saturation.independent_tries import independent_curve
from metrics.analyses.score_range import ScoreRange, score_range
from metrics.analyses.scorecard import Score, Scores, score_all
from metrics.analyses.soft_hard.soft_hard import SoftHard, soft_hard
from metrics.analyses.soft_hard.thresholds import Sweep, threshold_sweep
from metrics.analyses.suspects.suspects import Suspect, Suspects, suspects, without
from metrics.analyses.trust.calibration import SignalCalibration, signal_calibration
from metrics.analyses.trust.nested import Nested, nested_choice
from metrics.analyses.trust.optimism import Optimism, optimism
from metrics.data.counts import Counts
from metrics.data.facts import Facts
from metrics.data.joint_counts import JointCounts
from metrics.data.joint_tally import JointTally
from metrics.data.outcomes import ABSENT, FAILED, Missing, Outcomes, Segment
from metrics.data.results import Backtest, Curve, Estimate, Extrapolation, Interval, Target
from metrics.data.tally import Tally
from metrics.data.words import MetricError, Text
from metrics.estimating.curves import bootstrap_curve, curve, posterior_curve
from metrics.estimating.estimation import estimate
from metrics.estimating.pooling import pool
from metrics.posteriors.best_reward import max_at_k_ci
from metrics.posteriors.blends import (
    geo_spectrum_at_k_ci,
    geo_spectrum_star_at_k_ci,
    geom_at_k_ci,
    geom_ds_at_k_ci,
)
from metrics.posteriors.posterior import (
    Posterior,
    auc_at_k_ci,
    g_pass_at_k_ci,
    g_pass_at_k_tau_ci,
    maj_at_k_ci,
    mg_pass_at_k_ci,
    pass_at_k_ci,
    pass_hat_k_ci,
    threshold_spectrum_at_k_ci,
    unanimous_at_k_ci,
)
from metrics.posteriors.rewards import avg_ci, bayes_ci
from metrics.scoring.best_reward import max_at_k
from metrics.scoring.blends import (
    geo_spectrum_at_k,
    geo_spectrum_star_at_k,
    geom_at_k,
    geom_ds_at_k,
)
from metrics.scoring.counts import (
    aisbench_cons_at_k,
    auc_at_k,
    cons_at_n,
    g_pass_at_k,
    g_pass_at_k_tau,
    maj_at_k,
    mg_pass_at_k,
    pass_at_k,
    pass_hat_k,
    threshold_spectrum_at_k,
    unanimous_at_k,
)
from metrics.scoring.registry import METRICS, Metric
from metrics.scoring.rewards import avg, bayes
from metrics.scoring.soft import soft_accuracy, soft_max_at_k
from metrics.scoring.votes import plurality_at_k

__all__ = [
    "ABSENT",
    "AGREED",
    "FAILED",
    "METRICS",
    "NO_ANSWER",
    "AdaptiveCurve",
    "AdaptiveVote",
    "Advice",
    "Agreed",
    "Agreement",
    "AnswerDiversity",
    "AnswerTimes",
    "Answers",
    "Backtest",
    "Bill",
    "BySegment",
    "Choice",
    "Confidence",
    "Consistency",
    "Corrected",
    "Counts",
    "Crossed",
    "Curve",
    "Decided",
    "Difference",
    "Diversity",
    "Division",
    "Estimate",
    "Extrapolation",
    "Facts",
    "Fall",
    "Guidance",
    "Interval",
    "JointCounts",
    "JointTally",
    "JudgeErrors",
    "Labelled",
    "Lead",
    "Leaders",
    "Listed",
    "Measure",
    "Metric",
    "MetricError",
    "Missing",
    "Needs",
    "Nested",
    "NextQuestions",
    "Optimism",
    "Outcomes",
    "Plan",
    "Posterior",
    "Powered",
    "QuestionStatistics",
    "Ranking",
    "Ranks",
    "Replicas",
    "RightLengths",
    "Rule",
    "Scenario",
    "Score",
    "ScoreRange",
    "Scores",
    "Segment",
    "Selected",
    "Selection",
    "Series",
    "ShortOrLong",
    "SignalCalibration",
    "SoftHard",
    "Split",
    "SpotCheck",
    "Standing",
    "Strata",
    "Stratum",
    "Suspect",
    "Suspects",
    "Sweep",
    "Tally",
    "Target",
    "Text",
    "TextDiversity",
    "TokenBudgets",
    "Tradeoff",
    "Way",
    "Windows",
    "adaptive_curve",
    "adaptive_vote",
    "agreement",
    "aisbench_cons_at_k",
    "answer_diversity",
    "answer_times",
    "any_pass",
    "auc_at_k",
    "auc_at_k_ci",
    "avg",
    "avg_ci",
    "bayes",
    "bayes_ci",
    "best_of_suites",
    "best_score",
    "bootstrap_curve",
    "choose_among",
    "choose_n",
    "compare",
    "compare_segments",
    "compare_suite",
    "compare_ways",
    "cons_at_n",
    "consistency",
    "correct_judge",
    "curve",
    "cut_at",
    "dcg",
    "diversity",
    "estimate",
    "extrapolate",
    "feasible_region",
    "first_pass",
    "g_pass_at_k",
    "g_pass_at_k_ci",
    "g_pass_at_k_tau",
    "g_pass_at_k_tau_ci",
    "geo_spectrum_at_k",
    "geo_spectrum_at_k_ci",
    "geo_spectrum_star_at_k",
    "geo_spectrum_star_at_k_ci",
    "geom_at_k",
    "geom_at_k_ci",
    "geom_ds_at_k",
    "geom_ds_at_k_ci",
    "guidance",
    "independent_curve",
    "judge_errors",
    "judged_difference",
    "judged_rate",
    "labelled_rate",
    "lead",
    "leaders",
    "maj_at_k",
    "maj_at_k_ci",
    "max_at_k",
    "max_at_k_ci",
    "mean_cosine_distance",
    "mg_pass_at_k",
    "mg_pass_at_k_ci",
    "ndcg",
    "nested_choice",
    "next_questions",
    "optimism",
    "pass_at_k",
    "pass_at_k_ci",
    "pass_hat_k",
    "pass_hat_k_ci",
    "plan",
    "planned_widths",
    "plurality_at_k",
    "pool",
    "posterior_curve",
    "prediction_powered",
    "question_statistics",
    "rank",
    "ranking_quality",
    "recall_of_facts",
    "replicas",
    "right_lengths",
    "score_all",
    "score_range",
    "selected",
    "selection_efficiency",
    "series",
    "short_or_long",
    "signal_calibration",
    "soft_accuracy",
    "soft_hard",
    "soft_max_at_k",
    "spot_check",
    "stand",
    "stand_suite",
    "suspects",
    "text_diversity",
    "threshold_spectrum_at_k",
    "threshold_spectrum_at_k_ci",
    "threshold_sweep",
    "token_budgets",
    "unanimous_at_k",
    "unanimous_at_k_ci",
    "vote_curve",
    "weighted_mean",
    "weighted_vote",
    "without",
]
