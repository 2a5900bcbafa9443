"""Load the shop's raw tables, in the place of the systems that would deliver them.

Usage: load_raw.py DATABASE_FILE SQL_FILE
"""

import pathlib
import sys

import duckdb


def main(database: str, script: str) -> None:
    with duckdb.connect(database) as connection:
        connection.execute(pathlib.Path(script).read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(*sys.argv[1:])
