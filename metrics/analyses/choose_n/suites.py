"""Which of several models to take, and at which n, over datasets that count equally."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.choose_n.advice import Rule
from metrics.analyses.choose_n.gains_and_costs import Ledger
from metrics.analyses.choose_n.selection import Selection, select, share_questions
from metrics.analyses.choose_n.weighing import Weighed
from metrics.data.outcomes import QuestionIds
from metrics.data.threads import one_thread
from metrics.data.words import Text


@one_thread()
def select_suite(
    weighed: Mapping[str, Mapping[str, Weighed]], limits: Mapping[Rule, float], level: float
) -> Selection:
    """Choose among models by the means of their datasets, as `choose_among` does on one.

    What was weighed is given by model and dataset; all models have the same datasets.
    """
    datasets = list(next(iter(weighed.values())))
    shared = {
        name: share_questions({model: each[name] for model, each in weighed.items()})
        for name in datasets
    }
    joined = {
        model: join_weighed([shared[name][0][model] for name in datasets]) for model in weighed
    }
    cut = {
        name
        for name, (runs, _remarks) in shared.items()
        if any(
            runs[model].questions.n_questions < each[name].questions.n_questions
            for model, each in weighed.items()
        )
    }
    remarks = [text for name, (_runs, texts) in shared.items() if name not in cut for text in texts]
    if cut:
        remarks.append(shared_on(len(cut), len(datasets)))
    return replace(select(joined, limits, level), remarks=tuple(dict.fromkeys(remarks)))


def shared_on(count: int, every: int) -> Text:
    """Say on how many datasets some questions do not count."""
    return Text(
        "On {count} of {all} datasets only the questions that all models share count.",
        count=count,
        all=every,
    )


def join_weighed(parts: Sequence[Weighed]) -> Weighed:
    r"""Take the questions of several datasets together, so that the datasets count equally.

    Of G datasets the deviations of the :math:`M_g` questions of one from their mean count
    :math:`M / (G M_g)` times around the mean of the means. So the mean over all M questions is the
    mean over datasets, and its variance that of independent ones, :math:`\sum_g V_g / G^2`. n goes
    as far as every dataset has it.
    """
    most = min(len(part.questions.n) for part in parts)
    ledgers = [part.questions for part in parts]
    clustered = any(part.clusters is not None for part in parts)
    known = all(part.ids is not None for part in parts)
    total = sum(ledger.n_questions for ledger in ledgers)
    return Weighed(
        parts[0].metric,
        _join(ledgers, most, total),
        _after_one_another(
            [
                np.arange(part.questions.n_questions) if part.clusters is None else part.clusters
                for part in parts
            ]
        )
        if clustered
        else None,
        QuestionIds(range(total)) if known else None,
        float(np.mean([part.mean_wrong for part in parts])),
        tuple(dict.fromkeys(remark for part in parts for remark in part.remarks)),
        each=True,
        parts=tuple(parts),
    )


def _join(ledgers: Sequence[Ledger], most: int, total: int) -> Ledger:
    counts = [total / len(ledgers) / ledger.n_questions for ledger in ledgers]

    def joined(name: str) -> NDArray[np.float64]:
        numbers = [getattr(ledger, name)[:most] for ledger in ledgers]
        means = [ledger.mean(each)[:, None] for ledger, each in zip(ledgers, numbers, strict=True)]
        mean = sum(means) / len(means)
        parts = zip(numbers, means, counts, strict=True)
        return np.hstack([mean + count * (each - own) for each, own, count in parts])

    kinds = [ledger.of_question for ledger in ledgers]
    places = [len(ledger.units) for ledger in ledgers]
    return Ledger(
        ledgers[0].n[:most],
        np.concatenate([ledger.units for ledger in ledgers]),
        np.concatenate([ledger.size for ledger in ledgers]),
        joined("quality"),
        joined("attempts"),
        joined("cost"),
        joined("cost_in_full"),
        None
        if any(kind is None for kind in kinds)
        else _after_one_another([kind for kind in kinds if kind is not None], places),
        sum(ledger.mixed for ledger in ledgers),
    )


def _after_one_another(
    codes: Sequence[NDArray[np.intp]], counts: Sequence[int] = ()
) -> NDArray[np.intp]:
    """Count the codes of several datasets on from those of the ones before."""
    sizes = counts or [int(each.max()) + 1 for each in codes]
    starts = np.cumsum([0, *sizes[:-1]])
    return np.concatenate([each + start for each, start in zip(codes, starts, strict=True)]).astype(
        np.intp
    )
