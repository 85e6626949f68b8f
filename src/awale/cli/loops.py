"""`awale loops`: endless sowings."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.errors import AwaleError
from awale.i18n import decimal, labelled, number, percent, text

if TYPE_CHECKING:
    from awale.loops.census import Census, Device, Stage
    from awale.loops.known import Count
    from awale.loops.sample import Sample

MOST_THREADS = 256
SAVE_EVERY = 5.0
TABLE_PITS = (4, 6, 8, 10, 12)
TABLE_SEEDS = 48


def register(app: typer.Typer) -> None:
    group = common.group(app, "loops", "loops.help.group")
    option = common.options("loops.option")
    as_json = common.json_option()
    picture_file = option(None, "--svg", "--picture", key="picture", metavar="FILE")
    threads_option = option(None, "--threads", "-t", metavar="N")

    @group.command("period", help=text("loops.help.period"))
    def period(
        position: str = option(..., "--position", "-p", metavar="POSITION"),
        pit: int = option(..., "--pit", "-i", metavar="I"),
        json: bool = as_json,
    ) -> None:
        _period(position, pit, json)

    @group.command("census", help=text("loops.help.census"))
    def census(
        pits: int = option(12, "--pits", metavar="2K"),
        seeds: int = option(..., "--seeds", "-s", metavar="N"),
        rings: bool = option(True, "--rings/--no-rings"),
        threads: int | None = threads_option,
        device: str = option("cpu", "--device", metavar="cpu|cuda"),
        fresh: bool = option(False, "--fresh"),
        json: bool = as_json,
    ) -> None:
        _census(pits, seeds, rings, _threads(threads), _device(device), fresh, json)

    @group.command("sample", help=text("loops.help.sample"))
    def sample(
        pits: int = option(12, "--pits", metavar="2K"),
        seeds: int = option(48, "--seeds", "-s", metavar="N"),
        count: str = option("1e6", "--count", "-n", metavar="N"),
        boards: str = option("uniform", "--boards", metavar="uniform|thrown"),
        play: str | None = option(None, "--play", metavar="random|engine"),
        rules: str = common.rules_option("ghana", "loops.option.rules"),
        seed: int = option(0, "--seed", metavar="N", min=0),
        threads: int | None = threads_option,
        json: bool = as_json,
    ) -> None:
        _sample(pits, seeds, _count(count), boards, play, rules, seed, _threads(threads), json)

    @group.command("table", help=text("loops.help.table"))
    def table(
        starts: str = option("1e7", "--starts", metavar="N"),
        picture: Path | None = picture_file,
        threads: int | None = threads_option,
        json: bool = as_json,
    ) -> None:
        _table(_count(starts), picture, _threads(threads), json)


def _threads(wanted: int | None) -> int | None:
    if wanted is not None and not 1 <= wanted <= MOST_THREADS:
        raise AwaleError(text("loops.refused.threads", most=MOST_THREADS, threads=wanted))
    return wanted


def _device(name: str) -> Device:
    if name not in ("cpu", "cuda"):
        raise AwaleError(text("loops.refused.device", device=name[:40]))
    return "cuda" if name == "cuda" else "cpu"


def _count(written: str) -> int:
    try:
        wanted = float(written.replace("_", ""))
        if not 1 <= wanted <= 1e15:
            raise ValueError
    except ValueError:
        raise AwaleError(text("loops.refused.count", count=written[:40])) from None
    return int(wanted)


def _board(board: tuple[int, ...]) -> str:
    return "-".join(map(str, board))


# -- one sowing ------------------------------------------------------------------------------------------------------


def _period(position: str, pit: int, json: bool) -> None:
    from awale.loops.sowing import follow, read_board

    begun = time.monotonic()
    with ProgressLine() as line:

        def wait() -> None:
            if time.monotonic() - begun > 1:
                line.tell("loops.period.waiting", seconds=round(time.monotonic() - begun))

        found = follow(read_board(position), pit - 1, wait=wait)
    if json:
        common.print_json(found.as_dict())
        return
    key = "endless" if found.endless else "ends"
    typer.echo(text(f"loops.period.{key}", laps=number(found.laps), last=found.last + 1))
    for board, last in found.boards:
        typer.echo(f"{_board(board)}  ({last + 1})")
    if not found.boards:
        typer.echo(_board(found.after))


# -- all of them -----------------------------------------------------------------------------------------------------


class _SavedCensus:
    """Saves a census in progress in the user's cache directory."""

    def __init__(self, pits: int, seeds: int) -> None:
        from awale.paths import cache_dir

        self.path = cache_dir() / "loops" / f"census-{pits}-{seeds}.json"
        self.saved_at = time.monotonic()

    def load(self, pits: int, seeds: int) -> Census | None:
        import json

        from awale import checksums
        from awale.loops.census import Census

        try:
            state = json.loads(self.path.read_text(encoding="utf-8"))
            if checksums.is_sealed(state) and not checksums.intact(state):
                raise ValueError("another checksum")
            found = Census.from_state(state)
        except OSError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            typer.echo(text("loops.census.damaged", path=self.path), err=True)
            return None
        return found if (found.pits, found.seeds) == (pits, seeds) else None

    def save(self, census: Census) -> None:
        import json

        from awale import checksums
        from awale.paths import replacing

        self.saved_at = time.monotonic()
        with contextlib.suppress(OSError):  # continue although the run cannot be resumed
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self.path) as growing:
                growing.write_text(json.dumps(checksums.sealed(census.state())), encoding="utf-8")


