"""The object people hold: what it shows, how it refuses, how it ends, how it goes back."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

import awale
from awale import (
    AmbiguousMoveError,
    AwaleError,
    Game,
    GameStateError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    MoveError,
    Outcome,
    Position,
    PositionError,
    Rules,
    RulesError,
    i18n,
)
from awale.rules import all_rules, reference
from awale.rules.moves import make
from awale.rules.positions import Status
from awale.rules.reference import Board, Sown

ENDLESS = "1-6-3-11-1-0-6-0-4-1-2-11-1-1-N"


def snapshot(game: Game) -> tuple[object, ...]:
    return (repr(game), game.state, game.history, game.legal_moves, game.end_offer, game.outcome())


# -- what a game shows -------------------------------------------------------------------------------------------------


def test_the_tour_of_the_front_page() -> None:
    game = awale.Game("casabianca")
    assert game.rules.name == "casabianca"
    assert game.turn == 0
    assert game.board == (4,) * 12
    assert game.scores == (0, 0)
    assert [str(move) for move in game.legal_moves] == ["a", "b", "c", "d", "e", "f"]
    move = game.legal_moves[3]
    assert (move.pit, move.colour, str(move)) == (3, None, "d")
    assert game.push(move) == move
    assert game.push("B") == Move(7, None, "B")
    assert game.turn == 0
    assert game.ply == 2
    assert [str(played) for played in game.moves] == ["d", "B"]
    assert game.outcome() is None
    assert not game.over
    assert game.pop() == Move(7, None, "B")
    assert game.position == "4-4-4-0-5-5-5-5-4-4-4-4-0-0-N"
    assert awale.Game.from_position(game.position, rules="casabianca").board == game.board


def test_a_game_of_three_colours() -> None:
    game = Game("tricolor")
    assert game.board == ((2, 2, 2),) * 16
    assert game.counts == (6,) * 16
    assert [str(move) for move in game.legal_moves[:8]] == ["1R", "1B", "1TR", "1TB", "3R", "3B", "3TR", "3TB"]
    assert {move.colour for move in game.legal_moves} == {"r", "b", "tr", "tb"}
    game.push("15tb")
    assert game.turn == 1
    assert str(game.moves[0]) == "15TB"
    assert game.player_name(1) == "J2"


@pytest.mark.parametrize(
    ("name", "south", "north"),
    [
        ("ghana", "1 2 3 4 5 6", "7 8 9 10 11 12"),
        ("casabianca", "a b c d e f", "A B C D E F"),
        ("upsti", "0 1 2 3 4 5", "0 1 2 3 4 5"),
        ("wikipedia", "A B C D E F", "a b c d e f"),
        ("abapa", "A B C D E F", "a b c d e f"),
        ("awari", "A B C D E F", "a b c d e f"),
    ],
)
def test_how_moves_are_written(name: str, south: str, north: str) -> None:
    game = Game(name)
    assert " ".join(map(str, game.legal_moves)) == south
    assert " ".join(map(str, Game(name, start=game.position.replace("S", "N")).legal_moves)) == north


def test_the_case_of_a_letter_does_not_matter_in_reading() -> None:
    for name in ("casabianca", "abapa"):
        assert Game(name, moves="A a") == Game(name, moves="a A") == Game(name, moves="aA")


def test_abapa_is_the_default() -> None:
    assert Game() == Game("abapa") == Game("oware")


def test_moves_can_be_given_at_once_and_in_many_ways() -> None:
    played = Game("abapa", moves="F f E")
    for moves in (
        "FfE",
        "F,f,E",
        " F  f\nE ",
        ["F", "f", "E"],
        [played.moves[0], "f", "E"],
        iter("FfE"),
    ):
        assert Game("abapa", moves=moves) == played
    assert Game("tricolor", moves="3R 14TB").ply == 2
    assert Game("ghana", moves="3 10").ply == 2
    with pytest.raises(InvalidMoveError, match="no pit x"):
        Game("abapa", moves="F f x")


def test_a_capture_written_with_the_move_is_read() -> None:
    assert Game("abapa").parse("C+2") == Game("abapa").parse("C!?") == Move(2, None, "C")


def test_history_and_state() -> None:
    game = Game("abapa", moves="FfE")
    assert len(game.history) == 4
    assert game.history[0] == game.start == Game("abapa").state
    assert game.history[-1] == game.state == Position(game.board, game.scores, game.turn, game.ply)


def test_str_and_svg_draw_the_board() -> None:
    game = Game("abapa", moves="F")
    assert "4" in str(game)
    assert game._repr_svg_().startswith("<svg")


def test_moves_are_values() -> None:
    tricolor = Game("tricolor")
    assert tricolor.parse("3TR") != tricolor.parse("3TB")
    assert sorted({*tricolor.legal_moves[::4]}) == list(tricolor.legal_moves[::4])


@pytest.mark.parametrize("rules", [rules.name for rules in all_rules()])
def test_a_move_prints_the_same_however_it_was_made(rules: str) -> None:
    game = Game(rules)
    for move in game.legal_moves:
        pushed = Game(rules)
        made = make(game.rules, move.pit, move.colour)
        ways = [move, game.parse(str(move)), made, eval(repr(move)), pushed.push(made), pushed.peek(), *pushed.moves]
        ways += [pushed.pop(), pushed.play(str(move)).move, copy.copy(move), pickle.loads(pickle.dumps(move))]
        assert len({(way, hash(way), str(way), repr(way)) for way in ways}) == 1
    with pytest.raises(TypeError):
        Move(5)  # type: ignore[call-arg]  # without its text it would print differently from an equal move


def test_a_move_of_other_rules_is_played_by_its_pit() -> None:
    assert str(Game("casabianca").push(Game("abapa").parse("F"))) == "f"


# -- what is refused ---------------------------------------------------------------------------------------------------

REFUSALS = [
    # rules, position or None for the start, move, error, code, sentence, phrase
    (
        "abapa",
        None,
        "x",
        InvalidMoveError,
        "no-pit",
        "there is no pit x: the pits to play are A-F",
        "il n'y a pas de case x",
    ),
    (
        "abapa",
        None,
        "7",
        InvalidMoveError,
        "unreadable",
        "'7' is not a move: moves are written A-F",
        "« 7 » n'est pas un coup",
    ),
    ("abapa", None, "", InvalidMoveError, "unreadable", "'' is not a move", "n'est pas un coup"),
    ("abapa", None, "Ff", InvalidMoveError, "unreadable", "'Ff' is not a move", "n'est pas un coup"),
    ("ghana", None, "13", InvalidMoveError, "no-pit", "there is no pit 13: the pits to play are 1-6", "pas de case 13"),
    ("ghana", None, "0", InvalidMoveError, "no-pit", "there is no pit 0", "pas de case 0"),
    ("upsti", None, "6", InvalidMoveError, "no-pit", "there is no pit 6: the pits to play are 0-5", "pas de case 6"),
    ("tricolor", None, "17R", InvalidMoveError, "no-pit", "there is no pit 17R", "pas de case 17R"),
    (
        "tricolor",
        None,
        "3X",
        InvalidMoveError,
        "unreadable",
        "'3X' is not a move: moves are written 1, 3 ... 15 + R, B, TR, TB",
        "« 3X »",
    ),
    (
        "tricolor",
        None,
        "3",
        AmbiguousMoveError,
        "ambiguous",
        "'3' could be 3R, 3B, 3TR, 3TB: name the colour",
        "préciser la couleur",
    ),
    (
        "ghana",
        None,
        "7",
        IllegalMoveError,
        "not-yours",
        "pit 7 belongs to North: it is South's turn, who plays 1-6",
        "la case 7 est à Nord : c'est à Sud",
    ),
    (
        "tricolor",
        None,
        "2R",
        IllegalMoveError,
        "not-yours",
        "pit 2 belongs to J2: it is J1's turn",
        "la case 2 est à J2",
    ),
    (
        "abapa",
        None,
        Move(6, None, "a"),
        IllegalMoveError,
        "not-yours",
        "pit a belongs to North: it is South's turn, who plays A-F",
        "la case a est à Nord",
    ),
    (
        "abapa",
        None,
        Move(99, None, "100"),
        IllegalMoveError,
        "no-pit",
        "there is no pit 100: the pits to play are A-F",
        "il n'y a pas de case 100",
    ),
    ("abapa", None, Move(-1, None, "0"), IllegalMoveError, "no-pit", "there is no pit 0", "il n'y a pas de case 0"),
    (
        "abapa",
        None,
        Move(0, "r", "1R"),
        IllegalMoveError,
        "no-colours-here",
        "these rules know no colours",
        "n'ont pas de couleurs",
    ),
    (
        "tricolor",
        None,
        Move(2, None, "3"),
        IllegalMoveError,
        "needs-colour",
        "hole 3 is played by colour: write 3R, 3B, 3TR, 3TB",
        "le trou 3 se joue par couleur",
    ),
    ("abapa", "0-4-4-4-4-4-4-4-4-4-4-4-2-2-S", "A", IllegalMoveError, "empty", "pit A is empty", "la case A est vide"),
    (
        "casabianca",
        "0-0-0-4-0-1-1-1-0-0-0-0-20-21-S",
        "d",
        IllegalMoveError,
        "starves",
        "d would leave the opponent nothing",
        "d ne laisserait rien à l'adversaire",
    ),
    (
        "abapa",
        "1-0-0-4-0-1-0-0-0-0-0-0-20-22-S",
        "A",
        IllegalMoveError,
        "does-not-feed",
        "the opponent has no seed, and A does not feed him",
        "A ne le nourrit pas",
    ),
    (
        "ghana",
        ENDLESS,
        "11",
        IllegalMoveError,
        "endless",
        "the sowing of 11 never ends: it comes back to its start after 50,636 laps",
        "après 50\N{NARROW NO-BREAK SPACE}636 tours",
    ),
    (
        "abapa",
        "0-0-0-0-0-0-0-0-0-0-0-0-25-23-S",
        "A",
        IllegalMoveError,
        "over",
        "the game is over",
        "la partie est finie",
    ),
    (
        "abapa",
        "0-0-0-0-0-0-0-0-0-0-0-0-25-23-S",
        "nonsense",
        IllegalMoveError,
        "over",
        "the game is over",
        "la partie est finie",
    ),
]


@pytest.mark.parametrize(("rules", "position", "move", "error", "code", "sentence", "phrase"), REFUSALS)
def test_refusals(
    rules: str,
    position: str | None,
    move: Move | str,
    error: type[MoveError],
    code: str,
    sentence: str,
    phrase: str,
) -> None:
    game = Game(rules, start=position)
    before = snapshot(game)
    reason = game.why_illegal(move)
    assert reason is not None
    assert reason.startswith(sentence)
    assert phrase in str(game.why_illegal(move, lang="fr"))
    refusal = game.refusal(move)
    assert refusal is not None
    assert refusal.code == code
    with pytest.raises(MoveError) as refused:
        game.push(move)
    assert type(refused.value) is error
    assert isinstance(refused.value, ValueError)
    assert str(refused.value) == reason
    assert refused.value.sentence("fr") == game.why_illegal(move, "fr")
    if isinstance(move, str):
        with pytest.raises(error):
            game.parse(move)
    assert snapshot(game) == before


def test_every_kind_of_refusal_is_shown_here() -> None:
    known = {key.partition(".")[2] for key in i18n.section("core") if key.startswith("refusal.")}
    colours = {"no-colour"}  # shown with the three-colour examples of the rules
    assert {case[4] for case in REFUSALS} == known - colours


@pytest.mark.parametrize("move", [None, 5, 3.5, b"A", ["A"], object()])
def test_what_is_neither_text_nor_move_is_refused_politely(move: object) -> None:
    with pytest.raises(InvalidMoveError, match="is not a move"):
        Game("abapa").push(move)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["é", "Ａ", "١", "²", "A" * 1000, "{move}", "{0}", "\x00", "A\nB", "-1", "1e3", "３R"])
@pytest.mark.parametrize("name", ["abapa", "ghana", "upsti", "tricolor"])
def test_odd_texts_are_refused(name: str, text: str) -> None:
    game = Game(name)
    with pytest.raises(InvalidMoveError) as refused:
        game.push(text)
    assert len(str(refused.value)) < 200
    assert game == Game(name)


def test_a_legal_move_has_no_reason() -> None:
    game = Game("abapa")
    assert game.why_illegal("A") is None
    assert game.refusal("A") is None
    assert game.why_illegal(Move(0, None, "A")) is None


def test_a_hole_with_one_choice_needs_no_colour() -> None:
    holes = ["0.0.0"] * 16
    holes[0], holes[2], holes[1] = "3.0.0", "0.0.2", "5.5.0"
    game = Game.from_position("-".join([*holes, "40", "41", "S"]), "tricolor")
    assert game.parse("1") == Move(0, "r", "1R")
    with pytest.raises(AmbiguousMoveError, match="3TR, 3TB"):
        game.parse("3")
    assert game.why_illegal("5") == "pit 5 is empty"
    assert game.why_illegal("5R") == "pit 5 is empty"
    assert game.why_illegal(Move(0, "R", "1R")) == "hole 1 is played by colour: write 1R, 1B, 1TR, 1TB"  # type: ignore[arg-type]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no texts in 'de'"):
        Game("abapa").why_illegal("x", lang="de")


def test_sentences_do_not_change_the_language_of_others() -> None:
    """Two readers at the same time each get their own language, and the process keeps its own."""
    game = Game("abapa")
    wrong: list[str] = []

    def ask(lang: str, beginning: str) -> None:
        for _ in range(300):
            said = str(game.why_illegal("x", lang))
            if not said.startswith(beginning) or i18n.language() != "en":
                wrong.append(said)

    threads = [
        threading.Thread(target=ask, args=("fr", "il n'y a pas")),
        threading.Thread(target=ask, args=("en", "there is no")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# -- traces ------------------------------------------------------------------------------------------------------------


def test_a_trace_of_a_relay_shows_every_lap() -> None:
    trace = Game("ghana").trace("3")
    assert [lap.pit + 1 for lap in trace.laps] == [3, 7, 12, 5, 11]
    assert trace.laps[0].landings == (3, 4, 5, 6)
    assert trace.lap_count == 5
    assert trace.taken == 6
    assert trace.swept == (0, 0)
    assert trace.outcome is None
    assert not trace.passed


def test_a_trace_of_an_endless_sowing_keeps_its_beginning() -> None:
    for name in ("ghana", "ghana-basic"):
        for move in ("11", Move(10, None, "11")):
            trace = Game.from_position(ENDLESS, name).trace(move)
            assert trace.period == trace.lap_count == 50_636
            assert len(trace.laps) == 1000
            assert trace.captures == ()
            assert (trace.outcome is None) == (name == "ghana")


def test_a_trace_holds_as_many_laps_as_its_caller_wants() -> None:
    game = Game.from_position(ENDLESS, "ghana-basic")
    assert [len(game.trace("11", laps=laps).laps) for laps in (0, 1, 150, 60_000)] == [0, 1, 150, 50_636]
    few, all_laps = Game("ghana").trace("3", laps=2), Game("ghana").trace("3")
    assert few.laps == all_laps.laps[:2]
    assert (few.lap_count, few.last, few.captures) == (5, 4, all_laps.captures)


@pytest.mark.parametrize("rules", [rules.name for rules in all_rules()])
def test_playing_returns_the_trace_of_the_move(rules: str) -> None:
    pushed, played = Game(rules), Game(rules)
    for _ in range(20):
        if pushed.over:
            break
        move = pushed.legal_moves[pushed.ply % len(pushed.legal_moves)]
        trace = pushed.trace(move)
        assert played.play(move) == trace
        before = pushed.turn, pushed.scores
        assert pushed.push(move) == trace.move
        assert snapshot(played) == snapshot(pushed)
        assert (trace.mover, trace.last) == (before[0], trace.landings[-1])
        gained = [trace.swept[side] + trace.taken * (side == trace.mover) for side in (0, 1)]
        assert pushed.scores == (before[1][0] + gained[0], before[1][1] + gained[1])
        assert trace.outcome == pushed.outcome()
        assert trace.passed == (not pushed.over and pushed.turn == trace.mover)


@pytest.mark.parametrize("how", ["push", "play", "trace"])
@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor"])
def test_a_move_is_sown_once(rules: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(rules)
    board, move = game.board, game.legal_moves[2]
    sown: list[tuple[object, Move]] = []
    sow = reference.sow

    def counted(rules: Rules, board: Board, move: Move) -> Sown:
        sown.append((board, move))
        return sow(rules, board, move)

    monkeypatch.setattr(reference, "sow", counted)
    getattr(game, how)(move)
    assert sown.count((board, move)) == 1


@pytest.mark.parametrize("how", ["push", "play", "trace"])
def test_a_relay_is_followed_to_its_end_only_once(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The legal moves were found by sowing them; later only the laps that somebody wants to see are sown again."""
    game = Game.from_position(ENDLESS, "ghana-basic")
    game.trace("11", laps=1)
    followed: list[int] = []
    laps: list[int] = []
    sow_relay, sow_lap = reference.sow_relay, reference.sow_lap

    def counted(board: list[int], pit: int) -> tuple[int, int, int | None]:
        followed.append(pit)
        return sow_relay(board, pit)

    def counted_lap(board: list[int], pit: int, *, skip_origin: bool) -> tuple[int, ...]:
        laps.append(pit)
        return sow_lap(board, pit, skip_origin=skip_origin)

    monkeypatch.setattr(reference, "sow_relay", counted)
    monkeypatch.setattr(reference, "sow_lap", counted_lap)
    if how == "push":
        game.push("11")
    else:
        assert len(getattr(game, how)("11", laps=150).laps) == 150
    assert followed == []
    assert len(laps) == (0 if how == "push" else 150)


