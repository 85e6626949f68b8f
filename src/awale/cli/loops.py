"""`awale loops`: endless sowings."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.i18n import decimal, labelled, number, percent, system_problem, text

if TYPE_CHECKING:
    from awale.loops.census import Census, Device, Stage
    from awale.loops.known import Count
    from awale.loops.sample import Chooser, Sample

MOST_THREADS = 256
SAVE_EVERY = 5.0
TABLE_PITS = (4, 6, 8, 10, 12)
TABLE_SEEDS = 48


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=text("loops.help.group"), no_args_is_help=True)
    as_json = common.json_option()
    picture_file = typer.Option(
        None, "--svg", "--picture", metavar=text("cli.metavar.file"), help=text("loops.option.picture")
    )
    threads_option = typer.Option(None, "--threads", "-t", metavar="N", help=text("loops.option.threads"))

    @group.command("period", help=text("loops.help.period"))
    def period(
        position: str = typer.Option(..., "--position", "-p", metavar="POSITION", help=text("loops.option.position")),
        pit: int = typer.Option(..., "--pit", "-i", metavar="I", help=text("loops.option.pit")),
        json: bool = as_json,
    ) -> None:
        _period(position, pit, json)

    @group.command("census", help=text("loops.help.census"))
    def census(
        pits: int = typer.Option(12, "--pits", metavar="2K", help=text("loops.option.pits")),
        seeds: int = typer.Option(..., "--seeds", "-s", metavar="N", help=text("loops.option.seeds")),
        rings: bool = typer.Option(True, "--rings/--no-rings", help=text("loops.option.rings")),
        threads: int | None = threads_option,
        device: str = typer.Option("cpu", "--device", metavar="cpu|cuda", help=text("loops.option.device")),
        fresh: bool = typer.Option(False, "--fresh", help=text("loops.option.fresh")),
        json: bool = as_json,
    ) -> None:
        _census(pits, seeds, rings, _threads(threads), _device(device), fresh, json)

    @group.command("sample", help=text("loops.help.sample"))
    def sample(
        pits: int = typer.Option(12, "--pits", metavar="2K", help=text("loops.option.pits")),
        seeds: int = typer.Option(48, "--seeds", "-s", metavar="N", help=text("loops.option.seeds")),
        count: str = typer.Option("1e6", "--count", "-n", metavar="N", help=text("loops.option.count")),
        boards: str = typer.Option("uniform", "--boards", metavar="uniform|thrown", help=text("loops.option.boards")),
        play: str | None = typer.Option(None, "--play", metavar="random|engine", help=text("loops.option.play")),
        rules: str = typer.Option(
            "ghana",
            "--rules",
            "-r",
            metavar=text("cli.metavar.rules"),
            help=text("loops.option.rules"),
            autocompletion=common.complete_rules,
        ),
        seed: int = typer.Option(0, "--seed", metavar="N", min=0, help=text("loops.option.seed")),
        threads: int | None = threads_option,
        json: bool = as_json,
    ) -> None:
        _sample(pits, seeds, _count(count), boards, play, rules, seed, _threads(threads), json)

    @group.command("table", help=text("loops.help.table"))
    def table(
        starts: str = typer.Option("1e7", "--starts", metavar="N", help=text("loops.option.starts")),
        picture: Path | None = picture_file,
        threads: int | None = threads_option,
        json: bool = as_json,
    ) -> None:
        _table(_count(starts), picture, _threads(threads), json)

    app.add_typer(group, name="loops")


def _threads(wanted: int | None) -> int | None:
    from awale.errors import AwaleError

    if wanted is not None and not 1 <= wanted <= MOST_THREADS:
        raise AwaleError(text("loops.refused.threads", most=MOST_THREADS, threads=wanted))
    return wanted


def _device(name: str) -> Device:
    from awale.errors import AwaleError

    if name not in ("cpu", "cuda"):
        raise AwaleError(text("loops.refused.device", device=name[:40]))
    return "cuda" if name == "cuda" else "cpu"


def _count(written: str) -> int:
    from awale.errors import AwaleError

    try:
        wanted = float(written.replace("_", ""))
        if not 1 <= wanted <= 1e15:
            raise ValueError
    except ValueError:
        raise AwaleError(text("loops.refused.count", count=written[:40])) from None
    return int(wanted)


def _rows(rows: list[tuple[str, str]]) -> None:
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        typer.echo(f"{label:{width}}  {value}")


def _board(board: tuple[int, ...]) -> str:
    return "-".join(map(str, board))


# -- one sowing ------------------------------------------------------------------------------------------------------


def _period(position: str, pit: int, json: bool) -> None:
    from awale.loops.sowing import follow, read_board

    line, begun = ProgressLine(), time.monotonic()

    def wait() -> None:
        if line.due() and time.monotonic() - begun > 1:
            line.show(text("loops.period.waiting", seconds=round(time.monotonic() - begun)))

    try:
        found = follow(read_board(position), pit - 1, wait=wait)
    finally:
        line.end()
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

        self.saved_at = time.monotonic()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            partial = self.path.with_suffix(".part")
            partial.write_text(json.dumps(checksums.sealed(census.state())), encoding="utf-8")
            partial.replace(self.path)
        except OSError:
            return  # continue although the run cannot be resumed

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)


def _census(pits: int, seeds: int, rings: bool, threads: int | None, device: Device, fresh: bool, json: bool) -> None:
    from awale.loops.census import check_size

    check_size(pits, seeds)
    saved = _SavedCensus(pits, seeds)
    earlier = None if fresh else saved.load(pits, seeds)
    if earlier is not None:
        typer.echo(text("loops.census.resumed"), err=True)
    found = _take(pits, seeds, rings, threads, device, earlier, saved)
    if json:
        common.print_json(found.as_dict())
    else:
        _print_census(found)


def _take(
    pits: int,
    seeds: int,
    rings: bool,
    threads: int | None,
    device: Device,
    earlier: Census | None,
    saved: _SavedCensus,
) -> Census:
    from awale.loops.census import take_census

    line = ProgressLine()
    latest: list[Census] = []

    def report(census: Census, stage: Stage) -> None:
        latest[:] = [census]
        if time.monotonic() - saved.saved_at > SAVE_EVERY:
            saved.save(census)
        if line.due():
            share = (
                census.chains_done / census.chains_in_all
                if stage == "chains"
                else census.ring_boards_done / census.ring_boards
            )
            name = text("loops.census.chains" if stage == "chains" else "loops.census.ring-search")
            line.show(labelled(f"{pits} x {seeds}", f"{name} {percent(share)}  {census.seconds:.0f} s"))

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
    saved.forget()
    return found


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
    _rows(rows)
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
    from awale.errors import AwaleError
    from awale.loops import sample as sampling
    from awale.rules import presets

    line = ProgressLine()

    def report(starts: int, endless: int) -> None:
        if line.due():
            line.show(text("loops.sample.progress", starts=number(starts), endless=number(endless)))

    try:
        if play is None:
            if boards not in ("uniform", "thrown"):
                raise AwaleError(text("loops.refused.boards", boards=boards[:40]))
            how: sampling.Boards = "uniform" if boards == "uniform" else "thrown"
            found = sampling.sample_boards(pits, seeds, count, how=how, seed=seed, threads=threads, report=report)
        elif play == "random":
            found = sampling.sample_random_games(presets.load(rules), count, seed=seed, threads=threads, report=report)
        else:
            played = presets.load(rules)
            choose = _chooser(play, played, seed)
            found = sampling.sample_games(played, count, choose, play, seed=seed, report=report)
    finally:
        line.end()
    if json:
        common.print_json(found.as_dict())
    else:
        _print_sample(found)


def _chooser(name: str, rules: Any, seed: int) -> Chooser:
    from awale.players import make

    player = make("engine:d6" if name == "engine" else name, rules, seed)
    return lambda game: player.choose(game).move


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
    _rows(rows)
    typer.echo(text("loops.census.seconds", seconds=decimal(found.seconds, ".2f")), err=True)


# -- the table and its picture ---------------------------------------------------------------------------------------


def _table(starts: int, picture: Path | None, threads: int | None, json: bool) -> None:
    """Count what has few enough starts, and take the rest from the stored results."""
    from awale.errors import AwaleError
    from awale.loops.census import starts_in_all, take_census
    from awale.loops.known import Count, known

    line = ProgressLine()
    found: dict[tuple[int, int], Count] = {}
    try:
        for pits in TABLE_PITS:
            for seeds in range(1, TABLE_SEEDS + 1):
                if line.due():
                    line.show(f"{pits} x {seeds}")
                if starts_in_all(pits, seeds) <= starts:
                    found[pits, seeds] = Count.of(take_census(pits, seeds, threads=threads))
                elif (pits, seeds) in known():
                    found[pits, seeds] = known()[pits, seeds]
    finally:
        line.end()
    if picture is not None:
        from awale.loops.picture import rarity_svg

        try:
            picture.write_text(rarity_svg(found.values()), encoding="utf-8")
        except OSError as error:
            raise AwaleError(text("loops.refused.unwritable", path=picture, error=system_problem(error))) from None
    if json:
        common.print_json([count._asdict() | {"starts": count.starts} for count in found.values()])
        return
    header = [text("loops.table.seeds"), *(text("loops.table.pits", pits=pits) for pits in TABLE_PITS)]
    typer.echo("| " + " | ".join(header) + " |")
    typer.echo("|---:" * len(header) + "|")
    for seeds in sorted({seeds for _, seeds in found}):
        cells = [_cell(found.get((pits, seeds))) for pits in TABLE_PITS]
        typer.echo(f"| {seeds} | " + " | ".join(cells) + " |")


def _cell(count: Count | None) -> str:
    """Return the rarity and the longest period; empty where it was not counted."""
    if count is None:
        return ""
    if count.one_in is None:
        return text("loops.census.none")
    one_in = text("loops.census.one-in", number=number(round(count.one_in)))
    return one_in if count.period is None else f"{one_in} ({number(count.period)})"
