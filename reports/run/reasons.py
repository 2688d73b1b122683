"""Reasons why a stated number differs from what the samples give and is right all the same.

It is of other samples, or by another rule. Where the number itself is wrong, whoever reads the file
says why.
"""

from __future__ import annotations

from metrics.data.words import Text

WITHOUT_FAILED = Text(
    "The tool leaves out failed requests; without them, the samples give the same number."
)
UNSEEN = Text("The judge is not asked about failed requests, so the file leaves them out.")
CUT_SHORT = Text("It covers more samples than are here: the file was cut short.")
OF_VOTE = Text("It is the result of a vote among the answers to each question.")
OF_FILTER = Text("It comes from another filter, and so from other verdicts.")
OF_RUN = Text("It belongs to one of the joined runs, whose own samples give it.")
OF_REDUCTION = Text(
    "It does not take the mean of each question's samples, but reduces them in another way."
)
OF_OTHERS = Text("It uses another number of answers, or another rule, than the samples.")
BY_ITS_RULE = Text(
    "By Inspect's own rule, which leaves out samples without a score and lets only values of at "
    "least 1 pass, the samples give this number."
)
"""Of a number that kofn has no metric for, and that was computed as the tool does."""


def reason(words: str) -> Text:
    """Return a reason that was written as text.

    Examples
    --------
    >>> reason(str(WITHOUT_FAILED)) is WITHOUT_FAILED, str(reason("It is old."))
    (True, 'It is old.')
    """
    found = (each for each in RIGHT_NONE_THE_LESS if str(each) == words)
    return next(found, Text("{reason}", reason=words))


RIGHT_NONE_THE_LESS = (
    *(WITHOUT_FAILED, UNSEEN, CUT_SHORT, OF_VOTE, OF_FILTER, OF_RUN, OF_REDUCTION, OF_OTHERS),
    BY_ITS_RULE,
)
