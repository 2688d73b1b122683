"""Tables in parts, as Spark, Hive, DuckDB, pandas, pyarrow and split write them."""
