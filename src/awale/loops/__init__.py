"""Sowings that never end: how long one takes to come round, how many there are, how often they occur.

A *start* is a board and a pit with seeds in it. A lap lifts the seeds of the pit, sows them, and leads to the board and
the pit of the last seed; it can be undone in one way only. So all starts with the same number of seeds fall into

- chains, which begin with a pit of a single seed (no lap can have led there: the pit where a lap goes on holds two or
  more) and stop in a pit that was empty;
- rings, which never stop: the endless sowings.

`docs/endless.md` tells this at leisure.
"""
