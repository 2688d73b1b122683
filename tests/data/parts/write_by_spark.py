"""How the folders of Spark beside this were written: pyspark 4.3.0 on Java 17, local[1].

``uv run --no-project --with pyspark==4.3.0 tests/data/parts/write_by_spark.py FOLDER``
"""

import sys
from pathlib import Path

CELLS = [
    (model, dataset, topic, f"q{question}", sample, (question + sample + len(model)) % 2 == 0, text)
    for model in ("alpha", "be/ta")
    for dataset, topic in (("maths", "sums"), ("code%", None))
    for question in range(3)
    for sample in range(2)
    for text in [f'says "{model} {dataset} {question} {sample}", and\nmore']
]
KINDS = (
    "model string, dataset string, subject string, question_id string, sample int, "
    "correct boolean, prediction string"
)


def main(out: Path) -> None:
    """Write the same table in several ways."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[1]").getOrCreate()
    table = session.createDataFrame(CELLS, KINDS)
    quoted = {"header": True, "escape": '"'}
    table.repartition(2).write.parquet(f"{out}/parquet")
    table.coalesce(1).write.option("compression", "lz4").parquet(f"{out}/parquet_lz4")
    table.write.partitionBy("model", "dataset", "subject").parquet(f"{out}/hive")
    table.repartition(2).write.json(f"{out}/json", compression="gzip")
    table.write.partitionBy("model").json(f"{out}/hive_json")
    table.repartition(2).write.options(**quoted).csv(f"{out}/csv", compression="gzip")
    table.coalesce(1).write.csv(f"{out}/refused/csv_with_backslashes", header=True)
    table.drop("prediction", "subject").coalesce(1).write.csv(f"{out}/refused/csv_without_names")
    table.coalesce(1).write.orc(f"{out}/refused/orc")
    table.coalesce(1).write.json(f"{out}/refused/json_bzip2", compression="bzip2")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