def test_a_trace_shows_the_sweep_at_the_end() -> None:
    game = Game.from_position("0-0-0-0-0-1-1-0-0-0-0-3-24-19-S", "upsti")
    trace = game.trace("5")
    assert trace.captures == ((6, 2),)
    assert trace.swept == (0, 3)
    assert trace.outcome == Outcome(0, (26, 22), "win")
    assert sum(trace.board) == 3  # type: ignore[arg-type]


def test_a_refused_move_has_no_trace() -> None:
    game = Game.from_position("0-4-4-4-4-4-4-4-4-4-4-4-2-2-S")
    with pytest.raises(IllegalMoveError, match="pit A is empty"):
        game.trace("A")
    with pytest.raises(InvalidMoveError):
        game.trace("Z")
    with pytest.raises(IllegalMoveError, match="belongs to North"):
        game.trace(Move(7, None, "b"))
    game.resign()
    with pytest.raises(IllegalMoveError, match="over"):
        game.trace("B")


# -- what a position is ------------------------------------------------------------------------------------------------

CIRCLING = "0-0-0-0-0-1-0-0-0-0-0-1-22-24-S"


def test_repetitions_are_counted_since_the_last_capture() -> None:
    game = Game("casabianca", start=CIRCLING)
    for occurred_before in range(3):
        assert game.repetitions() == occurred_before
        for move in "fFaAbBcCdDeE":
            game.push(move)
            assert game.repetitions() == occurred_before + (move == "E")
    game.pop()
    assert game.repetitions() == 2
    captured = Game("ghana", moves="3")
    assert captured.scores == (6, 0)
    assert captured.repetitions() == 0


