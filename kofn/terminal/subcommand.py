"""A subcommand that reads files and prints what it finds about every run in them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from kofn import output
from kofn.card import Card, checks, is_doubtful, runs_of
from kofn.choices.codec import Choices
from kofn.choices.runs import index_runs, index_suites, meant_by, require_segment
from kofn.choices.view import View, coverage_in_words
from kofn.citing.methods import Methods, methods_of
from kofn.citing.papers import Cited, cite_tables, paper
from kofn.citing.sources import bibliography
from kofn.citing.used import MethodNote, Used
from kofn.leaderboard.lines import cards_of_runs, cards_over_datasets
from kofn.leaderboard.unnamed_datasets import comparable_runs
from kofn.provenance import BESIDE, Provenance
from kofn.terminal import inputs, screen, waiting
from kofn.terminal.brief import MORE, SCREEN, brief
from kofn.terminal.gate import NOTHING_ASKED, Gate, Ruling
from kofn.terminal.parsing import Parser
from kofn.terminal.remarks import Remark
from kofn.unfinished_runs import unfinished_of, with_unfinished
from kofn.writing import latex, pictures
from kofn.writing.columns import Block, Table
from kofn.writing.layout import Grid, Lines, Row, csv_text, escaped, markdown
from metrics.data.words import MetricError, Text, plain
from reports.files.errors import LoadError
from reports.run.report import Report

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

Found = TypeVar("Found", bound=Card[Any, Any])

FORMATS = {
    "table": ".txt",
    "json": ".json",
    "csv": ".csv",
    "md": ".md",
    "latex": ".tex",
    "bibtex": ".bib",
}
"""And how the name of a file ends that holds it."""
NOTHING_JUDGED = Text("")
NOTHING_DRAWN = Text("There is nothing to draw; the answer above explains why.")


@dataclass(frozen=True)
class Subcommand:
    """What `kofn.terminal.running` needs to know."""

    details: Text | str
    add_flags: Callable[[Parser], None]  # Gives a parser its arguments.
    # From the parsed arguments to the exit status; may raise MetricError or LoadError.
    run: Callable[[argparse.Namespace], int]


def _details(result: Text, judged: Text) -> Text:
    """Say for ``--help`` what every such subcommand writes."""
    return Text(
        """\
The first line of table and md is the answer in a sentence, and so is answer in JSON.

JSON and CSV hold numbers at full precision; undefined numbers are empty. verified says whether the
samples of a run give the numbers that its file states; it is empty where the file states none.
grouping says how it is known which samples belong to one question: proven by ids, references or
prompts, stated only by the tool's layout, or unknown. Very long names are complete there, and
shortened in the middle in table, md and latex.

latex writes tables for a paper: the caption says what the intervals cover, long sentences become
notes below, and a paragraph at the end says how the numbers were made; bibtex writes its
references. With --ends columns, the limits of intervals have columns of their own. verified and
grouping are columns if a run is doubtful.

standard error:
  one line for each thing that was found, repaired or left out in reading