def _census(pits: int, seeds: int, rings: bool, threads: int | None, device: Device, fresh: bool, json: bool) -> None:
    from awale.loops.census import check_size, take_census

    check_size(pits, seeds)
    saved = _SavedCensus(pits, seeds)
    earlier = None if fresh else saved.load(pits, seeds)
    if earlier is not None:
        typer.echo(text("loops.census.resumed"), err=True)
    line = ProgressLine()
    latest: list[Census] = []

    def report(census: Census, stage: Stage) -> None:
        latest[:] = [census]
        if time.monotonic() - saved.saved_at > SAVE_EVERY:
            saved.save(census)
        if line.due():
            if stage == "chains":
                name, share = "chains", census.chains_done / census.chains_in_all
            else:
                name, share = "ring-search", census.ring_boards_done / census.ring_boards
            done = f"{text(f'loops.census.{name}')} {percent(share)}  {census.seconds:.0f} s"
            line.show(labelled(f"{pits} x {seeds}", done))

    try:
        found = take_census(pits, seeds, rings=rings, threads=threads, device=device, resume=earlier, report=report)
    except KeyboardInterrupt:
        line.end()
        if latest:
            saved.save(latest[0])
            typer.echo(text("loops.census.interrupted"), err=True)
        raise
    finally:
        line.end()
    saved.path.unlink(missing_ok=True)
    if json:
        common.print_json(found.as_dict())
    else:
        _print_census(found)


def _print_census(found: Census) -> None:
    rarity = text("loops.census.none")
    if found.one_in is not None:
        rarity = f"{number(found.endless)}, {text('loops.census.one-in', number=number(round(found.one_in)))}"
    laps = text("loops.census.laps", laps=number(found.longest), board=_board(found.longest_board))
    rows = [
        (text("loops.census.starts"), number(found.total)),
        (text("loops.census.endless"), rarity),
        (text("loops.census.longest"), laps),
    ]
    if found.rings_wanted and found.endless:
        rows.append((text("loops.census.rings"), number(sum(found.lengths.values()))))
        for length in sorted(found.lengths)[:20]:
            rows.append(("", text("loops.census.ring", laps=number(length), count=number(found.lengths[length]))))
        if len(found.lengths) > 20:
            rows.append(("", text("loops.census.rings-more", kinds=len(found.lengths))))
        period, board = found.longest_ring
        rows.append((text("loops.census.period"), text("loops.census.laps", laps=number(period), board=_board(board))))
    common.print_columns(rows)
    typer.echo(text("loops.census.seconds", seconds=decimal(found.seconds, ".2f")), err=True)


