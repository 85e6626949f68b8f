"""What happens in a match, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from awale import i18n
from awale.game import Game, Trace
from awale.i18n import text
from awale.match import Answered, Ended, Event, Match, Moved, Offered, TakenBack


def of_events(match: Match, events: Iterable[Event]) -> list[str]:
    """Return what the board alone does not show."""
    return [sentence for event in events for sentence in _of_event(match, event)]


def _of_event(match: Match, event: Event) -> Iterator[str]:
    game = match.game
    match event:
        case Moved(trace=trace, note=note):
            yield from of_move(game, trace)
            if note is not None:
                yield text("play.say.note", player=game.player_name(trace.mover), note=note.sentence())
        case TakenBack(moves=moves):
            yield text("play.say.undone", moves=" ".join(map(str, moves))) if moves else text("tui.say.goes-on")
        case Offered(offer=offer):
            scores = "-".join(map(str, game.scores))
            yield text("play.say.offers", player=game.player_name(offer.by), scores=scores)
        case Answered(offer=offer, accepted=accepted):
            yield text(f"play.say.{'accepted' if accepted else 'declined'}", player=game.player_name(1 - offer.by))
        case Ended(outcome=outcome, fault=fault) if fault and outcome.winner is not None:
            loser = 1 - outcome.winner
            yield text("play.say.fault", player=game.player_name(loser), who=match.seats[loser].name, problem=fault)


def of_move(game: Game, trace: Trace) -> Iterator[str]:
    """Return what is unusual about a move."""
    if trace.period is not None:
        yield text("play.say.endless", move=trace.move, period=i18n.number(trace.period))
    if trace.spared:
        yield text("play.say.spared", move=trace.move)
    for player in (0, 1):
        if trace.swept[player]:
            yield text("play.say.swept", player=game.player_name(player), seeds=trace.swept[player])
    if trace.passed:
        yield text("play.say.passed", player=game.player_name(1 - trace.mover))
