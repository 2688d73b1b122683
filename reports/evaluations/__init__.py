"""Work folders and single files of OpenCompass and of AISBench, its fork.

A run has configurations, and for each model and dataset predictions and results. A tree may hold
runs of both tools; `tool` tells them apart. AISBench alone mixes the samples of questions up
(`grouping`), has judges whose results are files of their own (`judging`, `edit_judges`), and for
some datasets keeps the wrong samples only (`failures`).
"""
