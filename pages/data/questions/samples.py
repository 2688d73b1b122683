"""The samples of one question by one run, grouped by answer, with one text of each group."""

from __future__ import annotations

import math

import streamlit as st

from kofn.questions.analysis import RunQuestions
from kofn.questions.columns import shorten
from kofn.questions.groups import Group, group_samples
from metrics.data.words import Text, plain
from pages.shared.texts.reading import show_text
from pages.shared.translating import _, escape, escape_name, say
from reports.run.report import Run
from reports.run.texts import Texts

GROUPS = 30
"""The most groups of samples that are shown."""


def show_samples(
    questions: RunQuestions, place: int, texts: Texts | None, *, maths: bool, with_judge: bool
) -> None:
    """Show what a run made of a question.

    place: Of the question among them.
    texts: None where there are none to read.
    maths: Whether to set formulas.
    with_judge: Whether to say whose verdicts these are.
    """
    known = questions.known
    n, c = int(known.statistics.n[place]), int(known.statistics.c[place])
    right = Text(
        "{right} of {count} sample right", "{right} of {count} samples right", right=c, count=n
    )
    parts = [say(right)]
    if known.soft is not None and not math.isnan(known.soft[place]):
        parts.append(say(Text("mean score {score:.2f}", score=float(known.soft[place]))))
    st.markdown(f"**{escape_name(questions.run.model)}** · {' · '.join(parts)}")
    if with_judge:
        st.caption(say(judge(questions.run)))
    groups = group_samples(questions, place, texts.answers if texts else ())
    for number, group in enumerate(groups[:GROUPS]):
        with st.container(border=True, gap="small"):
            _show_group(questions, place, group, texts, maths, number)
    if len(groups) > GROUPS:
        left_out = Text(
            "{count} more answer is not shown; the download has it.",
            "{count} more answers are not shown; the download has them.",
            count=len(groups) - GROUPS,
        )
        st.caption(say(left_out))


def judge(run: Run) -> Text:
    """Say whose verdicts these are."""
    if run.rule is not None:
        whose = Text("Judged by kofn, by {rule}, as the report holds no verdicts.", rule=run.rule)
    elif run.evaluator is not None:
        whose = Text("Judged by {evaluator}.", evaluator=run.evaluator)
    else:
        whose = Text("Judged as the file says.")
    if run.threshold is None:
        return whose
    rule = (
        Text("A sample is right if its score exceeds {mark:g}.", mark=run.threshold)
        if run.strict
        else Text("A sample is right if its score is at least {mark:g}.", mark=run.threshold)
    )
    return Text("{whose} {rule}", whose=whose, rule=rule)


def _show_group(
    questions: RunQuestions, place: int, group: Group, texts: Texts | None, maths: bool, number: int
) -> None:
    st.markdown(f"{_answer(group)} · {_verdict(group)}")
    key = f"kofn.question.{questions.key}.{place}.{number}"
    sample: int | None = group.samples[0]
    if len(group.samples) > 1 and (texts is not None or questions.outcomes.scores is not None):
        sample = st.pills(
            _("Samples"),
            group.samples,
            default=sample,
            required=True,
            format_func=lambda each: _sample(questions, place, each),
            key=key,
            label_visibility="collapsed",
        )
    elif group.samples:
        name = Text("Sample {name}", name=_sample(questions, place, group.samples[0]))
        st.caption(say(name))
    prediction = texts.predictions[sample] if texts and sample is not None else None
    if prediction is not None:
        show_text(prediction, f"{key}.{sample}.fold", maths)


def _answer(group: Group) -> str:
    if group.answer is not None:
        return f"**{escape(shorten(group.answer))}**" if group.answer else _("empty answer")
    return {
        "answer": _("Equal answers"),
        "none": _("No answer found"),
        "verdict": _("Samples"),
        "failed": _("Failed requests"),
    }[group.kind]


def _verdict(group: Group) -> str:
    count, right = len(group.samples), group.right
    if group.kind == "failed":
        return say(Text("{count} sample", "{count} samples", count=count))
    if right == count:
        return f":green[✓ {say(Text('{count} right', count=count))}]"
    if right == 0:
        return f":red[✗ {say(Text('{count} wrong', count=count))}]"
    return say(Text("✓ {right} right, ✗ {wrong} wrong", right=right, wrong=count - right))


def _sample(questions: RunQuestions, place: int, sample: int) -> str:
    """Name a sample by its number and verdict, with its score, and whether it was cut."""
    row = questions.known.rows[place]
    verdict = int(questions.outcomes.correct[row, sample])
    mark = {1: "✓", 0: "✗"}.get(verdict, "–")
    states = questions.run.states
    if states is not None and states.of("cut", row)[sample]:
        mark = f"{mark} {_('cut')}"
    scores = questions.outcomes.scores
    if scores is None or verdict < 0:
        return f"{sample + 1} {mark}"
    number, score = sample + 1, float(scores[row, sample])
    return plain(Text("{number} {mark} {score:.2f}", number=number, mark=mark, score=score))
