"""Turn finished numbers into plotly figures; `render` writes a Text in the language of a reader."""
