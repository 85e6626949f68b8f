"""Endless sowings: their periods, how many there are, how often they occur.

A *start* is a board and a pit with seeds in it. A lap lifts the seeds of the pit, sows them, and leads to the board and
the pit of the last seed; laps are invertible. So the starts with the same number of seeds form

- chains, which begin with a pit of a single seed (no lap leads there: the pit where a lap goes on holds two or more)
  and stop in a pit that was empty;
- rings, which never stop: the endless sowings.

`docs/endless.md` explains this in full.
"""
