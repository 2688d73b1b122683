"""Ask what the columns of a table hold, where it does not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count, islice

import streamlit as st

from metrics.data.words import Text, plain, printable, some_of
from pages.shared.loading.wanted import want
from pages.shared.memory import session
from pages.shared.showing.folds import fold
from pages.shared.texts.reading import readable
from pages.shared.translating import _, escape, say
from reports.column_mapping import (
    CALIBRATION,
    MISSING,
    RIGHT,
    SEVERAL,
    TABLE,
    WHOLE,
    WORDS,
    ColumnMapping,
    with_column,
)
from reports.files.errors import (
    ColumnChoice,
    Glimpse,
    Glimpses,
    OpenChoice,
    RoleChoice,
    RuleChoice,
    VerdictChoice,
    WordChoice,
)

MOST = 500
"""The most columns that are offered for one role: the likeliest."""
_ACROSS = 3
_NAMED = 3
_FIRST: dict[str, Text] = {
    "correct": Text("Verdict: right or wrong"),
    "question_id": Text("Question"),
    "model": Text("Model"),
    "score": Text("Score, from 0 to 1"),
    "sample": Text("Number of the sample"),
    "dataset": Text("Dataset"),
}
_MORE: dict[str, Text] = {
    "setting": Text("Settings: a run for each"),
    "other": Text("Columns to ignore"),
    "extracted": Text("Extracted answer"),
    "tokens_out": Text("Tokens written"),
    "tokens_in": Text("Tokens read"),
    "latency_s": Text("Seconds"),
    "cost": Text("Cost"),
    "segment": Text("Kind of question"),
    "cluster": Text("Group of questions, such as a passage"),
    "n": Text("How many samples the question has"),
    "c": Text("How many of them are right"),
    "rate": Text("The share of them that is right"),
    "error": Text("Error of a failed request"),
    "prompt": Text("Prompt"),
    "reference": Text("Reference answer"),
    "prediction": Text("The model's answer"),
    "position": Text("Place in a list, from 1"),
    "human": Text("Verdict of a person on the sample"),
    "human_group": Text("Verdict of a person on the question"),
    "human_probability": Text("Chance that a sample is labelled"),
    "human_group_probability": Text("Chance that a question is labelled"),
    "facts": Text("Facts that the sample covers, a list"),
    "gold_facts": Text("Facts that the question asks for, a list"),
    "embedding": Text("Embedding, a list of numbers"),
}
_MEANINGS: dict[str, Text] = {
    "model": Text("The model: a run for each"),
    "dataset": Text("The dataset: a run for each"),
    "setting": Text("A setting, such as the temperature: a run for each"),
    "other": Text("None of these: its rows are samples of one run"),
    "c": Text("How many samples of the question are right"),
    "rate": Text("The share of samples of the question that are right"),
    "correct": Text("Whether one sample is right"),
    "score": Text("The score of one sample"),
}

_RULES: dict[str, Text] = {
    "exact": Text("The whole text is the reference"),
    "letter": Text("The last option stated is the reference"),
    "number": Text("The last number stated is the reference"),
    "formula": Text("The last formula stated is the reference"),
}


def ask_columns(questions: Sequence[session.ColumnQuestion], key: str) -> None:
    """Let the visitor say which column of some tables is what, and load them with the answers.

    questions: At least one; all ask the same.
    """
    question, choice = questions[0], questions[0].choice
    with st.container(border=True):
        st.markdown(f"**{escape(question.table)}**: {say(choice.problem)}.")
        others = [*dict.fromkeys(each.choice.place for each in questions)][1:]
        if others:
            also = Text(
                "The answer also counts for {count} other file: {names}.",
                "The answer also counts for {count} other files: {names}.",
                count=len(others),
                names=some_of(others, _NAMED),
            )
            st.caption(say(also))
        if isinstance(choice, VerdictChoice):
            _ask_verdict(question, choice, key)
            return
        if isinstance(choice, RuleChoice):
            _ask_rule(question, choice, key)
        for option, gives in choice.gives.items():
            meaning = plain(_MEANINGS[option]) if option in _MEANINGS else printable(option)
            st.markdown(f"- {escape(meaning)}: {say(gives)}")
        assert choice.table is not None, "a table asks once its columns were looked at"
        mapping = _what_it_is(choice, key, question.file.source.columns)
        mapping = _every_role(choice, choice.table, mapping, key)
        if st.checkbox(
            _("It is a calibration set: what a judge says, with human labels"),
            key=f"{key}.{TABLE}",
            help=_(
                "Such a table needs no verdicts. It has a column human, 1 or 0 for each answer, "
                "or human_group for each question, and one of the judge."
            ),
        ):
            mapping = {**mapping, TABLE: CALIBRATION}
        twice = _columns_named_twice(mapping)
        if twice:
            st.warning(say(Text("{column} is chosen twice.", column=twice[0])))
        st.button(
            _("Load with these columns"),
            key=f"{key}.load",
            type="primary",
            disabled=bool(twice) or mapping == question.file.source.columns,
            on_click=partial(_load, question, mapping),
        )


def _ask_verdict(question: session.ColumnQuestion, choice: VerdictChoice, key: str) -> None:
    """Ask which of a tool's verdicts counts, and load the file with that."""
    known = question.file.source.columns
    answer = st.selectbox(
        _("Which one counts?"),
        choice.options,
        index=None,
        key=f"{key}.answer",
        format_func=printable,
        placeholder=_("Choose one"),
    )
    st.button(
        _("Load with this one"),
        key=f"{key}.load",
        type="primary",
        disabled=answer is None,
        on_click=partial(_load, question, choice.answered(known, answer) if answer else known),
    )