def test_keys_ignore_the_way_to_a_position() -> None:
    circled = Game("casabianca", start=CIRCLING, moves="fFaAbBcCdDeE")
    assert circled.key == Game("casabianca", start=CIRCLING).key
    assert hash(circled.key) == hash(circled.root().key)
    assert circled.key != Game("casabianca", start=CIRCLING.replace("S", "N")).key
    assert circled.key != Game("casabianca", start=CIRCLING.replace("22-24", "24-22")).key
    limited = Game("upsti", moves="5 5")
    assert limited.key != Game("upsti", start=limited.state._replace(ply=0)).key


@pytest.mark.parametrize(
    ("rules", "position", "status"),
    [
        ("abapa", None, Status.VALID),
        ("tricolor", None, Status.VALID),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-3-0-0-S", Status.TOO_FEW_SEEDS),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-1-S", Status.TOO_MANY_SEEDS),
        ("abapa", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", Status.EMPTY_BOARD),
        ("abapa", "0-0-0-0-0-0-0-0-0-0-0-0-0-0-N", Status.EMPTY_BOARD | Status.TOO_FEW_SEEDS),
        ("abapa", "0-0-0-0-0-0-0-0-0-0-0-4-22-22-S", Status.STARVED),
        ("casabianca", "0-0-0-0-0-0-0-0-0-0-0-4-22-22-S", Status.STARVED),
        ("abapa", "0-0-0-0-0-0-0-0-0-0-0-4-22-22-N", Status.VALID),
        ("awari", "0-0-0-0-0-0-0-0-0-0-0-4-22-22-S", Status.VALID),
        ("ghana", "0-0-0-0-0-0-0-0-0-0-0-4-22-22-S", Status.VALID),
        ("tricolor", "-".join(["3.1.2"] * 16) + "-0-0-S", Status.TOO_MANY_OF_A_COLOUR),
    ],
)
def test_status(rules: str, position: str | None, status: Status) -> None:
    game = Game(rules, start=position)
    assert game.status() == status
    assert game.is_valid() == (status == Status.VALID)
    assert game.mirror().status() == status