# -- samples ---------------------------------------------------------------------------------------------------------


def _sample(
    pits: int,
    seeds: int,
    count: int,
    boards: str,
    play: str | None,
    rules: str,
    seed: int,
    threads: int | None,
    json: bool,
) -> None:
    from awale.loops import sample as sampling
    from awale.players import make
    from awale.rules import presets

    with ProgressLine() as line:

        def report(starts: int, endless: int) -> None:
            line.tell("loops.sample.progress", starts=number(starts), endless=number(endless))

        if play is None:
            if boards not in ("uniform", "thrown"):
                raise AwaleError(text("loops.refused.boards", boards=boards[:40]))
            how: sampling.Boards = "uniform" if boards == "uniform" else "thrown"
            found = sampling.sample_boards(pits, seeds, count, how=how, seed=seed, threads=threads, report=report)
        elif play == "random":
            found = sampling.sample_random_games(presets.load(rules), count, seed=seed, threads=threads, report=report)
        else:
            played = presets.load(rules)
            player = make("engine:d6" if play == "engine" else play, played, seed)
            found = sampling.sample_games(
                played, count, lambda game: player.choose(game).move, play, seed=seed, report=report
            )
    if json:
        common.print_json(found.as_dict())
    else:
        _print_sample(found)


def _print_sample(found: Sample) -> None:
    rows = [(text("loops.sample.starts"), number(found.starts))]
    if found.games:
        rows.insert(0, (text("loops.sample.games"), number(found.games)))
        with_one = text("loops.sample.with", number=number(found.positions_with))
        rows.insert(1, (text("loops.sample.positions"), f"{number(found.positions)} ({with_one})"))
    low, high = found.interval
    if found.endless:
        share = text(
            "loops.sample.share",
            number=number(round(1 / found.share)),
            low=number(round(1 / high)),
            high=number(round(1 / low)),
        )
        where = text("loops.sample.where", laps=number(found.period), pit=found.pit + 1, board=_board(found.board))
        rows += [
            (text("loops.sample.endless"), labelled(number(found.endless), share)),
            (text("loops.sample.period"), where),
        ]
    else:
        rows.append((text("loops.sample.endless"), text("loops.sample.rarer", high=number(round(1 / high)))))
    common.print_columns(rows)
    typer.echo(text("loops.census.seconds", seconds=decimal(found.seconds, ".2f")), err=True)


# -- the table and its picture ---------------------------------------------------------------------------------------


def _table(starts: int, picture: Path | None, threads: int | None, json: bool) -> None:
    """Count what has few enough starts, and take the rest from the stored results."""
    from awale.loops.census import starts_in_all, take_census
    from awale.loops.known import Count, known

    found: dict[tuple[int, int], Count] = {}
    with ProgressLine() as line:
        for pits in TABLE_PITS:
            for seeds in range(1, TABLE_SEEDS + 1):
                if line.due():
                    line.show(f"{pits} x {seeds}")
                if starts_in_all(pits, seeds) <= starts:
                    found[pits, seeds] = Count.of(take_census(pits, seeds, threads=threads))
                elif (pits, seeds) in known():
                    found[pits, seeds] = known()[pits, seeds]
    if picture is not None:
        from awale.loops.picture import rarity_svg

        common.write_file(picture, rarity_svg(found.values()))
    if json:
        common.print_json([count._asdict() | {"starts": count.starts} for count in found.values()])
        return
    header = [text("loops.table.seeds"), *(text("loops.table.pits", pits=pits) for pits in TABLE_PITS)]
    rows = [
        (seeds, *(_cell(found.get((pits, seeds))) for pits in TABLE_PITS)) for seeds in sorted({n for _, n in found})
    ]
    typer.echo(common.markdown_table(header, rows, "---:"))


def _cell(count: Count | None) -> str:
    """Return the rarity and the longest period; empty where it was not counted."""
    if count is None:
        return ""
    if count.one_in is None:
        return text("loops.census.none")
    one_in = text("loops.census.one-in", number=number(round(count.one_in)))
    return one_in if count.period is None else f"{one_in} ({number(count.period)})"