exit status:
  0  every path was read and some run has {result}
{judged}  2  otherwise, with a line that says why; everything that could be computed is printed
nevertheless
""",
        result=result,
        judged=judged,
    )


def _layout(arguments: argparse.Namespace, drawn: Sequence[str]) -> str:
    """Return the format that was asked for, by name or by the end of the file's name.

    Of a picture that is the end itself.
    """
    asked: str | None = arguments.format
    if arguments.output is None:
        return asked or "table"
    suffixes = [FORMATS[asked]] if asked else [*FORMATS.values(), *drawn]
    if refusal := output.refusal(arguments, suffixes, {".csv": BESIDE}):
        raise MetricError(refusal)
    suffix = Path(arguments.output).suffix.lower()
    if suffix in drawn and (missing := pictures.why_no_pictures()):
        raise MetricError(missing)
    return next((name for name, end in FORMATS.items() if end == suffix), suffix)


def _keep(path: str, data: bytes, beside: bytes) -> None:
    """Write a file, how it was made beside it, and say so."""
    output.write(path, data)
    if beside:
        output.write(path + BESIDE, beside)
    output.tell_written(path)


def _no_pooled(reports: Sequence[Report], cards: Sequence[Any]) -> Iterable[Any]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Listing(Generic[Found]):
    """What is particular to a subcommand that prints a card, or several, of every run."""

    about: Text  # For ``--help``: the details up to the formats.
    result: Text  # What a run has of which something is found.
    view: Sequence[str]  # The keys of View that are flags.
    # What is chosen where such a flag is not given, for ``--help``.
    defaults: Mapping[str, Text | str] = field(default_factory=dict)
    # Further settings, by their name in JSON: the keys that are flags; without keys, all.
    choices: Mapping[str, tuple[type[Choices], Sequence[str]]] = field(default_factory=dict)
    # From runs by key, a View and the further settings to cards; may raise MetricError. Those of
    # models over datasets are no rows of CSV; JSON has them as means.
    compute: Callable[..., Sequence[Found]]
    # Whether something was found of a card's run.
    found: Callable[[Found], object] = lambda card: card.found
    # From cards to the sentence that the page opens with.
    answer: Callable[[Sequence[Found]], Text]
    # From cards, those over several datasets first, to blocks of lines for a terminal, each with
    # its heading first.
    blocks: Callable[[Sequence[Found]], Iterable[Lines]]
    # From cards to the tables of one screen, which stand there where `blocks` would take more,
    # unless all, or a run, is asked for; by default the table itself.
    screen: Callable[[Sequence[Found]], Iterable[Block]] | None = None
    whole_if_short: bool = True  # Whether the screen holds all blocks where they fit.
    beyond: Text = MORE  # How to see more than the screen.
    table: Table[Found, Any]  # What files hold of the cards.
    # From cards to the rows of each table in Markdown and LaTeX; by default the table's.
    tables: Callable[[Sequence[Found]], Iterable[Sequence[Row]]] | None = None
    # From cards to what JSON holds beside what was chosen, the table, or in its place, and beside
    # `Run.settings`.
    document: Callable[[Sequence[Found]], dict[str, Any]] = lambda cards: {}
    # From cards to the rows of each LaTeX table, where that differs from Markdown.
    paper: Callable[[Sequence[Found]], Iterable[Sequence[Row]]] | None = None
    # From cards to what their tables rest on, for methods and references.
    used: Callable[[Sequence[Found]], Iterable[Used | MethodNote]] = lambda cards: ()
    # The place of a function from cards and the numbers of runs to the figure of the page, as
    # `pkgutil.resolve_name` takes it; empty for none.
    figure: str = ""
    # From reports and cards to cards of several runs together.
    pooled: Callable[[Sequence[Report], Sequence[Found]], Iterable[Found]] = _no_pooled
    # From reports and cards to lines for stderr, beside the notes of the readers.
    remarks: Callable[[Sequence[Report], Sequence[Found]], Iterable[Remark]] = _no_pooled
    gate: Gate | None = None  # What has to pass, where its flags ask for it.
    judged: Text = NOTHING_JUDGED  # For ``--help``: the exit statuses of the gate, a line each.
    # Whether runs are set against one another, also those whose tables name no dataset.
    compares: bool = False

    @property
    def subcommand(self) -> Subcommand:
        """What the command needs of it."""
        columns = Text("\ncolumns of csv, keys of json:\n{columns}\n", columns=self.table.described)
        parts = (self.about, columns, _details(self.result, self.judged))
        return Subcommand("".join(map(str, parts)), self.add_flags, self.run)

    def add_flags(self, parser: Parser) -> None:
        """Give a parser the paths, the format and the settings."""
        inputs.add_flags(parser)
        about = Text("default: as FILE ends, else table")
        parser.add_argument("--format", choices=tuple(FORMATS), help=about)
        parser.add_argument(
            "--ends",
            choices=latex.ENDS,
            default=latex.ENDS[0],
            help=Text(
                "where latex puts the limits of intervals: below and above the number "
                "(default), or in columns"
            ),
        )
        output.add_flags(parser, (*FORMATS.values(), *self._picture_suffixes))
        if self._picture_suffixes:
            wide = Text("a picture as wide as two columns of a paper (6.9 in), not one (3.3 in)")
            parser.add_argument("--wide", action="store_true", help=wide)
        for kind, keys in self.choices.values():
            kind.add_arguments(parser, *keys)
        if self.gate:
            self.gate.choices.add_arguments(parser)
        View.add_arguments(parser, *self.view, **self.defaults)

    def run(self, arguments: argparse.Namespace) -> int:
        """Print what is found of the paths, and notes and errors; return the exit status."""
        layout = _layout(arguments, self._picture_suffixes)
        view = View.from_arguments(arguments, *self.view)
        chosen = {
            name: kind.from_arguments(arguments, *keys)
            for name, (kind, keys) in self.choices.items()
        }
        asked = self.gate and self.gate.choices.from_arguments(arguments)
        reports, problems = inputs.read(arguments)
        runs = index_runs(reports)
        if self.compares:
            runs, reports = comparable_runs(runs, reports)
        view = replace(view, runs=meant_by(view.runs, runs))
        problems += inputs.unknown_names(runs, view.runs)
        cards: Sequence[Found] = ()
        ruling = NOTHING_ASKED
        try:
            if view.segment:
                require_segment(runs.values(), *view.segment)
            with waiting.show_progress(Text("Computing")):
                cards = self.compute(runs, view, *chosen.values())
            ruling = self.gate.judge(reports, cards, asked) if self.gate else ruling
        except (MetricError, LoadError) as error:
            problems.append(error.text)
        if not problems and not any(map(self.found, cards)):
            sentence = Text("No run has {result}; the notes explain why.", result=self.result)
            problems.append(sentence)
        notes = [
            *inputs.notes(reports, [card.run for card in cards]),
            *self.remarks(reports, cards),
        ]
        every = [*cards, *self.pooled(reports, cards)]
        text, data = "", b""
        try:
            if cards and layout in self._picture_suffixes:
                data = self._picture(cards, reports, layout, arguments.wide)
            elif cards:
                made = Provenance.of(reports, self._settings(view, chosen), arguments.command)
                if layout == "table":
                    whole = arguments.all or bool(view.runs)
                    text = self.on_screen(every, view, ruling, whole, bool(arguments.output))
                else:
                    text = self.write(layout, every, view, ruling, arguments.ends, made, **chosen)
                data = output.encoded(text)
            if data and arguments.output:
                beside = output.encoded(made.text()) if layout == "csv" else b""
                _keep(arguments.output, data, beside)
        except (MetricError, LoadError) as error:
            problems.append(error.text)
        except OSError as error:
            problems.append(output.unwritable(arguments.output, error))
        if not arguments.output:
            sys.stdout.write(text)
            sys.stdout.flush()
        return inputs.print_remarks(notes, problems, every=arguments.all) or ruling.status

    @property
    def _picture_suffixes(self) -> tuple[str, ...]:
        """How the names of files end that hold its figure."""
        return pictures.SUFFIXES if self.figure else ()

    def drawn(self, cards: Sequence[Found], reports: Sequence[Report]) -> go.Figure | None:
        """Draw the figure of cards; None where there is nothing to draw."""
        from kofn.choices.run_numbers import number_runs

        draw: Callable[..., go.Figure | None] = resolve_name(self.figure)
        return draw(cards, number_runs(index_runs(reports), index_suites(reports)))

    def _picture(
        self, cards: Sequence[Found], reports: Sequence[Report], suffix: str, wide: bool
    ) -> bytes:
        """Draw the figure of cards for a paper."""
        figure = self.drawn(cards, reports)
        if figure is None:
            raise MetricError(NOTHING_DRAWN)
        if lacking := pictures.missing_font():
            inputs.print_remarks([Remark("warning", "", lacking)], ())
        return pictures.picture(figure, suffix, wide=wide)

    def write(
        self,
        layout: str,
        cards: Sequence[Found],
        view: View,
        ruling: Ruling = NOTHING_ASKED,
        ends: latex.Ends = "scripts",
        made: Provenance | None = None,
        **chosen: Choices,
    ) -> str:
        """Write cards, and what is ruled and told of them, in one of `FORMATS`."""
        if layout == "table":
            return self.on_screen(cards, view, ruling)
        if layout == "csv":
            return csv_text(self.as_frame(cards))
        if layout == "bibtex":
            return bibliography(self.methods(cards, view).sources)
        answer = self.answer_in_words(cards)
        if layout == "json":
            document: dict[str, Any] = {"answer": answer, **self._settings(view, chosen)}
            document |= {"made": made.document()} if made else {}
            document |= ruling.document()
            own, key, whole = self.document(cards), self.table.key, cards_over_datasets(cards)
            document |= {key: own[key] if key in own else self.table.rows(cards_of_runs(cards))}
            document |= {"means": self.table.rows(whole)} if whole else {}
            document |= own
            how = {card.key: dict(card.run.settings) for card in cards if card.run.settings}
            document |= {"settings": how} if how else {}
            unfinished = unfinished_of(runs_of(cards))
            document |= {"unfinished": unfinished} if unfinished else {}
            return json.dumps(document, indent=2, allow_nan=False) + "\n"
        covers = self.covers(view)
        if layout == "latex":
            methods = self.methods(cards, view)
            return paper(self._on_paper(cards), methods, answer, covers or answer, ends)
        tables = map(markdown, _checked(cards, self.read(cards)))
        parts = [escaped(answer), covers, ruling.markdown(), *tables]
        return "\n\n".join(filter(None, parts)) + "\n"

    def on_screen(
        self,
        cards: Sequence[Found],
        view: View,
        ruling: Ruling = NOTHING_ASKED,
        whole: bool = True,
        plain: bool = True,
    ) -> str:
        """Write cards as a terminal shows them: the whole, or what stands on one screen."""
        target = screen.console(plain=plain)
        cards = [*cards_over_datasets(cards), *cards_of_runs(cards)]
        answer = self.answer_in_words(cards)
        sentences = [*filter(None, (self.covers(view), *ruling.lines(answer)))]
        if whole:
            return screen.written(target, answer, sentences, self.blocks(cards))
        if self.whole_if_short and (short := self._if_short(cards)):
            text = screen.written(target, answer, sentences, short)
            if text.count("\n") <= SCREEN:
                return text
        size = target.width, SCREEN - screen.height_of(target, answer, sentences)
        tables = self.screen(cards) if self.screen else self._table(cards)
        laid_out = brief(tables, size, target.encoding.startswith("utf"), self.beyond)
        return screen.written(target, answer, sentences, *laid_out)

    def _if_short(self, cards: Sequence[Found]) -> list[Lines]:
        """Return all blocks if they may stand on one screen, where each finding takes a line."""
        if sum(self.found(card) is not None for card in cards) > SCREEN:
            return []
        tables: list[Lines] = []
        count = 0
        for block in self.blocks(cards):
            tables.append([*block])
            count += sum(len(each.rows) if isinstance(each, Grid) else 1 for each in tables[-1])
            if count > SCREEN:
                return []
        return tables

    def _table(self, cards: Sequence[Found]) -> Iterator[Block]:
        lines = (self.table.read or self.table.lines)(cards)
        yield Block("", self.table.columns, [*lines])

    def _settings(self, view: View, chosen: Mapping[str, Choices]) -> dict[str, Any]:
        """Return what was chosen, for JSON."""
        own = {name: each.to_json(*self.choices[name][1]) for name, each in chosen.items()}
        return {"view": view.to_json(), **own}

    def methods(self, cards: Sequence[Found], view: View) -> Methods:
        """Say how the numbers of cards were made."""
        runs = {id(card.run): card.run for card in cards if card.run.known is not None}
        return methods_of(
            [*runs.values()], view, self.used(cards), has_intervals="level" in self.view
        )

    def cited(
        self, cards: Sequence[Found], view: View, tables: Iterable[Sequence[Row]] | None = None
    ) -> Cited:
        """Return what a paper needs of cards: of their tables, or of others made of the same."""
        shown = self._on_paper(cards) if tables is None else tables
        answer = self.answer_in_words(cards)
        return cite_tables(shown, self.methods(cards, view), answer, self.covers(view))

    def as_frame(self, cards: Sequence[Found]) -> pd.DataFrame:
        """Return what CSV and Parquet hold of cards."""
        return self.table.frame(cards_of_runs(cards))

    def read(self, cards: Sequence[Found]) -> Iterable[Sequence[Row]]:
        """Return the rows of each table that people read."""
        return self.tables(cards) if self.tables else [self.table.written(cards)]

    def answer_in_words(self, cards: Sequence[Found]) -> str:
        """Write the answer, and how far its runs have come."""
        return plain(with_unfinished(self.answer(cards), runs_of(cards)))

    def covers(self, view: View) -> str:
        """Say what intervals are about, where there are some."""
        return str(coverage_in_words(view)) if "level" in self.view else ""

    def _on_paper(self, cards: Sequence[Found]) -> list[Sequence[Row]]:
        """Return the tables of cards for a paper."""
        tables = [*(self.paper or self.read)(cards)]
        doubtful = any(is_doubtful(card.run) for card in cards)
        return [*_checked(cards, tables)] if doubtful else tables


def _checked(
    cards: Sequence[Card[Any, Any]], tables: Iterable[Sequence[Row]]
) -> Iterator[list[Row]]:
    """Yield tables with what is known of the verdicts and the grouping of each run."""
    name = str(Text("run"))
    known = {card.key: {name: card.key, **checks(card.run)} for card in cards}
    for rows in filter(None, tables):
        yield [{**known.get(row.get(name, ""), {}), **row} for row in rows]
