"""Which files are known as the tool's reports."""

import pytest

from reports import LoadError, load
from reports.aisbench import sniff
from reports.files.archive import open_tree
from tests.reports.evaluations.aisbench_archives import REPORTS, archive
from tests.reports.mutations import zipped


@pytest.mark.parametrize("name", REPORTS)
def test_the_tool_s_reports_are_recognised(name):
    assert sniff(open_tree(archive(name)))


@pytest.mark.parametrize(
    "files",
    [
        {"results/alpha/results_2026.json": b'{"config_general": {}, "results": {}}'},
        {"predictions/alpha/gsm8k.jsonl": b'{"index": 0, "model_output": {}}'},
        {"report.json": b'{"total_instances": 3, "resolved_ids": []}'},
    ],
)
def test_other_tools_reports_are_not(files):
    assert not sniff(open_tree(("other.zip", zipped(files))))


def test_a_report_of_which_nothing_can_be_read_is_refused():
    files = {"results/alpha/gsm8k.json": b'{"error": "No predictions found."}'}
    with pytest.raises(LoadError, match=r"evaluation failed \(No predictions found\.\)"):
        load(("report.zip", zipped(files)))
