"""Whether a vote gains, and how sure that is, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from charts.bubbles import Bubble
from charts.replicas import ReplicasWords
from charts.scatter import Ground, ScatterWords, Spot
from kofn.card import names, runs_of
from kofn.choices.runs import NO_VERDICTS
from kofn.citing.used import MethodNote
from kofn.consistency.analysis import VoteCard, mean_votes
from kofn.leaderboard.criteria import FindWinner, find_winner
from kofn.leaderboard.field import assumed_in
from kofn.leaderboard.words import exclusions_among, with_assumption
from kofn.writing.estimates import percent, percent_of, points_less, points_of
from kofn.writing.joining import joined, listed, some
from kofn.writing.layout import Row, short_name
from metrics import Replicas
from metrics.analyses.replicas.judging import JudgedReplicas
from metrics.data.arrays import Vector
from metrics.data.words import Text

MADE = MethodNote(
    Text(
        "A replica is one sample of every question, in the order of the file. Beside each "
        "average is the range in which all averages lie if only chance separates replicas, that "
        "is, if a sample could belong to any of them; p-values are adjusted for their number "
        "(Bonferroni)."
    )
)
"""How what is said of each replica is made."""
RAREST = 1e-4
"""A smaller chance is not written out."""


def heading(found: Replicas) -> Text:
    """Name the replicas that stand out, if there are any."""
    if not found.standing_out:
        return Text("Run to run")
    return Text(
        "Run to run: replica {odd} stands out",
        "Run to run: replicas {odd} stand out",
        count=len(found.standing_out),
        odd=some(map(str, found.standing_out)),
    )


def in_words(found: Replicas) -> Text:
    """Say how far replicas lie apart, whether chance explains it, and which one stands out."""
    return joined([_spread_in_words(found), *odd_replicas(found), *_flips_in_words(found)])


def odd_replicas(found: Replicas) -> Iterator[Text]:
    """Name the replicas that chance does not explain; of two, say that they differ."""
    yield from each_odd_replica(found)
    if not found.standing_out and found.p_of_spread <= 1 - found.confidence_level:
        yield Text(
            "Chance makes replicas differ this much in {p} of 100 runs. Check whether they were "
            "made in the same way.",
            p=_of_hundred(found.p_of_spread),
        )


def each_odd_replica(found: Replicas | JudgedReplicas) -> Iterator[Text]:
    """Name each replica that stands out, with its number and the chance of one as far off."""
    for number in found.standing_out:
        place = found.replica.tolist().index(number)
        yield Text(
            "Replica {number} stands out: {accuracy:.1%} of its samples are right, while chance "
            "gives {low:.1%} to {high:.1%}. A replica this far off occurs by chance in {p} of "
            "100 runs.",
            number=number,
            accuracy=found.accuracy[place],
            low=found.low[place],
            high=found.high[place],
            p=_of_hundred(found.p_value[place]),
        )
    if found.standing_out:
        yield Text("Look for a different server, seed or version, or a crash.")


def odd_replicas_or_spread(found: JudgedReplicas) -> list[Text]:
    """Name the replicas that stand out, or else say how far apart all of them lie."""
    return [*each_odd_replica(found)] or [
        Text(
            "Its replicas lie from {low:.1%} to {high:.1%}, which chance does not explain: look "
            "whether they were made alike.",
            low=found.accuracy.min(),
            high=found.accuracy.max(),
        )
    ]


def _of_hundred(p: float) -> Text:
    if p < RAREST:
        return Text("fewer than {most:g}", most=100 * RAREST)
    return Text("{count:.2g}", count=100 * p)


def replicas_in_short(found: Replicas) -> Text:
    """Set how far replicas lie apart against chance, and name those that stand out, for a cell."""
    apart = Text(
        "{spread:.2f} points, by chance {chance:.2f}",
        spread=100 * found.spread,
        chance=100 * found.spread_by_chance,
    )
    if not found.standing_out:
        return apart
    odd = some(map(str, found.standing_out))
    return Text("{apart}; replica {odd} stands out", apart=apart, odd=odd)


def spread(found: Replicas) -> Text:
    """Say how far replicas lie apart, and what lies behind it."""
    return joined([_spread_in_words(found), *_flips_in_words(found)])


def _spread_in_words(found: Replicas) -> Text:
    return Text(
        "{count} replicas range from {lowest:.1%} to {highest:.1%}, a standard deviation of "
        "{spread:.2f} points; chance alone gives {chance:.2f}.",
        count=len(found.replica),
        lowest=found.accuracy.min(),
        highest=found.accuracy.max(),
        spread=100 * found.spread,
        chance=100 * found.spread_by_chance,
    )


def _flips_in_words(found: Replicas) -> Iterator[Text]:
    sentences = [
        Text(
            "{flipped} flip between right and wrong in {tries} tries",
            flipped=percent_of(found.flipped),
            tries=found.tries,
        ),
        Text(
            "two tries of a question disagree in {flips} of cases",
            flips=percent_of(found.flips),
        ),
    ]
    if found.within is not None:
        sentences.append(
            Text(
                "{within} of the variance of verdicts lies within questions, the rest between them",
                within=percent_of(found.within),
            )
        )
    yield Text("Of these questions: {said}.", said=listed(sentences))


def replica_rows(found: Replicas) -> list[Row]:
    """Return what is read of each replica; where it would lie by chance is no interval of it."""
    return [
        {
            str(Text("replica")): str(number),
            str(Text("questions")): str(found.n_questions[place]),
            str(Text("right")): str(percent(float(found.accuracy[place]))),
            str(Text("lowest by chance")): str(percent(float(found.low[place]))),
            str(Text("highest by chance")): str(percent(float(found.high[place]))),
            str(Text("p")): f"{found.p_value[place]:.2g}",
        }
        for place, number in enumerate(found.replica.tolist())
    ]


SCENARIOS: Mapping[str, Text] = {
    "above": Text("vote above average"),
    "below": Text("vote below average"),
    "about equal": Text("about equal"),
    "cannot tell": Text("cannot tell"),
}
"""Where the vote is, against the average: AISBench's three, and what the data do not decide."""


