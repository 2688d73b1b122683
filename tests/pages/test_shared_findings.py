"""What is computed of reports is computed once for those who look at the same, and no others."""

import gc
from threading import Barrier, Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.shared.memory import cached
from pages.shared.memory.cache import Look, ReportCache, ReportCaches
from reports import load
from tests.pages.visiting import OVERVIEW, PAGES, outcomes, table, visit, visit_scores, words

pytestmark = pytest.mark.usefixtures("own_garbage")

DATA = table(outcomes())


@pytest.fixture
def computed(monkeypatch):
    """How often something was computed of a run."""
    calls, attempt = [], cached.attempt
    monkeypatch.setattr(cached, "attempt", lambda *args: calls.append(args) or attempt(*args))
    return calls


def test_who_opens_a_file_by_its_path_shares_what_others_computed_of_it(
    tmp_path, monkeypatch, computed
):
    (tmp_path / "a.parquet").write_bytes(DATA)
    monkeypatch.setattr("sys.argv", ["app.py", str(tmp_path / "a.parquet")])
    one, once = visit_scores(), len(computed)
    other = visit_scores()
    assert len(computed) == once > 0
    assert words(other) == words(one)
    visit_scores(level="0.5")
    assert len(computed) > once


def test_an_upload_is_shared_with_nobody_but_by_a_link(computed):
    one, once = visit_scores(("a.parquet", DATA)), len(computed)
    other = visit_scores(("a.parquet", DATA))
    assert len(computed) == 2 * once > 0
    assert words(other) == words(one)
    (link,) = (code.value for code in one.code if "key" in code.value)
    guest = visit(OVERVIEW, **parse_qs(urlsplit(link).query))
    assert len(computed) == 2 * once
    assert words(guest) == words(one)


@pytest.fixture
def report():
    return load(("a.parquet", DATA))


def test_a_cache_is_of_these_reports_and_goes_with_the_last_who_looks(report):
    caches, alike = ReportCaches(), load(("a.parquet", DATA))
    cache = caches.of([report])
    assert caches.of([report]) is cache
    assert caches.of([alike]) is not cache
    assert caches.of([report, alike]) is not caches.of([alike, report])
    assert cache.find("kind", 1, "key", lambda: "found") == "found"
    del cache
    gc.collect()
    assert caches.of([report]).find("kind", 1, "key", lambda: "anew") == "anew"


def test_what_was_not_asked_for_longest_makes_room(report):
    cache = ReportCaches().of([report])
    for key in "abac":
        cache.find("kind", 2, key, lambda: "first")
    assert cache.find("kind", 2, "a", lambda: "second") == "first"
    assert cache.find("kind", 2, "b", lambda: "second") == "second"
    assert cache.find("another", 2, "a", lambda: "second") == "second"
    looks = [Look(cache) for _ in range(2)]
    for key in "abcdc":
        cache.find("for two", 2, key, lambda: "first")
    assert len({look.cache for look in looks}) == 1
    assert cache.find("for two", 2, "a", lambda: "second") == "first"


def test_two_who_want_the_same_wait_for_one_and_a_failure_is_tried_again(report):
    cache, together, found = ReportCaches().of([report]), Barrier(2), []

    def compute():
        found.append("computed")
        return found

    def come():
        together.wait()
        assert cache.find("kind", 1, "key", compute) is found

    threads = [Thread(target=come) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["computed"]
    with pytest.raises(ZeroDivisionError):
        cache.find("kind", 1, "other", lambda: 1 / 0)
    assert cache.find("kind", 1, "other", lambda: 1) == 1


OF_EACH_RUN = [page for page in PAGES if "behaviour/" in page or "trade_offs" in page]
UNASKED = {"pages/behaviour/guidance/page.py": {"metric": "pass@k", "target": "benchmark"}}
"""Settings of a link that a page does not have."""
TWO = [table(outcomes(seed=seed), model=f"m{seed}") for seed in (1, 2)]


@pytest.mark.parametrize("page", OF_EACH_RUN)
def test_what_is_found_of_a_run_stays_while_others_are_chosen(page, monkeypatch):
    made, find = [], ReportCache.find
    monkeypatch.setattr(
        ReportCache,
        "find",
        lambda cache, kind, limit, key, make: find(
            cache, kind, limit, key, lambda: made.append(kind) or make()
        ),
    )
    app = visit(page, *((f"{at}.parquet", data) for at, data in enumerate(TWO)))
    once = [*made]
    app.query_params["run"] = ["m2 / maths"]
    app.query_params.update(UNASKED.get(page, {}))
    app.run()
    assert not app.exception
    assert once
    anew = {kind.rpartition(".")[2] for kind in made[len(once) :]}
    together = {"_agreement", "_means", "find_winner", "find_places", "guide_means", "weigh_means"}
    assert anew <= together  # of those chosen
