"""Turn finished numbers into plotly figures.

Values, and the ends of their intervals, are fractions. Names are untrusted text; a detail is what
the pointer shows of a mark. The number of a run stands for its colour and marker.
"""