def scenario_meaning(scenario: str, margin: float) -> Text:
    """Say what a scenario means; the margin is a fraction."""
    points = 100 * margin
    return {
        "above": Text("Right answers mostly have the majority: a vote hides occasional mistakes."),
        "below": Text("Right answers are there, but without a majority: a vote loses them."),
        "about equal": Text(
            "Questions are nearly always right or nearly always wrong, or gains and losses "
            "cancel. The interval of the difference lies within {points:.4g} points.",
            points=points,
        ),
        "cannot tell": Text(
            "The interval of the difference includes 0 and more than {points:.4g} points.",
            points=points,
        ),
    }[scenario]


def remarks(card: VoteCard) -> Iterator[Text]:
    """Yield the scenario in words, and what must be known of the numbers, each once."""
    if card.found is not None:
        yield card.found.compared.scenario(card.settings.margin).text
        yield from card.found.compared.remarks()
        yield from caveats(card)
        if card.found.replicas is not None:
            yield from odd_replicas(card.found.replicas)


def caveats(card: VoteCard) -> Iterator[Text]:
    """Yield the caveats of the estimates, each once."""
    found = card.found.compared if card.found else None
    estimates = () if found is None else (found.cons, found.avg, found.difference)
    yield from dict.fromkeys(caveat for each in estimates for caveat in each.caveats)


def answer(cards: Sequence[VoteCard], winner: FindWinner = find_winner) -> Text:
    """Say what a vote gains where it gains most, or else loses, and for how many.

    It is said of models over the datasets that all ran on, or of runs; then whose vote by answers
    is right most often.

    cards: Of several k the first counts; segments beside their runs do not.
    winner: In place of `kofn.leaderboard.criteria.find_winner`, such as one with a cache.
    """
    first = [card for card in cards if card.settings.k == cards[0].settings.k]
    whole = [card for card in first if not card.settings.part]
    known = [card for card in whole if card.found is not None]
    if not known:
        reason = next((card.reason for card in whole if card.reason is not None), NO_VERDICTS)
        return joined([Text("A vote cannot be set against one sample here."), reason])
    if all(is_one_sample(card) for card in known):
        return _nothing_to_vote(known[0])
    runs, lines = runs_of(whole), mean_votes(known)
    shown = lines or known
    opening, *others = [_vote_of_run(shown[0])] if len(shown) == 1 else [*_of_several(shown)]
    opening = with_assumption(assumed_in(runs.values()), opening)
    voting = all(run.answers is not None for run in runs.values() if run.known is not None)
    best = winner(runs, cards[0].view, "plurality@k") if voting and len(shown) > 1 else ()
    return joined([opening, *others, *_otherwise(lines, known), *best, *exclusions_among(runs)])


def sorted_by_size(cards: Sequence[VoteCard]) -> list[VoteCard]:
    """Sort runs by the size of their difference, the largest first; segments follow their run."""
    blocks: list[list[VoteCard]] = []
    for card in cards:
        if card.settings.part and blocks:
            blocks[-1].append(card)
        else:
            blocks.append([card])
    return [card for block in sorted(blocks, key=lambda block: -_size(block[0])) for card in block]


