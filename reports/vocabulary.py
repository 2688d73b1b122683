"""What words in tables mean: right, wrong, nothing, no error; in lower case, for all readers.

Spreadsheets write TRUE and FALSE in the language of their user.
"""

from __future__ import annotations

RIGHT = (
    *("true", "t", "yes", "y", "pass", "passed", "correct", "right", "1", "1.0", "✓", "✔", "✅"),
    *("success", "successful", "succeeded", "solved", "resolved", "accepted", "√", "☑"),
    *("正确", "对", "是", "真", "通过", "成功", "正確", "對", "○", "◯"),
    *("はい", "正解", "참", "예", "정답"),
    *("wahr", "ja", "richtig", "korrekt", "bestanden", "vrai", "oui", "juste", "réussi"),
    *("vero", "sì", "corretto", "verdadero", "sí", "correcto", "verdadeiro", "sim", "correto"),
    *("waar", "goed", "juist", "sant", "sand", "sann", "rätt", "tosi", "kyllä", "oikein"),
    *("prawda", "tak", "pravda", "igaz", "doğru", "evet", "adevărat", "истина", "да", "верно"),
)
WRONG = (
    *("false", "f", "no", "n", "fail", "failed", "incorrect", "wrong", "0", "0.0", "✗", "✘", "❌"),
    *("failure", "unsuccessful", "unsolved", "unresolved", "rejected", "×", "☒", "not correct"),
    *("错误", "不正确", "错", "不对", "否", "假", "未通过", "不通过", "失败", "錯誤", "錯"),
    *("いいえ", "不正解", "거짓", "아니오", "오답"),
    *("falsch", "nein", "inkorrekt", "nicht bestanden", "faux", "non", "échoué"),
    *("falso", "errato", "scorretto", "incorrecto", "não", "incorreto", "onwaar", "nee", "fout"),
    *("falskt", "falsk", "usand", "usann", "fel", "nej", "epätosi", "ei", "väärin", "fałsz", "nie"),
    *("nepravda", "hamis", "yanlış", "hayır", "fals", "ложь", "нет", "неверно"),
)
MISSING = (
    *("", "null", "none", "nil", "nan", "na", "n/a", "n.a.", "<na>", "#n/a", "-", "--", "—", "–"),
    *("missing", "无", "空", "缺失"),
)
"""What a cell holds that holds nothing, in a column of verdicts too."""
TOTALS = (
    *("total", "totals", "grand total", "sum", "mean", "average", "avg", "avg.", "overall"),
    *("gesamt", "summe", "mittelwert", "durchschnitt", "moyenne", "somme", "promedio", "media"),
    *("合计", "总计", "总和", "平均", "平均值", "均值", "总分", "合計", "합계", "평균"),
)
"""What the last row of a spreadsheet is called where it sums up the others."""
NO_ERROR = (
    *MISSING,
    *("false", "falsch", "faux", "falso", "假", "no", "nein", "non", "否", "0", "0.0"),
    *("[]", "{}", "()", "[null]", '""', "''", "ok", "okay", "success", "successful", "succeeded"),
    *("no error", "no errors", "noerror", "no_error", "finished", "completed", "done"),
    *("成功", "正常", "没有", "无错误"),
)
"""What a column of errors holds where there was none."""