def _ask_rule(question: session.ColumnQuestion, choice: RuleChoice, key: str) -> None:
    """Ask by which rule texts are to be judged, with what each makes of some of them."""
    rules = choice.rules
    examples = [
        {
            _("The text ends with"): readable(example.text),
            _("Reference"): readable(example.reference),
            **{
                plain(_RULES[rule]): "✓" if right else "✗"
                for rule, right in zip(rules.gives, example.verdicts, strict=True)
            },
        }
        for example in rules.examples
    ]
    st.dataframe(examples, hide_index=True, alt=_("What each rule makes of some texts"))
    rule = st.radio(
        _("kofn can judge the texts by a rule, and marks the run as judged by kofn."),
        choice.options,
        index=None,
        key=f"{key}.rule",
        format_func=lambda rule: plain(_RULES[rule]),
        captions=[say(gives) for gives in rules.gives.values()],
    )
    st.button(
        _("Judge by this rule"),
        key=f"{key}.judge",
        type="primary",
        disabled=rule is None,
        on_click=partial(
            _load, question, choice.answered(question.file.source.columns, rule or "")
        ),
    )
    st.caption(_("If a column holds verdicts after all, choose it here."))


def _load(question: session.ColumnQuestion, mapping: ColumnMapping) -> None:
    want([replace(question.file, source=replace(question.file.source, columns=mapping))])


def _what_it_is(choice: OpenChoice, key: str, known: ColumnMapping) -> ColumnMapping:
    """Ask what the column is that the table cannot be read without."""
    if not isinstance(choice, RoleChoice):
        return dict(known)
    role = st.selectbox(
        say(Text("What is {column}?", column=choice.column)),
        choice.roles,
        index=None,
        key=f"{key}.role",
        format_func=lambda role: plain(_MEANINGS[role]),
        placeholder=_("Choose what it is"),
    )
    return with_column(known, role, choice.column) if role else dict(known)


def _every_role(
    choice: OpenChoice, table: Glimpses, mapping: ColumnMapping, key: str
) -> ColumnMapping:
    """Ask for every role, and which text means right: first for what the table is asked about."""
    by_name = {column.name: column for column in table.columns}
    chosen: dict[str, str | tuple[str, ...]] = dict(mapping)
    if isinstance(choice, WordChoice):
        _ask_words(choice.options, choice.counts, chosen, key, choice.column)
    st.caption(
        _("Choose what its columns are, the likeliest first; what is left open goes by its name.")
    )
    first, more = _FIRST, _MORE
    if isinstance(choice, ColumnChoice) and choice.role in (every := _FIRST | _MORE):
        first = {choice.role: every[choice.role], **first}
        more = {role: label for role, label in more.items() if role != choice.role}
    _grid(first, choice, table, chosen, key)
    _take_answers(first, chosen, key)
    verdict = str(chosen.get("correct", table.known.get("correct", "")))
    asked = isinstance(choice, WordChoice) and verdict == choice.column
    if not asked and verdict in by_name and (words := by_name[verdict].words):
        _ask_words(words, {}, chosen, key, verdict)
    show = partial(_grid, more, choice, table, chosen, key)
    fold(st.expander, _("More columns"), f"{key}.more", show)
    _take_answers(more, chosen, key)
    return chosen


