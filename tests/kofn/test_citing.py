"""What a paper says of how numbers were made is true of them, and cites what was used alone."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from kofn import __version__
from kofn.choices.view import View
from kofn.citing.methods import methods_of
from kofn.citing.sources import AISBENCH, CHEN, KOFN, MILLER, bibliography, source_of
from kofn.citing.used import Used, used_of_metric, used_of_score
from kofn.command import main
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.command import SCORECARD
from metrics import METRICS, Outcomes, estimate
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import METHODS
from reports import Run
from tests.kofn.indexed import index
from tests.kofn.listings import LISTINGS

pytestmark = pytest.mark.usefixtures("short_plans")

ROOT = Path(__file__).parents[2]
RNG = np.random.default_rng(3)
VERDICTS = (RNG.random((40, 4)) < RNG.random((40, 1))).astype(int)


def run(**more: object) -> Run:
    extra = {name: more.pop(name) for name in ("clusters", "segments") if name in more}
    verdicts = VERDICTS.copy()
    if more.pop("failed", False):
        verdicts[:3, 0] = -1
    outcomes = Outcomes(verdicts, scores=np.where(verdicts < 0, np.nan, verdicts * 0.9), **extra)
    codes = np.where(verdicts < 0, -1, verdicts)
    return Run("7B_x", "maths", outcomes, answers=codes, **more)


def said(found: Run, view: View, *names: str) -> tuple[str, set[str]]:
    cards = score_runs(index(found), view, ScoreChoices(names))
    methods = SCORECARD.methods(cards, view)
    return " ".join(map(str, methods.sentences)), {each.key for each in methods.sources}


@pytest.mark.wide
@pytest.mark.parametrize("missing", ["wrong", "omit", "right"])
@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize("name", METRICS)
def test_each_metric_is_told_as_it_was_estimated(name, target, missing):
    found = run(failed=True)
    view = View(k=(2,), target=target, missing=missing, level=0.9)
    text, sources = said(found, view, name)
    options = {"weights": (0.5, 0.5)} if METRICS[name].needs == "weights" else {}
    metric = METRICS[name]
    if metric.needs == "posterior":
        target = "benchmark"
    try:
        made = estimate(
            found.outcomes,
            name,
            2 if metric.takes_k else None,
            target=target,
            confidence_level=0.9,
            missing=missing,
            answers=found.answers,
            **options,
        )
    except MetricError:
        assert str(metric.sentence) not in text or options
        assert sources == {"kofn"}
        return
    if options:
        return
    assert str(made.method) in text
    assert str(metric.sentence) in text
    label = metric.label(2 if metric.takes_k else 3 if missing == "omit" else 4)
    assert f"{label} " in text
    assert source_of(metric).short in text
    assert source_of(metric).key in sources
    assert "90% intervals" in text
    covers = "questions like these" if target == "population" else "these questions with other"
    assert covers in text
    assert ("miller2024error" in sources) == (target == "population")
    assert ("korn1998confidence" in sources) == ("Korn" in str(made.method))
    treatment = {"wrong": "count as wrong", "omit": "are left out", "right": "count as right"}
    assert f"3 of 160 requests failed and {treatment[missing]}" in text
    assert "maths, 40 questions, n = 4" in text
    assert f"Computed with kofn {__version__}." in text


def test_pass_at_k_is_the_unbiased_estimate_of_chen():
    text, _ = said(run(), View(k=(1, 4)), "pass@k")
    assert "pass@1 and pass@4 are the unbiased estimates of Chen et al. 2021:" in text
    assert "failed" not in text, "nothing did"
    assert "clusters" not in text


def test_many_datasets_and_many_k_are_told_in_short():
    def said_of(*runs):
        used = [Used("pass@k", k, METHODS["population"]) for k in ks]
        return " ".join(map(str, methods_of(runs, View(), used).sentences))

    ks, many = (1, 2, 3, 4), [replace(run(), dataset=f"d{place}") for place in range(9)]
    told = said_of(*many)
    assert told.startswith("9 datasets, each of 40 questions, n = 4. pass@1, pass@2, pass@3 and ")
    few = Run("7B_x", "d0", Outcomes(VERDICTS[:30, :3]))
    ks = (1, 2, 3, 4, 5)
    told = said_of(few, *many[1:])
    assert told.startswith("9 datasets, each of 30 to 40 questions, n = 3 to 4. pass@k is the unb")


def test_a_number_of_these_questions_among_others_is_said_to_be_one():
    text, _ = said(run(), View(target="benchmark"), "bayes@n", "avg@n")
    assert "of these questions with other samples: " not in text
    cards = score_runs(index(run()), View(), ScoreChoices(("avg@n",)))
    (score,) = (score for card in cards for score in card.found.scores)
    used = [*used_of_score(score), Used("bayes@n", 4, METHODS["shrunken"], (), "benchmark")]
    text = " ".join(map(str, methods_of([run()], View(), used).sentences))
    assert "For bayes@4, of these questions with other samples: Shrunken" in text


def test_clusters_segments_options_and_ties_are_told():
    found = run(clusters=np.arange(40) // 5, segments={"subject": ["a", "b"] * 20})
    view = View(segment=("subject", "a"))
    cards = score_runs(index(found), view, ScoreChoices(("g-pass@k", "cons@n"), taus=(0.75,)))
    text = " ".join(map(str, SCORECARD.methods(cards, view).sentences))
    assert "Only questions with subject = a." in text
    assert "maths, 20 questions, n = 4" in text
    assert "form 8 clusters" in text
    assert "with what the clusters are worth" in text
    assert "Here with tau = 0.75." in text
    assert "ties are wrong" in text


def test_repaired_numbers_are_named_with_the_reason():
    why = Text("AISBench mixes the samples of different questions.")
    repaired = run(reported={"pass@4": 0.01, "avg@4": float(VERDICTS.mean()), "elegance": 0.5})
    repaired = Run(**{**vars_of(repaired), "explanations": {"pass@4": why}})
    text, _ = said(repaired, View(), "pass@k")
    assert (
        f"For 1 run, kofn recomputed these stated numbers from the samples: pass@4. {why}" in text
    )
    assert "avg@4. AISBench" not in text
    assert "elegance" not in text, "which is not computed at all"


def vars_of(found: Run) -> dict[str, object]:
    names = ("model", "dataset", "outcomes", "reported", "answers")
    return {name: getattr(found, name) for name in names}


@pytest.mark.parametrize("clusters", [None, np.arange(40) // 5])
@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize(
    "name", [name for name, each in METRICS.items() if each.needs not in ("weights", "posterior")]
)
def test_a_curve_is_told_as_its_points_are_estimated(name, target, clusters):
    found, metric = run(clusters=clusters), METRICS[name]
    k = 2 if metric.takes_k else None
    made = estimate(found.outcomes, name, k, target=target, answers=found.answers)
    assert used_of_metric(metric, k, found, View(target=target)).method == made.method


@pytest.mark.parametrize("metric", METRICS.values(), ids=str)
def test_every_metric_has_a_work_with_the_number_that_the_registry_gives(metric):
    source = source_of(metric)
    if found := re.search(r"arXiv:([\d.]+)", metric.source):
        assert source.fields["eprint"] == found[1]
        title = metric.source.split(", ", 1)[1].removesuffix(f", {found[0]}")
        assert letters(title) in letters(source.fields["title"])
        first = metric.source.split(" ")[0]
        assert f"{first} and" in source.fields["author"]


def letters(title: str) -> str:
    return re.sub("[^a-z]", "", title.lower())


def test_kofn_is_cited_as_its_own_file_says():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert KOFN.fields["title"] == cff["title"]
    assert KOFN.fields["author"] == f"{{{cff['authors'][0]['name']}}}"
    assert str(cff["version"]) == __version__
    assert KOFN.short == f"kofn {__version__}"


def test_a_bibliography_has_each_work_once_and_balanced():
    text = bibliography([CHEN, KOFN, CHEN, AISBENCH, MILLER])
    keys = re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE)
    assert keys == ["aisbench", "chen2021evaluating", "kofn", "miller2024error"]
    assert text.count("{") == text.count("}")


CITED = {
    "scorecard": {"chen2021evaluating", "yao2024taubench", "korn1998confidence", "hu2026rewarding"},
    "compare": {"aisbench", "owen1988empirical", "holm1979simple"},
    "rank": {"aisbench", "owen1988empirical", "holm1979simple"},
    "series": {"aisbench", "owen1988empirical"},
    "saturation": {"chen2021evaluating", "korn1998confidence"},
    "choose-n": {"chen2021evaluating", "korn1998confidence"},
    "guidance": {"chen2021evaluating", "aisbench"},
    "consistency": {"aisbench", "owen1988empirical"},
    "soft-vs-hard": {"aisbench", "chen2021evaluating"},
    "candidates": {"chen2021evaluating", "korn1998confidence"},
    "trade-offs": {"chen2021evaluating", "korn1998confidence"},
    "budgets": {"chen2021evaluating"},
    "overview": {"aisbench", "owen1988empirical"},
    "plan": {"aisbench", "owen1988empirical"},
}


@pytest.mark.wide
@pytest.mark.usefixtures("short_plans", "asked_once")
@pytest.mark.parametrize("subcommand", LISTINGS)
def test_every_subcommand_cites_what_it_used(table, capsys, subcommand):
    main([subcommand, table, "--format", "bibtex"])
    keys = set(re.findall(r"^@\w+\{(\w+),$", capsys.readouterr().out, re.MULTILINE))
    assert keys >= CITED.get(subcommand, set()) | {"kofn"}
    if subcommand in ("saturation", "rank"):
        assert "hariri2026dont" not in keys
    main([subcommand, table, "--format", "latex"])
    paper = capsys.readouterr().out
    assert set(re.findall(r"\\cite\{(\w+)\}", paper)) == keys
    assert r"\paragraph{Methods.} Data: maths, 12 questions, n = 4." in paper