def _size(card: VoteCard) -> float:
    return -1.0 if card.found is None else abs(card.found.compared.difference.value)


def is_one_sample(card: VoteCard) -> bool:
    """Return whether a vote is one of a single sample, which is that sample."""
    if card.found is None:
        return False
    return (card.found.compared.k or card.found.compared.tally.n_max) == 1


def _nothing_to_vote(card: VoteCard) -> Text:
    if card.settings.k == 1:
        return Text("A vote of one sample is just that sample; choose a larger k.")
    return Text("Each question has one sample, so there is nothing to vote on.")


def _vote_of_run(card: VoteCard) -> Text:
    assert card.found is not None
    vote, difference = _vote(card), _difference(card)
    return {
        "above": Text(
            "{vote} gains {difference} over one sample.", vote=vote, difference=difference
        ),
        "below": Text("{vote} loses {loss} against one sample.", vote=vote, loss=_loss(card)),
        "about equal": Text(
            "{vote} makes almost no difference to one sample: {difference}.",
            vote=vote,
            difference=difference,
        ),
        "cannot tell": Text(
            "{vote} against one sample is too close to call: {difference}.",
            vote=vote,
            difference=difference,
        ),
    }[_scenario(card)]


def _of_several(cards: Sequence[VoteCard]) -> Iterator[Text]:
    groups: dict[str, list[VoteCard]] = {}
    for card in sorted_by_size(cards):
        groups.setdefault(_scenario(card), []).append(card)
    gains, losses = groups.get("above", []), groups.get("below", [])
    equal, unsure = groups.get("about equal", []), groups.get("cannot tell", [])
    called = dict(zip((card.key for card in cards), map(short_name, names(cards)), strict=True))
    if cards[0].over:
        called = {card.key: short_name(card.run.model) for card in cards}
        every = Text("{count} models", count=len(cards))
    else:
        every = Text("{count} runs", count=len(cards))
    if gains:
        yield Text(
            "{vote} gains {difference} over one sample for {run}.",
            vote=_vote(gains[0]),
            difference=_difference(gains[0]),
            run=called[gains[0].key],
        )
        yield Text(
            "It gains for no other of {all}.",
            "It gains for {count} of {all}, for this one most.",
            all=every,
            count=len(gains),
        )
    elif losses:
        yield Text(
            "{vote} loses {loss} against one sample for {run}.",
            vote=_vote(losses[0]),
            loss=_loss(losses[0]),
            run=called[losses[0].key],
        )
        yield Text(
            "It loses for no other of {all}, and gains for none.",
            "It loses for {count} of {all}, for this one most, and gains for none.",
            all=every,
            count=len(losses),
        )
    elif equal:
        yield Text(
            "{vote} makes almost no difference to one sample for {count} of {all}.",
            vote=_vote(equal[0]),
            count=len(equal),
            all=every,
        )
        yield _largest(equal[0], called)
    else:
        yield Text(
            "{vote} against one sample is too close to call for each of {all}.",
            vote=_vote(unsure[0]),
            all=every,
        )
        yield _largest(unsure[0], called)
        return
    if gains and losses:
        yield Text(
            "It loses for {count}: {run}, {loss}.",
            "It loses for {count}, most for {run}: {loss}.",
            count=len(losses),
            run=called[losses[0].key],
            loss=_loss(losses[0]),
        )
    if equal and (gains or losses):
        yield Text("For {count} it makes almost no difference.", count=len(equal))
    if unsure:
        yield Text("For {count} it is too close to call.", count=len(unsure))


def _largest(card: VoteCard, called: Mapping[str, str]) -> Text:
    return Text(
        "The largest difference is {difference}, for {run}.",
        difference=_difference(card),
        run=called[card.key],
    )


def _otherwise(lines: Sequence[VoteCard], cards: Sequence[VoteCard]) -> Iterator[Text]:
    """Say on which datasets the vote of whom the answer names does the opposite."""
    ordered = sorted_by_size(lines)
    for effect, opposite in (("above", "below"), ("below", "above")):
        named_first = next((line for line in ordered if _scenario(line) == effect), None)
        if named_first is None:
            continue
        run = short_name(named_first.run.model)
        places = [
            short_name(card.run.dataset)
            for card in cards
            if card.key in named_first.over and _scenario(card) == opposite
        ]
        if places and opposite == "below":
            yield Text("On {datasets} it loses for {run}.", datasets=some(places), run=run)
        elif places:
            yield Text("On {datasets} it gains for {run}.", datasets=some(places), run=run)
        return


def _scenario(card: VoteCard) -> str:
    assert card.found is not None
    return card.found.compared.scenario(card.settings.margin).name


