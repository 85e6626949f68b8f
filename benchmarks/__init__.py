"""What is claimed about speed, each beside a named peer measured in the same run.

    python -m benchmarks                  all of them
    python -m benchmarks perft threads    some
    python -m benchmarks --write          and keep the table in benchmarks/results.md

A benchmark is a module of this folder with a function `run() -> list[Row]`; nothing else need be told about it.
"""
