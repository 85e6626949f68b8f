"""Matches and tournaments: paired openings, ratings with error bars, SPRT; by processes or on a Dask cluster.

>>> from awale.arena import MatchPlan, play_match
>>> result = play_match(MatchPlan("greedy", "random", rules="abapa", games=4), concurrency=0)
>>> result.wins + result.draws + result.losses
4
"""

from awale.arena.games import Job, Played, play, time_control
from awale.arena.run import Interrupted, play_match, play_tournament
from awale.arena.schedule import MatchPlan, Tournament
from awale.arena.standings import MatchResult, TournamentResult

__all__ = [
    "Interrupted",
    "Job",
    "MatchPlan",
    "MatchResult",
    "Played",
    "Tournament",
    "TournamentResult",
    "play",
    "play_match",
    "play_tournament",
    "time_control",
]
