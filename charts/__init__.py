"""Turn finished numbers into plotly figures."""
