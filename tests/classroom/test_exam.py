"""The examination's checker: a right file passes, and thirty wrong ones are each caught with a fitting message."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from awale import Game, i18n
from awale.classroom import exam
from awale.classroom.exam import cases, report, solution
from awale.classroom.exam.check import ExamError, Verdict
from awale.cli import main


def judged(tmp_path: Path, code: str, function: str, **limits: float) -> Verdict:
    """Write a file with the right functions, then those of `code`, and check one."""
    file = tmp_path / "devoir.py"
    file.write_text(exam.solved_template() + "\n" + textwrap.dedent(code), encoding="utf-8")
    (verdict,) = exam.check_file(file, count=60, functions=(function,), **limits)  # type: ignore[arg-type]
    return verdict


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_a_right_file_passes_and_the_template_is_unwritten(lang: str, tmp_path: Path) -> None:
    right, empty = tmp_path / "right.py", tmp_path / "empty.py"
    right.write_text(exam.solved_template(lang), encoding="utf-8")
    empty.write_text(exam.template(lang), encoding="utf-8")
    assert {verdict.status for verdict in exam.check_file(right, count=60)} == {"right"}
    assert {verdict.status for verdict in exam.check_file(empty, count=60)} == {"unwritten"}


@pytest.mark.parametrize("function", exam.FUNCTIONS)
def test_every_situation_of_a_function_is_tried_hundreds_of_times_in_all(function: str) -> None:
    found = cases.cases(function)
    assert {case.kind for case in found} == set(cases.kinds(function))
    assert len(found) == 240 or function == "awale_jcj_IA"
    assert found == cases.cases(function)
    for case in found:
        assert i18n.text(f"exam.kind.{function}.{case.kind}", "fr")


def test_the_solution_plays_as_the_rules_do() -> None:
    for board, scores, plies in cases._played():
        jeu = {"joueur1": "a", "joueur2": "b", "score": list(scores), "n": plies, "plateau": list(board)}
        south = scores if plies % 2 == 0 else scores[::-1]
        game = Game("upsti", start="-".join(map(str, (*board, *south, "S"))))
        assert solution.cases_possibles(jeu) == [move.pit for move in game.legal_moves]
        for move in game.legal_moves:
            taken, after = solution.gain(jeu, move.pit)
            game.push(move)
            if game.over:
                winner = solution.gagnant(after)
                assert winner == ("egalite" if (found := game.outcome().winner) is None else "ab"[(plies + found) % 2])
            else:
                assert tuple(after["plateau"][6:] + after["plateau"][:6]) == game.board
                assert game.scores[0] - south[0] == taken == after["score"][plies % 2] - scores[plies % 2]
            game.pop()


class Broken(NamedTuple):
    function: str
    code: str
    problem: str
    kind: str
    """The situation in which it is first seen."""
    says: str


BROKEN = {
    "parity the wrong way round": Broken(
        "tour_joueur1", "def tour_joueur1(jeu): return jeu['n'] % 2 == 1", "value", "even", "False is returned"
    ),
    "a number instead of a truth value": Broken(
        "tour_joueur1", "def tour_joueur1(jeu): return 1 - jeu['n'] % 2", "type", "even", "of type int"
    ),
    "a board that is not turned in place": Broken(
        "tourner_plateau",
        "def tourner_plateau(jeu): p = jeu['plateau'][6:] + jeu['plateau'][:6]",
        "unchanged",
        "turn",
        "must change the list",
    ),
    "a board that is mirrored": Broken(
        "tourner_plateau", "def tourner_plateau(jeu): jeu['plateau'].reverse()", "left", "turn", "not the right one"
    ),
    "a copy that is the same object": Broken("copie", "def copie(jeu): return jeu", "shared", "copy", "shares a list"),
    "a shallow copy": Broken("copie", "def copie(jeu): return dict(jeu)", "shared", "copy", "shares a list"),
    "a copy without the number of moves": Broken(
        "copie",
        "def copie(jeu): return {k: (v if isinstance(v, str) else list(v)) for k, v in jeu.items() if k != 'n'}",
        "value",
        "copy",
        "right would be",
    ),
    "the origin is sown on the second lap": Broken(
        "deplacer_graines",
        """
        def deplacer_graines(plateau, case):
            nb, plateau[case] = plateau[case], 0
            for i in range(1, nb + 1):
                plateau[(case + i) % 12] += 1
            return (case + nb) % 12
        """,
        "both",
        "lap",
        "12 seeds or more",
    ),
    "no return to pit 0": Broken(
        "deplacer_graines",
        """
        def deplacer_graines(plateau, case):
            nb, plateau[case] = plateau[case], 0
            for i in range(1, nb + 1):
                plateau[case + i] += 1
            return case + nb
        """,
        "raised",
        "round",
        "IndexError",
    ),
    "the pit is not emptied": Broken(
        "deplacer_graines",
        """
        def deplacer_graines(plateau, case):
            for i in range(1, plateau[case] + 1):
                plateau[(case + i) % 12] += 1
            return (case + plateau[case]) % 12
        """,
        "left",
        "own",
        "not the right one",
    ),
    "sown clockwise": Broken(
        "deplacer_graines",
        """
        def deplacer_graines(plateau, case):
            nb, plateau[case] = plateau[case], 0
            for i in range(1, nb + 1):
                plateau[(case - i) % 12] += 1
            return (case - nb) % 12
        """,
        "both",
        "own",
        "is returned",
    ),
    "a forgotten return": Broken(
        "deplacer_graines",
        """
        def deplacer_graines(plateau, case):
            nb, plateau[case] = plateau[case], 0
            while nb > 0:
                case = (case + 1) % 12
                plateau[case] += 1
                nb -= 1
        """,
        "nothing",
        "own",
        "forgotten return",
    ),
    "an endless loop": Broken(
        "deplacer_graines",
        """
        def deplacer_graines(plateau, case):
            while plateau[case] > 0:
                pass
        """,
        "slow",
        "own",
        "does not end",
    ),
    "one's own pits are captured": Broken(
        "case_ramassable",
        "def case_ramassable(plateau, case): return plateau[case] in (2, 3)",
        "value",
        "own",
        "own side",
    ),
    "only three seeds are captured": Broken(
        "case_ramassable",
        "def case_ramassable(plateau, case): return case > 5 and plateau[case] == 3",
        "value",
        "take",
        "False is returned",
    ),
    "one pit only": Broken(
        "ramasser_graines",
        """
        def ramasser_graines(plateau, case):
            if not case_ramassable(plateau, case):
                return 0
            nb, plateau[case] = plateau[case], 0
            return nb
        """,
        "both",
        "chain",
        "several pits",
    ),
    "captured seeds stay": Broken(
        "ramasser_graines",
        """
        def ramasser_graines(plateau, case):
            if not case_ramassable(plateau, case):
                return 0
            return plateau[case] + ramasser_graines(plateau, case - 1)
        """,
        "unchanged",
        "one",
        "leaves the position",
    ),
    "the chain goes forwards": Broken(
        "ramasser_graines",
        """
        def ramasser_graines(plateau, case):
            if case > 11 or not case_ramassable(plateau, case):
                return 0
            nb, plateau[case] = plateau[case], 0
            return nb + ramasser_graines(plateau, case + 1)
        """,
        "both",
        "one",
        "single pit",
    ),
    "the chain crosses the border": Broken(
        "ramasser_graines",
        """
        def ramasser_graines(plateau, case):
            if case < 6:
                return 0
            total = 0
            while plateau[case] in (2, 3):
                total += plateau[case]
                plateau[case] = 0
                case -= 1
            return total
        """,
        "both",
        "border",
        "stops at the border",
    ),
    "an endless recursion": Broken(
        "ramasser_graines",
        "def ramasser_graines(plateau, case): return ramasser_graines(plateau, case)",
        "raised",
        "none",
        "RecursionError",
    ),
    "the famine test plays the move": Broken(
        "test_famine",
        """
        def test_famine(plateau, case):
            if plateau[case] == 0:
                return False
            ramasser_graines(plateau, deplacer_graines(plateau, case))
            return sum(plateau[6:]) != 0
        """,
        "changed",
        "feeds",
        "work on a copy",
    ),
    "the famine test forgets the capture": Broken(
        "test_famine",
        """
        def test_famine(plateau, case):
            if plateau[case] == 0:
                return False
            essai = plateau.copy()
            deplacer_graines(essai, case)
            return sum(essai[6:]) != 0
        """,
        "value",
        "slam",
        "takes all",
    ),
    "the famine test the wrong way round": Broken(
        "test_famine",
        """
        def test_famine(plateau, case):
            essai = plateau.copy()
            ramasser_graines(essai, deplacer_graines(essai, case))
            return sum(essai[6:]) == 0
        """,
        "value",
        "feeds",
        "leaves the opponent a seed",
    ),
    "the opponent's pits may be played": Broken(
        "test_case",
        "def test_case(plateau, case): return plateau[case] != 0 and test_famine(plateau, case)",
        "value",
        "other",
        "pit of the opponent",
    ),
    "famine is ignored in the list": Broken(
        "cases_possibles",
        "def cases_possibles(jeu): return [i for i in range(6) if jeu['plateau'][i] > 0]",
        "value",
        "famine",
        "starves",
    ),
    "pits counted from 1": Broken(
        "cases_possibles",
        "def cases_possibles(jeu): return [i + 1 for i in range(6) if test_case(jeu['plateau'], i)]",
        "value",
        "all",
        "[0, 1, 2, 3, 4, 5]",
    ),
    "the limit of moves is forgotten": Broken(
        "tour_suivant",
        """
        def tour_suivant(jeu):
            return max(jeu['score']) < 25 and sum(jeu['plateau']) > 3 and cases_possibles(jeu) != []
        """,
        "value",
        "moves",
        "100 moves",
    ),
    "25 seeds do not end it": Broken(
        "tour_suivant",
        """
        def tour_suivant(jeu):
            if max(jeu['score']) > 25 or jeu['n'] >= 100 or sum(jeu['plateau']) <= 3:
                return False
            return cases_possibles(jeu) != []
        """,
        "value",
        "score",
        "25 seeds",
    ),
    "player 1 gets everything": Broken(
        "tour_jeu",
        """
        def tour_jeu(jeu, case):
            if not test_case(jeu['plateau'], case):
                return True
            p = jeu['plateau']
            jeu['score'][0] += ramasser_graines(p, deplacer_graines(p, case))
            jeu['n'] += 1
            tourner_plateau(jeu)
            return tour_suivant(jeu)
        """,
        "left",
        "takes-2",
        "player 2",
    ),
    "a refused pit ends the game": Broken(
        "tour_jeu",
        """
        def tour_jeu(jeu, case):
            if not test_case(jeu['plateau'], case):
                return False
            p = jeu['plateau']
            jeu['score'][jeu['n'] % 2] += ramasser_graines(p, deplacer_graines(p, case))
            jeu['n'] += 1
            tourner_plateau(jeu)
            return tour_suivant(jeu)
        """,
        "value",
        "refused",
        "may not be played",
    ),
    "whose pits the last seeds are in": Broken(
        "gagnant",
        """
        def gagnant(jeu):
            a = jeu['score'][0] + sum(jeu['plateau'][:6])
            b = jeu['score'][1] + sum(jeu['plateau'][6:])
            return 'egalite' if a == b else jeu['joueur1'] if a > b else jeu['joueur2']
        """,
        "value",
        "second-1",
        "pits 0 to 5 are theirs",
    ),
    "the gain changes the game": Broken(
        "gain",
        """
        def gain(jeu, case):
            g = ramasser_graines(jeu['plateau'], deplacer_graines(jeu['plateau'], case))
            jeu['score'][jeu['n'] % 2] += g
            jeu['n'] += 1
            tourner_plateau(jeu)
            return g, jeu
        """,
        "changed",
        "plain",
        "work on a copy",
    ),
    "a maximum that starts at 0": Broken(
        "max_vals",
        """
        def max_vals(vals_jeu, profondeur):
            case, maxi = None, 0
            for c, v in vals_jeu:
                if v > maxi:
                    case, maxi = c, v
            return case if profondeur == 0 else maxi
        """,
        "nothing",
        "negative",
        "0 or less",
    ),
    "the last of equal values": Broken(
        "max_vals",
        """
        def max_vals(vals_jeu, profondeur):
            case, maxi = vals_jeu[0]
            for c, v in vals_jeu:
                if v >= maxi:
                    case, maxi = c, v
            return case if profondeur == 0 else maxi
        """,
        "value",
        "tie",
        "equal values",
    ),
    "the opponent's gain is added": Broken(
        "NegaAwale",
        """
        def NegaAwale(jeu, profondeur_max, profondeur):
            if not tour_suivant(jeu) or profondeur == profondeur_max:
                return 0
            vals = []
            for case in cases_possibles(jeu):
                g, bis = gain(jeu, case)
                vals.append([case, g + NegaAwale(bis, profondeur_max, profondeur + 1)])
            return max_vals(vals, profondeur)
        """,
        "value",
        "two",
        "is returned",
    ),
    "a search without a horizon": Broken(
        "NegaAwale",
        """
        def NegaAwale(jeu, profondeur_max, profondeur):
            if not tour_suivant(jeu):
                return 0
            vals = []
            for case in cases_possibles(jeu):
                g, bis = gain(jeu, case)
                vals.append([case, g - NegaAwale(bis, profondeur_max, profondeur + 1)])
            return max_vals(vals, profondeur)
        """,
        "slow",
        "horizon",
        "does not end",
    ),
    "another depth than the examination's": Broken(
        "awale_jcj_IA",
        """
        def awale_jcj_IA(nom_joueur1, nom_joueur2):
            jeu = initialisation(nom_joueur1, nom_joueur2)
            while tour_jeu(jeu, NegaAwale(jeu, 3, 0)):
                pass
            return gagnant(jeu)
        """,
        "scripted",
        "game",
        "NegaAwale(jeu, 3, 0)",
    ),
    "a parameter too many": Broken(
        "cases_possibles", "def cases_possibles(jeu, joueur): return []", "signature", "", "(jeu, joueur)"
    ),
    "all the memory": Broken("tour_joueur1", "def tour_joueur1(jeu): return [0] * 10**10", "memory", "even", "memory"),
    "Python is ended": Broken(
        "tour_joueur1", "import os\ndef tour_joueur1(jeu): os._exit(0)", "ended", "even", "ends Python"
    ),
    "a question to the user": Broken(
        "tour_joueur1", "def tour_joueur1(jeu): return input() == ''", "raised", "even", "EOFError"
    ),
}


def test_there_are_thirty_of_them_and_every_function_has_one() -> None:
    assert len(BROKEN) >= 30
    assert {broken.function for broken in BROKEN.values()} == set(exam.FUNCTIONS)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_function_is_caught_with_a_fitting_message(name: str, tmp_path: Path) -> None:
    broken = BROKEN[name]
    verdict = judged(tmp_path, broken.code, broken.function, seconds=1.0)
    assert verdict.status == "wrong"
    assert verdict.mistake is not None
    assert verdict.mistake.problem == broken.problem
    if broken.kind:
        assert verdict.mistake.case.kind == broken.kind
    said = "\n".join(report.lines(verdict, "en"))
    assert broken.says in said, said
    assert "\n".join(report.lines(verdict, "fr")) != said


def test_a_mistake_is_reported_in_its_own_function_only(tmp_path: Path) -> None:
    file = tmp_path / "devoir.py"
    wrong = "\ndef deplacer_graines(plateau, case):\n    return 0\n"
    file.write_text(exam.solved_template() + wrong, encoding="utf-8")
    verdicts = {verdict.function: verdict.status for verdict in exam.check_file(file, count=30)}
    assert [name for name, status in verdicts.items() if status != "right"] == ["deplacer_graines"]


def test_the_check_goes_on_after_a_function_that_hangs_and_one_that_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "devoir.py"
    loop = "\ndef tour_joueur1(jeu):\n    while True: pass\n\ndel copie\n"
    file.write_text(exam.solved_template() + loop, encoding="utf-8")
    verdicts = {verdict.function: verdict.status for verdict in exam.check_file(file, count=30, seconds=0.5)}
    assert verdicts.pop("tour_joueur1") == "wrong"
    assert verdicts.pop("copie") == "missing"
    assert set(verdicts.values()) == {"right"}


def test_both_boards_are_drawn_with_the_examinations_numbers(tmp_path: Path) -> None:
    broken = BROKEN["the origin is sown on the second lap"]
    said = list(report.lines(judged(tmp_path, broken.code, broken.function), "en"))
    titles = next(line for line in said if line.strip().startswith("the position "))
    assert "yours leaves" in titles
    assert "right would be" in titles
    assert sum("11 10  9  8  7  6" in line for line in said) == 1
    assert next(line for line in said if "11 10  9" in line).count("11 10  9  8  7  6") == 3


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("def f(:\n", "line 1: this is not Python"),
        ("x = 1\n1 / 0\n", "line 2"),
        ("while True: pass\n", "while it is loaded"),
        ("import os\nos._exit(3)\n", "ends Python while it is loaded"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_refused_with_the_line(code: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "devoir.py"
    file.write_text(code, encoding="utf-8")
    with pytest.raises(ExamError, match=says):
        list(exam.check_file(file, seconds=0.5))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.setenv("AWALE_LANG", "en")

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        return code, *capsys.readouterr()

    return call


def test_the_commands(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    file = str(tmp_path / "devoir.py")
    assert run("exam", "template", "--solved", file)[0] == 0
    code, _, err = run("exam", "template", file)
    assert (code, "exists already" in err) == (2, True)
    code, out, _ = run("exam", "check", file, "--cases", "20")
    assert (code, out.splitlines()[-1]) == (0, "16 of 16 functions are right")
    Path(file).write_text("def tour_joueur1(jeu): return None\n", encoding="utf-8")
    code, out, _ = run("exam", "check", file, "--json", "--only", "tour_joueur1")
    assert code == 1
    assert json.loads(out)[0]["mistake"]["problem"] == "nothing"
    assert run("exam", "check", file, "--only", "nim")[0] == 2
    code, _, err = run("exam", "check", str(tmp_path / "none.py"))
    assert (code, len(err.splitlines())) == (2, 1)
