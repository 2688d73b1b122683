"""The languages of the interface: which exist, which is meant, and their catalogues."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

TYPE_CHECKING = False  # typing takes longer to import than all else here
if TYPE_CHECKING:
    from metrics.data.words import Catalogue

LANGUAGES = {"en": "English", "zh": "中文"}
"""Their names, each in itself."""
LOCALE = Path(__file__).parents[1] / "locale"
VARIABLE = "KOFN_LANG"
_VARIABLES = (VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG")
_FOLDERS = {"zh": "zh_CN"}
_FLAG = "--lang"


def meant_by(tag: str) -> str:
    """Return the language of a tag of a browser or a system; English where there is no other.

    Examples
    --------
    >>> meant_by("zh-CN"), meant_by("zh_CN.UTF-8"), meant_by("de"), meant_by("")
    ('zh', 'zh', 'en', 'en')
    """
    language = re.split("[-_.@]", tag)[0].casefold()
    return language if language in LANGUAGES else "en"


def of_system(environment: Mapping[str, str]) -> str:
    """Return the language that the environment asks for.

    Examples
    --------
    >>> of_system({"LANG": "zh_CN.UTF-8"}), of_system({"LANG": "zh_CN", "KOFN_LANG": "en"})
    ('zh', 'en')
    """
    return meant_by(next(filter(None, map(environment.get, _VARIABLES)), ""))


def asked_for(given: list[str], environment: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the language that a command is given, else that of the system, and what is left.

    Of a language that there is not the flag is left, for the parser to refuse.

    Examples
    --------
    >>> asked_for(["score", "--lang", "zh", "a.zip"], {}), asked_for(["--lang=fr"], {})
    (('zh', ['score', 'a.zip']), ('en', ['--lang=fr']))
    """
    for place, word in enumerate(given):
        flag, equals, name = word.partition("=")
        after = place + 1
        if flag == _FLAG and not equals:
            name, after = "".join(given[after : after + 1]), after + 1
        if flag == _FLAG and name in LANGUAGES:
            return name, given[:place] + given[after:]
    return of_system(environment), given


@cache
def catalogue(language: str) -> Catalogue | None:
    """Return the sentences of a language, read when they are first asked for; None for English."""
    if language not in _FOLDERS:
        return None
    from gettext import GNUTranslations
    from io import BytesIO

    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with (LOCALE / _FOLDERS[language] / "LC_MESSAGES" / "kofn.po").open("rb") as sentences:
        write_mo(compiled, read_po(sentences))
    compiled.seek(0)
    return GNUTranslations(compiled)
