"""The rule systems everybody knows, as data. Adding one is adding an entry here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from awale import i18n
from awale.errors import RulesError
from awale.rules.description import Rules, hint, names_a_file

_GHANA: dict[str, Any] = {
    "sowing": "relay",
    "origin": "sown",
    "capture": "opposite",
    "starved": "passes",
    "win_at": "majority",
    "few_seeds": 1,
    "few_rest": "last-mover",
    "endings": ("few", "win", "moves"),
    "notation": "numbers",
}
_TRICOLOR: dict[str, Any] = {
    "pits": 8,
    "seeds": 2,
    "sowing": "colours",
    "capture": "ring-chain",
    "win_at": "majority",
    "few_seeds": 9,
    "move_limit": 400,
    "no_move": "last-mover",
    "notation": "colours",
}

_PRESETS: tuple[Rules, ...] = (
    Rules(
        name="ghana",
        source="J. Cosmao and P. Gélard, Le jeu d'awélé (Ghanaian version), lycée Corneille, Rouen",
        title={"en": "Ghana (relay)", "fr": "Ghana (semis répétés)"},
        description={
            "en": "Relay sowing: if the last seed falls in a pit that was not empty, its seeds are lifted and sown "
            "on. Ending in an empty pit of one's own takes the seeds of the pit opposite. A player without seeds "
            "passes, the last single seed goes to the mover, and more than half of the seeds wins. A sowing that "
            "would never end may not be played.",
            "fr": "Semis répétés : si la dernière graine tombe dans une case non vide, on reprend toutes ses "
            "graines et on continue. Finir dans une case vide de son camp prend les graines de la case en face. Un "
            "joueur sans graine passe, la toute dernière graine va à celui qui vient de jouer, et plus de la moitié "
            "des graines gagne. Un semis qui ne finirait jamais est interdit.",
        },
        **_GHANA,
    ),
    Rules(
        name="ghana-basic",
        source="the BASIC program printed with the same article",
        title={"en": "Ghana, as the BASIC program plays it", "fr": "Ghana, selon le programme en BASIC"},
        description={
            "en": "As ghana, but an endless sowing may be chosen: it ends the game, board and scores as they stood.",
            "fr": "Comme ghana, mais on peut choisir un semis infini : il met fin à la partie, plateau et scores "
            "restant tels quels.",
        },
        endless="ends",
        **_GHANA,
    ),
    Rules(
        name="ghana4",
        source="the same article, which studies a board of four pits first",
        title={"en": "Ghana on four pits", "fr": "Ghana à quatre cases"},
        description={
            "en": "As ghana with two pits a side: small enough to draw the whole tree of the game.",
            "fr": "Comme ghana avec deux cases par camp : assez petit pour dessiner tout l'arbre du jeu.",
        },
        pits=2,
        **_GHANA,
    ),
    Rules(
        name="casabianca",
        source="M. Casabianca, Awélé - Règles",
        title={"en": "Casabianca", "fr": "Casabianca"},
        description={
            "en": "One lap, the origin skipped; the last seed takes 2 or 3 in the opponent's pits and backwards "
            "from there. A move that leaves the opponent no seed is forbidden. Without a legal move the game is "
            "over and nobody takes the rest; the players may also agree to stop.",
            "fr": "Un seul tour, la case de départ sautée ; la dernière graine prend 2 ou 3 graines chez "
            "l'adversaire, puis en remontant. Un coup qui ne laisse aucune graine à l'adversaire est interdit. Sans "
            "coup possible la partie est finie et personne ne prend le reste ; les joueurs peuvent aussi convenir "
            "d'arrêter.",
        },
        grand_slam="illegal",
        feeding="required",
        no_move="nobody",
        notation="letters-north-upper",
    ),
    Rules(
        name="upsti",
        source="Le jeu de l'awalé, corrigé UPSTI (an entrance examination)",
        title={"en": "UPSTI (examination)", "fr": "UPSTI (concours)"},
        description={
            "en": "As casabianca, with endings a program can test: 25 seeds captured, 100 moves, 3 seeds or fewer "
            "on the board, or no legal move; each side then takes its own seeds.",
            "fr": "Comme casabianca, avec des fins qu'un programme peut tester : 25 graines prises, 100 coups, 3 "
            "graines ou moins sur le plateau, ou aucun coup possible ; chaque camp prend alors ses propres graines.",
        },
        grand_slam="illegal",
        feeding="required",
        win_at="majority",
        win_rest="own-side",
        move_limit=100,
        move_limit_rest="own-side",
        few_seeds=3,
        few_rest="own-side",
        no_move="own-side",
        notation="left",
    ),
    Rules(
        name="wikipedia",
        source="the rules of the French Wikipedia, as given in a university exercise on minimax and alpha-beta",
        title={"en": "Wikipedia", "fr": "Wikipédia"},
        description={
            "en": "A move that would take all the opponent's seeds may be played but takes nothing; an opponent "
            "without seeds must be fed, and a player who cannot takes what is left. The game stops at 26 captured "
            "seeds, or when 5 or fewer are left, which nobody takes.",
            "fr": "Un coup qui prendrait toutes les graines adverses peut être joué mais ne prend rien ; il faut "
            "nourrir un adversaire sans graine, et qui ne le peut pas prend ce qui reste. La partie s'arrête à 26 "
            "graines prises, ou quand il en reste 5 ou moins, que personne ne prend.",
        },
        grand_slam="takes-nothing",
        feeding="required",
        win_at=26,
        few_seeds=5,
        no_move="to-move",
    ),
    Rules(
        name="abapa",
        source="international Oware, as the Aalina engine and OpenSpiel play it",
        title={"en": "Abapa (international oware)", "fr": "Abapa (oware international)"},
        description={
            "en": "The rules of tournaments: a move that would take all the opponent's seeds takes nothing, an "
            "opponent without seeds must be fed, 25 seeds win. When a position comes back, or when he cannot be "
            "fed, each takes the seeds of his own side.",
            "fr": "Les règles des tournois : un coup qui prendrait toutes les graines adverses ne prend rien, il "
            "faut nourrir un adversaire sans graine, 25 graines gagnent. Quand une position revient, ou quand on ne "
            "peut le nourrir, chacun prend les graines de son camp.",
        },
        grand_slam="takes-nothing",
        feeding="required",
        win_at="majority",
        no_move="own-side",
        repetition="own-side",
    ),
    Rules(
        name="awari",
        source="T. Lincke, Exploring the computational limits of large exhaustive search problems; "
        "J. Romein and H. Bal, Solving the game of awari",
        title={"en": "Awari (as it was solved)", "fr": "Awari (tel qu'il fut résolu)"},
        description={
            "en": "The game that researchers solved: a move that leaves the opponent no seed is forbidden unless "
            "every move does, a player who cannot move loses the rest to the other, and a position that comes back "
            "splits the rest evenly.",
            "fr": "Le jeu que les chercheurs ont résolu : un coup qui ne laisse aucune graine à l'adversaire est "
            "interdit sauf si tous les coups le font, un joueur qui ne peut jouer perd le reste, et une position "
            "qui revient partage le reste en deux.",
        },
        grand_slam="illegal-unless-forced",
        feeding="if-possible",
        win_at="majority",
        no_move="last-mover",
        repetition="nobody",
    ),
    Rules(
        name="tricolor",
        source="A. Lesage and J.-J. Viale, AI Game Programming: Awalé, Université Côte d'Azur, 2025",
        title={"en": "Three colours", "fr": "Trois couleurs"},
        description={
            "en": "Sixteen holes in a ring, odd ones against even ones, each with 2 red, 2 blue and 2 transparent "
            "seeds. Red goes to every hole, blue to the opponent's only, transparent seeds as either. Any 2 or 3 "
            "seeds are taken, backwards round the ring. 49 seeds win; fewer than 10 seeds or 400 moves end it; who "
            "starves the other takes the rest.",
            "fr": "Seize trous en cercle, impairs contre pairs, chacun avec 2 graines rouges, 2 bleues et 2 "
            "transparentes. Les rouges vont partout, les bleues chez l'adversaire seul, les transparentes au choix. "
            "On prend toute case de 2 ou 3 graines, en remontant le cercle. 49 graines gagnent ; moins de 10 "
            "graines ou 400 coups finissent la partie ; qui affame l'autre prend le reste.",
        },
        **_TRICOLOR,
    ),
    Rules(
        name="tricolor-2025",
        source="what the program behind the tables of the same report really did",
        title={"en": "Three colours, as in the 2025 report", "fr": "Trois couleurs, comme dans le rapport de 2025"},
        description={
            "en": "As tricolor, but a player without seeds passes and nothing is taken.",
            "fr": "Comme tricolor, mais un joueur sans graine passe son tour et rien n'est pris.",
        },
        starved="passes",
        **_TRICOLOR,
    ),
)

ALIASES: dict[str, str] = {
    "oware": "abapa",
    "international": "abapa",
    "wiki": "wikipedia",
    "exam": "upsti",
    "relay": "ghana",
    "basic": "ghana-basic",
    "contest": "tricolor",
    "tricolour": "tricolor",
    "tricolour-2025": "tricolor-2025",
    "romein": "awari",
}

_REGISTRY: dict[str, Rules] = {rules.name: rules for rules in _PRESETS}


def names() -> tuple[str, ...]:
    """The presets' names, in the order people meet them."""
    return tuple(_REGISTRY)


