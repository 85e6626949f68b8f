"""Matches and tournaments: paired openings, ratings with error bars, SPRT; by processes or on a Dask cluster.

>>> from awale.arena import Match, play_match
>>> result = play_match(Match("greedy", "random", rules="abapa", games=4), concurrency=0)
>>> result.wins + result.draws + result.losses
4
"""

from awale.arena.games import Control, Job, Played, play
from awale.arena.run import play_match, play_tournament
from awale.arena.schedule import Match, Tournament
from awale.arena.standings import MatchResult, TournamentResult

__all__ = [
    "Control",
    "Job",
    "Match",
    "MatchResult",
    "Played",
    "Tournament",
    "TournamentResult",
    "play",
    "play_match",
    "play_tournament",
]