@pytest.mark.parametrize("rules", [rules.name for rules in all_rules()])
def test_every_position_of_a_game_is_valid(rules: str) -> None:
    game = Game(rules)
    while not game.over and game.ply < 150:
        assert Game(rules, start=game.state).is_valid()
        game.push(game.legal_moves[game.ply % len(game.legal_moves)])
    assert game.is_valid()


@pytest.mark.parametrize("position", ["-4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "4--4-4-4-4-4-4-4-4-4-4-4-0-0-S"])
def test_a_negative_count_is_refused(position: str) -> None:
    with pytest.raises(PositionError):
        Game("abapa", start=position)
    with pytest.raises(PositionError):
        Game("abapa", start=Position((-4,) * 12, (0, 0), 0))


def test_results_as_files_write_them() -> None:
    game = Game("abapa")
    assert game.result() == "*"
    assert [Game("abapa", ended=ended).result() for ended in ("resignation-1", "time-0", "agreement")] == [
        "1-0",
        "0-1",
        "1/2-1/2",
    ]


def test_peek_and_root() -> None:
    game = Game("abapa", start="0-0-4-4-4-4-4-4-4-4-4-4-4-4-N")
    with pytest.raises(GameStateError, match="no move has been played"):
        game.peek()
    game.push("f")
    assert str(game.peek()) == "f"
    assert game.ply == 1
    root = game.root()
    assert (root.moves, root.start) == ((), game.start)
    assert root == Game("abapa", start=game.start)


@pytest.mark.parametrize("rules", [rules.name for rules in all_rules()])
def test_a_mirrored_game_swaps_the_players_and_keeps_its_history(rules: str) -> None:
    game = Game(rules)
    while game.ply < 3:
        game.push(game.legal_moves[0])
    game.offer_end(0)
    mirrored = game.mirror()
    assert mirrored.scores == game.scores[::-1]
    assert (mirrored.turn, mirrored.ply, mirrored.end_offer) == (1 - game.turn, 3, 1)
    if not game.rules.coloured:  # there mirroring twice rotates the ring by two holes
        assert mirrored.mirror() == game
    assert len(mirrored.legal_moves) == len(game.legal_moves)
    game.accept_end()
    assert game.mirror().ended == "agreement"
    resigned = Game(rules, ended="resignation-0").mirror()
    assert (resigned.ended, resigned.result()) == ("resignation-1", "1-0")


# -- offers, giving up, going back -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ghana", "casabianca", "upsti", "wikipedia", "abapa", "awari", "tricolor"])
def test_players_may_agree_to_stop_in_every_game(name: str) -> None:
    game = Game(name)
    game.push(game.legal_moves[0])
    game.offer_end()
    assert game.end_offer == 1
    assert not game.over
    assert game.accept_end() == game.outcome()
    assert game.over
    assert game.outcome() == Outcome(None if game.scores[0] == game.scores[1] else 0, game.scores, "agreement")
    assert game.legal_moves == ()
    assert game.end_offer is None
    assert game.ended == "agreement"


def test_an_offer_is_answered_by_word_or_by_a_move() -> None:
    game = Game("casabianca")
    game.offer_end()
    game.decline_end()
    assert game.end_offer is None
    game.offer_end(1)
    game.push("a")
    assert game.end_offer is None, "South played on, which answers North's offer"
    game.offer_end(0)
    game.push("A")
    assert game.end_offer is None
    game.offer_end()
    game.push("b")
    assert game.end_offer == 0, "South offered and played: North has not answered yet"
    game.push("B")
    assert game.end_offer is None


def test_an_offer_waits_for_one_answer_at_a_time() -> None:
    game = Game("casabianca")
    game.offer_end(0)
    game.offer_end(0)
    with pytest.raises(GameStateError, match="accept or decline") as refused:
        game.offer_end(1)
    assert "accepter ou refuser" in refused.value.sentence("fr")
    assert game.end_offer == 0


def test_pop_brings_an_offer_back() -> None:
    game = Game("casabianca")
    game.offer_end(1)
    before = snapshot(game)
    game.push("a")
    game.pop()
    assert snapshot(game) == before
    assert game.end_offer == 1


def test_pop_after_the_players_ended_the_game() -> None:
    for end in (Game.resign, lambda game: (game.offer_end(), game.accept_end())):
        game = Game("abapa", moves="F")
        end(game)
        assert game.over
        assert game.pop() == Move(5, None, "F")
        assert game == Game("abapa")
        assert not game.over


def test_an_offer_does_not_outlive_the_game() -> None:
    game = Game.from_position("0-0-0-0-0-1-1-0-0-0-0-3-24-19-S", "abapa")
    game.offer_end(0)
    game.push("F")
    assert game.over
    assert game.end_offer is None
    game.pop()
    assert game.end_offer == 0


def test_resigning() -> None:
    game = Game("abapa")
    assert game.resign() == Outcome(1, (0, 0), "resignation")
    assert game.ended == "resignation-0"
    assert game.outcome() == Outcome(1, (0, 0), "resignation")
    game = Game("abapa")
    assert game.resign(1).winner == 0
    assert Game("abapa", ended="resignation-1") == game


def test_losing_on_time() -> None:
    game = Game("abapa", moves="F f")
    assert game.lose_on_time() == Outcome(1, game.scores, "time")
    assert game.ended == "time-0"
    assert Game("abapa", moves="F f", ended="time-0") == game
    assert eval(repr(game), {"Game": Game}) == game
    with pytest.raises(GameStateError, match="the game is over"):
        game.lose_on_time(1)
    game.pop()
    assert not game.over
    assert game.lose_on_time(1).winner == 0


def test_actions_that_make_no_sense() -> None:
    game = Game("abapa")
    with pytest.raises(GameStateError, match="no move has been played"):
        game.pop()
    with pytest.raises(GameStateError, match="nobody has offered"):
        game.accept_end()
    with pytest.raises(GameStateError, match="nobody has offered"):
        game.decline_end()
    for player in (2, -1, "0", None.__class__):
        with pytest.raises(GameStateError, match="a player is 0 or 1"):
            game.resign(player)  # type: ignore[arg-type]
    with pytest.raises(GameStateError, match="use one of agreement"):
        Game("abapa", ended="boredom")
    game.resign()
    for action in (game.resign, game.offer_end, game.accept_end):
        with pytest.raises(GameStateError, match="the game is over"):
            action()
    with pytest.raises(GameStateError, match="the game is over"):
        Game("abapa", start="0-0-0-0-0-0-0-0-0-0-0-0-25-23-S", ended="agreement")


def test_outcomes_are_told_in_both_languages() -> None:
    for reason in ("win", "moves", "few", "repetition", "no-move", "endless", "agreement", "resignation", "time"):
        for outcome in (Outcome(0, (25, 20), reason), Outcome(None, (24, 24), reason)):  # type: ignore[arg-type]
            english, french = outcome.sentence("en"), outcome.sentence("fr")
            assert english != french
            assert f"{outcome.scores[0]}-{outcome.scores[1]}" in english
    assert Outcome(1, (20, 25), "win").sentence("fr") == "Nord gagne 20-25 : assez de graines prises"
    assert Outcome(1, (20, 50), "win").sentence("en", coloured=True).startswith("J2 wins")


# -- other starts ------------------------------------------------------------------------------------------------------


def test_a_game_from_a_position() -> None:
    game = Game.from_position("0-1-0-0-0-3-0-2-1-0-0-0-20-21-N", rules="wikipedia")
    assert (game.turn, game.scores, game.ply) == (1, (20, 21), 0)
    assert game.start == game.state
    game.push("c")
    assert game.history[0] == game.start


def test_the_start_is_kept_as_it_was_given() -> None:
    """A start that is over, or whose player must pass, is swept or passed on the board but not forgotten."""
    over = Game.from_position("0-0-0-0-0-0-1-1-1-1-1-10-20-13-S")
    assert over.outcome() == Outcome(1, (20, 28), "no-move")
    assert sum(over.counts) == 0
    assert over.start.scores == (20, 13)
    again = eval(repr(over))
    assert again == over
    assert again.outcome() == over.outcome()
    passing = Game.from_position("1-1-0-1-0-0-0-0-0-0-0-0-22-23-N", "ghana")
    assert (passing.start.turn, passing.turn) == (1, 0)


def test_the_number_of_moves_belongs_to_a_position_only_where_a_rule_counts_them() -> None:
    counted = Game.from_position("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-40", "upsti")
    assert counted.ply == 40
    assert counted.position.endswith("-S-40")
    assert eval(repr(counted)) == counted
    uncounted = Game.from_position("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-40", "abapa")
    assert eval(repr(uncounted)) == uncounted
    assert uncounted.position == "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"


def test_a_position_object_is_checked_like_a_text() -> None:
    position = Position((4,) * 12, (0, 0), 1)
    assert Game("abapa", start=position).turn == 1
    with pytest.raises(PositionError):
        Game("abapa", start=Position((4,) * 10, (0, 0), 0))
    with pytest.raises(PositionError):
        Game("abapa", start=Position((400,) * 12, (0, 0), 0))
    with pytest.raises(PositionError):
        Game("tricolor", start=position)


def test_bad_rules_and_positions_are_our_own_errors() -> None:
    with pytest.raises(RulesError, match="no rules are called 'chess'"):
        Game("chess")
    with pytest.raises(PositionError):
        Game.from_position("4-4-4")
    assert issubclass(PositionError, AwaleError)
    assert issubclass(AwaleError, ValueError)


# -- as a Python object ------------------------------------------------------------------------------------------------


def test_games_compare_by_what_was_played() -> None:
    one, other = Game("abapa", moves="F f"), Game("abapa", moves="Ff")
    assert one == other
    assert hash(one) == hash(other)
    assert one != Game("abapa", moves="F")
    assert one != Game("wikipedia", moves="Ff")
    assert one != "Game('abapa', moves='F f')"
    assert len({one, other, Game("abapa")}) == 2
    other.offer_end()
    assert one != other


def test_reprs_are_short_where_they_can_be() -> None:
    assert repr(Game("oware")) == "Game('abapa')"
    assert repr(Game("ghana:pits=3", moves="1")) == "Game('ghana:pits=3', moves='1')"
    game = Game("abapa", moves="F f")
    game.offer_end()
    assert repr(game) == "Game('abapa', moves='F f', offer=0)"
    game.accept_end()
    assert repr(game) == "Game('abapa', moves='F f', ended='agreement')"
    assert eval(repr(game)) == game


def test_copies_are_independent() -> None:
    game = Game("abapa", moves="F")
    for twin in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        twin.push("a")
        assert game.ply == 1
        twin.pop()
        assert twin == game


def test_a_subclass_copies_to_itself() -> None:
    class Noted(Game):
        __slots__ = ()

    assert type(Noted("abapa").copy()) is Noted
    assert isinstance(Noted.from_position("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"), Noted)
