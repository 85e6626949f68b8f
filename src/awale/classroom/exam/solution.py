"""A solution of the examination. Names and signatures are the document's, hence French.

`jeu` is a dictionary: `joueur1` and `joueur2` (names), `score` (two numbers), `n` (moves played) and `plateau`, twelve
numbers of seeds. The board is turned after each move, so that pits 0 to 5 always belong to the player to move.
"""

from typing import Any

Jeu = dict[str, Any]


def initialisation(nom_joueur1: str, nom_joueur2: str) -> Jeu:
    return {"joueur1": nom_joueur1, "joueur2": nom_joueur2, "score": [0, 0], "n": 0, "plateau": [4] * 12}


def affiche(plateau: list[int]) -> None:
    print(" ".join(f"{graines:2}" for graines in reversed(plateau[6:])))
    print(" ".join(f"{graines:2}" for graines in plateau[:6]))


def tour_joueur1(jeu: Jeu) -> bool:
    return bool(jeu["n"] % 2 == 0)


def tourner_plateau(jeu: Jeu) -> None:
    jeu["plateau"][:] = jeu["plateau"][6:] + jeu["plateau"][:6]


def copie(jeu: Jeu) -> Jeu:
    return {**jeu, "score": jeu["score"].copy(), "plateau": jeu["plateau"].copy()}


def deplacer_graines(plateau: list[int], case: int) -> int:
    graines, plateau[case] = plateau[case], 0
    derniere = case
    while graines > 0:
        derniere = (derniere + 1) % 12
        if derniere != case:
            plateau[derniere] += 1
            graines -= 1
    return derniere


def case_ramassable(plateau: list[int], case: int) -> bool:
    return case > 5 and plateau[case] in (2, 3)


def ramasser_graines(plateau: list[int], case: int) -> int:
    if not case_ramassable(plateau, case):
        return 0
    graines, plateau[case] = plateau[case], 0
    return graines + ramasser_graines(plateau, case - 1)


def test_famine(plateau: list[int], case: int) -> bool:
    if plateau[case] == 0:
        return False
    essai = plateau.copy()
    ramasser_graines(essai, deplacer_graines(essai, case))
    return sum(essai[6:]) > 0


def test_case(plateau: list[int], case: int) -> bool:
    return 0 <= case <= 5 and plateau[case] > 0 and test_famine(plateau, case)


def cases_possibles(jeu: Jeu) -> list[int]:
    return [case for case in range(6) if test_case(jeu["plateau"], case)]


def tour_suivant(jeu: Jeu) -> bool:
    if max(jeu["score"]) >= 25 or jeu["n"] >= 100 or sum(jeu["plateau"]) <= 3:
        return False
    return len(cases_possibles(jeu)) > 0


def tour_jeu(jeu: Jeu, case: int) -> bool:
    if not test_case(jeu["plateau"], case):
        print("La case choisie n'est pas valable")
        return True
    gagnees = ramasser_graines(jeu["plateau"], deplacer_graines(jeu["plateau"], case))
    jeu["score"][0 if tour_joueur1(jeu) else 1] += gagnees
    jeu["n"] += 1
    tourner_plateau(jeu)
    return tour_suivant(jeu)


def gagnant(jeu: Jeu) -> str:
    joueur = 0 if tour_joueur1(jeu) else 1
    jeu["score"][joueur] += sum(jeu["plateau"][:6])
    jeu["score"][1 - joueur] += sum(jeu["plateau"][6:])
    if jeu["score"][0] == jeu["score"][1]:
        return "egalite"
    return str(jeu["joueur1"] if jeu["score"][0] > jeu["score"][1] else jeu["joueur2"])


def gain(jeu: Jeu, case: int) -> tuple[int, Jeu]:
    jeu_bis = copie(jeu)
    gagnees = ramasser_graines(jeu_bis["plateau"], deplacer_graines(jeu_bis["plateau"], case))
    jeu_bis["score"][0 if tour_joueur1(jeu_bis) else 1] += gagnees
    jeu_bis["n"] += 1
    tourner_plateau(jeu_bis)
    return gagnees, jeu_bis


def max_vals(vals_jeu: list[list[int]], profondeur: int) -> int:
    case, valeur = max(vals_jeu, key=lambda paire: paire[1])
    return case if profondeur == 0 else valeur


def NegaAwale(jeu: Jeu, profondeur_max: int, profondeur: int) -> int:
    if not tour_suivant(jeu) or profondeur == profondeur_max:
        return 0
    vals_jeu = []
    for case in cases_possibles(jeu):
        g, jeu_bis = gain(jeu, case)
        p = NegaAwale(jeu_bis, profondeur_max, profondeur + 1)
        vals_jeu.append([case, g - p])
    return max_vals(vals_jeu, profondeur)


def awale_jcj_IA(nom_joueur1: str, nom_joueur2: str) -> str:
    jeu = initialisation(nom_joueur1, nom_joueur2)
    jeu_continue = True
    while jeu_continue:
        affiche(jeu["plateau"])
        jeu_continue = tour_jeu(jeu, NegaAwale(jeu, 5, 0))
    return gagnant(jeu)