def all_rules() -> Iterator[Rules]:
    """Every preset, and whatever was registered, in the order of `names()`."""
    yield from _REGISTRY.values()


def _key(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def check_free(name: str) -> None:
    """Refuse a name that would be taken for other rules, or for a variant of some."""
    if _key(name) in _REGISTRY or _key(name) in ALIASES:
        raise RulesError(i18n.message("rules.unknown.taken", name=name))
    if any(mark in name for mark in ":,="):
        raise RulesError(i18n.message("rules.unknown.colon", name=name))


def base_of(rules: Rules) -> Rules | None:
    """The registered rules that these are named after, as in `ghana:pits=3`."""
    return _REGISTRY.get(_key(rules.name.partition(":")[0]))


def register(rules: Rules, *aliases: str) -> Rules:
    """Make a rule system known by its name and aliases to everything that takes a name."""
    for name in (rules.name, *aliases):
        check_free(name)
    _REGISTRY[_key(rules.name)] = rules
    ALIASES.update({_key(alias): _key(rules.name) for alias in aliases})
    return rules


def get(name: str | Rules) -> Rules:
    """A rule system by name, alias or variant (`ghana:pits=3,seeds=2`), or itself. Never opens a file: see `load`.

    >>> get("oware").name
    'abapa'
    >>> get("ghana:pits=2").holes
    4
    """
    if isinstance(name, Rules):
        return name
    if not isinstance(name, str):
        raise RulesError(i18n.message("rules.unknown.kind", value=repr(name)[:80]))
    if names_a_file(name):
        raise RulesError(i18n.message("rules.unknown.file", name=name.strip()[:60]))
    base, _, options = name.partition(":")
    key = ALIASES.get(_key(base), _key(base))
    if key not in _REGISTRY:
        near = hint(key, _REGISTRY, ALIASES)
        raise RulesError(i18n.message("rules.unknown.rules", name=base.strip()[:60], hint=near))
    rules = _REGISTRY[key]
    return rules.variant(**_read_options(options)) if options.strip() else rules


def load(name: str | Rules) -> Rules:
    """As `get`, and a village-rules file by its path (`mine.toml`). For what the user himself typed, and only that:
    a name that came with somebody's game or over the network must not choose which file is read."""
    return Rules.from_toml(name.strip()) if isinstance(name, str) and names_a_file(name) else get(name)


def _read_options(text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise RulesError(i18n.message("rules.spec.not-an-option", part=part.strip()[:60]))
        if name in options:
            raise RulesError(i18n.message("rules.spec.twice", name=name[:60]))
        options[name] = _read_value(name, value)
    return options


def _read_value(name: str, value: str) -> Any:
    if name == "capture_counts":
        return tuple(_number(part) for part in value.split("+"))
    if name == "endings":
        return tuple(value.split("+"))
    if value.lower() == "none" and name in ("win_at", "few_seeds", "move_limit"):
        return None
    return _number(value)


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
