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
            "en": "Relay sowing: if the last seed falls in a pit that was not empty, all the seeds of that pit are "
            "lifted and sown on. A sowing that ends in an empty pit of the player's own captures the seeds of "
            "the pit opposite. A player without seeds passes, a single seed left on the board goes to the player "
            "who moved, and more than half of the seeds wins. An endless sowing may not be played.",
            "fr": "Semis répétés : si la dernière graine tombe dans une case non vide, on reprend toutes les graines "
            "de cette case et on continue. Si l'on finit dans une case vide de son camp, on prend les graines de "
            "la case d'en face. Un joueur sans graine passe, la graine restée seule sur le plateau va à celui "
            "qui vient de jouer, et l'on gagne avec plus de la moitié des graines. Un semis qui ne finirait "
            "jamais est interdit.",
        },
        **_GHANA,
    ),
    Rules(
        name="ghana-basic",
        source="the BASIC program printed with the same article",
        title={"en": "Ghana, as the BASIC program plays it", "fr": "Ghana, selon le programme en BASIC"},
        description={
            "en": "Like ghana, but an endless sowing may be chosen: it ends the game, with board and scores as they "
            "stood before the move.",
            "fr": "Comme ghana, mais on peut choisir un semis infini : il met fin à la partie, plateau et scores "
            "restant tels qu'avant le coup.",
        },
        endless="ends",
        **_GHANA,
    ),
    Rules(
        name="ghana4",
        source="the same article, which studies a board of four pits first",
        title={"en": "Ghana on four pits", "fr": "Ghana à quatre cases"},
        description={
            "en": "Like ghana, with two pits per side: small enough to draw the whole game tree.",
            "fr": "Comme ghana, avec deux cases par camp : assez petit pour dessiner tout l'arbre du jeu.",
        },
        pits=2,
        **_GHANA,
    ),
    Rules(
        name="casabianca",
        source="M. Casabianca, Awélé - Règles",
        title={"en": "Casabianca", "fr": "Casabianca"},
        description={
            "en": "One lap, skipping the pit of origin. If the last seed makes 2 or 3 in an opponent's pit, they are "
            "captured, and so on backwards. A move that leaves the opponent no seed is forbidden. Without a "
            "legal move the game is over and nobody takes the rest; the players may also agree to stop.",
            "fr": "Un seul semis, qui saute la case de départ. Si la dernière graine porte une case adverse à 2 ou 3 "
            "graines, on les prend, et ainsi de suite à reculons. Un coup qui ne laisse aucune graine à "
            "l'adversaire est interdit. Sans coup possible, la partie est finie et personne ne prend le reste ; "
            "les joueurs peuvent aussi convenir d'arrêter.",
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
            "en": "Like casabianca, with endings that a program can test: 25 seeds captured, 100 moves played, 3 seeds "
            "or fewer on the board, or no legal move; each player then takes the seeds on their own side.",
            "fr": "Comme casabianca, avec des fins de partie qu'un programme peut tester : 25 graines prises, 100 "
            "coups joués, 3 graines ou moins sur le plateau, ou aucun coup possible ; chacun prend alors les "
            "graines de son camp.",
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
            "en": "A move that would capture all of the opponent's seeds may be played but captures nothing; an "
            "opponent without seeds must be fed, and a player who cannot do so takes what is left. The game ends "
            "at 26 captured seeds, or when 5 or fewer are left, which nobody takes.",
            "fr": "Un coup qui prendrait toutes les graines adverses peut être joué mais ne prend rien ; il faut "
            "nourrir un adversaire sans graine, et celui qui ne le peut pas prend ce qui reste. La partie "
            "s'arrête à 26 graines prises, ou quand il en reste 5 ou moins, que personne ne prend.",
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
            "en": "The tournament rules: a move that would capture all of the opponent's seeds captures nothing, an "
            "opponent without seeds must be fed, and 25 seeds win. When a position is repeated, or when the "
            "opponent cannot be fed, each player takes the seeds on their own side.",
            "fr": "Les règles des tournois : un coup qui prendrait toutes les graines adverses ne prend rien, il faut "
            "nourrir un adversaire sans graine, et l'on gagne avec 25 graines. Quand une position se répète, ou "
            "quand on ne peut pas nourrir l'adversaire, chacun prend les graines de son camp.",
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
        title={"en": "Awari (as it was solved)", "fr": "Awari (tel qu'il a été résolu)"},
        description={
            "en": "The game as it was solved: a move that leaves the opponent no seed is forbidden unless every move "
            "does, an opponent without seeds must be fed if possible, and more than half of the seeds wins. A "
            "player who cannot move loses the rest to the other; when a position is repeated, the rest counts "
            "for nobody.",
            "fr": "Le jeu tel qu'il a été résolu : un coup qui ne laisse aucune graine à l'adversaire est interdit, "
            "sauf si tous les coups le font ; il faut nourrir un adversaire sans graine si possible, et l'on "
            "gagne avec plus de la moitié des graines. Un joueur qui ne peut pas jouer perd le reste au profit "
            "de l'autre ; quand une position se répète, le reste ne compte pour personne.",
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
            "en": "Sixteen holes in a ring, odd against even, each with 2 red, 2 blue and 2 transparent seeds. Red "
            "seeds go to every hole, blue ones to the opponent's holes only, transparent ones as either. From "
            "the last seed sown, every hole of 2 or 3 seeds is captured, backwards round the ring. 49 seeds win; "
            "the game ends with fewer than 10 seeds on the board or after 400 moves; a player who starves the "
            "other takes the rest.",
            "fr": "Seize trous en cercle, impairs contre pairs, chacun avec 2 graines rouges, 2 bleues et 2 "
            "transparentes. Les rouges vont dans tous les trous, les bleues seulement chez l'adversaire, les "
            "transparentes au choix. À partir de la dernière graine semée, on prend tout trou de 2 ou 3 graines, "
            "en remontant le cercle. On gagne avec 49 graines ; la partie s'arrête s'il reste moins de 10 "
            "graines sur le plateau ou après 400 coups ; celui qui affame l'autre prend le reste.",
        },
        **_TRICOLOR,
    ),
    Rules(
        name="tricolor-2025",
        source="what the program behind the tables of the same report really did",
        title={"en": "Three colours, as in the 2025 report", "fr": "Trois couleurs, comme dans le rapport de 2025"},
        description={
            "en": "Like tricolor, but a player without seeds passes and nothing is taken.",
            "fr": "Comme tricolor, mais un joueur sans graine passe et rien n'est pris.",
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
