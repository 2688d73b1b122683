"""Why soft and hard accuracy of a run differ, in words."""

from __future__ import annotations

from kofn.soft_vs_hard.analysis import SoftHardCard
from kofn.writing.estimates import points
from metrics.analyses.soft_vs_hard.comparison import SoftHard
from metrics.data.words import Text

FEATURES: tuple[tuple[Text, Text, Text], ...] = (
    (
        Text("What is measured"),
        Text("how well an answer matches, from 0 to 1"),
        Text("whether it is right, 0 or 1"),
    ),
    (
        Text("Averaged over"),
        Text("the questions of each replica first, then over replicas"),
        Text("the replicas of each question first, then over questions"),
    ),
    (Text("Formula"), Text("1/(nD) Σ score"), Text("1/D Σ correct/n")),
    (Text("For"), Text("fine differences in quality"), Text("consistency and robustness")),
    (
        Text("They are the same"),
        Text("where every score is 0 or 1"),
        Text("or where partial credit on both sides of the threshold cancels"),
    ),
)
"""What soft and hard accuracy are, feature by feature, after AISBench's document."""


def rule_of(card: SoftHardCard) -> Text:
    """Say when a sample of a run is right, and if that is an assumption."""
    threshold, strict = card.settings.of_run(card.run)
    rule = Text("right: a score of at least {threshold:g}", threshold=threshold)
    if strict:
        rule = Text("right: a score above {threshold:g}", threshold=threshold)
    if card.run.threshold is None and card.settings.threshold is None:
        return Text("{rule}, assumed because the file states no threshold", rule=rule)
    return rule


def explain(found: SoftHard) -> Text:
    """Say in words why soft and hard accuracy differ, or why they cannot."""
    if not found.partial:
        return Text(
            "Every score is 0 or 1, so soft and hard accuracy are identical by construction."
        )
    return Text(
        "{partial:.0%} of the samples have partial credit. Where they count as wrong, soft "
        "accuracy gains {below} that hard accuracy does not see; where they count as right, it "
        "loses {above} that hard accuracy rounds up. Together that is the gap of {gap}.",
        partial=found.partial,
        below=points(found.levels.below),
        above=points(-found.levels.above),
        gap=points(found.gap.value),
    )