def _vote(card: VoteCard) -> Text:
    assert card.found is not None
    k, count = card.found.compared.k, len(card.over)
    if k is None and count:
        return Text("On average over {count} datasets a majority vote", count=count)
    if k is None:
        return Text("A majority vote")
    if count:
        return Text("On average over {count} datasets a majority vote of {k}", count=count, k=k)
    return Text("A majority vote of {k}", k=k)


def _difference(card: VoteCard) -> Text:
    assert card.found is not None
    return points_of(card.found.compared.difference)


def _loss(card: VoteCard) -> Text:
    assert card.found is not None
    return points_less(card.found.compared.difference)


# The figure --------------------------------------------------------------------------------------

COMMON_RIGHT = Text("most common answer right")
COMMON_WRONG = Text("most common answer wrong")
ANSWERS_AGREE = Text("answers agree")
VOTE_ABOVE = Text("vote above average")
VOTE_BELOW = Text("vote below average")
QUESTIONS = Text("Questions")


def voted_questions(*, count: int, c: object, n: object, label: object, chance: object) -> Text:
    """Say how likely a vote on some questions is right."""
    return Text(
        "{count} question with {c} of {n} right: {label} is right with {chance}",
        "{count} questions with {c} of {n} right: {label} is right with {chance}",
        count=count,
        c=c,
        n=n,
        label=label,
        chance=chance,
    )


def independent_vote_name(count: int) -> Text:
    """Name the line of a vote of independent tries."""
    return Text("{count} independent try", "vote of {count} independent tries", count=count)


def agreed_questions(*, count: int, x: float, y: float) -> Text:
    """Say how far the samples of some questions agree."""
    return Text(
        "{count} question: {x:.0%} of the samples give one answer, {y:.0%} are right",
        "{count} questions: {x:.0%} of the samples give one answer, {y:.0%} are right",
        count=count,
        x=x,
        y=y,
    )


def scenario_detail(*, name: object, difference: object) -> Text:
    """Name a scenario and the difference it rests on."""
    return Text("; {name}, difference {difference}", name=name, difference=difference)


def spot_detail(
    *, run: object, across: object, x: object, up: object, y: object, count: int, scenario: object
) -> Text:
    """Say what a point rests on."""
    return Text(
        "{run}: {across} {x}, {up} {y}, {count} question{scenario}",
        "{run}: {across} {x}, {up} {y}, {count} questions{scenario}",
        run=run,
        across=across,
        x=x,
        up=up,
        y=y,
        count=count,
        scenario=scenario,
    )


def describe_bubbles(drawn: Sequence[Bubble], x_title: Text, y_title: Text) -> Text:
    """Say in words what `charts.bubbles.bubbles` shows, for those who do not see it."""
    if not drawn:
        return Text("No question to draw.")
    most = max(drawn, key=lambda bubble: bubble.questions)
    return Text(
        "{count} question by {x} and {y}, at {x_most:.0%} and {y_most:.0%}.",
        "{count} questions by {x} and {y}. Most, {most}, are at {x_most:.0%} and {y_most:.0%}.",
        count=sum(bubble.questions for bubble in drawn),
        x=x_title,
        y=y_title,
        most=most.questions,
        x_most=most.x,
        y_most=most.y,
    )


def describe_replicas(accuracy: Vector, odd: Collection[int]) -> Text:
    """Say in words what `charts.replicas.replicas` shows, for those who do not see it."""
    return Text(
        "{count} of {all} replicas stands out; accuracy ranges from {low:.1%} to {high:.1%}.",
        "{count} of {all} replicas stand out; accuracy ranges from {low:.1%} to {high:.1%}.",
        count=len(odd),
        all=len(accuracy),
        low=accuracy.min(),
        high=accuracy.max(),
    )


def describe_scatter(spots: Sequence[Spot], ground: Ground) -> Text:
    """Say in words what `charts.scatter.scatter` shows, for those who do not see it."""
    above = sum(spot.y > spot.x for spot in spots)
    return Text(
        "{count} point of {y} against {x}, {above} of them above the diagonal. The table has the "
        "same numbers.",
        "{count} points of {y} against {x}, {above} of them above the diagonal. The table has the "
        "same numbers.",
        count=len(spots),
        x=ground.x,
        y=ground.y,
        above=above,
    )


def replicas_words() -> ReplicasWords:
    """Return what the figure of replicas says."""
    return ReplicasWords(
        Text("by chance, all at once"),
        Text("stands out"),
        Text("replica"),
        Text("Right, in percent"),
        Text("Replica"),
    )


def scatter_words() -> ScatterWords:
    """Return what the figure of votes and averages says."""
    return ScatterWords(Text("Possible at all"), Text("Equal"))
