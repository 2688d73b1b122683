"""The page of questions as its visitor reads and uses it."""

from pathlib import Path

from tests.pages.visiting import visit

QUESTIONS = "pages/data/questions/page.py"
DATA = Path(__file__).parents[1] / "data" / "aisbench"
TWO_MODELS = DATA / "gsm8k_n5_two_models.zip"


def open_report(path=TWO_MODELS, **query):
    return visit(QUESTIONS, (path.name, path.read_bytes()), **query)


def box(app, label):
    return next(each for each in app.selectbox if each.label == label)


def button(app, label):
    return next(each for each in app.button if each.label == label)


def codes(app):
    return [each.value for each in app.code]


def listed(app):
    return app.dataframe[0].value["question"].tolist()