def _ask_words(
    words: Sequence[str],
    counts: Mapping[str, int],
    chosen: dict[str, str | tuple[str, ...]],
    key: str,
    verdict: str,
) -> None:
    """Ask what the texts of the column of verdicts mean."""

    def show(word: str) -> str:
        if word not in counts:
            return printable(word)
        return plain(Text("{word} ({count})", word=printable(word), count=counts[word]))

    right = st.pills(
        say(Text("Which texts mean right? All others mean wrong.")),
        words,
        selection_mode="multi",
        key=f"{key}.{RIGHT}.{verdict}",
        format_func=show,
        help=_("With none chosen, words such as yes, pass and true count as right."),
    )
    missing = st.pills(
        say(Text("Which texts mean that there is no verdict?")),
        [word for word in words if word not in right],
        selection_mode="multi",
        key=f"{key}.{MISSING}.{verdict}",
        format_func=show,
    )
    for role, texts in ((RIGHT, right), (MISSING, missing)):
        if texts:
            chosen[role] = tuple(texts)


def _grid(
    roles: dict[str, Text],
    choice: OpenChoice,
    table: Glimpses,
    chosen: dict[str, str | tuple[str, ...]],
    key: str,
) -> None:
    """Lay the questions for some roles out."""
    shown = {column.name: _column_with_values(column) for column in table.columns}

    def show(name: str) -> str:
        return shown.get(name) or plain(Text("{name}, numbered", name=name))

    rows = (st.columns(_ACROSS) for _row in count())
    cells = chain.from_iterable(rows)  # row by row, in a narrow window too
    for (role, label), cell in zip(roles.items(), cells, strict=False):
        options = _options(choice, table, role, _taken(table, chosen, role, key))
        with cell:
            if role in SEVERAL:
                st.multiselect(
                    plain(label),
                    options,
                    key=f"{key}.{role}",
                    format_func=show,
                    placeholder=_("None"),
                    persist_state="page",
                )
            else:
                st.selectbox(
                    plain(label),
                    options,
                    index=None,
                    key=f"{key}.{role}",
                    format_func=show,
                    placeholder=_by_name(table, chosen, role),
                    persist_state="page",
                )


def _take_answers(
    roles: Collection[str], chosen: dict[str, str | tuple[str, ...]], key: str
) -> None:
    """Add what is answered to what is chosen, also what stands in a fold that is closed."""
    for role in roles:
        answer: str | Sequence[str] | None = st.session_state.get(f"{key}.{role}")
        if answer:
            chosen[role] = answer if isinstance(answer, str) else tuple(answer)


def _options(choice: OpenChoice, table: Glimpses, role: str, taken: Collection[str]) -> list[str]:
    """Return the columns for a role, with what numbered ones have in common where that is meant."""
    asked = choice.candidates if isinstance(choice, ColumnChoice) and choice.role == role else ()
    names = {column.name for column in table.columns}
    together = [name for name in asked if name not in names]
    free = (name for name in table.likely[role] if name in asked or name not in taken)
    return [*together, *islice(free, MOST)]


def _taken(table: Glimpses, chosen: ColumnMapping, role: str, key: str) -> set[str]:
    """Return the columns that are something else, by what was chosen or by their names."""
    taken: set[str] = set()
    for other in {*_FIRST, *_MORE} - {role}:
        picked = st.session_state.get(f"{key}.{other}") or chosen.get(other) or ()
        taken |= {picked} if isinstance(picked, str) else {*picked}
        if other in _FIRST and other in table.known and role not in SEVERAL:
            taken.add(table.known[other])
    return taken


def _by_name(table: Glimpses, mapping: ColumnMapping, role: str) -> str:
    """Say what stands where nothing is chosen."""
    if name := mapping.get(role, table.known.get(role)):
        return plain(Text("{column}, by its name", column=printable(str(name))))
    return _("Choose a column, if there is one")


def _column_with_values(column: Glimpse) -> str:
    values = ", ".join(map(printable, column.values))
    return f"{printable(column.name)} · {values}" if values else printable(column.name)


def _columns_named_twice(mapping: ColumnMapping) -> list[str]:
    """Return columns that were said to be two things."""
    names = (
        name
        for role, names in mapping.items()
        if role not in (*WORDS, *WHOLE)
        for name in ((names,) if isinstance(names, str) else names)
    )
    return [printable(name) for name, count in Counter(names).items() if count > 1]
